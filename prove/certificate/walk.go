package certificate

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
	line  []oxo.Move // moves still to make, on the board
	pairs [][2]uint8 // on the board; of mirrored answers all squares with their images
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
	w.to = Identity(w.game.Board.N)
	if w.turn != w.claim.Seat {
		w.followEnd()
	}
}

// Wins reports whether the strategy wins; else it does not lose.
func (w *Walker) Wins() bool { return w.claim.Wins }

// Next returns the move of the strategy in a position of the game where its side
// is to move, given by the squares of X and of O: the proof's start, or one
// findReply after the strategy's last move. It says in words why.
func (w *Walker) Next(marks [2]board.Set) (move oxo.Move, why string, err error) {
	seat := w.claim.Seat
	_, first := w.findReply(w.game.Marks, marks)
	if marks == w.game.Marks && w.game.Turn == seat || first && w.game.Turn != seat {
		w.restart()
	}
	if marks != w.marks {
		reply, ok := w.findReply(w.marks, marks)
		if !ok || w.turn == seat {
			return 0, "", ErrOff
		}
		if err := w.Reply(reply); err != nil {
			return 0, "", err
		}
	}
	return w.Play()
}

// findReply returns the move of the other side that leads from some marks to others,
// if one does.
func (w *Walker) findReply(from, to [2]board.Set) (oxo.Move, bool) {
	for k := range to {
		placed := to[k].Minus(from[k])
		if !to[k].Holds(from[k]) || from[1-k] != to[1-k] || placed.Len() != 1 {
			continue
		}
		move := oxo.Move(placed.First())
		switch w.game.Rules.Place {
		case board.Own:
			return move, oxo.Seat(k) == w.claim.Seat.Other()
		case board.Either:
			return move | oxo.Move(k)<<8, true
		}
		return move, k == 0
	}
	return 0, false
}

// put makes a move of the side whose turn it is.
func (w *Walker) put(move oxo.Move) {
	k := int(w.turn)
	if w.game.Shared() {
		k = int(move >> 8)
	}
	w.marks[k] = w.marks[k].With(board.Square(move))
	w.turn = w.turn.Other()
}

// numberInNode returns the number in the node of a move on the board, and move the
// move on the board of a number in the node.
func (w *Walker) numberInNode(move oxo.Move) int {
	return int(w.to[board.Square(move)]) + int(move>>8)*w.game.Board.N
}

func (w *Walker) moveOnBoard(number int) oxo.Move {
	n := w.game.Board.N
	return oxo.Move(w.boardSquare(uint8(number%n)) | number/n<<8)
}

// Seat returns who follows the strategy, Turn whose move it is, and Marks what
// First and Second hold.
func (w *Walker) Seat() oxo.Seat      { return w.claim.Seat }
func (w *Walker) Turn() oxo.Seat      { return w.turn }
func (w *Walker) Marks() [2]board.Set { return w.marks }

func (w *Walker) free() board.Set              { return w.game.Board.Squares().Minus(w.marks[0]).Minus(w.marks[1]) }
func (w *Walker) boardSquare(square uint8) int { return slices.Index(w.to, square) }

