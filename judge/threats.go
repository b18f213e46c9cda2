package judge

import (
	"context"
	"slices"
	"time"

	"oxo"
)

// splitDeadline gives one of so many parts of the time that is left, where time is the limit.
func splitDeadline(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(end)/time.Duration(max(parts, 1)))
}

// Finder finds wins by threats in positions; one goroutine at a time may use it.
type Finder[P oxo.Position[P]] interface {
	// FindWin returns the moves of both sides in turn of a win by continuous threats of
	// seat, if it were to move in p; nil where it sees none within limit positions.
	FindWin(ctx context.Context, p P, seat oxo.Seat, limit int) []oxo.Move
	// FindWins returns the same of each first move that wins so, in so many positions each.
	FindWins(ctx context.Context, p P, seat oxo.Seat, limit int) [][]oxo.Move
	// FindSlowWin returns the first move of a win by these and threats one level slower, or
	// oxo.NoMove.
	FindSlowWin(ctx context.Context, p P, seat oxo.Seat, limit int) oxo.Move
	// FindSlowWins returns all first moves of such wins that take as few slow threats as the shortest.
	FindSlowWins(ctx context.Context, p P, seat oxo.Seat, limit int) []oxo.Move
	// Forget has the next search find what it finds whatever was searched before.
	Forget()
}

// How many positions searches for threats look at: at once, where time is the limit,
// and after each of the moves of a position; and how many times as many as at once searches for slower
// ones after all moves together.
const (
	threatLimit = 50_000
	moveLimit   = 4_000
	slowShare   = 8
)

// threatPositions returns how many positions a search for threats looks at, where so many nodes may be searched, 0 for
// no limit.
func threatPositions(nodes uint64) int {
	if nodes == 0 {
		return threatLimit
	}
	return 4 * int(min(nodes, threatLimit/4)) // which are cheap
}

// ByThreats tells of wins by threats, of both sides, where withFinder hands out a finder; false where
// there is none for the game. They are of games in which owning a set wins. All first moves that
// win by continuous threats are told. An extra mark never hurts its owner where every free square
// may be marked. The finder is borrowed for the length of one search.
func ByThreats[P oxo.Position[P]](share float64, marksFall bool, withFinder func(func(Finder[P])) bool) Source[P] {
	return Source[P]{Name: Threats, Share: share, Ask: func(ctx context.Context, q *Query[P]) (done bool, err error) {
		limit := threatPositions(q.Nodes)
		t := &threatSearch[P]{q: q, falls: marksFall, me: q.Pos.Turn(), limit: limit,
			each: min(moveLimit, max(100, limit/4))}
		if q.answer.Turn == oxo.Chance || !withFinder(func(f Finder[P]) { done, err = t.searchThreats(ctx, f) }) {
			q.unused = true
			return true, nil
		}
		return done, err
	}}
}

// threatSearch is a search for the threats of one position.
type threatSearch[P oxo.Position[P]] struct {
	// me is the side to move in the position that q is about; falls says that marks fall.
	q     *Query[P]
	f     Finder[P]
	falls bool
	me    oxo.Seat
	limit int // positions of one search
	each  int // of one after a move
}

// wonBy is what a line of threats from p shows that a side certainly wins by. Each of its replies is forced, so that a
// line to the end of the game bounds how long the win takes.
func wonBy[P oxo.Position[P]](seat oxo.Seat, p P, line []oxo.Move) Known {
	k := Known{Interval: oxo.Exactly(seat.Sign()), Line: line}
	for _, m := range line {
		p = p.Play(m)
	}
	if p.Outcome() == oxo.WinFor(seat) {
		k.Within = len(line)
	}
	return k
}

// searchThreats looks for a win of the side to move, by continuous threats and then by slower ones; for more such
// wins, one a first move; and, only where the other side would win if it were to move, for the moves
// that do not stop that. It is done where the context did not end it.
func (t *threatSearch[P]) searchThreats(ctx context.Context, f Finder[P]) (done bool, err error) {
	if t.f = f; t.q.Nodes > 0 {
		f.Forget() // the same question has the same answer
	}
	slow := false
	if line := t.f.FindWin(ctx, t.q.Pos, t.me, t.limit); len(line) > 0 {
		t.tellThreatWin(line)
		t.q.PublishFindings()
	} else if m := t.findSlowWin(ctx, t.me); m != oxo.NoMove {
		slow = true
		t.tellThreatWin([]oxo.Move{m})
		t.q.PublishFindings()
	}
	if t.q.Enough() || t.q.Worth {
		return true, nil
	}
	for _, line := range t.f.FindWins(ctx, t.q.Pos, t.me, t.each) {
		t.tellThreatWin(line)
	}
	if slow {
		for _, m := range t.f.FindSlowWins(ctx, t.q.Pos, t.me, t.each) {
			t.tellThreatWin([]oxo.Move{m})
		}
	}
	t.q.PublishFindings()
	return t.tellMovesLosingToThreats(ctx)
}

