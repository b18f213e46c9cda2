package web

import (
	"container/list"
	"sync"
	"sync/atomic"

	"oxo/lab"
)

// shelfSize is how many opened games are kept. Each may hold its solution.
const shelfSize = 24

// shelf keeps games that were opened lately, with what they have computed.
type shelf struct {
	lab   *lab.Lab
	mu    sync.Mutex
	games map[string]*list.Element // of *opened, by the spec asked for
	order *list.List               // latest first
}

// opened is a game on the shelf.
type opened struct {
	lab.Game
	spec string

	// solved says that the whole game has been solved, so that perfect play
	// and exact values cost nothing.
	solved atomic.Bool
}

func newShelf(l *lab.Lab) *shelf {
	return &shelf{lab: l, games: map[string]*list.Element{}, order: list.New()}
}

// open returns the game of that spec.
func (s *shelf) open(spec string) (*opened, error) {
	s.mu.Lock()
	if e, ok := s.games[spec]; ok {
		s.order.MoveToFront(e)
		s.mu.Unlock()
		return e.Value.(*opened), nil
	}
	s.mu.Unlock()
	g, err := s.lab.Game(spec)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.games[spec]; ok { // another request was quicker
		return e.Value.(*opened), nil
	}
	o := &opened{Game: g, spec: spec}
	s.games[spec] = s.order.PushFront(o)
	if s.order.Len() > shelfSize {
		last := s.order.Remove(s.order.Back()).(*opened)
		delete(s.games, last.spec)
	}
	return o, nil
}
