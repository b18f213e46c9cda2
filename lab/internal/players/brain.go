package players

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"oxo"
	"oxo/board"
	"oxo/eval"
	"oxo/lab/internal/opened"
	"oxo/learn"
	"oxo/learn/model"
	"oxo/learn/pattern"
	"oxo/learn/space"
	"oxo/player"
)

// brainPrefix begins the name of an evaluation, or player, that is a brain in a file.
const brainPrefix = "brain:"

// evalByBrain returns the evaluation by the net or the weighted sum in a brain. What a position is worth is what the
// learner thought of the move to it. Other learners know positions of the graph, or moves, alone.
// The name is that of the evaluation, prefix included, as errors show it. A net over nine boards has an evaluation of
// its own kind.
func evalByBrain[P oxo.Position[P]](b *opened.TypedGame[P], name string) (eval.Evaluation[P], error) {
	path := strings.TrimPrefix(name, brainPrefix)
	brain, err := b.ReadBrainFile(path)
	if err != nil {
		return eval.Evaluation[P]{}, fmt.Errorf("eval %q: %w", name, err)
	}
	g := b.LearningGraph()
	t, err := learn.OpenBrain(g.Space, brain)
	if err != nil {
		return eval.Evaluation[P]{}, fmt.Errorf("eval %q: %w", name, err)
	}
	if net := t.NineNet(); net != nil {
		return eval.NetEvaluation(b.Game, net), nil
	}
	net, marks := t.Net()
	set, weights, half := t.Sum()
	switch {
	case net == nil && set == "":
		return eval.Evaluation[P]{}, fmt.Errorf("eval %q: eval=brain: takes brains of nets and of weighted sums, "+
			"which are those of net, ntuple, lms, td, td-leaf and evolve; this is one of %s", name, t.Spec().Name())
	case b.Odds != nil:
		return eval.Evaluation[P]{}, fmt.Errorf("eval %q: before chance acts, %s doesn't show the move made", name,
			b.Spec)
	case g.Pays:
		return eval.Evaluation[P]{}, fmt.Errorf("eval %q: a brain judges who wins, and %s has payoffs", name, b.Spec)
	}
	if net == nil {
		sum, err := space.NewSum(b.Game, set, weights)
		return eval.OfScore(name, half, func(p P) float64 {
			moved := p.Turn().Other()
			return moved.Sign() * sum(p, moved)
		}), err
	}
	judge := pattern.Evaluation(net, func(p P) (x, o board.Set) {
		n, err := g.Node(p)
		if err != nil {
			return x, o // a position that play does not lead to
		}
		return marks(n)
	})
	return eval.Evaluation[P]{Name: name, Guides: true, Judge: judge}, nil
}

// openBrainPlayer opens the player that a brain in a file is. Each player of a graph that grows has a graph
// of its own, so that games at once don't share it.
// The brain is opened once for the check, and again for each player.
func openBrainPlayer[P oxo.Position[P]](b *opened.TypedGame[P], path string) (playerMaker[P], error) {
	brain, err := b.ReadBrainFile(path)
	if err != nil {
		return nil, err
	}
	if _, err := learn.OpenBrain(b.LearningGraph().Space, brain); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return func(r *rand.Rand) (oxo.Player[P], error) {
		g := b.LearningGraph() // its own where it grows
		t, err := learn.OpenBrain(g.Space, brain)
		if err != nil {
			return nil, err
		}
		return learn.NewPlayer(g, t, r), nil
	}, nil
}

// openDenseNetPlayer opens the player that judges by a dense net from a file.
// The net is shared by all players: it is only read.
func openDenseNetPlayer[P oxo.Position[P]](b *opened.TypedGame[P], path string) (playerMaker[P], error) {
	data, err := b.Lab.ReadNamedFile(path)
	if err != nil {
		return nil, err
	}
	net, err := player.ReadDense(b.Game, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return func(r *rand.Rand) (oxo.Player[P], error) { return player.NewSamplingPlayer(net, r), nil }, nil
}

// openStaticPlayer opens the player that judges by fixed weights of features.
// args are options as [model.ParseStatic] reads them. They are read once for the check, as a player belongs to one
// game.
func openStaticPlayer[P oxo.Position[P]](b *opened.TypedGame[P], args string) (playerMaker[P], error) {
	if _, err := model.ParseStatic(b.Game, args); err != nil {
		return nil, err
	}
	return func(*rand.Rand) (oxo.Player[P], error) { return model.ParseStatic(b.Game, args) }, nil
}
