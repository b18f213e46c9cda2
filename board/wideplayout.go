package board

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"oxo"
)

// rowWindows is a board whose lines are all the windows of k squares in a set of
// rows of at most 31 squares, k at most 8, each square being in at most four
// rows: what a
// playout needs to find a completed line in a few instructions. Boards of row
// games are of this kind.
type rowWindows struct {
	rows   int
	cross  [MaxSquares][4]place // for each square, the rows it is in
	shifts [3]uint              // see playout
}

// place is a square's place in a row: word row of the marks' words, one bit.
// Places that are not used have no bit.
type place struct {
	row uint16
	bit uint32
}

// rowLength is the most squares that a row has, and maxRows the most rows of a board.
const (
	rowLength = 31 // a bit is left free, so that two words side by side don't touch
	maxRows   = 127
)

// asRowWindows returns the board as rowWindows, or nil where it is not of that kind. It
// chains windows: a line begins a row if no other line is the same but for one
// step back.
func asRowWindows(b *Board) *rowWindows {
	if b.Cols == 0 || b.Levels != 1 || b.Below != nil {
		return nil
	}
	k := b.Lines[0].Need.Len()
	if k < 2 {
		return nil
	}
	starts := map[[2]int]bool{} // a line's first square and step
	for _, l := range b.Lines {
		squares := l.Need.Squares()
		step := 0
		if len(squares) == k && l.Bar.Empty() {
			step = squares[1] - squares[0]
		}
		for i := 1; i < len(squares); i++ {
			if squares[i]-squares[i-1] != step {
				step = 0
			}
		}
		dCol := b.Layout[squares[len(squares)-1]].Col - b.Layout[squares[0]].Col
		if step == 0 || dCol != 0 && dCol != k-1 && dCol != 1-k {
			return nil
		}
		starts[[2]int{squares[0], step}] = true
	}
	r := &rowWindows{rows: 1}
	for i, have := 0, 1; have < k; i++ {
		if i == len(r.shifts) {
			return nil
		}
		r.shifts[i] = uint(min(have, k-have))
		have += min(have, k-have)
	}
	used := make([]int, b.N)
	for at := range starts {
		first, step := at[0], at[1]
		if starts[[2]int{first - step, step}] {
			continue
		}
		length := k
		for i := first; starts[[2]int{i + step, step}]; i += step {
			length++
		}
		if length > rowLength || r.rows > maxRows {
			return nil
		}
		for i := range length {
			square := first + i*step
			if used[square] == 4 {
				return nil
			}
			r.cross[square][used[square]] = place{uint16(r.rows), 1 << i}
			used[square]++
		}
		r.rows++
	}
	return r
}

// playoutKernel256 returns a kernel that plays random moves to the end in games in
// which each side places its own mark and nothing slips, or nil.
func (t *gameData) playoutKernel256() func(Pos256, *rand.PCG) oxo.Outcome {
	r := asRowWindows(t.board)
	if r == nil || t.rules.Place != Own || t.slips {
		return nil
	}
	return func(p Pos256, source *rand.PCG) oxo.Outcome { return r.playout(p, source) }
}

// playout plays uniformly random moves to the end.
func (r *rowWindows) playout(p Pos256, source *rand.PCG) oxo.Outcome {
	if p.info&outcomeMask != 0 {
		return p.Outcome()
	}
	var words [2][maxRows + 1]uint64 // row 0 stays empty
	var squares [MaxSquares + 8]uint8
	n := listSquares(&squares, p.t.full.Minus(p.x.Or(p.o)))
	for mark, marks := range [2]Set{p.x, p.o} {
		for i := range marks.All() {
			for _, at := range r.cross[i] {
				words[mark][at.row&maxRows] |= uint64(at.bit)
			}
		}
	}
	d := dice{source: source}
	rules := &p.t.rules
	first, second, third := r.shifts[0], r.shifts[1], r.shifts[2]
	for seat := p.info >> turnShift & 1; n > 0; seat ^= 1 {
		j := d.draw(n) & 255
		n--
		i := squares[j]
		squares[j] = squares[n&255]
		own := &words[seat]
		at := &r.cross[i]
		w0 := own[at[0].row&maxRows] | uint64(at[0].bit)
		w1 := own[at[1].row&maxRows] | uint64(at[1].bit)
		w2 := own[at[2].row&maxRows] | uint64(at[2].bit)
		w3 := own[at[3].row&maxRows] | uint64(at[3].bit)
		own[at[0].row&maxRows] = w0
		own[at[1].row&maxRows] = w1
		own[at[2].row&maxRows] = w2
		own[at[3].row&maxRows] = w3
		// A run of k bits is what is left of a word after and-ing it with
		// itself shifted by steps that add up to k−1.
		low, high := w0|w1<<32, w2|w3<<32
		low &= low >> (first & 31)
		high &= high >> (first & 31)
		low &= low >> (second & 31)
		high &= high >> (second & 31)
		low &= low >> (third & 31)
		high &= high >> (third & 31)
		if low|high != 0 && rules.Tested[seat] {
			return rules.Done[seat]
		}
	}
	return rules.Full
}

// inByte holds, for each byte, the places of its ones, packed a byte each.
var inByte = func() (packed [256]uint64) {
	for b := range packed {
		at := 0
		for i := range 8 {
			if b>>i&1 != 0 {
				packed[b] |= uint64(i) << at
				at += 8
			}
		}
	}
	return packed
}()

// listSquares writes the squares of s in ascending order and returns their
// number. What lies behind them in the list means nothing.
func listSquares(list *[MaxSquares + 8]uint8, s Set) (n int) {
	n = 0
	for k := range 4 {
		base := uint64(k) << 6 * 0x0101010101010101
		for w := s.Word(k); w != 0; w >>= 8 {
			binary.LittleEndian.PutUint64(list[n&255:], inByte[w&255]+base)
			n += bits.OnesCount64(w & 255)
			base += 8 * 0x0101010101010101
		}
	}
	return n
}
