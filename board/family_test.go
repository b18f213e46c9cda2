package board_test

import (
	"strings"
	"testing"

	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/plane"
	"oxo/gametest"
)

func must(t testing.TB) func(*board.Board, error) *board.Board {
	return func(b *board.Board, err error) *board.Board {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

func mnk(t testing.TB, m, n, k int) *board.Board {
	return must(t)(grid.New(grid.Shape{Cols: m, Rows: n, Run: k}))
}

// TestConformance runs the kit on every rule, on boards that fall, slip, wrap,
// bar longer rows, and have no grid.
func TestConformance(t *testing.T) {
	boards := []struct {
		name  string
		board *board.Board
	}{
		{"3x3", mnk(t, 3, 3, 3)},
		{"4x3", mnk(t, 4, 3, 3)},
		{"falling", must(t)(grid.New(grid.Shape{Cols: 4, Rows: 3, Run: 3, Gravity: true}))},
		{"torus", must(t)(grid.New(grid.Shape{Cols: 3, Rows: 4, Run: 3, Torus: true}))},
		{"exact", must(t)(grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 3, Exact: true}))},
		{"cube", must(t)(cube.New(3, 3, false))},
		{"stack", must(t)(cube.New(3, 3, true))},
		{"plane", must(t)(plane.Projective(3))},
	}
	for _, b := range boards {
		for _, r := range board.AllRules {
			for _, slip := range []float64{0, 0.25} {
				if slip != 0 && b.name != "3x3" && b.name != "falling" {
					continue
				}
				r.Slip = slip
				name := b.name + "+" + r.Name
				if slip != 0 {
					name += "+slip"
				}
				t.Run(name, func(t *testing.T) {
					g := board.Game64(name, name, b.board, r)
					options := []gametest.RunOption{gametest.WithoutPerftFile(), gametest.Positions(60),
						gametest.Fresh(board.Again64)}
					if b.name == "plane" { // of whose short games a symmetry keeps every position
						options = append(options, gametest.HiddenSymmetries())
					}
					gametest.Run(t, g, options...)
				})
			}
		}
	}
}

func TestWideConformance(t *testing.T) {
	for _, b := range []struct {
		name  string
		board *board.Board
	}{
		{"9x9", mnk(t, 9, 9, 4)},
		{"full", mnk(t, 9, 9, 8)}, // random games come to their last squares
		{"16x16", mnk(t, 16, 16, 5)},
		{"falling", must(t)(grid.New(grid.Shape{Cols: 11, Rows: 9, Run: 4, Gravity: true}))},
		{"torus", must(t)(grid.New(grid.Shape{Cols: 9, Rows: 8, Run: 5, Torus: true, Exact: true}))},
		{"cube", must(t)(cube.New(5, 3, false))},
		{"plane", must(t)(plane.Affine(9))},
	} {
		for _, r := range []board.Rules{board.Normal, board.Breaker, board.Wild} {
			for _, slip := range []float64{0, 0.25} {
				if slip != 0 && b.name != "9x9" {
					continue
				}
				r.Slip = slip
				t.Run(b.name+"+"+r.Name, func(t *testing.T) {
					g := board.Game256(b.name, b.name, b.board, r)
					gametest.Run(t, g, gametest.WithoutPerftFile(), gametest.Positions(30),
						gametest.Fresh(board.Again256))
				})
			}
		}
	}
}

