package wide_test

import (
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/games/wide"
	"oxo/gametest"
)

func game(t testing.TB, s grid.Shape, r board.Rules) *oxo.Game[wide.Pos] {
	t.Helper()
	g, err := wide.New("wide", "wide", s, r)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// again builds a position again from its text.
func again(t testing.TB, g *oxo.Game[wide.Pos]) func(wide.Pos) wide.Pos {
	return func(p wide.Pos) wide.Pos {
		q, err := g.Parse(g.Format(p))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
}

// TestConformance runs the kit on every rule.
func TestConformance(t *testing.T) {
	for _, s := range []grid.Shape{
		{Cols: 4, Rows: 3, Run: 3},
		{Cols: 5, Rows: 4, Run: 3, Exact: true},
		{Cols: 4, Rows: 4, Run: 3, Gravity: true},
		{Cols: 20, Rows: 20, Run: 5},
	} {
		for _, r := range board.AllRules {
			if s.Cols == 20 && r.Name != "" && r.Name != "wild" {
				continue
			}
			for _, slip := range []float64{0, .25} {
				if slip != 0 && (s.Cols == 20 || s.Exact) {
					continue
				}
				r.Slip = slip
				g := game(t, s, r)
				n := 60
				if s.Cols == 20 {
					n = 12
				}
				t.Run(r.Name, func(t *testing.T) {
					gametest.Run(t, g, gametest.WithoutPerftFile(), gametest.Positions(n), gametest.Fresh(again(t, g)))
				})
			}
		}
	}
}

// TestAsBoard plays the same random games here and on package board.
func TestAsBoard(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for _, s := range []grid.Shape{
		{Cols: 4, Rows: 3, Run: 3}, {Cols: 5, Rows: 5, Run: 4}, {Cols: 5, Rows: 5, Run: 3, Exact: true},
		{Cols: 7, Rows: 6, Run: 4, Gravity: true}, {Cols: 8, Rows: 8, Run: 5},
	} {
		b, err := grid.New(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range board.AllRules {
			g, h := game(t, s, r), board.Game64("board", "board", b, r)
			if g.Symmetries.Cmp(h.Symmetries) != 0 {
				t.Errorf("%+v: %v symmetries, want %v", s, g.Symmetries, h.Symmetries)
			}
			for range 20 {
				p, q := g.Start, h.Start
				for {
					if p.Outcome() != q.Outcome() || p.Turn() != q.Turn() || g.Format(p) != h.Format(q) {
						t.Fatalf("%+v %q: %s %v, want %s %v", s, r.Name, g.Format(p), p.Outcome(), h.Format(q),
							q.Outcome())
					}
					_, size := g.Canonical(p)
					if _, want := h.Canonical(q); size != want {
						t.Fatalf("%+v: a class of %d positions, want %d: %s", s, size, want, g.Format(p))
					}
					moves, want := p.Moves(nil), q.Moves(nil)
					if len(moves) != len(want) {
						t.Fatalf("%+v: %d moves, want %d", s, len(moves), len(want))
					}
					if len(moves) == 0 {
						break
					}
					k := source.IntN(len(moves))
					if g.FormatMove(p, moves[k]) != h.FormatMove(q, want[k]) {
						t.Fatalf("%+v: move %s, want %s", s, g.FormatMove(p, moves[k]), h.FormatMove(q, want[k]))
					}
					p, q = p.Play(moves[k]), q.Play(want[k])
				}
			}
		}
	}
}

// TestOnlyTurns checks by the groups of smaller boards that shapes that are
// taken have no symmetries but turns and reflections.
func TestOnlyTurns(t *testing.T) {
	for cols := 2; cols <= 8; cols++ {
		for rows := 2; rows <= 8; rows++ {
			for run := 1; run <= 8; run++ {
				for _, gravity := range []bool{false, true} {
					s := grid.Shape{Cols: cols, Rows: rows, Run: run, Gravity: gravity}
					g, err := wide.New("wide", "wide", s, board.Normal)
					if err != nil {
						continue
					}
					b, err := grid.New(s)
					if err != nil {
						t.Fatal(err)
					}
					if want := b.Group().Order(); g.Symmetries.Cmp(want) != 0 {
						t.Errorf("%+v: %v symmetries, want %v", s, g.Symmetries, want)
					}
				}
			}
		}
	}
}

func TestRefuse(t *testing.T) {
	for _, s := range []grid.Shape{
		{Cols: 0, Rows: 3, Run: 3}, {Cols: 30, Rows: 30, Run: 5}, {Cols: 500, Rows: 500, Run: 5},
		{Cols: 18, Rows: 18, Run: 1},
		{Cols: 18, Rows: 18, Run: 2}, {Cols: 18, Rows: 18, Run: 18}, {Cols: 100, Rows: 4, Run: 5},
		{Cols: 18, Rows: 18, Run: 5, Torus: true},
	} {
		if _, err := wide.New("wide", "wide", s, board.Normal); err == nil {
			t.Errorf("%+v is taken", s)
		}
	}
}

func FuzzParse(f *testing.F) {
	gametest.Fuzz(f, game(f, grid.Shape{Cols: 18, Rows: 15, Run: 5}, board.Normal))
}
