package prove

import (
	"math/rand/v2"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/games/plane"
)

// slowSlower is threats of both speeds by their definition: whether side, to
// move, wins by so many of them, against every reply.
func slowSlower(b *board.Board, marks [2]board.Set, side, depth int) bool {
	if slowThreats(b, marks, side, b.N) {
		return true
	}
	enemy := slowCompletions(b, marks, 1-side)
	if depth == 0 || enemy.Len() > 1 {
		return false
	}
	free := b.Squares().Minus(marks[0]).Minus(marks[1])
	for sq := range free.All() {
		forced, makes := enemy.Has(sq), false
		for _, line := range b.Lines {
			if need := slowNeed(line, marks, side); line.Need.Has(sq) && (need == 2 || need == 3) {
				makes = true
			}
		}
		if !enemy.Without(sq).Empty() || !forced && !makes {
			continue
		}
		next, left := marks, depth-1
		next[side] = next[side].With(sq)
		if forced {
			left = depth
		}
		replies := slowCompletions(b, next, side)
		if replies.Empty() {
			if !slowThreats(b, next, side, b.N) {
				continue
			}
			replies = free.Without(sq)
		}
		won := true
		for reply := range replies.All() {
			after := next
			after[1-side] = after[1-side].With(reply)
			if slowCompletions(b, next, 1-side).Has(reply) || !slowSlower(b, after, side, left) {
				won = false
				break
			}
		}
		if won {
			return true
		}
	}
	return false
}

// TestSlower compares the search for threats of both speeds with its definition.
func TestSlower(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct {
		shape grid.Shape
		wins  int
	}{
		{grid.Shape{Cols: 4, Rows: 4, Run: 3}, 5},
		{grid.Shape{Cols: 5, Rows: 4, Run: 4, Torus: true}, 5},
		{grid.Shape{Cols: 5, Rows: 5, Run: 4}, 1},
		{grid.Shape{Cols: 5, Rows: 5, Run: 4, Exact: true}, 1},
	} {
		b, err := grid.New(c.shape)
		if err != nil {
			t.Fatal(err)
		}
		g, err := newGeometry[[1]uint64, [16]uint64](b)
		if err != nil {
			t.Fatal(err)
		}
		th := newSlower(g, newThreats(g, logRefuted), 12)
		wins, none := 0, 0
		for range 100 {
			p := g.start([2]bool{true, true})
			marks := random(r, b, g, &p)
			for side := range 2 {
				if th.fast.win(&p, side, 1<<20) {
					continue
				}
				const depth = 2
				th.stop, th.cut = th.nodes+1<<40, false
				got := th.search(&p, side, depth)
				if want := slowSlower(b, marks, side, depth); got != want {
					t.Fatalf("%+v, %v, side %d: %v, want %v", c.shape, marks, side, got, want)
				}
				if th.cut {
					t.Fatal("the search was cut")
				}
				if got {
					wins++
				} else {
					none++
				}
			}
		}
		if wins < c.wins || none < c.wins {
			t.Errorf("%+v: %d wins and %d others: too few of a kind to tell", c.shape, wins, none)
		}
	}
}

// TestSlowerTruth looks for threats in every position of small games, and checks
// that who is found to win does, by the move that was found.
func TestSlowerTruth(t *testing.T) {
	four, err := grid.New(grid.Shape{Cols: 4, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	affine, err := plane.Affine(3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		b    *board.Board
		wins int
	}{{four, 10}, {affine, 1}} {
		b := c.b
		g, err := newGeometry[[1]uint64, [16]uint64](b)
		if err != nil {
			t.Fatal(err)
		}
		th := newSlower(g, newThreats(g, logRefuted), 12)
		truth := map[[2]board.Set]int{}
		var value func(marks [2]board.Set, side int) int // to side, to move
		value = func(marks [2]board.Set, side int) int {
			if v, ok := truth[marks]; ok {
				return v
			}
			free := b.Squares().Minus(marks[0]).Minus(marks[1])
			best := -1
			if free.Empty() {
				best = 0
			}
			for sq := range free.All() {
				next := marks
				next[side] = next[side].With(sq)
				if slowCompletions(b, marks, side).Has(sq) {
					best = 1
				} else {
					best = max(best, -value(next, 1-side))
				}
			}
			truth[marks] = best
			return best
		}
		value([2]board.Set{}, 0)
		slow, wins := 0, 0
		for marks, v := range truth {
			side := (marks[0].Len() + marks[1].Len()) % 2
			p := g.start([2]bool{true, true})
			for k := range marks {
				for sq := range marks[k].All() {
					g.play(&p, k, sq)
				}
			}
			if v == 1 {
				wins++
			}
			if !th.win(&p, side, 1<<20) {
				continue
			}
			next := marks
			next[side] = next[side].With(th.move)
			if v != 1 || !slowCompletions(b, marks, side).Has(th.move) && value(next, 1-side) != -1 {
				t.Fatalf("%v, side %d: %d is no win", marks, side, th.move)
			}
			if !th.fast.win(&p, side, 1<<20) {
				slow++
			}
		}
		if slow < c.wins {
			t.Errorf("only %d of %d wins took slow threats", slow, wins)
		}
		t.Logf("%d squares: %d positions, %d wins, %d by slow threats only", b.N, len(truth), wins, slow)
	}
}
