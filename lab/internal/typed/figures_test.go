package typed

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
)

// fingerprint returns a sign of how a level plays: of the first plies of two games against
// itself, and of how much it slips.
func (f typedGame[P]) fingerprint(l players.Level) (string, error) {
	b := f.b
	m, err := players.OpenLevelWithSlips(b, l)
	if err != nil {
		return "", err
	}
	sign := fnv.New32a()
	fmt.Fprint(sign, l)
	plies := 6
	if l.Number == game.TopLevel {
		plies = 2
	}
	for seed := range uint64(2) {
		var spec [2]oxo.Player[P]
		for i := range spec {
			if spec[i], err = m(rand.New(rand.NewPCG(seed, uint64(i)))); err != nil {
				return "", err
			}
		}
		p := b.Start
		for range plies {
			if p.Outcome() != oxo.Ongoing || p.Turn() == oxo.Chance {
				break
			}
			c, err := spec[p.Turn()].Choose(context.Background(), p)
			if err != nil {
				return "", err
			}
			fmt.Fprint(sign, " ", b.FormatMove(p, c.Move))
			p = p.Play(c.Move)
		}
	}
	return fmt.Sprintf("%08x", sign.Sum32()), nil
}

// fingerprinter is a game whose levels have fingerprints.
type fingerprinter interface {
	fingerprint(l players.Level) (string, error)
	soonSolved() bool
}

func (f typedGame[P]) soonSolved() bool { return f.b.SolveWholeIfSmall() != nil }

// TestLevelFigures compares the fingerprint of each level that was measured with the player's:
// a figure of a player that has changed since is to be measured again or left out. The levels lie 100 to
// 250 Elo apart; closer where the game is solved and exact play leaves no room.
func TestLevelFigures(t *testing.T) {
	const least, most = 100, 250
	games := map[string]int{}
	for _, f := range game.LevelFigures() {
		if games[f.Game]++; f.Level != games[f.Game]+1 {
			t.Errorf("%s: level %d comes after %d others", f.Game, f.Level, games[f.Game]-1)
		}
		t.Run(fmt.Sprintf("%s/%d", f.Game, f.Level), func(t *testing.T) {
			t.Parallel()
			g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(f.Game)
			if err != nil {
				t.Fatal(err)
			}
			if g.Info().Spec != f.Game {
				t.Errorf("the game is called %s", g.Info().Spec)
			}
			sign, err := g.(fingerprinter).fingerprint(players.Level{Number: f.Level, Slips: f.Slips})
			if err != nil {
				t.Fatal(err)
			}
			if sign != f.Fingerprint {
				t.Errorf("level %d was measured as player %s and is %s now: its figure is stale; "+
					"measure it again by TestMeasureLevels, or leave it out", f.Level, f.Fingerprint, sign)
			}
			if solved := g.(fingerprinter).soonSolved(); f.Games < 100 || f.Elo < -2*f.Error || f.Elo > most ||
				!solved && f.Elo < least {
				t.Errorf("%+v", f)
			}
		})
	}
	for spec, n := range games {
		if n != game.TopLevel-1 {
			t.Errorf("%s: %d levels are measured", spec, n)
		}
	}
	if len(games) < 15 {
		t.Errorf("levels are measured in %d games only", len(games))
	}
}
