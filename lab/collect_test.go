package lab

import (
	"reflect"
	"testing"

	"oxo/puzzle"
)

// TestCollectedAnewSequential mines the puzzles of a game of the collection again: they are those that the program
// carries.
func TestCollectedAnewSequential(t *testing.T) {
	for _, game := range []string{"mnk:4,3,3", "mnk:4,3,3+misere", "mnk:4,4,4+gravity"} {
		list, err := minePuzzlesOfGame(t.Context(), &Lab{}, game, PuzzleOptions{Count: collected[game], Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		puzzle.SortByGameAndRating(list)
		if carried := CarriedPuzzles(game, ""); !reflect.DeepEqual(list, carried) {
			t.Errorf("%s: %d puzzles, and not the %d that are carried", game, len(list), len(carried))
		}
	}
}
