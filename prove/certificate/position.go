package certificate

import (
	"oxo"
	"oxo/board"
)

// position is what a strategy is followed in: what its seat and the opponent hold, of shared marks
// those X and those O, and the free squares in play, by the numbers of a node.
type position struct{ own, opp, free board.Set }

// strategy is that of a claim, with what following it asks for: the game, the permutations of the file, and whether
// extra marks never hurt in the game.
type strategy struct {
	game     *Setup
	claim    *Claim
	perms    [][]uint8
	monotone bool
}

// startPosition returns the position of the first node: the start of the game, without the squares out of play, unless
// the seat is to move and would have none to mark.
func (s *strategy) startPosition() position {
	g, seat := s.game, s.claim.Seat
	p := position{g.Marks[seat], g.Marks[seat.Other()], g.Board.Squares().Minus(g.Marks[0]).Minus(g.Marks[1])}
	if g.Shared() {
		p.own, p.opp = g.Marks[0], g.Marks[1]
	}
	if q := s.withoutDeadSquares(p); g.Turn != seat || !q.free.Empty() {
		return q
	}
	return p
}

// worstOfSharedNodes returns the positions of the nodes that stand for several: the worst of these. The seat
// reaches there, by its marks and free squares, what it reaches in all of them, and the opponent what
// he reaches in one. Nodes come before those that they lead to, so one pass in their order suffices,
// and what is waiting is only what has been led to and not yet come. Which positions a node stands for
// is not in the file: it follows from the replies that lead to it.
func (s *strategy) worstOfSharedNodes() (map[int]position, error) {
	type expected struct {
		position
		several bool
	}
	zones, waiting := map[int]position{}, map[int]expected{0: {position: s.startPosition()}}
	for k := range s.claim.Nodes.Len() {
		x := waiting[k]
		delete(waiting, k)
		if x.several {
			x.position = s.withoutDeadSquares(x.position)
			zones[k] = x.position
		}
		n, err := s.claim.Nodes.At(k)
		if err != nil {
			return nil, err
		}
		if n.Kind == Line || n.End != Open {
			continue
		}
		p := x.position
		if n.Kind == Move {
			p = s.play(p, n.Square, s.claim.Seat)
		}
		for _, r := range n.Replies {
			q := s.after(p, r)
			known, ok := waiting[r.Node]
			switch {
			case !ok:
				known.position = q
			case known.position != q:
				known = expected{known.worstOf(q), true}
			}
			waiting[r.Node] = known
		}
	}
	return zones, nil
}

// worstOf returns the worst of two positions for the seat, as the checker does
// ([oxo/prove/verify], which shares nothing with this and says why).
func (p position) worstOf(q position) position {
	seat := p.own.Or(p.free).And(q.own.Or(q.free))
	opponent := p.opp.Or(p.free).Or(q.opp).Or(q.free)
	return position{seat.Minus(opponent), opponent.Minus(seat), seat.And(opponent)}
}

// after returns what a listed reply makes of p, by the numbers of the node it leads to: the image under the reply's
// permutation.
func (s *strategy) after(p position, r ReplyNode) position {
	q := s.withoutDeadSquares(s.play(p, r.Square, s.claim.Seat.Other()))
	perm := s.perms[r.Perm]
	return position{q.own.Image(perm), q.opp.Image(perm), q.free.Image(perm)}
}

// play returns p after a move of seat, by its number. Of shared marks the number says which is placed, and who
// places it does not matter.
func (s *strategy) play(p position, number int, seat oxo.Seat) position {
	sq, own := number%s.game.Board.N, seat == s.claim.Seat
	if s.game.Shared() {
		own = number < s.game.Board.N
	}
	p.free = p.free.Without(sq)
	if own {
		p.own = p.own.With(sq)
	} else {
		p.opp = p.opp.With(sq)
	}
	return p
}

// withoutDeadSquares returns p without the squares in no set that a side can still own. Such squares are out of
// play: in a monotone game no mark on them matters. Other games keep every square.
func (s *strategy) withoutDeadSquares(p position) position {
	if !s.monotone {
		return p
	}
	var live board.Set
	for _, line := range s.game.Board.Lines {
		if own, opp := s.sidesAbleToOwn(line, p); own || opp {
			live = live.Or(line.Need)
		}
	}
	return position{p.own.And(live), p.opp.And(live), p.free.And(live)}
}

// sidesAbleToOwn reports whether the seat and the opponent can still own a line of a monotone game,
// where they want to.
func (s *strategy) sidesAbleToOwn(line board.Line, p position) (own, opp bool) {
	seat := s.claim.Seat
	own = s.game.CompletionWins(seat) && !s.claim.Relaxed && p.own.Or(p.free).Holds(line.Need)
	return own, s.game.CompletionWins(seat.Other()) && p.opp.Or(p.free).Holds(line.Need)
}

// completingSquares returns the free squares on which marks would own a set. A set whose bar the marks meet
// is no longer to be owned.
func (s *strategy) completingSquares(marks, free board.Set) (squares board.Set) {
	for _, line := range s.game.Board.Lines {
		if left := line.Need.Minus(marks); left.Len() == 1 && free.Holds(left) && !marks.Meets(line.Bar) {
			squares = squares.Or(left)
		}
	}
	return squares
}

// winsByThreats reports whether the seat, to move in p, wins by the threats of a line. The line has the
// seat's moves alone: each must leave one square that completes a set, which the other side has to
// take, until one leaves two. A threat is no threat while the other side can complete a set itself.
// The check of a certificate does not use it: see [oxo/prove/verify].
func (s *strategy) winsByThreats(p position, line []uint8) bool {
	seat, n := s.claim.Seat, s.game.Board.N
	if s.claim.Relaxed || !s.game.CompletionWins(seat) {
		return false
	}
	for _, number := range line {
		sq := int(number) % n
		if !s.game.Board.Playable(p.free).Has(sq) {
			return false
		}
		marks := p.own
		if int(number) >= n {
			marks = p.opp
		}
		if s.completingSquares(marks, p.free).Has(sq) {
			return true
		}
		if !s.game.IsPositional() {
			return false
		}
		p = s.play(p, int(number), seat)
		ends := s.completingSquares(p.own, p.free)
		switch {
		case ends.Empty(), s.game.CompletionWins(seat.Other()) && !s.completingSquares(p.opp, p.free).Empty():
			return false
		case ends.Len() > 1:
			return true
		}
		p = s.play(p, ends.First(), seat.Other())
	}
	return false
}
