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
