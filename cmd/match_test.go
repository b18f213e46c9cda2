package cmd

import (
	"testing"

	"oxo/arena"
)

// TestFair has illegal moves, and nothing else, end a contest with status 1.
func TestFair(t *testing.T) {
	for _, c := range []struct {
		faults []arena.Faults
		want   error
	}{
		{nil, nil},
		{[]arena.Faults{{}, {Time: 2, Crashed: 3}}, nil},
		{[]arena.Faults{{}, {Illegal: 1}}, errNo},
		{[]arena.Faults{{Illegal: 2}, {}}, errNo},
	} {
		if got := illegalMoveError(c.faults...); got != c.want {
			t.Errorf("%+v: %v, want %v", c.faults, got, c.want)
		}
	}
}
