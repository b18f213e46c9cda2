package eval

import (
	"fmt"
	"io"

	"oxo"
	"oxo/eval/ninenet"
	"oxo/games/ultimate"
)

// bestProofShare returns how many proofs are best with a net on a game: where most boards
// decide they cost more simulations than they are worth.
func bestProofShare(r ultimate.Rules) float64 {
	if r&ultimate.Most != 0 {
		return 0
	}
	return 0.3
}

// netEvaluation returns the evaluation by a net of what the nine boards hold, for whose players so many proofs are
// best.
func netEvaluation(net func() *ninenet.Fast, proofs float64) Named[ultimate.Pos] {
	return Named[ultimate.Pos]{
		Name:        "net",
		Guides:      true,
		Temperature: ninenet.Temperature,
		Proofs:      proofs,
		Judge:       func(p ultimate.Pos) float64 { return net().Judge(p, 0) },
		JudgeAll: func(p ultimate.Pos, moves []oxo.Move, after []ultimate.Pos, draw float64, values []float32) {
			net().JudgeAll(p, moves, after, draw, values)
		},
		BiasKeys: ninenet.BiasKeys,
	}
}

// ReadNamed reads an evaluation of g from a file that [ninenet.Net.Bytes] makes.
func ReadNamed[P oxo.Position[P]](g *oxo.Game[P], r io.Reader) (Named[P], error) {
	if _, ok := any(g).(*oxo.Game[ultimate.Pos]); !ok {
		return Named[P]{}, fmt.Errorf("learned nets are for games on nine boards; %s is none", g.Spec)
	}
	t, err := ninenet.ReadNet(r)
	if err != nil {
		return Named[P]{}, err
	}
	return OfNet(g, t), nil
}

// OfNet returns the evaluation by a net of g, which is on nine boards.
func OfNet[P oxo.Position[P]](g *oxo.Game[P], t *ninenet.Net) Named[P] {
	fast := ninenet.Compile(t)
	proofs := bestProofShare(any(g).(*oxo.Game[ultimate.Pos]).Start.Rules())
	return any(netEvaluation(func() *ninenet.Fast { return fast }, proofs)).(Named[P])
}
