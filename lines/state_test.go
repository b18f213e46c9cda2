package lines

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// exactGrid gives a grid's lines their bars: the squares that would make a row
// longer.
func exactGrid(cols, rows, run int) Board {
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
func odd() Board {
	return Board{Squares: 9, Need: [][]int{{0, 1}, {1, 2, 3}, {3, 4, 5, 6}, {0, 6, 7}, {8, 2, 4, 1, 7}, {5, 8}}}
}

var boards = map[string]Board{"grid": grid(7, 6, 4), "exact": exactGrid(7, 6, 4), "odd": odd(), "five": grid(8, 8, 5)}

func mustState(t testing.TB, b Board) *state {
	t.Helper()
	g, err := newGeometry(b)
	if err != nil {
		t.Fatal(err)
	}
	return newState(g)
}

// check compares what a state keeps with what its marks say.
func check(t *testing.T, b Board, p *state) {
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
			for k := range 3 {
				if got := p.close[side][k][l>>6]>>(l&63)&1 != 0; got != (k == rest) {
					t.Fatalf("line %d of side %d: rest %d, and in the lines of rest %d: %v", l, side, rest, k, got)
				}
			}
		}
		if count != p.count[side] || worth != p.worth[side] || !slices.Equal(view, p.view[side]) {
			t.Fatalf("side %d: counts %v, want %v; worth %d, want %d", side, p.count[side], count, p.worth[side], worth)
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
				if p.hash != 0 {
					t.Fatal("the empty board has another hash")
				}
			}
		})
	}
}

// TestPut checks that put keeps what it promises, and that take restores all.
func TestPut(t *testing.T) {
	for name, b := range boards {
		t.Run(name, func(t *testing.T) {
			p, q := mustState(t, b), mustState(t, b)
			r := rand.New(rand.NewPCG(3, 4))
			for range 100 {
				order := r.Perm(p.n)
				p.reset()
				q.reset()
				half := r.IntN(p.n)
				for i, s := range order[:half] {
					p.play(i&1, s)
					q.play(i&1, s)
				}
				for i, s := range order[half:] {
					p.put(i&1, s)
					q.play(i&1, s)
					for side := range 2 {
						for k := 1; k <= 2; k++ {
							if p.count[side][k] != q.count[side][k] || !slices.Equal(p.close[side][k], q.close[side][k]) {
								t.Fatalf("side %d has other lines of rest %d", side, k)
							}
						}
					}
					if p.hash != q.hash || !slices.Equal(p.mark, q.mark) {
						t.Fatal("another hash or other marks")
					}
				}
				for i, s := range slices.Backward(order[half:]) {
					p.take(i&1, s)
					q.undo(i&1, s)
				}
				if !reflect.DeepEqual(p, q) {
					t.Fatal("not restored")
				}
			}
		})
	}
}