// TestColumns: where marks fall a column's letter is the move to where a mark comes to rest in it.
func TestColumns(t *testing.T) {
	b := must(t)(grid.New(grid.Shape{Cols: 4, Rows: 3, Run: 3, Gravity: true}))
	g := board.Game64("g", "g", b, board.Rules{})
	p := g.Start
	for _, name := range []string{"b1", "b2", "b3", "D1", "a1"} {
		m, err := g.ParseMove(p, name[:1])
		if want, wrong := g.ParseMove(p, name); err != nil || wrong != nil || m != want {
			t.Fatalf("%s is %v, %v; want %v", name[:1], m, err, want)
		}
		p = p.Play(m)
	}
	for text, want := range map[string]string{"b": "full", "e": "no such square", "": "no such square"} {
		if _, err := g.ParseMove(p, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	flat := board.Game64("g", "g", mnk(t, 4, 3, 3), board.Rules{})
	if _, err := flat.ParseMove(flat.Start, "b"); err == nil {
		t.Error("a column is a move where nothing falls")
	}
}

// TestWideIsNarrow plays the same game on both position types, whose sets of squares
// to move to are found in different ways: on boards that fall by one step or by
// several, too, and where marks slip.
func TestWideIsNarrow(t *testing.T) {
	b := mnk(t, 4, 3, 3)
	falls := must(t)(grid.New(grid.Shape{Cols: 4, Rows: 3, Run: 3, Gravity: true}))
	leans := mnk(t, 4, 3, 3)
	if err := leans.SetBelow([]int{4, -1, -1, 2, -1, 4, 5, 3, 4, 8, 6, 7}); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*board.Board{b, falls, leans} {
		for _, r := range board.AllRules {
			for _, slip := range []float64{0, 0.25} {
				r.Slip = slip
				narrow, wide := board.Game64("g", "g", b, r), board.Game256("g", "g", b, r)
				depth := 6
				if r.Place == board.Either || slip != 0 {
					depth = 4
				}
				if got, want := gametest.Perft(wide.Start, depth), gametest.Perft(narrow.Start, depth); got != want {
					t.Errorf("%q, slip %v, below %v: %d leaves at depth %d on wide sets, %d on narrow ones", r.Name,
						slip, b.Below, got, depth, want)
				}
			}
		}
	}
}

func TestNodes(t *testing.T) {
	for _, c := range []struct {
		board *board.Board
		rules board.Rules
		want  uint64
	}{
		{mnk(t, 3, 3, 3), board.Normal, 549946}, // a well-known number
		{mnk(t, 3, 3, 3), board.Maker, 0},
		{mnk(t, 4, 2, 2), board.Normal, 0},
		{mnk(t, 3, 3, 3), board.Notakto, 0},
		{must(t)(grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3, Gravity: true})), board.Normal, 0},
	} {
		p := board.Game64("g", "g", c.board, c.rules).Start
		got := p.Nodes()
		if slow := p.SlowNodes(); got != slow {
			t.Errorf("%q: %d nodes, walked move by move %d", c.rules.Name, got, slow)
		}
		if c.want != 0 && got != c.want {
			t.Errorf("%q: %d nodes, want %d", c.rules.Name, got, c.want)
		}
	}
}

// TestKernels: the games that kernels are for have them.
func TestKernels(t *testing.T) {
	slips := board.Normal
	slips.Slip = 0.25
	for _, c := range []struct {
		board              *board.Board
		rules              board.Rules
		playout, alphabeta bool
	}{
		{mnk(t, 3, 3, 3), board.Normal, true, true},
		{mnk(t, 4, 4, 4), board.Misere, true, true},
		{mnk(t, 3, 3, 3), board.Wild, false, false},
		{mnk(t, 3, 3, 3), slips, false, false},
		{mnk(t, 5, 4, 4), board.Normal, true, false},
		{must(t)(grid.New(grid.Shape{Cols: 4, Rows: 3, Run: 3, Gravity: true})), board.Normal, true, false},
	} {
		if g := board.Game64("g", "g", c.board, c.rules); (g.Playout != nil) != c.playout ||
			(g.AlphaBeta != nil) != c.alphabeta {
			t.Errorf("%d squares, %q: kernels for playouts %v, alpha-beta %v", c.board.N, c.rules.Name,
				g.Playout != nil, g.AlphaBeta != nil)
		}
	}
	for _, c := range []struct {
		board   *board.Board
		rules   board.Rules
		playout bool
	}{
		{mnk(t, 9, 9, 4), board.Normal, true},
		{mnk(t, 16, 16, 8), board.Breaker, true},
		{mnk(t, 15, 15, 5), board.Wild, false},
		{mnk(t, 15, 15, 5), slips, false},
		{mnk(t, 12, 12, 9), board.Normal, false}, // too long for a few shifts
		{must(t)(cube.New(5, 3, false)), board.Normal, false},
	} {
		if g := board.Game256("g", "g", c.board, c.rules); (g.Playout != nil) != c.playout {
			t.Errorf("%d squares, %q: a kernel for playouts: %v", c.board.N, c.rules.Name, g.Playout != nil)
		}
	}
}
