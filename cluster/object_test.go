package cluster

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
)

// TestObjects stores objects of many sizes, and again over former ones, and
// reads them as anybody does; what could not be read to its end leaves nothing.
func TestObjects(t *testing.T) {
	c := open(t, Options{Server: serve(t)})
	ctx := t.Context()
	for _, size := range []int{0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 7, 5} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(i * i >> 8)
		}
		stored, err := c.putObject(ctx, c.files, fileBucket, "a/file", iotest.HalfReader(bytes.NewReader(data)))
		if err != nil || stored != uint64(size) {
			t.Fatalf("%d bytes: %d stored, %v", size, stored, err)
		}
		got, err := c.files.GetBytes(ctx, "a/file")
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: %d read, %v", size, len(got), err)
		}
		info, err := c.files.GetInfo(ctx, "a/file")
		if err != nil || info.Size != uint64(size) || int(info.Chunks) != (size+chunkSize-1)/chunkSize {
			t.Errorf("%d bytes: %+v, %v", size, info, err)
		}
	}
	broken := errors.New("broken")
	r := io.MultiReader(bytes.NewReader(make([]byte, 2*chunkSize)), iotest.ErrReader(broken))
	if _, err := c.putObject(ctx, c.files, fileBucket, "half", r); !errors.Is(err, broken) {
		t.Error(err)
	}
	s, err := c.js.Stream(ctx, "OBJ_"+fileBucket)
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Msgs; n != 2 { // a chunk of the last file, and its name
		t.Errorf("%d messages are left", n)
	}
}

// TestLeaderAnswers checks that jobs and files are asked for at the streams'
// leaders only, where they were made otherwise, too; who only looks on changes
// nothing.
func TestLeaderAnswers(t *testing.T) {
	s := serve(t)
	c := open(t, Options{Server: s})
	direct := func(name string) bool {
		t.Helper()
		stream, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return stream.CachedInfo().Config.AllowDirect
	}
	for _, name := range []string{"KV_" + jobsBucket, "OBJ_" + fileBucket} {
		if direct(name) {
			t.Errorf("any server answers for %s", name)
		}
		stream, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		before := stream.CachedInfo().Config
		before.AllowDirect = true
		if _, err := c.js.UpdateStream(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		open(t, Options{Server: s, Look: true})
		if !direct(name) {
			t.Errorf("%s was changed by one who looks on", name)
		}
		open(t, Options{Server: s})
		if direct(name) {
			t.Errorf("any server still answers for %s", name)
		}
	}
}