// Outcome returns how the game stands.
func (w *Walker) Outcome() oxo.Outcome {
	g := *w.game
	g.Marks, g.Turn = w.marks, w.turn
	return g.Outcome()
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
func (w *Walker) Move() (move oxo.Move, why string, err error) {
	seat := w.claim.Seat
	switch {
	case w.Outcome() != oxo.Ongoing:
		return 0, "", errors.New("the game is over")
	case w.turn != seat:
		return 0, "", fmt.Errorf("it is %v's move, and the strategy is %v's", w.turn, seat)
	}
	if w.game.CompletionWins(seat) {
		if move, ok := w.completingMove(); ok {
			return move, "completes a line", nil
		}
	}
	switch w.place {
	case inNode:
		n := &w.claim.Nodes[w.node]
		switch {
		case n.Kind == Move && w.legal(w.moveOnBoard(n.Square)):
			return w.moveOnBoard(n.Square), "the proof's move", nil
		case n.Kind == Line && len(n.Line) > 0 && w.legal(w.moveOnBoard(int(n.Line[0]))):
			return w.moveOnBoard(int(n.Line[0])), "a win by threats", nil
		}
		return 0, "", fmt.Errorf("node %d has no legal move", w.node)
	case inLine:
		if len(w.line) > 0 && w.legal(w.line[0]) {
			return w.line[0], "a win by threats", nil
		}
		return 0, "", errors.New("the line of threats ends without a win")
	case inPairs:
		for _, pair := range w.pairs {
			for k := range pair {
				if other := int(pair[1-k]); int(pair[k]) == w.last && w.Legal().Has(other) {
					return oxo.Move(other), "the other square of the pair", nil
				}
			}
		}
		best, most := w.Legal().First(), -1.0
		for sq := range w.Legal().Minus(w.paired()).All() {
			if danger := w.opponentPotential(sq); danger > most {
				best, most = sq, danger
			}
		}
		return oxo.Move(best), "takes the most from the other side's lines", nil
	}
	return oxo.Move(w.Legal().First()), "any move does", nil
}

// Play makes the strategy's move and returns it.
func (w *Walker) Play() (move oxo.Move, why string, err error) {
	move, why, err = w.Move()
	if err != nil {
		return move, why, err
	}
	switch n := &w.claim.Nodes[w.node]; {
	case w.place == inNode && n.Kind == Line && len(n.Line) > 0:
		w.place, w.line = inLine, w.onBoard(n.Line)[1:]
	case w.place == inLine && len(w.line) > 0:
		w.line = w.line[1:]
	}
	w.put(move)
	if w.place == inNode {
		w.followEnd()
	}
	return move, why, nil
}

// followEnd looks whether the node's position, the other side to move, is ended.
func (w *Walker) followEnd() {
	n := &w.claim.Nodes[w.node]
	switch n.End {
	case Pairing, Potential:
		w.place, w.pairs = inPairs, nil
		for _, pair := range n.Pairs {
			w.pairs = append(w.pairs, [2]uint8{uint8(w.boardSquare(pair[0])), uint8(w.boardSquare(pair[1]))})
		}
	case Mirrored:
		w.place, w.pairs = inPairs, nil
		for i, j := range w.perms[n.Perm] {
			if i < int(j) {
				w.pairs = append(w.pairs, [2]uint8{uint8(w.boardSquare(uint8(i))), uint8(w.boardSquare(j))})
			}
		}
	case Settled:
		w.place = settled
	}
}

func (w *Walker) onBoard(line []uint8) []oxo.Move {
	moves := make([]oxo.Move, len(line))
	for k, number := range line {
		moves[k] = w.moveOnBoard(int(number))
	}
	return moves
}

// legal reports whether a move is legal for the side whose turn it is.
func (w *Walker) legal(move oxo.Move) bool {
	return w.Legal().Has(board.Square(move))
}

// completingMove returns a move that completes a line, if there is one.
func (w *Walker) completingMove() (oxo.Move, bool) {
	for k := range w.marks {
		switch {
		case !w.game.Shared() && oxo.Seat(k) != w.turn, w.game.Rules.Place == board.Cross && k == 1:
			continue
		}
		if wins := w.completions(oxo.Seat(k)).And(w.Legal()); !wins.Empty() {
			move := oxo.Move(wins.First())
			if w.game.Shared() {
				move |= oxo.Move(k) << 8
			}
			return move, true
		}
	}
	return 0, false
}

// Reply makes a move of the other side.
func (w *Walker) Reply(move oxo.Move) error {
	square := board.Square(move)
	switch {
	case w.Outcome() != oxo.Ongoing:
		return errors.New("the game is over")
	case w.turn == w.claim.Seat:
		return fmt.Errorf("it is %v's move", w.turn)
	case square >= w.game.Board.N || !w.legal(move):
		return fmt.Errorf("square %d is not free", square+1)
	case move > 0xff && (w.game.Rules.Place != board.Either || move > 0x1ff):
		return fmt.Errorf("there is no move %d", move)
	}
	w.put(move)
	w.last = square
	if w.place != inNode || w.Outcome() != oxo.Ongoing {
		return nil
	}
	n := &w.claim.Nodes[w.node]
	if w.followReply(n, w.numberInNode(move)) {
		return nil
	}
	if line := w.winningLine(n); line != nil {
		w.place, w.line = inLine, line
		return nil
	}
	// No better than some other reply: as if that had been made.
	for b := range w.standIns(square).All() {
		w.to[square], w.to[b] = w.to[b], w.to[square]
		if w.followReply(n, int(w.to[square])) {
			return nil
		}
		if line := w.winningLine(n); line != nil {
			w.place, w.line = inLine, line
			return nil
		}
		w.to[square], w.to[b] = w.to[b], w.to[square]
	}
	w.place = settled
	return nil
}

// followReply goes where a listed reply, by its number in the node, leads.
func (w *Walker) followReply(n *Node, reply int) bool {
	for _, r := range n.Replies {
		if r.Square == reply {
			for i := range w.to {
				w.to[i] = w.perms[r.Perm][w.to[i]]
			}
			w.node = r.Node
			return true
		}
	}
	return false
}

// winningLine returns a line of n that wins on the board as it stands, or nil.
func (w *Walker) winningLine(n *Node) []oxo.Move {
next:
	for _, threats := range n.Threats {
		line, v := w.onBoard(threats), *w
		for _, move := range line {
			if !v.legal(move) {
				continue next
			}
			seat := v.turn
			v.put(move)
			if v.Outcome() == oxo.WinFor(seat) {
				return line
			}
			v.turn = seat
			if w.game.Shared() {
				continue next
			}
			ends := v.completions(v.turn)
			if ends.Empty() || w.game.CompletionWins(v.turn.Other()) && !v.completions(v.turn.Other()).Empty() {
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

// standIns returns the free squares that may stand in for a reply that lies in no open
// line, or only in open lines of theirs.
func (w *Walker) standIns(square int) board.Set {
	if !w.game.Monotone() {
		return board.Set{}
	}
	common, open := w.free(), false
	for _, k := range w.game.Board.LinesThrough(square) {
		need := w.game.Board.Lines[k].Need
		mine := w.game.CompletionWins(w.claim.Seat) && !w.claim.Relaxed &&
			w.marks[w.claim.Seat].Or(w.free()).With(square).Holds(need)
		theirs := w.game.CompletionWins(w.claim.Seat.Other()) && w.marks[w.claim.Seat.Other()].Or(w.free()).Holds(need)
		if mine || theirs {
			common, open = common.And(need), true
		}
	}
	if !open {
		return w.free()
	}
	return common
}

// completions returns the free squares on which seat would complete a line; of
// shared marks, those on which X or O would.
func (w *Walker) completions(seat oxo.Seat) board.Set {
	var s board.Set
	if !w.game.Shared() && !w.game.Rules.Tested[seat] {
		return s
	}
	for _, line := range w.game.Board.Lines {
		if left := line.Need.Minus(w.marks[seat]); left.Len() == 1 && w.free().Holds(left) &&
			!w.marks[seat].Meets(line.Bar) {
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

// opponentPotential returns the potential that the other side has in lines through
// square that hold no pair. Squares of pairs count as his.
func (w *Walker) opponentPotential(square int) float64 {
	other, sum := w.claim.Seat.Other(), 0.0
	paired := w.paired()
next:
	for _, k := range w.game.Board.LinesThrough(square) {
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
