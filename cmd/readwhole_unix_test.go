//go:build unix

package cmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReadWhole reads files and pipes; waiting for one that nobody writes into ends at the first signal.
func TestReadWhole(t *testing.T) {
	if _, err := readWhole("/dev/zero"); err == nil {
		t.Error("a device without an end is read")
	}
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, []byte("text"), 0) }()
	if data, err := readWhole(pipe); string(data) != "text" || err != nil || <-written != nil {
		t.Errorf("%q, %v", data, err)
	}
	go func() {
		time.Sleep(100 * time.Millisecond)
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	}()
	if _, err := readWhole(pipe); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody writes: %v", err)
	}
}

// TestPipeIsReadOnce plays a game whose file is a pipe, as <(…) of a shell is: the game is opened several times.
func TestPipeIsReadOnce(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_, err = w.WriteString(`{"name":"three","squares":3,"winning":[[1,2]]}`)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	words := []string{"match", "random", "perfect", "--games", "4", "--game", fmt.Sprintf("file:/dev/fd/%d", r.Fd())}
	var out, errs bytes.Buffer
	if status := runCommandLine(t.Context(), words, strings.NewReader(""), &out, &errs); status != exitDone {
		t.Errorf("status %d: %s", status, &errs)
	}
}
