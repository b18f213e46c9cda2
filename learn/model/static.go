package model

import (
	"oxo"
	"oxo/learn/space"
)

// StaticForm is how the options of a static player are written.
const StaticForm = "weights=3/1/0.5/0.5/0.5/0.5,features=weger,depth=3"

// ParseStatic returns the static player of those options; see [StaticForm].
func ParseStatic[P oxo.Position[P]](g *oxo.Game[P], args string) (*space.Static[P], error) {
	o, err := parseOptions(args)
	if err != nil {
		return nil, err
	}
	weights := o.numbers("weights", "3/1/0.5/0.5/0.5/0.5", -1e6, 1e6, 1000, "")
	set := o.text("features", "weger", "")
	depth := o.integer("depth", "3", 1, 100, "")
	if err := o.firstError(); err != nil {
		return nil, err
	}
	return space.NewStatic(g, set, weights, depth)
}
