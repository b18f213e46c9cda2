package arena_test

import (
	"bufio"
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"oxo"
	"oxo/arena"
)

// TestMain lets the test binary be a program that plays a tournament and is
// killed: called as "tournament FILE" it keeps its journal there.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "tournament" {
		if err := playSlowly(os.Args[2]); err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// slowTournament is the tournament of the program, which takes a while.
func slowTournament(t testing.TB, pause time.Duration) *arena.Tournament[pos] {
	slowly := entrant("winning", func(p pos, r *rand.Rand) oxo.Move {
		time.Sleep(pause)
		return winning(p, r)
	})
	return tournament(t, []arena.Entrant[pos]{slowly, entrant("random", anyMove)}, 100)
}

// loudFile is a journal's file that says when something was written.
type loudFile struct{ *os.File }

func (f loudFile) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	os.Stdout.WriteString("game\n")
	return n, err
}

func playSlowly(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	j, err := arena.OpenJournal(loudFile{f})
	if err != nil {
		return err
	}
	tour := slowTournament(nil, 100*time.Microsecond)
	tour.Journal = j
	_, err = tour.Run(context.Background())
	return err
}

// A program that is killed again and again, each time after some games, ends
// with the standings of one that was left alone.
func TestKilledTournamentGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	kills := 0
	for ended := false; !ended; {
		c := exec.Command(os.Args[0], "tournament", path)
		c.Stderr = os.Stderr
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		games := bufio.NewScanner(out)
		played := 0
		for played < 30 && games.Scan() {
			played++
		}
		if ended = played < 30; !ended {
			kills++
			c.Process.Kill()
		}
		if err := c.Wait(); ended && err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := journaled(t, slowTournament(t, 0), f)
	if err != nil {
		t.Fatal(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("games were missing: the journal has %d bytes, %d before, %v", len(after), len(before), err)
	}
	if want := run(t, slowTournament(t, 0)); text(t, got) != text(t, want) {
		t.Errorf("after %d kills: %s\nnot %s", kills, text(t, got), text(t, want))
	}
	if kills == 0 {
		t.Error("it was never killed")
	}
}
