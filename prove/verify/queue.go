package verify

// queue has batches of positions looked at on several cores, and takes what they come to in the order of the file, so
// that of several faults the first in it is found. With one worker each batch is looked at where it is added.
type queue struct {
	work    chan *batch // to the other workers; nil where there are none
	waiting []*batch    // added and not taken, in order
	room    int         // bytes that more of them may take
	fault   error       // the first
}

// batch is what can be looked at whatever comes later in the file.
type batch struct {
	size   int          // bytes that it takes about
	look   func()       // changes nothing that others look at
	take   func() error // called once looked is closed, in order, up to the first error
	looked chan struct{}
}

// batchBytes is about how much a batch takes, and levelBatch how many positions of a level are in it at most.
// Tests have smaller ones.
var batchBytes, levelBatch = 1 << 16, 64

// newQueue returns a queue whose batches take so many bytes together, or one of them more.
func newQueue(workers, room int) *queue {
	q := &queue{room: room}
	if workers > 1 {
		q.work = make(chan *batch, workers)
	}
	for range workers - 1 {
		go func() {
			for b := range q.work {
				b.lookAt()
			}
		}()
	}
	return q
}

func (b *batch) lookAt() {
	b.look()
	close(b.looked)
}

// add has a batch looked at by another worker, or right here where these have enough to do. Then it takes those that
// are done.
func (q *queue) add(b *batch) {
	b.looked = make(chan struct{})
	for len(q.waiting) > 0 && q.room < b.size {
		q.takeFirst()
	}
	q.waiting = append(q.waiting, b)
	q.room -= b.size
	select {
	case q.work <- b: // never where it is nil
	default:
		b.lookAt()
	}
	for len(q.waiting) > 0 {
		select {
		case <-q.waiting[0].looked:
			q.takeFirst()
		default:
			return
		}
	}
}

// takeFirst waits until the first batch was looked at, and takes it.
func (q *queue) takeFirst() {
	b := q.waiting[0]
	<-b.looked
	q.waiting[0], q.waiting = nil, q.waiting[1:]
	q.room += b.size
	if q.fault == nil {
		q.fault = b.take()
	}
}

// takeAll waits for all batches.
func (q *queue) takeAll() {
	for len(q.waiting) > 0 {
		q.takeFirst()
	}
}

// close waits for all batches and sends the other workers home.
func (q *queue) close() {
	q.takeAll()
	if q.work != nil {
		close(q.work)
	}
}
