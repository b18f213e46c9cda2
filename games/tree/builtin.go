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

	"chance": `{"name": "chance", "lo": -2, "hi": 2, ` + tosses + `}`,

	// The same without bounds on the leaves, and its left chance node with what is
	// not known of it after two leaves at either bound.
	"chance-unbounded": `{"name": "chance-unbounded", ` + tosses + `}`,
	"chance-low": `{"name": "chance-low", "lo": -2, "hi": 2, "root": {"kind": "chance", "odds": [0.5, 0.5], "children": [
		{"kind": "min", "children": [2, 2]}, {"kind": "min", "children": [-2, -2]}]}}`,
	"chance-high": `{"name": "chance-high", "lo": -2, "hi": 2, "root": {"kind": "chance", "odds": [0.5, 0.5], "children": [
		{"kind": "min", "children": [2, 2]}, {"kind": "min", "children": [2, 2]}]}}`,

	// The exercise on pruning in max and expectimax trees: unbounded leaves, leaves
	// in [0, 1], and leaves that are not negative.
	"max":                    `{"name": "max", "root": {"kind": "max", "children": [1, 0.3, 0.8]}}`,
	"max-unit":               `{"name": "max-unit", "lo": 0, "hi": 1, "root": {"kind": "max", "children": [1, 0.3, 0.8]}}`,
	"max-nonnegative":        `{"name": "max-nonnegative", "lo": 0, "root": {"kind": "max", "children": [1, 0.3, 0.8]}}`,
	"expectimax":             `{"name": "expectimax", ` + actions + `}`,
	"expectimax-unit":        `{"name": "expectimax-unit", "lo": 0, "hi": 1, ` + actions + `}`,
	"expectimax-nonnegative": `{"name": "expectimax-nonnegative", "lo": 0, ` + actions + `}`,
	"highest-first": `{"name": "highest-first", "lo": 0, "hi": 1, "root": {"kind": "max", "children": [0.6,
		{"kind": "chance", "odds": [0.7, 0.2, 0.1], "children": [0.1, 0.9, 0.8]}]}}`,
	"lowest-first": `{"name": "lowest-first", "lo": 0, "hi": 1, "root": {"kind": "max", "children": [0.6,
		{"kind": "chance", "odds": [0.1, 0.2, 0.7], "children": [0.8, 0.9, 0.1]}]}}`,
}

// tosses are two moves, after each of which a coin says what the other side chooses from.
const tosses = `"root": {"kind": "max", "children": [
	{"kind": "chance", "odds": [0.5, 0.5], "children": [
		{"kind": "min", "children": [2, 2]},
		{"kind": "min", "children": [1, 2]}]},
	{"kind": "chance", "odds": [0.5, 0.5], "children": [
		{"kind": "min", "children": [0, 2]},
		{"kind": "min", "children": [-1, 0]}]}]}`

// actions are two actions, one of them sure, the other one with an outcome of 0 first.
const actions = `"root": {"kind": "max", "children": [0.6,
	{"kind": "chance", "odds": [0.5, 0.5], "children": [0, 0.9]}]}`

// Builtins returns the names of the trees that are built in, in alphabetical order.
func Builtins() []string { return slices.Sorted(maps.Keys(builtins)) }

// Builtin returns the game of the built-in tree of that name, or false if
// there is none.
func Builtin(name string) (*oxo.Game[NodePos], bool) {
	text, ok := builtins[name]
	if !ok {
		return nil, false
	}
	// A built-in tree is read as a file is, so that it shows how files are written.
	g, err := Parse(strings.NewReader(text))
	return g, err == nil
}
