package grid_test

import (
	"fmt"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/gametest"
)

func TestConformance(t *testing.T) {
	for spec, s := range map[string]grid.Shape{
		"mnk:3,3,3":         {Cols: 3, Rows: 3, Run: 3},
		"mnk:4,4,4":         {Cols: 4, Rows: 4, Run: 4},
		"mnk:7,6,4+gravity": {Cols: 7, Rows: 6, Run: 4, Gravity: true},
	} {
		b, err := grid.New(s)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(spec, func(t *testing.T) {
			gametest.Run(t, board.Game64(spec, spec, b, board.Normal), gametest.Positions(100))
		})
	}
}

// TestLines compares the numbers of lines with the formulas.
func TestLines(t *testing.T) {
	for m := 1; m <= 9; m++ {
		for n := 1; n <= 9; n++ {
			for k := 2; k <= max(m, n); k++ {
				b, err := grid.New(grid.Shape{Cols: m, Rows: n, Run: k})
				if err != nil {
					t.Fatal(err)
				}
				across, down := max(m-k+1, 0), max(n-k+1, 0)
				if want := across*n + down*m + 2*across*down; len(b.Lines) != want {
					t.Errorf("%d,%d,%d: %d lines, want %d", m, n, k, len(b.Lines), want)
				}
			}
		}
	}
	torus, err := grid.New(grid.Shape{Cols: 5, Rows: 4, Run: 3, Torus: true})
	if err != nil || len(torus.Lines) != 4*20 {
		t.Errorf("torus 5,4,3: %d lines, %v; want one for each square and direction", len(torus.Lines), err)
	}
	full, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3, Torus: true})
	if err != nil || len(full.Lines) != 12 {
		t.Errorf("torus 3,3,3: %d lines, %v; want the 12 of the affine plane", len(full.Lines), err)
	}
}

// TestExact plays six in a row, which counts only where longer rows do.
func TestExact(t *testing.T) {
	for exact, want := range map[bool]string{false: "first", true: "*"} {
		b, err := grid.New(grid.Shape{Cols: 8, Rows: 3, Run: 5, Exact: exact})
		if err != nil {
			t.Fatal(err)
		}
		g := board.Game64("g", "g", b, board.Normal)
		p := g.Start
		for _, text := range []string{"a1", "a3", "b1", "b3", "c1", "d3", "e1", "e3", "f1", "g3", "d1"} {
			m, err := g.ParseMove(p, text)
			if err != nil {
				t.Fatal(err)
			}
			p = p.Play(m)
		}
		if got := p.Outcome().String(); got != want {
			t.Errorf("six in a row, exact %v: %s, want %s", exact, got, want)
		}
	}
}

func Example() {
	b, err := grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 4})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(b.Lines), "lines,", b.Group().Order(), "symmetries")
	// Output: 10 lines, 32 symmetries
}
