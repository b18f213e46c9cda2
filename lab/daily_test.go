package lab

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"oxo/puzzle"
)

// TestWellKnown: kinds say which of their games everybody knows.
func TestWellKnown(t *testing.T) {
	for spec, want := range map[string]bool{
		"mnk:5,4,4": true, "mnk:5,4,4+gravity": true, "mnk:5,4,4+misere": false, "mnk:15,15,5": true,
		"cube:4,3": true, "cube:3,3+misere": false, "ultimate": true, "meta": false, "torus:4,4,4": false,
	} {
		if got := IsPlainGame(spec); got != want {
			t.Errorf("%s is well known: %v", spec, got)
		}
	}
}

// TestDailyYears looks at every day of five years: harder from Monday to Sunday, of several themes each weekday, no
// puzzle twice, no game within two weeks, those that everybody knows and others, and the end fits the beginning.
func TestDailyYears(t *testing.T) {
	monday := time.Date(2026, time.November, 23, 12, 0, 0, 0, time.UTC)
	seen, last, games := map[string]bool{}, map[string]int{}, map[string]int{}
	var themes [7]map[Theme]int
	for day := range 7*dailyWeeks + gameRest {
		z := DailyPuzzle(monday.AddDate(0, 0, day))
		if again := day >= 7*dailyWeeks; seen[z.ID] != again {
			t.Errorf("day %d: %s is set again: %v", day, z.ID, seen[z.ID])
		}
		seen[z.ID] = true
		if before, ok := last[z.Game]; ok && day-before < gameRest {
			t.Errorf("day %d: %s comes again after %d days", day, z.Game, day-before)
		}
		last[z.Game] = day
		if weekday := day % 7; z.Rating < dailyFrom[weekday] || weekday < 6 && z.Rating >= dailyFrom[weekday+1] ||
			weekday < plainDays && !IsPlainGame(z.Game) {
			t.Errorf("weekday %d: %s, rating %d", weekday, z.Game, z.Rating)
		}
		if day < 365 {
			games[z.Game]++
			if themes[day%7] == nil {
				themes[day%7] = map[Theme]int{}
			}
			themes[day%7][z.Theme]++
		}
	}
	for weekday, of := range themes {
		for theme, n := range of {
			if n > 36 || len(of) < 3 {
				t.Errorf("weekday %d: %d of 52 are %s, of %d themes", weekday, n, theme, len(of))
			}
		}
	}
	for _, z := range CarriedPuzzles("", "") {
		if n := games[z.Game]; n < 4 || n > 26 {
			t.Errorf("%d of a year’s puzzles are of %s", n, z.Game)
		}
	}
}

// TestTriedKeepsTheAnswerSequential: what is said of a wrong move does not name the reply on the square of the
// answer, as that were the answer.
func TestTriedKeepsTheAnswerSequential(t *testing.T) {
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

// TestTriedCounts: what is said of a wrong move counts the moves of both sides as the judge does beside the board, the
// move included, but of a win those of its own side, as its task does; a win that is not the soonest is called a win.
// Its answer is never named.
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
				want := fmt.Sprintf("Not %s: it %s moves, both sides counted.", m.Move, m.Text)
				if m.Value == "draw" {
					want = fmt.Sprintf("Not %s: it %s.", m.Move, m.Text)
				}
				if n := *m.Plies + 1; m.Value == j.Turn && n%2 == 1 {
					want = fmt.Sprintf("%s wins in %d moves, but the soonest win is asked for.", m.Move, n/2+1)
				} else if m.Value == j.Turn {
					want = fmt.Sprintf("%s %s moves, both sides counted, but the soonest win is asked for.", m.Move,
						m.Text)
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
