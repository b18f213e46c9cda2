package solve

import (
	"context"
	"unsafe"

	"oxo"
	"oxo/hash"
)

// DeepenResult is what [FindForcedWin] found out about a position.
// Seats index None, so that None[First] plies do not suffice First, however Second plays.
type DeepenResult struct {
	Verdict          // where Found
	Moves   []Option // where Found: in a lost position all moves, in a won one those that are best
	Found   bool     // somebody wins in so few plies
	None    [2]int   // in how many plies it is certain that First, and that Second, does not win
	Nodes   uint64   // positions looked at
}

// DeepenOptions bound the work of [FindForcedWin].
type DeepenOptions[P any] struct {
	Nodes uint64  // positions to look at
	Bytes int     // of the table
	Only  [2]bool // whose wins to look for; none is both

	After         *DeepenResult                 // what is known already
	MinMovesToWin func(p P, seat oxo.Seat) int  // as of [oxo.Game]; nil is the game's
	Progress      func(plies int, nodes uint64) // is told of each number of plies that was searched
}

// FindForcedWin looks for a forced win of either side in one ply, in two, in three, and so
// on (depth-first iterative deepening; Korf, Artificial Intelligence 27, 1985),
// until it has found one or has looked at as many positions as it may. What it finds is
// exact: the winner can't be quicker, nor the loser hold out longer. It does not
// know a draw. It takes games without chance, payoffs and endless play. It stops early with ctx's error.
// Both seats are asked about at each number of plies, unless Only names one.
func FindForcedWin[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P,
	o DeepenOptions[P]) (*DeepenResult, error) {
	s := &deepening[P]{ctx: ctx, g: g.WithCancelableCanonical(ctx), minMovesToWin: o.MinMovesToWin, limit: o.Nodes,
		hash: hash.New[P]()}
	if s.minMovesToWin == nil {
		s.minMovesToWin = g.MinMovesToWin
	}
	slots := hash.TableSize(1, int(unsafe.Sizeof(bounded[P]{})), int64(o.Bytes))
	s.table = make([]bounded[P], slots)
	charge := oxo.NewCharge(ctx)
	charge.SetBytes(int64(slots) * int64(unsafe.Sizeof(bounded[P]{})))
	defer charge.SetBytes(0)
	found := &DeepenResult{}
	if o.After != nil {
		found.None, s.nodes = o.After.None, o.After.Nodes
		s.limit += s.nodes
	}
	if o.Only == [2]bool{} {
		o.Only = [2]bool{true, true}
	}
	for plies := 1; plies <= min(g.MaxPlies, deepestPlies); plies++ {
		for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
			if !o.Only[seat] || plies <= found.None[seat] {
				continue
			}
			won := s.searchWin(p, seat, plies)
			if won && s.err == nil {
				found.Found = true
				found.Verdict = VerdictOf(oxo.WinFor(seat), plies)
				found.Moves = s.optionsOf(p, found.Verdict)
			}
			found.Nodes = s.nodes
			switch {
			case s.err != nil:
				return found, s.err
			case s.halted:
				found.Found, found.Moves = false, nil
				return found, nil
			case won:
				return found, nil
			}
			found.None[seat] = plies
		}
		if o.Progress != nil {
			o.Progress(plies, s.nodes)
		}
	}
	return found, nil
}

// deepestPlies is the most plies that a table entry tells.
// An entry tells them in eight bits.
const deepestPlies = 250

// bounded is what a table knows of a position: the least number of plies in which
// each seat was found to win, 0 for none, and the greatest in which it was found not to.
// An entry has the place that its key's hash says, and goes when another position comes there.
type bounded[P any] struct {
	key      P
	win, not [2]uint8
	best     [2]oxo.Move // where the seat moves the move that wins, else the one that prevents it
	used     bool
}

// deepening is a search for a near win, deeper and deeper.
// Its stack holds the moves of all nodes on the way, and is given back as each returns.
type deepening[P oxo.Position[P]] struct {
	ctx           context.Context
	g             *oxo.Game[P]
	minMovesToWin func(p P, seat oxo.Seat) int // nil where there is none
	table         []bounded[P]
	hash          hash.Hasher[P]
	stack         []oxo.Move
	killers       [deepestPlies + 1][2][2]oxo.Move // by plies left, attacking seat, and whether it moves
	nodes, limit  uint64
	halted        bool
	err           error
}