// tellMovesLosingToThreats tells of the moves after which the other side wins by threats. A move to play is chosen by
// continuous ones alone.
func (t *threatSearch[P]) tellMovesLosingToThreats(ctx context.Context) (done bool, err error) {
	// Where an extra mark never hurts, what the other side can't win by threats with the move, it
	// can't win by them after any of ours.
	other, moves := t.me.Other(), t.q.answer.Moves
	fast := t.falls || len(t.f.FindWin(ctx, t.q.Pos, other, t.limit)) > 0
	slow := !t.q.Choice && t.findSlowWin(ctx, other) != oxo.NoMove
	for i, o := range moves {
		if !fast && !slow {
			break
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if o.Proven() || t.q.After[i].Outcome() != oxo.Ongoing {
			continue
		}
		// Continuous threats come first: they show a whole line, slower ones only its first move.
		var line []oxo.Move
		if fast {
			line = t.f.FindWin(ctx, t.q.After[i], other, t.each)
		}
		if slow && len(line) == 0 {
			if m := t.f.FindSlowWin(ctx, t.q.After[i], other, slowShare*t.limit/len(moves)); m != oxo.NoMove {
				line = []oxo.Move{m}
			}
		}
		if len(line) > 0 {
			k := wonBy(other, t.q.After[i], line)
			if len(line) == 3 && t.allRepliesLoseAtOnce(t.q.After[i].Play(line[0])) {
				k.Plies, k.Timed = 3, true // as it did not win at once
			}
			t.q.TellMove(i, k)
		}
	}
	return ctx.Err() == nil, ctx.Err()
}

// findSlowWin looks for a win of a side, if it were to move, by slower threats, which are not looked for
// where marks fall.
func (t *threatSearch[P]) findSlowWin(ctx context.Context, seat oxo.Seat) oxo.Move {
	if t.falls {
		return oxo.NoMove
	}
	return t.f.FindSlowWin(ctx, t.q.Pos, seat, 4*t.limit)
}

// tellThreatWin tells of a win of the side to move, which begins with these moves.
func (t *threatSearch[P]) tellThreatWin(line []oxo.Move) {
	i := t.q.moveIndex(line[0])
	if i < 0 || t.q.answer.Moves[i].Proven() {
		return
	}
	k := wonBy(t.me, t.q.After[i], line[1:])
	if len(line) == 3 && t.allRepliesLoseAtOnce(t.q.After[i]) {
		k.Plies, k.Timed = 2, true
	}
	if t.q.TellMove(i, k); !k.Timed || slices.ContainsFunc(t.q.answer.Moves, func(o Option) bool {
		return o.Timed && o.Plies == 0 && o.SeenBy(t.me).Lo >= 1
	}) {
		return
	}
	k.Line, k.Plies, k.Within = line, 3, 3 // as no move wins at once
	t.q.TellPosition(k)
}

// allRepliesLoseAtOnce reports whether whatever is played in p lets the other side win at once.
func (t *threatSearch[P]) allRepliesLoseAtOnce(p P) bool {
	turn := p.Turn()
	var wins []oxo.Move // that were found after other replies, of which one mostly wins after the next too
	var moves []oxo.Move
	return !slices.ContainsFunc(p.Moves(nil), func(reply oxo.Move) bool {
		r := p.Play(reply)
		if r.Outcome() != oxo.Ongoing || r.Turn() == turn {
			return true
		}
		moves = r.Moves(moves[:0])
		// won reports whether m can be played in r and wins at once there.
		won := func(m oxo.Move) bool {
			return slices.Contains(moves, m) && r.Play(m).Outcome() == oxo.WinFor(turn.Other())
		}
		if slices.ContainsFunc(wins, won) {
			return false
		}
		i := slices.IndexFunc(moves, won)
		if i >= 0 {
			wins = append(wins, moves[i])
		}
		return i < 0
	})
}
