package certificate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"oxo"
	"oxo/board"
)

// magic begins a certificate, and names the version of the format, which
// docs/certificate.md describes. Version 2 is for games of shared marks, version 3 for those of
// nine boards, version 4 for strategies of moves alone on columns of squares.
const (
	magic        = "oxo proof 1\n"
	magicShared  = "oxo proof 2\n"
	magicNine    = "oxo proof 3\n"
	magicColumns = "oxo proof 4\n"
)

// OfColumns reports whether a file that begins so is a certificate of moves alone on columns; head has at least its
// first line.
func OfColumns(head []byte) bool { return bytes.HasPrefix(head, []byte(magicColumns)) }

// WriteTo writes the certificate of p, and returns how many bytes it has written. The file is the magic line, then
// everything else deflated, then the SHA-256 of all before it in 32 bytes.
func (p *Proof) WriteTo(w io.Writer) (int64, error) {
	digest := sha256.New()
	counted := &countingWriter{w: io.MultiWriter(w, digest)}
	first := magic
	switch {
	case p.Game.Nine != nil:
		first = magicNine
	case p.ByMoves():
		first = magicColumns
	case p.Game.Shared():
		first = magicShared
	}
	if _, err := io.WriteString(counted, first); err != nil {
		return counted.n, err
	}
	packer, err := flate.NewWriter(counted, flate.BestCompression)
	if err != nil {
		return counted.n, err
	}
	e := &encoder{w: bufio.NewWriter(packer)}
	// What goes into the packed part depends on the version.
	switch first {
	case magicNine:
		e.nineProof(p)
	case magicColumns:
		e.game(&p.Game)
		e.perms(p.Perms)
		e.moveClaims(p.Claims)
	default:
		err = e.proof(p)
	}
	if err = errors.Join(err, e.w.Flush()); err != nil {
		return counted.n, err
	}
	if err := packer.Close(); err != nil {
		return counted.n, err
	}
	n, err := w.Write(digest.Sum(nil))
	return counted.n + int64(n), err
}

// Digest returns the SHA-256 of the game as a certificate describes it. Two games that differ only in
// how people name them differ in it too, as the name is part of a certificate.
func (g *Setup) Digest() [sha256.Size]byte {
	var b bytes.Buffer
	e := &encoder{w: bufio.NewWriter(&b)}
	_ = e.proof(&Proof{Game: *g}) // it has no nodes
	e.w.Flush()
	return sha256.Sum256(b.Bytes())
}

// countingWriter counts the bytes that are written, as far as the writer behind it takes them.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// encoder writes numbers as unsigned varints and lists after their length. The writer keeps the first error, which
// its Flush returns, so that no method has to.
type encoder struct {
	w   *bufio.Writer
	n   int64 // bytes written
	buf [binary.MaxVarintLen64]byte
}

// number writes a number as a varint; it must not be negative.
func (e *encoder) number(x int) {
	size := binary.PutUvarint(e.buf[:], uint64(x))
	e.n += int64(size)
	e.w.Write(e.buf[:size])
}

// bool writes 1 or 0.
func (e *encoder) bool(x bool) {
	if x {
		e.number(1)
	} else {
		e.number(0)
	}
}

// list writes how many squares there are, and each.
func (e *encoder) list(x []uint8) {
	e.number(len(x))
	for _, b := range x {
		e.number(int(b))
	}
}

// set writes a set as the list of its squares, in ascending order.
func (e *encoder) set(s board.Set) {
	e.number(s.Len())
	for i := range s.All() {
		e.number(i)
	}
}

