package cube_test

import (
	"math"
	"testing"

	"oxo/games/cube"
	"oxo/games/grid"
)

// TestLines compares the numbers of lines with Hales and Jewett's formula.
func TestLines(t *testing.T) {
	for n := 2; n <= 6; n++ {
		for dim := 1; math.Pow(float64(n), float64(dim)) <= 256; dim++ {
			b, err := cube.New(n, dim, false)
			if err != nil {
				t.Fatal(err)
			}
			want := int(math.Pow(float64(n+2), float64(dim))-math.Pow(float64(n), float64(dim))) / 2
			if len(b.Lines) != want {
				t.Errorf("%d^%d: %d lines, want %d", n, dim, len(b.Lines), want)
			}
			for _, l := range b.Lines {
				if l.Need.Len() != n {
					t.Errorf("%d^%d: a line of %d squares", n, dim, l.Need.Len())
				}
			}
		}
	}
}

func TestSymmetries(t *testing.T) {
	for _, c := range []struct{ n, dim, want int }{{3, 2, 8}, {4, 2, 32}, {3, 3, 48}, {4, 3, 192}, {5, 3, 192}} {
		b, err := cube.New(c.n, c.dim, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.Group().Order().Int64(); got != int64(c.want) {
			t.Errorf("%d^%d: %d symmetries, want %d", c.n, c.dim, got, c.want)
		}
	}
}

// TestSquare compares two dimensions with the grid of the same size.
func TestSquare(t *testing.T) {
	a, err := cube.New(4, 2, true)
	if err != nil {
		t.Fatal(err)
	}
	b, err := grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := map[any]bool{}
	for _, l := range b.Lines {
		lines[l] = true
	}
	for _, l := range a.Lines {
		if !lines[l] {
			t.Errorf("line %v is not on the grid", l.Need.Squares())
		}
	}
	for i := range a.N {
		if a.Names[i] != b.Names[i] || a.Below[i] != b.Below[i] {
			t.Errorf("square %d is %s on %d, want %s on %d", i, a.Names[i], a.Below[i], b.Names[i], b.Below[i])
		}
	}
}
