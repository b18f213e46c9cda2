package learn

import (
	"context"
	"errors"
	"math/rand/v2"

	"oxo"
)

// Mind is a learner's hypothesis as a player: it plays in earnest and learns
// nothing. It belongs to one goroutine.
type Mind[P oxo.Position[P]] struct {
	graph      *Graph[P]
	hypothesis Hypothesis
	rand       *rand.Rand
	moves      []oxo.Move
	odds       []float64
}

// NewMind returns the player of a trainer's hypothesis. The graph must be the
// one that the trainer learns on.
func NewMind[P oxo.Position[P]](a *Graph[P], t *Trainer, r *rand.Rand) *Mind[P] {
	return &Mind[P]{graph: a, hypothesis: t.Performance.Hypothesis, rand: r}
}

// OpenBrain returns the trainer of a brain, to be examined, shown or made a
// mind of, but not to be trained: it has no opponent.
func OpenBrain(s *Space, b *Brain) (*Trainer, error) {
	plain := *b
	plain.Plan = Plan{Against: Itself, Start: "empty"}
	return Resume(s, &plain, nil)
}

// Policy sets w to the probabilities of the moves. A mind may resign instead:
// what is missing from 1 is the probability of that.
func (m *Mind[P]) Policy(p P, moves []oxo.Move, w []float64) {
	clear(w)
	if n, err := m.graph.Node(p); err == nil {
		m.hypothesis.Odds(n, w)
	}
}

// Choose draws a move.
func (m *Mind[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	if p.Outcome() != oxo.Ongoing {
		return oxo.Choice{Move: oxo.NoMove}, errors.New("the game is over: there is no move to choose")
	}
	n, err := m.graph.Node(p)
	if err != nil {
		return oxo.Choice{Move: oxo.NoMove}, err
	}
	m.moves = p.Moves(m.moves[:0])
	m.odds = append(m.odds[:0], make([]float64, len(m.moves))...)
	end := within(ctx, m.hypothesis)
	m.hypothesis.Odds(n, m.odds)
	end()
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
