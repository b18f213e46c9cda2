package drop

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync/atomic"

	"oxo"
	"oxo/board"
)

// BookMaker makes a book. It solves the positions of each ply from the start on,
// as their scores bound those a ply later, and knows the scores of the first so
// many of them.
type BookMaker struct {
	*Book
	solver *Solver
	levels [][]class // by plies, by ascending key
	scores []byte    // of the classes of all plies, one ply after the other
	all    int       // how many classes those are
}

// NewBookMaker returns a maker of the book, of so many plies, of the game of
// these rules on a board, which spec names; with next, of those with bits for the positions one ply later. The options'
// workers solve a position each, on one table. A shorter book among the options is believed where it has answers.
func NewBookMaker(spec string, b *board.Board, r board.Rules, plies int, nextPlyBits bool, o SolverOptions) (*BookMaker,
	error) {
	more := 0
	if nextPlyBits {
		more = 1
	}
	k, _, levels, err := newBook(spec, b, r, plies, more)
	if err != nil {
		return nil, err
	}
	o.Progress = nil
	s, err := New(b, r, o)
	if err != nil {
		return nil, err
	}
	m := &BookMaker{Book: k, solver: s, levels: levels}
	for _, level := range levels {
		m.all += len(level)
	}
	return m, nil
}

// Done returns how many positions have their scores, and of how many, those of
// earlier plies included.
func (m *BookMaker) Done() (done, all int) { return len(m.scores), m.all }

// Unfinished work is a line, the game, and pieces:
//
//	4 bytes  length of the piece, little-endian, as is
//	4 bytes  the CRC-32 of the scores
//	the scores
//
// The plies are not in it: a book of fewer plies can be made of it.
const (
	unfinishedMagic = "oxo unfinished book 2\n"
	pieceHead       = 8
	pieceSize       = 32 // positions between two calls of keep, fewer where Make is stopped
)

// unfinishedHead begins unfinished work.
func (m *BookMaker) unfinishedHead() []byte {
	return fmt.Appendf(nil, "%s%q %s\n", unfinishedMagic, m.Game, m.Identity)
}

// Resume takes what Make gave to keep, all pieces joined, as far as it is whole, and
// returns how many bytes that are: what follows is to be cut off. It refuses
// unfinished work on another game.
func (m *BookMaker) Resume(kept []byte) (wholeBytes int, err error) {
	m.scores = nil
	mark := m.unfinishedHead()
	switch {
	case bytes.HasPrefix(mark, kept):
		return 0, nil // stopped before there was anything
	case !bytes.HasPrefix(kept, mark):
		return 0, errors.New("the unfinished book is of another game, or of another version of oxo")
	}
	wholeBytes = len(mark)
	for len(kept)-wholeBytes > pieceHead && len(m.scores) < m.all {
		size := int(binary.LittleEndian.Uint32(kept[wholeBytes:]))
		end := wholeBytes + pieceHead + size
		_, todo := m.nextPiece()
		if size == 0 || size > len(todo) || end > len(kept) {
			break
		}
		piece := kept[wholeBytes+pieceHead : end]
		if crc32.ChecksumIEEE(piece) != binary.LittleEndian.Uint32(kept[wholeBytes+4:]) {
			break
		}
		m.scores = append(m.scores, piece...)
		wholeBytes = end
	}
	if m.scores == nil {
		return 0, nil
	}
	return wholeBytes, nil
}

// nextPiece returns the classes to be solved next, all of one ply, and that ply.
func (m *BookMaker) nextPiece() (ply int, todo []class) {
	from := len(m.scores)
	for ply < len(m.levels)-1 && from >= len(m.levels[ply]) {
		from -= len(m.levels[ply])
		ply++
	}
	level := m.levels[ply]
	return ply, level[from:min(from+pieceSize, len(level))]
}

// Make finds the scores that are missing. It gives keep what is to be appended
// to what was kept before, for Resume. It stops early with the error of ctx or of keep; what it has found by then is
// kept.
func (m *BookMaker) Make(ctx context.Context, keep func(piece []byte) error) error {
	solvers := m.solver.singleWorkerSolvers()
	if len(m.scores) == 0 {
		if err := keep(m.unfinishedHead()); err != nil {
			return err
		}
	}
	for before := (*Book)(nil); len(m.scores) < m.all; {
		ply, todo := m.nextPiece()
		if ply > 0 && (before == nil || before.Plies != ply-1) {
			before = m.bookOfPreviousPly(ply)
		}
		piece := make([]byte, pieceHead+len(todo))
		solved, err := m.solveClasses(ctx, solvers, ply, todo, before, piece[pieceHead:])
		if piece = piece[:pieceHead+solved]; solved > 0 {
			binary.LittleEndian.PutUint32(piece, uint32(solved))
			binary.LittleEndian.PutUint32(piece[4:], crc32.ChecksumIEEE(piece[pieceHead:]))
			if err := keep(piece); err != nil {
				return err
			}
			m.scores = append(m.scores, piece[pieceHead:]...)
		}
		if err != nil {
			return err
		}
	}
	return m.verifyScoresAndSetBits()
}

