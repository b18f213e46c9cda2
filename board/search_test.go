package board

import (
	"slices"
	"testing"
)

func TestKeeps(t *testing.T) {
	// A path of three lines over four squares; vertices 4, 5, 6 are the lines.
	g := newGraph(mustBoard(t, 4, [][]int{{0, 1}, {1, 2}, {2, 3}}), nil)
	same := []int32{0, 1, 2, 3, 4, 5, 6}
	for _, c := range []struct {
		to   []int32
		want bool
	}{
		{same, true},
		{[]int32{3, 2, 1, 0, 6, 5, 4}, true},
		{[]int32{3, 2, 1, 0, 4, 5, 6}, false}, // lines left behind
		{[]int32{1, 0, 2, 3, 4, 5, 6}, false}, // degrees differ
		{[]int32{0, 2, 1, 3, 4, 5, 6}, false}, // neighbours differ
	} {
		if got := g.isAutomorphism(same, c.to); got != c.want {
			t.Errorf("keeps(%v) = %v", c.to, got)
		}
	}
}

func TestTriplesCompare(t *testing.T) {
	one, two := SetOf(0), SetOf(1)
	ascending := []triple{{}, {z: one}, {z: two}, {o: one}, {o: one, z: one}, {x: one}, {x: one, o: two}, {x: two}}
	for i, a := range ascending {
		for j, b := range ascending {
			if got, want := a.compare(b), slices.Compare([]int{i}, []int{j}); got != want {
				t.Errorf("%v compared with %v is %d, want %d", a, b, got, want)
			}
		}
	}
}

// TestUndo holds a partition against itself after every choice in turn has
// been made, and some after those, and all taken back.
func TestUndo(t *testing.T) {
	for _, c := range boards {
		n, sets := c.sets()
		if n > 100 {
			continue
		}
		p := newEquitablePartition(newGraph(mustBoard(t, n, sets), nil))
		before := p.clone()
		for v := range n {
			if p.size[p.cell[v]] == 1 {
				continue
			}
			first := p.individualize(int32(v))
			for !p.squaresAreDiscrete() {
				p.individualize(p.targetCell()[0])
			}
			p.undoCutsBeyond(0)
			if !slices.Equal(p.cell, before.cell) || p.squareCells != before.squareCells {
				t.Fatalf("%s: cells changed by square %d and undo", c.name, v)
			}
			for w := range p.elem {
				if !slices.Contains(p.members(p.cell[w]), int32(w)) {
					t.Fatalf("%s: vertex %d is not in its cell", c.name, w)
				}
			}
			again := p.individualize(int32(v))
			p.undoCutsBeyond(0)
			if first != again {
				t.Fatalf("%s: square %d leaves two traces", c.name, v)
			}
		}
	}
}
