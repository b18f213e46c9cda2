package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/broker"
	"oxo/cluster/records"
)

// runAndAcknowledge carries out the parts of a message and acknowledges it once their outputs are
// stored. An acknowledgement that is lost costs a delivery, at which the outputs are found. After an
// error the message comes again with a delay, elsewhere if possible.
func (w *workerProcess) runAndAcknowledge(ctx context.Context, m jetstream.Msg) {
	stop := w.renewLease(ctx, m)
	err := w.runOrderedParts(ctx, m)
	stop()
	switch {
	case err == nil:
		_ = m.Ack() // else it comes again, and its outputs are found
	case ctx.Err() != nil:
		_ = m.Nak()
	case errors.Is(err, errOwn):
		_ = m.NakWithDelay(20 * time.Millisecond)
	default:
		_ = m.NakWithDelay(min(time.Second, w.c.lease))
	}
}

// errOwn says that a part is to be repeated by another worker than this.
var errOwn = errors.New("another worker repeats this part")

// runOrderedParts carries out the parts of a message that can be carried out. An error means that
// another try is needed. A message that can't be read, and one of a job that is over, is done: the
// result is nil.
// A message that comes again may have killed its worker: its parts are tried one by one from then on.
func (w *workerProcess) runOrderedParts(ctx context.Context, m jetstream.Msg) error {
	id, at, ok := parseOrderSubject(m.Subject())
	var o order
	if !ok || json.Unmarshal(m.Data(), &o) != nil || len(o.Parts) != at.count {
		return nil // nobody can ever carry this out
	}
	record, err := w.latestRecord(ctx, id)
	if err == nil && record.State.Over() {
		record, err = w.c.Job(ctx, id) // it may have been taken up again
	}
	switch {
	case errors.Is(err, records.ErrNoJob):
		return nil
	case err != nil:
		return err
	case record.State.Over():
		return nil
	}
	if err := w.checkTrustedAndCurrent(); err != nil {
		return err
	}
	if o.Not == w.c.id {
		return errOwn
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go w.c.stopWhenOver(inner, id, func() { cancel(records.ErrOver) })
	name := id + " " + o.Parts[0].Name
	if at.count > 1 {
		name += fmt.Sprintf(" and %d more", at.count-1)
	}
	defer w.noteActivity(m.Subject(), name)()
	a := &assignment{w: w, ctx: inner, record: record, order: o}
	a.outs = &storedOutputs{c: w.c, ctx: inner, job: id, stages: o.Stages, round: o.Round, repeat: o.Not != "",
		trouble: w.noteStoreError}
	tries := uint64(1)
	if about, err := m.Metadata(); err == nil {
		tries = about.NumDelivered
	}
	switch {
	case at.count == 1:
		err = a.runSinglePart(tries)
	case tries > 1:
		err = a.requeueUndone()
	default:
		err = a.runBatchAndRequeueRest()
	}
	if context.Cause(inner) == records.ErrOver {
		return nil
	}
	return err
}

// noteActivity shows what the process does until the function that it returns is
// called.
func (w *workerProcess) noteActivity(key, name string) (end func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doing[key] = name
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.doing, key)
	}
}

// countPart takes down how a part went.
// Seconds are those of one slot, from the opening of the job on.
func (w *workerProcess) countPart(seconds float64, done bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spent += seconds
	if done {
		w.parts++
	} else {
		w.failed++
	}
}

// noteStoreError notes why the server does not take outputs; nil when it does again, or nobody asks it
// any more: work that is called off says nothing of the server. It tells once of each reason, as every
// part meets the same.
func (w *workerProcess) noteStoreError(err error) {
	text := ""
	if err != nil && !errors.Is(err, context.Canceled) {
		text = broker.ExplainFullStore(err).Error()
	}
	w.tellOnce(text, "the server does not take outputs: ")
}

// tellOnce notes why outputs can't be stored, if they can't, and tells of it where that is another reason than before.
func (w *workerProcess) tellOnce(why, intro string) {
	w.mu.Lock()
	told := w.full == why
	w.full = why
	w.mu.Unlock()
	if !told && why != "" {
		w.o.Tell(intro + why)
	}
}

// stopWhenOver calls stop when the job is over, unless ctx is done before.
func (c *Cluster) stopWhenOver(ctx context.Context, id string, stop func()) {
	for {
		_, changed := c.Latest(id)
		if c.IsOver(id) {
			stop()
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}
