package model

import (
	"oxo/learn/space"
)

// Looked is what a learner makes of a move: how likely it is to make it in earnest, and, where its kind has that, what
// it thinks it worth to the side that makes it and the beads that stand for it. Of moves that symmetry merges MENACE
// has beads for one only.
type Looked struct {
	Move  string   `json:"move"`
	Odds  float64  `json:"odds" doc:"the probability that it makes the move"`
	Worth *float64 `json:"worth,omitempty" doc:"what the move is thought to be worth to who makes it"`
	Beads *int     `json:"beads,omitempty" doc:"beads of the move, of matchboxes"`
	Near  []Near   `json:"near,omitempty" doc:"stored examples that the worth is taken from"`
}

// Near is a stored example that the worth of a move is taken from: how many squares
// apart from the position that the move leads to, and what it is worth.
type Near struct {
	Position string  `json:"position"`
	Apart    int     `json:"apart" doc:"squares that differ"`
	Worth    float64 `json:"worth" doc:"what the example is worth"`
}

// Looker is a memory that says more of a position's moves than how likely it is to make them.
type Looker interface {
	Look(n space.Node, moves []Looked)
}

// Look adds what each move is worth.
func (g *greedy) Look(n space.Node, moves []Looked) {
	for e, c := range g.space.Children(n) {
		v := g.worth.Worth(n, e, c)
		moves[e].Worth = &v
	}
}

// Look adds what the model says of moves beside their worth.
func (b *valueLearner) Look(n space.Node, moves []Looked) {
	b.greedy.Look(n, moves)
	if m, ok := b.valueModel.(Looker); ok {
		m.Look(n, moves)
	}
}

// Look is that of the champion.
func (v *evolve) Look(n space.Node, moves []Looked) {
	playing := v.playing
	v.playing = [2][]float64{v.champion, v.champion}
	v.greedy.Look(n, moves)
	v.playing = playing
}

// Look adds the beads of n's box.
func (m *menace) Look(n space.Node, moves []Looked) {
	b := m.boxOf[n]
	if b < 0 {
		return
	}
	for k, c := range m.beads[m.from[b]:m.from[b+1]] {
		beads := int(c)
		moves[m.edgeAt[int(m.place[n])+k]].Beads = &beads
	}
}

// Boxed is a memory that keeps boxes.
type Boxed interface {
	// Box returns the box that the learner draws from in n, or -1.
	Box(n space.Node) int
}

func (m *menace) Box(n space.Node) int { return int(m.boxOf[n]) }
