package tree

import (
	"maps"
	"slices"
	"strings"

	"oxo"
)

// builtins are the trees of Russell and Norvig, Artificial Intelligence: A
// Modern Approach, chapter on adversarial search: the example of minimax and
// alpha-beta, and the exercise on pruning with chance nodes.
var builtins = map[string]string{
	"three-ply": `{"name": "three-ply", "root": {"kind": "max", "children": [
		{"kind": "min", "children": [3, 12, 8]},
		{"kind": "min", "children": [2, 4, 6]},
		{"kind": "min", "children": [14, 5, 2]}]}}`,

	"chance": `{"name": "chance", "lo": -2, "hi": 2, "root": {"kind": "max", "children": [
		{"kind": "chance", "odds": [0.5, 0.5], "children": [
			{"kind": "min", "children": [2, 2]},
			{"kind": "min", "children": [1, 2]}]},
		{"kind": "chance", "odds": [0.5, 0.5], "children": [
			{"kind": "min", "children": [0, 2]},
			{"kind": "min", "children": [-1, 0]}]}]}}`,
}

// Builtins returns the names of the trees that are built in, in order.
func Builtins() []string { return slices.Sorted(maps.Keys(builtins)) }

// Builtin returns the game of the built-in tree of that name, or false if
// there is none.
func Builtin(name string) (*oxo.Game[Pos], bool) {
	text, ok := builtins[name]
	if !ok {
		return nil, false
	}
	g, err := Parse(strings.NewReader(text))
	return g, err == nil
}
