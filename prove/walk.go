package prove

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"oxo"
	"oxo/board"
)

// ErrOff is returned by [Walker.Next] for a position that play by the strategy
// does not lead to from the one before.
var ErrOff = errors.New("the position does not follow from the strategy's last move")

// Walker plays a game by the strategy of a claim. It tracks how the game on the
// board corresponds to the positions of the strategy: by an automorphism, and
// where the other side made a move that is no better than another, as if it
// had made that other move.
type Walker struct {
	game  *Game
	claim *Claim
	perms [][]uint8
	marks [2]board.Set
	turn  oxo.Seat

	place place
	node  int
	to    []uint8    // from squares of the board to those of the node
	line  []uint8    // moves still to make, on the board
	pairs [][2]uint8 // on the board
	last  int        // the last reply
}

// place is what tells the next move.
type place uint8

const (
	inNode  place = iota // the node
	inLine               // a line of threats
	inPairs              // a pairing, the potential outside it
	settled              // nothing more can happen
)

// NewWalker returns a walker at the proof's start position, seat following
// what the proof claims for it: that it wins, if it does, else that it does not
// lose. It refuses a seat for which the proof has no strategy.
func NewWalker(p *Proof, seat oxo.Seat) (*Walker, error) {
	w := &Walker{game: &p.Game, perms: p.Perms}
	for k := range p.Claims {
		c := &p.Claims[k]
		if c.Seat == seat && len(c.Nodes) > 0 && (w.claim == nil || c.Wins) {
			w.claim = c
		}
	}
	if w.claim == nil {
		return nil, fmt.Errorf("the proof has no strategy for the %v player", seat)
	}
	w.restart()
	return w, nil
}

func (w *Walker) restart() {
	w.marks, w.turn = w.game.Marks, w.game.Turn
	w.place, w.node, w.line, w.pairs, w.last = inNode, 0, nil, nil, -1
	w.to = slices.Clone(w.perms[0])
	if w.turn != w.claim.Seat {
		w.enter()
	}
}

// Wins reports whether the strategy wins; else it does not lose.
func (w *Walker) Wins() bool { return w.claim.Wins }

// Next returns the square that the strategy plays in a position of the game
// where its side is to move: the proof's start, or one reply after its last
// move. It says in words why.
func (w *Walker) Next(own, opp board.Set) (square int, why string, err error) {
	seat := w.claim.Seat
	var marks [2]board.Set
	marks[seat], marks[seat.Other()] = own, opp
	start := w.game.Marks
	first := opp.Minus(start[seat.Other()])
	if marks == start && w.game.Turn == seat || own == start[seat] && w.game.Turn != seat && first.Len() == 1 {
		w.restart()
	}
	if marks != w.marks {
		reply := opp.Minus(w.marks[seat.Other()])
		if own != w.marks[seat] || !opp.Holds(w.marks[seat.Other()]) || reply.Len() != 1 || w.turn == seat {
			return 0, "", ErrOff
		}
		if err := w.Reply(reply.First()); err != nil {
			return 0, "", err
		}
	}
	return w.Play()
}

// Seat returns who follows the strategy, Turn whose move it is, and Marks what
// First and Second hold.
func (w *Walker) Seat() oxo.Seat      { return w.claim.Seat }
func (w *Walker) Turn() oxo.Seat      { return w.turn }
func (w *Walker) Marks() [2]board.Set { return w.marks }

func (w *Walker) free() board.Set       { return w.game.Board.Squares().Minus(w.marks[0]).Minus(w.marks[1]) }
func (w *Walker) from(square uint8) int { return slices.Index(w.to, square) }

// Outcome returns how the game stands.
func (w *Walker) Outcome() oxo.Outcome {
	g := *w.game
	g.Marks = w.marks
	return g.over()
}

// Legal returns the squares that may be played.
func (w *Walker) Legal() board.Set {
	free := w.free()
	if w.game.Board.Below == nil {
		return free
	}
	var s board.Set
	for i := range free.All() {
		if under := w.game.Board.Below[i]; under < 0 || !free.Has(under) {
			s = s.With(i)
		}
	}
	return s
}

