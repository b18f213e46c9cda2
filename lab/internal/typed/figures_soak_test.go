//go:build soak

package typed

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/arena"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
)

var (
	measured   = flag.String("measured", "", "games whose levels are measured, joined with semicolons")
	tryRounds  = flag.Int("rounds", 3, "rounds of games by which the slips are looked for before")
	realGames  = flag.Int("games", 400, "games by which each step is then measured")
	figureSeed = flag.Uint64("figures", 81, "the seed of the games that are reported")
)

// In how many games of a round the slips of the levels are looked for; and what a step is to be at least, in
// Elo.
const (
	tryGames  = 60
	leastStep = 120
	capped    = .4 // of the slips of the level below, where exact play leaves no step of that size
)

type measurer interface {
	measureLevels(t *testing.T) []game.LevelFigure
}

// TestMeasureLevels looks in each game for how much the levels are to slip, from what they do now on, measures
// the steps between them with another seed, and writes game/levels/figures.csv.
func TestMeasureLevels(t *testing.T) {
	if *measured == "" {
		t.Skip("no games to measure: -measured 'ttt;qubic'")
	}
	list := slices.Clone(game.LevelFigures())
	for _, spec := range strings.Split(*measured, ";") {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		spec = g.Info().Spec
		list = slices.DeleteFunc(list, func(f game.LevelFigure) bool { return f.Game == spec })
		list = append(list, g.(measurer).measureLevels(t)...)
		rows := [][]string{{"game", "level", "slips", "elo", "error", "games", "fingerprint"}}
		for _, f := range list {
			rows = append(rows, []string{f.Game, fmt.Sprint(f.Level), fmt.Sprint(f.Slips), fmt.Sprintf("%.0f", f.Elo),
				fmt.Sprintf("%.0f", f.Error), fmt.Sprint(f.Games), f.Fingerprint})
		}
		var text strings.Builder
		if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("../game/levels/figures.csv", []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// against plays one level against another.
func (f typedGame[P]) against(t *testing.T, x, y players.Level, games int, seed uint64) arena.MatchResult {
	b := f.b
	t.Helper()
	c, err := contesting[P]{b}.newTournament(game.ContestOptions{Players: []string{"level:2", "level:1"}, Games: games,
		Openings: 2,
		Seed:     seed})
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range []players.Level{x, y} {
		m, err := players.OpenLevelWithSlips(b, l)
		if err != nil {
			t.Fatal(err)
		}
		c.Entrants[i].New = func(seat oxo.Seat, seed uint64) (oxo.Player[P], error) {
			return m(rand.New(rand.NewPCG(seed, uint64(seat))))
		}
	}
	s, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.Match()
}

// measureLevels is TestMeasureLevels of a game.
func (f typedGame[P]) measureLevels(t *testing.T) (list []game.LevelFigure) {
	var slips levelSlips
	for n := range slips {
		slips[n] = game.SlipProbability(f.b.Spec, n)
	}
	for round := range *tryRounds {
		f.evenOut(&slips, f.steps(t, slips, tryGames*(round+1), *figureSeed+uint64(round+1)))
	}
	for n, m := range f.steps(t, slips, *realGames, *figureSeed) {
		if n < 2 {
			continue
		}
		sign, err := f.fingerprint(players.Level{Number: n, Slips: slips[n]})
		if err != nil {
			t.Fatal(err)
		}
		f := game.LevelFigure{Game: f.b.Spec, Level: n, Slips: slips[n], Elo: m.Elo.Elo, Error: m.Error,
			Games: *realGames, Fingerprint: sign}
		list = append(list, f)
		fmt.Fprintf(os.Stderr, "%+v\n", f)
	}
	return list
}

// What each level has: its slips, and how it did against the one below.
type (
	levelSlips = [game.TopLevel + 1]float64
	levelSteps = [game.TopLevel + 1]arena.MatchResult
)

// steps plays each level against the one below.
func (f typedGame[P]) steps(t *testing.T, slips levelSlips, games int, seed uint64) (list levelSteps) {
	for n := 2; n <= game.TopLevel; n++ {
		x, y := players.Level{Number: n, Slips: slips[n]}, players.Level{Number: n - 1, Slips: slips[n-1]}
		list[n] = f.against(t, x, y, games, seed)
	}
	return list
}

// evenOut moves the slips so that by the steps that were measured all would be equal, or where that is
// too little the first ones as large as they are to be. Between two levels strength is taken to grow evenly.
func (f typedGame[P]) evenOut(slips *levelSlips, steps levelSteps) {
	was, reached := *slips, levelSlips{}
	for n := 2; n <= game.TopLevel; n++ {
		reached[n] = reached[n-1] + max(steps[n].Elo.Elo, 1)
	}
	step := max(reached[game.TopLevel]/(game.TopLevel-1), leastStep)
	for n, k := 2, 2; n < game.TopLevel; n++ {
		goal := step * float64(n-1)
		for k < game.TopLevel && reached[k] < goal {
			k++
		}
		part := min((goal-reached[k-1])/(reached[k]-reached[k-1]), 1)
		slips[n] = was[k-1] + part*(was[k]-was[k-1])
		if f.b.SolveWholeIfSmall() != nil {
			slips[n] = max(slips[n], capped*slips[n-1]) // so that the levels near exact play differ at all
		}
		slips[n] = math.Round(slips[n]*1000) / 1000
	}
}
