package exam

import (
	"fmt"
	"maps"
	"slices"
)

// Basis is what the numbers of a measure are of, which says how far they can be believed. Size is 0 where nothing
// is sampled.
type Basis struct {
	Of   string `json:"of" enum:"exam,games,positions,weights,beads,rules,loss" doc:"an exam is exact; games and positions are a sample; the others are the learner's own"`
	Size int    `json:"size,omitempty" doc:"of a sample: how many games or positions each point is of"`
}

// SampleLabel says that a measure is a sample and of what; nothing of one that is none.
func (b Basis) SampleLabel() string {
	switch b.Of {
	case "games", "positions":
		return fmt.Sprintf("a sample of %d %s a point", b.Size, b.Of)
	}
	return ""
}

// Measures returns the exam as numbers: on each seat the percentage of games won, lost and not lost against every
// opponent, and that of points, a draw half of one; the exploitability and the mistakes. They are in the order of
// [Examiner.MeasureNames], first those of First, then those of Second.
func (e *Exam) Measures() (values []float64) {
	for _, s := range []*SeatExam{&e.AsFirst, &e.AsSecond} {
		for _, score := range s.scores() {
			values = append(values, 100*score.Win, 100*score.Loss, 100*(1-score.Loss), 100*score.Points())
		}
		values = append(values, s.Exploitability, float64(s.Mistakes))
	}
	return values
}

// MeasureNames returns the names of an exam's [Exam.Measures], in the same order: opponents are random, the
// heuristic where it knows the game, the others by name, and last the best response.
func (x *Examiner) MeasureNames() (names []string) {
	opponents := []string{"random"}
	if x.heuristic != nil {
		opponents = append(opponents, "heuristic")
	}
	opponents = append(opponents, slices.Sorted(maps.Keys(x.others))...)
	for _, seat := range []string{"as first", "as second"} {
		for _, name := range append(opponents, "the best response") {
			for _, of := range []string{"% won ", "% lost ", "% not lost ", "% score "} {
				names = append(names, of+seat+" against "+name)
			}
		}
		names = append(names, "exploitability "+seat, "mistakes "+seat)
	}
	return names
}

// scores returns the seat's scores against the opponents in the order of
// [Examiner.MeasureNames].
func (e *SeatExam) scores() []Score {
	list := []Score{e.VsRandom}
	if e.VsHeuristic != nil {
		list = append(list, *e.VsHeuristic)
	}
	for _, name := range slices.Sorted(maps.Keys(e.Vs)) {
		list = append(list, e.Vs[name])
	}
	return append(list, e.VsBest)
}
