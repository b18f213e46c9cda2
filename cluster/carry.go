package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"oxo/lab"
)

// carryOut carries out some parts, one after another, and acknowledges each
// once its output is stored.
func (w *worker) carryOut(ctx context.Context, list []jetstream.Msg, priority string) {
	var next atomic.Int64 // those before it are settled
	stop := w.renew(ctx, list, func(i int) bool { return i >= int(next.Load()) })
	defer stop()
	type sent struct {
		m      jetstream.Msg
		job    string
		future jetstream.PubAckFuture
		again  *nats.Msg
	}
	var outputs []sent
	settle := func() {
		for _, s := range outputs {
			select {
			case <-s.future.Ok():
			case err := <-s.future.Err():
				w.trouble(err)
				if w.c.publish(ctx, s.again) != nil {
					_ = s.m.Nak() // the process ends; another one carries it out
					continue
				}
				w.trouble(nil)
			}
			if r, _ := w.c.known(s.job); r != nil && r.State.Over() {
				_ = w.c.done.Purge(ctx, jetstream.WithPurgeSubject(s.again.Subject)) // nobody wants it any more
			}
			_ = s.m.Ack() // else it comes again, and its output is found
		}
		outputs = outputs[:0]
	}
	for i, m := range list {
		if ctx.Err() != nil {
			_ = m.Nak()
			continue
		}
		began := time.Now()
		output, err := w.part(ctx, m)
		seconds := time.Since(began).Seconds()
		w.count(priority, seconds, output != nil, err)
		switch {
		case output != nil:
			output.Header.Set(headSeconds, strconv.FormatFloat(seconds, 'g', 4, 64))
			future, err := w.c.js.PublishMsgAsync(output)
			if err != nil {
				_ = m.NakWithDelay(time.Second)
				break
			}
			job, _ := orderOf(m.Subject())
			outputs = append(outputs, sent{m, job, future, output})
		case err == nil:
			_ = m.Ack() // there was nothing to do
		case ctx.Err() != nil:
			_ = m.Nak()
		default:
			_ = m.NakWithDelay(min(time.Second, w.c.lease))
		}
		if len(outputs) == 0 || i == len(list)-1 || seconds > batchFor {
			settle()
			next.Store(int64(i + 1))
		}
	}
	settle()
}

// count takes down how long parts take.
func (w *worker) count(priority string, seconds float64, done bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spent += seconds
	if done {
		w.parts++
		average, known := w.average[priority]
		if !known {
			average = seconds
		}
		w.average[priority] = max(seconds, average+(seconds-average)/8)
	} else if err != nil {
		w.failed++
	}
}

// trouble notes why the server does not take outputs; nil when it does again.
func (w *worker) trouble(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	w.mu.Lock()
	told := w.full == text
	w.full = text
	w.mu.Unlock()
	if !told && err != nil {
		w.o.Tell("the server does not take outputs: " + text)
	}
}

// orderOf reads the subject of a part on the queue.
func orderOf(subject string) (job string, ok bool) {
	words := strings.Split(subject, ".")
	if len(words) != 6 {
		return "", false
	}
	return words[3], true
}

// part carries out the part of a message and returns the message of its output;
// nil without an error where there was nothing to do.
func (w *worker) part(ctx context.Context, m jetstream.Msg) (*nats.Msg, error) {
	id, ok := orderOf(m.Subject())
	var o order
	if !ok || json.Unmarshal(m.Data(), &o) != nil {
		return nil, nil // nobody can ever carry this out
	}
	record, err := w.record(ctx, id)
	if err == nil && record.State.Over() {
		record, err = w.c.Job(ctx, id) // it may have been taken up again
	}
	switch {
	case errors.Is(err, ErrNoJob):
		return nil, nil
	case err != nil:
		return nil, err
	case record.State.Over():
		return nil, nil
	}
	p := o.Part
	subject := partSubject("done", id, p.Stage, p.Index)
	var checkpoint []byte
	if about, err := m.Metadata(); err == nil && about.NumDelivered > 1 {
		if done, err := w.done(ctx, subject); err != nil || done {
			return nil, err
		}
		if about.NumDelivered > uint64(w.o.Lost) {
			return nil, w.fail(ctx, id, p, fmt.Errorf("it was begun %d times and its workers got lost", about.NumDelivered-1))
		}
		if checkpoint, err = w.c.fetch(ctx, partSubject("mark", id, p.Stage, p.Index)); err != nil {
			return nil, err
		}
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := w.untilOver(id, func() { cancel(errGone) })
	defer stop()
	w.mu.Lock()
	w.doing[subject] = id + " " + p.Name
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		delete(w.doing, subject)
		w.mu.Unlock()
	}()
	outs := &stored{c: w.c, ctx: inner, job: id, stages: o.Stages}
	output, report, err := w.run(inner, record, p, outs, checkpoint)
	switch {
	case context.Cause(inner) == errGone:
		return nil, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case outs.failed != nil:
		return nil, outs.failed
	case err != nil:
		var bad wrong
		if errors.As(err, &bad) {
			return nil, w.fail(ctx, id, p, bad.error)
		}
		return nil, err
	}
	message, err := w.c.message(inner, subject, report, output)
	if context.Cause(inner) == errGone {
		return nil, nil
	}
	return message, err
}

