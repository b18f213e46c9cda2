package pairing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo/board"
	"oxo/board/bitset"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/plane"
	"oxo/threats"
)

// boards are boards of several sizes, with and without bars.
func boards(t *testing.T) []*board.Board {
	var list []*board.Board
	add := func(b *board.Board, err error) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	add(grid.New(grid.Shape{Cols: 5, Rows: 4, Run: 3}))
	add(grid.New(grid.Shape{Cols: 6, Rows: 6, Run: 4, Exact: true}))
	add(grid.New(grid.Shape{Cols: 15, Rows: 15, Run: 5}))
	add(grid.New(grid.Shape{Cols: 7, Rows: 1, Run: 1}))
	add(cube.New(4, 3, false))
	add(plane.Projective(4))
	add(board.New(3, [][]int{{0, 1, 2}, {0, 1}, {2}}))
	return list
}

// random plays moves of both sides in any order, none of them completing a
// line, on a state and on plain sets.
func random[S bitset.Squares, Q threats.Lines](r *rand.Rand, b *board.Board, g *threats.Geometry[S, Q],
	p *threats.State[S, Q]) (marks [2]board.Set) {
	for range r.IntN(b.N) {
		side, sq := r.IntN(2), r.IntN(b.N)
		if marks[0].Or(marks[1]).Has(sq) || slowCompletions(b, marks, side).Has(sq) {
			continue
		}
		marks[side] = marks[side].With(sq)
		g.Play(p, side, sq)
	}
	return marks
}

// slowNeed returns how many marks side needs on a line, -1 where it can't own it.
func slowNeed(line board.Line, marks [2]board.Set, side int) int {
	if line.Need.Meets(marks[1-side]) || line.Bar.Meets(marks[side]) {
		return -1
	}
	return line.Need.Minus(marks[side]).Len()
}

func slowCompletions(b *board.Board, marks [2]board.Set, side int) (s board.Set) {
	for _, line := range b.Lines {
		if slowNeed(line, marks, side) == 1 {
			s = s.Or(line.Need.Minus(marks[side]))
		}
	}
	return s
}

func TestPairing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found, paired := 0, 0
	for _, b := range boards(t) {
		if b.N > 64 {
			continue
		}
		g, err := threats.NewGeometry[[1]uint64, [16]uint64](threats.FromBoard(b))
		if err != nil {
			t.Fatal(err)
		}
		a := New(g)
		for range 400 {
			p := g.EmptyBoard([2]bool{true, true})
			marks := random(r, b, g, &p)
			if !a.FindPairing(&p, 300) {
				continue
			}
			found++
			if len(a.Pairs) > 0 {
				paired++
			}
			if left, _ := leftBy(t, b, marks, a.Pairs); left >= 1 {
				t.Fatalf("%v: the lines left have the sum %v with the worst square", a.Pairs, left)
			}
		}
	}
	if found < 50 || paired < 20 {
		t.Errorf("only %d held, %d by pairs", found, paired)
	}
}

// TestPotential compares the sum with one over plain sets, and that over each
// square with what Dangers says of it.
func TestPotential(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, b := range boards(t) {
		if b.N > 64 {
			continue
		}
		g, err := threats.NewGeometry[[1]uint64, [16]uint64](threats.FromBoard(b))
		if err != nil {
			t.Fatal(err)
		}
		a := New(g)
		for range 50 {
			p := g.EmptyBoard([2]bool{true, true})
			marks := random(r, b, g, &p)
			sum, danger := 0.0, make([]uint32, b.N)
			for _, line := range b.Lines {
				n := slowNeed(line, marks, attacker)
				if n < 0 {
					continue
				}
				sum += math.Ldexp(1, -n)
				for sq := range line.Need.Minus(marks[attacker]).All() {
					danger[sq] += One >> n
				}
			}
			if got := Potential(g, &p); got != sum {
				t.Errorf("%d squares: the potential is %v, want %v", b.N, got, sum)
			}
			if got := a.SquareWeights(&p); !slices.Equal(got, danger) {
				t.Errorf("%d squares: the squares have %v, want %v", b.N, got, danger)
			}
		}
	}
}

