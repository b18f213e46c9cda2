package pattern

import (
	"math"

	"oxo"
	"oxo/board"
)

// Judge says what positions are worth by a net. Where a position differs in few squares
// from one judged before, only the tuples that hold those are looked up. It belongs to
// one goroutine; several may judge by one net that does not learn meanwhile.
type Judge struct {
	net     *Net
	bases   [2]base // of each seat
	acts    [][]float64
	changed []int32 // by tuple: by how much its code differs from the base's
	listed  []bool  // by tuple
	list    []int32 // the tuples whose codes may differ
}

// base is a position whose sum of vectors is known.
type base struct {
	known   bool
	changes uint64 // the net's when it was judged
	marks   [3]board.Set
	codes   []int32
	sum     []float64
}

// Judge returns a judge by the net as it is at each time.
func (n *Net) Judge() *Judge {
	j := &Judge{net: n, changed: make([]int32, n.tuples.Len()), listed: make([]bool, n.tuples.Len())}
	for _, w := range n.widths {
		j.acts = append(j.acts, make([]float64, w))
	}
	for seat := range j.bases {
		j.bases[seat] = base{codes: make([]int32, n.tuples.Len()), sum: make([]float64, n.widths[0])}
	}
	return j
}

// Worth returns what the position with these marks is worth to the seat that has moved
// to it.
func (j *Judge) Worth(x, o board.Set, seat oxo.Seat) float64 {
	marks, from := j.net.seen(x, o, seat)
	b := &j.bases[seat]
	if !b.known || b.changes != j.net.changes || !j.near(b, marks) {
		b.known, b.changes, b.marks = true, j.net.changes, marks
		j.net.tuples.enter(marks, b.codes)
		j.sum(b.codes, from, seat, b.sum)
		copy(j.acts[0], b.sum)
	} else {
		j.differ(b, marks, from)
	}
	return math.Tanh(j.net.forward(j.acts))
}

// sum adds up the vectors of codes.
func (j *Judge) sum(codes []int32, from int32, seat oxo.Seat, sum []float64) {
	n := j.net
	copy(sum, n.vector(int32(n.rows)+int32(seat)))
	for _, code := range codes {
		if row := n.tuples.row[code]; row != none {
			add(sum, n.vector(from+row))
		}
	}
}

// add adds a vector to a sum as long.
func add(sum, v []float64) {
	v = v[:len(sum)]
	for i := range sum {
		sum[i] += v[i]
	}
}

// near reports whether going by the difference to a base is less work than anew.
func (j *Judge) near(b *base, marks [3]board.Set) bool {
	work := 0
	for side, s := range marks {
		for i := range s.Minus(b.marks[side]).Or(b.marks[side].Minus(s)).All() {
			work += 2 * len(j.net.tuples.through[i])
		}
	}
	return work < j.net.tuples.Len()
}

// differ leaves in acts[0] the sum of a position that differs from the base.
func (j *Judge) differ(b *base, marks [3]board.Set, from int32) {
	t := j.net.tuples
	for side, s := range marks {
		j.change(s.Minus(b.marks[side]), side, 1)
		j.change(b.marks[side].Minus(s), side, -1)
	}
	sum := j.acts[0]
	copy(sum, b.sum)
	for _, k := range j.list {
		code := b.codes[k]
		if row := t.row[code]; row != none {
			v := j.net.vector(from + row)[:len(sum)]
			for i := range sum {
				sum[i] -= v[i]
			}
		}
		if row := t.row[code+j.changed[k]]; row != none {
			add(sum, j.net.vector(from+row))
		}
		j.changed[k], j.listed[k] = 0, false
	}
	j.list = j.list[:0]
}

// change notes what marks of a side that come, sign 1, or go, -1, change in codes.
func (j *Judge) change(squares board.Set, side int, sign int32) {
	for i := range squares.All() {
		for _, at := range j.net.tuples.through[i] {
			if at.adds[side] == 0 {
				continue
			}
			j.changed[at.tuple] += sign * at.adds[side]
			if !j.listed[at.tuple] {
				j.listed[at.tuple] = true
				j.list = append(j.list, at.tuple)
			}
		}
	}
}
