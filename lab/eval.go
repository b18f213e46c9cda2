package lab

import (
	"fmt"
	"strings"

	"oxo/eval"
	"oxo/search"
)

// eval returns the evaluation of that name; for an empty name the game's
// default one, if it has any; and for "none" nothing, so that positions at the
// depth limit count 0.
func (b *bound[P]) eval(name string) (search.Eval[P], error) {
	list := eval.For(b.Game)
	if name == "none" || name == "" && len(list) == 0 {
		return nil, nil
	}
	names := []string{"none"}
	for _, e := range list {
		if name == "" || e.Name == name {
			return e.Judge, nil
		}
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("eval %q: for %s it is %s", name, b.Spec, strings.Join(names, ", "))
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
