package prove

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/plane"
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
func random[S squares, Q lineWords](r *rand.Rand, b *board.Board, g *geometry[S, Q], p *state[S, Q]) (marks [2]board.Set) {
	for range r.IntN(b.N) {
		side, sq := r.IntN(2), r.IntN(b.N)
		if marks[0].Or(marks[1]).Has(sq) || slowCompletions(b, marks, side).Has(sq) {
			continue
		}
		marks[side] = marks[side].With(sq)
		g.play(p, side, sq)
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

func TestState(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, b := range boards(t) {
		g, err := newGeometry[[4]uint64, [64]uint64](b)
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			p := g.start([2]bool{true, true})
			marks := random(r, b, g, &p)
			potential := 0.0
			for k, line := range b.Lines {
				for side := range 2 {
					want := slowNeed(line, marks, side)
					for n := 1; n <= g.longest; n++ {
						if got := g.needing(&p, side, n, k>>6)>>(k&63)&1 != 0; got != (n == want) {
							t.Fatalf("%d squares, line %d, side %d: needing %d is %v, want need %d", b.N, k, side, n, got, want)
						}
					}
					one, two := g.near(&p, side, k>>6)
					if (one>>(k&63)&1 != 0) != (want == 1) || (two>>(k&63)&1 != 0) != (want == 2) {
						t.Fatalf("%d squares, line %d, side %d: near is wrong, want need %d", b.N, k, side, want)
					}
				}
				if n := slowNeed(line, marks, attacker); n >= 0 {
					potential += math.Ldexp(1, -n)
				}
			}
			for side := range 2 {
				if got := unpack(g.completions(&p, side)); got != slowCompletions(b, marks, side) {
					t.Fatalf("completions %v, want %v", got.Squares(), slowCompletions(b, marks, side).Squares())
				}
			}
			if got := g.potential(&p); got != potential {
				t.Fatalf("potential %v, want %v", got, potential)
			}
			if unpack(p.free) != b.Squares().Minus(marks[0]).Minus(marks[1]) {
				t.Fatal("free squares are wrong")
			}
		}
	}
}

// slowThreats is continuous threats by their definition: whether side, to
// move, wins by moves that each leave the other side no choice.
func slowThreats(b *board.Board, marks [2]board.Set, side int, depth int) bool {
	if !slowCompletions(b, marks, side).Empty() {
		return true
	}
	if depth == 0 {
		return false
	}
	enemy := slowCompletions(b, marks, 1-side)
	for sq := range b.Squares().Minus(marks[0]).Minus(marks[1]).All() {
		if !enemy.Without(sq).Empty() {
			continue
		}
		next := marks
		next[side] = next[side].With(sq)
		ends := slowCompletions(b, next, side)
		if ends.Len() > 1 {
			return true
		}
		if ends.Empty() {
			continue
		}
		next[1-side] = next[1-side].Or(ends)
		if slowThreats(b, next, side, depth-1) {
			return true
		}
	}
	return false
}

// TestThreats compares the search with the definition, checks its line with
// the walker's rules, and its zone: a reply outside does not disturb the win.
func TestThreats(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	wins, losses := 0, 0
	for _, b := range boards(t) {
		if b.N > 64 {
			continue
		}
		g, err := newGeometry[[1]uint64, [16]uint64](b)
		if err != nil {
			t.Fatal(err)
		}
		th := newThreats(g, logRefuted)
		finder, err := NewThreats(Game{Board: b, Rules: board.Normal})
		if err != nil {
			t.Fatal(err)
		}
		for range 400 {
			p := g.start([2]bool{true, true})
			marks := random(r, b, g, &p)
			for side := range 2 {
				const depth = 4
				got := th.win(&p, side, 1<<20)
				want := slowThreats(b, marks, side, depth)
				line := finder.Win(marks[side], marks[1-side], oxo.Seat(side), 1<<20)
				if got != (line != nil) {
					t.Fatalf("win is %v but the finder's line is %v", got, line)
				}
				if !got {
					if losses++; want {
						t.Fatalf("%d squares, %v, side %d: a win was missed", b.N, marks, side)
					}
					continue
				}
				wins++
				if !want && len(th.line) <= depth {
					t.Fatalf("%d squares, %v, side %d: %v is no win", b.N, marks, side, th.line)
				}
				checkLine(t, b, marks, side, line)
				zone := th.zone
				for sq := range unpack(minus(p.free, zone)).All() {
					if slowCompletions(b, marks, 1-side).Has(sq) {
						continue
					}
					q := p
					g.play(&q, side^1, sq)
					if !th.win(&q, side, 1<<20) {
						t.Fatalf("%d squares, %v, side %d: the reply %d is outside the zone but stops the win", b.N, marks, side, sq)
					}
				}
			}
		}
	}
	if wins < 200 || losses < 200 {
		t.Errorf("%d wins and %d others: too few of a kind to tell", wins, losses)
	}
}

// checkLine checks that line, moves in turn, ends with side completing a line
// and leaves the other side no choice before.
func checkLine(t *testing.T, b *board.Board, marks [2]board.Set, side int, line []int) {
	t.Helper()
	for k, sq := range line {
		mover := side ^ k&1
		if marks[0].Or(marks[1]).Has(sq) {
			t.Fatalf("line %v: %d is not free", line, sq)
		}
		completes := slowCompletions(b, marks, mover).Has(sq)
		if last := k == len(line)-1; completes != last || last && mover != side {
			t.Fatalf("line %v of %v, side %d: wrong at %d", line, marks, side, sq)
		}
		if mover != side && !slowCompletions(b, marks, side).Has(sq) {
			t.Fatalf("line %v of %v, side %d: the reply %d is not forced", line, marks, side, sq)
		}
		marks[mover] = marks[mover].With(sq)
	}
}

func TestPairing(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found, paired := 0, 0
	for _, b := range boards(t) {
		if b.N > 64 {
			continue
		}
		g, err := newGeometry[[1]uint64, [16]uint64](b)
		if err != nil {
			t.Fatal(err)
		}
		a := pairings[[1]uint64, [16]uint64]{g: g}
		for range 300 {
			p := g.start([2]bool{true, true})
			marks := random(r, b, g, &p)
			if !a.find(&p, 300) {
				continue
			}
			found++
			if len(a.pairs) > 0 {
				paired++
			}
			used := marks[0].Or(marks[1])
			for _, pair := range a.pairs {
				if pair[0] == pair[1] || used.Has(pair[0]) || used.Has(pair[1]) {
					t.Fatalf("%v: pairs overlap or are not free", a.pairs)
				}
				used = used.With(pair[0]).With(pair[1])
			}
			sum, danger := 0.0, make([]float64, b.N)
			for _, line := range b.Lines {
				held := slowNeed(line, marks, attacker) < 0
				for _, pair := range a.pairs {
					held = held || line.Need.Has(pair[0]) && line.Need.Has(pair[1])
				}
				if held {
					continue
				}
				left := line.Need.Minus(used)
				sum += math.Ldexp(1, -left.Len())
				for sq := range left.All() {
					danger[sq] += math.Ldexp(1, -left.Len())
				}
			}
			if worst := slices.Max(danger); sum+worst >= 1 {
				t.Fatalf("%v: the lines left have the sum %v and the worst square %v", a.pairs, sum, worst)
			}
		}
	}
	if found < 50 || paired < 20 {
		t.Errorf("only %d held, %d by pairs", found, paired)
	}
}

// TestCanonical checks that the images of a position have one key, and that
// the permutation leads to one representative.
func TestCanonical(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, b := range boards(t) {
		if b.N > 64 {
			continue
		}
		y := newSymmetry[[1]uint64](b.N, elements(b))
		image := func(c [3][1]uint64, k int) (d [3][1]uint64) {
			for i := range c {
				d[i] = y.image(c[i], k)
			}
			return d
		}
		var near, none images[[1]uint64]
		y.set(&none, [3][1]uint64{})
		for range 20 {
			var c [3][1]uint64
			for i := range b.N {
				if k := r.IntN(5); k < 3 {
					c[k] = with(c[k], i)
				}
			}
			key, perm := y.canonical(&none, c)
			other := image(c, r.IntN(len(y.perms)))
			y.set(&near, other)
			key2, perm2 := y.canonical(&near, other)
			if key != key2 || image(c, perm) != image(other, perm2) {
				t.Fatalf("%d squares: two images of a position differ", b.N)
			}
		}
	}
}

// TestMirror checks who may answer by a mirror, and that each square's image is
// the one through the middle of the board.
func TestMirror(t *testing.T) {
	square := func(n int, gravity bool) *board.Board {
		b, err := grid.New(grid.Shape{Cols: n, Rows: n, Run: 3, Gravity: gravity})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct {
		game Game
		seat oxo.Seat
		want bool
	}{
		{Game{Board: square(3, false), Rules: board.Misere}, oxo.First, true},
		{Game{Board: square(3, false), Rules: board.Misere}, oxo.Second, false},
		{Game{Board: square(4, false), Rules: board.Misere}, oxo.First, false},
		{Game{Board: square(4, false), Rules: board.Misere}, oxo.Second, true},
		{Game{Board: square(3, false), Rules: board.Normal}, oxo.First, false},
		{Game{Board: square(3, true), Rules: board.Misere}, oxo.First, false},
		{Game{Board: square(3, false), Rules: board.Avoider}, oxo.First, false},
		{Game{Board: square(3, false), Rules: board.Misere, Marks: [2]board.Set{board.SetOf(0)}, Turn: oxo.Second}, oxo.First, false},
	} {
		perm := c.game.mirror(c.seat, elements(c.game.Board))
		if (perm != nil) != c.want {
			t.Errorf("%d squares, %s, %v: %v, want a mirror: %v", c.game.Board.N, c.game.Rules.Name, c.seat, perm, c.want)
		}
		for i, j := range perm {
			if int(j) != c.game.Board.N-1-i {
				t.Errorf("%d squares: the image of square %d is %d", c.game.Board.N, i, j)
			}
		}
	}
}

// unpack returns the squares of a as a set.
func unpack[S squares](a S) board.Set {
	var w [4]uint64
	for i := 0; i < len(a); i++ {
		w[i] = a[i]
	}
	return board.Set{A: w[0], B: w[1], C: w[2], D: w[3]}
}