// Move returns the strategy's move, and why in a few words.
func (w *Walker) Move() (square int, why string, err error) {
	seat := w.claim.Seat
	switch {
	case w.Outcome() != oxo.Ongoing:
		return 0, "", errors.New("the game is over")
	case w.turn != seat:
		return 0, "", fmt.Errorf("it is %v's move, and the strategy is %v's", w.turn, seat)
	}
	if w.game.good(seat) {
		if wins := w.completions(seat).And(w.Legal()); !wins.Empty() {
			return wins.First(), "completes a line", nil
		}
	}
	switch w.place {
	case inNode:
		n := &w.claim.Nodes[w.node]
		switch {
		case n.Kind == Move && w.Legal().Has(w.from(uint8(n.Square))):
			return w.from(uint8(n.Square)), "the proof's move", nil
		case n.Kind == Line && len(n.Line) > 0 && w.Legal().Has(w.from(n.Line[0])):
			return w.from(n.Line[0]), "a win by threats", nil
		}
		return 0, "", fmt.Errorf("node %d has no legal move", w.node)
	case inLine:
		if len(w.line) > 0 && w.Legal().Has(int(w.line[0])) {
			return int(w.line[0]), "a win by threats", nil
		}
		return 0, "", errors.New("the line of threats ends without a win")
	case inPairs:
		for _, pair := range w.pairs {
			for k := range pair {
				if other := int(pair[1-k]); int(pair[k]) == w.last && w.Legal().Has(other) {
					return other, "the other square of the pair", nil
				}
			}
		}
		best, most := w.Legal().First(), -1.0
		for sq := range w.Legal().Minus(w.paired()).All() {
			if danger := w.danger(sq); danger > most {
				best, most = sq, danger
			}
		}
		return best, "takes the most from the other side's lines", nil
	}
	return w.Legal().First(), "any move does", nil
}

// Play makes the strategy's move and returns it.
func (w *Walker) Play() (square int, why string, err error) {
	square, why, err = w.Move()
	if err != nil {
		return square, why, err
	}
	switch n := &w.claim.Nodes[w.node]; {
	case w.place == inNode && n.Kind == Line:
		w.place, w.line = inLine, w.onBoard(n.Line)[1:]
	case w.place == inLine && len(w.line) > 0:
		w.line = w.line[1:]
	}
	w.marks[w.turn] = w.marks[w.turn].With(square)
	w.turn = w.turn.Other()
	if w.place == inNode {
		w.enter()
	}
	return square, why, nil
}

// enter looks whether the node's position, the other side to move, is ended.
func (w *Walker) enter() {
	n := &w.claim.Nodes[w.node]
	switch n.End {
	case Pairing, Potential:
		w.place, w.pairs = inPairs, nil
		for _, pair := range n.Pairs {
			w.pairs = append(w.pairs, [2]uint8{uint8(w.from(pair[0])), uint8(w.from(pair[1]))})
		}
	case Settled:
		w.place = settled
	}
}

func (w *Walker) onBoard(line []uint8) []uint8 {
	moves := make([]uint8, len(line))
	for k, sq := range line {
		moves[k] = uint8(w.from(sq))
	}
	return moves
}

// Reply makes a move of the other side.
func (w *Walker) Reply(square int) error {
	switch {
	case w.Outcome() != oxo.Ongoing:
		return errors.New("the game is over")
	case w.turn == w.claim.Seat:
		return fmt.Errorf("it is %v's move", w.turn)
	case square < 0 || square >= w.game.Board.N || !w.Legal().Has(square):
		return fmt.Errorf("square %d is not free", square+1)
	}
	w.marks[w.turn] = w.marks[w.turn].With(square)
	w.turn = w.turn.Other()
	w.last = square
	if w.place != inNode || w.Outcome() != oxo.Ongoing {
		return nil
	}
	n := &w.claim.Nodes[w.node]
	if w.follow(n, int(w.to[square])) {
		return nil
	}
	if line := w.working(n); line != nil {
		w.place, w.line = inLine, line
		return nil
	}
	// No better than some other reply: as if that had been made.
	for _, other := range w.standIns(square) {
		a, b := square, w.from(other)
		w.to[a], w.to[b] = w.to[b], w.to[a]
		if w.follow(n, int(other)) {
			return nil
		}
		w.to[a], w.to[b] = w.to[b], w.to[a]
	}
	w.place = settled
	return nil
}