// done reports whether a part has an output.
func (w *worker) done(ctx context.Context, subject string) (bool, error) {
	_, err := w.c.done.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return false, nil
	}
	return err == nil, err
}

// fail tells the leader that a part failed here.
func (w *worker) fail(ctx context.Context, id string, p lab.Part, why error) error {
	w.o.Tell(fmt.Sprintf("%s %s: %v", id, p.Name, why))
	m, err := w.c.message(ctx, partSubject("fail", id, p.Stage, p.Index)+"."+w.id, lab.Report{Total: p.Size}, []byte(why.Error()))
	if err != nil {
		return err
	}
	if err := w.c.publish(ctx, m); err != nil {
		return err
	}
	return why
}

// untilOver calls stop when the job is over.
func (w *worker) untilOver(id string, stop func()) (unwatch func()) {
	w.mu.Lock()
	key := w.nextWatch
	w.nextWatch++
	if w.watched[id] == nil {
		w.watched[id] = map[uint64]func(){}
	}
	w.watched[id][key] = stop
	w.mu.Unlock()
	if r, _ := w.c.known(id); r != nil && r.State.Over() {
		stop()
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.watched[id], key)
		if len(w.watched[id]) == 0 {
			delete(w.watched, id)
		}
	}
}

// stopOver stops the parts of jobs as they come to be over, until ctx is done.
func (w *worker) stopOver(ctx context.Context) {
	for {
		_, changed := w.c.known("")
		w.mu.Lock()
		for id, stops := range w.watched {
			if r, _ := w.c.known(id); r != nil && r.State.Over() {
				for _, stop := range stops {
					stop()
				}
			}
		}
		w.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-changed:
		}
	}
}

// run runs a part. An error that is a wrong is the part's own.
func (w *worker) run(ctx context.Context, r *Record, p lab.Part, outs *stored, checkpoint []byte) (output []byte, report lab.Report, err error) {
	work, err := w.open(ctx, r)
	if err != nil {
		return nil, report, err
	}
	defer func() {
		if x := recover(); x != nil {
			err = wrong{fmt.Errorf("%s: panic: %v", p.Name, x)}
		}
	}()
	marked := time.Now()
	output, err = work.Run(ctx, lab.Task{
		Part: p, Outputs: outs, Checkpoint: checkpoint, Every: time.Second / 2,
		Report: func(report lab.Report) {
			if report.Checkpoint != nil && (ctx.Err() != nil && context.Cause(ctx) != errGone || time.Since(marked) >= w.o.Checkpoints) {
				marked = time.Now()
				w.mark(ctx, r.ID, p, report)
			}
			if data, err := json.Marshal(report); err == nil && len(data) < large {
				_ = w.c.conn.Publish(partSubject("progress", r.ID, p.Stage, p.Index), data) // lost progress is no loss
			}
		},
	})
	if err == nil {
		report, err = work.Finished(p, output)
	}
	if err != nil && ctx.Err() == nil {
		err = wrong{err}
	}
	return output, report, err
}

// markLimit is how long storing a checkpoint may take.
const markLimit = 10 * time.Second

// mark stores a checkpoint. One that can't be stored costs time later, nothing
// else.
func (w *worker) mark(ctx context.Context, id string, p lab.Part, report lab.Report) {
	data, err := report.Checkpoint()
	if err != nil || data == nil {
		return
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), markLimit)
	defer cancel()
	report.Data = nil
	m, err := w.c.message(limited, partSubject("mark", id, p.Stage, p.Index), report, data)
	if err == nil {
		_, err = w.c.js.PublishMsg(limited, m)
	}
	if err != nil {
		w.o.Tell(fmt.Sprintf("%s %s: a checkpoint could not be stored: %v", id, p.Name, err))
	}
}
