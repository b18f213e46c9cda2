package learn

import (
	"context"
	"errors"
	"math/rand/v2"

	"oxo"
	"oxo/learn/model"
	"oxo/learn/space"
)

// Player is a learner's hypothesis as a player: it plays in earnest and learns
// nothing. It belongs to one goroutine.
type Player[P oxo.Position[P]] struct {
	graph      *space.Graph[P]
	hypothesis model.Hypothesis
	rand       *rand.Rand
	moves      []oxo.Move
	odds       []float64
}

// NewPlayer returns the player of a trainer's hypothesis. The graph must be the
// one that the trainer learns on.
func NewPlayer[P oxo.Position[P]](a *space.Graph[P], t *Trainer, r *rand.Rand) *Player[P] {
	return &Player[P]{graph: a, hypothesis: t.Performance.Hypothesis, rand: r}
}

// Policy sets w to the probabilities of the moves. A learner may resign instead:
// what is missing from 1 is the probability of that.
// w has a place for each of moves; it is all zeros where the graph does not have the position.
func (m *Player[P]) Policy(p P, moves []oxo.Move, w []float64) {
	clear(w)
	if n, err := m.graph.Node(p); err == nil {
		m.hypothesis.Odds(n, w)
	}
}

// Choose draws a move.
// It resigns where that is drawn, or where the learner gives no move a probability.
func (m *Player[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	if p.Outcome() != oxo.Ongoing {
		return oxo.Choice{Move: oxo.NoMove}, errors.New("the game is over: there is no move to choose")
	}
	n, err := m.graph.Node(p)
	if err != nil {
		return oxo.Choice{Move: oxo.NoMove}, err
	}
	m.moves = p.Moves(m.moves[:0])
	m.odds = append(m.odds[:0], make([]float64, len(m.moves))...)
	end := model.ThinkWithin(ctx, m.hypothesis)
	m.hypothesis.Odds(n, m.odds)
	end()
	if err := space.CheckOdds(m.odds); err != nil {
		return oxo.Choice{Move: oxo.NoMove}, err
	}
	x, last := m.rand.Float64(), -1
	sum := 0.0
	for e, w := range m.odds {
		if sum += w; w > 0 {
			last = e
			if x < sum {
				return oxo.Choice{Move: m.moves[e]}, nil
			}
		}
	}
	if last < 0 || sum < 1-1e-9 {
		return oxo.Choice{Move: oxo.NoMove, Resign: true}, nil
	}
	return oxo.Choice{Move: m.moves[last]}, nil
}
