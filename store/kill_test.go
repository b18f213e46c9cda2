package store

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// victim is the variable that makes the test program a writer to be killed.
const victim = "OXO_STORE_VICTIM"

// die writes moves to several games, and tells of each that was acknowledged,
// until it is killed.
func die(dir string) {
	s, err := Open(dir)
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	var out sync.Mutex
	for i := range 4 {
		go func() {
			id := fmt.Sprint("g", i, "-", os.Getpid())
			if err := s.AddGame(id, "playing", []byte("{}")); err != nil {
				fmt.Println("error", err)
				os.Exit(1)
			}
			for ply := 0; ; ply++ {
				move := fmt.Sprint("m", ply)
				if err := s.AddMove(id, ply, move, 0, 0); err != nil {
					fmt.Println("error", err)
					os.Exit(1)
				}
				out.Lock()
				fmt.Printf("%s %d\n", id, ply)
				out.Unlock()
			}
		}()
	}
	select {}
}

// kill runs a writer, kills it at a random moment, and checks that all it
// acknowledged is there and nothing is out of order.
func kill(t *testing.T, dir string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), victim+"="+dir)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]int{}
	lines, after := bufio.NewScanner(out), rand.IntN(60)
	for n := 0; lines.Scan(); n++ {
		var id string
		var ply int
		if _, err := fmt.Sscan(lines.Text(), &id, &ply); err != nil {
			t.Fatalf("the writer says %q", lines.Text())
		}
		acknowledged[id] = ply
		if n == after {
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = c.Wait() // it was killed
	kept(t, dir, acknowledged)
}

// kept checks that the last move acknowledged of each game is there, and that the
// moves are in order.
func kept(t *testing.T, dir string, acknowledged map[string]int) {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if len(acknowledged) == 0 {
		t.Fatal("nothing was acknowledged")
	}
	for id, ply := range acknowledged {
		_, moves, _, err := s.Game(t.Context(), id)
		if err != nil || len(moves) <= ply {
			t.Fatalf("%s: ply %d was acknowledged and %d are there: %v", id, ply, len(moves), err)
		}
		for i, m := range moves {
			if m != "m"+fmt.Sprint(i) {
				t.Fatalf("%s: ply %d is %s", id, i, strings.Join(moves, " "))
			}
		}
	}
}

func TestKilledWriterLosesNothing(t *testing.T) {
	dir := t.TempDir()
	for range 15 {
		kill(t, dir)
	}
}
