package cluster

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// TestLostChunks leaves chunks without a file on the server, as a process does
// that is killed while it stores one: they are removed once they are old, and
// files stay.
func TestLostChunks(t *testing.T) {
	c := open(t, Options{Server: serve(t)})
	ctx := t.Context()
	data := bytes.Repeat([]byte("tic-tac-toe"), 30_000) // more than two chunks
	if _, err := c.putObject(ctx, c.files, fileBucket, "kept", bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := c.js.Publish(ctx, chunksOf(fileBucket)+"lost", data[:1000]); err != nil {
			t.Fatal(err)
		}
	}
	count := func() int {
		s, err := c.js.Stream(ctx, "OBJ_"+fileBucket)
		if err != nil {
			t.Fatal(err)
		}
		subjects, err := c.subjects(ctx, s, chunksOf(fileBucket)+">")
		if err != nil {
			t.Fatal(err)
		}
		return len(subjects)
	}
	for _, step := range []struct {
		age  time.Duration
		left int
	}{{chunksLost, 2}, {0, 1}, {0, 1}} {
		if err := c.sweepChunks(ctx, step.age); err != nil {
			t.Fatal(err)
		}
		if n := count(); n != step.left {
			t.Errorf("chunks of %d files are left where those older than %v go, not of %d", n, step.age, step.left)
		}
	}
	if got, err := c.files.GetBytes(ctx, "kept"); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the file that was kept: %d bytes, %v", len(got), err)
	}
}

// TestAddressTaken starts a server where another one listens.
func TestAddressTaken(t *testing.T) {
	addr := strings.TrimPrefix(serve(t).URL(), "nats://")
	s, err := Serve(ServerOptions{Dir: t.TempDir(), Addr: addr})
	if err == nil {
		s.Close()
		t.Fatal("two servers listen at the same address")
	}
	if text := err.Error(); !strings.Contains(text, addr) || !strings.Contains(text, "give another HOST:PORT") {
		t.Error(err)
	}
}
