package search

import "oxo"

// variation keeps, for each ply of the path being searched, the best line of
// play found so far from there on. Lines end at the first chance node, at a
// node answered from memory, and after maxLine plies.
type variation struct {
	moves  []oxo.Move // row ply holds the line from ply on
	length []int      // of each row
}

const maxLine = 512

// grow makes room for lines of the given number of plies.
func (v *variation) grow(plies int) {
	if n := min(plies, maxLine) + 1; n > len(v.length) {
		v.length = make([]int, n)
		v.moves = make([]oxo.Move, n*n)
	}
}

// clear empties the line at ply.
func (v *variation) clear(ply int) {
	if ply < len(v.length) {
		v.length[ply] = 0
	}
}

// set makes m and the line at the next ply the line at ply.
func (v *variation) set(ply int, m oxo.Move) {
	width := len(v.length)
	if ply+1 >= width {
		return
	}
	n := v.length[ply+1]
	row, next := v.moves[ply*width:], v.moves[(ply+1)*width:]
	row[0] = m
	for i := range n {
		row[i+1] = next[i]
	}
	v.length[ply] = n + 1
}

// line returns a copy of the line at ply.
func (v *variation) line(ply int) []oxo.Move {
	at := ply * len(v.length)
	return append([]oxo.Move(nil), v.moves[at:at+v.length[ply]]...)
}
