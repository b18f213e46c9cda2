package typed

import (
	"fmt"
	"strings"

	"oxo"
	"oxo/eval"
	"oxo/learn"
	"oxo/learn/pattern"
)

// brainPrefix begins the name of an evaluation, or player, that is a brain in a file.
const brainPrefix = "brain:"

// evalByBrain returns the evaluation by the net in a brain. What a position is worth is
// what the learner thought of the move to it.
func evalByBrain[P oxo.Position[P]](b *openedGame[P], name string) (eval.Named[P], error) {
	path := strings.TrimPrefix(name, brainPrefix)
	brain, err := b.readBrain(path)
	if err != nil {
		return eval.Named[P]{}, fmt.Errorf("eval %q: %w", name, err)
	}
	t, err := learn.OpenBrain(b.learningGraph().Space, brain)
	if err != nil {
		return eval.Named[P]{}, fmt.Errorf("eval %q: %w", name, err)
	}
	net := t.Net()
	switch {
	case net == nil:
		return eval.Named[P]{}, fmt.Errorf("eval %q: it is a brain of %s, which judges no positions apart from "+
			"its own games; brains of ntuple and net do", name, t.Spec().Name())
	case b.Odds != nil:
		return eval.Named[P]{}, fmt.Errorf("eval %q: before chance acts, %s doesn't show the move made", name, b.Spec)
	}
	judge := pattern.Evaluation[P](net)
	return eval.Named[P]{Name: name, About: "what a brain has learned", Guides: true, Judge: judge}, nil
}
