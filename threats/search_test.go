package threats

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo/board/bitset"
)

func open(t testing.TB, b Board) *Finder {
	t.Helper()
	f, err := NewFinder(b, [2]bool{true, true}, 12, 12)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestState compares what a state says of lines with its marks.
func TestState(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, b := range boards(t) {
		testState[[1]uint64, [16]uint64](t, r, name, b)
		testState[[4]uint64, [40]uint64](t, r, name, b)
		testState[[7]uint64, [256]uint64](t, r, name, b)
	}
}

func testState[S bitset.Squares, Q Lines](t *testing.T, r *rand.Rand, name string, b Board) {
	g, err := NewGeometry[S, Q](b)
	if err != nil {
		var s S
		var q Q
		if b.Squares <= 64*len(s) && b.Words() <= len(q) {
			t.Fatal(err)
		}
		return
	}
	p, twin := g.EmptyBoard([2]bool{true, true}), plain{Board: b, mark: make([]uint8, b.Squares)}
	for s := range twin.mark {
		twin.mark[s] = empty
	}
	for i, s := range r.Perm(b.Squares) {
		g.Play(&p, i&1, s)
		twin.mark[s] = uint8(i & 1)
		for side := range 2 {
			live := map[int]bool{}
			for l := range b.Need {
				want := twin.need(l, side)
				for n := 1; n <= g.Longest; n++ {
					if got := g.LinesNeeding(&p, side, n, l>>6)>>(l&63)&1 != 0; want != 0 && got != (n == want) {
						t.Fatalf("%s: line %d of side %d needs %d: %v, but it needs %d", name, l, side, n, got, want)
					}
				}
				if want == 1 || want == 2 {
					live[l>>6] = true
				}
				if dead := g.DeadLines(&p, side, l>>6)>>(l&63)&1 != 0; want != 0 && dead != (want < 0) {
					t.Fatalf("%s: line %d of side %d is dead: %v, but it needs %d", name, l, side, dead, want)
				}
			}
			for i := g.nextCloseWord(&p, side, 0); i < g.Words; i = g.nextCloseWord(&p, side, i+1) {
				delete(live, i)
			}
			if len(live) > 0 {
				t.Fatalf("%s: words with lines of need one or two are passed over: %v", name, live)
			}
		}
		if i > 12 && r.IntN(8) == 0 {
			return
		}
	}
}

// TestWin compares the search with the slow twin on random positions: whether there
// is a win, of both sides, all its first moves, its line, and its zone.
func TestWin(t *testing.T) {
	for name, b := range boards(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, r := open(t, b), rand.New(rand.NewPCG(3, uint64(len(name))))
			twin := &plain{Board: b, mark: make([]uint8, b.Squares)}
			wins, others := 0, 0
			positions := 150
			if b.Squares > 100 {
				positions = 12
			}
			for range positions {
				twin.scatter(r, f, 1+r.IntN(max(2, min(b.Squares*2/3, 60))))
				for side := range 2 {
					twin.tries = ease
					want := twin.wins(side)
					if twin.tries < 0 {
						continue
					}
					if want {
						wins++
					} else {
						others++
					}
					checkWin(t, f, twin, side, want)
				}
			}
			if b.Squares > 9 && b.Squares <= 100 && (wins < 15 || others < 15) {
				t.Errorf("%d wins and %d others: too few of a kind to tell", wins, others)
			}
		})
	}
}

func checkWin(t *testing.T, f *Finder, twin *plain, side int, want bool) {
	t.Helper()
	ctx := context.Background()
	if f.WinsByThreats(ctx, side, 1<<30, Likely) && !want {
		t.Fatalf("side %d of %v does not win by %v", side, twin.mark, f.Line())
	}
	for _, mode := range []Mode{Every, Useful} {
		// A threat that is of no use to the attacker can bar the enemy from a line.
		if got := f.WinsByThreats(ctx, side, 1<<30, mode); got != want && (got || mode == Every || twin.Bar == nil) {
			t.Fatalf("mode %d: %v, want %v: side %d of %v", mode, got, want, side, twin.mark)
		}
	}
	if len(twin.mark) > 100 {
		return
	}
	var first []int
	twin.tries = 20 * ease
	for s := range twin.mark {
		if twin.legal(s) && twin.keeps(side, s) {
			first = append(first, s)
		}
	}
	moves, all := f.WinningMoves(ctx, side, 1<<30)
	if twin.tries < 0 {
		return
	}
	if !all || !slices.Equal(moves, first) && twin.Bar == nil {
		t.Fatalf("first moves %v, want %v: side %d of %v", moves, first, side, twin.mark)
	}
	if !want || !f.WinsByThreats(ctx, side, 1<<30, Useful) {
		return
	}
	zone := f.Zone()
	checkForced(t, twin, side, f.ForcedSequence(side))
	for s := range twin.mark {
		if !twin.legal(s) || bitset.Has(zone, s) || slices.Contains(twin.missing(side^1, 1), s) {
			continue
		}
		twin.mark[s] = uint8(side ^ 1)
		twin.tries = ease
		if !twin.wins(side) && twin.tries >= 0 {
			t.Fatalf("a reply on %d, outside the zone, disturbs the win of side %d by %v", s, side, f.Line())
		}
		twin.mark[s] = empty
	}
}

