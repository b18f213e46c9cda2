package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/lab/jobs"
)

// A job whose parts leave tables for later ones has an object store of its own,
// its shelf, which its coordinator makes and which goes with the job. So nothing is
// left of tables that a worker was storing when it got lost.
func blobBucketName(job string) string { return "oxo-shelf-" + job }

// createBlobBucket makes a job's shelf, where it has none yet.
func (c *Cluster) createBlobBucket(ctx context.Context, job string) error {
	_, err := c.js.ObjectStore(ctx, blobBucketName(job))
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return err
	}
	info, err := c.js.Stream(ctx, blob.StreamName(broker.FileBucket))
	if err != nil {
		return err
	}
	_, err = c.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: blobBucketName(job), Replicas: info.CachedInfo().Config.Replicas, Compression: true, Metadata: ours,
	})
	if err != nil && !errors.Is(err, jetstream.ErrBucketExists) { // else another one was faster
		return err
	}
	made, err := c.js.Stream(ctx, blob.StreamName(blobBucketName(job)))
	if err != nil {
		return err
	}
	return c.disableDirectGetAndRollup(ctx, made.CachedInfo().Config)
}

// deleteBlobBucket removes a job's shelf with all that is on it.
func (c *Cluster) deleteBlobBucket(ctx context.Context, job string) error {
	err := c.js.DeleteObjectStore(ctx, blobBucketName(job))
	if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) {
		return nil
	}
	return err
}

// Blobs returns the job's shelf.
func (s *storedOutputs) Blobs() jobs.BlobStore { return &blobShelf{storedOutputs: s} }

// blobShelf is a job's shelf as parts see it. An error is noted as the server's, so
// that the part is tried again.
type blobShelf struct {
	*storedOutputs
	bucket *blob.Bucket
}

// keepTrying tries until it works or ctx is done. Without a bucket it does not try
// again: then the job is over.
func (s *blobShelf) keepTrying(ctx context.Context, name string, try func() error) error {
	var gone error
	err := s.c.keepTrying(ctx, func() (err error) {
		if s.bucket == nil {
			s.bucket, err = s.c.openBucket(s.ctx, blobBucketName(s.job))
		}
		if err == nil {
			err = try()
		}
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			gone, err = err, nil
		}
		if err != nil {
			s.bucket = nil
		}
		return err
	})
	if err = errors.Join(err, gone); err != nil {
		err = fmt.Errorf("table %s: %w", name, err)
		s.failed = err
	}
	return err
}

// objectNameOfRound is the name of a table's object. Where a job was begun anew, those who have
// not heard of it yet put their tables elsewhere.
func (s *blobShelf) objectNameOfRound(name string) string {
	if s.round > 0 {
		return fmt.Sprintf("round-%d/%s", s.round, name)
	}
	return name
}

// Put stores a table, as often as it takes.
func (s *blobShelf) Put(name string, data []byte) error {
	if s.repeat {
		return nil
	}
	name = s.objectNameOfRound(name)
	return s.keepTrying(s.ctx, name, func() error {
		ctx, cancel := context.WithTimeout(s.ctx, blob.TransferTimeout(uint64(len(data))))
		defer cancel()
		_, err := s.bucket.OwnedBy(s.c.id).Put(ctx, name, bytes.NewReader(data))
		if s.trouble != nil {
			s.trouble(err)
		}
		return err
	})
}

// getFor is how long a table that can't be fetched is asked for: servers choose
// a new leader meanwhile, or get to know what others have.
const getFor = 30 * time.Second

// Get fetches a table into buf, or into a new one where it is too small.
func (s *blobShelf) Get(name string, buf []byte) ([]byte, error) {
	limited, cancel := context.WithTimeout(s.ctx, getFor)
	defer cancel()
	name = s.objectNameOfRound(name)
	err := s.keepTrying(limited, name, func() error {
		f, size, err := s.bucket.OwnedBy("*").Open(s.ctx, name)
		if err != nil {
			return err
		}
		defer f.Close() // it was only read
		if uint64(cap(buf)) < size {
			buf = make([]byte, size)
		}
		buf = buf[:size]
		if _, err = io.ReadFull(f, buf); err == nil {
			_, err = io.Copy(io.Discard, f) // the checksum is looked at when the end is read
		}
		return err
	})
	return buf, err
}

// Drop removes a table.
func (s *blobShelf) Drop(name string) error {
	name = s.objectNameOfRound(name)
	return s.keepTrying(s.ctx, name, func() error { return s.bucket.OwnedBy("*").Remove(s.ctx, name) })
}
