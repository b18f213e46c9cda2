package learn

import (
	"testing"

	"oxo/board"
	"oxo/learn/exam"
	"oxo/learn/model"
	"oxo/learn/space"
)

// greedily returns m with the moves of the greatest probability alone.
func greedily(s *space.Space, m space.Mix) space.Mix {
	g := make(space.Mix, len(m))
	for n := range s.Len() {
		own, all := g.Of(s, space.Node(n)), m.Of(s, space.Node(n))
		most, count := 0.0, 0.0
		for _, w := range all {
			switch {
			case w > most:
				most, count = w, 1
			case w == most:
				count++
			}
		}
		for e, w := range all {
			if w == most && most > 0 {
				own[e] = 1 / count
			}
		}
	}
	return g
}

// endsWell trains a learner with its usual options and reports where it is not
// unbeatable on both seats at the end, as it plays or greedily.
func endsWell(t *testing.T, a *space.Graph[board.Pos64], x *exam.Examiner, name, against string, games int,
	seed uint64) {
	t.Helper()
	var opponent Opponent
	if against == "pool" {
		opponent = poolOf(a, x)
	}
	l, err := New(a.Space, spec(t, name), Plan{Against: against}, opponent, seed)
	if err != nil {
		t.Fatal(err)
	}
	run(t, l, games)
	m, err := l.Mix(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for how, m := range map[string]space.Mix{"as it plays": m, "greedily": greedily(a.Space, m)} {
		if e := x.Exam(m); e.Exploitability != 0 || e.AsFirst.VsBest.Loss+e.AsSecond.VsBest.Loss > 0 {
			t.Errorf("%s against %s, seed %d, %d games: graded %s it has exploitability %v and %v",
				name, against, seed, games, how, e.AsFirst.Exploitability, e.AsSecond.Exploitability)
		}
	}
}

// usualGames is after how many games a learner with its usual options is
// examined: searching costs time.
func usualGames(name string) int {
	if name == "td-leaf" {
		return 5000
	}
	return 40_000
}

// TestDefaultsEndWell is a short form of TestDefaultsEndWellSeeds.
func TestDefaultsEndWell(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for i, k := range model.Forms() {
		if k.Name != "evolve" && k.Name != "nearest" { // which take their time
			endsWell(t, a, x, k.Name, [2]string{Itself, "pool"}[i%2], usualGames(k.Name), uint64(i))
		}
	}
}

// menaceEnds trains a machine of the studio's first training with that seed: in
// ten thousand games against perfect play, both seats in turn.
func menaceEnds(t *testing.T, a *space.Graph[board.Pos64], x *exam.Examiner, seed uint64) {
	t.Helper()
	best := NewMixOpponent(a.Space, space.UniformOverBest(a.Space))
	l, err := New(a.Space, spec(t, "menace"), Plan{Against: "optimal"}, best,
		seed)
	if err != nil {
		t.Fatal(err)
	}
	run(t, l, 10_000)
	for seat, e := range [2]exam.SeatExam{graded(t, x, l).AsFirst, graded(t, x, l).AsSecond} {
		if s := e.Vs["optimal"]; s.Loss > 0.05 || s.Resigned > 0 {
			t.Errorf("seed %d, seat %d: it loses %.3f against perfect play and resigns %.3f", seed, seat, s.Loss,
				s.Resigned)
		}
	}
}

// TestMenaceEnds is a short form of TestMenaceEndsSeeds.
func TestMenaceEnds(t *testing.T) {
	a := ttt(t)
	x := examinerWith(t, a, "optimal", space.UniformOverBest(a.Space))
	for seed := range uint64(8) {
		menaceEnds(t, a, x, seed)
	}
}
