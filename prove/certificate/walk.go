package certificate

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"oxo"
	"oxo/board"
)

// ErrOff is returned by [Walker.NextMove] for a position that play by the strategy
// does not lead to from the one before.
var ErrOff = errors.New("the position does not follow from the strategy's last move")

// Walker plays a game by the strategy of a claim, in a position of the strategy to which the one on
// the board is no worse. Square by square the two correspond by an automorphism, and where the
// other side made a move that is no better than another, as if it had made that other move.
//
// A node may stand for several positions, which it is followed in as if in the worst. There squares
// can be the other side's that are free on the board: where it marks one, it is taken to mark any
// free square instead. And squares can be free that the seat holds on the board: where the
// strategy marks one, the seat marks any other.
type Walker struct {
	strategy
	zones map[int]position // of nodes that stand for several positions
	marks [2]board.Set     // on the board
	turn  oxo.Seat

	place moveSource
	at    Node
	lost  error      // why at could not be read
	pos   position   // of the strategy, by the numbers of the node, as are the three below
	line  []uint8    // moves still to make
	pairs [][2]uint8 // of mirrored answers all squares with their images
	last  int        // the square of the last reply
	to    []uint8    // from squares of the board to those of the node
}

// moveSource is what tells the next move.
type moveSource uint8

const (
	inNode  moveSource = iota // the node
	inLine                    // a line of threats
	inPairs                   // a pairing, the potential outside it
	settled                   // nothing more can happen
)

// NewWalker returns a walker at the proof's start position, seat following
// what the proof claims for it: that it wins, if it does, else that it does not
// lose. It refuses a seat for which the proof has no strategy.
func NewWalker(p *Proof, seat oxo.Seat) (*Walker, error) {
	w, claim := &Walker{}, -1
	for k := range p.Claims {
		c := &p.Claims[k]
		if c.Seat == seat && c.Nodes.Len() > 0 && (claim < 0 || c.Wins) {
			claim = k
		}
	}
	if claim < 0 {
		return nil, fmt.Errorf("the proof has no strategy for the %v player", seat)
	}
	var err error
	if w.strategy, w.zones, err = p.strategyOf(claim); err != nil {
		return nil, err
	}
	w.restart()
	return w, w.lost
}

// restart goes back to the start of the proof, where numbers in the node are the squares of the board. Where the
// other side moves first, the first node may already say that nothing more needs to be read.
func (w *Walker) restart() {
	w.marks, w.turn = w.game.Marks, w.game.Turn
	w.place, w.pos, w.line, w.pairs, w.last = inNode, w.startPosition(), nil, nil, -1
	w.at, w.lost = w.claim.Nodes.At(0)
	w.to = Identity(w.game.Board.N)
	if w.turn != w.claim.Seat {
		w.switchToNodeEnd()
	}
}

// Wins reports whether the strategy wins; else it does not lose.
func (w *Walker) Wins() bool { return w.claim.Wins }

// NextMove returns the move of the strategy in a position of the game where its side
// is to move, given by the squares of X and of O: the proof's start, or one
// findReply after the strategy's last move. It says in words why.
func (w *Walker) NextMove(marks [2]board.Set) (move oxo.Move, why string, err error) {
	// A position at the start of the proof begins a new game, wherever the walker was.
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
		if err := w.PlayReply(reply); err != nil {
			return 0, "", err
		}
	}
	return w.PlayMove()
}

