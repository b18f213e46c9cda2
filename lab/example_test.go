package lab_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"

	"oxo"
	"oxo/games/kind"
	"oxo/lab"
	"oxo/learn/model"
	"oxo/learn/show"
	"oxo/learn/space"
)

// last is a player of all games: it makes the last of the moves.
type last struct{}

func (last) Choose(_ context.Context, p oxo.Any) (oxo.Choice, error) {
	moves := p.Moves(nil)
	return oxo.Choice{Move: moves[len(moves)-1]}, nil
}

// A program adds a player of its own, which plays all games.
func ExamplePlayer() {
	l := new(lab.Lab)
	err := l.Add(lab.Player{
		GamePlayer: kind.GamePlayer{Name: "last", Form: "last", About: "the last of the moves"},
		Open: func(*oxo.Game[oxo.Any], string) (func(*rand.Rand) oxo.Player[oxo.Any], error) {
			return func(*rand.Rand) oxo.Player[oxo.Any] { return last{} }, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, spec := range []string{"ttt", "connect4"} {
		g, err := l.Game(spec)
		if err != nil {
			log.Fatal(err)
		}
		s, err := g.NewSession(lab.SessionOptions{First: "last", Second: lab.Human})
		if err != nil {
			log.Fatal(err)
		}
		move, err := s.Step(context.Background())
		fmt.Println(spec, move, err)
	}
	// Output:
	// ttt c1 <nil>
	// connect4 g1 <nil>
}

// first are all modules of a learner that makes the first of the moves, and learns nothing.
type first struct{}

func (first) Choose(space.Node, *rand.Rand) model.Choice         { return model.Choice{} }
func (first) Odds(_ space.Node, w []float64)                     { w[0] = 1; clear(w[1:]) }
func (first) LearnGame(*model.Trace, model.Generalizer)          {}
func (first) Learn(model.Example)                                {}
func (first) Save() any                                          { return nil }
func (first) Load(json.RawMessage) error                         { return nil }
func (first) Check() error                                       { return nil }
func (first) Bytes() int64                                       { return 0 }
func (first) Show(int) show.Shown                                { return show.Shown{} }
func (first) Probes() (string, []string, func() (all []float64)) { return "", nil, nil }

// A program adds a learner of its own.
func ExampleLearner() {
	l := new(lab.Lab)
	err := l.Add(lab.Learner{Name: "first", About: "the first of the moves",
		Build: func(*space.Space, any, *rand.Rand) (*model.Learner, error) {
			return &model.Learner{Hypothesis: first{}, Critic: first{}, Generalizer: first{}, Memory: first{}}, nil
		}})
	if err != nil {
		log.Fatal(err)
	}
	g, err := l.Game("ttt")
	if err != nil {
		log.Fatal(err)
	}
	t, err := g.Learning().NewOrResumedTrainer(context.Background(), lab.TrainOptions{Learner: "first",
		Against: lab.Itself})
	if err != nil {
		log.Fatal(err)
	}
	err = t.Run(context.Background(), 10, nil)
	fmt.Println(t.Spec(), t.Tally(), err)
	// Output: first {10 10 0 0} <nil>
}
