package lines_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/wide"
	"oxo/lines"
	"oxo/threats"
)

func on(t testing.TB, cols, rows, run int, exact bool) *oxo.Game[board.Pos256] {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: cols, Rows: rows, Run: run, Exact: exact})
	if err != nil {
		t.Fatal(err)
	}
	return board.Game256("grid", "grid", b, board.Normal)
}

func player(t testing.TB, g *oxo.Game[board.Pos256], o lines.PlayerOptions) *lines.LinePlayer[board.Pos256] {
	t.Helper()
	p, err := lines.NewPlayer(threats.FromBoard(g.Start.Board()), lines.MarkAt[board.Pos256], o, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestWholeGames plays both seats against random moves on boards of all kinds,
// to the end, with every part of the search switched off in turn. Random moves
// never win.
func TestWholeGames(t *testing.T) {
	qubic, err := cube.New(4, 3, false)
	if err != nil {
		t.Fatal(err)
	}
	games := []*oxo.Game[board.Pos256]{on(t, 9, 9, 5, false), on(t, 8, 7, 4, true),
		board.Game256("cube", "cube", qubic, board.Normal)}
	parts := []lines.Tuning{{}, {NoTable: true}, {NoOrder: true}, {NoZone: true}, {NoExtend: true}, {NoReduce: true},
		{WholeList: true}}
	r := rand.New(rand.NewPCG(1, 2))
	for i, tuning := range parts {
		g := games[i%len(games)]
		x := player(t, g, lines.PlayerOptions{Nodes: 400, TableBytes: 1 << 16, Tuning: tuning})
		for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
			p := g.Start
			for p.Outcome() == oxo.Ongoing {
				moves := p.Moves(nil)
				m := moves[r.IntN(len(moves))]
				if p.Turn() == seat {
					c, err := x.Choose(context.Background(), p)
					if err != nil {
						t.Fatal(err)
					}
					m = c.Move
				}
				x, o := p.Marks()
				if marks := x.Or(o); marks.Has(int(m)) {
					t.Fatalf("%+v: %d is taken in %s", tuning, m, g.Format(p))
				}
				p = p.Play(m)
			}
			if p.Outcome() != oxo.WinFor(seat) {
				t.Errorf("%+v as %v of %s: %v", tuning, seat, g.Spec, p.Outcome())
			}
		}
	}
}

// TestFullBoard plays to a draw where nobody can own a line.
func TestFullBoard(t *testing.T) {
	g := on(t, 3, 3, 3, false)
	first, second := player(t, g, lines.PlayerOptions{Depth: 9}), player(t, g, lines.PlayerOptions{Depth: 9})
	p := g.Start
	for p.Outcome() == oxo.Ongoing {
		x := first
		if p.Turn() == oxo.Second {
			x = second
		}
		c, err := x.Choose(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		p = p.Play(c.Move)
	}
	if p.Outcome() != oxo.Drawn {
		t.Errorf("3×3 between two that see to the end: %v", p.Outcome())
	}
	if _, err := first.Choose(context.Background(), p); err == nil {
		t.Error("it moves after the end")
	}
}

// TestSameSeed checks that the same seed and limits give the same choices, and
// that a context that is done still gives one.
func TestSameSeed(t *testing.T) {
	g := on(t, 15, 15, 5, false)
	p := g.Start
	for _, m := range []oxo.Move{112, 113, 98} {
		p = p.Play(m)
	}
	a, b := player(t, g, lines.PlayerOptions{Nodes: 3000}), player(t, g, lines.PlayerOptions{Nodes: 3000})
	for range 3 {
		c, err := a.Choose(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		d, err := b.Choose(context.Background(), p)
		if err != nil || c != d {
			t.Fatalf("%+v and %+v, %v", c, d, err)
		}
		if c.Nodes < 1 || c.Nodes > 3000+128 {
			t.Errorf("%d nodes of 3000", c.Nodes)
		}
		p = p.Play(c.Move)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	c, err := a.Choose(done, p)
	if err != nil || !p.Playable().Has(int(c.Move)) {
		t.Errorf("with no time: %+v, %v", c, err)
	}
}

// TestWideBoard sees the marks of a board of 400 squares.
func TestWideBoard(t *testing.T) {
	g, err := wide.New("wide", "wide", grid.Shape{Cols: 20, Rows: 20, Run: 5}, board.Normal)
	if err != nil {
		t.Fatal(err)
	}
	need, bar := g.Start.Lines()
	x, err := lines.NewPlayer(threats.Board{Squares: 400, Need: need, Bar: bar}, wide.Pos.Mark,
		lines.PlayerOptions{Nodes: 1000}, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start
	for _, m := range []oxo.Move{399, 0, 398, 20, 397, 40, 396, 60} {
		p = p.Play(m)
	}
	c, err := x.Choose(context.Background(), p)
	if err != nil || c.Move != 395 || !c.Exact || c.Score != 1 {
		t.Errorf("%+v, %v: 395 wins", c, err)
	}
	p = p.Play(200)
	if c, err = x.Choose(context.Background(), p); err != nil || c.Move != 80 {
		t.Errorf("%+v, %v: 80 wins", c, err)
	}
}

func TestRefused(t *testing.T) {
	for _, b := range []threats.Board{
		{}, {Squares: 5}, {Squares: 500, Need: [][]int{{1}}}, {Squares: 3, Need: [][]int{{}}},
	} {
		if _, err := lines.NewPlayer(b, lines.MarkAt[board.Pos256], lines.PlayerOptions{}, 1); err == nil {
			t.Errorf("%+v is taken", b)
		}
	}
}

// TestRate: the move chosen is rated as the position was estimated, the others beside it, and the rating says nothing
// where a move is clear at once.
func TestRate(t *testing.T) {
	g := on(t, 9, 9, 5, false)
	p := g.Start
	for _, text := range []string{"e5", "d4", "e6"} {
		m, err := g.ParseMove(p, text)
		if err != nil {
			t.Fatal(err)
		}
		p = p.Play(m)
	}
	x := player(t, g, lines.PlayerOptions{Depth: 2, TableBytes: 1 << 16,
		Tuning: lines.Tuning{NoTable: true, NoReduce: true}})
	c, err := x.Choose(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	estimate := x.Estimate()
	list := x.Rate(t.Context(), p, 2_000)
	for _, r := range list {
		if r.Depth != 2 {
			t.Errorf("%s is rated %d plies deep", g.FormatMove(p, r.Move), r.Depth)
		}
	}
	if len(list) < 20 ||
		!slices.ContainsFunc(list, func(r oxo.Choice) bool { return r.Move == c.Move && r.Score == estimate }) {
		t.Errorf("%d rated; the choice is %+v, an estimate of %v", len(list), c, estimate)
	}
	if list := x.Rate(t.Context(), p, 3); list != nil {
		t.Errorf("in three positions: %+v", list)
	}
}
