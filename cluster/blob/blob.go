// Package blob keeps named bytes in buckets of JetStream's object store, as the
// library's own methods do, but for what goes wrong there: an object is stored
// whole or not at all, also while servers choose a new leader, what is removed
// leaves nothing behind, and what killed processes left can be swept away.
package blob

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// ErrNotFound says that a bucket has no object of a name.
var ErrNotFound = jetstream.ErrObjectNotFound

const (
	chunkSize  = 256 << 10 // how many bytes of an object travel in one message
	clearLimit = 5 * time.Second
)

// Stream is the name of the stream of a bucket.
func Stream(bucket string) string { return "OBJ_" + bucket }

// Bucket is an object store on a server.
type Bucket struct {
	js      jetstream.JetStream
	objects jetstream.ObjectStore
	name    string
}

// Open returns a bucket. The error is jetstream.ErrBucketNotFound where there is none.
func Open(ctx context.Context, js jetstream.JetStream, name string) (*Bucket, error) {
	objects, err := js.ObjectStore(ctx, name)
	if err != nil {
		return nil, err
	}
	return &Bucket{js, objects, name}, nil
}

// chunks is what the subjects of the bucket's chunks begin with.
func (b *Bucket) chunks() string { return "$O." + b.name + ".C." }

// meta is the subject of an object's description.
func (b *Bucket) meta(name string) string {
	return "$O." + b.name + ".M." + base64.URLEncoding.EncodeToString([]byte(name))
}

// Put stores an object in place of a former one of that name, and returns its size.
// It waits for each chunk to be taken before it sends the next: the library sends
// many at a time, in one buffer, and where a server has to choose a new leader
// meanwhile, a chunk that it sends again is another one by then, and the object is
// damaged for good.
func (b *Bucket) Put(ctx context.Context, name string, r io.Reader) (size uint64, err error) {
	before, err := b.objects.GetInfo(ctx, name, jetstream.GetObjectInfoShowDeleted())
	if err != nil && !errors.Is(err, ErrNotFound) {
		return 0, err
	}
	info := jetstream.ObjectInfo{
		ObjectMeta: jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: chunkSize}},
		Bucket:     b.name, NUID: nuid.Next(),
	}
	if err := b.putChunks(ctx, &info, r); err != nil {
		clear, cancel := context.WithTimeout(context.WithoutCancel(ctx), clearLimit)
		defer cancel()
		return 0, errors.Join(err, b.forget(clear, b.chunks()+info.NUID))
	}
	data, err := json.Marshal(info)
	if err != nil {
		return 0, err
	}
	m := nats.NewMsg(b.meta(name))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Data = data
	if _, err := b.js.PublishMsg(ctx, m); err != nil {
		return 0, err // the server may have taken it all the same, so the chunks stay
	}
	if before != nil && before.NUID != "" {
		err = b.forget(ctx, b.chunks()+before.NUID)
	}
	return info.Size, err
}

// putChunks stores what an object holds, and fills in its size and its sum.
func (b *Bucket) putChunks(ctx context.Context, info *jetstream.ObjectInfo, r io.Reader) error {
	sum := sha256.New()
	for end := false; !end; {
		chunk := make([]byte, chunkSize)
		n, err := io.ReadFull(r, chunk)
		end = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !end {
			return err
		}
		if n == 0 {
			break
		}
		m := nats.NewMsg(b.chunks() + info.NUID)
		m.Data = chunk[:n]
		if _, err := b.js.PublishMsg(ctx, m); err != nil {
			return err
		}
		sum.Write(m.Data)
		info.Size += uint64(n)
		info.Chunks++
	}
	info.Digest = jetstream.GetObjectDigestValue(sum)
	return nil
}

// MoveLimit is how long storing or fetching so many bytes may take.
func MoveLimit(size uint64) time.Duration {
	return 30*time.Second + time.Duration(size>>20)*time.Second
}

// Open opens an object to be read, and returns its size. Its checksum is looked at
// when its end is read.
func (b *Bucket) Open(ctx context.Context, name string) (io.ReadCloser, uint64, error) {
	info, err := b.objects.GetInfo(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	limited, cancel := context.WithTimeout(ctx, MoveLimit(info.Size))
	f, err := b.objects.Get(limited, name)
	if err != nil {
		cancel()
		return nil, 0, err
	}
	return object{f, cancel}, info.Size, nil
}

// object is an object that is read.
type object struct {
	jetstream.ObjectResult
	cancel func()
}

func (o object) Close() error {
	defer o.cancel()
	return o.ObjectResult.Close()
}

// Bytes returns all of an object.
func (b *Bucket) Bytes(ctx context.Context, name string) ([]byte, error) {
	return b.objects.GetBytes(ctx, name)
}

// Info is an object's name and its size in bytes.
type Info struct {
	Name string `json:"name"`
	Size uint64 `json:"size"`
}

// List lists the objects whose names begin with prefix, without it, by name.
func (b *Bucket) List(ctx context.Context, prefix string) ([]Info, error) {
	all, err := b.all(ctx)
	var list []Info
	for _, info := range all {
		if name, ok := strings.CutPrefix(info.Name, prefix); ok {
			list = append(list, Info{name, info.Size})
		}
	}
	slices.SortFunc(list, func(x, y Info) int { return cmp.Compare(x.Name, y.Name) })
	return list, err
}

func (b *Bucket) all(ctx context.Context) ([]*jetstream.ObjectInfo, error) {
	list, err := b.objects.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		err = nil
	}
	return list, err
}

// Remove removes an object, and the mark that deleting leaves. That there is none is
// no error.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	if err := b.objects.Delete(ctx, name); err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	return b.forget(ctx, b.meta(name))
}

// forget removes a subject of the bucket's stream.
func (b *Bucket) forget(ctx context.Context, subject string) error {
	s, err := b.js.Stream(ctx, Stream(b.name))
	if err != nil {
		return err
	}
	return s.Purge(ctx, jetstream.WithPurgeSubject(subject))
}

// Sweep removes the chunks that no object names and to which nothing was added for
// that long: a process that is killed while it stores an object leaves them, and
// nobody ever asks for them, but they fill the store.
func (b *Bucket) Sweep(ctx context.Context, age time.Duration) error {
	s, err := b.js.Stream(ctx, Stream(b.name))
	if err != nil {
		return err
	}
	// First the chunks, then the names: an object that is finished in between has
	// its name then.
	info, err := s.Info(ctx, jetstream.WithSubjectFilter(b.chunks()+">"))
	if err != nil || len(info.State.Subjects) == 0 {
		return err
	}
	lost := info.State.Subjects
	all, err := b.all(ctx)
	if err != nil {
		return err
	}
	for _, info := range all {
		delete(lost, b.chunks()+info.NUID)
	}
	for subject := range lost {
		last, err := s.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && time.Since(last.Time) < age {
			continue
		}
		if err == nil {
			err = s.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
