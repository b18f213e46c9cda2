//go:build soak

package typed

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/judge"
	"oxo/lab/internal/game"
)

var (
	askedAbout    = flag.Int("asked", 1000, "positions of every kind that the judge is asked about")
	gamesReviewed = flag.Int("reviewed", 28, "games of every kind that it reviews")
	hintsAsked    = flag.Int("hints", 8, "positions of every kind in which the first hint is waited for")
	reviewNodes   = flag.Uint64("reviewnodes", mostCompared, "positions that a review looks at for a move")
)

// TestJudgeKindsSoak is TestJudgeKinds of 1,000 positions of every kind.
func TestJudgeKindsSoak(t *testing.T) { askKinds(t, *askedAbout, 3000) }

// TestJudgeForNothingSoak is TestJudgeForNothing of 1,000 positions of every kind.
func TestJudgeForNothingSoak(t *testing.T) { askKinds(t, *askedAbout, 0) }

// TestReviewGamesSoak reviews games of every kind, of a thousand in all 28 of each, with a budget of as
// many positions as the truth is looked for in: of the moves that certainly lose something at least 99
// in a hundred are found.
func TestReviewGamesSoak(t *testing.T) {
	var all reviewCount
	for _, spec := range everyKind {
		t.Run(spec, func(t *testing.T) {
			n := reviewGames(t, spec, *gamesReviewed, *reviewNodes)
			all.found, all.lost = all.found+n.found, all.lost+n.lost
		})
	}
	if t.Logf("%d of %d moves that lose something were found", all.found, all.lost); all.found*100 < all.lost*99 {
		t.Error("which are too few")
	}
}

// TestThreatsSoak compares the first moves of wins by continuous threats that the judge tells, of
// positions of random games, with those that a search of a hundred times as many positions finds,
// where it shows one of at most twenty plies.
func TestThreatsSoak(t *testing.T) {
	for _, spec := range []string{"mnk:9,9,5", "mnk:15,15,5", "mnk:15,15,5+exact", "mnk:20,20,5", "qubic",
		"torus:9,9,5"} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(spec, func(t *testing.T) {
			g.(interface {
				compareThreats(t *testing.T, positions int)
			}).compareThreats(t, *askedAbout)
		})
	}
}

func (f typedGame[P]) compareThreats(t *testing.T, positions int) {
	b := f.b
	r := rand.New(rand.NewPCG(30, 3))
	won, moves, longest := 0, 0, 0
	for range positions {
		p := wanderedTo(b.Game, r)
		if p.Outcome() != oxo.Ongoing {
			continue
		}
		var lines [][]oxo.Move
		b.WithThreatFinder(func(x judge.Finder[P]) { lines = x.FindWins(t.Context(), p, p.Turn(), 400_000) })
		lines = slices.DeleteFunc(lines, func(line []oxo.Move) bool { return len(line) > 20 })
		if len(lines) == 0 {
			continue
		}
		j, err := f.Judging().Judge(t.Context(), game.JudgeOptions{Position: b.Format(p), Nodes: 20_000}, nil)
		if err != nil {
			t.Fatal(err)
		}
		won++
		for _, line := range lines {
			moves++
			longest = max(longest, len(line))
			name := b.FormatMove(p, line[0])
			i := slices.IndexFunc(j.Moves, func(m game.JudgedMove) bool { return m.Move == name })
			if m := &j.Moves[i]; m.Lo != m.Hi || p.Turn().Score(m.Lo) < 1 {
				t.Errorf("%s: %s wins by threats in %d plies, but it is said: %s", j.Position, name, len(line), m.Text)
			}
		}
	}
	t.Logf("| `%s` | %d | %d | %d | %d |", b.Spec, positions, won, moves, longest)
}
