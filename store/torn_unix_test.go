//go:build unix

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// torn is the variable that makes TestEveryWriteSequential a process whose files may not grow.
const torn = "OXO_STORE_TORN"

// script is a while of play: moves of two games in turn, and what else a server keeps.
// It returns the moves that were acknowledged, and the error that ended it.
func script(s *Store) (acknowledged map[string][]string, err error) {
	acknowledged = map[string][]string{}
	games := []string{"a", "b"}
	for _, id := range games {
		if err := s.AddGame(id, "playing", []byte(`{"game":"`+id+`"}`)); err != nil {
			return acknowledged, err
		}
		acknowledged[id] = []string{}
	}
	if err := s.AddJob("job", "owner", "running", []byte("{}")); err != nil {
		return acknowledged, err
	}
	for ply := range 8 {
		for _, id := range games {
			move := fmt.Sprint(id, ply)
			if err := s.AddMove(id, ply, move, 0, 0); err != nil {
				return acknowledged, err
			}
			acknowledged[id] = append(acknowledged[id], move)
		}
		if err := s.PutBlob("job", "checkpoint", bytes.Repeat([]byte{byte(ply)}, 6000)); err != nil {
			return acknowledged, err
		}
	}
	return acknowledged, nil
}

// holds compares a store with what was acknowledged: no game has other moves, but one that
// was on its way may be there where may says so.
func holds(s *Store, acknowledged map[string][]string, may int) error {
	for id, want := range acknowledged {
		doc, moves, _, err := s.Game(context.Background(), id)
		if err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
		more := len(moves) - len(want)
		if more < 0 || more > may || !slices.Equal(moves[:len(want)], want) || string(doc) != `{"game":"`+id+`"}` {
			return fmt.Errorf("%s has %v and %s, and %v were acknowledged", id, moves, doc, want)
		}
	}
	return nil
}

// tear plays the script in a store whose files end at so many bytes: the write that crosses
// them is torn, and those after it fail. It says whether all was written.
func tear(dir string, pristine []byte, limit uint64) (whole bool, err error) {
	if err := os.WriteFile(filepath.Join(dir, File), pristine, 0o600); err != nil {
		return false, err
	}
	s, err := Open(dir)
	if err != nil {
		return false, err
	}
	defer s.Close()
	if _, err := s.Games(context.Background(), "playing", 1); err != nil { // so that the index of its log is there
		return false, err
	}
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		return false, err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: old.Max}); err != nil {
		return false, err
	}
	acknowledged, failed := script(s)
	here := holds(s, acknowledged, 0)
	lost := copyOf(dir) // as where the power goes at this moment
	if err := errors.Join(here, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old)); err != nil {
		return false, fmt.Errorf("after %v: %w", failed, err)
	}
	if err := reopened(dir+"-lost", lost, acknowledged, 1); err != nil {
		return false, fmt.Errorf("after %v and a loss: %w", failed, err)
	}
	for id, moves := range acknowledged { // with room again it goes on
		next := fmt.Sprint(id, len(moves))
		if err := s.AddMove(id, len(moves), next, 0, 0); err != nil {
			return false, fmt.Errorf("with room again after %v: %w", failed, err)
		}
		acknowledged[id] = append(moves, next)
	}
	if err := errors.Join(holds(s, acknowledged, 0), s.Close()); err != nil {
		return false, err
	}
	return failed == nil, reopened(dir+"-again", copyOf(dir), acknowledged, 0)
}

// reopened opens a store with those files, and compares it with what was acknowledged.
func reopened(dir string, files map[string][]byte, acknowledged map[string][]string, may int) error {
	err := os.MkdirAll(dir, 0o700)
	for name, data := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, filepath.Base(name)), data, 0o600))
	}
	if err != nil {
		return err
	}
	s, err := Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(holds(s, acknowledged, may), s.Close(), os.RemoveAll(dir))
}

// tearAll tears every write of the script: the log's at its header, at every border of a
// page in it, and within each.
func tearAll(dir string) error {
	signal.Ignore(syscall.SIGXFSZ)
	s, err := Open(filepath.Join(dir, "new"))
	if err != nil {
		return err
	}
	if err := s.Close(); err != nil {
		return err
	}
	pristine, err := os.ReadFile(filepath.Join(dir, "new", File))
	if err != nil {
		return err
	}
	const header, frame = 32, 4096 + 24 // SQLite, "The Write-Ahead Log", section 4.1
	count := 0
	for n := range 1000 {
		for _, more := range []uint64{0, 10, 2000} {
			folder := filepath.Join(dir, fmt.Sprintf("%d-%d", n, more))
			if err := os.Mkdir(folder, 0o700); err != nil {
				return err
			}
			whole, err := tear(folder, pristine, header+uint64(n)*frame+more)
			if err != nil {
				return fmt.Errorf("page %d and %d bytes: %w", n, more, err)
			}
			if err := os.RemoveAll(folder); err != nil {
				return err
			}
			if whole {
				fmt.Println(count)
				return nil
			}
			count++
		}
	}
	return errors.New("the script is never written whole")
}

// TestEveryWriteSequential tears every write of a while of play. What was acknowledged is there, and
// no other move; the store goes on once there is room, and opens again, also from what
// lies on the disk at the moment of the failure.
func TestEveryWriteSequential(t *testing.T) {
	if dir := os.Getenv(torn); dir != "" {
		if err := tearAll(dir); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	c := exec.Command(os.Args[0], "-test.run", "^TestEveryWriteSequential$")
	c.Env = append(os.Environ(), torn+"="+t.TempDir())
	out, err := c.CombinedOutput()
	var n int
	if _, read := fmt.Sscan(string(out), &n); err != nil || read != nil || n < 60 {
		t.Fatalf("%v: %s", err, out)
	}
	t.Logf("%d writes were torn, in %v of processor time", n, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
}
