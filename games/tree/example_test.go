package tree_test

import (
	"fmt"
	"strings"

	"oxo/games/tree"
)

func ExampleParse() {
	g, err := tree.Parse(strings.NewReader(`{"name": "coin", "root": {"kind": "max", "children": [
		{"kind": "chance", "label": "toss", "odds": [0.5, 0.5], "children": [10, -10]},
		{"value": 1, "label": "pass"}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range g.Start.Moves(nil) {
		p := g.Start.Play(m)
		fmt.Println(g.FormatMove(g.Start, m), g.Format(p), p.Turn(), p.Outcome())
	}
	// Output:
	// toss 1 chance *
	// pass 2 first first
}
