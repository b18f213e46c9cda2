package typed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
)

// playLevels plays a game between two players to its end, or for so many plies,
// and returns it.
func playLevels(t *testing.T, spec, first, second string, seed uint64, plies int) oxo.Record {
	t.Helper()
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.NewSession(game.SessionOptions{First: first, Second: second, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; !s.Over() && n < plies; n++ {
		legal := s.State().Moves
		m, err := s.Step(context.Background())
		if err != nil {
			t.Fatalf("%s against %s on %s: %v", first, second, spec, err)
		}
		if !slices.Contains(legal, m) {
			t.Fatalf("%s against %s on %s: %q is not legal", first, second, spec, m)
		}
	}
	return s.Record()
}

// TestLevelsAnywhere lets every level play every kind of game by all rules, small
// ones to the end. Below the strongest the same seed is the same game.
func TestLevelsAnywhere(t *testing.T) {
	small := []string{"ttt", "ttt+misere", "ttt+maker", "ttt+breaker", "ttt+avoider", "ttt+enforcer", "ttt+wild",
		"ttt+wild+misere",
		"ttt+notakto", "ttt+order", "ttt+chaos", "ttt+slip=0.2", "mnk:4,4,3+gravity", "mnk:4,4,3+exact", "torus:3,3,3",
		"cube:3,2",
		"animal:tic,3,3", "plane:affine,3", "plane:projective,2", "race:4", "tree:three-ply", "tree:chance"}
	large := []string{"qubic", "mnk:7,7,5+exact", "mnk:19,19,5", "ultimate", "meta"}
	vast := []string{"mnk:15,15,5+exact", "mnk:20,20,5", "mnk:20,20,5+gravity", "mnk:20,20,5+misere",
		"mnk:20,20,5+order", "mnk:9,9,4+slip=0.2", "ultimate+most"}
	for _, spec := range slices.Concat(small, large, vast) {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			for n := 1; n <= game.TopLevel; n++ {
				player, plies := fmt.Sprintf("level:%d", n), 400
				if slices.Contains(large, spec) {
					plies = []int{0, 400, 400, 12, 4, 2}[n]
				}
				if slices.Contains(vast, spec) {
					plies = 2
				}
				r := playLevels(t, spec, player, player, 5, plies)
				if n == game.TopLevel {
					continue
				}
				if again := playLevels(t, spec, player, player, 5, plies); !slices.Equal(r.Moves, again.Moves) {
					t.Errorf("%s: %v, then from the same seed %v", player, r.Moves, again.Moves)
				}
			}
		})
	}
}

