package certificate

import (
	"sync"

	"oxo"
)

// Proof is a game with claims about its start position, each with a strategy
// that keeps what it claims against every reply.
type Proof struct {
	Game   Setup
	Perms  [][]uint8 // automorphisms: Perms[k][i] is the image of square i; Perms[0] is the identity
	Claims []Claim

	worst [2]struct { // of each claim, for those who walk
		once  sync.Once
		zones map[int]position
		err   error
	}
}

// strategyOf returns the strategy of a claim, and the positions of its nodes that stand for several, which are worked
// out once. Several may call it at once.
func (p *Proof) strategyOf(claim int) (of strategy, worstOfShared map[int]position, err error) {
	s := strategy{&p.Game, &p.Claims[claim], p.Perms, p.Game.Monotone()}
	worst := &p.worst[claim]
	worst.once.Do(func() {
		if s.monotone {
			worst.zones, worst.err = s.worstOfSharedNodes()
		}
	})
	return s, worst.zones, worst.err
}

// Identity returns the permutation that keeps all n squares in place.
func Identity(n int) []uint8 {
	perm := make([]uint8, n)
	for i := range perm {
		perm[i] = uint8(i)
	}
	return perm
}

// Claim says that Seat wins, or where Wins is false that Seat does not lose.
type Claim struct {
	Seat     oxo.Seat
	Wins     bool
	Stealing bool // shown by strategy stealing; there are no nodes then
	Relaxed  bool // the strategy ignores the lines that Seat could own
	Nodes    *Nodes

	// Of a game of nine boards, or one of columns: after how many plies the claim says nothing any
	// more, and instead of nodes the seat's moves. Its positions come by the number of their marks, then
	// by their form; a move is a square as the form has it, of a column that at its foot.
	Plies int
	Moves []uint8

	// Of a race the positions come in the order in which they are first met, breadth first, and a move is the square
	// that the token goes to. Of a win each has its rank, the plies within which the game ends from there. Plies are
	// those of a win; not to lose speaks of all, and they are 0.
	Ranks []int
}

// ByMoves reports whether the strategies are moves alone.
func (p *Proof) ByMoves() bool {
	return p.Game.Board == nil || len(p.Claims) > 0 && p.Claims[0].Moves != nil
}

// Node is a position of a strategy, its side to move but perhaps at the root.
// The first is the start; a node comes before the nodes it leads to. Squares
// that lie in no line that either side can still own count as out of play,
// where the rules let an extra mark never hurt. Where either mark may be placed,
// moves are numbered: the square, plus the number of squares for an O.
type Node struct {
	Kind    NodeKind
	Square  int         // the move, of kind Move
	Line    []uint8     // the moves, of kind Line
	End     End         // what ends the position after the move
	Pairs   [][2]uint8  // of a Pairing
	Perm    int         // of a Mirror: the number of the permutation
	Threats [][]uint8   // lines that win against replies not listed
	Replies []ReplyNode // ascending by square
}

// ReplyNode says where a reply leads: its position's image under Perms[Perm]
// is the position of node Node.
type ReplyNode struct{ Square, Perm, Node int }

// NodeKind says what a node does.
type NodeKind uint8

// The kinds of nodes.
const (
	Move NodeKind = iota // play Square; End, Threats and Replies say what follows
	Line                 // win by continuous threats
	Wait                 // the other side is to move: as Move, without a move
)

// End says why the other side cannot win any more, or that play goes on.
type End uint8

// The ends.
const (
	Open      End = iota // the replies are in Threats and Replies
	Pairing              // Pairs: answer a mark in a pair with the other square
	Potential            // the sum of 2^−need over the other side's open lines is below 1/2
	Settled              // no line that could end the game otherwise can still be owned
	Mirrored             // Perm: answer every mark with its image
)
