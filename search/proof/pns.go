package proof

import (
	"context"
	"slices"
	"unsafe"

	"oxo"
)

// Tree is one proof-number search: it asks whether First can reach target.
//
// Each node of the tree has a proof number, the least number of frontier nodes
// that must be proven to prove it, and a disproof number likewise. Where First
// moves, the proof number is the least of the children's and the disproof
// number their sum; where Second moves it is the other way round. The search
// expands the most-proving node, found from the root by following the number
// that decides, until one of the root's numbers is 0. The children of a solved
// node are dropped and their room used again; when the room is used up all the
// same, the search ends without an answer.
//
// Source: Allis, van der Meulen and van den Herik, Proof-Number Search,
// Artificial Intelligence 66 (1994); Allis, Searching for Solutions in Games
// and Artificial Intelligence (1994), chapter 2.
type Tree[P oxo.Position[P]] struct {
	ctx    context.Context
	g      *oxo.Game[P]
	target float64

	nodes    []proofNode
	limit    int        // of len(nodes)
	free     [][]uint32 // by number of children, where there is room for so many
	path     []step[P]  // from the root to the node to expand
	moves    []oxo.Move
	made     uint64 // positions that entered the tree
	maxNodes uint64 // of made
	stopped  string // by which limit the last question was left open; empty where it was answered
	charge   oxo.Charge
	stored   int // the most nodes that there were
}

// step is a node on the path to the node to expand.
type step[P any] struct {
	p    P
	node uint32
}

// proofNode is a node of the tree.
type proofNode struct {
	proof, disproof uint32
	first           uint32 // index of the first child; 0 for none
	children        uint16
	move            oxo.Move
	turn            oxo.Seat
}

// NewTree returns a search for g whose tree takes at most the given number of
// bytes, and maxNodes nodes where that is not 0, and that ends with ctx.
func NewTree[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], bytes int, maxNodes uint64) *Tree[P] {
	return &Tree[P]{
		ctx:      ctx,
		charge:   oxo.NewCharge(ctx),
		g:        g,
		limit:    min(bytes/int(unsafe.Sizeof(proofNode{})), infinite),
		free:     make([][]uint32, g.MaxMoves+1),
		maxNodes: maxNodes,
	}
}

// CanReach asks whether First can reach target from p. The move of the answer is the one that
// is nearest to what the seat to move wants; nodes are those of all questions.
func (s *Tree[P]) CanReach(p P, target float64) Answer {
	verdict := s.growUntilSolved(p, target)
	s.stored = max(s.stored, len(s.nodes))
	root := &s.nodes[0]
	return Answer{Verdict: verdict, Move: s.bestMove(p.Turn()), Proof: root.proof, Disproof: root.disproof,
		Nodes: s.made, Stopped: s.stopped}
}

// Close gives back what the tree takes of its work's budget.
func (s *Tree[P]) Close() { s.charge.SetBytes(0) }

// Made returns how many positions entered the trees of all questions, Stored
// how many nodes the largest of them had.
func (s *Tree[P]) Made() uint64 { return s.made }
func (s *Tree[P]) Stored() int  { return s.stored }

// growUntilSolved grows a tree until the root is solved or a limit is met.
func (s *Tree[P]) growUntilSolved(p P, target float64) Status {
	s.target, s.stopped = target, ""
	s.nodes = append(s.nodes[:0], s.newNode(p, oxo.NoMove))
	for i := range s.free {
		s.free[i] = s.free[i][:0]
	}
	s.path = append(s.path[:0], step[P]{p, 0})
	for round := 0; ; round++ {
		root := &s.nodes[0]
		switch {
		case root.proof == 0:
			return Proven
		case root.disproof == 0:
			return Disproven
		case round%pollEvery == 0 && s.ctx.Err() != nil:
			s.stopped = limitOf(s.ctx)
			return Unknown
		}
		s.descendToMostProving()
		if !s.expandLeaf() {
			return Unknown
		}
		s.updateNumbersOnPath()
	}
}

// descendToMostProving goes on from the end of the path to the most-proving node: to a
// child with the number that makes its parent's.
func (s *Tree[P]) descendToMostProving() {
	for {
		last := s.path[len(s.path)-1]
		n := &s.nodes[last.node]
		if n.first == 0 {
			return
		}
		next := n.first
		for s.nodes[next].numberToMinimize(n.turn) != n.numberToMinimize(n.turn) {
			next++
		}
		s.path = append(s.path, step[P]{last.p.Play(s.nodes[next].move), next})
	}
}

