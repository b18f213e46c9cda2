package lines

import (
	"errors"
	"slices"

	"oxo/threats"
)

// geometry is what a search reads about its board. Square s is needed by the
// lines through[throughAt[s]:throughAt[s+1]], barred in those of bars; line l
// needs the squares squares[squareAt[l]:squareAt[l+1]].
type geometry struct {
	n, lines  int
	squareAt  []int32
	squares   []uint16
	length    []uint8 // of lines
	throughAt []int32
	through   []uint16
	barsAt    []int32
	bars      []uint16
	barred    bool // whether any line has a bar

	// Of patterns: groups[i] is the group that squares[i] counts its line in, and square s has the groups
	// groupAt[s] to groupAt[s+1]−1.
	groups  []uint32
	groupAt []int32
	cube    bool // squares are judged by counts of their lines

	central []int32 // 0 to 15, the more the nearer to the middle of things
}

// newGeometry precomputes which lines go through each square. It returns an error for boards that searches for
// threats can't take.
func newGeometry(b threats.Board) (*geometry, error) {
	if len(b.Need) == 0 {
		return nil, errors.New("no lines: nobody can win")
	}
	if err := b.Check(); err != nil {
		return nil, err
	}
	g := &geometry{n: b.Squares, lines: len(b.Need)}
	through, bars := make([][]uint16, g.n), make([][]uint16, g.n)
	g.squareAt = append(g.squareAt, 0)
	for l, need := range b.Need {
		g.length = append(g.length, uint8(len(need)))
		for _, s := range slices.Sorted(slices.Values(need)) {
			g.squares = append(g.squares, uint16(s))
			through[s] = append(through[s], uint16(l))
		}
		g.squareAt = append(g.squareAt, int32(len(g.squares)))
		if b.Bar != nil {
			for _, s := range b.Bar[l] {
				bars[s] = append(bars[s], uint16(l))
				g.barred = true
			}
		}
	}
	g.throughAt, g.barsAt = append(g.throughAt, 0), append(g.barsAt, 0)
	for s := range g.n {
		g.through = append(g.through, through[s]...)
		g.throughAt = append(g.throughAt, int32(len(g.through)))
		g.bars = append(g.bars, bars[s]...)
		g.barsAt = append(g.barsAt, int32(len(g.bars)))
	}
	g.cube = g.isCube()
	g.groupLinesThroughSquares()
	g.central = g.centrality()
	return g, nil
}

// squaresOf returns the squares that line l needs, ascending; the slice is the geometry's own.
func (g *geometry) squaresOf(l int) []uint16 { return g.squares[g.squareAt[l]:g.squareAt[l+1]] }

// centrality returns how central each square is: how often a long random walk from
// square to square along lines comes by. It breaks ties between moves that
// mean the same to lines.
func (g *geometry) centrality() []int32 {
	const steps, scale = 16, 15.999
	here, next := make([]float64, g.n), make([]float64, g.n)
	for s := range here {
		here[s] = 1
	}
	for range steps {
		clear(next)
		most := 0.0
		for l := range g.lines {
			sum := 0.0
			for _, s := range g.squaresOf(l) {
				sum += here[s]
			}
			for _, s := range g.squaresOf(l) {
				next[s] += sum
				most = max(most, next[s])
			}
		}
		for s := range next {
			next[s] /= most
		}
		here, next = next, here
	}
	// The most central square has 1 here, which the scale turns into 15.
	list := make([]int32, g.n)
	for s, v := range here {
		list[s] = int32(scale * v)
	}
	return list
}
