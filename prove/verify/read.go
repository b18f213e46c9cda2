package verify

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

	"oxo/board"
)

// Magic begins every certificate; of games of shared marks, MagicShared.
const (
	Magic       = "oxo proof 1\n"
	MagicShared = "oxo proof 2\n"
)

// The kinds of nodes, and what follows in them.
const (
	kindMove, kindLine, kindWait                               = 0, 1, 2
	endOpen, endPairing, endPotential, endSettled, endMirrored = 0, 1, 2, 3, 4
)

// node is a position of a strategy and what the file says of it: the seat's move or its threats, how the game
// ends there, and what answers the replies.
type node struct {
	at   int // its number
	p    position
	kind int
	line []int // of kindLine, which has none of the rest
	move int   // of kindMove

	end, mirror int // the number of a permutation, of endMirrored
	pairs       []board.Set
	lines       [][]int
	replies     []edge
}

// edge leads from a reply to the node whose position is the image under a permutation.
type edge struct{ move, perm, node int }

// size returns about how many bytes a node takes.
func (n *node) size() int {
	size := 256 + 8*len(n.line) + 64*len(n.pairs) + 48*len(n.replies)
	for _, line := range n.lines {
		size += 48 + 8*len(line)
	}
	return size
}

// reader reads the numbers of a certificate up to the first error, within a budget.
type reader struct {
	*budget
	version string // the line that the file begins with
	file    *bufio.Reader
	in      *bufio.Reader
	err     error
}

// errDamaged begins the reason why a file can't be read as a certificate at all.
var errDamaged = errors.New("the file is damaged")

// newReader reads the certificate in file, of size bytes, whose checksum it looks at
// first.
func newReader(file io.ReaderAt, size int64, b *budget, progress func(share float64)) *reader {
	r := &reader{budget: b}
	magic := make([]byte, len(Magic))
	n, err := file.ReadAt(magic, 0)
	r.version = string(magic[:n])
	switch {
	case slices.Contains([]string{Magic, MagicShared, MagicNine, MagicColumns, MagicRace}, r.version):
	case err != nil && err != io.EOF:
		r.err = err
	default:
		r.err = fmt.Errorf("not a certificate: it must begin with %q, or another number up to 5 there", Magic)
	}
	if r.err == nil {
		r.err = r.verifyChecksum(file, size-sha256.Size)
	}
	// The unpacker takes single bytes from a byte reader, so that it stops where the
	// packed part does.
	packed := max(0, size-sha256.Size-int64(len(Magic)))
	r.file = bufio.NewReader(&progressReader{in: io.NewSectionReader(file, int64(len(Magic)), packed), size: packed,
		progress: progress})
	r.in = bufio.NewReader(&meteredReader{flate.NewReader(r.file), b})
	return r
}

// verifyChecksum compares the SHA-256 of the first size bytes with what follows them.
func (r *reader) verifyChecksum(file io.ReaderAt, size int64) error {
	if size < int64(len(Magic)) {
		return fmt.Errorf("%w: it is cut short", errDamaged)
	}
	digest, want := sha256.New(), make([]byte, sha256.Size)
	if _, err := io.Copy(digest, &meteredReader{io.NewSectionReader(file, 0, size),
		newBudget(r.ctx, size, Limits{})}); err != nil {
		return err
	}
	if _, err := file.ReadAt(want, size); err != nil && err != io.EOF {
		return err
	}
	if !bytes.Equal(digest.Sum(nil), want) {
		return fmt.Errorf("%w: its checksum does not fit", errDamaged)
	}
	return nil
}

// number reads a number below limit, 0 after an error. So what is read needs no look at the error until something
// depends on it.
func (r *reader) number(limit int) int {
	if r.err != nil {
		return 0
	}
	x, err := binary.ReadUvarint(r.in)
	switch {
	case r.stopReason() != nil:
		r.err = r.stopReason()
	case errors.Is(err, io.EOF):
		r.err = fmt.Errorf("%w: it ends where a number belongs", errDamaged)
	case err != nil:
		r.err = fmt.Errorf("%w: %w", errDamaged, err)
	case x >= uint64(limit):
		r.err = fmt.Errorf("the number %d where one below %d belongs", x, limit)
	default:
		return int(x)
	}
	return 0
}

