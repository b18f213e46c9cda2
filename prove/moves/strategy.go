package moves

import (
	"errors"

	"oxo"
)

// Strategy is the strategy of a claim: a move in every form.
type Strategy[P oxo.Position[P]] struct {
	g     *Game[P]
	q     Question
	root  P
	moves map[string]oxo.Move
}

// Each visits the positions in which the strategy moves, one of each form, and those after
// its moves.
func (s *Strategy[P]) Each(visit func(p P)) error {
	_, err := s.g.Follow(s.root, s.q, func(p P, form string, _ int) (oxo.Move, bool, error) {
		visit(p)
		if m, _, err := s.Move(p); err == nil {
			visit(p.Play(m))
		}
		return s.moves[form], true, nil
	})
	return err
}

// Len returns in how many forms it has a move.
func (s *Strategy[P]) Len() int { return len(s.moves) }

// ErrNoAnswer is of a position to which the strategy does not lead.
var ErrNoAnswer = errors.New("the certificate says nothing of this position")

// Read reads the strategy that answers a question about a position, given by its moves as
// certificates have them.
func (g *Game[P]) Read(root P, q Question, list []uint8) (*Strategy[P], error) {
	s := &Strategy[P]{g: g, q: q, root: root, moves: make(map[string]oxo.Move, len(list))}
	next := 0
	_, err := g.Follow(root, q, func(p P, form string, _ int) (oxo.Move, bool, error) {
		if next == len(list) {
			return 0, true, errors.New("the certificate has too few moves")
		}
		m := oxo.Move(list[next])
		s.moves[form] = m
		next++
		return m, true, nil
	})
	return s, err
}

// Move returns the strategy's move in p, or where a theorem has ended it one after which that still
// holds, which is not listed.
func (s *Strategy[P]) Move(p P) (m oxo.Move, listed bool, err error) {
	if p.Turn() != s.q.Seat {
		return 0, false, ErrNoAnswer
	}
	form, symmetry := s.g.Form(p)
	move, ok := s.moves[form]
	if !ok && s.g.Settled == nil {
		return 0, false, ErrNoAnswer
	}
	for _, m := range p.Moves(nil) {
		q := p.Play(m)
		switch {
		case ok && s.g.Turn(symmetry, m) == move, !ok && q.Outcome() == oxo.WinFor(s.q.Seat):
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