// solveClasses finds the scores of some positions after so many plies. It returns how many of the first it has found,
// all unless there is an error.
func (m *BookMaker) solveClasses(ctx context.Context, solvers []*Solver, ply int, todo []class, before *Book,
	scores []byte) (solved int, err error) {
	if len(todo) < len(solvers) {
		solvers = []*Solver{m.solver} // all workers on one position after the other
	}
	errs := make([]error, len(solvers))
	open := make([]int, len(solvers)) // what each was at when it stopped
	var next atomic.Int64
	var team oxo.Group
	for k, s := range solvers {
		team.Go(func() {
			for errs[k] == nil {
				i := int(next.Add(1)) - 1
				if open[k] = min(i, len(todo)); i >= len(todo) {
					return
				}
				n, q := s.g.nodeOf(todo[i], ply), s.newQuery(ctx)
				least, _ := before.bounds(s.g, n, ply)
				scores[i] = byte(q.scoreFromLowerBound(least, n, ply))
				errs[k] = q.err
			}
		})
	}
	team.Wait()
	return slices.Min(open), errors.Join(errs...)
}

// scoreOffset returns where the scores begin of the classes after so many plies.
func (m *BookMaker) scoreOffset(ply int) (from int) {
	for _, level := range m.levels[:ply] {
		from += len(level)
	}
	return from
}

// bookOfPreviousPly returns what bounds the scores after so many plies: a book of those one ply earlier.
func (m *BookMaker) bookOfPreviousPly(ply int) *Book {
	last := scoredClasses{keys: keysOf(m.levels[ply-1])}
	for _, score := range m.scores[m.scoreOffset(ply-1):m.scoreOffset(ply)] {
		last.scores = append(last.scores, int8(score))
	}
	k := &Book{BookHeader: BookHeader{Plies: ply - 1}, scores: make([]scoredClasses, ply)}
	k.scores[ply-1] = last
	return k
}

// verifyScoresAndSetBits works the scores of earlier plies out again from those of the last, which
// were found without them but for bounds, and takes the bits of the ply after the book's last.
func (m *BookMaker) verifyScoresAndSetBits() error {
	if err := m.fillScoresBackward(m.solver.g, m.levels, m.scores[m.scoreOffset(len(m.levels)-1):]); err != nil {
		return err
	}
	i := 0
	for ply, level := range m.Book.scores {
		for _, got := range level.scores {
			if want := int8(m.scores[i]); got != want {
				return fmt.Errorf("the scores contradict each other: %d and %d after %d plies", got, want, ply)
			}
			i++
		}
	}
	for _, level := range m.levels[m.Plies+1:] {
		m.setLeastScoreBits(m.solver.g.quiet(level, m.Plies+1))
	}
	m.Book.scores = m.Book.scores[:m.Plies+1]
	return nil
}

// setLeastScoreBits sets the bits of the classes one ply after the book's last.
func (m *BookMaker) setLeastScoreBits(level []class) {
	g := m.solver.g
	m.Next = len(level)
	m.next.bits, m.next.last = make([]byte, (m.Next+7)/8), m.levels[m.Plies]
	for i, c := range level {
		score, _ := m.Book.scores[m.Plies+1].scoreOf(c.key)
		if score == m.lowerBoundFromParents(g, g.nodeOf(c, m.Plies+1), m.Plies+1) {
			m.next.bits[i/8] |= 1 << (i % 8)
		}
	}
}

// singleWorkerSolvers returns solvers of one worker each, as many as s has workers, that share
// its large table.
func (s *Solver) singleWorkerSolvers() (solvers []*Solver) {
	s.large = s.newTable(s.o.Bytes)
	for range s.workers {
		one := *s
		one.known = map[positionKey]scoreBounds{}
		one.workers = []*worker{one.newWorker()}
		one.small = one.newTable(min(smallTable, s.o.Bytes))
		solvers = append(solvers, &one)
	}
	return solvers
}

// Write writes the book, which must be done.
func (m *BookMaker) Write(w io.Writer) error {
	if len(m.scores) != m.all {
		return errors.New("the book is not done")
	}
	line, err := json.Marshal(m.BookHeader)
	if err != nil {
		return err
	}
	data := append([]byte(bookMagic), line...)
	data = append(append(data, '\n'), m.scores[m.scoreOffset(m.Plies):m.scoreOffset(m.Plies+1)]...)
	data = append(data, m.next.bits...)
	sum := sha256.Sum256(data)
	_, err = w.Write(append(data, sum[:]...))
	return err
}
