package prove

import (
	"errors"
	"fmt"
	"slices"

	"oxo"
	"oxo/board"
)

// ErrOff is returned by [Walker.Next] where the proof does not spell out what
// to play: after a reply that it shows to be no better than another one.
var ErrOff = errors.New("the proof does not spell out an answer here")

// Walker plays a claim of a proof, reply by reply.
type Walker struct {
	proof *Proof
	claim *Claim

	own, opp board.Set // after the walker's last move, or at the start
	node     int       // where that is in the strategy
	image    []uint8   // carries squares of the game to those of the node
	line     []uint8   // threats still to be played, squares of the game
	threat   board.Set // the squares that complete a set after the last threat
}

// NewWalker returns a walker of what the proof claims for the seat: that it
// wins, if it does, else that it does not lose. It refuses a seat for which
// nothing with a strategy is claimed.
func NewWalker(p *Proof, seat oxo.Seat) (*Walker, error) {
	var best *Claim
	for i := range p.Claims {
		c := &p.Claims[i]
		if c.Seat == seat && len(c.Nodes) > 0 && (best == nil || c.Wins) {
			best = c
		}
	}
	if best == nil {
		return nil, fmt.Errorf("the proof has no strategy for the %s player", seat)
	}
	w := &Walker{proof: p, claim: best}
	w.restart()
	return w, nil
}

// Wins reports whether the strategy wins; else it does not lose.
func (w *Walker) Wins() bool { return w.claim.Wins }

func (w *Walker) restart() {
	w.own, w.opp = w.proof.Game.Marks[w.claim.Seat], w.proof.Game.Marks[w.claim.Seat.Other()]
	w.node, w.line, w.threat = 0, nil, board.Set{}
	w.image = slices.Clone(w.proof.Perms[0])
}

// Next returns the square that the strategy plays in a position of the game in
// which the walker is to move: the proof's start, or one reply after its last
// move. It says in words why, and returns ErrOff where the proof has no answer
// or play did not go on from its last move.
func (w *Walker) Next(own, opp board.Set) (square int, why string, err error) {
	start := w.proof.Game.Marks
	if own == start[w.claim.Seat] && opp == start[w.claim.Seat.Other()] {
		w.restart()
		return w.play(own, opp)
	}
	reply := opp.Minus(w.opp)
	if own != w.own || !opp.Holds(w.opp) || reply.Len() != 1 {
		return 0, "", ErrOff
	}
	w.opp = opp
	r := reply.First()
	if !w.threat.Empty() {
		if left := w.threat.Without(r); !left.Empty() {
			return w.done(left.First(), "it completes a set")
		}
		return w.threaten()
	}
	n := &w.claim.Nodes[w.node]
	switch n.End {
	case Pairing:
		return w.pair(n, r)
	case Potential:
		return w.done(w.least(own, opp), "it lowers the opponent's potential most")
	}
	at := int(w.image[r])
	if i, ok := slices.BinarySearchFunc(n.Replies, at, func(e ReplyNode, sq int) int { return e.Square - sq }); ok {
		e := n.Replies[i]
		for sq := range w.image {
			w.image[sq] = w.proof.Perms[e.Perm][w.image[sq]]
		}
		w.node = e.Node
		return w.play(own, opp)
	}
	for _, line := range n.Threats {
		if moves := w.squares(line); w.holds(own, opp, moves) {
			w.line = moves
			return w.threaten()
		}
	}
	return 0, "", ErrOff
}

// play plays the node that the position is.
func (w *Walker) play(own, opp board.Set) (int, string, error) {
	n := &w.claim.Nodes[w.node]
	switch n.Kind {
	case Move:
		return w.done(w.square(n.Square), "the strategy's move")
	case Line:
		w.line = w.squares([]uint8(n.Line))
		return w.threaten()
	}
	return 0, "", ErrOff // the other side is to move
}

// done makes the walker's move.
func (w *Walker) done(sq int, why string) (int, string, error) {
	if sq < 0 {
		return 0, "", ErrOff
	}
	w.own = w.own.With(sq)
	return sq, why, nil
}

// threaten plays the next threat of the line.
func (w *Walker) threaten() (int, string, error) {
	if len(w.line) == 0 {
		return 0, "", ErrOff
	}
	sq := int(w.line[0])
	w.line = w.line[1:]
	free := w.proof.Game.Board.Squares().Minus(w.own).Minus(w.opp)
	ends := w.ends(w.own.With(sq), free.Without(sq), sq)
	w.threat = ends
	if ends.Len() > 1 {
		return w.done(sq, fmt.Sprintf("it makes %d threats at once", ends.Len()))
	}
	if ends.Empty() {
		return w.done(sq, "it completes a set")
	}
	return w.done(sq, "it threatens to complete a set")
}

// ends returns the free squares that complete a line of own through sq.
func (w *Walker) ends(own, free board.Set, sq int) (ends board.Set) {
	b := w.proof.Game.Board
	for _, k := range b.Through(sq) {
		l := b.Lines[k]
		if missing := l.Need.Minus(own); missing.Len() == 1 && free.Holds(missing) && !l.Bar.Meets(own) {
			ends = ends.Or(missing)
		}
	}
	return ends
}

// holds reports whether the threats win from here, each answered the only way.
func (w *Walker) holds(own, opp board.Set, line []uint8) bool {
	b := w.proof.Game.Board
	free := b.Squares().Minus(own).Minus(opp)
	for _, s := range line {
		sq := int(s)
		if !free.Has(sq) {
			return false
		}
		own, free = own.With(sq), free.Without(sq)
		for _, k := range b.Through(sq) {
			if b.Lines[k].Owned(own) {
				return true
			}
		}
		ends := w.ends(own, free, sq)
		for sq := range free.All() {
			for _, k := range b.Through(sq) {
				if b.Lines[k].Owned(opp.With(sq)) && !ends.Has(sq) {
					return false
				}
			}
		}
		switch ends.Len() {
		case 0:
			return false
		case 1:
			opp, free = opp.With(ends.First()), free.Without(ends.First())
		default:
			return true
		}
	}
	return false
}

// pair answers a mark in a pair with the other square, and any other mark with
// any square.
func (w *Walker) pair(n *Node, r int) (int, string, error) {
	at := w.image[r]
	free := w.proof.Game.Board.Squares().Minus(w.own).Minus(w.opp)
	for _, p := range n.Pairs {
		for i := range 2 {
			if p[i] == at {
				if sq := w.square(int(p[1-i])); free.Has(sq) {
					return w.done(sq, "it is the other square of the pair")
				}
			}
		}
	}
	return w.done(free.First(), "any move will do: each set holds a pair")
}

// least returns the free square that takes most from the opponent's potential.
func (w *Walker) least(own, opp board.Set) int {
	b := w.proof.Game.Board
	best, most := -1, -1.0
	for sq := range b.Squares().Minus(own).Minus(opp).All() {
		weight := 0.0
		for _, k := range b.Through(sq) {
			if need := b.Lines[k].Need; !need.Meets(own) {
				weight += 1 / float64(uint64(1)<<need.Minus(opp).Len())
			}
		}
		if weight > most {
			best, most = sq, weight
		}
	}
	return best
}

// square carries a square of the node back to one of the game.
func (w *Walker) square(at int) int { return slices.Index(w.image, uint8(at)) }

func (w *Walker) squares(line []uint8) []uint8 {
	list := make([]uint8, len(line))
	for i, at := range line {
		list[i] = uint8(w.square(int(at)))
	}
	return list
}
