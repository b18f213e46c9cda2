package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// chunkSize is how many bytes of an object travel in one message.
const chunkSize = 256 << 10

// putObject stores an object, as ObjectStore.Put does, but waits for each chunk
// to be taken before it sends the next. That one sends many at a time, in one
// buffer: where a server has to choose a new leader meanwhile, a chunk that it
// sends again is another one by then, and the object is damaged for good.
func (c *Cluster) putObject(ctx context.Context, in jetstream.ObjectStore, bucket, name string, r io.Reader) (size uint64, err error) {
	before, err := in.GetInfo(ctx, name, jetstream.GetObjectInfoShowDeleted())
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return 0, err
	}
	info := jetstream.ObjectInfo{
		ObjectMeta: jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: chunkSize}},
		Bucket:     bucket, NUID: nuid.Next(),
	}
	if err := c.putChunks(ctx, &info, r); err != nil {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectLimit)
		defer cancel()
		return 0, errors.Join(err, c.forget(clean, "OBJ_"+bucket, chunksOf(bucket)+info.NUID))
	}
	data, err := json.Marshal(info)
	if err != nil {
		return 0, err
	}
	m := nats.NewMsg("$O." + bucket + ".M." + base64.URLEncoding.EncodeToString([]byte(name)))
	m.Header.Set(jetstream.MsgRollup, jetstream.MsgRollupSubject)
	m.Data = data
	if _, err := c.js.PublishMsg(ctx, m); err != nil {
		return 0, err // the server may have taken it all the same, so the chunks stay
	}
	if before != nil && before.NUID != "" {
		err = c.forget(ctx, "OBJ_"+bucket, chunksOf(bucket)+before.NUID)
	}
	return info.Size, err
}

// putChunks stores what an object holds, and fills in its size and its sum.
func (c *Cluster) putChunks(ctx context.Context, info *jetstream.ObjectInfo, r io.Reader) error {
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
		m := nats.NewMsg(chunksOf(info.Bucket) + info.NUID)
		m.Data = chunk[:n]
		if _, err := c.js.PublishMsg(ctx, m); err != nil {
			return err
		}
		sum.Write(m.Data)
		info.Size += uint64(n)
		info.Chunks++
	}
	info.Digest = jetstream.GetObjectDigestValue(sum)
	return nil
}

// chunksOf is what the subjects of a bucket's chunks begin with.
func chunksOf(bucket string) string { return "$O." + bucket + ".C." }
