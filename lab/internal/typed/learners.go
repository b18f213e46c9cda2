package typed

import (
	"context"

	"oxo/learn"
	"oxo/learn/model"
	"oxo/learn/space"
)

// Catalogue says what can be learned of a game, how, and against whom.
type Catalogue struct {
	Game     string        `json:"game"`
	Exact    bool          `json:"exact" doc:"whether exams are exact; else the game has too many positions and only weights are plotted"`
	Learners []LearnerForm `json:"learners"`
	Against  []Offer       `json:"against" doc:"opponents that can play the game; any player's spec can be given"`
	Starts   []Offer       `json:"starts" doc:"how the start of each game is chosen; +N adds N random moves"`
	Seats    []Offer       `json:"seats" doc:"which side the learner plays"`
}

// LearnerForm is a kind of learner with its options, as they are for a game.
type LearnerForm struct {
	model.Form
	Refused string `json:"refused,omitempty" doc:"why it can't learn this game"`
}

// Offer is a word and what it stands for.
type Offer struct {
	Spec  string `json:"spec"`
	About string `json:"about"`
}

// opponents are those offered to learners.
var opponents = []Offer{
	{learn.Itself, "the learner plays both sides"},
	{"random", "every move with equal probability"},
	{"heuristic", "win, block, fork, block a fork, centre, corner, side"},
	{"optimal", "every move that keeps the position's value with equal probability"},
	{"perfect", "exact play that makes mistakes likely"},
	{"pool", "random, optimal or heuristic, drawn for each game"},
	{"rows", "one move ahead by marks in open lines"},
	{"winratio", "the largest share of won games below"},
	{"static:depth=3", "alpha-beta by fixed weights of features"},
	{"alphabeta:depth=3", "alpha-beta, three moves deep"},
	{"mcts:sims=100", "Monte-Carlo tree search of a hundred games"},
}

// Learners lists the kinds of learners with their options and whether they can
// learn the game. Where ctx ends it the lists are shorter than they should be.
func (f learning[P]) Learners(ctx context.Context) *Catalogue {
	g := f.b.learningGraph()
	c := &Catalogue{Game: f.b.Spec, Exact: g.Complete(), Against: []Offer{}, Starts: []Offer{},
		Seats: []Offer{{"alternate", "both sides in turn"}, {"first", "the side that begins"},
			{"second", "the other side"}}}
	for _, known := range model.FormsFor(g.Space) {
		form := LearnerForm{Form: known}
		if _, err := f.newTrainer(ctx, g, TrainOptions{Learner: known.Name, Against: learn.Itself}); err != nil {
			form.Refused = err.Error()
		}
		c.Learners = append(c.Learners, form)
	}
	for _, o := range opponents {
		if _, err := f.opponent(ctx, o.Spec, g); err == nil {
			c.Against = append(c.Against, o)
		}
	}
	for _, start := range learn.GeneratorForms() {
		if _, err := learn.ParseGenerator(g.Space, start[0]); err == nil {
			c.Starts = append(c.Starts, Offer{start[0], start[1]})
		}
	}
	return c
}

// BrainFacts says of what game and learner a brain is, and how it came to be.
type BrainFacts struct {
	Game    string `json:"game"`
	Learner string `json:"learner"`
	Against string `json:"against"`
	Seats   string `json:"seats"`
	learn.Tally
}

// ReadBrainFacts reads what a brain is.
func ReadBrainFacts(data []byte) (BrainFacts, error) {
	b, err := learn.ReadBrain(data)
	if err != nil {
		return BrainFacts{}, err
	}
	return BrainFacts{b.Game, b.Learner, b.Plan.Against, b.Plan.Seats, b.Tally}, nil
}

// openBrainTrainer opens the brain in data, to be shown.
func (f learning[P]) openBrainTrainer(data []byte) (*space.Graph[P], *learn.Trainer, error) {
	brain, err := learn.ReadBrain(data)
	if err == nil {
		err = brain.For(f.b.identity)
	}
	if err != nil {
		return nil, nil, err
	}
	g := f.b.learningGraph()
	t, err := learn.OpenBrain(g.Space, brain)
	return g, t, err
}

// ShowBrain says what a brain has learned, with at most so many positions.
func (f learning[P]) ShowBrain(data []byte, most int) (*model.Shown, error) {
	_, t, err := f.openBrainTrainer(data)
	if err != nil {
		return nil, err
	}
	s := t.Show(most)
	return &s, nil
}

// Look says what a brain makes of a position. Where ctx is done, one that
// searches says what it has come to.
func (f learning[P]) Look(ctx context.Context, data []byte, position string) (*learn.Look, error) {
	g, t, err := f.openBrainTrainer(data)
	if err != nil {
		return nil, err
	}
	p, err := parse(f.b.Game, position)
	if err != nil {
		return nil, err
	}
	n, err := g.Node(p)
	if err != nil {
		return nil, err
	}
	l := t.Look(ctx, n)
	return &l, nil
}
