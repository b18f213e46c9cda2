//go:build unix

package cmd

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
