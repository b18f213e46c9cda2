package typed

import (
	"context"
	"sync"

	"oxo"
	"oxo/board"
	"oxo/judge"
	"oxo/threats"
)

// logThreats is the size of what a search for threats remembers, as a power of 2.
const logThreats = 16

// finder is a game's search for threats, which one goroutine at a time may use. It is
// made when it is first asked for.
type finder struct {
	mu   sync.Mutex
	made *threats.Finder
}

// withThreatFinder hands out the game's search for threats, to one at a time.
func (b *openedGame[P]) withThreatFinder(use func(judge.Finder)) bool {
	view, ok := any(b.Start).(board.Positional)
	if !ok || b.Odds != nil || b.Payoff != nil || !b.wantsLines || !b.free {
		return false
	}
	b.finder.mu.Lock()
	defer b.finder.mu.Unlock()
	if b.finder.made == nil {
		made, err := threats.NewFinder(threats.BoardOf(view.Board()), [2]bool{true, true}, logThreats, logThreats)
		if err != nil {
			return false
		}
		b.finder.made = made
	}
	use(threatFinder{b.finder.made})
	return true
}

// threatFinder looks for threats as the judge asks for them.
type threatFinder struct{ made *threats.Finder }

// setPosition takes over a position.
func (f threatFinder) setPosition(mine, theirs board.Set, seat oxo.Seat) {
	f.made.Reset()
	for sq := range mine.All() {
		f.made.Play(int(seat), sq)
	}
	for sq := range theirs.All() {
		f.made.Play(int(seat.Other()), sq)
	}
}

func (f threatFinder) FindWin(mine, theirs board.Set, seat oxo.Seat, limit int) []int {
	if f.setPosition(mine, theirs, seat); f.made.Win(context.Background(), int(seat), uint64(limit), threats.Useful) {
		return f.made.ForcedSequence(int(seat))
	}
	return nil
}

func (f threatFinder) FindSlowWin(mine, theirs board.Set, seat oxo.Seat, limit int) int {
	f.setPosition(mine, theirs, seat)
	return f.made.SlowWin(context.Background(), int(seat), uint64(limit), threats.Useful)
}
