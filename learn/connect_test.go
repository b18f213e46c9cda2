package learn

import (
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
	"oxo/learn/exam"
	"oxo/learn/space"
)

// connectFour returns the game.
func connectFour(t testing.TB) *oxo.Game[board.Pos64] {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64("mnk:7,6,4+gravity", "Connect Four", b, board.Normal)
}

// sampleOf returns n positions or a few more, judged by the exact solver.
func sampleOf(t testing.TB, g *oxo.Game[board.Pos64], n int) *exam.Sample {
	t.Helper()
	solver, err := drop.New(g.Start.Board(), board.Normal, drop.SolverOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := exam.NewSample(t.Context(), g, g.Start.Board().N, n, 1, solver.Value)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestConnectLearned is a short form of TestConnectFour: some games of a sum over tuples
// bring it to keep the value more often than before.
func TestConnectLearned(t *testing.T) {
	g := connectFour(t)
	sample := sampleOf(t, g, 100)
	l, err := New(space.NewLazyGraph(g).Space, spec(t, "ntuple:tuples=lines"),
		Plan{Against: Itself, Start: "empty+6"}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	grade := func() float64 {
		e, err := l.GradeBySample(sample)
		if err != nil {
			t.Fatal(err)
		}
		return e.Positions.Kept
	}
	before := grade()
	run(t, l, 5000)
	after := grade()
	t.Logf("%.3f, %.3f", before, after)
	if after < before+0.1 {
		t.Errorf("it keeps the value in %.3f of the positions, untaught in %.3f", after, before)
	}
}

// squaresNet is the net over nine raw squares.
const squaresNet = "net:tuples=squares,eta=3,layers=32/16,target=search"

// TestSquaresLearned is a short form of TestSquaresSeeds.
func TestSquaresLearned(t *testing.T) {
	a := ttt(t)
	endsWell(t, a, examiner(t, a), squaresNet, Itself, 24_000, 0)
}
