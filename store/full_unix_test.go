//go:build unix

package store

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// crowded is the variable that makes TestFullDisk a writer whose files may not grow.
const crowded = "OXO_STORE_CROWDED"

// crowd writes moves to several games at once until none can be written any more,
// as where a disk is full. It reads them, makes room, goes on where each game had
// come to, and tells how many moves of each were acknowledged.
func crowd(dir string) error {
	s, err := Open(dir)
	if err != nil {
		return err
	}
	games := []string{"a", "b", "c", "d"}
	for _, id := range games {
		if err := s.AddGame(id, "playing", []byte("{}")); err != nil {
			return err
		}
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 20, Max: old.Max}); err != nil {
		return err
	}
	plies := make([]int, len(games))
	play := func(most int) (errs []error) {
		errs = make([]error, len(games))
		var all sync.WaitGroup
		for i, id := range games {
			all.Go(func() {
				for range most {
					if errs[i] = s.AddMove(id, plies[i], fmt.Sprint("m", plies[i]), 0, 0); errs[i] != nil {
						return
					}
					plies[i]++
				}
			})
		}
		all.Wait()
		return errs
	}
	for i, err := range play(1 << 20) {
		if err == nil || strings.Contains(err.Error(), "is not the next") {
			return fmt.Errorf("%s: %d moves, and then %v", games[i], plies[i], err)
		}
	}
	for i, id := range games {
		_, moves, _, err := s.Game(context.Background(), id)
		if err != nil || len(moves) != plies[i] {
			return fmt.Errorf("%s has %d moves of %d: %v", id, len(moves), plies[i], err)
		}
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return err
	}
	for i, err := range play(100) {
		if err != nil {
			return fmt.Errorf("%s: with room again, after %d moves: %w", games[i], plies[i], err)
		}
		fmt.Println(games[i], plies[i])
	}
	return s.Close()
}

// TestFullDisk: what cannot be written is refused and not half there, what was
// acknowledged can be read, and with room again the store goes on.
func TestFullDisk(t *testing.T) {
	if dir := os.Getenv(crowded); dir != "" {
		if err := crowd(dir); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	dir := t.TempDir()
	c := exec.Command(os.Args[0], "-test.run", "^TestFullDisk$")
	c.Env = append(os.Environ(), crowded+"="+dir)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	acknowledged := map[string]int{}
	for line := range strings.Lines(string(out)) {
		var id string
		var plies int
		if _, err := fmt.Sscan(line, &id, &plies); err != nil {
			t.Fatalf("the writer says %q", line)
		}
		acknowledged[id] = plies - 1
	}
	if len(acknowledged) != 4 {
		t.Fatalf("the writer says %q", out)
	}
	kept(t, dir, acknowledged)
}
