package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"oxo"
)

// Shown is what a learner has learned, for people and programs. What a kind
// of learner does not have is left out.
type Shown struct {
	Summary   []string `json:"summary"`
	Weights   []Weight `json:"weights,omitempty"`
	Boxes     []Box    `json:"boxes,omitempty"`
	Positions []Valued `json:"positions,omitempty"`
	Rules     []string `json:"rules,omitempty"` // sentences
	Last      []Step   `json:"last,omitempty"`  // the last game that was learned from
}

// Weight is a feature's weight, beside the one that least squares gives over
// all examples where they were collected.
type Weight struct {
	Feature string   `json:"feature"`
	Weight  float64  `json:"weight"`
	Fitted  *float64 `json:"least_squares,omitempty"`
}

// Box is a matchbox: a position, one of its class, and its beads.
type Box struct {
	Position string  `json:"position"`
	Turn     string  `json:"turn" enum:"first,second,chance"`
	Stage    int     `json:"stage"` // the mover's how many-th move it is for, from 1
	Beads    []Beads `json:"beads"`
}

// Beads are the beads of one colour, which stands for a move.
type Beads struct {
	Move  string `json:"move"`
	Beads int    `json:"beads"`
}

// Valued is a position, or a move in it, and what it is thought to be worth
// to a seat.
type Valued struct {
	Position string  `json:"position"`
	Move     string  `json:"move,omitempty"`
	Seat     string  `json:"seat"`
	Worth    float64 `json:"worth"`
}

// shownNumber is a number as four decimals show it: what is rounded to zero has no sign.
func shownNumber(x float64) float64 { return math.Round(x*1e4)/1e4 + 0 }

// String draws it as text.
func (s Shown) String() string {
	var b strings.Builder
	for _, line := range s.Summary {
		fmt.Fprintln(&b, line)
	}
	for _, w := range s.Weights {
		fmt.Fprintf(&b, "%12.4f  %s", shownNumber(w.Weight), w.Feature)
		if w.Fitted != nil {
			fmt.Fprintf(&b, "  (least squares %.4f)", shownNumber(*w.Fitted))
		}
		fmt.Fprintln(&b)
	}
	for _, r := range s.Rules {
		fmt.Fprintln(&b, r)
	}
	for _, x := range s.Boxes {
		fmt.Fprintf(&b, "%s ", x.Position)
		for _, c := range x.Beads {
			fmt.Fprintf(&b, " %s=%d", c.Move, c.Beads)
		}
		fmt.Fprintln(&b)
	}
	for _, v := range s.Positions {
		fmt.Fprintf(&b, "%12.4f  to %-6s  %s %s\n", shownNumber(v.Worth), v.Seat, v.Position, v.Move)
	}
	return b.String()
}

func (m *menace) Show(most int) Shown {
	var shown Shown
	for seat := range oxo.Chance {
		boxes, beads := m.countBoxes(seat)
		shown.Summary = append(shown.Summary, fmt.Sprintf("%s of the %s player with %s",
			countOf(boxes, "box", "boxes"), seat, countOf(beads, "bead", "beads")))
	}
	empty := 0
	for b, n := range m.holder {
		if m.total[b] == 0 {
			empty++
		}
		if b >= most {
			continue
		}
		box := Box{Position: m.space.Format(n), Turn: m.space.Turn(n).String(), Stage: int(m.stage[b]) + 1}
		for k, c := range m.beads[m.from[b]:m.from[b+1]] {
			edge := int(m.edgeAt[int(m.place[n])+k])
			box.Beads = append(box.Beads, Beads{m.space.FormatMove(n, edge), int(c)})
		}
		shown.Boxes = append(shown.Boxes, box)
	}
	shown.Summary = append(shown.Summary, countOf(empty, "box is empty", "boxes are empty"))
	return shown
}

// Probes are the beads of the first box.
func (m *menace) Probes() ([]string, func() []float64) {
	b := m.boxOf[m.space.Start]
	if b < 0 {
		return nil, nil
	}
	var names []string
	for k := range m.beads[m.from[b]:m.from[b+1]] {
		names = append(names, "beads on "+m.space.FormatMove(m.space.Start,
			int(m.edgeAt[int(m.place[m.space.Start])+k])))
	}
	return names, func() []float64 {
		var list []float64
		for _, c := range m.beads[m.from[b]:m.from[b+1]] {
			list = append(list, float64(c))
		}
		return list
	}
}

func (l *linear) show(int) Shown {
	fitted := make([]float64, len(l.w))
	l.fitted.SolveInto(fitted)
	shown := Shown{Summary: []string{fmt.Sprintf("%s of the features %s; a win is worth %d",
		countOf(len(l.w), "weight", "weights"), l.set, hundred)}}
	for i, name := range l.features.Names {
		shown.Weights = append(shown.Weights, Weight{name, l.w[i], &fitted[i]})
	}
	return shown
}

func (l *linear) probes() ([]string, func() []float64) {
	return l.features.Names, func() []float64 { return slices.Clone(l.w) }
}

func (l *leafLearner) Show(int) Shown {
	shown := Shown{Summary: []string{fmt.Sprintf("%s of the features %s at leaves %s ahead; %s refused",
		countOf(len(l.w), "weight", "weights"), l.set, countOf(l.depth, "ply", "plies"),
		countOf(l.refused, "step", "steps"))}}
	for i, name := range l.search.Features().Names {
		shown.Weights = append(shown.Weights, Weight{Feature: name, Weight: l.playingWeights()[i]})
	}
	return shown
}

func (l *leafLearner) Probes() ([]string, func() []float64) {
	return l.search.Features().Names, func() []float64 { return slices.Clone(l.playingWeights()) }
}

func (v *evolve) Show(int) Shown {
	shown := Shown{Summary: []string{fmt.Sprintf("the best of %s in generation %d",
		countOf(v.size, "individual", "individuals"), v.generation)}}
	for i, name := range v.features.Names {
		shown.Weights = append(shown.Weights, Weight{Feature: name, Weight: v.champion[i]})
	}
	return shown
}

func (v *evolve) Probes() ([]string, func() []float64) {
	return v.features.Names, func() []float64 { return slices.Clone(v.champion) }
}

func (h *nearestModel) show(most int) Shown {
	var list []Valued
	for i := range h.stored {
		e := &h.stored[i]
		list = append(list, Valued{Position: h.space.Format(e.node), Seat: e.mover.String(), Worth: e.mean()})
	}
	return Shown{Summary: []string{countOf(len(list), "example", "examples")}, Positions: mostWorth(list, most)}
}

func (h *nearestModel) probes() ([]string, func() []float64) { return nil, nil }

// countOf counts things: 1 box, 2 boxes.
func countOf[N int | int32](n N, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// mostWorth returns the positions of the most worth.
func mostWorth(list []Valued, most int) []Valued {
	slices.SortStableFunc(list, func(a, b Valued) int { return cmp.Compare(b.Worth, a.Worth) })
	return list[:min(most, len(list))]
}
