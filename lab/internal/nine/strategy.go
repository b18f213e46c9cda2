package nine

import (
	"errors"

	"oxo"
	"oxo/games/ultimate"
	"oxo/prove/certificate"
	"oxo/prove/moves"
)

// Strategy is the strategy of a claim about nine boards: a move in every form.
type Strategy struct {
	g     *Game
	moves map[string]oxo.Move
	at    []ultimate.Pos // one position of each form
}

// Each visits the positions in which the strategy moves, one of each form, and those after
// its moves.
func (s *Strategy) Each(visit func(p ultimate.Pos)) {
	for _, p := range s.at {
		visit(p)
		if m, err := s.Move(p); err == nil {
			visit(p.Play(m))
		}
	}
}

// Len returns in how many forms it has a move.
func (s *Strategy) Len() int { return len(s.moves) }

// ErrNoAnswer is of a position to which the strategy does not lead.
var ErrNoAnswer = errors.New("the certificate says nothing of this position")

// Follow reads the strategy of a claim about a position.
func Follow(g *Game, position string, c *certificate.Claim) (*Strategy, error) {
	root, err := g.Parse(position)
	if err != nil {
		return nil, err
	}
	s := &Strategy{g: g, moves: make(map[string]oxo.Move, len(c.Moves))}
	next := 0
	_, err = g.Follow(root, moves.Question{Seat: c.Seat, Wins: c.Wins, Plies: c.Plies},
		func(p ultimate.Pos, form string, _ int) (oxo.Move, bool, error) {
			if next == len(c.Moves) {
				return 0, true, errors.New("the certificate has too few moves")
			}
			m := oxo.Move(c.Moves[next])
			s.moves[form] = m
			s.at = append(s.at, p)
			next++
			return m, true, nil
		})
	return s, err
}

// Move returns the strategy's move in p.
func (s *Strategy) Move(p ultimate.Pos) (oxo.Move, error) {
	form, symmetry := s.g.Form(p)
	if move, ok := s.moves[form]; ok {
		for _, m := range p.Moves(nil) {
			if s.g.Turn(symmetry, m) == move {
				return m, nil
			}
		}
	}
	return 0, ErrNoAnswer
}
