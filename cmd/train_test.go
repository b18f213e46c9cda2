package cmd

import (
	"testing"
	"time"
)

// TestPace: where a brain goes on, the games that it has played before tell
// nothing of how fast the others are.
func TestPace(t *testing.T) {
	if rate, left := pace(2000, 10_000, 4); rate != 500 || left != 16*time.Second {
		t.Errorf("2,000 of 10,000 games in 4 s: %v a second, %v left", rate, left)
	}
	if _, left := pace(7, 5, 0); left != 0 {
		t.Errorf("after all games %v are left", left)
	}
}
