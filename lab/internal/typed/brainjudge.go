package typed

import (
	"fmt"
	"strings"
	"sync"

	"oxo"
	"oxo/board"
	"oxo/eval"
	"oxo/learn"
	"oxo/learn/pattern"
)

// brainPrefix begins the name of an evaluation, or player, that is a brain in a file.
const brainPrefix = "brain:"

// mostSure is the most that an evaluation says of a position that is not over: in
// floating-point numbers tanh comes to 1.
const mostSure = 1 - 1e-6

// evalByBrain returns the evaluation by the net in a brain. What a position is worth is
// what the learner thought of the move to it.
func evalByBrain[P oxo.Position[P]](b *bound[P], name string) (eval.Named[P], error) {
	path := strings.TrimPrefix(name, brainPrefix)
	brain, err := b.brain(path)
	if err != nil {
		return eval.Named[P]{}, fmt.Errorf("eval %q: %w", name, err)
	}
	t, err := learn.OpenBrain(b.ground().Space, brain)
	if err != nil {
		return eval.Named[P]{}, fmt.Errorf("eval %q: %w", name, err)
	}
	net := t.Net()
	switch {
	case net == nil:
		return eval.Named[P]{}, fmt.Errorf("eval %q: it is a brain of %s, which judges no positions apart from its own "+
			"games; brains of ntuple and net do", name, t.Spec().Name())
	case b.Odds != nil:
		return eval.Named[P]{}, fmt.Errorf("eval %q: before chance acts, %s doesn't show the move made", name, b.Spec)
	}
	judge := func(p P) float64 { return 0 }
	switch to := any(&judge).(type) {
	case *func(board.Pos64) float64:
		*to = judgeBy[board.Pos64](net)
	case *func(board.Pos256) float64:
		*to = judgeBy[board.Pos256](net)
	}
	return eval.Named[P]{Name: name, About: "what a brain has learned", Guides: true, Judge: judge}, nil
}

// judgeBy returns the function that says what a position that is not over is worth to
// First by a net. Many goroutines may use it at once.
func judgeBy[P interface {
	oxo.Position[P]
	board.Positional
}](net *pattern.Net) func(P) float64 {
	judges := sync.Pool{New: func() any { return net.Judge() }}
	return func(p P) float64 {
		j := judges.Get().(*pattern.Judge)
		defer judges.Put(j)
		x, o := p.Marks()
		moved := p.Turn().Other()
		return moved.Sign() * max(-mostSure, min(mostSure, j.Worth(x, o, moved)))
	}
}
