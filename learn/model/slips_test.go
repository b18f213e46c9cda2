package model

import (
	"math"
	"testing"
)

// TestVisitedTwice compares the step of a board that is learned twice with the loop
// of Schröder's program: it walks back over a list that has the board before and the
// board after each move, so that all but the last are in it twice.
func TestVisitedTwice(t *testing.T) {
	const moves, target = 6, -1000.0
	for _, factor := range []float64{0.5, 0.9, 0, 1} {
		values := [moves + 1]float64{1, 2, 3, 4, 5, 6, 7} // of the boards from the start on
		want := values
		var visited []int
		for i := range moves {
			visited = append(visited, i, i+1)
		}
		step := 1.0
		for i := len(visited) - 1; i >= 0; i-- {
			want[visited[i]] = (1-step)*want[visited[i]] + step*target
			step *= factor
		}
		b := &valueLearner{benchOptions: benchOptions{factor: factor}}
		for board := 1; board <= moves; board++ { // the start is nobody's doing
			rate := b.combinedStepSize(moves - board)
			if got := (1-rate)*values[board] + rate*target; math.Abs(got-want[board]) > 1e-9 {
				t.Errorf("factor %v, board %d: %v, want %v", factor, board, got, want[board])
			}
		}
	}
}