// TestLevelRefused names what is accepted.
func TestLevelRefused(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"level", "level:", "level:0", "level:6", "level:-1", "level:hard", "level:3,eval=net",
		"level:2.5"} {
		_, err := g.NewSession(game.SessionOptions{First: spec, Second: game.Human})
		if err == nil || !strings.Contains(err.Error(), "from 1, a beginner, to 5") {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

// shareOf returns how often the player makes one of the moves in a position, of so
// many tries.
func shareOf(t *testing.T, spec, position, player string, tries int, moves ...string) float64 {
	t.Helper()
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for seed := range tries {
		s, err := g.NewSession(game.SessionOptions{First: player, Second: player, Position: position,
			Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(moves, m) {
			n++
		}
	}
	return float64(n) / float64(tries)
}

// TestLevelsSee looks at wins in one move and at blocks, on boards of both kinds:
// a beginner takes most wins and misses many blocks, from level 2 on none of the
// former is missed and hardly any of the latter.
func TestLevelsSee(t *testing.T) {
	row := strings.Repeat("/........", 5)
	for _, c := range []struct{ game, win, block, move string }{
		{"ttt", "xx./oo./... x", "oo./x../.x. x", "c3"},
		{"mnk:7,6,4+gravity", "......./......./......./......./oo...../xxx...o x",
			"......./......./......./......./xx...../ooo...x x", "d1"},
		{"mnk:8,8,5", "......../oxxxx..." + row + "/o.o.o... x", "......../xoooo..." + row + "/x.x.x... x", "f7"},
	} {
		for n := 1; n < game.TopLevel; n++ {
			player := fmt.Sprintf("level:%d", n)
			tries := []int{0, 200, 100, 20, 5}[n]
			win, block := shareOf(t, c.game, c.win, player, tries, c.move),
				shareOf(t, c.game, c.block, player, tries, c.move)
			t.Logf("%s on %s: takes %.2f of wins, %.2f of blocks", player, c.game, win, block)
			switch {
			case win < 1, block < .5, n == 1 && block > .9:
				t.Errorf("%s on %s: takes %.2f of wins, %.2f of blocks", player, c.game, win, block)
			}
		}
	}
}

// TestLevelsRise plays each level against the one below, as far as the game leaves
// room to be better.
func TestLevelsRise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		game string
		top  int
	}{{"ttt", 2}, {"mnk:7,6,4+gravity", 4}, {"mnk:15,15,5", 4}} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		for n := 2; n <= c.top; n++ {
			games, err := g.Contesting().NewContest(game.ContestOptions{Players: []string{fmt.Sprintf("level:%d", n),
				fmt.Sprintf("level:%d", n-1)},
				Games: 40, Openings: 1, Seed: 1}) // in fewer 100 Elo are within chance
			if err != nil {
				t.Fatal(err)
			}
			file, err := os.Create(filepath.Join(t.TempDir(), "journal"))
			if err != nil {
				t.Fatal(err)
			}
			s, err := games.Play(t.Context(), game.Range{}, file, nil)
			if err != nil {
				t.Fatal(err)
			}
			score := s.Cross[0][1]
			t.Logf("level %d against the one below on %s: %+v", n, c.game, score)
			if score.Wins < score.Losses+4 {
				t.Errorf("level %d is not clearly stronger than the one below on %s: %+v", n, c.game, score)
			}
		}
	}
}

// TestTopLevelNeverLoses lets the strongest level meet everything that can be
// played against it on 3×3.
func TestTopLevelNeverLoses(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
		seen := map[string]bool{}
		var visit func(position string)
		visit = func(position string) {
			if seen[position] {
				return
			}
			seen[position] = true
			s, err := g.NewSession(game.SessionOptions{First: "level:5", Second: "level:5", Position: position,
				Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			now := s.State()
			switch {
			case now.Result == oxo.WinFor(seat.Other()).String():
				t.Errorf("level 5 as %v loses: %s", seat, position)
			case now.Result != oxo.Ongoing.String():
			case now.Turn == seat.String():
				if _, err := s.Step(context.Background()); err != nil {
					t.Fatal(err)
				}
				visit(s.State().Position)
			default:
				for _, m := range now.Moves {
					other, err := g.NewSession(game.SessionOptions{First: game.Human, Second: game.Human,
						Position: position})
					if err != nil {
						t.Fatal(err)
					}
					if err := other.Move(m); err != nil {
						t.Fatal(err)
					}
					visit(other.State().Position)
				}
			}
		}
		visit(g.Info().Start)
		if len(seen) < 30 {
			t.Errorf("only %d positions were met", len(seen))
		}
	}
}

// TestLevelsSlipInStretches: in a long game a level slips for some moves at a time, else for one.
func TestLevelsSlipInStretches(t *testing.T) {
	for spec, stretch := range map[string]int{"mnk:9,9,5": 6, "mnk:5,5,4": 1} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		slips, err := g.(interface {
			slipping(moves int) ([]bool, error)
		}).slipping(10 * stretch)
		if err != nil {
			t.Fatal(err)
		}
		turns := 0
		for i := 1; i < len(slips); i++ {
			if slips[i] != slips[i-1] {
				if turns++; i%stretch != 0 {
					t.Errorf("%s: move %d of %v", spec, i, slips)
				}
			}
		}
		if turns == 0 {
			t.Errorf("%s: %v", spec, slips)
		}
	}
}

// slipping says of so many moves of a level that slips in half of them whether it searched for none.
func (f typedGame[P]) slipping(moves int) (slips []bool, err error) {
	m, err := players.OpenLevelWithSlips(f.b, players.Level{Number: 3, Slips: .5})
	if err != nil {
		return nil, err
	}
	x, err := m(rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		return nil, err
	}
	for range moves {
		c, err := x.Choose(context.Background(), f.b.Start)
		if err != nil {
			return nil, err
		}
		slips = append(slips, c.Nodes == 0)
	}
	return slips, nil
}
