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

// ultimateNet was learned from games of Ultimate tic-tac-toe with itself, as
// docs/ultimate.md tells.
//
//go:embed ultimate.net
var ultimateNet []byte

// learned returns the evaluation by ultimateNet.
var learned = sync.OnceValue(func() Named[ultimate.Pos] {
	t, err := ReadNet(bytes.NewReader(ultimateNet))
	if err != nil {
		panic(err) // the file is part of the program
	}
	return byNet(t)
})

func byNet(t *Net) Named[ultimate.Pos] {
	c := newCompiled(t)
	return Named[ultimate.Pos]{
		Name:     "net",
		About:    "a small network of the contents of the nine boards, learned from games with itself",
		Judge:    c.judge,
		JudgeAll: c.judgeAll,
	}
}

// ReadNamed reads an evaluation of g from a file that [Net.Write] wrote.
func ReadNamed[P oxo.Position[P]](g *oxo.Game[P], r io.Reader) (Named[P], error) {
	if _, ok := any(g).(*oxo.Game[ultimate.Pos]); !ok {
		return Named[P]{}, fmt.Errorf("learned nets are for games on nine boards; %s is none", g.Spec)
	}
	t, err := ReadNet(r)
	if err != nil {
		return Named[P]{}, err
	}
	return any(byNet(t)).(Named[P]), nil
}
