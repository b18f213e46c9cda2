package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/lab/jobs"
)

// assignment is a message of the queue that a worker has. Its methods say by their error what becomes
// of the message: none acknowledges it, any other has it delivered again.
type assignment struct {
	w      *workerProcess
	ctx    context.Context // until the job is over or the worker stops
	record *records.Record
	order  order
	outs   *storedOutputs
	from   string // the worker whose checkpoint the part went on from, where it was another
}

// runSinglePart carries out the part of a message that has one, for which it is the so-manieth try.
// Where a message comes again, its part may be done already, or its worker may have been lost by it:
// after o.Lost tries it counts as a failure.
// An output that was stored and not acknowledged is found by its subject, and is not made again.
// The first try looks for neither output nor checkpoint, which saves two questions a part.
func (a *assignment) runSinglePart(attempt uint64) error {
	p := a.order.Parts[0]
	var checkpoint []byte
	if a.order.Not == "" && (attempt > 1 || a.order.Again) {
		queued, err := a.partsWithoutOutput()
		if err != nil || len(queued) == 0 {
			return err
		}
		if attempt > uint64(a.w.o.Lost) {
			failure := fmt.Errorf("it was begun %d times and its workers got lost", attempt-1)
			return errors.Join(a.publishFailure(p, failure), failure)
		}
		if checkpoint, err = a.furthestCheckpoint(p); err != nil {
			return err
		}
	}
	began := time.Now()
	it, err := a.runPart(p, checkpoint, false)
	if bad, ok := errors.AsType[wrong](err); ok {
		return errors.Join(a.publishFailure(p, bad.error), bad.error)
	}
	if err != nil {
		return err
	}
	return a.storeOutputs(singleSpan(p.Stage, p.Index), []item{it}, time.Since(began))
}

// furthestCheckpoint returns the checkpoint of a part that is furthest, and notes whose it is.
// Checkpoints of workers that were found wrong are left out. None is nil, and the part begins anew.
func (a *assignment) furthestCheckpoint(p jobs.Part) (data []byte, err error) {
	subjects, err := records.SubjectsOf(a.ctx, a.w.c.done, partSubject("mark", a.record.ID, p.Stage, p.Index)+".>")
	if err != nil {
		return nil, err
	}
	furthest := -1
	for subject := range subjects {
		_, _, worker, _ := parsePartSubject(subject)
		marks, err := a.w.c.fetchItems(a.ctx, subject)
		if err != nil {
			return nil, err
		}
		if len(marks) == 1 && marks[0].report.Done > furthest && a.w.c.JobFoundWrongIn(worker) == "" {
			furthest, data, a.from = marks[0].report.Done, marks[0].data, worker
		}
	}
	if a.from == a.w.c.id {
		a.from = ""
	}
	return data, nil
}

// longTogether is how long a worker goes on with parts that travel together;
// what it has not begun then is given back.
// It is five times as long as parts are put together for: they are estimated by the mean of the others.
const longTogether = time.Duration(5 * togetherFor * float64(time.Second))

// runBatchAndRequeueRest carries out parts that travel together. Those that fail, or take too long, are put on the
// queue one by one. Outputs are stored together as long as they follow one another and are not large,
// so that a thousand short parts cost a few messages.
// Flush takes the number of the part after the last to be stored, counted within the message.
func (a *assignment) runBatchAndRequeueRest() error {
	began := time.Now()
	var items []item
	var again []jobs.Part
	since, size := began, 0
	flush := func(next int) error {
		if len(items) == 0 {
			return nil
		}
		at := span{a.order.Parts[0].Stage, a.order.Parts[next-len(items)].Index, len(items)}
		now := time.Now()
		err := a.storeOutputs(at, items, now.Sub(since))
		items, since, size = nil, now, 0
		return err
	}
	for i, p := range a.order.Parts {
		if time.Since(began) > a.w.patience {
			if err := flush(i); err != nil {
				return err
			}
			again = append(again, a.order.Parts[i:]...)
			break
		}
		it, err := a.runPart(p, nil, true)
		if bad, ok := errors.AsType[wrong](err); ok {
			if err := errors.Join(flush(i), a.publishFailure(p, bad.error)); err != nil {
				return err
			}
			again = append(again, p)
			continue
		}
		if err != nil {
			return err
		}
		if len(it.data) > large { // an object, for one part
			if err := flush(i); err != nil {
				return err
			}
		}
		items, size = append(items, it), size+len(it.data)
		if size > large || i == len(a.order.Parts)-1 {
			if err := flush(i + 1); err != nil {
				return err
			}
		}
	}
	return a.requeue(again, false)
}

