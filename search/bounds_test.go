package search_test

import (
	"math"
	"testing"

	"oxo/search"
)

// TestNodeBounds checks the figures for the bounds on 3×3 in Russell and Norvig,
// Artificial Intelligence, exercise 5.10.
func TestNodeBounds(t *testing.T) {
	c := search.GameSizeBounds(9, search.Placing{})
	for _, f := range []struct {
		name string
		got  interface{ String() string }
		want string
	}{
		{"games", c.Games, "362880"},
		{"nodes", c.Nodes, "986410"},
		{"sum of factorials", c.FactorialSum, "409113"},
		{"states", c.States, "19683"},
		{"positions", c.Positions, "6046"},
	} {
		if f.got.String() != f.want {
			t.Errorf("%s: %s, want %s", f.name, f.got, f.want)
		}
	}
	byPly := []string{"1", "9", "72", "252", "756", "1260", "1680", "1260", "630", "126"}
	for i, want := range byPly {
		if got := c.ByPly[i].String(); got != want {
			t.Errorf("states with %d marks: %s, want %s", i, got, want)
		}
	}
	if len(c.ByPly) != 10 {
		t.Errorf("%d plies, want 10", len(c.ByPly))
	}
	if below := search.GameSizeBounds(8, search.Placing{}); below.Nodes.String() != "109601" {
		t.Errorf("nodes for 8 squares: %s, want 109601", below.Nodes)
	}
	none := search.GameSizeBounds(0, search.Placing{})
	if none.Nodes.String() != "1" || none.Positions.String() != "1" ||
		none.FactorialSum.Sign() != 0 {
		t.Errorf("no squares: %+v", none)
	}
}

// TestBoundsAgainstSearch compares the bounds with a search that no early end
// shortens: 3×3 where only a row of nine squares would win.
func TestBoundsAgainstSearch(t *testing.T) {
	g := mnk(t, 7, 1, 7)
	r := find(t, g, g.Start, search.Minimax, boardOptions{})
	c := search.GameSizeBounds(7, search.Placing{})
	if c.Nodes.Uint64() != r.Nodes {
		t.Errorf("bound %s, nodes %d; want the same", c.Nodes, r.Nodes)
	}
}

// TestLargest checks the textbook's arithmetic: at 100·N instructions a node
// and 2·10⁹ a second, 9 squares in a second, 11 in a minute, 12 in an hour.
func TestLargest(t *testing.T) {
	textbook := func(n int) float64 { return 100 * float64(n) / 2e9 }
	for seconds, want := range map[float64]int{1: 9, 60: 11, 3600: 12, 0: 0} {
		if got := search.LargestSearchable(search.Placing{}, seconds, textbook); got != want {
			t.Errorf("%v seconds: %d squares, want %d", seconds, got, want)
		}
	}
	// 986,410 nodes at a microsecond take just under a second.
	for perNode, want := range map[float64]int{1e-6: 9, 1.02e-6: 8, 0: search.MaxBoundSquares, math.NaN(): 0,
		math.Inf(1): 0} {
		if got := search.LargestSearchable(search.Placing{}, 1, func(int) float64 { return perNode }); got != want {
			t.Errorf("%v seconds a node: %d squares, want %d", perNode, got, want)
		}
	}
}
