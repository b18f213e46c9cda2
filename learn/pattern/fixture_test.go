package pattern

import (
	"math"
	"math/rand/v2"
	"testing"

	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
)

// boards are of several kinds: small, falling, joined at the edges, in three dimensions where
// marks fall or not,
// with rows that must not be longer, and with sets too large to look up square by square.
func boards(t testing.TB) map[string]*board.Board {
	t.Helper()
	list := map[string]*board.Board{}
	for name, s := range map[string]grid.Shape{
		"3x3":   {Cols: 3, Rows: 3, Run: 3},
		"falls": {Cols: 4, Rows: 3, Run: 3, Gravity: true},
		"torus": {Cols: 4, Rows: 4, Run: 4, Torus: true},
		"exact": {Cols: 6, Rows: 5, Run: 4, Exact: true},
	} {
		b, err := grid.New(s)
		if err != nil {
			t.Fatal(err)
		}
		list[name] = b
	}
	var err error
	if list["cube"], err = cube.New(3, 3, false); err != nil {
		t.Fatal(err)
	}
	if list["tower"], err = cube.New(3, 3, true); err != nil {
		t.Fatal(err)
	}
	sets := [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {0, 1, 10, 11}}
	if list["large"], err = board.New(12, sets); err != nil {
		t.Fatal(err)
	}
	return list
}

// draw returns marks of both sides on so many squares of a board, none hanging.
func draw(b *board.Board, n int, r *rand.Rand) (marks [2]board.Set) {
	for k := 0; k < n; {
		i := r.IntN(b.N)
		if b.Below != nil && b.Below[i] >= 0 && !marks[0].Or(marks[1]).Has(b.Below[i]) || marks[0].Or(marks[1]).Has(i) {
			continue
		}
		marks[k%2] = marks[k%2].With(i)
		k++
	}
	return marks
}

// nets are one of each sharing and shape for a board, with weights drawn at random.
func nets(t testing.TB, b *board.Board) map[string]*Net {
	t.Helper()
	list := map[string]*Net{}
	for name, of := range map[string]struct {
		kinds string
		share Sharing
		shape Shape
	}{
		"usual":      {"usual", Orbits, Shape{Apart: true, Layers: []int{4, 3}}},
		"sum":        {"lines+pairs", Orbits, Shape{}},
		"alike":      {"lines+squares", Orbits, Shape{Layers: []int{5}}},
		"translates": {"lines", Translates, Shape{Apart: true, Layers: []int{3, 3, 2}}},
		"alone":      {"squares", Alone, Shape{Apart: true, Layers: []int{4, 4}}},
	} {
		if name == "alike" && b.Below != nil {
			of.kinds = "reach+" + of.kinds
		}
		tuples, err := NewTuples(b, of.kinds, of.share)
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(7, 7))
		n, err := NewNet(tuples, of.shape, r)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n.weights {
			if n.weights[i] = r.NormFloat64() / 3; i < n.rows*n.widths[0] {
				n.weights[i] /= math.Sqrt(float64(tuples.Len()))
			}
			n.weights[i] = wholly(n.weights[i])
		}
		list[name] = n
	}
	return list
}
