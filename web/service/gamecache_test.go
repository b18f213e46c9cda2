package service

import (
	"strings"
	"testing"

	"oxo/lab"
)

// TestShelfForgets opens more games than the shelf keeps.
func TestShelfForgets(t *testing.T) {
	s := NewGameCache(&lab.Lab{})
	first, err := s.Open("mnk:1,1,1")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := s.Open("mnk:1,1,1"); again != first {
		t.Error("the game was opened twice")
	}
	for n := range shelfSize {
		if _, err := s.Open("mnk:2,1,1+slip=0." + string(rune('1'+n%9)) + strings.Repeat("0", n/9) + "1"); err != nil {
			t.Fatal(err)
		}
	}
	if again, _ := s.Open("mnk:1,1,1"); again == first {
		t.Error("the oldest game was not forgotten")
	}
	if n := len(s.games.kept); n != shelfSize {
		t.Errorf("%d games on the shelf", n)
	}
	// A solution that takes too much leaves with its game when another is opened.
	s.games.Bytes = 10_000
	solved, err := s.Open("ttt")
	if err == nil {
		_, err = solved.Judging().PreparePlayer(t.Context(), "perfect", "")
	}
	if err != nil {
		t.Fatal(err)
	}
	solved, _ = s.Open("ttt") // whose size counts from now on
	if held := solved.Held(); held < 10_000 || len(s.games.kept) != 1 {
		t.Errorf("%d bytes are held, and %d games are on the shelf", held, len(s.games.kept))
	}
	if _, err := s.Open("mnk:1,1,1"); err != nil {
		t.Fatal(err)
	}
	if again, _ := s.Open("ttt"); again == solved {
		t.Error("a game that holds too much was kept")
	}
}
