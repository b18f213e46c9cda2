package opened

import (
	"fmt"
	"sync"
	"sync/atomic"

	"oxo"
	"oxo/board"
	"oxo/solve/tiers"
)

// TierSpace takes a game apart into tiers, of which a part of the work takes no more than so many bytes.
func TierSpace[P oxo.Position[P]](b *TypedGame[P], partBytes int64) (*tiers.Space, error) {
	if b.Board == nil {
		return nil, b.NoBoardError("tiers")
	}
	s, err := tiers.New(b.Board, any(b.Start).(board.Positional).Rules(), partBytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.Spec, err)
	}
	return s, nil
}

// tierSeconds is about how long a value of tiers takes, edgeSeconds a step from a set of squares to one with a square
// more, and tierStart how long all that takes which does not depend on their number.
const (
	tierSeconds = 65e-9
	edgeSeconds = 0.8e-6
	tierStart   = 0.05
)

// EstimateTierSeconds returns about how long tiers take on one core. The work grows with the stored values and with the
// edges between sets of squares; both are known exactly from the board.
func EstimateTierSeconds(s *tiers.Space) float64 {
	seconds := tierStart + tierSeconds*s.Stored() + edgeSeconds*s.Edges()
	if s.NeedsReachable() {
		seconds *= 2 // what can be reached is found first
	}
	return seconds
}

// Of a game that is solved by tiers while somebody waits: how long it may take in all, how many squares it may
// have for that, and what a part of the work takes, which is as much as is lost where the time ends.
const (
	soonTiers   = 8.0 // seconds
	fewTiers    = 18
	tiersMemory = 16 << 20
)

// soonByTiers is a whole game to be solved by tiers, where it has few.
type soonByTiers struct {
	once    sync.Once
	whole   atomic.Pointer[tiers.InMemorySolution]
	seconds float64
}

// QuickWholeByTiers returns the whole game, to be solved by tiers within about so many seconds; nil where that takes
// longer.
func QuickWholeByTiers[P oxo.Position[P]](b *TypedGame[P]) (whole *tiers.InMemorySolution, estimatedSeconds float64) {
	k := &b.Knowing.tiers
	k.once.Do(func() {
		if b.Board == nil || b.Board.N > fewTiers || b.Odds != nil || b.Falls() {
			return
		}
		s, err := TierSpace(b, tiersMemory)
		if err != nil {
			return // it has no tiers
		}
		if k.seconds = EstimateTierSeconds(s); k.seconds <= soonTiers {
			k.whole.Store(s.NewInMemorySolution())
		}
	})
	return k.whole.Load(), k.seconds
}

// SolvedWholeByTiers returns the whole game where it has been solved by tiers, else nil.
func SolvedWholeByTiers[P oxo.Position[P]](b *TypedGame[P]) *tiers.InMemorySolution {
	if w := b.Knowing.tiers.whole.Load(); w != nil && w.Done() {
		return w
	}
	return nil
}
