package web

import (
	"container/list"
	"sync"
	"sync/atomic"

	"oxo/lab"
)

// shelfSize is how many opened games are kept, and shelfBytes how much memory
// they may take together: each may hold its solution. The latest one is kept
// whatever it takes.
const (
	shelfSize  = 24
	shelfBytes = 384 << 20
)

// shelf keeps games that were opened lately, with what they have computed.
type shelf struct {
	lab   *lab.Lab
	most  int64 // bytes
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
	return &shelf{lab: l, most: shelfBytes, games: map[string]*list.Element{}, order: list.New()}
}

// open returns the game of that spec.
func (s *shelf) open(spec string) (*opened, error) {
	s.mu.Lock()
	if e, ok := s.games[spec]; ok {
		s.order.MoveToFront(e)
		s.tidy()
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
	s.tidy()
	return o, nil
}

// tidy takes down the games that were not asked for longest while there are too
// many, or they have come to hold too much. The caller holds s.mu.
func (s *shelf) tidy() {
	held := int64(0)
	for e := s.order.Front(); e != nil; e = e.Next() {
		held += e.Value.(*opened).Held()
	}
	for s.order.Len() > shelfSize || held > s.most && s.order.Len() > 1 {
		last := s.order.Remove(s.order.Back()).(*opened)
		held -= last.Held()
		delete(s.games, last.spec)
	}
}
