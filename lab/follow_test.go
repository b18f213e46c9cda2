package lab

import (
	"errors"
	"slices"
	"testing"
)

// TestPuzzlesGoOn plays puzzles of wins and forks from their answers on, by the moves that are named right: the side
// to move wins, in as many plies as the puzzle says.
func TestPuzzlesGoOn(t *testing.T) {
	var l Lab
	var list []Puzzle
	for _, z := range CarriedPuzzles("", "") {
		if z.GoesOn() {
			list = append(list, z)
		}
	}
	for i := 0; i < len(list); i += 7 {
		z := &list[i]
		g, err := l.Game(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		var line []string
		for {
			left, err := PuzzleAfterLine(g, z, line)
			if err != nil {
				t.Fatal(err)
			}
			tried, err := TryPuzzleMove(t.Context(), g, z, line, left.Answer)
			if err != nil || !tried.Right {
				t.Fatalf("%s, %s after %v: %+v, %v", z.Game, z.Position, line, tried, err)
			}
			line = append(line, tried.Answer)
			if tried.Reply != "" {
				line = append(line, tried.Reply)
			}
			if tried.Next == nil {
				break
			}
		}
		s, err := g.NewSession(SessionOptions{First: Human, Second: Human, Position: z.Position})
		if err != nil {
			t.Fatal(err)
		}
		turn := s.State().Turn
		for _, m := range line {
			if err := s.Move(m); err != nil {
				t.Fatal(err)
			}
		}
		if winner := s.State().Result; !s.Over() || winner != turn || len(line) != z.Plies {
			t.Errorf("%s, %s: %v ends with %s, %d plies of %d", z.Game, z.Position, line, winner, len(line), z.Plies)
		}
		s.Close()
	}
}

// TestGoesOnAsJudged: where a game is solved, the moves that are right in the middle of a puzzle are those that the
// judge says to win soonest, and the replies are among those that last longest.
func TestGoesOnAsJudged(t *testing.T) {
	var l Lab
	middles := 0
	for _, game := range []string{"mnk:4,3,3", "mnk:4,3,3+misere", "mnk:4,4,4"} {
		g, err := l.Game(game)
		if err != nil {
			t.Fatal(err)
		}
		judged := func(position string) *Judged {
			j, err := g.Judging().Judge(t.Context(), JudgeOptions{Position: position, Nodes: 300_000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return j
		}
		for _, z := range slices.DeleteFunc(slices.Clone(CarriedPuzzles(game, "")), func(z Puzzle) bool {
			return !z.GoesOn() || z.Plies < 3
		})[:12] {
			tried, err := TryPuzzleMove(t.Context(), g, &z, nil, z.Answer)
			if err != nil {
				t.Fatal(err)
			}
			after := judged(tried.After.Position)
			if after.Plies == nil || *after.Plies != tried.After.Plies {
				t.Errorf("%s, %s %s %s: %d plies are left, the judge says %v", game, z.Position, z.Answer, tried.Reply,
					tried.After.Plies, after.Plies)
				continue
			}
			for _, m := range after.Moves {
				middles++
				mid, err := TryPuzzleMove(t.Context(), g, &z, []string{z.Answer, tried.Reply}, m.Move)
				soonest := m.Value == after.Turn && *m.Plies+1 == tried.After.Plies
				if err != nil || mid.Right != soonest {
					t.Errorf("%s, %s %s %s: %s is right: %v, %v; the judge says it %s", game, z.Position, z.Answer,
						tried.Reply, m.Move, mid, err, m.Text)
				}
			}
		}
	}
	if middles < 90 {
		t.Errorf("only %d moves", middles)
	}
}

// TestNoSuchLine refuses lines that a puzzle has not, and names the field.
func TestNoSuchLine(t *testing.T) {
	var l Lab
	g, err := l.Game("mnk:4,4,4")
	if err != nil {
		t.Fatal(err)
	}
	fork, save := CarriedPuzzles("mnk:4,4,4", "fork")[0], CarriedPuzzles("mnk:4,4,4+misere", "save")[0]
	right, err := TryPuzzleMove(t.Context(), g, &fork, nil, fork.Answer)
	if err != nil || right.Reply == "" {
		t.Fatal(right, err)
	}
	s, err := g.Parse(right.After.Position)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		z    Puzzle
		line []string
	}{
		{fork, []string{fork.Answer}}, {fork, []string{fork.Answer, "z9"}}, {fork, []string{"z9", right.Reply}},
		{fork, []string{fork.Answer, s.Moves[0]}}, {fork, []string{s.Moves[0], right.Reply}},
		{save, []string{save.Answer, "a1"}},
		{fork, []string{fork.Answer, right.Reply, right.After.Answer, "a1"}},
	} {
		var fault *Fault
		if _, err := TryPuzzleMove(t.Context(), g, &c.z, c.line, ""); !errors.As(err, &fault) || fault.Field != "line" {
			t.Errorf("%v: %v", c.line, err)
		}
	}
}
