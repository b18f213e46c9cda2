package verify

import (
	"cmp"
	"errors"
	"fmt"

	"oxo/board"
)

// expected is the position of a node as far as edges have led there.
type expected struct {
	At      [3]board.Set // own, opp, free
	Several bool         // different ones, of which it is the worst
}

// position and expected turn one into the other: what may go to disk has to be of a fixed size with exported fields,
// and everything else asks for names.
func (x expected) position() position { return position{x.At[0], x.At[1], x.At[2]} }
func (p position) expected() expected { return expected{At: [3]board.Set{p.own, p.opp, p.free}} }

// checkStrategy checks the nodes as they come. Only the positions of nodes that
// were named but have not come yet are kept.
// Edges lead to later nodes alone, so that the position of a node is known in full when it comes;
// it is forgotten then, and a strategy of any size is checked in little memory. While the edges are followed,
// nodes whose positions are known are looked at by other workers.
func (c *checker) checkStrategy(in *reader, nodes int) error {
	free := c.Board.Squares().Minus(c.Marks[0]).Minus(c.Marks[1])
	own, opp := c.Marks[c.seat], c.Marks[c.other]
	if c.Place != placeOwn {
		own, opp = c.Marks[0], c.Marks[1]
	}
	start := position{own, opp, free}
	first := c.withoutDeadSquares(start)
	if c.Turn == c.seat && first.free.Empty() {
		first = start // there is a move to make, though no set can be owned any more
	}
	room := int(c.memory / 8) // for the nodes that are looked at
	c.waiting = newSortedStore(c.budget, cmp.Compare[uint32], c.mergeExpected, (int(c.memory)-room)/waitingBytes, nodes)
	defer c.waiting.close()
	c.waiting.put(0, first.expected())
	q := newQueue(c.workers, room)
	var err error
	for next := 0; next < nodes && err == nil && q.fault == nil; {
		var batch []node
		batch, next, err = c.followNodes(in, next, nodes, max(0, min(room, batchBytes)))
		q.add(c.batchOf(in, batch, next))
	}
	q.close()
	switch {
	case q.fault != nil:
		return q.fault // which comes before what ended the reading
	case nodes == 0:
		return errors.New("no strategy")
	}
	return err
}

// followNodes reads nodes from number next on, about as many as take so many bytes, and follows their edges, by which
// the positions of later ones are known. It returns those to look at, and the number of the node after.
func (c *checker) followNodes(in *reader, next, nodes, bytes int) (batch []node, after int, err error) {
	for size := 0; next < nodes && size <= bytes; next++ {
		x, ok := c.waiting.takeMerged(uint32(next))
		switch {
		case c.stopReason() != nil:
			return batch, next, c.stopReason()
		case !ok:
			return batch, next, fmt.Errorf("node %d: nothing leads there", next)
		}
		p, err := c.resolveExpected(x)
		if err != nil {
			return batch, next, fmt.Errorf("node %d: %w", next, err)
		}
		n := in.readNode(c.moveNumberLimit(), len(c.perms), next, nodes)
		if in.err != nil {
			return batch, next, in.err
		}
		n.p = p
		c.followEdges(&n)
		if next%c.parts == c.part {
			batch = append(batch, n)
		}
		size += n.size()
	}
	return batch, next, nil
}

// followEdges takes down where the listed replies of a node lead. Whether the move and they are what they should be is
// looked at with the node, which refutes the strategy otherwise, wherever its edges lead.
func (c *checker) followEdges(n *node) {
	if n.end != endOpen || len(n.replies) == 0 {
		return
	}
	p := n.p
	if n.kind == kindMove {
		p, _ = c.play(p, n.move, c.seat)
	}
	for _, e := range n.replies {
		q, _ := c.play(p, e.move, c.other)
		c.addExpectedPosition(e, q)
	}
}

// batchOf returns nodes to look at, up to the one before number next.
func (c *checker) batchOf(in *reader, nodes []node, next int) *batch {
	w := *c // what it counts is taken in the order of the file
	w.budget, w.done, w.checks = c.share(), next, 0
	size := 0
	for k := range nodes {
		size += nodes[k].size()
	}
	var fault error
	return &batch{size: size, look: func() { fault = w.checkNodes(nodes) }, take: func() error {
		c.done, c.checks = w.done, c.checks+w.checks
		if fault != nil {
			in.goBack(w.spent)
		}
		return fault
	}}
}

// waitingBytes is about what a position takes until its node comes.
const waitingBytes = 200

// addExpectedPosition takes down that the image of q is among the positions of another node.
// It comes under a permutation of the board that the file has named, and that was checked to keep
// the game as it is.
func (c *checker) addExpectedPosition(to edge, q position) {
	perm := c.perms[to.perm]
	q = c.withoutDeadSquares(q)
	q = position{permuted(q.own, perm), permuted(q.opp, perm), permuted(q.free, perm)}
	c.waiting.put(uint32(to.node), q.expected())
}

// mergeExpected returns what is expected of a node that edges lead to from positions a and b.
// Where no position can stand for both, resolveExpected refuses the node.
func (c *checker) mergeExpected(a, b expected) expected {
	several := a.Several || b.Several || a.At != b.At
	if several && c.monotone {
		a = a.position().worstOfBoth(b.position()).expected()
	}
	a.Several = several
	return a
}

// worstOfBoth returns a position that is no better for the seat than p and q, the same side to
// move in each: a strategy for it serves in both.
//
// Let a side reach the squares that it holds and those that are free. The seat reaches in the
// position returned what it reaches in p and in q, the opponent what he reaches in p or in
// q. That this is no better holds in games without bars in which completing sets wins. Let
// W be the position and p one in which the seat reaches all that it reaches in W, and the
// opponent nothing that he does not reach in W. A set is open for a side that reaches all
// of it, and owned by a side that reaches all of it while the other reaches none of it. So
// a set that the opponent owns in p he owns in W, and one that the seat owns in W it owns
// in p. The seat plays on p as its strategy says in W. Where that is a square x that is its
// own in p, it marks any other square; else x is free in p, since the seat reaches it in W
// and so in p. After either, the opponent reaches in W all but x, and in p no more than that.
// A mark of the opponent in p is on a square that he reaches in W. Where that is free in
// W he marks it there too; else it is his in W, and he is taken to mark any free square of
// W instead, which takes from the seat's reach in W alone. So the two stay as they were to
// one another. If no square is free in W, a set that is open there for the opponent is
// his. Hence, as long as the opponent owns no set in W, he owns none in p; and he owns none
// in W before the seat does while the strategy is followed, if he owns none to begin with,
// which resolveExpected looks at.
func (p position) worstOfBoth(q position) position {
	seat := p.own.Or(p.free).And(q.own.Or(q.free))
	opponent := p.opp.Or(p.free).Or(q.opp).Or(q.free)
	return position{seat.Minus(opponent), opponent.Minus(seat), seat.And(opponent)}
}

// resolveExpected returns the position of a node once all edges to it are known. One that stands for
// several must not give the opponent a set of marks that no play came to.
func (c *checker) resolveExpected(x expected) (position, error) {
	p := x.position()
	switch {
	case !x.Several:
		return p, nil
	case !c.monotone:
		return p, errors.New("different positions lead there")
	}
	c.zones++
	c.spend(len(c.Board.Lines))
	for _, line := range c.Board.Lines {
		if c.Tested[c.other] && p.opp.Holds(line.Need) {
			return p, errors.New("its positions together complete a set")
		}
	}
	return c.withoutDeadSquares(p), nil
}
