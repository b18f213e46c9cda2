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
	"fmt"
	"hash"
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

// StreamName is the name of the stream of a bucket.
func StreamName(bucket string) string { return "OBJ_" + bucket }

// Bucket is an object store on a server, or what one owner has in it. Owners are the names of keys:
// permissions allow each to write below its own name only.
type Bucket struct {
	js     jetstream.JetStream
	stream jetstream.Stream
	name   string
	owner  string

	// Purge removes messages of a stream but the last so many, for those who may not do so
	// themselves; nil for those who may.
	Purge func(ctx context.Context, stream, subject string, keep uint64) error
}

// OpenExisting returns a bucket. The error is jetstream.ErrBucketNotFound where there is none.
func OpenExisting(ctx context.Context, js jetstream.JetStream, name string) (*Bucket, error) {
	stream, err := js.Stream(ctx, StreamName(name))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		err = jetstream.ErrBucketNotFound
	}
	return &Bucket{js: js, stream: stream, name: name}, err
}

// OwnedBy is what an owner has in the bucket, under subjects of its own; that of * are the objects
// of all owners, which can be read.
func (b *Bucket) OwnedBy(owner string) *Bucket {
	of := *b
	of.owner = owner
	return &of
}

// subjectPrefix is what the subjects of the owner's chunks or descriptions begin with. Kind is C for
// chunks and M for descriptions, as the library has them.
func (b *Bucket) subjectPrefix(kind string) string {
	if b.owner == "" {
		return "$O." + b.name + "." + kind + "."
	}
	return "$O." + b.name + "." + kind + "." + b.owner + "."
}

// chunkSubject is the subject of all chunks of an object, in their order; nuid is the object's
// unique name.
func (b *Bucket) chunkSubject(nuid string) string { return b.subjectPrefix("C") + nuid }

// metaSubject is the subject of an object's description.
func (b *Bucket) metaSubject(name string) string {
	return b.subjectPrefix("M") + base64.URLEncoding.EncodeToString([]byte(name))
}

// describeObject returns an object's description, and what its owner has. The error is ErrNotFound
// where there is none, or only the mark that deleting has left.
// Where the owner is *, it is the description that was stored last, whoever's it is.
func (b *Bucket) describeObject(ctx context.Context, subject string) (
	description *jetstream.ObjectInfo, ofOwner *Bucket, err error) {
	m, err := b.stream.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil, ErrNotFound
	}
	if err != nil {
		return nil, nil, err
	}
	var info jetstream.ObjectInfo
	if err := json.Unmarshal(m.Data, &info); err != nil {
		return nil, nil, err
	}
	if info.Deleted {
		return nil, nil, ErrNotFound
	}
	info.ModTime = m.Time
	owner, _ := parseMetaSubject(m.Subject)
	return &info, b.OwnedBy(owner), nil
}

// parseMetaSubject reads the subject of a description.
func parseMetaSubject(subject string) (owner, encodedName string) {
	words := strings.Split(subject, ".")
	if len(words) == 5 {
		return words[3], words[4]
	}
	return "", words[len(words)-1]
}

// Put stores an object in place of a former one of that name, and returns its size. It waits for each
// chunk to be taken before it sends the next: the library sends many at a time, in one buffer, and
// where a server has to choose a new leader meanwhile, a chunk that it sends again is another one by
// then, and the object is damaged for good. The description is stored last, so that an object without
// one was never finished.
func (b *Bucket) Put(ctx context.Context, name string, r io.Reader) (size uint64, err error) {
	before, _, err := b.describeObject(ctx, b.metaSubject(name))
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
		return 0, errors.Join(err, b.purgeSubject(clear, b.chunkSubject(info.NUID), 0))
	}
	data, err := json.Marshal(info)
	if err != nil {
		return 0, err
	}
	m := nats.NewMsg(b.metaSubject(name))
	m.Data = data
	if _, err := b.js.PublishMsg(ctx, m); err != nil {
		return 0, err // the server may have taken it all the same, so the chunks stay
	}
	if before != nil {
		err = errors.Join(b.purgeSubject(ctx, b.metaSubject(name), 1), b.purgeSubject(ctx, b.chunkSubject(before.NUID),
			0))
	}
	return info.Size, err
}

// putChunks stores what an object holds, and fills in its size and its sum.
// Each chunk has bytes of its own, as the library may send it again after this has returned.
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
		m := nats.NewMsg(b.chunkSubject(info.NUID))
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

// TransferTimeout is how long storing or fetching so many bytes may take.
// That is a mebibyte a second, and half a minute for a server that chooses a leader.
func TransferTimeout(size uint64) time.Duration {
	return 30*time.Second + time.Duration(size>>20)*time.Second
}

// Open opens an object to be read, and returns its size. Its checksum is looked at
// when its end is read.
func (b *Bucket) Open(ctx context.Context, name string) (content io.ReadCloser, size uint64, err error) {
	info, of, err := b.describeObject(ctx, b.metaSubject(name))
	if err != nil {
		return nil, 0, err
	}
	limited, cancel := context.WithTimeout(ctx, TransferTimeout(info.Size))
	return &object{ctx: limited, cancel: cancel, b: of, info: info, next: 1, sum: sha256.New()}, info.Size, nil
}