// keeps reports whether the defender keeps the attacker, to move, from every
// line, by looking at all games.
func keeps(b *board.Board, marks [2]board.Set, known map[[2]board.Set]bool) bool {
	if v, ok := known[marks]; ok {
		return v
	}
	free := b.Squares().Minus(marks[0]).Minus(marks[1])
	kept := true
	for sq := range free.All() {
		next := marks
		next[attacker] = next[attacker].With(sq)
		held := !slices.ContainsFunc(b.Lines, func(l board.Line) bool { return next[attacker].Holds(l.Need) })
		if left := free.Without(sq); held && !left.Empty() {
			held = false
			for answer := range left.All() {
				last := next
				last[1] = last[1].With(answer)
				if held = keeps(b, last, known); held {
					break
				}
			}
		}
		if kept = held; !kept {
			break
		}
	}
	known[marks] = kept
	return kept
}

// TestHeld has what is found to be held be held, by looking at all games.
func TestHeld(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	b, err := grid.New(grid.Shape{Cols: 4, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	g, err := threats.NewGeometry[[1]uint64, [4]uint64](threats.FromBoard(b))
	if err != nil {
		t.Fatal(err)
	}
	a, known, found, lost := New(g), map[[2]board.Set]bool{}, 0, 0
	for range 1000 {
		p := g.EmptyBoard([2]bool{true, true})
		marks := random(r, b, g, &p)
		switch held := keeps(b, marks, known); {
		case !held:
			lost++
			if a.FindPairing(&p, 1000) {
				t.Fatalf("%v and %v: found to be held, and lost", marks[0].Squares(), marks[1].Squares())
			}
		case a.FindPairing(&p, 1000):
			found++
		}
	}
	if found < 40 || lost < 40 {
		t.Errorf("%d found to be held, %d lost: too few to tell", found, lost)
	}
}

// TestAfterReply compares what is left after each reply, and the squares of lines that no pair
// serves, with the same over plain sets: of a pairing that began with another position's.
func TestAfterReply(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	held, kept := 0, 0
	for _, b := range boards(t) {
		if b.N > 64 {
			continue
		}
		g, err := threats.NewGeometry[[1]uint64, [16]uint64](threats.FromBoard(b))
		if err != nil {
			t.Fatal(err)
		}
		a := New(g)
		for range 100 {
			p := g.EmptyBoard([2]bool{true, true})
			marks := random(r, b, g, &p)
			a.BeginReplies(&p)
			before := slices.Clone(a.parent.pairs)
			for sq := range b.Squares().Minus(marks[0]).Minus(marks[1]).All() {
				after := [2]board.Set{marks[0], marks[1].With(sq)}
				left := a.PairAfterReply(&p, sq)
				if !slowCompletions(b, after, attacker).Empty() {
					if left < One {
						t.Fatalf("%d squares: held where the attacker completes a line", b.N)
					}
					continue
				}
				if len(a.Pairs) > 0 && slices.Contains(before, a.Pairs[0]) {
					kept++
				}
				sum, unserved := leftBy(t, b, after, a.Pairs)
				if got := float64(left) / One; math.Abs(got-sum) > 1e-9 {
					t.Fatalf("%d squares: %v leaves %v, want %v", b.N, a.Pairs, got, sum)
				}
				q, want := a.UnservedLineSquares(&p), [1]uint64{}
				for s := range unserved.All() {
					want = bitset.With(want, s)
				}
				if q != want {
					t.Fatalf("%d squares: %v leaves the squares %x, want %x", b.N, a.Pairs, q, want)
				}
				if left < One {
					held++
				}
			}
		}
	}
	if held < 500 || kept < 500 {
		t.Errorf("%d held, %d with a pair kept: too few to tell", held, kept)
	}
}

// leftBy returns the sum over the lines that hold none of the pairs, with the most that a square
// adds to it, and their free squares. The pairs must be disjoint and of free squares.
func leftBy(t *testing.T, b *board.Board, marks [2]board.Set, pairs [][2]int) (sum float64, unserved board.Set) {
	t.Helper()
	used := marks[0].Or(marks[1])
	for _, pair := range pairs {
		if pair[0] == pair[1] || used.Has(pair[0]) || used.Has(pair[1]) {
			t.Fatalf("%v: pairs overlap or are not free", pairs)
		}
		used = used.With(pair[0]).With(pair[1])
	}
	danger := make([]float64, b.N)
	for _, line := range b.Lines {
		held := slowNeed(line, marks, attacker) < 0
		for _, pair := range pairs {
			held = held || line.Need.Has(pair[0]) && line.Need.Has(pair[1])
		}
		if held {
			continue
		}
		unserved = unserved.Or(line.Need.Minus(marks[attacker]))
		weight := math.Ldexp(1, -line.Need.Minus(used).Len())
		sum += weight
		for sq := range line.Need.Minus(used).All() {
			danger[sq] += weight
		}
	}
	return sum + slices.Max(danger), unserved
}
