package model

import (
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/learn/space"
)

// TestExpectation: a move is worth the mean of the boards it may lead to, each
// by its odds, finished ones included, and what is learned from is the board
// after chance.
func TestExpectation(t *testing.T) {
	a := slippery(t)
	made := built(t, a.Space, "td:features=counts").Memory.(*valueLearner)
	w := made.valueModel.(*linear)
	random := rand.New(rand.NewPCG(1, 1))
	for i := range w.w {
		w.w[i] = random.NormFloat64()
	}
	boards := 0
	for n := range space.Node(a.Len()) {
		if a.Over(n) || a.Turn(n) == oxo.Chance {
			continue
		}
		p := a.Position(n)
		seat := a.Turn(n)
		for e, m := range p.Moves(nil) {
			q := p.Play(m)
			if q.Outcome() != oxo.Ongoing || q.Turn() != oxo.Chance {
				continue
			}
			want := 0.0
			for _, land := range q.Moves(nil) {
				r := q.Play(land)
				v := hundred * space.Sign(seat) * a.Game.PayoffToFirst(r)
				if r.Outcome() == oxo.Ongoing {
					k, err := a.Node(r)
					if err != nil {
						t.Fatal(err)
					}
					v = dot(w.w, w.features.Of(k, seat))
				}
				want += a.Game.Odds(q, land) * v
			}
			if got := made.Worth(n, e, a.Children(n)[e]); math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
				t.Fatalf("%s: the move %d is worth %v, want %v", a.Format(n), e, got, want)
			}
			boards++
		}
	}
	if boards < 1000 {
		t.Errorf("%d boards before chance", boards)
	}
	trace := Trace{Nodes: []space.Node{a.Start}}
	for n := a.Start; !a.Over(n); trace.Nodes = append(trace.Nodes, n) {
		edge := int32(random.IntN(len(a.Children(n))))
		trace.Choices = append(trace.Choices, Choice{Edge: edge})
		n = a.Children(n)[edge]
	}
	for i := range trace.Choices {
		if n := trace.boardAfterMove(a.Space, i); a.Turn(n) == oxo.Chance && !a.Over(n) {
			t.Errorf("what is learned from is the board %s before chance", a.Format(n))
		}
	}
}
