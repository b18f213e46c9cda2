package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/lab/jobs"
)

// Bounds of how many parts of a job are on the queue at once.
const (
	// leastQueued holds while nothing is known of the rate; mostQueued bounds what the server holds of it.
	leastQueued = 8
	mostQueued  = 1 << 13
	queuedFor   = 2.0 // seconds of work
)

// queueLimit returns how many parts may be on the queue: enough for every worker, and
// for two seconds at the rate so far, so that parts of other jobs get their
// turn.
func (s *stageRun) queueLimit() int {
	rate := float64(len(s.parts)-s.left-s.before) / max(time.Since(s.began).Seconds(), 0.01)
	return min(mostQueued, max(leastQueued, 2*s.w.totalSlots(), int(queuedFor*rate)))
}

// togetherFor is about how many seconds of work travel in one message. Parts so
// short that the way would cost more than doing them travel together.
const togetherFor = 0.1

// partsPerMessage returns how many parts to put in a message: one until it is known
// how long they take, and towards the end so few that all workers have some.
// A quarter of an equal share for each slot leaves something to even out at the end, where parts
// take unequally long.
func (s *stageRun) partsPerMessage() int {
	if s.finished == 0 {
		return 1
	}
	average := max(s.spent/float64(s.finished), 1e-6)
	share := len(s.todo) / max(1, 4*s.w.totalSlots())
	return max(1, min(mostTogether, share, int(togetherFor/average)))
}

// fillQueue puts parts on the queue where there is room. Parts of one message follow one another by
// number, are so many as take togetherFor, and have at most large bytes of input.
func (s *stageRun) fillQueue(ctx context.Context) error {
	s.mu.Lock()
	var batch []span
	for room := s.queueLimit(); s.queued < room && len(s.todo) > 0; {
		at := span{s.parts[0].Stage, s.todo[0], 1}
		size := len(s.parts[at.first].Input)
		for most := min(s.partsPerMessage(), len(s.todo)); at.count < most && s.todo[at.count] == at.first+
			at.count && !s.back[at.first] && !s.back[at.first+at.count]; at.count++ {
			// A message has a bound, and the inputs of all its parts are in it.
			if size += len(s.parts[at.first+at.count].Input); size > large {
				break
			}
		}
		batch = append(batch, at)
		s.todo = s.todo[at.count:]
		s.queued += at.count
	}
	s.mu.Unlock()
	return s.enqueueSpans(ctx, batch)
}

// order is a message of the queue.
// It goes as JSON; a worker reads the job itself from its record, by the subject's job.
type order struct {
	Parts  []jobs.Part `json:"parts"`
	Stages []int       `json:"stages"`          // how many parts the stages before had
	Again  bool        `json:"again,omitempty"` // a worker has had them before
	Round  int         `json:"round,omitempty"` // see stored.round
	Not    string      `json:"not,omitempty"`   // the worker whose output is compared with that of another one
}

// taskDigest names what is asked for by its digest, so that what was asked for before a job was
// begun anew, or of another version of the program, is not taken for an answer.
// The parts' inputs are in it, and their places; the outputs of earlier stages are not, which a
// round stands for.
// It has 12 bytes of SHA-256, written as 24 hexadecimal digits.
func taskDigest(version string, round int, parts []jobs.Part) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %d", version, round)
	for _, p := range parts {
		fmt.Fprintf(sum, " %d %d %d ", p.Stage, p.Index, len(p.Input))
		sum.Write(p.Input)
	}
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

// enqueueSpans puts parts on the queue. Those that are there already stay as they
// are. A queue that is full, of this job's parts or of others', is waited for.
// What was refused is to be queued again, after a second in which others may have made room.
func (s *stageRun) enqueueSpans(ctx context.Context, batch []span) error {
	orders := make([]order, len(batch))
	s.mu.Lock()
	for i, at := range batch {
		orders[i] = order{Parts: s.parts[at.first : at.first+at.count], Stages: s.out.stages, Round: s.out.round,
			Again: s.back[at.first]}
	}
	s.mu.Unlock()
	refused, err := s.c.enqueueOrders(ctx, s.id, s.rec.Priority, orders)
	if err != nil || len(refused) == 0 {
		return err
	}
	s.mu.Lock()
	for _, i := range refused {
		for _, p := range orders[i].Parts {
			s.todo = append(s.todo, p.Index)
			s.queued--
		}
	}
	slices.Sort(s.todo)
	s.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Second):
		return nil
	}
}

// enqueueOrders puts orders on the queue and returns which of them it did not take. An order that is there
// already counts as taken: the stream holds one message a subject.
// All are published before the first answer is waited for, so that many orders cost one way there and back.
func (c *Cluster) enqueueOrders(ctx context.Context, job, priority string, orders []order) (refused []int, err error) {
	futures := make([]jetstream.PubAckFuture, len(orders))
	for i, o := range orders {
		data, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		at := span{o.Parts[0].Stage, o.Parts[0].Index, len(o.Parts)}
		subject := at.subject("part."+priority, job)
		if o.Not != "" {
			subject = repeatSubject(priority, job, at.stage, at.first)
		}
		if futures[i], err = c.js.PublishAsync(subject, data); err != nil {
			return nil, err
		}
	}
	for i, f := range futures {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-f.Ok():
		case err := <-f.Err():
			if !alreadyQueued(err) {
				refused = append(refused, i)
			}
		}
	}
	return refused, nil
}

// requeueSilentParts puts parts of which nothing is heard on the queue again, in case that a server
// has lost them. It does so where nothing was heard for two leases, and only with parts that are
// neither queued nor done by the server's word.
// A part that is put there twice costs time alone: the second output of it says the same.
func (s *stageRun) requeueSilentParts(ctx context.Context) error {
	s.mu.Lock()
	silent := time.Since(s.touched) > 2*s.c.lease
	if silent {
		s.touched = time.Now()
	}
	s.mu.Unlock()
	if !silent {
		return nil
	}
	queued, done, err := s.findQueuedAndDone(ctx)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range s.todo {
		queued[i] = true // soon
	}
	for i := range s.parts {
		if len(s.claims[i]) == 1 {
			s.doubts = append(s.doubts, i) // whoever was to repeat it is not heard of
		}
		if !s.over[i] && !queued[i] && !done[i] {
			s.todo = append(s.todo, i)
			s.queued = max(0, s.queued-1)
		}
	}
	slices.Sort(s.todo)
	return nil
}
