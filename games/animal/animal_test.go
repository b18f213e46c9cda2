package animal_test

import (
	"strings"
	"testing"

	"oxo/games/animal"
)

// TestCopies counts the copies of animals, by the ways each can be turned and
// mirrored.
func TestCopies(t *testing.T) {
	for _, c := range []struct {
		name       string
		cols, rows int
		want       int
	}{
		{"elam", 3, 4, 12},
		{"domino", 3, 3, 12},
		{"tic", 4, 4, 16},
		{"el", 3, 3, 16},
		{"fatty", 4, 4, 9},
		{"elly", 4, 4, 48},   // 8 ways × 2 × 3
		{"knobby", 4, 4, 24}, // 4 ways × 2 × 3
		{"tippy", 4, 4, 24},  // 4 ways × 2 × 3
		{"skinny", 5, 4, 13}, // 2 × 4 across and 5 down
		{"snaky", 5, 5, 32},  // 8 ways × 4 × 1
		{"x5", 5, 5, 9},
		{"x/xxx", 4, 4, 48},
	} {
		b, err := animal.New(c.name, c.cols, c.rows, false)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(b.Lines) != c.want {
			t.Errorf("%s on %d×%d: %d copies, want %d", c.name, c.cols, c.rows, len(b.Lines), c.want)
		}
	}
}

// TestNames checks that every named animal is in one piece, has the number of
// cells that its name says, and is no other's mirror image.
func TestNames(t *testing.T) {
	sizes := map[int]int{}
	seen := map[any]string{}
	for _, known := range animal.Names {
		b, err := animal.New(known.Name, 8, 8, false)
		if err != nil {
			t.Fatal(err)
		}
		size := b.Lines[0].Need.Len()
		if size != strings.Count(known.Cells, "x") {
			t.Errorf("%s has %d cells", known.Name, size)
		}
		sizes[size]++
		for _, l := range b.Lines {
			if other, ok := seen[l]; ok && other != known.Name {
				t.Errorf("%s is %s", known.Name, other)
			}
			seen[l] = known.Name
		}
	}
	for size, want := range map[int]int{1: 1, 2: 1, 3: 2, 4: 5, 5: 12, 6: 1} {
		if sizes[size] != want {
			t.Errorf("%d animals of %d cells, want %d", sizes[size], size, want)
		}
	}
}
