package threats

import (
	"errors"
	"fmt"

	"oxo/board"
	"oxo/board/bitset"
)

// Board is a set of squares 0…Squares−1 and its winning sets, line by line. A
// side owns a line when its marks hold all of Need and none of Bar.
type Board struct {
	Squares int
	Need    [][]int
	Bar     [][]int // as long as Need, or nil where no line has a bar
	Below   []int   // the square under each, −1 at the bottom; nil where marks don't fall
}

// The largest boards.
const (
	maxSquares = bitset.Most
	maxLines   = 1<<16 - 1
	maxThrough = 1023 // lines that need one square
	maxLength  = 250  // squares in a line
)

// FromBoard returns the squares and lines of a board.
func FromBoard(b *board.Board) Board {
	list := Board{Squares: b.N, Below: b.Below}
	barred := false
	for _, l := range b.Lines {
		list.Need = append(list.Need, l.Need.Squares())
		list.Bar = append(list.Bar, l.Bar.Squares())
		barred = barred || !l.Bar.Empty()
	}
	if !barred {
		list.Bar = nil
	}
	return list
}

// Check returns what is wrong with a board, or nil: numbers of squares out of range, a line that needs a square
// twice, or more squares and lines than a search can take.
func (b Board) Check() error {
	if b.Squares < 1 || b.Squares > maxSquares || len(b.Need) > maxLines {
		return fmt.Errorf("%d squares and %d lines: at most %d and %d", b.Squares, len(b.Need), maxSquares, maxLines)
	}
	if b.Bar != nil && len(b.Bar) != len(b.Need) {
		return fmt.Errorf("%d bars for %d lines", len(b.Bar), len(b.Need))
	}
	through := make([]int, b.Squares)
	for l, need := range b.Need {
		if len(need) == 0 || len(need) > maxLength {
			return fmt.Errorf("a line of %d squares: 1 to %d are played", len(need), maxLength)
		}
		seen := make(map[int]bool, len(need))
		for _, s := range need {
			if s < 0 || s >= b.Squares || seen[s] {
				return fmt.Errorf("line %d needs square %d: 0 to %d are there, each once", l, s, b.Squares-1)
			}
			if seen[s] = true; through[s] == maxThrough {
				return errors.New("too many lines through one square")
			}
			through[s]++
		}
		if b.Bar == nil {
			continue
		}
		for _, s := range b.Bar[l] {
			if s < 0 || s >= b.Squares {
				return fmt.Errorf("line %d bars square %d: 0 to %d are there", l, s, b.Squares-1)
			}
		}
	}
	if b.Below != nil && len(b.Below) != b.Squares {
		return fmt.Errorf("%d squares below %d", len(b.Below), b.Squares)
	}
	for s, below := range b.Below {
		if below < -1 || below >= b.Squares || below == s {
			return fmt.Errorf("square %d lies on square %d: −1 to %d are there", s, below, b.Squares-1)
		}
	}
	return nil
}

// Words returns how many words of [Lines] the lines of a board take, for one side.
func (b Board) Words() int { return (1 + planes(b)) * ((len(b.Need) + 63) / 64) }
