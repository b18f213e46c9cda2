package lab

import (
	"bytes"
	"fmt"
	"strings"

	"oxo"
	"oxo/eval"
	"oxo/search"
)

// eval returns the evaluation of that name; for an empty name the game's
// default one, if it has any; and for "none" nothing, so that positions at the
// depth limit count 0.
func (b *bound[P]) eval(name string) (eval.Named[P], error) {
	list := eval.For(b.Game)
	if strings.HasSuffix(name, ".net") {
		return b.readNet(name)
	}
	if name == "none" || name == "" && len(list) == 0 {
		return eval.Named[P]{}, nil
	}
	names := []string{"none"}
	for _, e := range list {
		if name == "" || e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return eval.Named[P]{}, fmt.Errorf("eval %q: for %s it is %s", name, b.Spec, strings.Join(names, ", "))
}

// readNet reads a learned evaluation from a file.
func (b *bound[P]) readNet(path string) (eval.Named[P], error) {
	data, err := b.lab.readFile(path)
	if err != nil {
		return eval.Named[P]{}, err
	}
	e, err := eval.ReadNamed(b.Game, bytes.NewReader(data))
	if err != nil {
		return e, fmt.Errorf("%s: %w", path, err)
	}
	return e, nil
}

// setEval sets the evaluation of that name. For an empty name mcts has one only
// where it was learned for its sake and no RAVE is asked for, which goes by random
// games; it plays to the end otherwise.
func (b *bound[P]) setEval(o *search.Options[P], a search.Algorithm, name string) error {
	e, err := b.eval(name)
	if err != nil || a == search.MCTS && name == "" && (e.JudgeAll == nil || o.RAVE > 0) {
		return err
	}
	o.Eval, o.EvalAll = e.Judge, e.JudgeAll
	if e.JudgeAll != nil && b.Start.Outcome() == oxo.Ongoing {
		e.Judge(b.Start) // what was learned is read now, before a clock runs
	}
	return nil
}

// Evals lists the evaluations that suit the game, the default one first, with
// a line about each.
func (b *bound[P]) Evals() [][2]string {
	var list [][2]string
	for _, e := range eval.For(b.Game) {
		list = append(list, [2]string{e.Name, e.About})
	}
	return list
}
