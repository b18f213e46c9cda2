package threats

import (
	"math/rand/v2"
	"slices"
	"testing"

	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/plane"
)

const empty = 2

// plain is a position by its marks alone, 0 and 1 and empty, and the slow twin of
// all searches: it goes through the lines and the moves each time.
type plain struct {
	Board
	mark  []uint8
	tries int // positions left to look at
}

// ease is what the twin looks at before it gives up.
const ease = 1000

// legal reports whether a square may be played.
func (b *plain) legal(s int) bool {
	return b.mark[s] == empty && (b.Below == nil || b.Below[s] < 0 || b.mark[b.Below[s]] != empty)
}

// need returns how many marks side needs on a line, −1 where it can't own it.
func (b *plain) need(l, side int) int {
	n := 0
	for _, s := range b.Need[l] {
		switch b.mark[s] {
		case empty:
			n++
		case uint8(side ^ 1):
			return -1
		}
	}
	if b.Bar != nil {
		for _, s := range b.Bar[l] {
			if b.mark[s] == uint8(side) {
				return -1
			}
		}
	}
	return n
}

// missing returns the squares that may be played of the lines that side needs just
// n more marks for, ascending.
func (b *plain) missing(side, n int) []int {
	var list []int
	for l, need := range b.Need {
		if b.need(l, side) != n {
			continue
		}
		for _, s := range need {
			if b.legal(s) && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	slices.Sort(list)
	return list
}

// keeps reports whether a move of side on s begins a win by continuous threats.
func (b *plain) keeps(side, s int) bool {
	if slices.Contains(b.missing(side, 1), s) {
		return true
	}
	for _, enemy := range b.missing(side^1, 1) {
		if enemy != s {
			return false
		}
	}
	b.mark[s] = uint8(side)
	defer func() { b.mark[s] = empty }()
	ends := b.missing(side, 1)
	if len(b.missing(side^1, 1)) > 0 || len(ends) != 1 {
		return len(b.missing(side^1, 1)) == 0 && len(ends) > 1
	}
	b.mark[ends[0]] = uint8(side ^ 1)
	defer func() { b.mark[ends[0]] = empty }()
	return b.wins(side)
}

// wins reports whether side, to move, wins at once or by continuous threats.
func (b *plain) wins(side int) bool {
	if b.tries--; b.tries < 0 {
		return false
	}
	if len(b.missing(side, 1)) > 0 {
		return true
	}
	todo := b.missing(side, 2)
	if b.Below != nil { // a mark may also make room for another
		for s := range b.mark {
			if b.legal(s) && !slices.Contains(todo, s) {
				todo = append(todo, s)
			}
		}
	}
	return slices.ContainsFunc(todo, func(s int) bool { return b.keeps(side, s) })
}

// slow reports whether side, to move, wins by so many threats of both speeds.
func (b *plain) slow(side, depth int) bool {
	if b.wins(side) {
		return true
	}
	enemy := b.missing(side^1, 1)
	if depth == 0 || len(enemy) > 1 {
		return false
	}
	makers := append(b.missing(side, 2), b.missing(side, 3)...)
	for s := range b.mark {
		if b.legal(s) && (slices.Contains(enemy, s) || len(enemy) == 0 && slices.Contains(makers, s)) &&
			b.slowly(side, s, depth-1+len(enemy)) {
			return true
		}
	}
	return false
}

// slowly reports whether a mark of side on s is a threat that wins against every
// reply, with so many more.
func (b *plain) slowly(side, s, depth int) bool {
	b.mark[s] = uint8(side)
	defer func() { b.mark[s] = empty }()
	if len(b.missing(side^1, 1)) > 0 {
		return false
	}
	replies := b.missing(side, 1)
	if len(replies) == 0 {
		if !b.wins(side) {
			return false
		}
		for reply := range b.mark {
			if b.legal(reply) {
				replies = append(replies, reply)
			}
		}
	}
	for _, reply := range replies {
		b.mark[reply] = uint8(side ^ 1)
		won := b.slow(side, depth)
		b.mark[reply] = empty
		if !won {
			return false
		}
	}
	return true
}

// scatter plays random marks of both sides in turn, none of which completes a line,
// and has f follow.
func (b *plain) scatter(r *rand.Rand, f *Finder, marks int) {
	f.Reset()
	for s := range b.mark {
		b.mark[s] = empty
	}
	for i := 0; i < 4*marks; i++ {
		if s := r.IntN(b.Squares); b.legal(s) && !slices.Contains(b.missing(i&1, 1), s) {
			b.mark[s] = uint8(i & 1)
			f.Play(i&1, s)
			if marks--; marks == 0 {
				return
			}
		}
	}
}

func must(t testing.TB) func(b *board.Board, err error) Board {
	return func(b *board.Board, err error) Board {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return FromBoard(b)
	}
}

// boards are boards of several shapes and sizes.
func boards(t testing.TB) map[string]Board {
	b := must(t)
	return map[string]Board{
		"grid":       b(grid.New(grid.Shape{Cols: 6, Rows: 6, Run: 4})),
		"three":      b(grid.New(grid.Shape{Cols: 5, Rows: 4, Run: 3})),
		"torus":      b(grid.New(grid.Shape{Cols: 5, Rows: 5, Run: 4, Torus: true})),
		"exact":      b(grid.New(grid.Shape{Cols: 6, Rows: 6, Run: 4, Exact: true})),
		"qubic":      b(cube.New(4, 3, false)),
		"affine":     b(plane.Affine(4)),
		"projective": b(plane.Projective(3)),
		"wide":       b(grid.New(grid.Shape{Cols: 11, Rows: 9, Run: 4})),
		"long":       b(grid.New(grid.Shape{Cols: 15, Rows: 15, Run: 5})),
		"falling":    b(grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true})),
		"fallingtoo": b(cube.New(4, 3, true)),
		"odd":        {Squares: 9, Need: [][]int{{0, 1}, {1, 2, 3}, {3, 4, 5, 6}, {0, 6, 7}, {8, 2, 4, 1, 7}, {5, 8}}},
		"single":     {Squares: 3, Need: [][]int{{0, 1, 2}, {1}}},
		"20x20":      rows(20, 20, 5),
	}
}

// rows returns the board of rows of run squares on cols × rows, of any size.
func rows(cols, rows, run int) Board {
	b := Board{Squares: cols * rows}
	for s := range b.Squares {
		for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
			var line []int
			for k := range run {
				c, r := s%cols+k*d[0], s/cols+k*d[1]
				if c >= 0 && c < cols && r >= 0 && r < rows {
					line = append(line, r*cols+c)
				}
			}
			if len(line) == run {
				b.Need = append(b.Need, line)
			}
		}
	}
	return b
}
