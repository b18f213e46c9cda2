package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const bucketName = "test"

// bucket makes a bucket on a server of its own.
func bucket(t *testing.T) *Bucket {
	t.Helper()
	s, err := server.NewServer(&server.Options{JetStream: true, StoreDir: t.TempDir(), DontListen: true, NoSigs: true,
		NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(30 * time.Second) {
		t.Fatal("the server does not begin")
	}
	conn, err := nats.Connect("", nats.InProcessServer(s))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenExisting(t.Context(), js, bucketName); !errors.Is(err, jetstream.ErrBucketNotFound) {
		t.Fatal(err)
	}
	if _, err := js.CreateObjectStore(t.Context(), jetstream.ObjectStoreConfig{Bucket: bucketName}); err != nil {
		t.Fatal(err)
	}
	b, err := OpenExisting(t.Context(), js, bucketName)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// messages counts what the bucket's stream holds.
func messages(t *testing.T, b *Bucket) uint64 {
	t.Helper()
	s, err := b.js.Stream(t.Context(), StreamName(bucketName))
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

// TestObjects stores objects of many sizes, and again over former ones, and
// reads them as anybody does; what could not be read to its end leaves nothing.
func TestObjects(t *testing.T) {
	b, ctx := bucket(t), t.Context()
	for _, size := range []int{0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 3*chunkSize + 7, 5} {
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(i * i >> 8)
		}
		stored, err := b.Put(ctx, "a/file", iotest.HalfReader(bytes.NewReader(data)))
		if err != nil || stored != uint64(size) {
			t.Fatalf("%d bytes: %d stored, %v", size, stored, err)
		}
		got, err := b.Bytes(ctx, "a/file")
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: %d read, %v", size, len(got), err)
		}
		f, n, err := b.Open(ctx, "a/file")
		if err != nil || n != uint64(size) {
			t.Fatalf("%d bytes: %d to be read, %v", size, n, err)
		}
		if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: %d read, %v", size, len(got), err)
		}
		f.Close()
		info, _, err := b.describeObject(ctx, b.metaSubject("a/file"))
		if err != nil || info.Size != uint64(size) || int(info.Chunks) != (size+chunkSize-1)/chunkSize {
			t.Errorf("%d bytes: %+v, %v", size, info, err)
		}
	}
	broken := errors.New("broken")
	r := io.MultiReader(bytes.NewReader(make([]byte, 2*chunkSize)), iotest.ErrReader(broken))
	if _, err := b.Put(ctx, "half", r); !errors.Is(err, broken) {
		t.Error(err)
	}
	if n := messages(t, b); n != 2 { // a chunk of the last file, and its name
		t.Errorf("%d messages are left", n)
	}
	if list, err := b.List(ctx, "a/"); err != nil || len(list) != 1 || list[0] != (Named{"", "a/file"}) {
		t.Errorf("%v, %v", list, err)
	}
	for range 2 { // what is not there is removed already
		if err := b.Remove(ctx, "a/file"); err != nil {
			t.Error(err)
		}
	}
	if list, err := b.List(ctx, ""); err != nil || len(list) != 0 || messages(t, b) != 0 {
		t.Errorf("%v and %d messages are left, %v", list, messages(t, b), err)
	}
}

// TestPutCancelled: what could not be stored leaves nothing.
func TestPutCancelled(t *testing.T) {
	b := bucket(t)
	ctx, cancel := context.WithCancel(t.Context())
	chunk := io.LimitReader(endless{}, chunkSize)
	if _, err := b.Put(ctx, "half", io.MultiReader(chunk, call(cancel), endless{})); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if n := messages(t, b); n != 0 {
		t.Errorf("%d messages are left", n)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// call is a reader that calls itself and has nothing.
type call func()

func (c call) Read([]byte) (int, error) { c(); return 0, io.EOF }

// TestSweep leaves chunks without an object on the server, as a process does that
// is killed while it stores one: they are removed once they are old, and objects
// stay.
func TestSweep(t *testing.T) {
	b, ctx := bucket(t), t.Context()
	data := bytes.Repeat([]byte("tic-tac-toe"), 30_000) // more than one chunk
	if _, err := b.Put(ctx, "kept", bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	kept := messages(t, b)
	for range 3 {
		if _, err := b.js.Publish(ctx, b.chunkSubject("lost"), data[:1000]); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		age  time.Duration
		lost uint64
	}{{time.Hour, 3}, {0, 0}, {0, 0}} {
		if err := b.RemoveOrphanChunks(ctx, step.age); err != nil {
			t.Fatal(err)
		}
		if n := messages(t, b) - kept; n != step.lost {
			t.Errorf("%d chunks are left where those older than %v go, not %d", n, step.age, step.lost)
		}
	}
	if got, err := b.Bytes(ctx, "kept"); err != nil || !bytes.Equal(got, data) {
		t.Errorf("the object that was kept: %d bytes, %v", len(got), err)
	}
}

// TestOwners: two who store under the same name have an object each, what is asked of all
// owners is one of them, and removing it removes all.
func TestOwners(t *testing.T) {
	b, ctx := bucket(t), t.Context()
	for _, owner := range []string{"ann", "bob", "ann"} {
		if _, err := b.OwnedBy(owner).Put(ctx, "name", strings.NewReader("of "+owner)); err != nil {
			t.Fatal(err)
		}
	}
	for owner, want := range map[string]string{"ann": "of ann", "bob": "of bob", "*": "of ann"} {
		if got, err := b.OwnedBy(owner).Bytes(ctx, "name"); err != nil || string(got) != want {
			t.Errorf("%s has %q, %v", owner, got, err)
		}
	}
	if _, err := b.Bytes(ctx, "name"); !errors.Is(err, ErrNotFound) {
		t.Errorf("nobody has one: %v", err)
	}
	want := []Named{{"ann", "name"}, {"bob", "name"}}
	if list, err := b.List(ctx, "na"); err != nil || !slices.Equal(list, want) {
		t.Errorf("%v, %v", list, err)
	}
	if err := b.RemoveOrphanChunks(ctx, 0); err != nil || messages(t, b) != 4 {
		t.Errorf("%d messages are left, %v", messages(t, b), err)
	}
	if err := b.OwnedBy("*").Remove(ctx, "name"); err != nil || messages(t, b) != 0 {
		t.Errorf("%d messages are left, %v", messages(t, b), err)
	}
}

// TestDamaged reads an object of which a chunk is another one, or lacks: neither is taken
// for the object.
func TestDamaged(t *testing.T) {
	for what, damage := range map[string]func(b *Bucket, subject string) error{
		"lacks": func(b *Bucket, subject string) error { return b.purgeSubject(t.Context(), subject, 0) },
		"another": func(b *Bucket, subject string) error {
			_, err := b.js.Publish(t.Context(), subject, []byte("forged"))
			return errors.Join(err, b.purgeSubject(t.Context(), subject, 1))
		},
	} {
		b := bucket(t)
		if _, err := b.Put(t.Context(), "name", strings.NewReader("honest")); err != nil {
			t.Fatal(err)
		}
		info, of, err := b.describeObject(t.Context(), b.metaSubject("name"))
		if err == nil {
			err = damage(b, of.chunkSubject(info.NUID))
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, err := b.Bytes(t.Context(), "name"); err == nil {
			t.Errorf("%s: %q", what, got)
		}
	}
}