// findReply returns the move of the other side that leads from some marks to others,
// if one does.
func (w *Walker) findReply(from, to [2]board.Set) (reply oxo.Move, found bool) {
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

// placeMark makes a move of the side whose turn it is. Marks belong to the side to move, or, where they are
// shared, to the symbol that the move names in its high byte.
func (w *Walker) placeMark(move oxo.Move) {
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

// moveOnBoard turns a move's number in the node at hand into a move on the board.
func (w *Walker) moveOnBoard(number int) oxo.Move {
	n := w.game.Board.N
	return oxo.Move(w.boardSquare(uint8(number%n)) | number/n<<8)
}

// Seat returns who follows the strategy, Turn whose move it is, and Marks what
// First and Second hold.
func (w *Walker) Seat() oxo.Seat      { return w.claim.Seat }
func (w *Walker) Turn() oxo.Seat      { return w.turn }
func (w *Walker) Marks() [2]board.Set { return w.marks }

// free returns the squares of the board without a mark, and boardSquare the square of the board that a number in the
// node stands for: the inverse of to.
func (w *Walker) free() board.Set              { return w.game.Board.Squares().Minus(w.marks[0]).Minus(w.marks[1]) }
func (w *Walker) boardSquare(square uint8) int { return slices.Index(w.to, square) }

// Outcome returns how the game stands on the board, Ongoing where play goes on.
func (w *Walker) Outcome() oxo.Outcome {
	g := *w.game
	g.Marks, g.Turn = w.marks, w.turn
	return g.Outcome()
}

// Legal returns the squares that may be played on the board, by either side.
func (w *Walker) Legal() board.Set { return w.game.Board.Playable(w.free()) }

// Move returns the strategy's move, and why in a few words. It changes nothing; PlayMove makes the move.
func (w *Walker) Move() (move oxo.Move, why string, err error) {
	move, _, why, err = w.chooseMove()
	return move, why, err
}

// chooseMove returns the strategy's move on the board, and its number in the node; -1 where the game no
// longer follows the strategy. A set that can be completed is completed, whatever the strategy says,
// where that wins.
func (w *Walker) chooseMove() (move oxo.Move, number int, why string, err error) {
	seat := w.claim.Seat
	switch {
	case w.lost != nil:
		return 0, 0, "", w.lost
	case w.Outcome() != oxo.Ongoing:
		return 0, 0, "", errors.New("the game is over")
	case w.turn != seat:
		return 0, 0, "", fmt.Errorf("it is %v's move, and the strategy is %v's", w.turn, seat)
	}
	if w.game.CompletionWins(seat) {
		if move, ok := w.completingMove(); ok {
			return move, -1, "completes a line", nil
		}
	}
	// Where the strategy does not mind, or its square is the seat's on the board already, any legal move does.
	anyMove := oxo.Move(w.Legal().First())
	number, why, err = w.strategyMoveNumber()
	if err != nil || number < 0 {
		return anyMove, number, why, err
	}
	move = w.moveOnBoard(number)
	switch {
	case w.Legal().Has(board.Square(move)):
		return move, number, why, nil
	case w.monotone && w.marks[seat].Has(board.Square(move)):
		return anyMove, number, "the proof's move is made already: any other", nil
	}
	return 0, 0, "", errors.New("the proof's move is not legal")
}

// strategyMoveNumber returns the number of the strategy's move in its position, -1 where any does, and why. It returns
// an error where the proof has no legal move there, as a file that was read but not checked may.
func (w *Walker) strategyMoveNumber() (number int, why string, err error) {
	legal := w.game.Board.Playable(w.pos.free)
	switch n := &w.at; {
	case w.place == inNode && n.Kind == Move:
		number, why = n.Square, "the proof's move"
	case w.place == inNode && n.Kind == Line && len(n.Line) > 0:
		number, why = int(n.Line[0]), "a win by threats"
	case w.place == inLine && len(w.line) > 0:
		number, why = int(w.line[0]), "a win by threats"
	case w.place == inLine:
		return 0, "", errors.New("the line of threats ends without a win")
	case w.place == inPairs && !legal.Empty():
		number, why = w.answerByPairs(legal)
	case w.place == inNode:
		return 0, "", errors.New("the proof has no move here")
	default:
		return -1, "any move does", nil
	}
	if !legal.Has(number % w.game.Board.N) {
		return 0, "", errors.New("the proof's move is not legal")
	}
	return number, why, nil
}

// answerByPairs returns the other square of the last reply's pair, or else the one with most of the
// other side's potential. Squares of pairs are not taken unasked: the other side's mark in one has its
// answer waiting.
func (w *Walker) answerByPairs(legal board.Set) (number int, why string) {
	for _, pair := range w.pairs {
		for k := range pair {
			if other := int(pair[1-k]); int(pair[k]) == w.last && legal.Has(other) {
				return other, "the other square of the pair"
			}
		}
	}
	best, most := legal.First(), -1.0
	for sq := range legal.Minus(w.pairedSquares()).All() {
		if danger := w.opponentPotential(sq); danger > most {
			best, most = sq, danger
		}
	}
	return best, "the square that takes most from the other side's lines"
}

// PlayMove makes the strategy's move and returns it, and why in a few words. After it the other side is to move, and
// its reply is made known by PlayReply. An error leaves the walker as it was.
func (w *Walker) PlayMove() (move oxo.Move, why string, err error) {
	move, number, why, err := w.chooseMove()
	if err != nil {
		return move, why, err
	}
	w.placeMark(move)
	if number < 0 {
		w.place = settled
		return move, why, nil
	}
	w.pos = w.play(w.pos, number, w.claim.Seat)
	switch n := &w.at; {
	case w.place == inNode && n.Kind == Line:
		w.place, w.line = inLine, n.Line[1:]
	case w.place == inLine:
		w.line = w.line[1:]
	case w.place == inNode:
		w.switchToNodeEnd()
	}
	return move, why, nil
}

// switchToNodeEnd looks whether the node's position, the other side to move, is ended. From there on no node
// is read any more: pairs, or the potential outside them, tell every move. The pairs of a mirrored
// position are those of the permutation, each once.
func (w *Walker) switchToNodeEnd() {
	n := &w.at
	switch n.End {
	case Pairing, Potential:
		w.place, w.pairs = inPairs, n.Pairs
	case Mirrored:
		w.place, w.pairs = inPairs, nil
		for i, j := range w.perms[n.Perm] {
			if i < int(j) {
				w.pairs = append(w.pairs, [2]uint8{uint8(i), j})
			}
		}
	case Settled:
		w.place = settled
	}
}

// completingMove returns a move that completes a line, if there is one; of shared marks with either symbol that may
// be placed.
func (w *Walker) completingMove() (oxo.Move, bool) {
	for k := range w.marks {
		if !w.game.Shared() && oxo.Seat(k) != w.turn || w.game.Rules.Place == board.Cross && k == 1 {
			continue
		}
		if wins := w.completingSquares(w.marks[k], w.free()).And(w.Legal()); !wins.Empty() {
			move := oxo.Move(wins.First())
			if w.game.Shared() {
				move |= oxo.Move(k) << 8
			}
			return move, true
		}
	}
	return 0, false
}

// PlayReply makes a move of the other side. It is any legal move; one that the proof leaves out as
// harmless leaves nothing more to do, and every later move of the seat will do. An error leaves the
// walker as it was.
func (w *Walker) PlayReply(move oxo.Move) error {
	square := board.Square(move)
	switch {
	case w.Outcome() != oxo.Ongoing:
		return errors.New("the game is over")
	case w.turn == w.claim.Seat:
		return fmt.Errorf("it is %v's move", w.turn)
	case square >= w.game.Board.N || !w.Legal().Has(square):
		return fmt.Errorf("square %d is not free", square+1)
	case move > 0xff && (w.game.Rules.Place != board.Either || move > 0x1ff):
		return fmt.Errorf("there is no move %d", move)
	}
	number := w.numberInNode(move)
	w.placeMark(move)
	switch {
	case w.place == settled || w.Outcome() != oxo.Ongoing:
	case w.pos.free.Empty():
		w.place = settled
	case w.place != inNode:
		if w.last = number % w.game.Board.N; !w.pos.free.Has(w.last) {
			w.last = w.pos.free.First()
			number = w.last
		}
		w.pos = w.play(w.pos, number, w.claim.Seat.Other())
	case !w.followReply(number) && !w.followStandInReply(square, number):
		w.place = settled
	}
	return nil
}

// followReply goes where a reply in the node leads, by its number. It reports false where the node has no
// answer to it. The position becomes that of the reply's node, or the worst of those that it stands
// for, and the squares are renumbered by the reply's permutation.
func (w *Walker) followReply(number int) (found bool) {
	if !w.pos.free.Has(number % w.game.Board.N) {
		return false
	}
	n := &w.at
	for _, r := range n.Replies {
		if r.Square != number {
			continue
		}
		w.pos = w.after(w.pos, r)
		if worst, ok := w.zones[r.Node]; ok {
			w.pos = worst
		}
		for i := range w.to {
			w.to[i] = w.perms[r.Perm][w.to[i]]
		}
		w.at, w.lost = w.claim.Nodes.At(r.Node)
		return true
	}
	q := w.play(w.pos, number, w.claim.Seat.Other())
	for _, line := range n.Threats {
		if w.winsByThreats(q, line) {
			w.place, w.pos, w.line = inLine, q, line
			return true
		}
	}
	return false
}

// followStandInReply answers a mark on a square of the board, by its number in the node, as if it had been
// on another. If the node's position does not have it free, any free square will do. Where another
// square stands in, the two are exchanged in the correspondence from then on.
func (w *Walker) followStandInReply(square, number int) (found bool) {
	if !w.pos.free.Has(number % w.game.Board.N) {
		for sq := range w.pos.free.All() {
			if w.followReply(sq) {
				return true
			}
		}
		return false
	}
	for sq := range w.standInSquares(number).All() {
		other := w.boardSquare(uint8(sq))
		w.to[square], w.to[other] = w.to[other], w.to[square]
		if w.followReply(sq) {
			return true
		}
		w.to[square], w.to[other] = w.to[other], w.to[square]
	}
	return false
}

// standInSquares returns the free squares that may stand in for a reply that lies in no open line, or only
// in open lines of one side that they lie in too. A mark there does at least as much for the other
// side, so the answer to it answers this one. Where both sides can complete sets of their own to win,
// no square in an open line has a stand-in.
func (w *Walker) standInSquares(square int) board.Set {
	if !w.monotone {
		return board.Set{}
	}
	seat, common := w.claim.Seat, w.pos.free
	twoSided := !w.claim.Relaxed && w.game.CompletionWins(seat) && w.game.CompletionWins(seat.Other())
	for _, k := range w.game.Board.LinesThrough(square) {
		if own, opp := w.sidesAbleToOwn(w.game.Board.Lines[k], w.pos); own || opp {
			if twoSided {
				return board.Set{}
			}
			common = common.And(w.game.Board.Lines[k].Need)
		}
	}
	return common
}

// pairedSquares returns the squares of the pairs, by the numbers of the node.
func (w *Walker) pairedSquares() (s board.Set) {
	for _, pair := range w.pairs {
		s = s.With(int(pair[0])).With(int(pair[1]))
	}
	return s
}

// opponentPotential returns the potential that the other side has in lines through square that hold no
// pair. Squares of pairs count as his. It is the sum of 2⁻ⁿ over the lines, n being the squares that
// he still lacks: the weight of Erdős and Selfridge's criterion (On a combinatorial game, 1973).
func (w *Walker) opponentPotential(square int) float64 {
	sum := 0.0
	for _, k := range w.game.Board.LinesThrough(square) {
		sum += w.weight(w.game.Board.Lines[k])
	}
	return sum
}

// weight is what a line adds to the potential, 0 where the other side can't own it or a pair stops it.
func (w *Walker) weight(line board.Line) float64 {
	paired := w.pairedSquares()
	if !w.pos.opp.Or(w.pos.free).Or(paired).Holds(line.Need) || line.Bar.Meets(w.pos.opp) {
		return 0
	}
	for _, pair := range w.pairs {
		if line.Need.Has(int(pair[0])) && line.Need.Has(int(pair[1])) {
			return 0
		}
	}
	return math.Ldexp(1, -line.Need.Minus(w.pos.opp).Minus(paired).Len())
}

// Settled reports whether pairs, and the potential outside them, tell every move from here on, the other side to move:
// how many pairs there are, and the potential with the most that his move can add to it, which is below 1.
func (w *Walker) Settled() (pairs int, potential float64, ok bool) {
	if w.place != inPairs || w.at.End == Mirrored || w.turn == w.claim.Seat {
		return 0, 0, false
	}
	most := 0.0
	for sq := range w.pos.free.Minus(w.pairedSquares()).All() {
		most = max(most, w.opponentPotential(sq))
	}
	for _, line := range w.game.Board.Lines {
		potential += w.weight(line)
	}
	return len(w.pairs), potential + most, true
}
