package mcts

import (
	"math"
	"testing"

	"oxo"
)

// TestSchedule checks how often what changes slowly is worked out, and that what
// is looked up is what was worked out for the last of those numbers of visits.
func TestSchedule(t *testing.T) {
	last, steps := uint32(0), 0
	for visits := uint32(1); visits < 1<<20; visits++ {
		if isScheduled(visits) {
			if grown := float64(visits) / float64(max(last, 1)); last >= 8 && (grown < 1.14 || grown > 1.26) {
				t.Fatalf("%d and then %d", last, visits)
			}
			last, steps = visits, steps+1
		}
		if got, want := weights[scheduleIndex(visits)],
			math.Pow(float64(last), biasWeight); math.Abs(got-want) > 1e-9*want {
			t.Fatalf("%d visits weigh %v, want %v", visits, got, want)
		}
		if got, want := exploreGrowth(visits), 1+math.Log1p(float64(last)/1000)/2; math.Abs(got-want) > 1e-9 {
			t.Fatalf("PUCT's constant grows %v times with %d visits, want %v", got, visits, want)
		}
	}
	if want := 7 + 4*17; steps != want {
		t.Errorf("%d steps up to 2²⁰, want %d", steps, want)
	}
	if i := int(scheduleIndex(math.MaxUint32)); i >= len(weights) {
		t.Errorf("the most visits are number %d of %d", i, len(weights))
	}
}

// wins are the payoffs of games that are won, drawn or lost.
var wins = oxo.Interval{Lo: -1, Hi: 1}

// countdown is a game whose positions are numbers: a move takes 1 or 2 off, and
// who takes the last wins.
type countdown struct {
	left int8
	turn oxo.Seat
}

func (p countdown) Turn() oxo.Seat { return p.turn }

func (p countdown) Outcome() oxo.Outcome {
	if p.left > 0 {
		return oxo.Ongoing
	}
	return oxo.WinFor(p.turn.Other())
}

func (p countdown) Moves(buf []oxo.Move) []oxo.Move {
	for m := oxo.Move(1); m <= 2 && int8(m) <= p.left; m++ {
		buf = append(buf, m)
	}
	return buf
}

func (p countdown) Play(m oxo.Move) countdown {
	return countdown{p.left - int8(m), p.turn.Other()}
}

// TestBias checks by hand what a position tells of the evaluation's error and
// what others of its kin make of it.
func TestBias(t *testing.T) {
	g := &oxo.Game[countdown]{Spec: "countdown", Start: countdown{left: 20}, MaxMoves: 2, MaxPlies: 20}
	o := &Options[countdown]{Sampling: Sampling{TreeBytes: 4 << 20},
		Eval: func(countdown) float64 { return 0.1 }, Bounds: wins,
		BiasKeys: func(p countdown, m oxo.Move, after countdown) [2]uint32 {
			return [2]uint32{uint32(after.left % 3), 1<<15 + uint32(m)}
		},
	}
	s := newSampler(g, g.Start, o, 0, 1)
	a, b := g.Start.Play(1), g.Start.Play(2)
	i := uint32(s.nodes.n)
	s.addNode(node{sum: 0.1 + 4*0.6, move: 1}, record{judged: 0.1})
	s.addNode(node{sum: 0.1, move: 2}, record{judged: 0.1})

	// Four results of 0.6 after a first word of 0.1 make a mean of 0.5, which is
	// 0.4 more than the evaluation said.
	s.learnBias(i, 4, g.Start, a)
	weight := math.Pow(4, 0.8)
	share := 0.4 * 0.4 * weight / (weight + 1)
	near := func(what string, got float32, want float64) {
		t.Helper()
		if math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("%s: expected %v, want %v", what, got, want)
		}
	}
	near("one of both kinds", s.biases.correction(o.BiasKeys(g.Start, 1, a)), 2*share)
	near("one of neither", s.biases.correction(o.BiasKeys(g.Start, 2, b)), 0)
	near("one with the same move", s.biases.correction(o.BiasKeys(b, 1, b.Play(1))), share)

	// What it tells later takes the place of what it told before.
	s.nodes.at(i).sum = 0.1 + 5*0.1
	s.learnBias(i, 5, g.Start, a)
	near("after more visits", s.biases.correction(o.BiasKeys(g.Start, 1, a)), 0)

	// Corrected worths stay within the game's bounds, and what is over is not
	// corrected.
	s.biases[0][1].sum, s.biases[0][1].weight = 90, 9
	x := &s.one
	x.worths, x.biasKeys, x.over = []float32{0.9, 0.3, 0.2}, [][2]uint32{{1, 9}, {1, 9}, {2, 9}}, []int{1}
	s.correctWorthsByBias(x)
	near("beyond a win", x.worths[0], 1)
	near("over", x.worths[1], 0.3)
	near("of other kin", x.worths[2], 0.2)
	near("as it was", x.judged[0], 0.9)
}

// TestDoubt checks by hand what the spread of results makes of PUCT's constant.
func TestDoubt(t *testing.T) {
	g := &oxo.Game[countdown]{Spec: "countdown", Start: countdown{left: 20}, MaxMoves: 2, MaxPlies: 20}
	s := newSampler(g, g.Start, &Options[countdown]{Eval: func(countdown) float64 { return 0 }, Bounds: wins}, 0, 1)
	for _, c := range []struct {
		results []float64 // and the evaluation's word, which is 0
		want    float64
	}{
		{nil, 1 + 0.85*(math.Sqrt(8./9)-1)},
		// Seven of 0: eight results without any spread beside the eight usual ones.
		{make([]float64, 7), 1 + 0.85*(math.Sqrt(0.5)-1)},
		// A variance of 0.25, on average with 0.04.
		{[]float64{1, 1, 1, 1, 0, 0, 0}, 1 + 0.85*(math.Sqrt((0.25+0.04)/2)/0.2-1)},
	} {
		n := node{}
		for _, v := range c.results {
			n.sum += v
			n.squares += float32(v * v)
		}
		if got := s.explorationVarianceFactor(&n, uint32(len(c.results))); math.Abs(float64(got)-c.want) > 1e-5 {
			t.Errorf("%v: %v times PUCT's constant, want %v", c.results, got, c.want)
		}
	}
}
