package mcts

import (
	"math"
	"math/bits"
)

// What changes slowly with the visits of a position is worked out for some numbers
// of visits only: for all below 8, and for four in every octave above.

// isScheduled reports whether visits is one of those numbers.
func isScheduled(visits uint32) bool {
	return visits < 8 || visits&(1<<(bits.Len32(visits)-3)-1) == 0
}

// scheduleIndex returns the index of the last of those numbers up to visits.
func scheduleIndex(visits uint32) uint32 {
	if visits < 8 {
		return visits
	}
	n := bits.Len32(visits)
	return uint32(4*(n-2)) + visits>>(n-3)&3
}

// valuesByScheduleIndex returns f of all of those numbers.
func valuesByScheduleIndex(f func(visits float64) float64) (values [4 * 33]float64) {
	for i := range values {
		visits := float64(i)
		if i >= 8 {
			visits = float64(4+i%4) * math.Pow(2, float64(i/4-1))
		}
		values[i] = f(visits)
	}
	return values
}
