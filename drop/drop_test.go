package drop_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/animal"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/solve"
)

var ctx = context.Background()

// sides are the rules that a solver takes: those in which each side places its own marks.
func sides() (list []board.Rules) {
	for _, r := range board.AllRules {
		if r.Place == board.Own {
			list = append(list, r)
		}
	}
	return list
}

// falling returns all boards with gravity of at most so many squares: grids with
// rows of every length, exact ones too, cubes, animals, and scattered sets on trees.
func falling(t testing.TB, squares int) (list []*board.Board) {
	t.Helper()
	for cols := 1; cols <= squares; cols++ {
		for rows := 1; cols*rows <= squares; rows++ {
			for run := 1; run <= max(cols, rows); run++ {
				list = append(list, must(t)(grid.New(grid.Shape{Cols: cols, Rows: rows, Run: run, Gravity: true})))
				if cols > 1 && run > 1 {
					list = append(list, must(t)(grid.New(grid.Shape{Cols: cols, Rows: rows, Run: run, Exact: true,
						Gravity: true})))
				}
			}
		}
	}
	for _, shape := range [][2]int{{3, 2}, {4, 2}, {2, 3}} {
		if b := must(t)(cube.New(shape[0], shape[1], true)); b.N <= squares {
			list = append(list, b)
		}
	}
	for _, name := range []string{"tic", "el", "elly", "tippy", "fatty"} {
		for _, shape := range [][2]int{{3, 3}, {4, 3}, {5, 4}} {
			if shape[0]*shape[1] <= squares {
				list = append(list, must(t)(animal.New(name, shape[0], shape[1], true)))
			}
		}
	}
	r := rand.New(rand.NewPCG(29, 0))
	for range 60 {
		list = append(list, scattered(t, r, 2+r.IntN(squares-1)))
	}
	return list
}

