package model

import (
	"math"
	"slices"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/space"
)

// Setting is one option of a learner with its value, and Takes says which values it takes.
type (
	Setting = option.Setting
	Takes   = option.Takes
)

// Finite reports whether every number is one.
func Finite(list []float64) bool {
	return !slices.ContainsFunc(list, func(x float64) bool { return math.IsNaN(x) || math.Abs(x) > 1e12 })
}

// StaticForm is how the options of a static player are written.
const StaticForm = "weights=3/1/0.5/0.5/0.5/0.5,features=weger,depth=3"

// ParseStatic returns the static player of those options; see [StaticForm].
func ParseStatic[P oxo.Position[P]](g *oxo.Game[P], args string) (*space.Static[P], error) {
	o, err := option.Parse(args)
	if err != nil {
		return nil, err
	}
	weights := o.Numbers("weights", "3/1/0.5/0.5/0.5/0.5", -1e6, 1e6, 1000, "")
	set := o.Text("features", "weger", "")
	depth := o.Integer("depth", "3", 1, 100, "")
	if err := o.Err(); err != nil {
		return nil, err
	}
	return space.NewStatic(g, set, weights, depth)
}