// game writes a game of squares and the position of it. What a square rests on is written plus 1, as 0 stands for
// none; outcomes and seats are written as the numbers that they have in oxo.
func (e *encoder) game(g *Setup) {
	e.list([]uint8(g.Spec))
	e.number(g.Board.N)
	e.number(len(g.Board.Lines))
	for _, line := range g.Board.Lines {
		e.set(line.Need)
		e.set(line.Bar)
	}
	e.bool(g.Board.Below != nil)
	for _, i := range g.Board.Below {
		e.number(i + 1)
	}
	for seat := range g.Rules.Tested {
		e.bool(g.Rules.Tested[seat])
		e.number(int(g.Rules.Done[seat]))
	}
	e.number(int(g.Rules.Full))
	if g.Shared() {
		e.number(int(g.Rules.Place - board.Either))
	}
	e.set(g.Marks[0])
	e.set(g.Marks[1])
	e.number(int(g.Turn))
}

// perms writes the permutations.
func (e *encoder) perms(perms [][]uint8) {
	e.number(len(perms))
	for _, perm := range perms {
		for _, i := range perm {
			e.number(int(i))
		}
	}
}

// moveClaims writes claims whose strategies are moves alone, of each how many moves there are and then the
// moves.
func (e *encoder) moveClaims(claims []Claim) {
	e.number(len(claims))
	for _, c := range claims {
		e.number(int(c.Seat))
		e.bool(c.Wins)
		e.number(c.Plies)
		e.list(c.Moves)
	}
}

// proof writes the game and then each claim with its strategy, whose nodes are packed already. It returns an error
// where nodes can't be read from the disk.
func (e *encoder) proof(p *Proof) error {
	e.game(&p.Game)
	e.perms(p.Perms)
	e.number(len(p.Claims))
	for _, c := range p.Claims {
		e.number(int(c.Seat))
		e.bool(c.Wins)
		e.bool(c.Stealing)
		e.bool(c.Relaxed)
		e.number(c.Nodes.Len())
		for k := range c.Nodes.Len() {
			packed, err := c.Nodes.encodedNode(k)
			if err != nil {
				return err
			}
			e.w.Write(packed)
		}
	}
	return nil
}

// node writes a node of a strategy. The number is that of the node itself: what it leads to is written
// as a distance from it, forward or, where nodes are added from the last, backward.
func (e *encoder) node(number int, n *Node) {
	e.number(int(n.Kind))
	switch n.Kind {
	case Line:
		e.list(n.Line)
		return
	case Move:
		e.number(n.Square)
	}
	e.number(int(n.End))
	if n.End == Mirrored {
		e.number(n.Perm)
	}
	e.number(len(n.Pairs))
	for _, pair := range n.Pairs {
		e.number(int(pair[0]))
		e.number(int(pair[1]))
	}
	e.number(len(n.Threats))
	for _, line := range n.Threats {
		e.list(line)
	}
	e.number(len(n.Replies))
	for _, r := range n.Replies {
		e.number(r.Square)
		e.number(r.Perm)
		e.number(max(r.Node-number, number-r.Node))
	}
}

// Read reads a certificate, a file of size bytes, whose nodes come to lie on a disk. It checks the
// checksum and the form, not the proof: see package verify. It reads the file twice, first for the
// checksum and then for what it says. Numbers out of range, a permutation that is none and a game
// that has no proof are errors.
func Read(file io.ReaderAt, size int64, nodesOn Disk) (*Proof, error) {
	head := make([]byte, len(magic))
	if n, err := file.ReadAt(head, 0); err != nil && err != io.EOF {
		return nil, err
	} else if !slices.Contains([]string{magic, magicShared, magicNine, magicColumns}, string(head[:n])) {
		return nil, fmt.Errorf("not a certificate: it must begin with %q", magic)
	}
	first, begin, end := string(head), int64(len(magic)), size-sha256.Size
	if end < begin {
		return nil, errors.New("the file is damaged: it is cut short")
	}
	sum, want := sha256.New(), make([]byte, sha256.Size)
	if _, err := io.Copy(sum, io.NewSectionReader(file, 0, end)); err != nil {
		return nil, err
	}
	if _, err := file.ReadAt(want, end); err != nil && err != io.EOF {
		return nil, err
	}
	if !bytes.Equal(sum.Sum(nil), want) {
		return nil, errors.New("the checksum does not fit: the file is damaged")
	}
	// The unpacker ends by itself where the packed part does; what it has to read is all between magic and checksum.
	d := &decoder{r: bufio.NewReader(flate.NewReader(bufio.NewReader(io.NewSectionReader(file, begin, end-begin)))),
		on: nodesOn}
	if first == magicNine {
		p := d.nineProof()
		return p, d.err
	}
	p := d.proof(first)
	return p, d.err
}