// optionsOf returns the moves of p, which is worth v: of a loss all of them, of a win the best.
// Of a move it finds the least number of plies that the winner still needs, one after the other; the table helps.
func (s *deepening[P]) optionsOf(p P, v Verdict) []Option {
	winner := oxo.First
	if v.Outcome == oxo.SecondWins {
		winner = oxo.Second
	}
	var list []Option
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		left := 0
		for ; left < v.Remoteness-1 && !s.winsWithin(q, winner, left); left++ {
		}
		if !s.winsWithin(q, winner, left) {
			continue
		}
		after := Verdict{Outcome: v.Outcome, Remoteness: left, Expected: v.Expected}
		if best := left == v.Remoteness-1; best || p.Turn() != winner {
			list = append(list, Option{m, after, best})
		}
	}
	return list
}

// winsWithin reports whether seat wins from p within so many plies. Without plies left only a game
// that is over is won.
func (s *deepening[P]) winsWithin(p P, seat oxo.Seat, plies int) bool {
	if out := p.Outcome(); out != oxo.Ongoing || plies == 0 {
		return out == oxo.WinFor(seat)
	}
	return s.searchWin(p, seat, plies)
}

// remembered is the least number of plies for which positions are kept, each in the
// form that stands for its class: fewer are looked through sooner than looked up.
const remembered = 3

// searchWin reports whether seat wins from p, which is not over, within plies, 1 or more, however its
// opponent plays. Once s is halted the answer means nothing. The seat's minMovesToWin, a lower bound on its
// moves to a win, cuts before anything is looked up; a win at once needs no search.
func (s *deepening[P]) searchWin(p P, seat oxo.Seat, plies int) bool {
	if s.checkLimits(); s.halted {
		return false
	}
	attacks := p.Turn() == seat
	if s.minMovesToWin != nil {
		own := plies / 2
		if attacks {
			own = (plies + 1) / 2
		}
		if s.minMovesToWin(p, seat) > own {
			return false
		}
	}
	if s.g.WinsNow != nil && s.g.WinsNow(p) {
		return attacks
	}
	if plies < remembered {
		won, _ := s.searchMovesForWin(p, seat, plies, oxo.NoMove)
		return won
	}
	p = s.g.Representative(p)
	e := &s.table[s.hash.Of(&p)&uint64(len(s.table)-1)]
	known := e.used && e.key == p
	hint := oxo.NoMove
	if known {
		switch w := int(e.win[seat]); {
		case w > 0 && w <= plies:
			return true
		case int(e.not[seat]) >= plies:
			return false
		}
		hint = e.best[seat]
	}
	won, m := s.searchMovesForWin(p, seat, plies, hint)
	if s.halted {
		return false
	}
	if !e.used || e.key != p { // another position may have come since
		*e = bounded[P]{key: p, used: true, best: [2]oxo.Move{oxo.NoMove, oxo.NoMove}}
	}
	if e.best[seat] = m; won {
		e.win[seat] = uint8(plies)
	} else {
		e.not[seat] = uint8(plies)
	}
	return won
}

// searchMovesForWin is searchWin by looking at the moves; it returns the one that decides, if one does. The move
// that decided at this depth elsewhere, and the one that the table has, come first.
func (s *deepening[P]) searchMovesForWin(p P, seat oxo.Seat, plies int, hint oxo.Move) (won bool, decisive oxo.Move) {
	attacks := p.Turn() == seat
	base := len(s.stack)
	s.stack = p.Moves(s.stack)
	defer func() { s.stack = s.stack[:base] }()
	list := s.stack[base:]
	killers := &s.killers[plies][seat]
	moveToFront(list, killers[1])
	moveToFront(list, killers[0])
	moveToFront(list, hint)
	for i := range list {
		m := s.stack[base+i] // the stack may have moved
		s.nodes++
		if s.winsWithin(p.Play(m), seat, plies-1) == attacks {
			if killers[0] != m {
				killers[0], killers[1] = m, killers[0]
			}
			return attacks, m
		}
		if s.halted {
			break
		}
	}
	return !attacks, oxo.NoMove
}

// moveToFront moves m to the front of a list, if it is there.
func moveToFront(list []oxo.Move, m oxo.Move) {
	for i, at := range list {
		if at == m {
			copy(list[1:i+1], list[:i])
			list[0] = m
			return
		}
	}
}

// checkLimits looks whether the work is to end.
// The context is looked at every 4,096 positions, the limit always.
func (s *deepening[P]) checkLimits() {
	if s.nodes&0xFFF == 0 && s.ctx.Err() != nil {
		s.err = s.ctx.Err()
	}
	s.halted = s.halted || s.err != nil || s.nodes >= s.limit
}
