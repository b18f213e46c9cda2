package exam

import (
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/games/race"
	"oxo/games/tree"
	"oxo/learn/space"
)

// slowScore is the slow twin of scorer: it walks the whole game tree, meeting
// each position as often as there are ways to it. other is nil for the best
// response.
func slowScore(a *space.Graph[board.Pos64], p board.Pos64, seat oxo.Seat, own, other space.Mix) prospect {
	if o := p.Outcome(); o != oxo.Ongoing {
		v := o.Value(seat)
		return prospect{win: truth(v == oxo.Win), loss: truth(v == oxo.Loss), worth: float64(v)}
	}
	n, _ := a.Node(p)
	var sum prospect
	moves := 0.0
	for e, m := range p.Moves(nil) {
		q := slowScore(a, p.Play(m), seat, own, other)
		from, _ := a.Edges(n)
		at := int(from) + e
		w := 0.0
		switch {
		case p.Turn() == seat:
			w = own[at]
			moves += w
		case other != nil:
			w = other[at]
		case e == 0 || q.worth < sum.worth-1e-12 || q.worth < sum.worth+1e-12 && q.loss > sum.loss+1e-12:
			sum, w = prospect{}, 1
		}
		sum.win += w * q.win
		sum.loss += w * q.loss
		sum.resigned += w * q.resigned
		sum.worth += w * q.worth
	}
	if p.Turn() == seat {
		gives := 1 - moves
		sum.resigned, sum.loss, sum.worth = sum.resigned+gives, sum.loss+gives, sum.worth-gives
	}
	return sum
}

// anyMix is some way to play: here and there it leaves moves out.
func anyMix(s *space.Space, seed uint64) space.Mix {
	r := rand.New(rand.NewPCG(seed, 1))
	m := make(space.Mix, s.EdgeCount())
	for n := range s.Len() {
		w := m.Of(s, space.Node(n))
		sum := 0.0
		for e := range w {
			w[e] = float64(r.IntN(4))
			sum += w[e]
		}
		for e := range w {
			if sum == 0 {
				w[e] = 1 / float64(len(w))
			} else {
				w[e] /= sum
			}
		}
	}
	return m
}

func TestExamTwin(t *testing.T) {
	a := ttt(t)
	own, other := anyMix(a.Space, 1), anyMix(a.Space, 2)
	for n := 0; n < a.Len(); n += 7 { // here it gives up in one game of four
		for e := range own.Of(a.Space, space.Node(n)) {
			own.Of(a.Space, space.Node(n))[e] *= 0.75
		}
	}
	x := newScorer(a.Space, own)
	for seat := range oxo.Chance {
		x.seat = seat
		for _, against := range []space.Mix{other, nil} {
			score, worth := x.scoreAgainst(against)
			want := slowScore(a, a.Game.Start, seat, own, against)
			if math.Abs(score.Win-want.win)+math.Abs(score.Loss-want.loss)+math.Abs(score.Resigned-want.resigned)+
				math.Abs(worth-want.worth) > 1e-9 || score.Resigned == 0 {
				t.Errorf("%v: %+v worth %v, the twin finds %+v", seat, score, worth, want)
			}
		}
	}
}

// TestExamElsewhere: in games of other rules, with chance and with gravity,
// perfect play is unexploitable and makes no mistakes, and the two seats of a
// player against itself add up.
func TestExamElsewhere(t *testing.T) {
	slippery := board.Normal
	slippery.Name, slippery.Slip = "slip", 0.25
	for _, c := range []struct {
		shape grid.Shape
		rules board.Rules
	}{
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Misere},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Maker},
		{grid.Shape{Cols: 3, Rows: 3, Run: 3}, slippery},
		{grid.Shape{Cols: 4, Rows: 3, Run: 3, Gravity: true}, board.Normal},
	} {
		a := whole64(t, c.shape, c.rules)
		x := examiner(t, a)
		e := x.Exam(space.UniformOverBest(a.Space))
		if e.Exploitability > 1e-9 || e.AsFirst.Mistakes+e.AsSecond.Mistakes != 0 ||
			math.Abs(*e.AsFirst.VsRandom.Optimal-1) > 1e-9 {
			t.Errorf("%+v %s: perfect play is found wanting: %+v", c.shape, c.rules.Name, e)
		}
		e = x.Exam(x.Random())
		if r, s := e.AsFirst.VsRandom, e.AsSecond.VsRandom; math.Abs(r.Win-s.Loss)+math.Abs(r.Loss-s.Win) > 1e-9 ||
			e.Exploitability <= 0 {
			t.Errorf("%+v %s: random play %+v", c.shape, c.rules.Name, e)
		}
	}
}

// TestExamLoopy: where play can go in circles. In the race of 4 First wins;
// a random player wins as often as two of them do on the whole.
func TestExamLoopy(t *testing.T) {
	g, err := race.New(4)
	if err != nil {
		t.Fatal(err)
	}
	a, err := space.Enumerate(t.Context(), g, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Loopy() || a.Value(a.Start) != 1 {
		t.Fatalf("loopy %v, worth %v to first; want a loopy game that first wins", a.Loopy(), a.Value(a.Start))
	}
	x := examiner(t, a)
	e := x.Exam(x.Random())
	r, s := e.AsFirst.VsRandom, e.AsSecond.VsRandom
	if math.Abs(r.Win+r.Loss-1) > 1e-9 || math.Abs(r.Win-s.Loss) > 1e-9 || r.Win < 0.5 || r.Optimal != nil {
		t.Errorf("random play %+v and %+v", r, s)
	}
}

// TestExamTree: a tree with chance nodes and payoffs, facts' §7.
func TestExamTree(t *testing.T) {
	g, ok := tree.Builtin("chance")
	if !ok {
		t.Fatal("no such tree")
	}
	a, err := space.Enumerate(t.Context(), g, 1000)
	if err != nil {
		t.Fatal(err)
	}
	if v := a.Value(a.Start) * a.Scale; v != 1.5 {
		t.Errorf("worth %v, want 1.5", v)
	}
	x := examiner(t, a)
	if e := x.Exam(space.UniformOverBest(a.Space)); e.Exploitability > 1e-12 {
		t.Errorf("perfect play %+v", e)
	}
	if e := x.Exam(x.Random()); e.AsFirst.Exploitability != 1 { // in payoffs of the tree
		t.Errorf("random play as first loses %v, want 1: half of 1.5 and half of -0.5", e.AsFirst.Exploitability)
	}
}