// bool reads a 0 for false or a 1 for true.
func (r *reader) bool() bool { return r.number(2) == 1 }

// moves reads a list of up to n squares or moves, each of which is below n.
func (r *reader) moves(n int) []int {
	list := make([]int, r.number(n+1))
	for k := range list {
		list[k] = r.number(n)
	}
	return list
}

// set reads a set of squares of a board of n, in ascending order.
func (r *reader) set(n int) (s board.Set) {
	for k, last := r.number(n+1), -1; k > 0 && r.err == nil; k-- {
		sq := r.number(n)
		if sq <= last && r.err == nil {
			r.err = fmt.Errorf("square %d after square %d: the squares of a set ascend", sq+1, last+1)
		}
		s, last = s.With(sq), sq
	}
	return s
}

// goBack forgets what was met in the file after a fault, whose batch had to stop for that reason, if it had to.
func (r *reader) goBack(stopped error) { r.err, r.spent, r.broken = nil, stopped, false }

// errorOr returns the reading error, if there is one, else err.
func (r *reader) errorOr(err error) error {
	if r.err != nil {
		return r.err
	}
	return err
}

// checkAllRead checks that the claims are all that the file holds.
func (r *reader) checkAllRead() error {
	if r.err != nil {
		return r.err
	}
	if _, err := r.in.ReadByte(); err != io.EOF {
		return errors.New("there is more in the file than its claims")
	}
	if _, err := r.file.ReadByte(); err != io.EOF {
		return errors.New("there is more in the file than its packed part and its checksum")
	}
	return nil
}

// readGame reads the game and refuses what can be none, or one that is over. docs/certificate.md has the order of its
// parts. After an error g holds what was read before it.
func (r *reader) readGame(g *Setup) (err error) {
	name := make([]byte, r.number(1<<16))
	for k := range name {
		name[k] = byte(r.number(256))
	}
	g.Spec = string(name)
	n := r.number(board.MaxSquares + 1)
	if n == 0 {
		return r.errorOr(errors.New("a game without squares"))
	}
	lines := make([]board.Line, r.number(1<<16))
	for k := range lines {
		if r.stopReason() != nil {
			return r.stopReason()
		}
		lines[k] = board.Line{Need: r.set(n), Bar: r.set(n)}
		r.takeMemory(setBytes + squareBytes*(lines[k].Need.Len()+lines[k].Bar.Len()))
		if r.err == nil && (lines[k].Need.Empty() || lines[k].Need.Meets(lines[k].Bar)) {
			return fmt.Errorf("winning set %d is empty or meets its bar", k+1)
		}
	}
	var below []int
	if r.bool() {
		for range n {
			below = append(below, r.number(n+1)-1)
		}
	}
	for seat := range g.Tested {
		g.Tested[seat], g.Done[seat] = r.bool(), r.number(drawn)
	}
	g.Full = r.number(drawn + 1)
	if r.version == MagicShared {
		g.Place = placeEither + r.number(2)
	}
	g.Marks = [2]board.Set{r.set(n), r.set(n)}
	g.Turn = r.number(2)
	if r.err != nil {
		return r.err
	}
	if g.Board, err = board.FromLines(n, lines); err != nil {
		return err
	}
	if below != nil {
		if err := g.Board.SetBelow(below); err != nil {
			return err
		}
	}
	return g.checkPossible()
}

// checkPossible reports why there is no such game, or none that goes on, or nil. What a file says is not believed
// to be a game.
func (g *Setup) checkPossible() error {
	if g.Place == placeCross && !g.Marks[1].Empty() {
		return errors.New("an O at the start of a game without")
	}
	for seat, tested := range g.Tested {
		if tested && g.Done[seat] == 0 {
			return fmt.Errorf("the outcome of a set that %s completes is missing", seats[seat])
		}
	}
	if g.Full == 0 {
		return errors.New("a full board has no outcome")
	}
	if both := g.Marks[0].And(g.Marks[1]); !both.Empty() {
		return fmt.Errorf("both sides hold square %s", g.Board.Names[both.First()])
	}
	for seat, marks := range g.Marks {
		for _, line := range g.Board.Lines {
			if (g.Tested[seat] || g.Place != placeOwn) && line.Owned(marks) {
				return errors.New("the game is over at the start")
			}
		}
	}
	return nil
}

