package certificate

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"oxo/board"
)

// coder writes the packed part of a certificate, or reads it, up to the first error: what belongs to it, in which
// order and within which limits is said once for both. What it writes it only looks at, as others may do meanwhile;
// what it reads into is still zero.
type coder struct {
	w   *bufio.Writer // nil where it reads
	r   io.ByteReader
	n   int64 // bytes of numbers written
	on  Disk  // where nodes that are read come to lie
	err error // the writer keeps its own, which its Flush returns
}

// reads reports whether c reads.
func (c *coder) reads() bool { return c.w == nil }

// number writes a number, which must not be negative, as an unsigned varint, or reads one below limit. It reads 0 from
// the first error on.
func number[N ~int | ~uint8](c *coder, x *N, limit int) {
	if !c.reads() {
		n, _ := c.w.Write(binary.AppendUvarint(c.w.AvailableBuffer(), uint64(*x)))
		c.n += int64(n)
		return
	}
	*x = 0
	if c.err != nil {
		return
	}
	read, err := binary.ReadUvarint(c.r)
	switch {
	case errors.Is(err, io.EOF):
		err = errors.New("it ends where a number belongs")
	case err == nil && read >= uint64(limit):
		err = fmt.Errorf("the number %d where one below %d belongs", read, limit)
	}
	if c.err = err; err == nil {
		*x = N(read)
	}
}

// list codes a list of less than limit elements, after its length.
func list[T any](c *coder, x *[]T, limit int, element func(*T)) {
	count := len(*x)
	number(c, &count, limit)
	for k := 0; k < count && c.err == nil; k++ {
		if c.reads() {
			*x = append(*x, *new(T))
		}
		element(&(*x)[k])
	}
}

// bool codes 1 or 0.
func (c *coder) bool(x *bool) {
	bit := 0
	if *x {
		bit = 1
	}
	number(c, &bit, 2)
	if c.reads() {
		*x = bit == 1
	}
}

// bytes codes a list of less than most numbers below limit, which is at most 256.
func (c *coder) bytes(x *[]uint8, most, limit int) {
	list(c, x, most, func(b *uint8) { number(c, b, limit) })
}

// text codes a text as the list of its bytes.
func (c *coder) text(s *string) {
	bytes := []uint8(*s)
	c.bytes(&bytes, 1<<16, 256)
	if c.reads() {
		*s = string(bytes)
	}
}

// set codes a set of squares of a board of n as their list: written in ascending order, read in any.
func (c *coder) set(s *board.Set, n int) {
	squares := s.Squares()
	list(c, &squares, n+1, func(i *int) { number(c, i, n) })
	if c.reads() {
		*s = board.SetOf(squares...)
	}
}

// proof codes a proof in some version of the format.
func (c *coder) proof(p *Proof, version string) {
	switch version {
	case magicNine:
		c.nine(&p.Game)
		c.moveClaims(&p.Claims, func(claim *Claim) { c.moves(claim, 81) })
		return
	case magicRace:
		c.race(&p.Game)
		c.moveClaims(&p.Claims, func(claim *Claim) { c.rankedMoves(claim, p.Game.Race.Squares) })
		return
	}
	c.game(&p.Game, version == magicShared)
	if c.err != nil {
		return
	}
	n := p.Game.Board.N
	c.perms(&p.Perms, n)
	if version == magicColumns {
		c.moveClaims(&p.Claims, func(claim *Claim) { c.moves(claim, n) })
		return
	}
	moves := n
	if p.Game.Rules.Place == board.Either {
		moves = 2 * n
	}
	list(c, &p.Claims, 3, func(claim *Claim) {
		number(c, &claim.Seat, 2)
		c.bool(&claim.Wins)
		c.bool(&claim.Stealing)
		c.bool(&claim.Relaxed)
		c.nodes(&claim.Nodes, moves, len(p.Perms))
	})
}

// nine codes a game of nine boards. Whether play leads to the position is not asked.
func (c *coder) nine(g *Setup) {
	c.text(&g.Spec)
	if c.reads() {
		g.Nine = &Nine{}
	}
	number(c, &g.Nine.Goal, 3)
	c.bool(&g.Nine.Open)
	for k := range g.Nine.Marks {
		number(c, &g.Nine.Marks[k], 3)
	}
	for b := range g.Nine.Owner {
		number(c, &g.Nine.Owner[b], 3)
	}
	number(c, &g.Nine.Active, 10)
	number(c, &g.Turn, 2)
}

