package judge

import (
	"context"
	"time"

	"oxo"
	"oxo/board"
)

// splitDeadline gives one of so many parts of the time that is left, where time is the limit.
func splitDeadline(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(end)/time.Duration(max(parts, 1)))
}

// Finder finds wins by threats; one goroutine at a time may use it.
type Finder interface {
	// Win returns the moves of both sides in turn of a win by continuous threats of
	// seat, to move, who holds mine against theirs; nil where it sees none within limit
	// positions.
	FindWin(mine, theirs board.Set, seat oxo.Seat, limit int) []int
	// Slow returns the first move of a win by these and threats one level slower, or
	// -1.
	FindSlowWin(mine, theirs board.Set, seat oxo.Seat, limit int) int
}

// How many positions searches for threats look at: at once, where time is the limit,
// and after each of the moves of a position.
const (
	threatLimit = 50_000
	moveLimit   = 4_000
)

// ByThreats tells of wins by threats, of both sides, where use hands out a finder; false
// where there is none for the game. They are of games in which owning a set wins and
// every free square may be marked. All first moves that force a reply and win are told.
func ByThreats[P oxo.Position[P]](share float64, use func(func(Finder)) bool) Source[P] {
	return Source[P]{Name: Threats, Share: share, Ask: func(ctx context.Context, q *Query[P]) (done bool, err error) {
		view, ok := any(q.Pos).(board.Positional)
		if !ok || q.answer.Turn == oxo.Chance {
			return true, nil
		}
		limit := threatLimit
		if q.Nodes > 0 {
			limit = int(min(4*q.Nodes, threatLimit)) // which are cheap
		}
		x, o := view.Marks()
		t := &threatSearch[P]{q: q, b: view.Board(), marks: [2]board.Set{x, o}, me: q.Pos.Turn(), limit: limit}
		t.each = min(moveLimit, max(100, limit/4))
		if !use(func(f Finder) { t.f = f; done, err = t.search(ctx) }) {
			q.unused = true
			return true, nil
		}
		return done, err
	}}
}

// threatSearch is a search for the threats of one position.
type threatSearch[P oxo.Position[P]] struct {
	q     *Query[P]
	f     Finder
	b     *board.Board
	marks [2]board.Set
	me    oxo.Seat
	limit int // positions of one search
	each  int // of one after a move
}

func wonBy(seat oxo.Seat) Known { return Known{Interval: oxo.Exactly(seat.Sign())} }

func (t *threatSearch[P]) search(ctx context.Context) (done bool, err error) {
	mine, theirs := t.marks[t.me], t.marks[t.me.Other()]
	if line := t.f.FindWin(mine, theirs, t.me, t.limit); len(line) > 0 {
		t.tellWin(line)
		t.q.PublishFindings()
	} else if sq := t.f.FindSlowWin(mine, theirs, t.me, 4*t.limit); sq >= 0 {
		if i := t.q.moveIndex(oxo.Move(sq)); i >= 0 {
			k := wonBy(t.me)
			t.q.TellMove(i, k)
			t.q.PublishFindings()
		}
	}
	if t.q.Enough() {
		return true, nil
	}
	for i, o := range t.q.answer.Moves {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if !o.Proven() && t.q.After[i].Outcome() == oxo.Ongoing {
			t.tryForcingMove(i, int(o.Move))
		}
	}
	t.q.PublishFindings()
	// An extra mark never hurts its owner, so what the other side can't win by threats
	// with the move, it can't win by them after any of ours.
	if len(t.f.FindWin(theirs, mine, t.me.Other(), t.limit)) == 0 {
		return true, nil
	}
	for i, o := range t.q.answer.Moves {
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if o.Proven() || t.q.After[i].Outcome() != oxo.Ongoing {
			continue
		}
		if line := t.f.FindWin(theirs, mine.With(int(o.Move)), t.me.Other(), t.each); len(line) > 0 {
			k := wonBy(t.me.Other())
			k.Line = toMoves(line)
			t.q.TellMove(i, k)
		}
	}
	return true, nil
}

func toMoves(squares []int) []oxo.Move {
	list := make([]oxo.Move, len(squares))
	for i, sq := range squares {
		list[i] = oxo.Move(sq)
	}
	return list
}

// tellWin tells of a win of the side to move.
func (t *threatSearch[P]) tellWin(line []int) {
	if i := t.q.moveIndex(oxo.Move(line[0])); i >= 0 {
		k := wonBy(t.me)
		k.Line = toMoves(line[1:])
		t.q.TellMove(i, k)
	}
}

// tryForcingMove tells whether a move that threatens to complete a set wins: by two such
// threats, or because a win by threats follows the only answer.
func (t *threatSearch[P]) tryForcingMove(i, sq int) {
	mine, theirs := t.marks[t.me].With(sq), t.marks[t.me.Other()]
	ends := t.completingThrough(mine, theirs, sq)
	if ends.Empty() || !t.completingSquares(theirs, mine).Empty() {
		return
	}
	k := wonBy(t.me)
	reply := ends.First()
	if rest := ends.Without(reply); !rest.Empty() {
		k.Line = toMoves([]int{reply, rest.First()})
		t.q.TellMove(i, k)
		return
	}
	if line := t.f.FindWin(mine, theirs.With(reply), t.me, t.each); len(line) > 0 {
		k.Line = toMoves(append([]int{reply}, line...))
		t.q.TellMove(i, k)
	}
}

// completingThrough returns the free squares that complete one of own's sets through a square.
func (t *threatSearch[P]) completingThrough(own, other board.Set, sq int) board.Set {
	var s board.Set
	for _, l := range t.b.LinesThrough(sq) {
		s = s.Or(t.completingSquare(t.b.Lines[l], own, other))
	}
	return s
}

func (t *threatSearch[P]) completingSquares(own, other board.Set) board.Set {
	var s board.Set
	for _, l := range t.b.Lines {
		s = s.Or(t.completingSquare(l, own, other))
	}
	return s
}

func (t *threatSearch[P]) completingSquare(l board.Line, own, other board.Set) (s board.Set) {
	left := l.Need.Minus(own)
	if left.Len() == 1 && !other.Meets(left) && !l.Bar.Meets(own) {
		return left
	}
	return s
}
