package lines

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo/threats"
)

// exactGrid gives a grid's lines their bars: the squares that would make a row
// longer.
func exactGrid(cols, rows, run int) threats.Board {
	b := grid(cols, rows, run)
	long := grid(cols, rows, run+1)
	for _, line := range b.Need {
		var bar []int
		for _, l := range long.Need {
			if !slices.ContainsFunc(line, func(s int) bool { return !slices.Contains(l, s) }) {
				for _, s := range l {
					if !slices.Contains(line, s) {
						bar = append(bar, s)
					}
				}
			}
		}
		b.Bar = append(b.Bar, bar)
	}
	return b
}

// odd is a board without a grid whose lines have different lengths.
func odd() threats.Board {
	return threats.Board{Squares: 9, Need: [][]int{{0, 1}, {1, 2, 3}, {3, 4, 5, 6}, {0, 6, 7}, {8, 2, 4, 1, 7}, {5, 8}}}
}

var boards = map[string]threats.Board{"grid": grid(7, 6, 4), "exact": exactGrid(7, 6, 4), "odd": odd(),
	"five": grid(8, 8, 5)}

func mustState(t testing.TB, b threats.Board) *state {
	t.Helper()
	p, err := newState(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustSearcher(t testing.TB, b threats.Board, tableBytes int, tuning Tuning) *searcher {
	t.Helper()
	x, err := newSearcher(b, tableBytes, tuning)
	if err != nil {
		t.Fatal(err)
	}
	x.ctx = context.Background()
	return x
}

// check compares what a state keeps with what its marks say.
func check(t *testing.T, b threats.Board, p *state) {
	t.Helper()
	for side := range 2 {
		var count [dead + 1]int32
		view := make([]int32, p.n)
		worth := int32(0)
		for l, need := range b.Need {
			rest, lost := 0, false
			for _, s := range need {
				switch p.mark[s] {
				case empty:
					rest++
				case uint8(side ^ 1):
					lost = true
				}
			}
			if b.Bar != nil {
				for _, s := range b.Bar[l] {
					lost = lost || p.mark[s] == uint8(side)
				}
			}
			if rest = min(rest, near); lost {
				rest = dead
			}
			count[rest]++
			worth += p.value[rest]
			for _, s := range need {
				view[s] += weight[rest]
			}
		}
		if count != p.count[side] || worth != p.worth[side] || p.net == nil && !slices.Equal(view, p.view[side]) {
			t.Fatalf("side %d: counts %v, want %v; worth %d, want %d", side, p.count[side], count, p.worth[side], worth)
		}
	}
}

// checkKinds compares the kinds that a state keeps, and their sums, with a state made anew from its marks.
func checkKinds(t *testing.T, b threats.Board, p *state) {
	t.Helper()
	fresh := mustState(t, b)
	for s, side := range p.mark {
		if side != empty {
			fresh.play(int(side), s)
		}
	}
	p.updateKinds()
	fresh.updateKinds()
	sums := p.net.emptySums()
	for side := range 2 {
		for s := range p.n {
			if k := p.kind[side][s]; k != fresh.kind[side][s] || p.mark[s] != empty && k != 0 {
				t.Fatalf("side %d: square %d is of kind %d, want %d", side, s, k, fresh.kind[side][s])
			}
		}
	}
	for s := range p.n {
		sums.replace(p.net, [2]uint8{}, [2]uint8{p.kind[0][s], p.kind[1][s]})
	}
	if sums != p.seen {
		t.Fatalf("sums of kinds are %v, want %v", p.seen, sums)
	}
}

// TestKinds plays random games forth and back and settles now and then.
func TestKinds(t *testing.T) {
	for _, b := range []threats.Board{grid(8, 8, 5), exactGrid(8, 8, 5), arenas(t)["cube:4,3"]} {
		p := mustState(t, b)
		r := rand.New(rand.NewPCG(1, 2))
		order := r.Perm(p.n)
		for i, s := range order {
			p.play(i&1, s)
			if i%3 == 0 {
				checkKinds(t, b, p)
			}
		}
		for i, s := range slices.Backward(order) {
			p.undo(i&1, s)
			if i%3 == 1 {
				checkKinds(t, b, p)
			}
		}
	}
}

// TestState plays random games forth and back.
func TestState(t *testing.T) {
	for name, b := range boards {
		t.Run(name, func(t *testing.T) {
			p := mustState(t, b)
			r := rand.New(rand.NewPCG(1, 2))
			for range 20 {
				order := r.Perm(p.n)
				for i, s := range order {
					p.play(i&1, s)
					check(t, b, p)
				}
				for i, s := range slices.Backward(order) {
					p.undo(i&1, s)
					check(t, b, p)
				}
				if p.Hash(0) != 0 {
					t.Fatal("the empty board has another hash")
				}
			}
		})
	}
}

// owns reports by definition whether side owns a line.
func owns(b threats.Board, mark []uint8, side int) bool {
next:
	for l, need := range b.Need {
		for _, s := range need {
			if mark[s] != uint8(side) {
				continue next
			}
		}
		if b.Bar != nil {
			for _, s := range b.Bar[l] {
				if mark[s] == uint8(side) {
					continue next
				}
			}
		}
		return true
	}
	return false
}

// scatter plays random marks, more of them near each other than far, without a
// line owned.
func scatter(p *state, b threats.Board, r *rand.Rand, marks int) {
	p.reset()
	for i := 0; i < marks; {
		s := r.IntN(p.n)
		if p.mark[s] != empty {
			continue
		}
		p.play(i&1, s)
		if owns(b, p.mark, i&1) {
			p.undo(i&1, s)
			return
		}
		i++
	}
}
