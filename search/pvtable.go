package search

import "oxo"

// pvTable keeps, for each ply of the path being searched, the best line of
// play found so far from there on. Lines end at the first chance node, at a
// node answered from memory, and after maxLine plies.
type pvTable struct {
	moves  []oxo.Move // row ply holds the line from ply on
	length []int      // of each row
}

const maxLine = 512

// growToDepth makes room for lines of the given number of plies.
func (v *pvTable) growToDepth(plies int) {
	if n := min(plies, maxLine) + 1; n > len(v.length) {
		v.length = make([]int, n)
		v.moves = make([]oxo.Move, n*n)
	}
}

// clearLine empties the line at ply.
func (v *pvTable) clearLine(ply int) {
	if ply < len(v.length) {
		v.length[ply] = 0
	}
}

// prependMove makes m and the line at the next ply the line at ply.
func (v *pvTable) prependMove(ply int, m oxo.Move) {
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

// lineFrom returns a copy of the line at ply.
func (v *pvTable) lineFrom(ply int) []oxo.Move {
	at := ply * len(v.length)
	return append([]oxo.Move(nil), v.moves[at:at+v.length[ply]]...)
}