// requeueUndone puts parts that travelled together and were not all carried out on the
// queue one by one: one of them may be what the worker was lost by.
func (a *assignment) requeueUndone() error {
	again, err := a.partsWithoutOutput()
	if err != nil {
		return err
	}
	return a.requeue(again, true)
}

// partsWithoutOutput returns the parts that have no output. It asks the server, whose subjects name
// the parts that outputs are of.
func (a *assignment) partsWithoutOutput() ([]jobs.Part, error) {
	stage := a.order.Parts[0].Stage
	subjects, err := records.SubjectsOf(a.ctx, a.w.c.done, fmt.Sprintf("oxo.done.%s.%d.>", a.record.ID, stage))
	if err != nil {
		return nil, err
	}
	done := make([]bool, a.order.Parts[len(a.order.Parts)-1].Index+1)
	markCoveredParts(done, stage, subjects, a.w.c.doneSpan)
	var list []jobs.Part
	for _, p := range a.order.Parts {
		if !done[p.Index] {
			list = append(list, p)
		}
	}
	return list, nil
}

// requeue puts parts on the queue one by one. Again says that they may have been begun. Who may not
// write to the queue gives them back to who leads the job, who puts parts of which nothing is heard on
// it again anyway. A key of a worker may not publish orders, or it could have others run what it
// likes.
func (a *assignment) requeue(parts []jobs.Part, begunBefore bool) error {
	if a.w.c.role != broker.Administer {
		for _, p := range parts {
			subject := partSubject("back", a.record.ID, p.Stage, p.Index) + "." + a.w.c.id
			if err := a.w.c.conn.Publish(subject, nil); err != nil {
				return err
			}
		}
		return nil
	}
	orders := make([]order, len(parts))
	for i, p := range parts {
		orders[i] = order{Parts: []jobs.Part{p}, Stages: a.order.Stages, Round: a.order.Round, Again: begunBefore}
	}
	refused, err := a.w.c.enqueueOrders(a.ctx, a.record.ID, a.record.Priority, orders)
	if err == nil && len(refused) > 0 {
		err = errors.New("the queue is full")
	}
	return err
}

// storeOutputs stores the outputs of parts, however long it takes. The message names the task by its
// digest, so that an answer to another question is told from one to this. The first try is made at
// once and noted where it fails; later ones wait for the server.
func (a *assignment) storeOutputs(at span, items []item, took time.Duration) error {
	m, err := a.w.c.packMessage(a.ctx, at.doneSubject(a.record.ID, a.w.c.id), items...)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(a.order.Parts, func(p jobs.Part) bool { return p.Index == at.first })
	m.Header.Set(headTask, taskDigest(a.w.c.o.Version, a.order.Round, a.order.Parts[i:i+at.count]))
	if a.from != "" {
		m.Header.Set(headFrom, a.from)
	}
	m.Header.Set(headSeconds, strconv.FormatFloat(took.Seconds(), 'g', 4, 64))
	if _, err := a.w.c.js.PublishMsg(a.ctx, m); err != nil {
		a.w.noteStoreError(err)
		err = a.w.c.publish(a.ctx, m)
		a.w.noteStoreError(cmp.Or(a.ctx.Err(), err))
		if err != nil {
			return err
		}
	}
	if a.w.c.IsOver(a.record.ID) {
		return a.w.c.purgeOrRequestPurge(a.ctx, broker.DoneStream, m.Subject, 0) // nobody wants them any more
	}
	return nil
}