// What winning sets and permutations take, in bytes, where the game is opened, and how many
// winning sets are looked at in the time in which one is carried over and looked up, and
// each four of its squares.
const (
	setBytes    = 400
	squareBytes = 160
	permBytes   = 2*sha256.Size + 64
	permWork    = 8
)

// permutationCheckCost returns the work of checking one permutation, in winning sets looked at.
func permutationCheckCost(b *board.Board) int {
	cost := 0
	for _, line := range b.Lines {
		cost += permWork + (line.Need.Len()+line.Bar.Len())/4
	}
	return cost
}

// readPermutations reads and checks the permutations, of which none may come twice. perms[k][i] is the square that
// permutation k carries square i to.
func (r *reader) readPermutations(b *board.Board) (perms [][]uint8, err error) {
	lines := make(map[board.Line]bool, len(b.Lines))
	for _, line := range b.Lines {
		lines[line] = true
	}
	seen := map[[sha256.Size]byte]bool{} // by digest, so as not to hold them twice
	most := r.number(1 << 20)
	cost := permutationCheckCost(b)
	if int64(most)*int64(cost) > r.left.Load() {
		return nil, fmt.Errorf("%w: %d permutations of a board of %d winning sets", errTooMuch, most, len(b.Lines))
	}
	for k := range most {
		r.takeMemory(b.N + permBytes)
		perm := make([]uint8, b.N)
		for i := range perm {
			perm[i] = uint8(r.number(b.N))
		}
		digest := sha256.Sum256(perm)
		switch {
		case r.err != nil:
			return nil, r.err
		case seen[digest]:
			return nil, fmt.Errorf("permutation %d is listed twice", k)
		case !r.spend(cost):
			return nil, r.spent
		case !isAutomorphism(b, lines, perm):
			return nil, fmt.Errorf("permutation %d does not carry winning sets to winning sets", k)
		}
		seen[digest] = true
		perms = append(perms, perm)
	}
	return perms, r.err
}

// permuted returns the image of a set under a permutation.
func permuted(s board.Set, perm []uint8) (t board.Set) {
	for i := range s.All() {
		t = t.With(int(perm[i]))
	}
	return t
}

// isAutomorphism reports whether perm is a permutation of the squares that
// carries every line to one of lines and keeps what lies below what.
func isAutomorphism(b *board.Board, lines map[board.Line]bool, perm []uint8) bool {
	for _, line := range b.Lines {
		if !lines[board.Line{Need: permuted(line.Need, perm), Bar: permuted(line.Bar, perm)}] {
			return false
		}
	}
	for i, under := range b.Below {
		if to := b.Below[perm[i]]; under < 0 && to >= 0 || under >= 0 && to != int(perm[under]) {
			return false
		}
	}
	return permuted(b.Squares(), perm) == b.Squares()
}

// readNode reads node number of so many, in a game of so many moves. An edge is written as how many nodes on it leads,
// at least one, and no reply has two.
func (r *reader) readNode(moves, perms, number, nodes int) node {
	n := node{at: number, kind: r.number(3)}
	switch n.kind {
	case kindLine:
		n.line = r.moves(moves)
		return n
	case kindMove:
		n.move = r.number(moves)
	}
	if n.end = r.number(5); n.end == endMirrored {
		n.mirror = r.number(perms)
	}
	for i := r.number(moves + 1); i > 0 && r.err == nil; i-- {
		n.pairs = append(n.pairs, board.SetOf(r.number(moves), r.number(moves)))
	}
	for i := r.number(moves + 1); i > 0 && r.err == nil; i-- {
		n.lines = append(n.lines, r.moves(moves))
	}
	for i := r.number(moves + 1); i > 0 && r.err == nil; i-- {
		move, perm, skip := r.number(moves), r.number(perms), r.number(nodes-number)
		if n.listed(move) >= 0 || skip == 0 {
			r.err = r.errorOr(fmt.Errorf("node %d: square %d listed twice or leading nowhere", number, move+1))
		}
		n.replies = append(n.replies, edge{move, perm, number + skip})
	}
	return n
}

// listed returns the place of a move in the list of replies, -1 where it is not there.
func (n *node) listed(move int) int {
	return slices.IndexFunc(n.replies, func(e edge) bool { return e.move == move })
}