// object is an object that is read, a chunk after the other as asked for: who may only look can't have
// the server send them by itself. It implements io.ReadCloser. Reads fetch chunks of at most chunkSize
// bytes by sequence numbers.
type object struct {
	ctx    context.Context
	cancel func()
	b      *Bucket
	info   *jetstream.ObjectInfo
	next   uint64 // the first message that can be the next chunk
	chunks uint32 // that were fetched
	left   []byte // of the last of them
	sum    hash.Hash
}

// A chunk that is missing is io.ErrUnexpectedEOF, a checksum that differs jetstream.ErrDigestMismatch.
func (o *object) Read(p []byte) (int, error) {
	for len(o.left) == 0 {
		if o.chunks == o.info.Chunks {
			if jetstream.GetObjectDigestValue(o.sum) != o.info.Digest {
				return 0, fmt.Errorf("object %s: %w", o.info.Name, jetstream.ErrDigestMismatch)
			}
			return 0, io.EOF
		}
		m, err := o.b.stream.GetMsg(o.ctx, o.next, jetstream.WithGetMsgSubject(o.b.chunkSubject(o.info.NUID)))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			err = fmt.Errorf("object %s: %w", o.info.Name, io.ErrUnexpectedEOF)
		}
		if err != nil {
			return 0, err
		}
		o.left, o.next = m.Data, m.Sequence+1
		o.chunks++
		o.sum.Write(m.Data)
	}
	n := copy(p, o.left)
	o.left = o.left[n:]
	return n, nil
}

// Close ends the time in which the object can be read. It never fails.
func (o *object) Close() error {
	o.cancel()
	return nil
}

// Bytes returns all of an object.
func (b *Bucket) Bytes(ctx context.Context, name string) ([]byte, error) {
	f, _, err := b.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // it was only read
	return io.ReadAll(f)
}

// StoredAt says when an object was stored.
func (b *Bucket) StoredAt(ctx context.Context, name string) (time.Time, error) {
	info, _, err := b.describeObject(ctx, b.metaSubject(name))
	if err != nil {
		return time.Time{}, err
	}
	return info.ModTime, nil
}

// Info is an object's name and its size in bytes.
type Info struct {
	Name string `json:"name"`
	Size uint64 `json:"size"`
}

// Named is an object's owner and its name.
type Named struct{ Owner, Name string }

// List lists the objects of all owners whose names begin with prefix, by name.
func (b *Bucket) List(ctx context.Context, prefix string) ([]Named, error) {
	subjects, err := b.subjects(ctx, "M")
	var list []Named
	for subject := range subjects {
		owner, code := parseMetaSubject(subject)
		if name, err := base64.URLEncoding.DecodeString(code); err == nil && strings.HasPrefix(string(name), prefix) {
			list = append(list, Named{owner, string(name)})
		}
	}
	slices.SortFunc(list, func(x, y Named) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(x.Owner, y.Owner))
	})
	return list, err
}

// subjects are those of all chunks, or of all descriptions.
func (b *Bucket) subjects(ctx context.Context, kind string) (map[string]uint64, error) {
	info, err := b.stream.Info(ctx, jetstream.WithSubjectFilter(b.OwnedBy("").subjectPrefix(kind)+">"))
	if err != nil {
		return nil, err
	}
	return info.State.Subjects, nil
}

// Remove removes an object; of the owner * all that have the name. That there is none is no error.
// With the owner * it goes on until none is left.
func (b *Bucket) Remove(ctx context.Context, name string) error {
	for {
		info, of, err := b.describeObject(ctx, b.metaSubject(name))
		if errors.Is(err, ErrNotFound) {
			return b.purgeSubject(ctx, b.metaSubject(name), 0) // also a mark that deleting left
		}
		if err == nil {
			err = errors.Join(of.purgeSubject(ctx, of.metaSubject(name), 0), of.purgeSubject(ctx,
				of.chunkSubject(info.NUID), 0))
		}
		if err != nil || b.Purge != nil {
			return err
		}
	}
}

// purgeSubject removes the messages of a subject but the last so many.
func (b *Bucket) purgeSubject(ctx context.Context, subject string, keep uint64) error {
	if b.Purge != nil {
		return b.Purge(ctx, StreamName(b.name), subject, keep)
	}
	return Purge(ctx, b.stream, subject, keep)
}

// Purge removes the messages of a stream's subject but the last so many.
// That there are none is no error; with keep 0 all of them go.
func Purge(ctx context.Context, s jetstream.Stream, subject string, keep uint64) error {
	options := []jetstream.StreamPurgeOpt{jetstream.WithPurgeSubject(subject)}
	if keep > 0 {
		options = append(options, jetstream.WithPurgeKeep(keep))
	}
	return s.Purge(ctx, options...)
}

// RemoveOrphanChunks removes the chunks that no object names and to which nothing was added for
// that long: a process that is killed while it stores an object leaves them, and
// nobody ever asks for them, but they fill the store.
func (b *Bucket) RemoveOrphanChunks(ctx context.Context, age time.Duration) error {
	// First the chunks, then the names: an object that is finished in between has
	// its name then.
	lost, err := b.subjects(ctx, "C")
	if err != nil || len(lost) == 0 {
		return err
	}
	named, err := b.subjects(ctx, "M")
	if err != nil {
		return err
	}
	for subject := range named {
		info, of, err := b.describeObject(ctx, subject)
		if errors.Is(err, ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		delete(lost, of.chunkSubject(info.NUID))
	}
	for subject := range lost {
		last, err := b.stream.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && time.Since(last.Time) < age {
			continue
		}
		if err == nil {
			err = b.purgeSubject(ctx, subject, 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
