package lab

import (
	"slices"
	"strings"
	"testing"

	"oxo/puzzle"
)

// TestBlocksSaidSequential: the answer of a block says what was threatened, not that it wins, unless it even does,
// and that it only puts off a loss where that is known.
func TestBlocksSaidSequential(t *testing.T) {
	var l Lab
	even, still := 0, 0
	list := CarriedPuzzles("", puzzle.Block)
	for i := range list {
		z := &list[i]
		if i%9 != 0 && (z.Unique != puzzle.Survives || i%3 != 0) {
			continue
		}
		g, err := l.Game(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		tried, err := TryPuzzleMove(t.Context(), g, z, nil, z.Answer)
		if err != nil {
			t.Fatal(err)
		}
		begin := "Right: " + z.Answer + ". Every other move loses at once: "
		wins := strings.Contains(tried.Says, "It even wins.")
		if !strings.HasPrefix(tried.Says, begin) || !strings.Contains(tried.Says, " had ") ||
			wins != (z.Unique == puzzle.Wins) {
			t.Errorf("%s, %s, %s: %q", z.ID, z.Game, z.Unique, tried.Says)
		}
		if wins {
			even++
		}
		if strings.HasSuffix(tried.Says, "still wins.") {
			still++
		}
	}
	if even == 0 || still == 0 {
		t.Errorf("%d blocks even win, %d are lost all the same", even, still)
	}
}

// TestLooksThroughMarks: the squares that a hint names are marked already, and the line to complete runs through them.
func TestLooksThroughMarks(t *testing.T) {
	z, _ := CarriedPuzzle("37882bac2f4d")
	g, err := (&Lab{}).Game(z.Game)
	if err != nil {
		t.Fatal(err)
	}
	text, err := DescribePuzzle(g, &z)
	if want := "Look at a2, b1: X will complete a line with them."; err != nil || !slices.Contains(text.Hints, want) {
		t.Errorf("%q, want %q, %v", text.Hints, want, err)
	}
}

// TestWrongMoveExplained: of a wrong move a reply is named where it shows something: neither that threats were
// followed, without a move, nor the first move alone of a draw.
func TestWrongMoveExplained(t *testing.T) {
	for _, c := range []struct{ id, move, says string }{
		{"48f1a191b0e2", "b4", "Not b4: it loses. Play goes on b3."},
		{"dfbe6a7b234d", "h7", "Not h7: it draws."},
	} {
		z, _ := CarriedPuzzle(c.id)
		g, err := (&Lab{}).Game(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		tried, err := TryPuzzleMove(t.Context(), g, &z, nil, c.move)
		if err != nil || tried.Says != c.says {
			t.Errorf("%s: %+v, %v", c.id, tried, err)
		}
	}
}

// TestBlocksAreEasy: a block is rated by what is asked for, which is to see one threat on its board, whatever it is
// worth later.
func TestBlocksAreEasy(t *testing.T) {
	for _, z := range CarriedPuzzles("", puzzle.Block) {
		if z.Rating > 1000 {
			t.Errorf("%s, %s: %d", z.ID, z.Game, z.Rating)
		}
	}
}

// TestUndecided: where the soonest win is asked for, most other moves are not known to win as well.
func TestUndecided(t *testing.T) {
	var l Lab
	for _, game := range []string{"meta", "mnk:4,4,3+misere", "mnk:4,4,3+avoider"} {
		g, err := l.Game(game)
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range CarriedPuzzles(game, "") {
			if i%4 != 0 || z.Unique != puzzle.Fastest || z.Plies == 1 {
				continue
			}
			j, err := g.Judging().Judge(t.Context(), JudgeOptions{Position: z.Position, Nodes: 60_000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			won := 0
			for _, m := range j.Moves {
				if m.Move != z.Answer && m.Value == j.Turn {
					won++
				}
			}
			if 2*won >= len(j.Moves)-1 {
				t.Errorf("%s, %s: %d of %d moves win", z.ID, game, won, len(j.Moves))
			}
		}
	}
}

// TestTwoThreatsTooLate: a move that makes two threats and loses first is not only called wrong.
func TestTwoThreatsTooLate(t *testing.T) {
	var l Lab
	heard := false
	for i, z := range CarriedPuzzles("", puzzle.Fork) {
		if i%4 != 0 {
			continue
		}
		g, err := l.Game(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.Parse(z.Position)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range s.Moves {
			f, err := g.Judging().FollowPuzzle(&z, m, followNodes)
			if err != nil || f.FirstWin == "" {
				continue
			}
			tried, err := TryPuzzleMove(t.Context(), g, &z, nil, m)
			if err != nil || tried.Right || !strings.HasPrefix(tried.Says, "Not "+m+": it makes two threats, but ") {
				t.Errorf("%s, %s: %v, %v", z.Game, z.ID, tried, err)
			}
			heard = true
		}
		if heard {
			return
		}
	}
	t.Error("there is none")
}

// TestKnownGames: tic-tac-toe is the first of the games that many people know, and sizes that nobody plays are none.
func TestKnownGames(t *testing.T) {
	if OrderOfKnownGame("mnk:3,3,3") != 0 || len(CarriedPuzzles("mnk:3,3,3", "")) < 100 {
		t.Errorf("%v, and %d puzzles", knownGames(), len(CarriedPuzzles("mnk:3,3,3", "")))
	}
	for _, spec := range []string{"mnk:3,3,3+misere", "mnk:4,4,4", "mnk:7,6,4+gravity", "mnk:15,15,5", "cube:4,3",
		"ultimate"} {
		if !slices.Contains(knownGames(), spec) {
			t.Errorf("%s is not known", spec)
		}
	}
	for _, spec := range []string{"mnk:5,3,3", "mnk:4,3,3", "mnk:5,4,4+gravity", "torus:4,4,4", "meta"} {
		if OrderOfKnownGame(spec) >= 0 {
			t.Errorf("%s is known", spec)
		}
	}
}
