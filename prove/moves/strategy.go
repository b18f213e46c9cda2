package moves

import (
	"errors"

	"oxo"
)

// Strategy is the strategy of a claim: a move in every form.
type Strategy[P oxo.Position[P]] struct {
	g     *Provable[P]
	q     Question
	root  P
	room  Room
	moves *moveFile
}

// Each visits the positions in which the strategy moves, one of each form, and those after
// its moves.
func (s *Strategy[P]) Each(visit func(p P)) error {
	next := 0
	_, err := s.g.follow(s.room, s.root, s.q, func(p P, _ string, _ int) (oxo.Move, bool, error) {
		visit(p)
		if m, _, err := s.Move(p); err == nil {
			visit(p.Play(m))
		}
		_, m, err := s.moves.at(next)
		next++
		return m, true, err
	})
	return err
}

// ErrNoAnswer is of a position to which the strategy does not lead.
var ErrNoAnswer = errors.New("the certificate says nothing of this position")

// Read reads the strategy that answers a question about a position, given by its moves as
// certificates have them. It comes to lie on the disk of the room, if that has one.
func (g *Provable[P]) Read(root P, q Question, list []uint8, room Room) (*Strategy[P], error) {
	moves, err := newTable(room.Disk)
	if err != nil {
		return nil, err
	}
	_, err = g.follow(room, root, q, func(_ P, form string, _ int) (oxo.Move, bool, error) {
		if moves.count == len(list) {
			return 0, true, errors.New("the certificate has too few moves")
		}
		m := list[moves.count]
		return oxo.Move(m), true, moves.add(form, m)
	})
	if err = errors.Join(err, moves.done()); err != nil {
		moves.file.Close()
		return nil, err
	}
	return &Strategy[P]{g, q, root, room, moves}, nil
}

// Move returns the strategy's move in p, or where a theorem has ended it one after which that still
// holds, which is not listed.
func (s *Strategy[P]) Move(p P) (m oxo.Move, listed bool, err error) {
	if p.Turn() != s.q.Seat {
		return 0, false, ErrNoAnswer
	}
	form, symmetry := s.g.Form(p)
	move, ok, err := s.moves.find(form)
	if err != nil {
		return 0, false, err
	}
	if !ok && s.g.Settled == nil {
		return 0, false, ErrNoAnswer
	}
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if ok && s.g.Turn(symmetry, m) == move || !ok && q.Outcome() == oxo.WinFor(s.q.Seat) {
			return m, ok, nil
		}
	}
	if ok {
		return 0, false, ErrNoAnswer
	}
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		if s.g.stands(q, s.q, s.g.MaxPlies) == kept {
			return m, false, nil
		}
		if _, settled := s.g.Settled(q, s.q, s.g.MaxPlies); settled {
			return m, false, nil
		}
	}
	return 0, false, ErrNoAnswer
}
