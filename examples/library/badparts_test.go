package main

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"

	"oxo"
	"oxo/games/kind"
	"oxo/lab"
	"oxo/learn/model"
	"oxo/learn/option"
	"oxo/learn/show"
	"oxo/learn/space"
)

// anyChoice is a player of all games that does what the function does.
type anyChoice func() (oxo.Choice, error)

func (c anyChoice) Choose(context.Context, oxo.Any) (oxo.Choice, error) { return c() }

// anyPolicy is one that gives all moves that probability.
type anyPolicy float64

func (f anyPolicy) Choose(context.Context, oxo.Any) (oxo.Choice, error) {
	return oxo.Choice{Scored: true, Score: float64(f)}, nil
}

func (f anyPolicy) Policy(_ oxo.Any, _ []oxo.Move, w []float64) {
	if f < 0 {
		panic("the policy fell over")
	}
	for i := range w {
		w[i] = float64(f)
	}
}

// badPlayer is a player of all games that does something wrong.
func badPlayer(name string, p oxo.Player[oxo.Any]) lab.Part {
	return lab.Player{GamePlayer: kind.GamePlayer{Name: name, Form: name, About: "a player for tests"},
		Open: func(*oxo.Game[oxo.Any], string) (func(*rand.Rand) oxo.Player[oxo.Any], error) {
			switch name {
			case "opens-nothing":
				return nil, nil
			case "opens-in-panic":
				panic("it does not open")
			}
			return func(*rand.Rand) oxo.Player[oxo.Any] { return p }, nil
		}}
}

// badModules are the modules of a learner that does something wrong, as its name says.
type badModules struct{ name string }

func (b badModules) Choose(space.Node, *rand.Rand) model.Choice {
	switch b.name {
	case "chooses-in-panic":
		panic("the learner fell over")
	case "chooses-99":
		return model.Choice{Edge: 99}
	}
	return model.Choice{}
}

func (b badModules) Odds(_ space.Node, w []float64) {
	clear(w)
	if w[0] = 1; b.name == "odds-nan" {
		w[0] = math.NaN()
	}
}

func (b badModules) LearnGame(*model.Trace, model.Generalizer) {
	if b.name == "learns-in-panic" {
		panic("the critic fell over")
	}
}

func (b badModules) Learn(model.Example) {}

func (b badModules) Save() any {
	if b.name == "keeps-nan" {
		return math.NaN()
	}
	return 1
}

func (b badModules) Load(json.RawMessage) error                         { return nil }
func (b badModules) Check() error                                       { return nil }
func (b badModules) Bytes() int64                                       { return 0 }
func (b badModules) Show(int) show.Shown                                { return show.Shown{} }
func (b badModules) Probes() (string, []string, func() (all []float64)) { return "", nil, nil }

// badLearner is a learner that does something wrong.
func badLearner(name string) lab.Part {
	return lab.Learner{Name: name, About: "a learner for tests",
		Read: func(*option.Reader) any {
			if name == "reads-in-panic" {
				panic("it reads nothing")
			}
			return nil
		},
		Build: func(*space.Space, any, *rand.Rand) (*model.Learner, error) {
			b := badModules{name}
			switch name {
			case "builds-in-panic":
				panic("it builds nothing")
			case "builds-nothing":
				return nil, nil
			case "builds-half":
				return &model.Learner{Hypothesis: b, Critic: b}, nil
			}
			return &model.Learner{Hypothesis: b, Critic: b, Generalizer: b, Memory: b}, nil
		}}
}

// badParts are players of all games and learners, each of which does something wrong.
func badParts() (list []lab.Part) {
	for name, p := range map[string]oxo.Player[oxo.Any]{
		"cheats":         anyChoice(func() (oxo.Choice, error) { return oxo.Choice{Move: 77}, nil }),
		"booms":          anyChoice(func() (oxo.Choice, error) { panic("the player fell over") }),
		"half-sure":      anyPolicy(math.NaN()),
		"too-sure":       anyPolicy(2),
		"unsure":         anyPolicy(-1),
		"opens-nothing":  nil,
		"opens-in-panic": nil,
		"makes-nothing":  nil,
	} {
		list = append(list, badPlayer(name, p))
	}
	for _, name := range []string{"chooses-in-panic", "chooses-99", "odds-nan", "learns-in-panic", "keeps-nan",
		"reads-in-panic", "builds-in-panic", "builds-nothing", "builds-half"} {
		list = append(list, badLearner(name))
	}
	return list
}

// refusedParts are programs that are none: what each adds has a name that is taken or ill, or lacks something.
var refusedParts = map[string]lab.Part{
	`player "random": the name is taken by a player of all games`:     badPlayer("random", nil),
	`player "menace": the name is taken by a learner`:                 badPlayer("menace", nil),
	`player "itself": the name is taken by the opponents of learners`: badPlayer("itself", nil),
	`player "a:b": a name is letters`:                                 badPlayer("a:b", nil),
	`player "dull": it lacks what makes it`: lab.Player{
		GamePlayer: kind.GamePlayer{Name: "dull"}},
	`learner "menace": the name is taken by a learner`:             badLearner("menace"),
	`learner "random": the name is taken by a player of all games`: badLearner("random"),
	`learner "": a name is letters`:                                badLearner(""),
	`learner "dull": it lacks what makes it`:                       lab.Learner{Name: "dull"},
	`what is added as number 1 is nil`:                             nil,
}
