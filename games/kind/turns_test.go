package kind

import (
	"slices"
	"testing"

	"oxo/board"
)

// TestTurns says of some rules what programs that follow a game are told.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		rules board.Rules
		place string
		done  [2]string
		full  string
	}{
		{board.Normal, "own", [2]string{"first", "second"}, "draw"},
		{board.Maker, "own", [2]string{"first", ""}, "second"},
		{board.Notakto, "cross", [2]string{"second", "first"}, "draw"},
		{board.Chaos, "either", [2]string{"second", "second"}, "first"},
	} {
		got := TurnRulesOf(c.rules, []int{1, -1})
		if got.Place != c.place || got.Done != c.done || got.Full != c.full || !slices.Equal(got.Below, []int{1, -1}) ||
			got.Nine != nil {
			t.Errorf("%s: %+v", c.rules.Name, got)
		}
	}
	slips := board.Normal
	slips.Slip = 0.5
	if got := TurnRulesOf(slips, nil); got != nil {
		t.Errorf("where marks slip: %+v", got)
	}
}
