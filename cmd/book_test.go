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

// TestBookKeepsLongerSequential: a shorter book made out of a longer one's unfinished work takes none of it away.
func TestBookKeepsLongerSequential(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "some.book")
	book := func(ctx context.Context, plies string) (status int, said string) {
		var to bytes.Buffer
		words := []string{"book", "mnk:7,6,4+gravity", "--plies", plies, "--memory", "64MB", "--out", out}
		status = runCommandLine(ctx, words, strings.NewReader(""), &to, &to)
		return status, to.String()
	}
	for wait := 500 * time.Millisecond; ; wait *= 2 {
		ctx, stop := context.WithTimeout(t.Context(), wait)
		status, said := book(ctx, "9")
		stop()
		unfinished, err := os.ReadFile(out + ".part")
		if status == exitDone {
			t.Fatalf("it was never stopped: %s", said)
		}
		if err != nil || len(unfinished) < 600 { // more than the positions of two plies
			continue
		}
		status, said = book(t.Context(), "1")
		after, err := os.ReadFile(out + ".part")
		if status != exitDone || !strings.Contains(said, "work on a book of more plies and is kept") {
			t.Errorf("status %d: %s", status, said)
		}
		if err != nil || !bytes.Equal(after, unfinished) {
			t.Errorf("%d bytes of unfinished work were %d, %v", len(after), len(unfinished), err)
		}
		return
	}
}
