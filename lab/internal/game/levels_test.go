package game

import (
	"slices"
	"testing"
)

// TestReadFigures refuses what is no figure.
func TestReadFigures(t *testing.T) {
	const header = "game,level,slips,elo,error,games,fingerprint\n"
	list, err := readLevelFigures(header + "ttt,2,0.5,100,60,100,0000abcd\n")
	want := []LevelFigure{{"ttt", 2, .5, 100, 60, 100, "0000abcd"}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%+v, %v", list, err)
	}
	if text := want[0].Text(); text != "about +100 over level 1" {
		t.Error(text)
	}
	for _, bad := range []string{header + "ttt,two,0.5,100,60,100,0000abcd\n", header + "ttt,2\n",
		header + "ttt,2,0.5,100,60,many,0000abcd\n"} {
		if _, err := readLevelFigures(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
