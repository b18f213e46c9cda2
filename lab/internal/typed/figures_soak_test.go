//go:build soak

package typed

import (
	"encoding/csv"
	"flag"
	"fmt"
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

var measured = flag.String("measured", "", "games whose levels are measured, joined with semicolons")

// What the levels aim at: the share of the points against the level below, and how close a
// search for the slips comes to it, in so many games each.
const (
	aim       = .73
	wideAim   = .79 // in games too large to solve, where the strongest level is far above the beginner
	halvings  = 5
	tryGames  = 60
	realGames = 100
	topGames  = 40
	capped    = .4 // of the slips of the level below, where exact play leaves no step of that size
)

type measurer interface {
	measureLevels(t *testing.T) []game.LevelFigure
}

// TestMeasureLevels looks in each game for how much the levels are to slip, measures the steps
// between them with other seeds, and writes game/levels/figures.csv.
func TestMeasureLevels(t *testing.T) {
	if *measured == "" {
		t.Skip("no games to measure: -measured 'ttt;qubic'")
	}
	list := game.LevelFigures()
	for _, spec := range strings.Split(*measured, ";") {
		g, err := (&game.Lab{Kinds: BuiltIn()}).Game(spec)
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
		m, err := players.OpenLevelAs(b, l)
		if err != nil {
			t.Fatal(err)
		}
		c.Entrants[i].New = func(seat oxo.Seat, seed uint64) (oxo.Player[P], error) {
			return m(rand.New(rand.NewPCG(seed, uint64(seat))))
		}
	}
	c.Workers = 1
	s, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.Match()
}

// measureLevels is TestMeasureLevels of a game.
func (f typedGame[P]) measureLevels(t *testing.T) (list []game.LevelFigure) {
	b := f.b
	was := players.Level{Number: 1, Slips: game.UsualSlips[1]}
	for n := 2; n <= game.TopLevel; n++ {
		l, games := players.Level{Number: n, Slips: 0}, realGames
		if n < game.TopLevel {
			l.Slips = f.tuned(t, n, was)
		} else if b.SoonSolved() == nil {
			games = topGames
		}
		m := f.against(t, l, was, games, 77)
		sign, err := f.fingerprint(l)
		if err != nil {
			t.Fatal(err)
		}
		f := game.LevelFigure{Game: b.Spec, Level: n, Slips: l.Slips, Elo: m.Elo.Elo, Error: m.Error, Games: games,
			Fingerprint: sign}
		list = append(list, f)
		t.Logf("%+v", f)
		fmt.Fprintf(os.Stderr, "%+v\n", f)
		was = l
	}
	return list
}

// tuned halves the slips between none and those of the level below until the share of the
// points is near what is aimed at.
func (f typedGame[P]) tuned(t *testing.T, n int, was players.Level) float64 {
	b := f.b
	lo, hi, aim := 0.0, was.Slips, aim
	if b.SoonSolved() == nil {
		aim = wideAim
	}
	for range halvings {
		mid := (lo + hi) / 2
		m := f.against(t, players.Level{Number: n, Slips: mid}, was, tryGames, 5)
		if share := (float64(m.Wins) + float64(m.Draws)/2) / tryGames; share > aim {
			lo = mid
		} else {
			hi = mid
		}
	}
	least := 0.0
	if b.SoonSolved() != nil {
		least = was.Slips * capped // so that the levels near exact play differ at all
	}
	return float64(int(max(least, (lo+hi)/2)*1000)) / 1000
}
