package lines

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Board is a set of squares 0…Squares−1 and its winning sets, line by line. A
// side owns a line when its marks hold all of Need and none of Bar.
type Board struct {
	Squares int
	Need    [][]int
	Bar     [][]int // as long as Need, or nil where no line has a bar
}

const (
	maxSquares = 64 * setWords
	maxThrough = 1023 // lines that need one square
	maxLength  = 250  // squares in a line
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
	barred    bool        // whether any line has a bar
	central   []int32     // 0 to 15, the more the nearer to the middle of things
	key       [2][]uint64 // of X and of O on each square
	side      uint64      // of O to move
}

func newGeometry(b Board) (*geometry, error) {
	g := &geometry{n: b.Squares, lines: len(b.Need)}
	if g.n < 1 || g.n > maxSquares || g.lines == 0 || g.lines > 1<<16-1 {
		return nil, fmt.Errorf("%d squares and %d lines: at most %d and %d", g.n, g.lines, maxSquares, 1<<16-1)
	}
	through, bars := make([][]uint16, g.n), make([][]uint16, g.n)
	g.squareAt = append(g.squareAt, 0)
	for l, need := range b.Need {
		if len(need) == 0 || len(need) > maxLength {
			return nil, fmt.Errorf("a line of %d squares: 1 to %d are played", len(need), maxLength)
		}
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
		if len(through[s]) > maxThrough {
			return nil, errors.New("too many lines through one square")
		}
		g.through = append(g.through, through[s]...)
		g.throughAt = append(g.throughAt, int32(len(g.through)))
		g.bars = append(g.bars, bars[s]...)
		g.barsAt = append(g.barsAt, int32(len(g.bars)))
	}
	g.central = g.centre()
	r := rand.New(rand.NewPCG(uint64(g.n), uint64(g.lines)))
	for side := range g.key {
		g.key[side] = make([]uint64, g.n)
		for s := range g.n {
			g.key[side][s] = r.Uint64()
		}
	}
	g.side = r.Uint64()
	return g, nil
}

// of returns the squares that line l needs.
func (g *geometry) of(l int) []uint16 { return g.squares[g.squareAt[l]:g.squareAt[l+1]] }

// centre returns how central each square is: how often a long random walk from
// square to square along lines comes by. It breaks ties between moves that
// mean the same to lines.
func (g *geometry) centre() []int32 {
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
			for _, s := range g.of(l) {
				sum += here[s]
			}
			for _, s := range g.of(l) {
				next[s] += sum
				most = max(most, next[s])
			}
		}
		for s := range next {
			next[s] /= most
		}
		here, next = next, here
	}
	list := make([]int32, g.n)
	for s, v := range here {
		list[s] = int32(scale * v)
	}
	return list
}
