package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync/atomic"
)

// Limits bound the work of a check. A field that is 0 stands for its default.
// Progress, if not nil, is told what share of the file was read. Disk, if not nil, makes
// room for positions that the memory does not hold; else a file that has such is refused.
type Limits struct {
	Unpacked int64 // bytes that the file may unpack to, by default any number
	Nodes    int   // positions in the strategies, 2^31 − 1
	Memory   int64 // bytes that positions and permutations may take, 1 GiB
	Workers  int   // cores to check on, 1

	Progress func(share float64)
	Disk     func() (Scratch, error)
}

const (
	defaultMemory = 1 << 30

	// The work that a check may take is counted in winning sets looked at: so many
	// for any file, and so many more for each byte of it. The most that a proof of
	// the table in docs/data/proofs.md takes is 1,109 a byte, of mnk:15,15,4.
	freeWork    = 20_000_000
	workPerByte = 4 * 1_109

	workPerTurn = 1 << 14 // between two looks at the context
)

// errTooMuch is the reason why a check was given up that its limits don't allow.
var errTooMuch = errors.New("more than the check may take")

// budget is what is left of the work that a check may take. Its methods keep the
// first error.
type budget struct {
	ctx      context.Context
	left     *atomic.Int64 // winning sets that may still be looked at, by all that share it
	turn     int64         // looked at and not taken from it yet
	unpacked int64         // bytes that may still come out of the unpacker
	memory   int64         // bytes that may still be held
	workers  int           // cores that may be used
	disk     func() (Scratch, error)
	spent    error
	broken   bool // whether that is because the disk fails
}

// newBudget returns what the check of a file of that size, in bytes, may take; the work grows with the size, so
// that a small file can't keep a checker busy for long.
func newBudget(ctx context.Context, size int64, l Limits) *budget {
	b := &budget{ctx: ctx, left: &atomic.Int64{}, unpacked: cmp.Or(l.Unpacked, math.MaxInt64),
		memory: cmp.Or(l.Memory, defaultMemory), workers: l.Workers, disk: l.Disk}
	b.left.Store(workLimit(size))
	return b
}

// workLimit returns how many winning sets the check of a file of size bytes may look at, whatever the limits.
func workLimit(size int64) int64 { return freeWork + workPerByte*size }

// share returns a budget of the same work for another goroutine.
func (b *budget) share() *budget { return &budget{ctx: b.ctx, left: b.left} }

// spend counts n winning sets looked at. It reports false once the work is to end, which it notices every
// workPerTurn of them: a context that is done, or too much work.
func (b *budget) spend(n int) bool {
	if b.turn += int64(n); b.turn < workPerTurn {
		return true
	}
	return b.settle()
}

// settle takes what was looked at from what is left. It reports false if the work is to end.
func (b *budget) settle() bool {
	left := b.left.Add(-b.turn)
	b.turn = 0
	if b.spent == nil && b.ctx.Err() != nil {
		b.spent = b.ctx.Err()
	}
	if b.spent == nil && left < 0 {
		b.spent = fmt.Errorf("%w: it asks for more work than a file of its size may", errTooMuch)
	}
	return b.spent == nil
}

// takeMemory counts n bytes of memory taken for good. It ends the work once more is taken than there may be; the
// caller goes on until it next asks.
func (b *budget) takeMemory(n int) {
	if b.memory -= int64(n); b.memory < 0 {
		b.fail(fmt.Errorf("%w: its game takes too much memory", errTooMuch))
	}
}

// fail ends the work for the reason that is given, unless it has ended for another.
func (b *budget) fail(err error) {
	if b.spent == nil {
		b.spent = err
	}
}

// breakOff ends the work because the disk fails. That says nothing of the certificate, so Check returns it as an
// error and makes no report.
func (b *budget) breakOff(err error) {
	b.fail(fmt.Errorf("no room on disk for positions that the memory does not hold: %w", err))
	b.broken = true
}

// stopReason returns why the work has to end, nil where it may go on.
func (b *budget) stopReason() error { return b.spent }

// progressReader is a reader that tells what share of size bytes was read, from 0 to 1, after every read; at is how
// many were.
type progressReader struct {
	in       io.Reader
	at, size int64
	progress func(share float64)
}

func (t *progressReader) Read(p []byte) (int, error) {
	n, err := t.in.Read(p)
	if t.at += int64(n); t.progress != nil {
		t.progress(float64(t.at) / float64(t.size))
	}
	return n, err
}

// meteredReader is a reader whose bytes are counted, which ends with its context. Each byte costs as much work as a
// winning set, and is one of those that the file may unpack to.
type meteredReader struct {
	in io.Reader
	*budget
}

func (m *meteredReader) Read(p []byte) (int, error) {
	if m.spent == nil && m.ctx.Err() != nil {
		m.spent = m.ctx.Err()
	}
	if m.spent != nil {
		return 0, m.spent
	}
	n, err := m.in.Read(p)
	if !m.spend(n) {
		return 0, m.spent
	}
	if m.unpacked -= int64(n); m.unpacked < 0 {
		m.spent = fmt.Errorf("%w: it unpacks to too many bytes", errTooMuch)
		return 0, m.spent
	}
	return n, err
}
