package tree

import (
	"bytes"
	"fmt"
	"strings"

	"oxo/games/kind"
	"oxo/message"
)

const name = "tree"

// GameKind is the kind of explicit game trees.
var GameKind = kind.Of[NodePos]{
	Kind: kind.Kind{
		Name: name, Form: "tree:NAME or tree:PATH", Example: "tree:three-ply", Solved: true,
		About: "an explicit game tree with chance, from JSON; built in: " + strings.Join(Builtins(), ", "),
		Offers: []kind.GameOffer{
			{Shelf: shelf, Spec: "tree:three-ply", Name: "The textbook's tree"},
			{Shelf: shelf, Spec: "tree:chance", Name: "A tree with chance", Chance: true},
		},
		File: &kind.FileFormat{Fields: []string{"root"}, Shape: [][2]string{
			{"name", "the game's name"},
			{"lo, hi", "between which all leaves lie; either may be left out"},
			{"root", "a node: a number, which is a leaf, or an object of the fields below"},
			{"kind", "max, min, chance or leaf; a leaf need not say so"},
			{"children", "of a max, min or chance node: the nodes below it, from 1 to 65,534"},
			{"odds", "of a chance node: the probability of each child, all above 0, 1 in sum"},
			{"value", "of a leaf: what it pays First; Second gets the opposite"},
			{"label", "the name of the move that leads to the node: one word without dots that is no number; may be " +
				"left out"},
		}, Example: `{"name": "small", "lo": -2, "hi": 2,
 "root": {"kind": "max", "children": [
   {"kind": "chance", "label": "bet", "odds": [0.25, 0.75], "children": [2, -1]},
   {"kind": "min", "label": "wait", "children": [0, {"value": 1, "label": "raise"}]}]}}`},
		Words: words,
	},
	Open: open,
}

// shelf is the heading under which the trees are listed.
const shelf = "Race and trees"

// words has the English of the kind's messages.
var words = message.Table{
	"title.tree": "game tree {name}",
	"tree.moves": "Max and Min choose branches until a leaf is reached. Max wants its value to be large, " +
		"Min small.",
	"tree.chance": "At chance nodes the branch is drawn.",
}

// title is what the tree of that name is called.
func title(name string) message.Message { return message.Of("title.tree", message.Args{"name": name}) }

// open returns the tree that is built in under that name, or else the one in the file of that name. Trees take no
// options. A tree from a file has the file's contents as its identity, and its spec keeps the path, under which it
// can be opened again.
func open(s kind.Spec) (*kind.Opened[NodePos], error) {
	if len(s.Options) > 0 {
		return nil, fmt.Errorf("option %q has no meaning in a tree", s.Options[0])
	}
	o := &kind.Opened[NodePos]{
		View:  kind.View{Look: kind.Look{Drawn: kind.Tree}, Seats: [2]string{"Max", "Min"}},
		Rules: []message.Message{{Key: "tree.moves"}},
	}
	var builtin bool
	o.Game, builtin = Builtin(s.Args)
	if !builtin {
		text, identity, err := s.ReadText()
		if err != nil {
			return nil, fmt.Errorf("%w, and no tree built in has that name: there are %s", err,
				strings.Join(Builtins(), ", "))
		}
		if o.Game, err = Parse(bytes.NewReader(text)); err != nil {
			return nil, err
		}
		o.Identity = identity
	}
	o.Title = title(strings.TrimPrefix(o.Game.Spec, name+":"))
	o.Game.Spec = name + ":" + s.Args
	if o.Game.Odds != nil {
		o.Rules = append(o.Rules, message.Message{Key: "tree.chance"})
	}
	return o, nil
}
