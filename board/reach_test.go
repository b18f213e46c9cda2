package board_test

import (
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
)

// TestUnreachable asks of all marks on small boards whether play leads to them,
// and compares with all play.
func TestUnreachable(t *testing.T) {
	for _, shape := range []grid.Shape{{Cols: 3, Rows: 3, Run: 3}, {Cols: 3, Rows: 3, Run: 2},
		{Cols: 3, Rows: 3, Run: 2, Exact: true},
		{Cols: 3, Rows: 3, Run: 3, Gravity: true}, {Cols: 4, Rows: 2, Run: 2, Gravity: true, Exact: true}} {
		b := must(t)(grid.New(shape))
		for _, r := range board.AllRules {
			start := board.Game64("g", "g", b, r).Start
			reached := map[[2]board.Set]bool{}
			seen := map[board.Pos64]bool{}
			var walk func(p board.Pos64)
			walk = func(p board.Pos64) {
				if seen[p] {
					return
				}
				seen[p] = true
				x, o := p.Marks()
				reached[[2]board.Set{x, o}] = true
				if p.Outcome() == oxo.Ongoing {
					for _, m := range p.Moves(nil) {
						walk(p.Play(m))
					}
				}
			}
			walk(start)
			count := 0
			var marks func(square int, x, o board.Set)
			marks = func(square int, x, o board.Set) {
				if square < b.N {
					marks(square+1, x, o)
					marks(square+1, x.With(square), o)
					marks(square+1, x, o.With(square))
					return
				}
				err := start.Unreachable(x, o)
				if want := reached[[2]board.Set{x, o}]; (err == nil) != want {
					t.Fatalf("%+v, rules %q: x %v, o %v: reached by play: %v, but %v", shape, r.Name, x.Squares(),
						o.Squares(), want, err)
				}
				count++
			}
			marks(0, board.Set{}, board.Set{})
			if len(reached) < 10 || len(reached) >= count {
				t.Errorf("%+v, rules %q: %d of %d marks reached", shape, r.Name, len(reached), count)
			}
		}
	}
}
