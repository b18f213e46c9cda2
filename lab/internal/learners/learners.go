package learners

import (
	"context"
	"maps"
	"slices"
	"strings"

	"oxo"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lab/internal/players"
	"oxo/learn"
	"oxo/learn/model"
	"oxo/learn/show"
	"oxo/learn/space"
	"oxo/message"
)

// opponents are those offered to learners.
// They are in the order in which they are shown; those that don't play a game are left out of its list.
var opponents = []game.Offer{
	{Spec: learn.Itself, About: "the learner plays both sides"},
	{Spec: "random", About: "every move with equal probability"},
	{Spec: "heuristic", About: "win, block, fork, block a fork, centre, corner, side"},
	{Spec: "optimal", About: "every move that keeps the position's value with equal probability"},
	{Spec: "perfect", About: "exact play that makes mistakes likely"},
	{Spec: "pool", About: "random, optimal or heuristic, drawn for each game"},
	{Spec: "rows", About: "one move ahead by marks in open lines"},
	{Spec: "winratio", About: "the largest share of won games below"},
	{Spec: "static:depth=3", About: "alpha-beta by fixed weights of features"},
	{Spec: "static:features=counts,weights=0/1/-1/5/-5,depth=1", About: "one move ahead by fixed weights of features"},
	{Spec: "alphabeta:depth=3", About: "alpha-beta, three moves deep"},
	{Spec: "mcts:sims=100", About: "Monte-Carlo tree search of a hundred games"},
}

// LearnerCatalogue lists the kinds of learners with their options and whether they can
// learn the game, and who can play against them. It solves and enumerates nothing: where
// nobody has, it goes by a guess of how many positions there are.
// A learner that can't learn the game is listed with the reason, an opponent or a start that can't be used is not.
func (f Trainable[P]) LearnerCatalogue() *game.Catalogue {
	g := f.b.GraphToCheckLearners()
	c := &game.Catalogue{Game: f.b.Spec, Exact: g.Complete(), Against: []game.Offer{}, Starts: []game.Offer{},
		Usual: game.Usual.On(len(f.b.Info().Squares)),
		Seats: []game.Offer{offer("seat", "alternate", "both sides in turn"),
			offer("seat", "first", "the side that begins"),
			offer("seat", "second", "the other side")}}
	for _, known := range model.FormsUsualIn(g.Space, f.b.Lab.Learners...) {
		form := game.LearnerForm{Form: known, Settings: []game.LearnerSetting{},
			Said: message.Keyed("about", "learner."+known.Key)}
		for _, s := range known.Settings {
			form.Settings = append(form.Settings, game.LearnerSetting{Setting: s,
				Said: message.Keyed("about", "learner."+known.Key+"."+s.Key)})
		}
		f.addUsualWith(&form, g.Space)
		spec, err := f.b.Lab.ParseLearner(known.Name)
		if err == nil {
			err = learn.CheckLearnable(g.Space, spec)
		}
		if err != nil {
			form.Refused = err.Error()
			maps.Copy(form.Said, game.RefusalMessage(err))
		}
		c.Learners = append(c.Learners, form)
	}
	for _, o := range opponents {
		if f.refusalOfOpponent(o.Spec) == nil {
			o.Said = message.Keyed("about", "against."+o.Spec)
			c.Against = append(c.Against, o)
		}
	}
	for _, p := range players.WithoutOptions(f.b) {
		if f.refusalOfOpponent(p.Name) == nil {
			c.Against = append(c.Against, game.Offer{Spec: p.Name, About: p.About,
				Said: message.Keyed("about", "player."+p.Name)})
		}
	}
	for _, start := range learn.GeneratorForms() {
		_, err := learn.ParseGenerator(g.Space, start[0], nil)
		switch start[0] {
		case "sheets": // a file
			continue
		// Whether such boards can be had is found out without listing them.
		case "illegal":
			err = space.CheckIllegalListable(f.b.Game)
		}
		if err == nil {
			c.Starts = append(c.Starts, offer("start", start[0], start[1]))
		}
	}
	return c
}

// addUsualWith notes of each option its usual value where an option that is a word is another than the usual one.
func (f Trainable[P]) addUsualWith(form *game.LearnerForm, s *space.Space) {
	for _, other := range form.Settings {
		for _, word := range other.Takes.Words {
			option := other.Key + "=" + word
			spec, err := f.b.Lab.ParseLearner(form.Name + ":" + option)
			if err != nil || other.Takes.Kind != "word" || word == other.Value {
				continue
			}
			for _, with := range spec.AdaptedTo(s).Settings() {
				i := slices.IndexFunc(form.Settings, func(s game.LearnerSetting) bool { return s.Key == with.Key })
				if i < 0 || with.Key == other.Key || with.Value == form.Settings[i].Value {
					continue
				}
				if of := &form.Settings[i]; of.UsualWith == nil {
					of.UsualWith = map[string]string{}
				}
				form.Settings[i].UsualWith[option] = with.Value
			}
		}
	}
}

// offer returns a word of that kind and what it stands for.
// Other languages have the text by the key, which is the kind, a dot and the word.
func offer(kind, spec, about string) game.Offer {
	return game.Offer{Spec: spec, About: about, Said: message.Keyed("about", kind+"."+spec)}
}

// refusalOfOpponent returns why that of the offered opponents can't play the game.
// A pool is refused with its first member that can't play.
func (f Trainable[P]) refusalOfOpponent(spec string) error {
	switch spec {
	case learn.Itself:
		return nil
	case "pool":
		spec = usualPool
	}
	members, pool := strings.CutPrefix(spec, poolPrefix)
	if !pool {
		return players.RefusalOf(f.b, spec)
	}
	for member := range strings.SplitSeq(members, "|") {
		if err := players.RefusalOf(f.b, member); err != nil {
			return err
		}
	}
	return nil
}

// openBrainTrainer opens the brain in data, to be shown.
// Brains of another game are refused. What it shows is what was learned; nothing is played.
// The graph is the one that the trainer is on.
func (f Trainable[P]) openBrainTrainer(data []byte) (*space.Graph[P], *learn.Trainer, error) {
	brain, err := f.b.DecodeBrain(data)
	if err != nil {
		return nil, nil, err
	}
	g := f.b.LearningGraph()
	t, err := learn.OpenBrain(g.Space, brain)
	return g, t, err
}

// ShowBrain says what a brain has learned, with at most so many positions.
func (f Trainable[P]) ShowBrain(brain []byte, maxPositions int) (shown *show.Shown, err error) {
	defer oxo.RecoverInto(&err)
	_, t, err := f.openBrainTrainer(brain)
	if err != nil {
		return nil, err
	}
	s := t.Show(maxPositions)
	return &s, nil
}

// LookWithBrain says what a brain makes of a position. Where ctx is done, one that
// searches says what it has come to.
// The position is text of the game, which may be one that the learner never met.
func (f Trainable[P]) LookWithBrain(ctx context.Context, brain []byte, position string) (look *learn.Look, err error) {
	defer oxo.RecoverInto(&err)
	g, t, err := f.openBrainTrainer(brain)
	if err != nil {
		return nil, err
	}
	p, err := opened.ParseOrStart(f.b.Game, position)
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
