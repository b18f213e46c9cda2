package moves

import (
	"errors"
	"fmt"
	"slices"

	"oxo"
)

// Answers tells the moves of a claim's strategy: by levels, or with ranks. Move returns the one in p, and whether it is
// listed; Kept reports whether no move in p can break the claim any more.
type Answers[P oxo.Position[P]] interface {
	Move(p P) (m oxo.Move, listed bool, err error)
	Kept(p P) bool
}

// Ranked is the strategy of a claim about a game in which play can go in circles: a move in every position that it
// comes to. In a strategy that wins each position has a rank, within how many plies the game ends from there; whatever
// the other side does the ranks fall, so that going in circles is not taken for winning. A strategy that does not lose
// needs none: whatever the other side does another of its positions comes, for ever or until the game is won.
type Ranked[P oxo.Position[P]] struct {
	moves map[P]oxo.Move
}

// FollowRanked visits all positions to which a strategy of the question's side comes from root, in the order in which
// they are first met, breadth first. choose returns its move in a position, and where the strategy wins its rank. The
// error wraps ErrBroken where a move is not legal, or the other side wins; ranks are left to the checker.
func FollowRanked[P oxo.Position[P]](g *oxo.Game[P], root P, q Question,
	choose func(p P) (m oxo.Move, rank int, err error)) (*Followed, error) {
	s := &Followed{Moves: []uint8{}}
	met := map[P]bool{}
	var open []P
	// meet notes a position in which the seat is to move, or looks at the end of the game there.
	meet := func(p P) error {
		switch out := p.Outcome(); {
		case out == oxo.Ongoing && !met[p]:
			met[p] = true
			open = append(open, p)
		case out == oxo.WinFor(q.Seat.Other()), out == oxo.Drawn && q.Wins:
			return fmt.Errorf("%w: %s", ErrBroken, g.Format(p))
		}
		return nil
	}
	meetAfter := func(p P) error {
		if p.Outcome() != oxo.Ongoing {
			return meet(p)
		}
		for _, m := range p.Moves(nil) {
			s.Replies++
			if err := meet(p.Play(m)); err != nil {
				return err
			}
		}
		return nil
	}
	begin := meetAfter
	if root.Turn() == q.Seat {
		begin = meet
	}
	if err := begin(root); err != nil {
		return nil, err
	}
	for ; len(open) > 0; open = open[1:] {
		p := open[0]
		m, rank, err := choose(p)
		if err == nil && !slices.Contains(p.Moves(nil), m) {
			err = fmt.Errorf("%w: %s has no such move", ErrBroken, g.Format(p))
		}
		if err == nil {
			err = meetAfter(p.Play(m))
		}
		if err != nil {
			return nil, err
		}
		s.Moves = append(s.Moves, uint8(m))
		if q.Wins {
			s.Ranks, s.Longest = append(s.Ranks, rank), max(s.Longest, rank)
		}
	}
	if q.Wins && root.Turn() != q.Seat {
		s.Longest++ // by the reply
	}
	return s, nil
}

// ReadRanked reads the strategy of a claim about root, given by its moves as certificates have them. Their ranks were
// checked, and are of no use to who plays.
func ReadRanked[P oxo.Position[P]](g *oxo.Game[P], root P, seat oxo.Seat, list []uint8) (*Ranked[P], error) {
	s := &Ranked[P]{moves: map[P]oxo.Move{}}
	_, err := FollowRanked(g, root, Question{Seat: seat}, func(p P) (m oxo.Move, rank int, err error) {
		if len(list) == 0 {
			return 0, 0, errors.New("the certificate has too few moves")
		}
		m, list = oxo.Move(list[0]), list[1:]
		s.moves[p] = m
		return m, 0, nil
	})
	return s, err
}

// Move returns the strategy's move in p, which is always a listed one; ErrNoAnswer where the strategy does not come to
// p, or the other side is to move there.
func (s *Ranked[P]) Move(p P) (m oxo.Move, listed bool, err error) {
	m, ok := s.moves[p]
	if !ok {
		return 0, false, ErrNoAnswer
	}
	return m, true, nil
}

// Kept returns false: a game that goes on can still be lost by another move than the strategy's.
func (s *Ranked[P]) Kept(P) bool { return false }
