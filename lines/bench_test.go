package lines

import (
	"context"
	"testing"

	"oxo/threats"
)

// grid returns the board of rows of run squares on cols × rows.
func grid(cols, rows, run int) threats.Board {
	b := threats.Board{Squares: cols * rows}
	for s := range b.Squares {
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			var line []int
			for k := range run {
				c, r := s%cols+k*d[0], s/cols+k*d[1]
				if c < 0 || c >= cols || r < 0 || r >= rows {
					break
				}
				line = append(line, r*cols+c)
			}
			if len(line) == run {
				b.Need = append(b.Need, line)
			}
		}
	}
	return b
}

func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct {
		name string
		side int
	}{{"15x15", 15}, {"20x20", 20}} {
		b.Run(c.name, func(b *testing.B) {
			x := mustSearcher(b, grid(c.side, c.side, 5), defaultTableBytes, Tuning{})
			m := c.side/2*c.side + c.side/2
			marks := map[int]int{m: 0, m + 1: 1, m + c.side: 0, m - c.side: 1, m + c.side + 1: 0, m + 2*c.side + 2: 1}
			x.setPosition(func(s int) int {
				if side, ok := marks[s]; ok {
					return side
				}
				return empty
			})
			var nodes uint64
			b.ReportAllocs()
			for b.Loop() {
				x.table = newTable(1 << 20)
				f := x.findMove(context.Background(), 0, PlayerOptions{Nodes: 300_000}, nil, nil)
				nodes += x.positionsVisited()
				b.ReportMetric(float64(f.depth), "depth")
				b.ReportMetric(float64(x.positionsVisited()-x.nodes)/float64(x.positionsVisited()), "fours")
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
		})
	}
}