func must(t testing.TB) func(*board.Board, error) *board.Board {
	return func(b *board.Board, err error) *board.Board {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

// scattered returns a board of n squares with random sets, some of one square, on
// which several squares may rest on one.
func scattered(t testing.TB, r *rand.Rand, n int) *board.Board {
	t.Helper()
	seen := map[board.Set]bool{}
	var lines []board.Line
	for range 1 + r.IntN(2*n) {
		var s board.Set
		for range 1 + r.IntN(4) + r.IntN(2) {
			s = s.With(r.IntN(n))
		}
		if !seen[s] && (s.Len() > 1 || r.IntN(4) == 0) {
			seen[s] = true
			lines = append(lines, board.Line{Need: s})
		}
	}
	if len(lines) == 0 {
		lines = []board.Line{{Need: board.SetOf(0, n-1)}}
	}
	b := must(t)(board.FromLines(n, lines))
	below := make([]int, n)
	for i := range below {
		if below[i] = -1; i > 0 && r.IntN(3) > 0 {
			below[i] = r.IntN(i)
		}
	}
	if err := b.SetBelow(below); err != nil {
		t.Fatal(err)
	}
	return b
}

// later returns a position some random moves after p with at most left free
// squares, in which the game mostly goes on, or false where play ended before.
func later(p board.Pos64, left int, r *rand.Rand) (board.Pos64, bool) {
	n := p.Board().N
	marks := max(0, n-left) + r.IntN(1+min(n, left))
	for range marks {
		moves := p.Moves(nil)
		if r.IntN(50) > 0 {
			moves = slices.DeleteFunc(moves, func(m oxo.Move) bool { return p.Play(m).Outcome() != oxo.Ongoing })
		}
		if len(moves) == 0 {
			break
		}
		p = p.Play(moves[r.IntN(len(moves))])
	}
	x, o := p.Marks()
	return p, n-x.Len()-o.Len() <= left
}

// compare compares a solver with plain minimax with memory on random positions
// of every board and all rules, and the moves of every tenth position. It returns how many.
func compare(t *testing.T, boards []*board.Board, each, left int) (positions int) {
	r := rand.New(rand.NewPCG(1, 2))
	for i, b := range boards {
		for _, rules := range sides() {
			g := board.Game64("g", "g", b, rules)
			s, err := drop.New(b, rules, drop.SolverOptions{Bytes: 1 << 12})
			if err != nil {
				t.Fatal(err)
			}
			for range each {
				p, ok := later(g.Start, left, r)
				if !ok {
					continue
				}
				truth, err := solve.Solve(ctx, g, p, solve.Settings{})
				if err != nil {
					t.Fatal(err)
				}
				positions += agree(t, fmt.Sprintf("board %d %d×%d of %d, %q, %s", i, b.Cols, b.Rows, b.N, rules.Name,
					g.Format(p)), s, truth, p, r)
				if t.Failed() {
					return positions
				}
			}
		}
	}
	return positions
}

// agree compares p, and positions on a random way on from it, with the truth.
func agree(t *testing.T, name string, s *drop.Solver, truth *solve.Solution[board.Pos64], p board.Pos64,
	r *rand.Rand) (positions int) {
	t.Helper()
	for {
		want, _ := truth.At(p)
		for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
			plies := max(0, want.Remoteness+r.IntN(4)-2)
			won := want.Outcome == oxo.WinFor(seat) && want.Remoteness <= plies
			if got, err := s.WinsWithin(ctx, p, seat, plies); err != nil || got != won {
				t.Errorf("%s, %d plies on: %v within %d is %v, %v, want %v", name, positions, seat, plies, got, err,
					want)
			}
		}
		got, err := s.Solve(ctx, p)
		if err != nil || got.Outcome != want.Outcome || got.Remoteness != want.Remoteness {
			t.Errorf("%s, %d plies on: %v, %v, want %v", name, positions, got, err, want)
		}
		if value, err := s.Value(ctx, p); err != nil || value != want.Outcome.Value(p.Turn()) {
			t.Errorf("%s, %d plies on: value %v, %v, want %v", name, positions, value, err, want)
		}
		positions++
		if r.IntN(10) == 0 {
			alike(t, name, s, truth, p)
		}
		moves := p.Moves(nil)
		if len(moves) == 0 {
			return positions
		}
		p = p.Play(moves[r.IntN(len(moves))])
	}
}

// alike compares p's moves.
func alike(t *testing.T, name string, s *drop.Solver, truth *solve.Solution[board.Pos64], p board.Pos64) {
	t.Helper()
	want, _ := truth.Moves(p)
	whole, got, err := s.Moves(ctx, p)
	if v, _ := truth.At(p); whole.Outcome != v.Outcome || whole.Remoteness != v.Remoteness {
		t.Errorf("%s: its moves say %v, want %v", name, whole, v)
	}
	if err != nil || len(got) != len(want) {
		t.Fatalf("%s: %d moves, %v, want %d", name, len(got), err, len(want))
	}
	for i, w := range want {
		if g := got[i]; g.Move != w.Move || g.Outcome != w.Outcome || g.Remoteness != w.Remoteness || g.Best != w.Best {
			t.Errorf("%s: move %d: %+v, want %+v", name, i, g, w)
		}
	}
}

// TestMinimaxSequential compares solvers of all boards of up to 12 squares, and some larger
// ones, with plain minimax with memory.
func TestMinimaxSequential(t *testing.T) {
	n := compare(t, falling(t, 12), 1, 8)
	for _, shape := range []grid.Shape{{Cols: 5, Rows: 4, Run: 4}, {Cols: 4, Rows: 5, Run: 3, Exact: true},
		{Cols: 6, Rows: 3, Run: 4}} {
		shape.Gravity = true
		n += compare(t, []*board.Board{must(t)(grid.New(shape))}, 10, 10)
	}
	if n < 5000 {
		t.Errorf("only %d positions compared", n)
	}
}

// TestLargerSequential compares solvers of boards of more than 32 squares, whose keys take two
// words or more, near the end of play.
func TestLargerSequential(t *testing.T) {
	qubic := must(t)(cube.New(4, 3, true))
	boards := []*board.Board{qubic, must(t)(grid.New(grid.Shape{Cols: 8, Rows: 8, Run: 4, Exact: true, Gravity: true}))}
	for _, shape := range []grid.Shape{{Cols: 7, Rows: 6, Run: 4}, {Cols: 8, Rows: 7, Run: 4},
		{Cols: 9, Rows: 4, Run: 3}, {Cols: 8, Rows: 5, Run: 5, Exact: true}, {Cols: 2, Rows: 31, Run: 20}} {
		shape.Gravity = true
		boards = append(boards, must(t)(grid.New(shape)))
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range 3 {
		boards = append(boards, scattered(t, r, 33+r.IntN(32)))
	}
	if n := compare(t, boards, 8, 9); n < 300 {
		t.Errorf("only %d positions compared", n)
	}
}

// TestKnown solves empty boards: draws all, by enumeration (package solve) and
// the last by proof numbers (package prove).
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		cols, rows, run int
		want            solve.Verdict
	}{
		{4, 4, 4, solve.Verdict{Outcome: oxo.Drawn, Remoteness: 16}},
		{5, 4, 4, solve.Verdict{Outcome: oxo.Drawn, Remoteness: 20}},
		{4, 5, 4, solve.Verdict{Outcome: oxo.Drawn, Remoteness: 20}},
		{5, 5, 4, solve.Verdict{Outcome: oxo.Drawn, Remoteness: 25}},
	} {
		b := must(t)(grid.New(grid.Shape{Cols: c.cols, Rows: c.rows, Run: c.run, Gravity: true}))
		s, err := drop.New(b, board.Normal, drop.SolverOptions{Bytes: 1 << 24})
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Solve(ctx, board.Game64("g", "g", b, board.Normal).Start)
		if err != nil || got != c.want {
			t.Errorf("%d×%d, %d in a row: %v, %v, want %v", c.cols, c.rows, c.run, got, err, c.want)
		}
	}
}

