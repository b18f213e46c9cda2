package players

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"oxo"
	"oxo/eval"
	"oxo/lab/internal/opened"
	"oxo/search"
)

// evaluationNamed returns the evaluation of that name; for "none" none, so that positions at the depth
// limit count 0. A name that begins with brain: or ends in .net is a file's; an error lists the names
// that the game has.
// Of "none" it is the zero value, whose Judge is nil.
func evaluationNamed[P oxo.Position[P]](b *opened.TypedGame[P], name string) (eval.Evaluation[P], error) {
	if path, brain := EvalFile(name); brain {
		return evalByBrain(b, name)
	} else if path != "" {
		return readNetEval(b, path)
	}
	names := []string{"none"}
	for _, e := range eval.EvaluationsFor(b.Game) {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	if name != "none" {
		return eval.Evaluation[P]{}, fmt.Errorf("eval %q: for %s it is %s", name, b.Spec, strings.Join(names, ", "))
	}
	return eval.Evaluation[P]{}, nil
}

// readNetEval reads a learned evaluation from a file.
// The net must be one for the game; the error names the file.
func readNetEval[P oxo.Position[P]](b *opened.TypedGame[P], path string) (eval.Evaluation[P], error) {
	data, err := b.Lab.ReadNamedFile(path)
	if err != nil {
		return eval.Evaluation[P]{}, err
	}
	e, err := eval.ReadNetEvaluation(b.Game, bytes.NewReader(data))
	if err != nil {
		return e, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

// SetAndLoadEval sets the evaluation as setNamedEval does, and reads what was learned for it. It is for callers
// that search at once.
// a is the algorithm that will search, and useProofs whether it may ask for proofs.
func SetAndLoadEval[P oxo.Position[P]](b *opened.TypedGame[P], o *search.Options[P], a search.Algorithm, name string,
	useProofs bool) error {
	err := setNamedEval(b, o, a, name, useProofs)
	preloadEval(b, o)
	return err
}

// preloadEval reads what was learned for an evaluation, before a clock runs. Nets are embedded packed
// and unpacked at their first use, which takes longer than many a move has.
// What the evaluation says of the start is thrown away.
func preloadEval[P oxo.Position[P]](b *opened.TypedGame[P], o *search.Options[P]) {
	if o.Eval != nil && b.Start.Outcome() == oxo.Ongoing {
		o.Eval(b.Start)
	}
}

// setNamedEval sets the evaluation of that name, for an empty name the game's default one, if it has any.
// That of mcts is the first that guides it better than random playouts do, unless RAVE is asked for,
// which needs those. With useProofs, mcts asks dfpn as much as is best with it. Scores, points before
// they are squeezed between the payoffs, are shown only where values are not means over chance.
func setNamedEval[P oxo.Position[P]](b *opened.TypedGame[P], o *search.Options[P], a search.Algorithm, name string,
	useProofs bool) error {
	var e eval.Evaluation[P]
	if a.Proves() {
		if name != "" {
			return fmt.Errorf("eval %q: %s judges no positions, it goes on until it knows who wins", name, a)
		}
		return nil
	}
	if name != "" {
		var err error
		if e, err = evaluationNamed(b, name); err != nil {
			return err
		}
	} else if list := eval.EvaluationsFor(b.Game); a == search.MCTS {
		if i := slices.IndexFunc(list, func(e eval.Evaluation[P]) bool { return e.Guides }); i >= 0 && o.RAVE == 0 {
			e = list[i]
		}
	} else if len(list) > 0 {
		e = list[0]
	}
	o.Eval, o.EvalAll, o.BiasKeys = e.Judge, e.JudgeAll, e.BiasKeys
	if o.Eval != nil {
		o.EvalName = cmp.Or(name, e.Name)
	}
	if a.HasDepth() && b.Odds == nil { // no mean of estimates is one
		o.Score = e.Score
	}
	// A temperature that the spec names takes precedence over the evaluation's.
	o.Temperature = cmp.Or(o.Temperature, e.Temperature)
	if useProofs {
		o.Prove = e.Proofs
	}
	return nil
}
