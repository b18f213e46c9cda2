package puzzle_test

import (
	"strings"
	"testing"

	"oxo/puzzle"
)

// TestIsAkin: positions of one played game are akin, also where neither begins with the other, and those that differ in
// a mark are not.
func TestIsAkin(t *testing.T) {
	wide := strings.Repeat("xo", 8)
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"x.o./.... x", "x.o./x.o. x", true}, {"x.o./x.o. x", "x.o./.... x", true}, {"x.o. x", "x.x. o", false},
		{"xo.. x", "..xo x", false}, {wide + "xo.. x", wide + "..xo x", true}, {"x.. x", "x... x", false},
		{wide + "xoxo....... x", wide + "....xoxoxox o", false},
	} {
		a, b := puzzle.Puzzle{Game: "g", Position: c.a}, puzzle.Puzzle{Game: "g", Position: c.b}
		if got := a.IsAkin(&b); got != c.want || b.IsAkin(&a) != got {
			t.Errorf("%s and %s: %v", c.a, c.b, got)
		}
		if b.Game = "other"; a.IsAkin(&b) {
			t.Errorf("%s of two games is akin", c.a)
		}
	}
}

// TestApart: those come first that are akin to none before them, as many as are asked for.
func TestApart(t *testing.T) {
	var list []puzzle.Puzzle
	for _, position := range []string{"x... o", "xo.. x", ".xo. x", ".xox o", "..xo x"} {
		list = append(list, puzzle.Puzzle{Game: "g", Position: position})
	}
	for count, want := range map[int]string{1: "x... o, xo.. x, .xo. x, .xox o, ..xo x",
		5: "x... o, .xo. x, ..xo x, xo.. x, .xox o"} {
		var got []string
		for _, z := range puzzle.Apart(list, count) {
			got = append(got, z.Position)
		}
		if said := strings.Join(got, ", "); said != want {
			t.Errorf("%d: %s, want %s", count, said, want)
		}
	}
}
