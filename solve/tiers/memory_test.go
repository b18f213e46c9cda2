package tiers

import (
	"runtime"
	"testing"

	"oxo/board"
	"oxo/games/grid"
)

// TestMemory looks at what is alive while slices of a game's largest tiers are
// worked out, whenever another slice is asked for: no more than half of the
// memory, the other half being for garbage.
func TestMemory(t *testing.T) {
	const memory = 4 << 20
	b, err := grid.New(grid.Shape{Cols: 5, Rows: 4, Run: 4})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(b, board.Normal, memory)
	if err != nil {
		t.Fatal(err)
	}
	for _, marks := range []int{10, 14} {
		others, err := s.Slices(t.Context(), marks+1)
		if err != nil {
			t.Fatal(err)
		}
		if own, err := s.Slices(t.Context(), marks); err != nil || len(own) < 10 {
			t.Fatalf("%d marks: %d slices, %v", marks, len(own), err)
		}
		before, most, asked := alive(), int64(0), 0
		_, _, err = s.SolveSlice(t.Context(),
			Task{Marks: marks, Index: 0, AdjacentTier: func(index int, buf []byte) ([]byte, error) {
				asked++
				made := s.emptyTable(marks+1, others[index])
				for i := range made.blocks {
					for k := range made.block(i) {
						made.block(i)[k] = drawn
					}
				}
				buf = append(buf[:0], made.data...)
				made.data = nil
				most = max(most, alive()-before)
				return buf, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		if asked < 2 || most > memory/2 || most < memory/10 {
			t.Errorf("%d marks: %d bytes were alive, %d slices asked for", marks, most, asked)
		}
	}
}

// alive returns how many bytes are in use.
func alive() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
