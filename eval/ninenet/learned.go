package ninenet

import (
	"bytes"
	_ "embed"
	"sync"
)

// The nets were learned from games of Ultimate tic-tac-toe with itself, as docs/ultimate.md tells: most.net of games
// that most boards decide where there are no three in a row.
var (
	//go:embed ultimate.net
	ultimateNet []byte
	//go:embed most.net
	mostNet []byte
)

// Learned and LearnedMost return those nets, which are read when they are first asked for.
var (
	Learned     = sync.OnceValue(func() *Fast { return readAndCompile(ultimateNet) })
	LearnedMost = sync.OnceValue(func() *Fast { return readAndCompile(mostNet) })
)

// readAndCompile makes a net of the program's own fast; a fault in it is a fault of the build, and panics.
func readAndCompile(data []byte) *Fast {
	t, err := ReadNet(bytes.NewReader(data))
	if err != nil {
		panic(err) // the file is part of the program
	}
	return Compile(t)
}