// follow goes where a listed reply, a square of the node, leads.
func (w *Walker) follow(n *Node, square int) bool {
	for _, r := range n.Replies {
		if r.Square == square {
			for i := range w.to {
				w.to[i] = w.perms[r.Perm][w.to[i]]
			}
			w.node = r.Node
			return true
		}
	}
	return false
}

// working returns a line of n that wins on the board as it stands, or nil.
func (w *Walker) working(n *Node) []uint8 {
next:
	for _, threats := range n.Threats {
		line, v := w.onBoard(threats), *w
		for _, sq := range line {
			if !v.Legal().Has(int(sq)) {
				continue next
			}
			wins := v.completions(v.turn).Has(int(sq))
			v.marks[v.turn] = v.marks[v.turn].With(int(sq))
			if wins {
				return line
			}
			ends := v.completions(v.turn)
			if ends.Empty() || w.game.good(v.turn.Other()) && !v.completions(v.turn.Other()).Empty() {
				continue next
			}
			if ends.Len() > 1 {
				return line
			}
			v.marks[v.turn.Other()] = v.marks[v.turn.Other()].With(ends.First())
		}
	}
	return nil
}

// standIns returns the listed replies of the node that may stand in for one
// on the board that is in no open line, or only in open lines of theirs.
func (w *Walker) standIns(square int) []uint8 {
	common, open := w.game.Board.Squares(), false
	for _, k := range w.game.Board.Through(square) {
		need := w.game.Board.Lines[k].Need
		mine := w.game.good(w.claim.Seat) && !w.claim.Relaxed && w.marks[w.claim.Seat].Or(w.free()).With(square).Holds(need)
		theirs := w.game.good(w.claim.Seat.Other()) && w.marks[w.claim.Seat.Other()].Or(w.free()).Holds(need)
		if mine || theirs {
			common, open = common.And(need), true
		}
	}
	var list []uint8
	for _, r := range w.claim.Nodes[w.node].Replies {
		if at := w.from(uint8(r.Square)); !open || common.Has(at) {
			list = append(list, uint8(r.Square))
		}
	}
	return list
}

// completions returns the free squares on which seat would complete a line.
func (w *Walker) completions(seat oxo.Seat) board.Set {
	var s board.Set
	if !w.game.Rules.Tested[seat] {
		return s
	}
	for _, line := range w.game.Board.Lines {
		if left := line.Need.Minus(w.marks[seat]); left.Len() == 1 && w.free().Holds(left) && !w.marks[seat].Meets(line.Bar) {
			s = s.Or(left)
		}
	}
	return s
}

// paired returns the squares of the pairs.
func (w *Walker) paired() (s board.Set) {
	for _, pair := range w.pairs {
		s = s.With(int(pair[0])).With(int(pair[1]))
	}
	return s
}

// danger returns the potential that the other side has in lines through
// square that hold no pair. Squares of pairs count as his.
func (w *Walker) danger(square int) float64 {
	other, sum := w.claim.Seat.Other(), 0.0
	paired := w.paired()
next:
	for _, k := range w.game.Board.Through(square) {
		line := w.game.Board.Lines[k]
		if line.Need.Meets(w.marks[w.claim.Seat].Minus(paired)) || line.Bar.Meets(w.marks[other]) {
			continue
		}
		for _, pair := range w.pairs {
			if line.Need.Has(int(pair[0])) && line.Need.Has(int(pair[1])) {
				continue next
			}
		}
		sum += math.Ldexp(1, -line.Need.Minus(w.marks[other]).Minus(paired).Len())
	}
	return sum
}
