package drop

import (
	"context"
	"crypto/sha256"
	"fmt"

	"oxo/board"
)

// Sealed returns a book's file of that beginning.
func Sealed(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(body[:len(body):len(body)], sum[:]...)
}

// ParityErrors compares all bounds that parity tells of an ongoing position with its score, as found without
// them. It returns how many there are, and an error that names one that is wrong.
func (s *Solver) ParityErrors(p board.Pos64) (bounds int, err error) {
	n, marks := s.nodeOfPosition(p)
	if n.ownWins&n.play != 0 {
		return 0, nil
	}
	lower := s.g.lower
	s.g.lower = 0
	score := s.newQuery(context.Background()).score(n, marks)
	s.g.lower = lower
	for mid := -worst; mid < worst; mid++ {
		if bound := s.g.parityUpperBound(n, marks, mid); bound <= mid {
			if bounds++; score > bound {
				return bounds, fmt.Errorf("at most %d above %d, the score is %d", bound, mid, score)
			}
		}
	}
	return bounds, nil
}

// FindRowsInLists makes the solver find rows in lists of winning sets, where it would by shifts.
func (s *Solver) FindRowsInLists() { s.g.shifts = false }
