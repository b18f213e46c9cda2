package drop

import (
	"math/bits"
	"slices"

	"oxo/board"
)

// Where marks fall, the squares of a column pair off from the top. Whoever always answers
// right above the other's mark gets every upper square that is part of a whole pair, and nobody has to
// leave that order before the columns are full: the rules claimeven and odd threat of Allis, A knowledge-based
// approach of Connect-Four, 1988, section 3. A column with an odd number of free squares
// begins with an upper square; of two such columns the answer to one's lowest square is the other's.
//
// The bounds here are what these orders of moves show of a position without a search.

// pairSquaresForParity notes which squares are the lower ones of a pair, if that tells anything in this game.
func (g *geometry) pairSquaresForParity(b *board.Board) {
	if g.exact || g.barred != nil || g.avoids || g.tested != [2]bool{true, true} || g.fullFor != [2]int8{} {
		return
	}
	var lower, carrying uint64
	for i, j := range b.Below {
		square := uint64(1) << g.bit[i]
		if j >= 0 && carrying>>g.bit[j]&1 != 0 {
			return // two squares rest on one: no columns
		}
		if j >= 0 {
			carrying |= 1 << g.bit[j]
		}
		for ; j >= 0; j = b.Below[j] {
			lower ^= 1 << g.bit[j]
			g.over[g.bit[j]] |= square
			g.under[g.bit[i]] |= 1 << g.bit[j]
		}
	}
	g.lower = lower
	for _, l := range b.Lines {
		g.needed = append(g.needed, g.squareBits(l.Need))
	}
}

// parityUpperBound returns an upper bound of n's score, or worst where parity tells none that
// is at most mid.
func (g *geometry) parityUpperBound(n node, marks, mid int) int {
	switch {
	case g.lower == 0:
		return worst
	case (g.squares-marks)&1 == 0:
		return g.followUpUpperBound(n, mid)
	case n.otherWins&g.lower&^n.own != 0:
		return g.zugzwangUpperBound(n)
	}
	return worst
}

// followUpUpperBound bounds the score of a side to move that will not make the last mark, as there is an
// even number of free squares. The opponent answers each mark right above it, or, where it is the lowest
// free square of an odd column, with that of another odd column. So the side to move gets
//
//   - lower squares, and some of the lowest squares of odd columns: if that owns no row, it does not win;
//   - no other upper squares: if those own a row of the opponent's, it loses, when the board is full
//     at the latest, and where one of them is a winning square t, before there is a mark above t.
func (g *geometry) followUpUpperBound(n node, mid int) (bound int) {
	free := g.full &^ (n.own | n.other)
	odd := n.play &^ g.lower
	lower, upper := free&g.lower, free&^g.lower&^odd
	for t := n.otherWins & upper; t != 0; t &= t - 1 {
		above := g.over[bits.TrailingZeros64(t)&63]
		lower &^= above
		bound = min(bound, -g.winScore(g.squares-bits.OnesCount64(above)))
	}
	switch {
	case bound > mid && mid < -1 || g.ownsRow(n.own|lower|odd):
		return worst
	case bound == 0 && mid < 0 && g.ownsRow(n.other|upper):
		return -1
	}
	return bound
}

// zugzwangUpperBound bounds the score of a side to move that would make the last mark, where the opponent has a
// winning square t that is a lower one and can't be played yet. The opponent answers as in followUpUpperBound, but in
// t's column, where the pairs are the other way round, right above with lower squares; if that column
// is even, its lowest square counts as that of an odd one. Outside of that column squares run out
// at the side to move, which must then make the mark under t. Until then it gets lower squares outside
// of t's column, upper ones under t and some of the lowest squares of odd columns: if that owns no row, it loses,
// before there is a mark above t.
func (g *geometry) zugzwangUpperBound(n node) int {
	free := g.full &^ (n.own | n.other)
	for ts := n.otherWins & free & g.lower &^ n.play; ts != 0; ts &= ts - 1 {
		t := bits.TrailingZeros64(ts) & 63
		above, under := g.over[t], g.under[t]&free
		lowest := n.play &^ (g.lower &^ under)
		if !g.ownsRow(n.own | free&g.lower&^(above|1<<t|under) | under&^g.lower | lowest) {
			return -g.winScore(g.squares - bits.OnesCount64(above))
		}
	}
	return worst
}

// ownsRow reports whether marks own a row.
func (g *geometry) ownsRow(marks uint64) bool {
	if !g.shifts {
		return slices.ContainsFunc(g.needed, func(line uint64) bool { return line&^marks == 0 })
	}
	var rows uint64
	for _, d := range [4]uint{1, g.height - 1, g.height, g.height + 1} {
		row := marks
		for have := uint(1); have < g.run; { // row has where so many squares in a row begin
			more := min(have, g.run-have)
			row &= row >> (more * d & 63)
			have += more
		}
		rows |= row
	}
	return rows != 0
}
