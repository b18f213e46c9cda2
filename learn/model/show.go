package model

import (
	"cmp"
	"slices"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/show"
	"oxo/message"
)

// Show tells how many boxes and beads each seat has, and lists the first boxes with what is in them.
func (m *menace) Show(most int) show.Shown {
	var shown show.Shown
	for seat := range oxo.Chance {
		boxes, beads := m.countBoxes(seat)
		shown.Tell(message.Of("brain.of."+seat.String(), message.Args{
			"boxes": show.CountMessage(boxes, "box", "boxes"), "beads": show.CountMessage(beads, "bead", "beads")}))
	}
	empty := 0
	for b, n := range m.holder {
		if m.total[b] == 0 {
			empty++
		}
		if b >= most {
			continue
		}
		box := show.Box{Position: m.space.Format(n), Turn: m.space.Turn(n).String(), Stage: int(m.stage[b]) + 1}
		for k, c := range m.beads[m.from[b]:m.from[b+1]] {
			edge := int(m.edgeAt[int(m.place[n])+k])
			box.Beads = append(box.Beads, show.Beads{Move: m.space.FormatMove(n, edge), Beads: int(c)})
		}
		shown.Boxes = append(shown.Boxes, box)
	}
	shown.Tell(show.CountMessage(empty, "empty", "empties"))
	if m.rare > 0 {
		shown.Tell(message.Of("brain.rare", message.Args{"share": option.Plain(m.rare)}))
	}
	return shown
}

// Probes are the beads of the first box.
func (m *menace) Probes() (of string, names []string, take func() []float64) {
	b := m.boxOf[m.space.Start]
	if b < 0 {
		return "", nil, nil
	}
	for k := range m.beads[m.from[b]:m.from[b+1]] {
		names = append(names, "beads on "+m.space.FormatMove(m.space.Start,
			int(m.edgeAt[int(m.place[m.space.Start])+k])))
	}
	return "beads", names, func() []float64 {
		var list []float64
		for _, c := range m.beads[m.from[b]:m.from[b+1]] {
			list = append(list, float64(c))
		}
		return list
	}
}

// Show lists the weights, each beside the one that least squares over all examples so far would give.
func (l *linear) Show(int) show.Shown {
	fitted := make([]float64, len(l.w))
	l.fitted.SolveInto(fitted)
	var shown show.Shown
	shown.Tell(message.Of("brain.linear", message.Args{"weights": show.CountMessage(len(l.w), "weight", "weights"),
		"set": l.set, "win": hundred}))
	for i, name := range l.features.Names {
		shown.Weights = append(shown.Weights, show.Weight{Feature: name, Weight: l.w[i], Fitted: &fitted[i]})
	}
	return shown
}

func (l *linear) Probes() (of string, names []string, take func() []float64) {
	return "weights", l.features.Names, func() []float64 { return slices.Clone(l.w) }
}

// Show lists the weights that it plays by, and how many steps were refused.
func (l *leafLearner) Show(int) show.Shown {
	var shown show.Shown
	shown.Tell(message.Of("brain.leaves", message.Args{"weights": show.CountMessage(len(l.w), "weight", "weights"),
		"set": l.set, "plies": show.CountMessage(l.depth, "ply", "plies"),
		"steps": show.CountMessage(l.refused, "step", "steps")}))
	for i, name := range l.search.Features().Names {
		shown.Weights = append(shown.Weights, show.Weight{Feature: name, Weight: l.playingWeights()[i]})
	}
	return shown
}

func (l *leafLearner) Probes() (of string, names []string, take func() []float64) {
	return "weights", l.search.Features().Names, func() []float64 { return slices.Clone(l.playingWeights()) }
}

// Show lists the weights of the champion.
func (v *evolve) Show(int) show.Shown {
	var shown show.Shown
	shown.Tell(message.Of("brain.evolve", message.Args{
		"individuals": show.CountMessage(v.size, "individual", "individuals"), "generation": v.generation}))
	if v.generation == 0 {
		shown.Tell(message.Of("brain.evolve.none", message.Args{"games": v.size * v.games}))
	}
	for i, name := range v.features.Names {
		shown.Weights = append(shown.Weights, show.Weight{Feature: name, Weight: v.champion[i]})
	}
	return shown
}

func (v *evolve) Probes() (of string, names []string, take func() []float64) {
	return "weights", v.features.Names, func() []float64 { return slices.Clone(v.champion) }
}

// Show lists the examples that are worth most to who moved there.
func (h *nearestModel) Show(most int) show.Shown {
	var list []show.Valued
	for i := range h.stored {
		e := &h.stored[i]
		list = append(list, show.Valued{Position: h.space.Format(e.node), Seat: e.mover.String(), Worth: e.mean()})
	}
	shown := show.Shown{Positions: mostWorth(list, most)}
	shown.Tell(show.CountMessage(len(list), "example", "examples"))
	return shown
}

func (h *nearestModel) Probes() (of string, names []string, take func() []float64) {
	return "", nil, nil
}

// mostWorth returns the positions of the most worth. Of equal ones the order stays. The list is sorted in place.
func mostWorth(list []show.Valued, most int) []show.Valued {
	slices.SortStableFunc(list, func(a, b show.Valued) int { return cmp.Compare(b.Worth, a.Worth) })
	return list[:min(most, len(list))]
}
