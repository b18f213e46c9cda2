//go:build soak

package cmd

import "testing"

func TestKilledAtEveryPlyOfManyGames(t *testing.T) {
	killAtEveryPly(t, "ttt", "ttt+misere", "ttt+slip=0.5", "mnk:4,4,4", "mnk:7,6,4+gravity", "race:6", "meta",
		"ultimate", "tree:chance", "mnk:5,5,4+wild")
}

func TestKilledHundredsOfTimes(t *testing.T) { killUnderWrites(t, 300) }
