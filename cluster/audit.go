package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
	"oxo/cluster/records"
	"oxo/lab/jobs"
)

// claim is what a worker says that a part came to. Of a part that is audited there are several, by
// different workers.
type claim struct {
	stored
	worker string
	from   string // the worker whose checkpoint it went on from, where it was another
	report jobs.Report
}

// stored is a message on the server with the outputs of some parts.
// The sequence is the message's number in the stream, by which this message is removed and no later one.
type stored struct {
	place
	sequence uint64
}

// receiveOutputs takes down the outputs of a message. Those that answer what is not asked any more, or
// are of a worker that is not believed, are to be removed, and so are damaged ones, for which items is
// nil: each counts as a failure there. The caller holds s.mu.
func (s *stageRun) receiveOutputs(m jetstream.Msg, at span, worker string, items []item) {
	about, err := m.Metadata()
	if err != nil {
		return // nothing of the stream
	}
	answer := stored{place{at, m.Subject()}, about.Sequence.Stream}
	asked := taskDigest(s.c.o.Version, s.out.round, s.parts[at.first:at.first+at.count])
	task := m.Headers().Get(headTask)
	if worker != "" && task != asked || s.c.JobFoundWrongIn(worker) != "" || s.rec.HasFoundWrong(worker) {
		s.stale = append(s.stale, answer)
		return
	}
	if items == nil {
		s.stale = append(s.stale, answer)
		for n := at.first; n < at.first+at.count; n++ {
			s.receiveFailure(n, worker, errDamaged.Error())
		}
		return
	}
	for i, it := range items {
		s.acceptOrAuditClaim(at.first+i, claim{answer, worker, m.Headers().Get(headFrom), it.report})
	}
}

// removeOutputsAndRequeue removes outputs that answer nothing, and not what the same worker says next, and has
// their parts queued anew. Whoever made them may not have acknowledged the order yet, for which the
// next one would be taken: it goes first.
func (s *stageRun) removeOutputsAndRequeue(ctx context.Context, at stored) error {
	err := s.c.done.DeleteMsg(ctx, at.sequence)
	if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) { // there is a later one
		err = nil
	}
	order := jetstream.WithPurgeSubject(at.span.subject("part.*", s.id))
	if err = errors.Join(err, s.c.work.Purge(ctx, order)); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for n := at.first; n < at.first+at.count; n++ {
		s.requeue(n)
	}
	return nil
}

// acceptOrAuditClaim takes down one output of a part. Which are repeated nobody can know before. Audit.Share
// of the parts are drawn at random as they come in, after their worker has answered, so that no worker
// can behave well for audited parts alone.
func (s *stageRun) acceptOrAuditClaim(part int, c claim) {
	had := s.claims[part]
	switch {
	case s.over[part] || slices.ContainsFunc(had, func(o claim) bool { return o.worker == c.worker }):
	case len(had) > 0:
		s.claims[part] = append(had, c)
		s.doubts = append(s.doubts, part)
	case s.rec.Audit != nil && (s.drawn[part] || rand.Float64() < s.rec.Audit.Share):
		s.drawn[part] = true
		s.claims[part] = []claim{c}
		s.asks = append(s.asks, part)
	default:
		s.acceptOutput(part, c)
	}
}

// acceptOutput takes an output for the part's.
// Which of several right ones that is does not matter, as they are the same bytes. The caller holds
// s.mu.
func (s *stageRun) acceptOutput(part int, c claim) {
	if !s.over[part] {
		s.where[part], s.reports[part] = c.place, c.report
		s.markOver(part)
	}
}

// startAudits has parts repeated that are to be: by other workers where there are any, else here. With
// one worker, or where nobody repeats a part, the coordinator repeats it itself.
// Questions to the server are asked without s.mu, which receiveMessage waits for.
func (s *stageRun) startAudits(ctx context.Context) error {
	s.mu.Lock()
	asks, doubts, stale, found := s.asks, s.doubts, s.stale, s.found
	s.asks, s.doubts, s.stale = nil, nil, nil
	var orders []order
	for _, n := range asks {
		if signs := s.claims[n][0].worker; s.w.hasWorkerBesides(signs) {
			orders = append(orders, order{Parts: s.parts[n : n+1], Stages: s.out.stages, Round: s.out.round,
				Not: signs})
		} else {
			doubts = append(doubts, n)
		}
	}
	for _, n := range doubts {
		if !s.judged[n] {
			s.judged[n] = true
			s.judging.Go(func() { s.verifyClaimsAndWake(ctx, n) })
		}
	}
	s.mu.Unlock()
	for _, at := range stale {
		if err := s.removeOutputsAndRequeue(ctx, at); err != nil {
			return err
		}
	}
	refused, err := s.c.enqueueOrders(ctx, s.id, s.rec.Priority, orders)
	if err == nil && len(refused) > 0 { // a full queue: later
		s.mu.Lock()
		for _, i := range refused {
			s.asks = append(s.asks, orders[i].Parts[0].Index)
		}
		s.mu.Unlock()
	}
	return errors.Join(found, err)
}

