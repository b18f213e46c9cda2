package eval

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"sync"

	"oxo"
	"oxo/games/ultimate"
)

// The nets were learned from games of Ultimate tic-tac-toe with itself, as
// docs/ultimate.md tells: most.net of games that most boards decide where there
// are no three in a row.
var (
	//go:embed ultimate.net
	ultimateNet []byte
	//go:embed most.net
	mostNet []byte
)

// learned and learnedMost return those nets, which are read when the first
// position is judged.
var (
	learned     = sync.OnceValue(func() *compiled { return read(ultimateNet) })
	learnedMost = sync.OnceValue(func() *compiled { return read(mostNet) })
)

func read(data []byte) *compiled {
	t, err := ReadNet(bytes.NewReader(data))
	if err != nil {
		panic(err) // the file is part of the program
	}
	return newCompiled(t)
}

// bestProofShare returns how many proofs are best with a net on a game: where most boards
// decide they cost more simulations than they are worth.
func bestProofShare(r ultimate.Rules) float64 {
	if r&ultimate.Most != 0 {
		return 0
	}
	return 0.3
}

// netEvaluation returns the evaluation by a net, for whose players so many proofs are best.
func netEvaluation(net func() *compiled, proofs float64) Named[ultimate.Pos] {
	return Named[ultimate.Pos]{
		Name:        "net",
		About:       "a small network of the contents of the nine boards, learned from games with itself",
		Guides:      true,
		Temperature: 0.25,
		Proofs:      proofs,
		Judge:       func(p ultimate.Pos) float64 { return net().judge(p, 0) },
		JudgeAll: func(p ultimate.Pos, moves []oxo.Move, after []ultimate.Pos, draw float64, values []float32) {
			net().judgeAll(p, moves, after, draw, values)
		},
		BiasKeys: nineBiasKeys,
	}
}

// ReadNamed reads an evaluation of g from a file that [Net.Write] wrote.
func ReadNamed[P oxo.Position[P]](g *oxo.Game[P], r io.Reader) (Named[P], error) {
	nine, ok := any(g).(*oxo.Game[ultimate.Pos])
	if !ok {
		return Named[P]{}, fmt.Errorf("learned nets are for games on nine boards; %s is none", g.Spec)
	}
	t, err := ReadNet(r)
	if err != nil {
		return Named[P]{}, err
	}
	c := newCompiled(t)
	return any(netEvaluation(func() *compiled { return c }, bestProofShare(nine.Start.Rules()))).(Named[P]), nil
}
