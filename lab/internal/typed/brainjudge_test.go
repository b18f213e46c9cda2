package typed

import (
	"math"
	"os"
	"strings"
	"testing"

	"oxo/lab/internal/game"
	"oxo/learn"
	"oxo/learn/model"
)

// brainOf returns the brain of a learner that has played so many games with itself.
func brainOf(t *testing.T, l *game.Lab, spec, learner string, games int) []byte {
	t.Helper()
	g, err := l.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	trainer, err := g.Learning().NewOrResumedTrainer(t.Context(), game.TrainOptions{Learner: learner,
		Against: learn.Itself, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := trainer.Run(t.Context(), games, nil); err != nil {
		t.Fatal(err)
	}
	brain, err := g.Learning().Brain(trainer)
	if err != nil {
		t.Fatal(err)
	}
	data, err := brain.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestBrainJudges: a search of one ply by a brain values the best move as the brain
// itself does, to First, a weighted sum squashed so that half of a won game is 1/2, on
// boards of either size and where the sides want different things.
func TestBrainJudges(t *testing.T) {
	var data []byte
	l := &game.Lab{Kinds: BuiltInKinds(), ReadFile: func(string) ([]byte, error) { return data, nil },
		Enumerable: 10_000}
	for _, c := range []struct {
		game, learner, position string
		half                    float64
	}{
		{"ttt", "net:layers=4/4", "x../.o./... x", 0},
		{"ttt", "net:tuples=squares,layers=3", "x../.o./..x o", 0},
		{"mnk:5,5,4", "ntuple:tuples=lines", "...../.x.../..o../...x./..... o", 0},
		{"mnk:9,9,5", "net:layers=4,tuples=lines,share=translates", "", 0},
		{"mnk:5,4,4+gravity", "net:layers=4,sides=alike", "", 0},
		{"ttt+maker", "ntuple", "x../.o./... x", 0},
		{"ttt+wild", "ntuple", "", 0},
		{"race:6", "net", ".xo... x", 0},
		{"race:6", "ntuple", "", 0},
		{"ttt", "lms", "x../.o./... x", 50},
		{"mnk:5,5,4", "td:features=counts+winning*turn", "...../.x.../..o../...x./..... o", 50},
		{"ttt+misere", "evolve", "x../.o./..x o", 10},
	} {
		data = brainOf(t, l, c.game, c.learner, 60)
		g, err := l.Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		if c.position == "" {
			c.position = g.Info().Start
		}
		look, err := g.Learning().LookWithBrain(t.Context(), data, c.position)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for _, m := range look.Moves {
			best = max(best, *m.Worth)
		}
		if strings.HasSuffix(c.position, " o") {
			best = -best
		}
		if c.half > 0 {
			best /= math.Abs(best) + c.half
		}
		for _, algorithm := range []string{"minimax", "alphabeta"} {
			r, err := g.Searching().Search(t.Context(), game.SearchOptions{Algorithm: algorithm, Depth: 1,
				Eval:     "brain:b",
				Position: c.position})
			if err != nil {
				t.Fatal(err)
			}
			if r.Value == nil || *r.Value != best {
				t.Errorf("%s on %s, %s: %+v, the brain says %v", c.learner, c.game, algorithm, r, best)
			}
		}
		if _, err := g.Searching().Search(t.Context(), game.SearchOptions{Algorithm: "mcts", Sims: 50, Eval: "brain:b",
			Workers: 2}); err != nil {
			t.Error(err)
		}
	}
}

// TestBrainEvalRefused: what can't be an evaluation is refused with the reason.
func TestBrainEvalRefused(t *testing.T) {
	files := map[string][]byte{}
	l := &game.Lab{Kinds: BuiltInKinds(), ReadFile: func(path string) ([]byte, error) {
		if files[path] == nil {
			return nil, os.ErrNotExist
		}
		return files[path], nil
	}}
	files["net"] = brainOf(t, l, "ttt", "net:layers=2,tuples=squares", 60)
	files["table"] = brainOf(t, l, "ttt", "table", 60)
	files["menace"] = brainOf(t, l, "ttt", "menace", 60)
	files["slip"] = brainOf(t, l, "ttt+slip=0.25", "net:layers=2,tuples=squares", 60)
	files["tree"] = brainOf(t, l, "tree:three-ply", "net", 60)
	files["cut"] = files["net"][:200]
	files["newer"] = []byte(strings.Replace(string(files["net"]), `"version": 1`, `"version": 9`, 1))
	// the first weights become NaN
	at := strings.Index(string(files["net"]), `"weights": "`) + len(`"weights": "`)
	files["nan"] = append([]byte(nil), files["net"]...)
	copy(files["nan"][at:], "////////////////////////") // 18 bytes of ones
	for _, c := range []struct{ game, eval, want string }{
		{"mnk:4,4,4", "net", "a brain for mnk:3,3,3, not for mnk:4,4,4"},
		{"ttt", "table", "td-leaf and evolve; this is one of table"},
		{"ttt", "menace", "this is one of menace"},
		{"ttt+slip=0.25", "slip", "doesn't show the move made"},
		{"ttt", "cut", "cut short"},
		{"ttt", "newer", "version 9"},
		{"ttt", "nan", "its weights is NaN"},
		{"ttt", "other", "not exist"},
		{"tree:three-ply", "tree", "tree:three-ply has payoffs"},
	} {
		g, err := l.Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		for _, player := range []string{"minimax:depth=1", "mcts:sims=10"} {
			_, err = g.NewSession(game.SessionOptions{First: player + ",eval=brain:" + c.eval, Second: "random"})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s on %s: error %v, want one that says %q", c.eval, c.game, err, c.want)
			}
		}
	}
}

// TestNetOfLetters: games without a board learn a net over the letters of their texts that plays them without a
// mistake; what such a net can't look at is refused.
func TestNetOfLetters(t *testing.T) {
	l := &game.Lab{Kinds: BuiltInKinds(), Enumerable: 10_000}
	for _, spec := range []string{"race:4", "race:7", "tree:three-ply", "tree:chance"} {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		trainer, err := g.Learning().NewOrResumedTrainer(t.Context(), game.TrainOptions{Learner: "net",
			Against: learn.Itself, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		if err := trainer.Run(t.Context(), 20_000, nil); err != nil {
			t.Fatal(err)
		}
		e, err := g.Learning().GradeExactly(t.Context(), trainer)
		if err != nil {
			t.Fatal(err)
		}
		if e.AsFirst.Exploitability+e.AsSecond.Exploitability > 1e-9 {
			t.Errorf("%s: %+v", spec, e)
		}
	}
	for _, c := range []struct{ game, learner, says string }{
		{"race:4", "net:tuples=lines", "it takes tuples=squares alone"},
		{"race:4", "ntuple:share=orbits", "it takes tuples=squares alone"},
		{"race:4", "nearest", model.ErrNoSquares.Error()},
		{"race:100", "net", "302 letters"},
	} {
		g, err := l.Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		_, err = g.Learning().NewOrResumedTrainer(t.Context(), game.TrainOptions{Learner: c.learner,
			Against: learn.Itself})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s on %s: %v", c.learner, c.game, err)
		}
	}
}
