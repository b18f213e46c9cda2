package eval

import (
	"math/bits"

	"oxo"
	"oxo/games/meta"
	"oxo/games/ultimate"
)

// wegerEvaluation returns the evaluation Σ c·φ of Weger's six features.
func wegerEvaluation(weights ...float64) func(meta.Pos) float64 {
	return func(p meta.Pos) float64 {
		u := 0.0
		for i, phi := range meta.Features(p, oxo.First) {
			u += weights[i] * float64(phi)
		}
		return u
	}
}

// openRowScore weights the rows of boards that a side can still win by the boards won in them, and the rows of cells
// within boards that are not closed by the marks in them.
func openRowScore(p meta.Pos) float64 {
	x, o := p.Owned(oxo.First), p.Owned(oxo.Second)
	closed := p.Closed()
	score := 8 * (openRowsWeightedByMarks(x, closed&^x) - openRowsWeightedByMarks(o, closed&^o))
	for b := range 9 {
		if closed>>b&1 == 0 {
			own, other := p.Cells(oxo.First, b), p.Cells(oxo.Second, b)
			score += openRowsWeightedByMarks(own, other) - openRowsWeightedByMarks(other, own)
		}
	}
	return score
}

// openRowsWeightedByMarks adds up the rows of a 3×3 board without barred cells: 1, 2 and 4
// for none, one and two marks in them.
func openRowsWeightedByMarks(own, barred uint16) float64 {
	sum := 0
	for _, row := range ultimate.Rows {
		if row&barred == 0 {
			sum += 1 << bits.OnesCount16(row&own)
		}
	}
	return float64(sum)
}
