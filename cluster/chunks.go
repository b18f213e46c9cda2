package cluster

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A file is stored in chunks, and named when it is whole. A process that is
// killed meanwhile leaves chunks that no file names: nobody ever asks for them,
// but they fill the store.

const (
	sweepEvery = time.Hour

	// chunksLost is how long nothing must have been added to chunks that no file
	// names before they are taken for lost, so that those of a file on its way,
	// however slowly it is written, are left alone.
	chunksLost = time.Hour
)

// sweepChunks removes the chunks that no file names and that are older than that.
func (c *Cluster) sweepChunks(ctx context.Context, age time.Duration) error {
	s, err := c.js.Stream(ctx, "OBJ_"+fileBucket)
	if err != nil {
		return err
	}
	// First the chunks, then the names: a file that is finished in between has
	// its name then.
	prefix := chunksOf(fileBucket)
	chunks, err := c.subjects(ctx, s, prefix+">")
	if err != nil || len(chunks) == 0 {
		return err
	}
	list, err := c.files.List(ctx)
	if err != nil && !errors.Is(err, jetstream.ErrNoObjectsFound) {
		return err
	}
	for _, info := range list {
		delete(chunks, prefix+info.NUID)
	}
	for subject := range chunks {
		last, err := s.GetLastMsgForSubject(ctx, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) || err == nil && time.Since(last.Time) < age {
			continue
		}
		if err == nil && strings.HasPrefix(subject, prefix) {
			err = s.Purge(ctx, jetstream.WithPurgeSubject(subject))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sweepOn removes lost chunks now and then, until ctx is done.
func (w *worker) sweepOn(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		_ = w.c.sweepChunks(ctx, chunksLost) // the next round tries again
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
