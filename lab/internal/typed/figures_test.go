package typed

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
)

// fingerprint returns a sign of how a level plays: of the first plies of two games against
// itself, and of how much it slips.
func (f typedGame[P]) fingerprint(l level) (string, error) {
	b := f.b
	m, err := b.playLevel(l)
	if err != nil {
		return "", err
	}
	sign := fnv.New32a()
	fmt.Fprint(sign, l)
	plies := 6
	if l.number == topLevel {
		plies = 2
	}
	for seed := range uint64(2) {
		var players [2]oxo.Player[P]
		for i := range players {
			if players[i], err = m(rand.New(rand.NewPCG(seed, uint64(i)))); err != nil {
				return "", err
			}
		}
		p := b.Start
		for range plies {
			if p.Outcome() != oxo.Ongoing || p.Turn() == oxo.Chance {
				break
			}
			c, err := players[p.Turn()].Choose(context.Background(), p)
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
	fingerprint(l level) (string, error)
}

// TestLevelFigures compares the fingerprint of each level that was measured with the player's:
// a figure of a player that has changed since is to be measured again or left out.
func TestLevelFigures(t *testing.T) {
	games := map[string]bool{}
	for _, f := range LevelFigures() {
		games[f.Game] = true
		t.Run(fmt.Sprintf("%s/%d", f.Game, f.Level), func(t *testing.T) {
			t.Parallel()
			g, err := (&Lab{Kinds: BuiltIn()}).Game(f.Game)
			if err != nil {
				t.Fatal(err)
			}
			if g.Info().Spec != f.Game {
				t.Errorf("the game is called %s", g.Info().Spec)
			}
			sign, err := g.(fingerprinter).fingerprint(level{number: f.Level, slips: f.Slips})
			if err != nil {
				t.Fatal(err)
			}
			if sign != f.Fingerprint {
				t.Errorf("level %d was measured as player %s and is %s now: its figure is stale; "+
					"measure it again by TestMeasureLevels, or leave it out", f.Level, f.Fingerprint, sign)
			}
			if f.Games < 40 || f.Elo < -2*f.Error {
				t.Errorf("%+v", f)
			}
		})
	}
	if len(games) < 10 {
		t.Errorf("levels are measured in %d games only", len(games))
	}
}

// TestReadFigures refuses what is no figure.
func TestReadFigures(t *testing.T) {
	const header = "game,level,slips,elo,error,games,fingerprint\n"
	list, err := readFigures(header + "ttt,2,0.5,100,60,100,0000abcd\n")
	want := []LevelFigure{{"ttt", 2, .5, 100, 60, 100, "0000abcd"}}
	if err != nil || !slices.Equal(list, want) {
		t.Errorf("%+v, %v", list, err)
	}
	if text := want[0].Text(); text != "about +100 over level 1" {
		t.Error(text)
	}
	for _, bad := range []string{header + "ttt,two,0.5,100,60,100,0000abcd\n", header + "ttt,2\n",
		header + "ttt,2,0.5,100,60,many,0000abcd\n"} {
		if _, err := readFigures(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