// decoder reads what encoder writes, up to the first error.
type decoder struct {
	r   io.ByteReader
	on  Disk // where nodes come to lie
	err error
}

// number returns a number below limit. It returns 0 from the first error on, so that a loop over a
// count ends.
func (d *decoder) number(limit int) int {
	if d.err != nil {
		return 0
	}
	x, err := binary.ReadUvarint(d.r)
	if errors.Is(err, io.EOF) {
		err = errors.New("it ends where a number belongs")
	}
	if err == nil && x >= uint64(limit) {
		err = fmt.Errorf("the number %d where one below %d belongs", x, limit)
	}
	if err != nil {
		d.err = err
		return 0
	}
	return int(x)
}

// bool reads what [encoder.bool] wrote; any number but 0 and 1 is an error.
func (d *decoder) bool() bool { return d.number(2) == 1 }

// bytes returns n numbers below limit, which is at most 256, in a slice of the caller's own; nil after an error.
func (d *decoder) bytes(n, limit int) []uint8 {
	if d.err != nil {
		return nil
	}
	x := make([]uint8, n)
	for k := range x {
		x[k] = uint8(d.number(limit))
	}
	return x
}

// permutation returns a permutation of the squares of a board of n.
func (d *decoder) permutation(n int) []uint8 {
	perm := d.bytes(n, n)
	var image board.Set
	for _, i := range perm {
		image = image.With(int(i))
	}
	if d.err == nil && image != board.Full(n) {
		d.err = errors.New("a permutation that leaves out a square")
	}
	return perm
}

// permutations reads a list of permutations, none of which may come twice.
func (d *decoder) permutations(n int) [][]uint8 {
	var list [][]uint8
	seen := map[[sha256.Size]byte]bool{} // by digest, so as not to hold them twice
	for k := d.number(1 << 20); k > 0 && d.err == nil; k-- {
		perm := d.permutation(n)
		digest := sha256.Sum256(perm)
		if d.err == nil && seen[digest] {
			d.err = fmt.Errorf("permutation %d is listed twice", len(list))
		}
		seen[digest] = true
		list = append(list, perm)
	}
	return list
}

// set reads a set of squares of a board of n. It takes them in any order.
func (d *decoder) set(n int) board.Set {
	var s board.Set
	for k := d.number(n + 1); k > 0 && d.err == nil; k-- {
		s = s.With(d.number(n))
	}
	return s
}

