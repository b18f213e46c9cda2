// Package mean is a learner: a position is worth the mean of how the games through it ended.
package mean

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"oxo"
	"oxo/lab"
	"oxo/learn/model"
	"oxo/learn/option"
	"oxo/learn/show"
	"oxo/learn/space"
)

// Learner is the learner.
var Learner = lab.Learner{Name: "mean", About: "the mean of how games ended through every position",
	Read: func(o *option.Reader) any {
		return o.Number("epsilon", "0.1", 0, 1, "probability of a random move while learning")
	},
	Build: func(s *space.Space, epsilon any, _ *rand.Rand) (*model.Learner, error) {
		if err := s.RequireComplete("a mean"); err != nil {
			return nil, err
		}
		m := &means{space: s, of: make([]mean, s.Len())}
		return &model.Learner{Hypothesis: model.NewGreedy(s, m, epsilon.(float64)), Critic: m, Generalizer: m,
			Memory: m}, nil
	},
}

// mean is what is known of the positions of a class: how many games came through, and what they were worth together
// to the side that moved there.
type mean struct{ Games, Worth float64 }

// means are three of the four modules: the critic, the generalizer and the memory.
type means struct {
	space *space.Space
	of    []mean // by the class of a position
}

// Worth returns what a move is worth to who makes it; one that was never made is worth a draw.
func (m *means) Worth(_ space.Node, _ int, child space.Node) float64 {
	x := m.of[m.space.Class(child)]
	return x.Worth / max(1, x.Games)
}

// LearnGame makes an example of every move.
func (m *means) LearnGame(t *model.Trace, g model.Generalizer) {
	for i := range t.Choices {
		if seat := m.space.Turn(t.Nodes[i]); seat != oxo.Chance {
			g.Learn(model.Example{Node: t.Nodes[i+1], Seat: seat, Target: space.Sign(seat) * t.Worth})
		}
	}
}

// Learn takes an example into the mean.
func (m *means) Learn(e model.Example) {
	x := &m.of[m.space.Class(e.Node)]
	x.Games++
	x.Worth += e.Target
}

// Save returns the means by position.
func (m *means) Save() any {
	known := map[string]mean{}
	for n, x := range m.of {
		if x.Games > 0 {
			known[m.space.Format(space.Node(n))] = x
		}
	}
	return known
}

// Load reads what Save returned, from a file that may hold anything.
func (m *means) Load(data json.RawMessage) error {
	var known map[string]mean
	if err := json.Unmarshal(data, &known); err != nil {
		return err
	}
	clear(m.of)
	for position, x := range known {
		n, err := m.space.Find(position)
		if err != nil {
			return err
		}
		if !(x.Games >= 1 && x.Worth >= -x.Games && x.Worth <= x.Games) {
			return fmt.Errorf("%q can't be worth %v in %v games", position, x.Worth, x.Games)
		}
		m.of[n] = x
	}
	return nil
}

// Check finds nothing: means stay within −1 and 1.
func (m *means) Check() error { return nil }

// Bytes returns about how much memory the means take.
func (m *means) Bytes() int64 { return 16 * int64(len(m.of)) }

// Show tells how many positions were met.
func (m *means) Show(int) show.Shown {
	return show.Shown{Summary: []string{fmt.Sprintf("%d positions were met", len(m.Save().(map[string]mean)))}}
}

// Probes has nothing to plot.
func (m *means) Probes() (of string, names []string, take func() []float64) { return "", nil, nil }
