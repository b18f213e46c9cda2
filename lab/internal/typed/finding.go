package typed

import (
	"context"
	"sync"

	"oxo"
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
func (b *typedGame[P]) withThreatFinder(use func(judge.Finder[P])) bool {
	if b.lines == nil || b.Odds != nil || b.Payoff != nil || !b.wantsLines {
		return false
	}
	b.finder.mu.Lock()
	defer b.finder.mu.Unlock()
	if b.finder.made == nil {
		on := threats.Board{Squares: len(b.view.Squares), Need: b.lines, Bar: b.bars}
		if b.board != nil {
			on = threats.BoardOf(b.board)
		}
		made, err := threats.NewFinder(on, [2]bool{true, true}, logThreats, logThreats)
		if err != nil {
			return false
		}
		b.finder.made = made
	}
	use(threatFinder[P]{b, b.finder.made})
	return true
}

// threatFinder looks for threats as the judge asks for them.
type threatFinder[P oxo.Position[P]] struct {
	b    *typedGame[P]
	made *threats.Finder
}

// setPosition takes over a position.
func (f threatFinder[P]) setPosition(p P) {
	f.made.Reset()
	for sq := range f.b.view.Squares {
		if mark := f.b.mark(p, sq); mark < 2 {
			f.made.Play(mark, sq)
		}
	}
}

func (f threatFinder[P]) FindWin(ctx context.Context, p P, seat oxo.Seat, limit int) []oxo.Move {
	f.setPosition(p)
	return f.line(ctx, seat, limit)
}

// line returns the moves of a win of seat from the position at hand.
func (f threatFinder[P]) line(ctx context.Context, seat oxo.Seat, limit int) (line []oxo.Move) {
	if f.made.Win(ctx, int(seat), uint64(limit), threats.Useful) {
		for _, sq := range f.made.ForcedSequence(int(seat)) {
			line = append(line, oxo.Move(sq))
		}
	}
	return line
}

func (f threatFinder[P]) FindWins(ctx context.Context, p P, seat oxo.Seat, limit int) (lines [][]oxo.Move) {
	f.setPosition(p)
	moves, _ := f.made.WinningMoves(ctx, int(seat), uint64(limit))
	for _, sq := range moves {
		line := []oxo.Move{oxo.Move(sq)}
		f.made.Play(int(seat), sq)
		if reply, _ := f.made.Completion(int(seat)); reply >= 0 {
			f.made.Play(int(seat.Other()), reply)
			line = append(append(line, oxo.Move(reply)), f.line(ctx, seat, limit)...)
			f.made.Undo()
		}
		f.made.Undo()
		lines = append(lines, line)
	}
	return lines
}

func (f threatFinder[P]) FindSlowWin(ctx context.Context, p P, seat oxo.Seat, limit int) oxo.Move {
	f.setPosition(p)
	return oxo.Move(f.made.SlowWin(ctx, int(seat), uint64(limit), threats.Useful)) // -1 is NoMove
}
