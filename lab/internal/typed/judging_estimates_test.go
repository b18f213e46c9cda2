package typed

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo/lab/internal/game"
)

// TestFirstEstimateByLines: where there is a search by lines, the first estimate is its too, of the hint alone, and
// not what a few simulated games say of every move.
func TestFirstEstimateByLines(t *testing.T) {
	g := aGame(t, "mnk:15,15,5")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var first []string
	o := game.JudgeOptions{Position: positionAfter(t, g, "", "h8 h9 g8"), Time: time.Minute}
	_, err := g.Judging().Judge(ctx, o,
		func(j *game.Judged) {
			if ctx.Err() != nil {
				return
			}
			for _, m := range j.Moves {
				if m.Estimate != nil {
					first = append(first, m.Move)
				}
			}
			if first == nil {
				return
			}
			if stop(); !slices.Equal(first, []string{j.Hint}) {
				t.Errorf("%v are estimated at first, the hint is %s", first, j.Hint)
			}
		})
	if first == nil {
		t.Errorf("nothing was estimated: %v", err)
	}
}

// TestJudgeRatesMoves: where a search by lines estimates the hint, the other moves are valued by the same search, so
// few look as good as the hint; those that it does not consider are not known.
func TestJudgeRatesMoves(t *testing.T) {
	for _, moves := range []string{"h8 l6", "h8 l6 j10", "h8 i9 g9 h10 j11"} {
		j := judgeText(t, "mnk:15,15,5", moves, game.JudgeOptions{Nodes: 60_000})
		rated, equal, open := 0, 0, 0
		for _, m := range j.Moves {
			switch {
			case m.Estimate == nil && m.Text == "is not known":
				open++
			case m.Estimate != nil && m.Move != j.Hint:
				rated++
				if *m.Estimate == *j.Estimate {
					equal++
				}
			}
		}
		if rated < 20 || equal > rated/4 || open == 0 {
			t.Errorf("%s: %d rated, %d of them as the hint, %d open", moves, rated, equal, open)
		}
	}
}

// TestEstimatesAgree: along a game in which the hints are played, estimates on large boards with one side to
// move are on the whole those with the other to move, though searches end at odd and even depths.
func TestEstimatesAgree(t *testing.T) {
	for spec, first := range map[string]string{"mnk:20,20,5": "k10", "mnk:15,15,5+exact": "h8"} {
		var swing float64
		moves := []string{first}
		for i := range 6 {
			j := judgeText(t, spec, strings.Join(moves, " "), game.JudgeOptions{Nodes: 12_000})
			if j.Estimate == nil {
				t.Fatalf("%s after %v: %+v", spec, moves, j)
			}
			swing += *j.Estimate * float64(1-2*(i%2)) / 3
			moves = append(moves, j.Hint)
		}
		if math.Abs(swing) > 0.1 {
			t.Errorf("%s: the estimates of the sides lie %.2f apart along %v", spec, swing, moves)
		}
	}
}
