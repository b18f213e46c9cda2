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

// TestParsePlayable reads all marks on 3×3 with either side to move: all but those on a
// full board or with a line, and those that play leads to as Parse reads them. Play from
// there takes turns and ends with a line or a full board.
func TestParsePlayable(t *testing.T) {
	b := must(t)(grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3}))
	g := board.Game64("g", "g", b, board.Normal)
	owned := func(s board.Set) bool {
		for i := range b.Lines {
			if b.Lines[i].Owned(s) {
				return true
			}
		}
		return false
	}
	played := 0
	for code := range 19683 {
		var x, o board.Set
		for i, rest := 0, code; i < 9; i, rest = i+1, rest/3 {
			switch rest % 3 {
			case 1:
				x = x.With(i)
			case 2:
				o = o.With(i)
			}
		}
		for seat, side := range []string{"x", "o"} {
			text := b.Format(x, o) + " " + side
			p, err := g.ParsePlayable(text)
			if playable := x.Len()+o.Len() < 9 && !owned(x) && !owned(o); playable != (err == nil) {
				t.Fatalf("%s: %v", text, err)
			}
			if err != nil {
				continue
			}
			played++
			if p.Turn() != oxo.Seat(seat) || g.Format(p) != text {
				t.Fatalf("%s is read as %s", text, g.Format(p))
			}
			if legal, err := g.Parse(text); err == nil && legal != p {
				t.Fatalf("%s: %v, but %v where play leads there", text, p, legal)
			}
			for m := p; ; {
				mx, mo := m.Marks()
				if over := owned(mx) || owned(mo) || mx.Len()+mo.Len() == 9; over != (m.Outcome() != oxo.Ongoing) {
					t.Fatalf("from %s to %s: %v", text, g.Format(m), m.Outcome())
				}
				if m.Outcome() != oxo.Ongoing {
					break
				}
				next := m.Play(m.Moves(nil)[0])
				if next.Turn() == m.Turn() {
					t.Fatalf("from %s %s is to move twice", text, g.Format(m))
				}
				m = next
			}
		}
	}
	if played == 0 {
		t.Fatal("nothing can be played")
	}
	for _, bad := range []string{"", ".../...", ".../... x", "xxx/.../... o", "xoz/.../... o", ".../.../... z"} {
		if _, err := g.ParsePlayable(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
