package search

import (
	"fmt"
	"slices"
	"testing"

	"oxo"
)

// strict is a position with a move 0 that refuses any other.
type strict uint8

func (strict) Turn() oxo.Seat                  { return oxo.First }
func (strict) Outcome() oxo.Outcome            { return oxo.Ongoing }
func (strict) Moves(buf []oxo.Move) []oxo.Move { return append(buf, 0) }

func (p strict) Play(m oxo.Move) strict {
	if m != 0 {
		panic(fmt.Sprintf("move %d can't be made", m))
	}
	return p + 1
}

// TestLineOfStopped: a line ends where a move is not one of the representative's, as it may not
// be once the search has been called off.
func TestLineOfStopped(t *testing.T) {
	s := answers[strict]{&run[strict]{g: &oxo.Game[strict]{}, merge: true}}
	if got := s.translateLineFromClasses(0, []oxo.Move{0, 0, 3, 0}); !slices.Equal(got, []oxo.Move{0, 0}) {
		t.Errorf("line %v, want two moves", got)
	}
}