// game codes a game of squares and the position of it. What a square rests on comes plus 1, as 0 stands for none;
// outcomes and seats are the numbers that they have in oxo.
func (c *coder) game(g *Setup, shared bool) {
	c.text(&g.Spec)
	var n int
	var lines []board.Line
	var below []int
	if !c.reads() {
		n, lines, below = g.Board.N, g.Board.Lines, g.Board.Below
	}
	number(c, &n, board.MaxSquares+1)
	list(c, &lines, 1<<20, func(l *board.Line) {
		c.set(&l.Need, n)
		c.set(&l.Bar, n)
	})
	falls := below != nil
	if c.bool(&falls); falls && c.reads() {
		below = make([]int, n)
	}
	for i := range below {
		above := below[i] + 1
		if number(c, &above, n+1); c.reads() {
			below[i] = above - 1
		}
	}
	for seat := range g.Rules.Tested {
		c.bool(&g.Rules.Tested[seat])
		number(c, &g.Rules.Done[seat], 4)
	}
	number(c, &g.Rules.Full, 4)
	if shared {
		place := g.Rules.Place - board.Either
		if number(c, &place, 2); c.reads() {
			g.Rules.Place = board.Either + place
		}
	}
	c.set(&g.Marks[0], n)
	c.set(&g.Marks[1], n)
	number(c, &g.Turn, 2)
	if c.reads() && c.err == nil {
		c.err = g.complete(n, lines, below)
	}
}

// complete gives a game that was read its board, and its rules the name that people know them by: a file has none, but
// it is found by what they do. A game that has no proof is an error.
func (g *Setup) complete(n int, lines []board.Line, below []int) (err error) {
	for _, r := range board.AllRules {
		if r.Place == g.Rules.Place && r.Tested == g.Rules.Tested && r.Done == g.Rules.Done && r.Full == g.Rules.Full {
			g.Rules.Name = r.Name
		}
	}
	if g.Board, err = board.FromLines(n, lines); err == nil && below != nil {
		err = g.Board.SetBelow(below)
	}
	if err != nil {
		return err
	}
	return g.CheckProvable()
}

// perms codes permutations of the squares of a board of n, none of which may come twice.
func (c *coder) perms(perms *[][]uint8, n int) {
	seen := map[[sha256.Size]byte]bool{} // by digest, so as not to hold them twice
	list(c, perms, 1<<20, func(perm *[]uint8) {
		if c.reads() {
			*perm = make([]uint8, n)
		}
		for k := range *perm {
			number(c, &(*perm)[k], n)
		}
		if !c.reads() || c.err != nil {
			return
		}
		digest := sha256.Sum256(*perm)
		switch {
		case board.Full(n).Image(*perm) != board.Full(n):
			c.err = errors.New("a permutation that leaves out a square")
		case seen[digest]:
			c.err = fmt.Errorf("permutation %d is listed twice", len(seen))
		}
		seen[digest] = true
	})
}

// moveClaims codes claims whose strategies are moves alone; rest codes what follows whose claim it is, and to win or
// not.
func (c *coder) moveClaims(claims *[]Claim, rest func(*Claim)) {
	list(c, claims, 3, func(claim *Claim) {
		number(c, &claim.Seat, 2)
		c.bool(&claim.Wins)
		if c.reads() {
			claim.Moves = []uint8{}
		}
		rest(claim)
	})
	if c.reads() && c.err == nil && len(*claims) == 0 {
		c.err = errors.New("the file claims nothing")
	}
}

// moves codes the plies of a claim and its moves, numbers below n.
func (c *coder) moves(claim *Claim, n int) {
	number(c, &claim.Plies, n+1)
	c.bytes(&claim.Moves, 1<<31-1, n)
}

// nodes codes those of a claim, of which moves have numbers below moves, and permutations below perms. A claim without
// nodes gets none, and takes no room on the disk. Nodes to write are packed already.
func (c *coder) nodes(nodes **Nodes, moves, perms int) {
	count := (*nodes).Len()
	number(c, &count, most)
	if !c.reads() {
		for k := 0; k < count && c.err == nil; k++ {
			var packed []byte
			packed, c.err = (*nodes).encodedNode(k)
			c.w.Write(packed)
		}
		return
	}
	if count == 0 {
		return
	}
	if *nodes, c.err = NewNodes(c.on, false); c.err != nil {
		return
	}
	for k := 0; k < count && c.err == nil; k++ {
		var x Node
		c.node(k, &x, count, moves, perms)
		(*nodes).Add(x)
	}
	if err := (*nodes).Finish(); c.err == nil {
		c.err = err
	}
}

// node codes a node of a strategy, one of so many, in a game of so many moves. The number is that of the node itself:
// what it leads to comes as a distance from it, forward or, where nodes are added from the last, backward. What is read
// leads forward; any other number is an error.
func (c *coder) node(at int, x *Node, nodes, moves, perms int) {
	number(c, &x.Kind, 3)
	switch x.Kind {
	case Line:
		c.bytes(&x.Line, moves+1, moves)
		return
	case Move:
		number(c, &x.Square, moves)
	}
	if number(c, &x.End, 5); x.End == Mirrored {
		number(c, &x.Perm, perms)
	}
	list(c, &x.Pairs, moves, func(pair *[2]uint8) {
		number(c, &pair[0], moves)
		number(c, &pair[1], moves)
	})
	list(c, &x.Threats, moves+1, func(line *[]uint8) { c.bytes(line, moves+1, moves) })
	list(c, &x.Replies, moves+1, func(r *ReplyNode) {
		number(c, &r.Square, moves)
		number(c, &r.Perm, perms)
		distance := max(r.Node-at, at-r.Node)
		if number(c, &distance, nodes-at); c.reads() {
			r.Node = at + distance
		}
	})
}
