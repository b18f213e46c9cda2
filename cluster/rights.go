package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"oxo/cluster/blob"
	"oxo/cluster/broker"
	"oxo/cluster/records"
)

// checkRight is the error of who lacks a right.
func (c *Cluster) checkRight(do broker.Role, what string) error {
	if c.role.May(do) {
		return nil
	}
	return fmt.Errorf("the key of %s may %s; to %s it takes one that may %s", c.id, c.role, what, do)
}

// openBucket opens a bucket.
func (c *Cluster) openBucket(ctx context.Context, name string) (*blob.Bucket, error) {
	b, err := blob.OpenExisting(ctx, c.js, name)
	if err == nil && c.role != broker.Administer {
		b.Purge = c.purgeOrRequestPurge
	}
	return b, err
}

// removal is what somebody asks to have removed who may remove nothing.
// It goes as JSON under oxo.forget. and the name of who asks, which the server lets nobody else use.
type removal struct {
	Stream  string `json:"stream"`
	Subject string `json:"subject"`
	Keep    uint64 `json:"keep"` // how many of the last messages stay
}

// purgeOrRequestPurge removes the messages of a subject but the last so many, also marks that deleting
// leaves. Who works only has it done, by who leads: that nobody does costs room, nothing else.
func (c *Cluster) purgeOrRequestPurge(ctx context.Context, stream, subject string, keep uint64) error {
	if c.role != broker.Administer {
		data, err := json.Marshal(removal{stream, subject, keep})
		if err != nil {
			return err
		}
		return c.conn.Publish("oxo.forget."+c.id, data)
	}
	s, err := c.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	return blob.Purge(ctx, s, subject, keep)
}

// serveRemovals does what workers ask to have removed, where it is their own.
func (w *workerProcess) serveRemovals() (*nats.Subscription, error) {
	return w.c.conn.QueueSubscribe("oxo.forget.*", "oxo", func(m *nats.Msg) {
		var r removal
		if json.Unmarshal(m.Data, &r) != nil || !r.isOwnedBy(strings.TrimPrefix(m.Subject, "oxo.forget.")) {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), connectLimit)
		defer cancel()
		_ = w.c.purgeOrRequestPurge(ctx, r.Stream, r.Subject, r.Keep) // the sweep finds it
	})
}

// isOwnedBy reports whether what is to be removed is somebody's own: outputs, or an object.
func (r removal) isOwnedBy(worker string) bool {
	words := strings.Split(r.Subject, ".")
	if worker == "" || strings.ContainsAny(r.Subject, "*>") {
		return false
	}
	if r.Stream == broker.DoneStream {
		_, _, computedBy, ok := parsePartSubject(r.Subject)
		return ok && computedBy == worker
	}
	return len(words) == 5 && words[0] == "$O" && r.Stream == blob.StreamName(words[1]) && words[3] == worker
}

// removeStrayOutputsAndFiles removes outputs of jobs that are over or that nobody knows, and files that were
// given to jobs that came to nothing: who may remove nothing leaves them.
// What was stored within chunksLost stays, as its job may have been begun after the list was read.
func (w *workerProcess) removeStrayOutputsAndFiles(ctx context.Context) error {
	c := w.c
	outputs, err := records.SubjectsOf(ctx, c.done, ">")
	if err != nil {
		return err
	}
	files, err := c.files.List(ctx, "")
	if err != nil {
		return err
	}
	list, err := c.List(ctx) // after what may be theirs
	if err != nil {
		return err
	}
	over := map[string]bool{}
	for _, r := range list {
		over[r.ID] = r.State.Over()
	}
	for subject := range outputs {
		words := strings.Split(subject, ".")
		if ended, known := over[words[min(2, len(words)-1)]]; known && !ended {
			continue
		}
		m, err := c.done.GetLastMsgForSubject(ctx, subject)
		if err != nil || time.Since(m.Time) < chunksLost {
			continue
		}
		if err := c.purgeOrRequestPurge(ctx, broker.DoneStream, subject, 0); err != nil {
			return err
		}
	}
	for _, f := range files {
		job, _, _ := strings.Cut(f.Name, "/")
		if _, known := over[job]; known || f.Owner != broker.Given {
			continue
		}
		given := c.files.OwnedBy(f.Owner)
		if stored, err := given.StoredAt(ctx, f.Name); err != nil || time.Since(stored) < chunksLost {
			continue // its job may be on its way
		}
		if err := given.Remove(ctx, f.Name); err != nil {
			return err
		}
	}
	return nil
}
