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
	"sync"
	"sync/atomic"

	"oxo/board"
)

// BookMaker makes a book. It solves the positions of each ply from the start on,
// as their scores bound those a ply later, and knows the scores of the first so
// many of them.
type BookMaker struct {
	*Book
	solver *Solver
	scores []byte // of the classes of all plies, one ply after the other
	all    int    // how many classes those are
}

// NewBookMaker returns a maker of the book, of so many plies, of the game of
// these rules on a board, which spec names. The options' workers solve a
// position each, on one table. A shorter book among the options is believed where it
// has answers.
func NewBookMaker(spec string, b *board.Board, r board.Rules, plies int, o SolverOptions) (*BookMaker, error) {
	k, _, err := newBook(spec, b, r, plies)
	if err != nil {
		return nil, err
	}
	o.Progress = nil
	s, err := New(b, r, o)
	if err != nil {
		return nil, err
	}
	m := &BookMaker{Book: k, solver: s}
	for _, level := range k.levels {
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
func (m *BookMaker) Resume(kept []byte) (whole int, err error) {
	m.scores = nil
	mark := m.unfinishedHead()
	switch {
	case bytes.HasPrefix(mark, kept):
		return 0, nil // stopped before there was anything
	case !bytes.HasPrefix(kept, mark):
		return 0, errors.New("the unfinished book is of another game, or of another version of oxo")
	}
	whole = len(mark)
	for len(kept)-whole > pieceHead && len(m.scores) < m.all {
		size := int(binary.LittleEndian.Uint32(kept[whole:]))
		end := whole + pieceHead + size
		_, todo := m.nextPiece()
		if size == 0 || size > len(todo) || end > len(kept) {
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

// nextPiece returns the classes to be solved next, all of one ply, and that ply.
func (m *BookMaker) nextPiece() (ply int, todo []class) {
	from := len(m.scores)
	for ply < m.Plies && from >= len(m.levels[ply]) {
		from -= len(m.levels[ply])
		ply++
	}
	level := m.levels[ply]
	return ply, level[from:min(from+pieceSize, len(level))]
}

// floors returns the least score that each class of a ply can have, by key, given
// the scores of the ply before: what follows a position is worth no more to who
// moved than the position was.
func (m *BookMaker) floors(ply int) map[uint64]int {
	floors := map[uint64]int{}
	if ply == 0 {
		return floors
	}
	from := 0
	for _, level := range m.levels[:ply-1] {
		from += len(level)
	}
	g := m.solver.g
	for i, c := range m.levels[ply-1] {
		n, least := g.nodeOf(c, ply-1), -int(int8(m.scores[from+i]))
		for moves := n.play &^ n.ownWins; moves != 0; moves &= moves - 1 {
			key := g.childClass(n, moves&-moves).key
			if old, ok := floors[key]; !ok || old < least {
				floors[key] = least
			}
		}
	}
	return floors
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
	var floors map[uint64]int
	for at := -1; len(m.scores) < m.all; {
		ply, todo := m.nextPiece()
		if ply != at {
			at, floors = ply, m.floors(ply)
		}
		piece := make([]byte, pieceHead+len(todo))
		solved, err := m.solve(ctx, solvers, ply, todo, floors, piece[pieceHead:])
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
	return m.check()
}

// solve finds the scores of some positions after so many plies. It returns how many of the first it has found,
// all unless there is an error.
func (m *BookMaker) solve(ctx context.Context, solvers []*Solver, ply int, todo []class, floors map[uint64]int,
	scores []byte) (solved int, err error) {
	if len(todo) < len(solvers) {
		solvers = []*Solver{m.solver} // all workers on one position after the other
	}
	errs := make([]error, len(solvers))
	open := make([]int, len(solvers)) // what each was at when it stopped
	var next atomic.Int64
	var team sync.WaitGroup
	for k, s := range solvers {
		team.Go(func() {
			for errs[k] == nil {
				i := int(next.Add(1)) - 1
				if open[k] = min(i, len(todo)); i >= len(todo) {
					return
				}
				floor, ok := floors[todo[i].key]
				if !ok {
					floor = -worst
				}
				q := s.newQuestion(ctx)
				scores[i] = byte(q.scoreFrom(floor, s.g.nodeOf(todo[i], ply), ply))
				errs[k] = q.err
			}
		})
	}
	team.Wait()
	return slices.Min(open), errors.Join(errs...)
}

// check works the scores of earlier plies out again from those of the last, which
// were found without them but for bounds.
func (m *BookMaker) check() error {
	levels := m.levels
	last := m.scores[m.all-m.Stored:]
	if err := m.fill(m.solver.g, last); err != nil {
		return err
	}
	m.levels = levels
	i := 0
	for ply, level := range levels {
		for _, c := range level {
			if want, got := m.Book.scores[ply][c.key], int(int8(m.scores[i])); got != want {
				return fmt.Errorf("the scores contradict each other: %d and %d after %d plies", got, want, ply)
			}
			i++
		}
	}
	return nil
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
	data = append(append(data, '\n'), m.scores[m.all-m.Stored:]...)
	sum := sha256.Sum256(data)
	_, err = w.Write(append(data, sum[:]...))
	return err
}
