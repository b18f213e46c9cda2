package service

import (
	"context"
	"sync/atomic"

	"oxo/lab"
)

// shelfSize is how many opened games are kept, and shelfBytes how much memory
// they may take together: each may hold its solution.
const (
	shelfSize  = 24
	shelfBytes = 384 << 20
)

// GameCache keeps games that were opened lately, with what they have computed.
type GameCache struct {
	Lab   *lab.Lab
	games RecentCache[*Opened] // by the spec asked for
}

// Opened is a game on the shelf.
type Opened struct {
	lab.Game

	// Solved says that the whole game has been solved, so that perfect play
	// costs nothing.
	Solved atomic.Bool
}

// NewGameCache makes an empty shelf of games that l opens.
func NewGameCache(l *lab.Lab) *GameCache {
	return &GameCache{Lab: l, games: RecentCache[*Opened]{Most: shelfSize, Bytes: shelfBytes}}
}

// Open returns the game of that spec, one that has been opened before.
func (s *GameCache) Open(spec string) (*Opened, error) { return s.open(context.Background(), spec) }

// NewSession begins to play a game from a position, the start if that is empty. Both sides are people.
func (s *GameCache) NewSession(spec, position string, seed uint64) (lab.Session, error) {
	g, err := s.Open(spec)
	if err != nil {
		return nil, err
	}
	return g.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human, Position: position, Seed: seed})
}

// OpenGame returns the game of the spec that a visitor names. One from a file, whose
// symmetries may take long to find, is opened in a slot and within a time.
func (s *Base) OpenGame(ctx context.Context, spec string) (*Opened, error) {
	if o, ok := s.Games.games.Find(spec); ok {
		return o, nil
	}
	if !s.Games.Lab.NamesFile(spec) {
		return s.Games.open(ctx, spec)
	}
	return Computed(ctx, s, s.Longest, false,
		func(ctx context.Context) (*Opened, error) { return s.Games.open(ctx, spec) })
}

// open returns a game that is open already, or opens it.
// Two that ask for the same at once may both open it; one is kept then.
func (s *GameCache) open(ctx context.Context, spec string) (*Opened, error) {
	if o, ok := s.games.Find(spec); ok {
		return o, nil
	}
	g, err := s.Lab.GameWithin(ctx, spec)
	if err != nil {
		return nil, err
	}
	return s.games.Keep(spec, &Opened{Game: g}), nil
}

// Held returns about how many bytes of memory the game has come to hold.
func (o *Opened) Held() int64 { return lab.Held(o.Game) }