// verifyClaimsAndWake says whether what workers say of a part is right. Two that agree are believed, as
// each is told only that it is another one; else the part is carried out here.
// It runs beside the stage, which it wakes; what it finds is in s.found and s.over.
func (s *stageRun) verifyClaimsAndWake(ctx context.Context, part int) {
	err := s.verifyClaims(ctx, part)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.found == nil {
		s.found = err
	}
	s.wake()
}

// verifyClaims compares the outputs that different workers claim for part n. Where they differ, or
// there is only one, the part is carried out here, which tells who is wrong. At most one part a
// processor is repeated here at a time. That a part can't be repeated is the job's error. An output
// that the server has lost says nothing of its worker: where none is left the part is queued anew.
func (s *stageRun) verifyClaims(ctx context.Context, part int) error {
	s.mu.Lock()
	said := s.claims[part]
	s.mu.Unlock()
	var claims []claim
	var texts [][]byte
	var lost []stored
	for _, c := range said {
		items, err := s.c.fetchItems(ctx, c.subject)
		switch {
		case len(items) == c.count && err == nil:
			claims, texts = append(claims, c), append(texts, items[part-c.first].data)
		case err == nil || errors.Is(err, errDamaged):
			lost = append(lost, c.stored)
		default:
			return err
		}
	}
	if len(claims) == 0 {
		s.forgetLostClaims(part, lost)
		return nil
	}
	if len(claims) < 2 || !bytes.Equal(texts[0], texts[1]) {
		s.judges <- struct{}{}
		out := &storedOutputs{c: s.c, ctx: ctx, job: s.id, stages: s.out.stages, where: slices.Clone(s.out.where),
			round: s.out.round, repeat: true}
		truth, err := s.work.Run(ctx, jobs.Task{Part: s.parts[part], Outputs: out})
		<-s.judges
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case out.failed != nil:
			return out.failed
		case err != nil:
			return wrong{fmt.Errorf("%s can't be repeated by who leads the job: %w", s.parts[part].Name, err)}
		}
		var against wrongOutputs
		for i, c := range claims {
			if !bytes.Equal(texts[i], truth) {
				against = append(against, c)
			}
		}
		if len(against) > 0 {
			return against
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale = append(s.stale, lost...)
	s.acceptOutput(part, claims[0])
	s.repeated++
	return nil
}

// forgetLostClaims has a part carried out anew whose claims are all lost, or those verified that came
// since. What is left of the lost ones is removed.
func (s *stageRun) forgetLostClaims(part int, lost []stored) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.judged, part)
	s.stale = append(s.stale, lost...)
	if s.claims[part] = s.claims[part][len(lost):]; len(s.claims[part]) > 0 {
		s.doubts = append(s.doubts, part)
	}
}

// wrongOutputs is claims that are wrong. It ends an attempt at the job, which then begins again
// without those workers.
type wrongOutputs []claim

func (d wrongOutputs) Error() string { return fmt.Sprintf("%d outputs are wrong", len(d)) }

// excludeWorkersAndPurgeOutputs names the workers that are wrong and removes what they did for the job, and all
// that may have come of it. An output that went on from another's checkpoint names nobody: either may
// be wrong. Outputs of the first stage in doubt stay where their workers are believed; all later
// stages may rest on a wrong one. The round counts up, so that answers of the round before are stale.
// Of a job with blobs all outputs go, of earlier stages too.
func (l *coordinator) excludeWorkersAndPurgeOutputs(ctx context.Context, outputs wrongOutputs) (err error) {
	l.rec, err = l.c.Update(ctx, l.id, func(r *records.Record) error {
		switch {
		case r.State.Over():
			return records.ErrOver
		case r.Lead != l.name:
			return errTaken
		}
		for _, c := range outputs {
			if c.from == "" && !r.HasFoundWrong(c.worker) {
				part := fmt.Sprintf("stage %d, part %d", c.stage+1, c.first+1)
				r.Audit.Wrong = append(r.Audit.Wrong, records.Wrong{Worker: c.worker, Host: l.w.hostOf(c.worker),
					Part: part})
			}
		}
		r.Round++
		return nil
	})
	if err != nil {
		return err
	}
	subjects, err := records.SubjectsOf(ctx, l.c.done, "oxo.done."+l.id+".>")
	if err != nil {
		return err
	}
	doomed := func(subject string, worker string) bool {
		return l.rec.HasFoundWrong(worker) ||
			slices.ContainsFunc(outputs, func(c claim) bool { return c.subject == subject })
	}
	first := math.MaxInt // the stage from whose outputs on all is in doubt
	for subject := range subjects {
		if _, at, worker, ok := parsePartSubject(subject); ok && doomed(subject, worker) {
			first = min(first, at.stage)
		}
	}
	for subject := range subjects {
		_, at, worker, _ := parsePartSubject(subject)
		if at.stage > first || l.work.UsesBlobs() || doomed(subject, worker) {
			err = errors.Join(err, l.c.done.Purge(ctx, jetstream.WithPurgeSubject(subject)))
		}
	}
	err = errors.Join(err, l.c.purgeMessages(ctx, l.id, "mark", "fail"))
	l.w.mu.Lock()
	delete(l.w.works, l.id) // it may hold what came of wrong outputs
	l.w.mu.Unlock()
	return err
}
