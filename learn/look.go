package learn

import (
	"context"
	"math"

	"oxo"
	"oxo/learn/space"
)

// Look is what a learner makes of one position.
type Look struct {
	Position string   `json:"position"`
	Turn     string   `json:"turn"`
	Resigns  float64  `json:"resigns"` // the probability that it resigns in earnest
	Moves    []Looked `json:"moves"`   // none where the game is over or chance is to act
}

// Looked is what a learner makes of a move: how likely it is to make it in
// earnest, and, where its kind has that, what it thinks it worth to the side
// that makes it and the beads that stand for it. Of moves that symmetry merges
// MENACE has beads for one only.
type Looked struct {
	Move  string   `json:"move"`
	Odds  float64  `json:"odds"`
	Worth *float64 `json:"worth,omitempty"`
	Beads *int     `json:"beads,omitempty"`
	Near  []Near   `json:"near,omitempty"`
}

// Near is a stored example that the worth of a move is taken from: how many squares
// apart from the position that the move leads to, and what it is worth.
type Near struct {
	Position string  `json:"position"`
	Apart    int     `json:"apart"`
	Worth    float64 `json:"worth"`
}

// Look says what the trainer makes of a position. Where ctx is done, a learner
// that searches says what it has come to.
func (t *Trainer) Look(ctx context.Context, n space.Node) Look {
	s := t.space
	l := Look{Position: s.Format(n), Turn: s.Turn(n).String(), Moves: []Looked{}}
	if s.Over(n) || s.Turn(n) == oxo.Chance {
		return l
	}
	odds := make([]float64, len(s.Children(n)))
	end := within(ctx, t.Performance.Hypothesis)
	t.Performance.Hypothesis.Odds(n, odds)
	end()
	l.Resigns = 1
	for e, w := range odds {
		l.Moves = append(l.Moves, Looked{Move: s.FormatMove(n, e), Odds: w})
		l.Resigns -= w
	}
	l.Resigns = max(0, math.Round(l.Resigns*1e12)/1e12)
	if m, ok := t.memory.(looker); ok {
		m.look(n, l.Moves)
	}
	return l
}

// looker is a memory that says more of a position's moves than how likely it
// is to make them.
type looker interface {
	look(n space.Node, moves []Looked)
}

// look adds what each move is worth.
func (g *greedy) look(n space.Node, moves []Looked) {
	for e, c := range g.space.Children(n) {
		v := g.worth.worth(n, e, c)
		moves[e].Worth = &v
	}
}

// look adds what the model says of moves beside their worth.
func (b *bench) look(n space.Node, moves []Looked) {
	b.greedy.look(n, moves)
	if m, ok := b.model.(looker); ok {
		m.look(n, moves)
	}
}

// look is that of the champion.
func (v *evolve) look(n space.Node, moves []Looked) {
	playing := v.playing
	v.playing = [2][]float64{v.champion, v.champion}
	v.greedy.look(n, moves)
	v.playing = playing
}

// look adds the beads of n's box.
func (m *menace) look(n space.Node, moves []Looked) {
	b := m.boxOf[n]
	if b < 0 {
		return
	}
	for k, c := range m.beads[m.from[b]:m.from[b+1]] {
		beads := int(c)
		moves[m.edgeAt[int(m.place[n])+k]].Beads = &beads
	}
}

// Step is a move of a game and the box that it was drawn from, by its place in
// the list of boxes; null where it came from none.
type Step struct {
	Position string `json:"position"`
	Turn     string `json:"turn"`
	Move     string `json:"move"`
	Learner  bool   `json:"learner"` // whether the learner made it
	Box      *int   `json:"box,omitempty"`
}

// boxed is a memory that keeps boxes.
type boxed interface {
	// box returns the box that the learner draws from in n, or -1.
	box(n space.Node) int
}

func (m *menace) box(n space.Node) int { return int(m.boxOf[n]) }

// steps lists the moves of the last game.
func (t *Trainer) steps() []Step {
	if t.last == nil {
		return nil
	}
	var list []Step
	for i := range t.last.Choices {
		list = append(list, t.step(t.last, i))
	}
	return list
}

// step returns the i-th move of a game; one that is empty where it ended in the
// i-th position.
func (t *Trainer) step(trace *Trace, i int) Step {
	n := trace.Nodes[i]
	turn := t.space.Turn(n)
	s := Step{Position: t.space.Format(n), Turn: turn.String(), Learner: turn != oxo.Chance && trace.Learner[turn]}
	if i < len(trace.Choices) {
		s.Move = t.space.FormatMove(n, int(trace.Choices[i].Edge))
	}
	if boxes, ok := t.memory.(boxed); ok && s.Learner {
		if b := boxes.box(n); b >= 0 {
			s.Box = &b
		}
	}
	return s
}
