package eval

import (
	"fmt"
	"io"

	"oxo"
	"oxo/eval/ninenet"
	"oxo/games/ultimate"
)

// bestMCTSProofShare returns how many proofs beside simulations are best with a net on a game: where most boards
// decide they cost more simulations than they are worth.
func bestMCTSProofShare(r ultimate.Rules) (proofShare float64) {
	if r&ultimate.Most != 0 {
		return 0
	}
	return 0.3
}

// evaluationByFastNet returns the evaluation by a net of what the nine boards hold, for whose players so many proofs
// are best.
func evaluationByFastNet(net func() *ninenet.Fast, proofShare float64) Evaluation[ultimate.Pos] {
	return Evaluation[ultimate.Pos]{
		Name:        "net",
		Guides:      true,
		Temperature: ninenet.Temperature,
		Proofs:      proofShare,
		Judge:       func(p ultimate.Pos) float64 { return net().Judge(p, 0) },
		JudgeAll: func(p ultimate.Pos, moves []oxo.Move, after []ultimate.Pos, draw float64, values []float32) {
			net().JudgeAll(p, moves, after, draw, values)
		},
		BiasKeys: ninenet.BiasKeys,
	}
}

// ReadNetEvaluation reads an evaluation of g from a file that [ninenet.Net.Bytes] makes.
func ReadNetEvaluation[P oxo.Position[P]](g *oxo.Game[P], r io.Reader) (Evaluation[P], error) {
	if _, ok := any(g).(*oxo.Game[ultimate.Pos]); !ok {
		return Evaluation[P]{}, fmt.Errorf("learned nets are for games on nine boards; %s is none", g.Spec)
	}
	t, err := ninenet.ReadNet(r)
	if err != nil {
		return Evaluation[P]{}, err
	}
	return NetEvaluation(g, t), nil
}

// NetEvaluation returns the evaluation by a net of g, which is on nine boards.
func NetEvaluation[P oxo.Position[P]](g *oxo.Game[P], t *ninenet.Net) Evaluation[P] {
	fast := ninenet.Compile(t)
	proofs := bestMCTSProofShare(any(g).(*oxo.Game[ultimate.Pos]).Start.Rules())
	return any(evaluationByFastNet(func() *ninenet.Fast { return fast }, proofs)).(Evaluation[P])
}