// numberToMinimize returns the number that the seat to move wants small: to prove for
// First, to disprove for Second.
func (n *proofNode) numberToMinimize(turn oxo.Seat) uint32 {
	if turn == oxo.First {
		return n.proof
	}
	return n.disproof
}

// expandLeaf makes the children of the node at the end of the path. It reports
// false where there is no room for them.
func (s *Tree[P]) expandLeaf() (hadRoom bool) {
	last := s.path[len(s.path)-1]
	s.moves = s.g.OngoingMoves(last.p, s.moves[:0])
	count := len(s.moves)
	if s.maxNodes > 0 && s.made+uint64(count) > s.maxNodes {
		s.stopped = LimitNodes
		return false
	}
	var first uint32
	if room := s.free[count]; len(room) > 0 {
		first = room[len(room)-1]
		s.free[count] = room[:len(room)-1]
	} else if first = uint32(len(s.nodes)); len(s.nodes)+count > s.limit {
		s.stopped = LimitMemory
		return false
	} else {
		s.nodes = slices.Grow(s.nodes, count)[:len(s.nodes)+count]
		s.charge.SetBytes(int64(cap(s.nodes)) * int64(unsafe.Sizeof(proofNode{})))
	}
	for i, m := range s.moves {
		s.nodes[first+uint32(i)] = s.newNode(last.p.Play(m), m)
	}
	n := &s.nodes[last.node]
	n.first, n.children = first, uint16(count)
	return true
}

// newNode returns the new node of p, reached by m.
func (s *Tree[P]) newNode(p P, m oxo.Move) proofNode {
	s.made++
	n := proofNode{proof: 1, disproof: 1, move: m, turn: p.Turn()}
	if p.Outcome() != oxo.Ongoing {
		if s.g.PayoffToFirst(p) >= s.target {
			n.proof, n.disproof = 0, infinite
		} else {
			n.proof, n.disproof = infinite, 0
		}
	}
	return n
}

// updateNumbersOnPath brings the numbers on the path up to date, from its end up to the
// first node where nothing changes; there the path ends then, as the next
// most-proving node lies below it.
func (s *Tree[P]) updateNumbersOnPath() {
	for {
		at := s.path[len(s.path)-1].node
		n := &s.nodes[at]
		least, sum := uint32(infinite), uint64(0)
		for _, c := range s.nodes[n.first : n.first+uint32(n.children)] {
			least = min(least, c.numberToMinimize(n.turn))
			if other := c.numberToMinimize(n.turn.Other()); other == infinite {
				sum = infinite
			} else if sum < infinite {
				sum = min(sum+uint64(other), infinite-1)
			}
		}
		before := *n
		n.proof, n.disproof = least, uint32(sum)
		if n.turn == oxo.Second {
			n.proof, n.disproof = n.disproof, n.proof
		}
		if len(s.path) == 1 {
			return
		}
		if n.proof == 0 || n.disproof == 0 {
			s.freeSubtreeBelow(n)
		} else if n.proof == before.proof && n.disproof == before.disproof {
			return
		}
		s.path = s.path[:len(s.path)-1]
	}
}

// freeSubtreeBelow frees what lies below a solved node.
func (s *Tree[P]) freeSubtreeBelow(n *proofNode) {
	if n.first == 0 {
		return
	}
	for i := range n.children {
		s.freeSubtreeBelow(&s.nodes[n.first+uint32(i)])
	}
	s.free[n.children] = append(s.free[n.children], n.first)
	n.first, n.children = 0, 0
}

// bestMove returns the root's move that is nearest to what its mover wants.
func (s *Tree[P]) bestMove(turn oxo.Seat) oxo.Move {
	root := &s.nodes[0]
	if root.first == 0 {
		return s.path[0].p.Moves(nil)[0]
	}
	best := &s.nodes[root.first]
	for i := root.first; i < root.first+uint32(root.children); i++ {
		if c := &s.nodes[i]; c.numberToMinimize(turn) < best.numberToMinimize(turn) {
			best = c
		}
	}
	return best.move
}
