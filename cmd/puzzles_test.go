package cmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPuzzlesStopped: puzzles that were found when the verb is stopped are in the file.
func TestPuzzlesStopped(t *testing.T) {
	out := filepath.Join(t.TempDir(), "puzzles.jsonl")
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(wait, stop)
		var said bytes.Buffer
		code := runCommandLine(ctx, []string{"puzzles", "mnk:5,5,4", "--count", "100000", "--out", out},
			strings.NewReader(""), &said, &said)
		stop()
		if code == exitDone {
			t.Fatalf("it was never stopped: %s", &said)
		}
		data, err := os.ReadFile(out)
		if os.IsNotExist(err) && wait < time.Minute { // none was found so soon
			continue
		}
		lines := bytes.Count(data, []byte("\n"))
		want := countOf(lines, "puzzle", "puzzles") + " in "
		if lines == 0 || !strings.Contains(said.String(), want) || !strings.Contains(said.String(), "stopped") {
			t.Errorf("%d puzzles, status %d: %s", lines, code, &said)
		}
		return
	}
}

// TestPuzzleLeft: a puzzle that is left untried counts for nothing, and its answer is not told.
func TestPuzzleLeft(t *testing.T) {
	var said bytes.Buffer
	code := runCommandLine(t.Context(), []string{"puzzles", "mnk:4,3,3+misere", "--play", "--seed", "1"},
		strings.NewReader("next\nanswer\nquit\n"), &said, &said)
	if text := said.String(); code != exitDone || strings.Count(text, "It is ") != 1 ||
		!strings.Contains(text, "0 of 1 at") {
		t.Errorf("status %d: %s", code, &said)
	}
}