// checkForced checks that line, moves in turn, ends with side completing a line
// and leaves the other side no choice before.
func checkForced(t *testing.T, b *plain, side int, line []int) {
	t.Helper()
	mark := slices.Clone(b.mark)
	for k, s := range line {
		mover := side ^ k&1
		if !b.legal(s) {
			t.Fatalf("line %v: %d may not be played", line, s)
		}
		last := k == len(line)-1
		if slices.Contains(b.missing(mover, 1), s) != last || last && mover != side {
			t.Fatalf("line %v, side %d of %v: wrong at %d", line, side, mark, s)
		}
		if mover != side && !slices.Contains(b.missing(side, 1), s) || mover == side && !last &&
			len(b.missing(side, 1)) > 0 {
			t.Fatalf("line %v, side %d of %v: %d is not forced", line, side, mark, s)
		}
		b.mark[s] = uint8(mover)
	}
	copy(b.mark, mark)
}

// TestSlow compares the search for threats of both speeds with the slow twin.
func TestSlow(t *testing.T) {
	all := boards(t)
	for _, c := range []struct {
		name string
		wins int
	}{{"three", 0}, {"torus", 3}, {"exact", 1}, {"falling", 2}, {"odd", 0}, {"projective", 0}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := all[c.name]
			r, twin := rand.New(rand.NewPCG(5, 6)), &plain{Board: b, mark: make([]uint8, b.Squares)}
			f := open(t, b)
			wins, others, more := 0, 0, 0
			for range 200 {
				twin.scatter(r, f, b.Squares/4+r.IntN(b.Squares/2))
				for side := range 2 {
					const depth = 2
					twin.tries = ease
					want := twin.slow(side, depth)
					if twin.tries < 0 || f.WinsByThreats(context.Background(), side, 1<<30, Every) {
						continue
					}
					s, cut := f.slowTo(side, depth)
					if cut || (s >= 0) != want {
						t.Fatalf("%d, want a win: %v, side %d of %v", s, want, side, twin.mark)
					}
					if want {
						wins++
					} else {
						others++
					}
					s = f.SlowWinningMove(context.Background(), side, 3000, Likely)
					moves := f.SlowWinningMoves(context.Background(), side, 3000, Likely)
					if s >= 0 && !slices.Contains(moves, s) {
						t.Fatalf("%d, and %v as all, side %d of %v", s, moves, side, twin.mark)
					}
					for _, s := range moves {
						if more++; !twin.deeply(side, s) {
							t.Fatalf("%d does not win for side %d of %v", s, side, twin.mark)
						}
					}
				}
			}
			if wins < c.wins || others < 10 || c.wins > 1 && more <= wins {
				t.Errorf("%d wins by %d moves, and %d others: too few of a kind to tell", wins, more, others)
			}
		})
	}
}

// TestStops checks that limits and contexts end a search, which then finds nothing,
// and that the same search finds the same again.
func TestStops(t *testing.T) {
	b := boards(t)["20x20"]
	f, twin := open(t, b), &plain{Board: b, mark: make([]uint8, b.Squares)}
	r := rand.New(rand.NewPCG(7, 8))
	done, cancel := context.WithCancel(context.Background())
	cancel()
	found, cut := 0, 0
	for range 200 {
		twin.scatter(r, f, 120)
		before := f.Nodes()
		if f.WinsByThreats(done, 0, 1<<40, Every) {
			found++
		}
		if n := f.Nodes() - before; n > 2*pollEvery {
			t.Fatalf("%d positions after the context was done", n)
		}
		before = f.Nodes()
		won := f.WinsByThreats(context.Background(), 1, 5, Every)
		if n := f.Nodes() - before; n > 50 {
			t.Fatalf("%d positions of 5", n)
		}
		if whole := f.WinsByThreats(context.Background(), 1, 20_000, Every); won && !whole {
			t.Fatal("a win is not found again")
		} else if whole && !won {
			cut++
		}
		g := open(t, b)
		for s, side := range twin.mark {
			if side != empty {
				g.Play(int(side), s)
			}
		}
		moves, _ := f.WinningMoves(context.Background(), 0, 500)
		again, _ := g.WinningMoves(context.Background(), 0, 500)
		if !slices.Equal(moves, again) {
			t.Fatalf("%v, and anew %v", moves, again)
		}
	}
	if found == 0 || cut == 0 {
		t.Errorf("%d wins found, %d cut: too few to tell", found, cut)
	}
}

// TestBadBoards checks that boards that can't be are refused.
func TestBadBoards(t *testing.T) {
	for name, b := range map[string]Board{
		"no squares":   {Need: [][]int{{0}}},
		"many squares": {Squares: maxSquares + 1, Need: [][]int{{0}}},
		"no need":      {Squares: 3, Need: [][]int{{}}},
		"off":          {Squares: 3, Need: [][]int{{3}}},
		"twice":        {Squares: 3, Need: [][]int{{1, 1}}},
		"bars":         {Squares: 3, Need: [][]int{{1}}, Bar: [][]int{{0}, {2}}},
		"bar off":      {Squares: 3, Need: [][]int{{1}}, Bar: [][]int{{-1}}},
		"below":        {Squares: 3, Need: [][]int{{1}}, Below: []int{-1, 0}},
		"below itself": {Squares: 2, Need: [][]int{{1}}, Below: []int{-1, 1}},
		"long":         {Squares: maxSquares, Need: [][]int{make([]int, maxLength+1)}},
	} {
		if _, err := NewFinder(b, [2]bool{true, true}, 4, 4); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