// publishFailure tells the coordinator that a part failed here.
func (a *assignment) publishFailure(p jobs.Part, failure error) error {
	a.w.o.Tell(fmt.Sprintf("%s %s: %v", a.record.ID, p.Name, failure))
	m, err := a.w.c.packMessage(a.ctx, partSubject("fail", a.record.ID, p.Stage, p.Index)+"."+a.w.c.id,
		item{jobs.Report{Total: p.Size}, []byte(failure.Error())})
	if err != nil {
		return err
	}
	return a.w.c.publish(a.ctx, m)
}

// runPart runs a part. An error that is a wrong is the part's own. Of a short part nothing is told
// before it turns out to be a longer one. A panic in a part, in one of its goroutines too, is an error of
// [jobs.Work.Run], so that it does not end the worker. A worker with less memory than the part asks for fails it, and
// others try.
func (a *assignment) runPart(p jobs.Part, checkpoint []byte, likelyShort bool) (output item, err error) {
	w := a.w
	began := time.Now()
	defer func() {
		if err == nil || errors.As(err, &wrong{}) {
			w.countPart(time.Since(began).Seconds(), err == nil)
		}
	}()
	work, err := w.openJob(a.ctx, a.record)
	if err != nil {
		return output, err
	}
	if m := work.MemoryPerPart(); w.o.Memory > 0 && m > w.o.Memory {
		return output, wrong{fmt.Errorf("a part of it may take %d MB of memory, and worker %s gives one at most %d MB",
			m>>20, w.host, w.o.Memory>>20)}
	}
	marked := began
	output.data, output.report, err = w.runPart(work, a.ctx, jobs.Task{
		Part: p, Outputs: a.outs, Checkpoint: checkpoint, Every: reportEvery, Short: likelyShort,
		Report: func(report jobs.Report) {
			stopped := a.ctx.Err() != nil && context.Cause(a.ctx) != records.ErrOver
			if report.Checkpoint != nil && a.order.Not == "" && (stopped || time.Since(marked) >= w.o.Checkpoints) {
				marked = time.Now()
				a.storeCheckpoint(p, report)
			}
			if data, err := json.Marshal(report); err == nil && len(data) < large {
				// lost progress is no loss
				_ = w.c.conn.Publish(partSubject("progress", a.record.ID, p.Stage, p.Index)+"."+w.c.id, data)
			}
		},
	})
	switch {
	case a.ctx.Err() != nil:
		return output, a.ctx.Err()
	case a.outs.failed != nil:
		return output, a.outs.failed
	case err != nil:
		return output, wrong{err}
	}
	return output, nil
}

const (
	// Reports are not stored, and two a second suffice for people to look at.
	reportEvery = time.Second / 2
	markLimit   = 10 * time.Second // how long storing a checkpoint may take
)

// storeCheckpoint stores a checkpoint. One that can't be stored costs time later, nothing else. It is
// stored also where the worker is stopping, within markLimit, so that the part goes on from there
// elsewhere.
func (a *assignment) storeCheckpoint(p jobs.Part, report jobs.Report) {
	data, err := report.Checkpoint()
	if err != nil || data == nil {
		return
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), markLimit)
	defer cancel()
	report.Data = nil
	m, err := a.w.c.packMessage(limited, partSubject("mark", a.record.ID, p.Stage, p.Index)+"."+a.w.c.id,
		item{report, data})
	if err == nil {
		_, err = a.w.c.js.PublishMsg(limited, m)
	}
	if err != nil {
		a.w.o.Tell(fmt.Sprintf("%s %s: a checkpoint could not be stored: %v", a.record.ID, p.Name, err))
	}
}
