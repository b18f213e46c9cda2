package verify

import (
	"context"
	"math/rand/v2"
	"testing"

	"oxo/board"
)

// owns reports by looking at everything whether the opponent, to move or not,
// comes to own a set against the best play of the seat, who owns none himself.
func owns(g *Setup, p position, turn bool) bool {
	for _, line := range g.Board.Lines {
		if p.opp.Holds(line.Need) {
			return true
		}
	}
	if p.free.Empty() {
		return false
	}
	for sq := range p.free.All() {
		q := position{p.own, p.opp, p.free.Without(sq)}
		if turn {
			q.opp = q.opp.With(sq)
		} else {
			q.own = q.own.With(sq)
		}
		if owns(g, q, !turn) == turn {
			return turn
		}
	}
	return !turn
}

// TestHeld compares what pairs and potential are said to hold with brute force,
// on random sets of eight squares.
func TestHeld(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	held, withPairs, lost := 0, 0, 0
	for range 20_000 {
		const n = 8
		var lines []board.Line
		for range 2 + r.IntN(7) {
			need := board.SetOf(r.Perm(n)[:2+r.IntN(4)]...)
			lines = append(lines, board.Line{Need: need})
		}
		b, err := board.FromLines(n, lines)
		if err != nil {
			continue // a set twice
		}
		c := checker{budget: newBudget(context.Background(), 1<<20, Limits{}),
			Setup: &Setup{Board: b, Tested: [2]bool{true, true}, Done: [2]int{1, 2}, Full: drawn}, other: 1,
			relaxed: true}
		var p position
		order := r.Perm(n)
		for k, sq := range order {
			switch {
			case k < r.IntN(3):
				p.opp = p.opp.With(sq)
			case k < 3 && r.IntN(3) == 0:
				p.own = p.own.With(sq)
			default:
				p.free = p.free.With(sq)
			}
		}
		var pairs []board.Set
		free := p.free.Squares()
		for k := 0; k+1 < len(free) && r.IntN(3) > 0; k += 2 {
			pairs = append(pairs, board.SetOf(free[k], free[k+1]))
		}
		if !c.heldByPairs(p, pairs) {
			lost++
			continue
		}
		held++
		if len(pairs) > 0 {
			withPairs++
		}
		if owns(c.Setup, p, true) {
			t.Fatalf("%v of %v, pairs %v: said to be held, and is not", p, lines, pairs)
		}
	}
	if held < 500 || withPairs < 200 || lost < 500 {
		t.Errorf("%d held, %d with pairs, %d not: too few of a kind to tell", held, withPairs, lost)
	}
	one := checker{budget: newBudget(context.Background(), 1<<20, Limits{}),
		Setup: &Setup{Board: mustBoard(t, []board.Line{{Need: board.SetOf(0, 1)}}), Tested: [2]bool{true, true},
			Done: [2]int{1, 2}, Full: drawn}, other: 1}
	p := position{free: board.SetOf(0, 1, 2)}
	for _, pairs := range [][]board.Set{{board.SetOf(0, 2)}, {board.SetOf(0)}, {board.SetOf(0, 1), board.SetOf(0, 1)}} {
		if one.heldByPairs(p, pairs) {
			t.Errorf("the pairs %v hold a set of two", pairs)
		}
	}
	if !one.heldByPairs(p, []board.Set{board.SetOf(0, 1)}) {
		t.Error("a pair does not hold its set")
	}
}

// TestHeldExactly checks a sum that is 1, but with parts too small for a float
// that holds the others.
func TestHeldExactly(t *testing.T) {
	const n = 60
	var lines []board.Line
	for size := 2; size <= 54; size++ {
		lines = append(lines, board.Line{Need: board.Full(size)})
	}
	for k := range 4 {
		lines = append(lines, board.Line{Need: board.Full(54).With(54 + k).With(55 + k)})
	}
	b, err := board.FromLines(n, lines)
	if err != nil {
		t.Fatal(err)
	}
	c := checker{budget: newBudget(context.Background(), 1<<20, Limits{}),
		Setup: &Setup{Board: b, Tested: [2]bool{true, true}, Done: [2]int{1, 2}, Full: drawn}, other: 1}
	p := position{free: b.Squares()}
	if c.heldByPairs(p, nil) {
		t.Error("a potential of 1/2 and as much on one square are said to be below 1")
	}
	b, err = board.FromLines(n, lines[1:])
	if err != nil {
		t.Fatal(err)
	}
	if c.Board = b; !c.heldByPairs(p, nil) {
		t.Error("a potential of 1/4 and as much on one square are not below 1")
	}
}

func mustBoard(t *testing.T, lines []board.Line) *board.Board {
	b, err := board.FromLines(3, lines)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
