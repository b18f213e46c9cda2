package web

import (
	"sync/atomic"

	"oxo/lab"
)

// shelfSize is how many opened games are kept, and shelfBytes how much memory
// they may take together: each may hold its solution.
const (
	shelfSize  = 24
	shelfBytes = 384 << 20
)

// shelf keeps games that were opened lately, with what they have computed.
type shelf struct {
	lab   *lab.Lab
	games recent[*opened] // by the spec asked for
}

// opened is a game on the shelf.
type opened struct {
	lab.Game

	// solved says that the whole game has been solved, so that perfect play
	// and exact values cost nothing.
	solved atomic.Bool
}

func newShelf(l *lab.Lab) *shelf {
	return &shelf{lab: l, games: recent[*opened]{most: shelfSize, bytes: shelfBytes}}
}

// open returns the game of that spec.
func (s *shelf) open(spec string) (*opened, error) {
	if o, ok := s.games.find(spec); ok {
		return o, nil
	}
	g, err := s.lab.Game(spec)
	if err != nil {
		return nil, err
	}
	return s.games.keep(spec, &opened{Game: g}), nil
}

// Held returns about how many bytes of memory the game has come to hold.
func (o *opened) Held() int64 { return lab.Held(o.Game) }
