package drop

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"sync"
	"sync/atomic"

	"oxo/board"
)

// BookMaker makes a book. It knows the book's positions, and the scores of the
// first so many of them.
type BookMaker struct {
	*Book
	solver *Solver
	scores []byte
}

// NewBookMaker returns a maker of the book, of so many plies, of the game of
// these rules on a board, which spec names. The options' workers solve a
// position each, on one table.
func NewBookMaker(spec string, b *board.Board, r board.Rules, plies int, o Options) (*BookMaker, error) {
	k, _, err := newBook(spec, b, r, plies)
	if err != nil {
		return nil, err
	}
	o.Book = nil
	s, err := New(b, r, o)
	if err != nil {
		return nil, err
	}
	return &BookMaker{Book: k, solver: s}, nil
}

// Done returns how many of the positions have their scores.
func (m *BookMaker) Done() int { return len(m.scores) }

// Unfinished work is a line, the header, and pieces:
//
//	4 bytes  length of the piece, little-endian, as is
//	4 bytes  the CRC-32 of the scores
//	the scores
const (
	unfinishedMagic = "oxo unfinished book 1\n"
	pieceHead       = 8
	pieceSize       = 8 // positions between two calls of keep
)

// unfinishedHead begins unfinished work.
func (m *BookMaker) unfinishedHead() []byte {
	line, _ := json.Marshal(m.BookHeader) // numbers and strings
	return append(append([]byte(unfinishedMagic), line...), '\n')
}

// Resume takes what Make gave to keep, all pieces joined, as far as it is whole, and
// returns how many bytes that are: what follows is to be cut off. It refuses
// unfinished work on another book.
func (m *BookMaker) Resume(kept []byte) (whole int, err error) {
	m.scores = nil
	mark := m.unfinishedHead()
	switch {
	case bytes.HasPrefix(mark, kept):
		return 0, nil // stopped before there was anything
	case !bytes.HasPrefix(kept, mark):
		return 0, errors.New("the unfinished book is of another game, or of other plies")
	}
	whole = len(mark)
	for len(kept)-whole > pieceHead {
		size := int(binary.LittleEndian.Uint32(kept[whole:]))
		end := whole + pieceHead + size
		if size == 0 || size > m.Stored-len(m.scores) || end > len(kept) {
			break
		}
		piece := kept[whole+pieceHead : end]
		if crc32.ChecksumIEEE(piece) != binary.LittleEndian.Uint32(kept[whole+4:]) {
			break
		}
		m.scores = append(m.scores, piece...)
		whole = end
	}
	if m.scores == nil {
		return 0, nil
	}
	return whole, nil
}

// Make finds the scores that are missing. It gives keep what is to be appended
// to what was kept before, for Resume. It stops early with the error of ctx or of keep.
func (m *BookMaker) Make(ctx context.Context, keep func(piece []byte) error) error {
	solvers := m.solver.singleWorkerSolvers()
	if len(m.scores) == 0 {
		if err := keep(m.unfinishedHead()); err != nil {
			return err
		}
	}
	for len(m.scores) < m.Stored {
		todo := m.levels[m.Plies][len(m.scores):]
		todo = todo[:min(pieceSize, len(todo))]
		piece := make([]byte, pieceHead+len(todo))
		if err := m.solve(ctx, solvers, todo, piece[pieceHead:]); err != nil {
			return err
		}
		binary.LittleEndian.PutUint32(piece, uint32(len(todo)))
		binary.LittleEndian.PutUint32(piece[4:], crc32.ChecksumIEEE(piece[pieceHead:]))
		if err := keep(piece); err != nil {
			return err
		}
		m.scores = append(m.scores, piece[pieceHead:]...)
	}
	return nil
}

// solve finds the scores of some positions.
func (m *BookMaker) solve(ctx context.Context, solvers []*Solver, todo []class, scores []byte) error {
	errs := make([]error, len(solvers))
	var next atomic.Int64
	var team sync.WaitGroup
	for k, s := range solvers {
		team.Go(func() {
			for errs[k] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(todo) {
					return
				}
				q := s.newQuestion(ctx)
				scores[i] = byte(q.score(s.g.nodeOf(todo[i], m.Plies), m.Plies))
				errs[k] = q.err
			}
		})
	}
	team.Wait()
	return errors.Join(errs...)
}

// singleWorkerSolvers returns solvers of one worker each, as many as s has workers, that share
// its large table.
func (s *Solver) singleWorkerSolvers() (solvers []*Solver) {
	s.large = s.newTable(s.o.Bytes)
	for range s.workers {
		one := *s
		one.workers = []*worker{one.newWorker()}
		one.small = one.newTable(min(smallTable, s.o.Bytes))
		solvers = append(solvers, &one)
	}
	return solvers
}

// Write writes the book, which must be done.
func (m *BookMaker) Write(w io.Writer) error {
	if len(m.scores) != m.Stored {
		return errors.New("the book is not done")
	}
	line, err := json.Marshal(m.BookHeader)
	if err != nil {
		return err
	}
	data := append([]byte(bookMagic), line...)
	data = append(append(data, '\n'), m.scores...)
	sum := sha256.Sum256(data)
	_, err = w.Write(append(data, sum[:]...))
	return err
}
