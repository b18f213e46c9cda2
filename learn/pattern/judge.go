package pattern

import (
	"math"

	"oxo"
	"oxo/board"
)

// Judge says what positions are worth by a net. It keeps the sum of one, and moves that to
// what the next position has in common with it: of those that follow one position by a move
// each, all but the first two cost what the tuples through one square do. It belongs to one
// goroutine; several may judge by one net that does not learn meanwhile.
type Judge struct {
	net     *Net
	bases   [2]base // of each seat
	acts    [][]float64
	changed []int32 // by tuple: by how much its code differs from the base's
	listed  []bool  // by tuple
	list    []int32 // the tuples whose codes may differ
}

// base is a position whose sum of vectors is known, as the tables of one seat see it; the sum is out of date once
// the net has changed since.
type base struct {
	known   bool
	changes uint64 // the net's when it was judged
	marks   [3]board.Set
	codes   []int32
	sum     []float64
}

// Judge returns a judge by the net as it is at each time: it notices by itself when the net has learned.
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

// Worth returns what the position with these marks, of First and of Second, is worth to the seat that has moved to
// it, between -1 and 1. The position must not be over.
func (j *Judge) Worth(x, o board.Set, seat oxo.Seat) float64 {
	marks, from := j.net.marksAsSeen(x, o, seat)
	b := &j.bases[seat]
	come, gone := more(marks, b.marks), more(b.marks, marks)
	switch {
	// Three ways to the sum: added up anew where the base is far; the base moved back to what both have in common,
	// where marks are gone; the base moved on, where more than one mark has come. The last mark is added to a copy,
	// so that the next position after the same one finds its base unchanged.
	case !j.near(b, come+gone):
		b.known, b.changes, b.marks = true, j.net.changes, marks
		j.net.tuples.setCodes(marks, b.codes)
		j.sumVectors(b.codes, from, seat, b.sum)
	case gone > 0:
		common := [3]board.Set{marks[0].And(b.marks[0]), marks[1].And(b.marks[1])}
		common[2] = j.net.tuples.landingSquares(common[0], common[1])
		j.moveBase(b, common, from)
	case come > 1:
		j.moveBase(b, marks, from)
	}
	copy(j.acts[0], b.sum)
	if marks != b.marks {
		j.addDifference(b, marks, from, j.acts[0])
	}
	return math.Tanh(j.net.forward(j.acts))
}

// more returns how many marks of a are not in b.
func more(a, b [3]board.Set) int { return a[0].Minus(b[0]).Len() + a[1].Minus(b[1]).Len() }

// near reports whether going by the difference of so many marks to a base is less work than anew.
func (j *Judge) near(b *base, marks int) bool {
	return b.known && b.changes == j.net.changes && 2*marks*j.net.tuples.touched <= j.net.tuples.Len()
}

// moveBase makes other marks the base, with the sum and the codes that belong to them.
func (j *Judge) moveBase(b *base, marks [3]board.Set, from int32) {
	j.addDifference(b, marks, from, b.sum)
	for side, s := range marks {
		j.net.tuples.updateCodes(b.codes, s.Minus(b.marks[side]), side, 1)
		j.net.tuples.updateCodes(b.codes, b.marks[side].Minus(s), side, -1)
	}
	b.marks = marks
}

// sumVectors adds up the vectors of codes into sum, with what is added for the seat that has moved. from is where the
// seat's rows begin.
func (j *Judge) sumVectors(codes []int32, from int32, seat oxo.Seat, sum []float64) {
	n := j.net
	copy(sum, n.vector(int32(n.rows)+int32(seat)))
	for _, code := range codes {
		if row := n.tuples.row[code]; row != none {
			addVector(sum, n.vector(from+row))
		}
	}
}

// addVector adds a vector to a sum as long.
func addVector(sum, v []float64) {
	v = v[:len(sum)]
	for i := range sum {
		sum[i] += v[i]
	}
}

// addDifference adds to a sum what other marks than the base's change in it; the base and its codes stay as they are.
// It looks only at tuples that hold a square which differs.
func (j *Judge) addDifference(b *base, marks [3]board.Set, from int32, sum []float64) {
	t := j.net.tuples
	for side, s := range marks {
		j.noteCodeChanges(s.Minus(b.marks[side]), side, 1)
		j.noteCodeChanges(b.marks[side].Minus(s), side, -1)
	}
	for _, k := range j.list {
		old, now := t.row[b.codes[k]], t.row[b.codes[k]+j.changed[k]]
		switch {
		case old == now:
		case old == none:
			addVector(sum, j.net.vector(from+now))
		default:
			v := j.net.vector(from + old)[:len(sum)]
			if now == none {
				for i := range sum {
					sum[i] -= v[i]
				}
				break
			}
			w := j.net.vector(from + now)[:len(sum)]
			for i := range sum {
				sum[i] += w[i] - v[i]
			}
		}
		j.changed[k], j.listed[k] = 0, false
	}
	j.list = j.list[:0]
}

// noteCodeChanges notes what marks of a side that come, sign 1, or go, -1, change in codes.
func (j *Judge) noteCodeChanges(squares board.Set, side int, sign int32) {
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
