package lab

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"oxo/puzzle"
)

// TestWellKnown: kinds say which of their games' puzzles are among the daily ones.
func TestWellKnown(t *testing.T) {
	for spec, want := range map[string]bool{
		"mnk:5,4,4": true, "mnk:5,4,4+gravity": true, "mnk:5,4,4+misere": false, "mnk:15,15,5": true,
		"cube:4,3": true, "cube:3,3+misere": false, "ultimate": true, "meta": false, "torus:4,4,4": false,
	} {
		if got := IsDailyGame(spec); got != want {
			t.Errorf("%s is well known: %v", spec, got)
		}
	}
	games := map[string]bool{}
	for _, list := range dailies() {
		for _, z := range list {
			games[z.Game] = true
		}
	}
	if len(games) < 15 {
		t.Errorf("daily puzzles are of %d games", len(games))
	}
}

// TestDailyWeeks looks at the puzzles of half a year: harder from Monday to Sunday, of several themes each weekday, and
// none twice.
func TestDailyWeeks(t *testing.T) {
	monday := time.Date(2026, time.November, 23, 12, 0, 0, 0, time.UTC)
	seen := map[string]bool{}
	for day := range 7 {
		themes := map[Theme]int{}
		for week := range 26 {
			z := DailyPuzzle(monday.AddDate(0, 0, 7*week+day))
			if seen[z.ID] {
				t.Errorf("%s is set twice", z.ID)
			}
			seen[z.ID] = true
			themes[z.Theme]++
			if z.Rating < dailyFrom[day] || day < 6 && z.Rating >= dailyFrom[day+1] {
				t.Errorf("weekday %d: rating %d", day, z.Rating)
			}
		}
		for theme, n := range themes {
			if n > 18 || len(themes) < 3 {
				t.Errorf("weekday %d: %d of 26 are %s, of %d themes", day, n, theme, len(themes))
			}
		}
	}
}

// TestTriedKeepsTheAnswer: what is said of a wrong move does not name the reply on the square of the answer, as that
// were the answer.
func TestTriedKeepsTheAnswer(t *testing.T) {
	list := CarriedPuzzles("", puzzle.Block)
	var l Lab
	for i := 0; i < len(list); i += len(list) / 40 {
		z := &list[i]
		g, err := l.Game(z.Game)
		if err != nil {
			t.Fatal(err)
		}
		s, err := g.Parse(z.Position)
		if err != nil {
			t.Fatal(err)
		}
		wrong := s.Moves[0]
		if wrong == z.Answer {
			wrong = s.Moves[1]
		}
		tried, err := TryPuzzleMove(t.Context(), g, z, nil, wrong)
		if err != nil {
			t.Fatal(err)
		}
		said, cut := strings.CutPrefix(tried.Says, "Not "+wrong)
		if !cut || namesMoveFirst(said, s.Moves, z.Answer) {
			t.Errorf("%s, %s: %q gives away %s", z.Game, z.Position, tried.Says, z.Answer)
		}
	}
}

// TestTriedCounts: what is said of a wrong move counts plies as the judge does beside the board, the move included, and
// a win that is not the soonest is called a win. Its answer is never named.
func TestTriedCounts(t *testing.T) {
	var l Lab
	heard := map[string]bool{}
	for _, game := range []string{"mnk:4,3,3", "mnk:4,3,3+misere"} {
		g, err := l.Game(game)
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range CarriedPuzzles(game, "")[:40] {
			j, err := g.Judging().Judge(t.Context(), JudgeOptions{Position: z.Position, Nodes: 200_000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range j.Moves {
				tried, err := TryPuzzleMove(t.Context(), g, &z, nil, m.Move)
				if err != nil {
					t.Fatal(err)
				}
				if m.Move == z.Answer || m.Plies == nil || *m.Plies == 0 {
					continue
				}
				want := fmt.Sprintf("Not %s: it %s plies.", m.Move, m.Text)
				if m.Value == j.Turn {
					want = fmt.Sprintf("%s %s plies, but the soonest win is asked for.", m.Move, m.Text)
				}
				if heard[m.Said["text"][0].Key] = true; !strings.HasPrefix(tried.Says, want) || tried.Right {
					t.Errorf("%s, %s: %q, want %q", game, z.Position, tried.Says, want)
				}
			}
		}
	}
	if len(heard) != 3 {
		t.Errorf("only %v", heard)
	}
}

// TestTakeTurns: in games of the collection the sides take turns, so that half of a win's plies are moves of its side.
func TestTakeTurns(t *testing.T) {
	var l Lab
	for game := range collected {
		if g, err := l.Game(game); err != nil || g.Info().Turns == nil {
			t.Errorf("%s: %v", game, err)
		}
	}
}