// TestTogether compares two workers on one table with one.
func TestTogether(t *testing.T) {
	b := must(t)(grid.New(grid.Shape{Cols: 6, Rows: 5, Run: 4, Gravity: true}))
	for _, rules := range sides() {
		one, err := drop.New(b, rules, drop.SolverOptions{Bytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		two, err := drop.New(b, rules, drop.SolverOptions{Bytes: 1 << 20, Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		g := board.Game64("g", "g", b, rules)
		r := rand.New(rand.NewPCG(4, 4))
		for range 4 {
			p, _ := later(g.Start, 18, r)
			want, err1 := one.Solve(ctx, p)
			got, err2 := two.Solve(ctx, p)
			if got != want || err1 != nil || err2 != nil {
				t.Errorf("%q %s: two workers find %v, %v, one %v, %v", rules.Name, g.Format(p), got, err2, want, err1)
			}
		}
	}
}

// TestMirror compares positions with their mirror images, by solvers of their own.
func TestMirror(t *testing.T) {
	b := must(t)(grid.New(grid.Shape{Cols: 6, Rows: 5, Run: 4, Gravity: true}))
	g := board.Game64("g", "g", b, board.Normal)
	r := rand.New(rand.NewPCG(5, 5))
	for range 10 {
		p, _ := later(g.Start, 20, r)
		x, o := p.Marks()
		text := []byte(b.Format(x, o))
		for row := 0; row < len(text); row += 7 {
			for i := range 3 {
				text[row+i], text[row+5-i] = text[row+5-i], text[row+i]
			}
		}
		q, err := g.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		var got [2]solve.Verdict
		for i, p := range []board.Pos64{p, q} {
			s, err := drop.New(b, board.Normal, drop.SolverOptions{Bytes: 1 << 18})
			if err != nil {
				t.Fatal(err)
			}
			if got[i], err = s.Solve(ctx, p); err != nil {
				t.Fatal(err)
			}
		}
		if got[0] != got[1] {
			t.Errorf("%s: %v, its mirror image %v", g.Format(p), got[0], got[1])
		}
	}
}

// TestStopped ends questions by their context and by their limit, after which the
// solver still answers.
func TestStopped(t *testing.T) {
	b := must(t)(grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true}))
	g := board.Game64("g", "g", b, board.Normal)
	for workers := 1; workers <= 2; workers++ {
		s, err := drop.New(b, board.Normal, drop.SolverOptions{Bytes: 1 << 20, Workers: workers, Nodes: 300_000})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Solve(ctx, g.Start); !errors.Is(err, drop.ErrLimit) || s.Nodes() < 300_000 ||
			s.Nodes() > 320_000 {
			t.Errorf("%d workers: %v after %d nodes, want %v after 300,000", workers, err, s.Nodes(), drop.ErrLimit)
		}
		stopped, stop := context.WithCancel(ctx)
		stop()
		if _, _, err := s.Moves(stopped, g.Start); !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers: %v, want %v", workers, err, context.Canceled)
		}
		p, err := g.Parse("......./......./...o.../..ox.../.xxo.../xxoo..x")
		if err != nil {
			t.Fatal(err)
		}
		if v, err := s.Value(ctx, p); err != nil || v == 0 {
			t.Errorf("%d workers: after being stopped: %v, %v", workers, v, err)
		}
	}
}

// TestRefused asks for solvers of games that are out of reach.
func TestRefused(t *testing.T) {
	flat := must(t)(grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3}))
	tall := must(t)(grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3, Gravity: true}))
	large := must(t)(grid.New(grid.Shape{Cols: 9, Rows: 8, Run: 4, Gravity: true}))
	slips := board.Normal
	slips.Slip = 0.1
	for name, err := range map[string]error{
		"no gravity": second(drop.New(flat, board.Normal, drop.SolverOptions{})),
		"72 squares": second(drop.New(large, board.Normal, drop.SolverOptions{})),
		"wild":       second(drop.New(tall, board.Wild, drop.SolverOptions{})),
		"notakto":    second(drop.New(tall, board.Notakto, drop.SolverOptions{})),
		"slips":      second(drop.New(tall, slips, drop.SolverOptions{})),
	} {
		if err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

func second[A any](_ A, err error) error { return err }
