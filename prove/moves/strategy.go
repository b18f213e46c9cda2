package moves

import (
	"errors"

	"oxo"
)

// Strategy is the strategy of a claim: a move in every form. After it was read it is not changed, so several may
// ask for moves at once.
type Strategy[P oxo.Position[P]] struct {
	g     *Provable[P]
	q     Question
	root  P
	room  Room
	moves *moveFile
}

// EachPosition visits the positions in which the strategy moves, one of each form, and those after
// its moves.
// The moves are listed in the order in which follow visits the positions, so the next one is always the next
// record.
func (s *Strategy[P]) EachPosition(visit func(p P)) error {
	next := 0
	_, err := s.g.followInRoom(s.room, s.root, s.q, func(p P, _ string, _ int) (oxo.Move, bool, error) {
		visit(p)
		if m, _, err := s.Move(p); err == nil {
			visit(p.Play(m))
		}
		_, m, err := s.moves.recordAt(next)
		next++
		return m, true, err
	})
	return err
}

// ErrNoAnswer is of a position to which the strategy does not lead.
var ErrNoAnswer = errors.New("the certificate says nothing of this position")

// ReadStrategy reads the strategy that answers a question about a position, given by its moves as certificates have
// them, in the order in which Follow visits the positions. It comes to lie on the disk of the room, if that has one,
// else in memory. It returns an error where the moves do not keep the claim, or are too few.
func (g *Provable[P]) ReadStrategy(root P, q Question, list []uint8, room Room) (*Strategy[P], error) {
	moves, err := newTable(room.Disk)
	if err != nil {
		return nil, err
	}
	_, err = g.followInRoom(room, root, q, func(_ P, form string, _ int) (oxo.Move, bool, error) {
		if moves.count == len(list) {
			return 0, true, errors.New("the certificate has too few moves")
		}
		m := list[moves.count]
		return oxo.Move(m), true, moves.add(form, m)
	})
	if err = errors.Join(err, moves.finishWriting()); err != nil {
		moves.file.Close()
		return nil, err
	}
	return &Strategy[P]{g, q, root, room, moves}, nil
}

// ErrOver is of a position after the plies of which a claim speaks.
var ErrOver = errors.New("the plies of the certificate's claim are over")

// pliesLeft returns how many plies of the question are left in p. Of a win they are not counted: the strategy
// wins within them by itself.
func (s *Strategy[P]) pliesLeft(p P) int {
	if s.q.Wins {
		return s.g.MaxPlies
	}
	return s.q.Plies - s.g.Played(p) + s.g.Played(s.root)
}

// Kept reports whether no move in p can break the claim any more.
func (s *Strategy[P]) Kept(p P) bool { return s.g.claimStateAt(p, s.q, s.pliesLeft(p)) == kept }

// Move returns the strategy's move in p, or where the claim is kept, or a theorem has ended the strategy, one after
// which that still holds, which is not listed. Once the plies of the claim are over it is ErrOver; of a position
// that the strategy does not come to, or in which the other side moves, ErrNoAnswer.
func (s *Strategy[P]) Move(p P) (m oxo.Move, listed bool, err error) {
	left := s.pliesLeft(p)
	switch {
	case p.Turn() != s.q.Seat:
		return 0, false, ErrNoAnswer
	case left <= 0:
		return 0, false, ErrOver
	}
	form, symmetry := s.g.Form(p)
	move, ok, err := s.moves.findMove(form)
	if err != nil {
		return 0, false, err
	}
	// The listed move comes first; where none is listed, one that wins at once.
	for _, m := range p.Moves(nil) {
		if ok && s.g.Turn(symmetry, m) == move || !ok && p.Play(m).Outcome() == oxo.WinFor(s.q.Seat) {
			return m, ok, nil
		}
	}
	if ok {
		return 0, false, ErrNoAnswer
	}
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if s.g.claimStateAt(q, s.q, left-1) == kept {
			return m, false, nil
		}
		if s.g.Settled == nil {
			continue
		}
		if _, settled := s.g.Settled(q, s.q, left-1); settled {
			return m, false, nil
		}
	}
	return 0, false, ErrNoAnswer
}