// proof reads what [encoder.proof] wrote, or of a certificate of columns the game, the permutations and the moves.
// The error is in d.err; what it returns with one is of no use.
func (d *decoder) proof(version string) *Proof {
	p := &Proof{}
	g := &p.Game
	g.Spec = string(d.bytes(d.number(1<<16), 256))
	n := d.number(board.MaxSquares + 1)
	var lines []board.Line
	for k := d.number(1 << 20); k > 0 && d.err == nil; k-- {
		lines = append(lines, board.Line{Need: d.set(n), Bar: d.set(n)})
	}
	var below []int
	if d.bool() {
		for range n {
			below = append(below, d.number(n+1)-1)
		}
	}
	for seat := range g.Rules.Tested {
		g.Rules.Tested[seat] = d.bool()
		g.Rules.Done[seat] = oxo.Outcome(d.number(4))
	}
	g.Rules.Full = oxo.Outcome(d.number(4))
	if version == magicShared {
		g.Rules.Place = board.Either + board.Placement(d.number(2))
	}
	// A file has no names of rules; those that people know are found by what they do.
	for _, r := range board.AllRules {
		if r.Place == g.Rules.Place && r.Tested == g.Rules.Tested && r.Done == g.Rules.Done && r.Full == g.Rules.Full {
			g.Rules.Name = r.Name
		}
	}
	g.Marks = [2]board.Set{d.set(n), d.set(n)}
	g.Turn = oxo.Seat(d.number(2))
	if d.err != nil {
		return nil
	}
	if g.Board, d.err = board.FromLines(n, lines); d.err == nil && below != nil {
		d.err = g.Board.SetBelow(below)
	}
	if d.err == nil {
		d.err = g.CheckProvable()
	}
	moves := n
	if g.Rules.Place == board.Either {
		moves = 2 * n
	}
	p.Perms = d.permutations(n)
	if version == magicColumns {
		p.Claims = d.moveClaims(n)
		return p
	}
	for k := d.number(3); k > 0 && d.err == nil; k-- {
		c := Claim{Seat: oxo.Seat(d.number(2)), Wins: d.bool(), Stealing: d.bool(), Relaxed: d.bool()}
		d.nodes(&c, moves, len(p.Perms))
		p.Claims = append(p.Claims, c)
	}
	return p
}

// moveClaims reads claims whose strategies are moves alone, numbers below n.
func (d *decoder) moveClaims(n int) (claims []Claim) {
	for k := d.number(3); k > 0 && d.err == nil; k-- {
		c := Claim{Seat: oxo.Seat(d.number(2)), Wins: d.bool(), Plies: d.number(n + 1), Moves: []uint8{}}
		for count := d.number(1<<31 - 1); count > 0 && d.err == nil; count-- {
			c.Moves = append(c.Moves, uint8(d.number(n)))
		}
		claims = append(claims, c)
	}
	if d.err == nil && len(claims) == 0 {
		d.err = errors.New("the file claims nothing")
	}
	return claims
}

// nodes reads those of a claim, of which moves have numbers below moves, and permutations below perms. A claim
// without nodes gets none, and takes no room on the disk.
func (d *decoder) nodes(c *Claim, moves, perms int) {
	nodes := d.number(most)
	if d.err != nil || nodes == 0 {
		return
	}
	if c.Nodes, d.err = NewNodes(d.on, false); d.err != nil {
		return
	}
	for k := 0; k < nodes && d.err == nil; k++ {
		c.Nodes.Add(d.node(k, nodes, moves, perms))
	}
	if err := c.Nodes.Finish(); d.err == nil {
		d.err = err
	}
}

// node reads a node of a strategy, one of so many, in a game of so many moves. It leads to nodes of its own
// number or later ones; any other is an error.
func (d *decoder) node(number, nodes, moves, perms int) Node {
	x := Node{Kind: NodeKind(d.number(3))}
	switch x.Kind {
	case Line:
		x.Line = d.bytes(d.number(moves+1), moves)
		return x
	case Move:
		x.Square = d.number(moves)
	}
	if x.End = End(d.number(5)); x.End == Mirrored {
		x.Perm = d.number(perms)
	}
	for k := d.number(moves); k > 0 && d.err == nil; k-- {
		x.Pairs = append(x.Pairs, [2]uint8{uint8(d.number(moves)), uint8(d.number(moves))})
	}
	for k := d.number(moves + 1); k > 0 && d.err == nil; k-- {
		x.Threats = append(x.Threats, d.bytes(d.number(moves+1), moves))
	}
	for k := d.number(moves + 1); k > 0 && d.err == nil; k-- {
		r := ReplyNode{Square: d.number(moves), Perm: d.number(perms), Node: number + d.number(nodes-number)}
		x.Replies = append(x.Replies, r)
	}
	return x
}
