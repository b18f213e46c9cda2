package verify

import (
	"bufio"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"

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

// body is what a node says about the replies.
type body struct {
	pairs   []board.Set
	lines   [][]int
	replies map[int]edge
}

// edge leads to a node whose position is the image under a permutation.
type edge struct{ perm, node int }

// reader reads the numbers of a certificate up to the first error.
type reader struct {
	file   *hashed
	shared bool // of version 2
	packed io.Reader
	in     *bufio.Reader
	err    error
}

// hashed is a byte reader that keeps a digest of what was read. The unpacker
// takes single bytes from it, so that it stops where the packed part does.
type hashed struct {
	in     *bufio.Reader
	digest hash.Hash
	recent []byte
}

func (h *hashed) ReadByte() (byte, error) {
	b, err := h.in.ReadByte()
	if err == nil {
		if h.recent = append(h.recent, b); len(h.recent) == cap(h.recent) {
			h.sum()
		}
	}
	return b, err
}

func (h *hashed) Read(p []byte) (int, error) {
	h.sum()
	n, err := h.in.Read(p)
	h.digest.Write(p[:n])
	return n, err
}

func (h *hashed) sum() []byte {
	h.digest.Write(h.recent)
	h.recent = h.recent[:0]
	return h.digest.Sum(nil)
}

func newReader(r io.Reader) *reader {
	in := &reader{file: &hashed{in: bufio.NewReader(r), digest: sha256.New(), recent: make([]byte, 0, 1<<12)}}
	magic := make([]byte, len(Magic))
	_, err := io.ReadFull(in.file, magic)
	in.shared = string(magic) == MagicShared
	if err != nil || string(magic) != Magic && !in.shared {
		in.err = fmt.Errorf("not a certificate: it must begin with %q", Magic)
	}
	in.packed = flate.NewReader(in.file)
	in.in = bufio.NewReader(in.packed)
	return in
}

// number reads a number below limit, 0 after an error.
func (r *reader) number(limit int) int {
	if r.err != nil {
		return 0
	}
	x, err := binary.ReadUvarint(r.in)
	switch {
	case err != nil:
		r.err = fmt.Errorf("the file is damaged: %w", err)
	case x >= uint64(limit):
		r.err = fmt.Errorf("the number %d where one below %d belongs", x, limit)
	default:
		return int(x)
	}
	return 0
}

func (r *reader) bool() bool { return r.number(2) == 1 }

// squares reads a list of up to n squares or moves.
func (r *reader) squares(n int) []int {
	list := make([]int, r.number(n+1))
	for k := range list {
		list[k] = r.number(n)
	}
	return list
}

// or returns the reading error, if there is one, else err.
func (r *reader) or(err error) error {
	if r.err != nil {
		return r.err
	}
	return err
}

// end checks that the packed part ends here and the checksum fits.
func (r *reader) end() error {
	if r.err != nil {
		return r.err
	}
	if _, err := r.in.ReadByte(); err != io.EOF {
		return errors.New("there is more in the file than its claims")
	}
	want := r.file.sum()
	if got, err := io.ReadAll(io.LimitReader(r.file.in, sha256.Size+1)); err != nil || !bytes.Equal(got, want) {
		return errors.New("the checksum does not fit: the file is damaged")
	}
	return nil
}

// game reads the game and the permutations, which it checks.
func (r *reader) game(g *Game) (perms [][]uint8, err error) {
	name := make([]byte, r.number(1<<16))
	for k := range name {
		name[k] = byte(r.number(256))
	}
	g.Spec = string(name)
	n := r.number(board.MaxSquares + 1)
	lines := make([]board.Line, r.number(1<<16))
	for k := range lines {
		lines[k] = board.Line{Need: board.SetOf(r.squares(n)...), Bar: board.SetOf(r.squares(n)...)}
		if r.err == nil && (lines[k].Need.Empty() || lines[k].Need.Meets(lines[k].Bar)) {
			return nil, fmt.Errorf("winning set %d is empty or meets its bar", k+1)
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
	if r.shared {
		g.Place = placeEither + r.number(2)
	}
	g.Marks = [2]board.Set{board.SetOf(r.squares(n)...), board.SetOf(r.squares(n)...)}
	g.Turn = r.number(2)
	if r.err != nil {
		return nil, r.err
	}
	if g.Board, err = board.FromLines(n, lines); err != nil {
		return nil, err
	}
	if below != nil {
		if err := g.Board.SetBelow(below); err != nil {
			return nil, err
		}
	}
	if g.Place == placeCross && !g.Marks[1].Empty() {
		return nil, errors.New("an O at the start of a game without")
	}
	if g.Full == 0 || g.Tested[0] && g.Done[0] == 0 || g.Tested[1] && g.Done[1] == 0 || g.Marks[0].Meets(g.Marks[1]) {
		return nil, errors.New("no such rules or start position")
	}
	for seat, marks := range g.Marks {
		for _, line := range lines {
			if (g.Tested[seat] || g.Place != placeOwn) && line.Owned(marks) {
				return nil, errors.New("the game is over at the start")
			}
		}
	}
	return r.permutations(g.Board)
}

// permutations reads and checks the permutations, of which none may come twice.
func (r *reader) permutations(b *board.Board) (perms [][]uint8, err error) {
	lines := make(map[board.Line]bool, len(b.Lines))
	for _, line := range b.Lines {
		lines[line] = true
	}
	seen := map[[sha256.Size]byte]bool{} // by digest, so as not to hold them twice
	for k := range r.number(1 << 20) {
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
		case !automorphism(b, lines, perm):
			return nil, fmt.Errorf("permutation %d does not carry winning sets to winning sets", k)
		}
		seen[digest] = true
		perms = append(perms, perm)
	}
	return perms, r.err
}

// image returns the image of a set under a permutation.
func image(s board.Set, perm []uint8) (t board.Set) {
	for i := range s.All() {
		t = t.With(int(perm[i]))
	}
	return t
}

// automorphism reports whether perm is a permutation of the squares that
// carries every line to one of lines and keeps what lies below what.
func automorphism(b *board.Board, lines map[board.Line]bool, perm []uint8) bool {
	for _, line := range b.Lines {
		if !lines[board.Line{Need: image(line.Need, perm), Bar: image(line.Bar, perm)}] {
			return false
		}
	}
	for i, under := range b.Below {
		if to := b.Below[perm[i]]; under < 0 && to >= 0 || under >= 0 && to != int(perm[under]) {
			return false
		}
	}
	return image(b.Squares(), perm) == b.Squares()
}

// body reads what follows in node k of so many, in a game of n moves.
func (r *reader) body(n, perms, k, nodes int) body {
	b := body{replies: map[int]edge{}}
	for i := r.number(n + 1); i > 0 && r.err == nil; i-- {
		b.pairs = append(b.pairs, board.SetOf(r.number(n), r.number(n)))
	}
	for i := r.number(n + 1); i > 0 && r.err == nil; i-- {
		b.lines = append(b.lines, r.squares(n))
	}
	for i := r.number(n + 1); i > 0 && r.err == nil; i-- {
		sq, perm, skip := r.number(n), r.number(perms), r.number(nodes-k)
		if _, twice := b.replies[sq]; twice || skip == 0 {
			r.err = r.or(fmt.Errorf("node %d: square %d listed twice or leading nowhere", k, sq+1))
		}
		b.replies[sq] = edge{perm, k + skip}
	}
	return b
}
