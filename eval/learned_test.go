package eval_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/eval"
	"oxo/eval/ninenet"
	"oxo/games/meta"
	"oxo/games/ultimate"
)

// TestNetGames checks which games are judged by the net by default.
func TestNetGames(t *testing.T) {
	for _, rules := range []ultimate.Rules{0, ultimate.Most, ultimate.Open} {
		list := eval.EvaluationsFor(ultimate.New(rules))
		if list[0].Name != "net" || list[0].JudgeAll == nil || !list[0].Guides {
			t.Errorf("rules %v: the default is %q", rules, list[0].Name)
		} else if asks := list[0].Proofs > 0; asks != (rules != ultimate.Most) {
			t.Errorf("rules %v: players ask for proofs: %v", rules, asks)
		}
	}
	for _, e := range eval.EvaluationsFor(meta.New()) {
		if e.Name == "net" {
			t.Error("the game of points has an evaluation learned from three in a row")
		}
	}
}

// noRowLeft reports whether neither side can still complete a row of boards.
func noRowLeft(p ultimate.Pos) bool {
	for _, row := range ultimate.Rows {
		for seat := range oxo.Chance {
			if row&(p.Closed()&^p.Owned(seat)) == 0 {
				return false
			}
		}
	}
	return true
}

// TestNetMost checks that where most boards decide, as no row of boards is left
// to either side, the net for that tells far better how random games end than
// the common one does.
func TestNetMost(t *testing.T) {
	common, most := eval.EvaluationsFor(ultimate.New(0))[0], eval.EvaluationsFor(ultimate.New(ultimate.Most))[0]
	r := rand.New(rand.NewPCG(5, 6))
	var wrong [2]float64
	for range 3000 {
		p := ultimate.New(ultimate.Most).Start
		var late []ultimate.Pos
		for p.Outcome() == oxo.Ongoing {
			if noRowLeft(p) {
				late = append(late, p)
			}
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
		end := float64(p.Outcome().Value(oxo.First))
		for _, q := range late {
			for i, net := range []eval.Evaluation[ultimate.Pos]{common, most} {
				wrong[i] += (net.Judge(q) - end) * (net.Judge(q) - end)
			}
		}
	}
	if wrong[0] == 0 || wrong[1] > 0.85*wrong[0] {
		t.Errorf("squared errors of %.0f by the net for most boards, %.0f by the common one", wrong[1], wrong[0])
	}
}

// TestReadNamed checks that a net is read for games on nine boards and no others.
func TestReadNamed(t *testing.T) {
	data := new(ninenet.Net).Bytes()
	if _, err := eval.ReadNetEvaluation(ultimate.New(0), bytes.NewReader(data)); err != nil {
		t.Error(err)
	}
	if _, err := eval.ReadNetEvaluation(gridGame(t, threes, board.Normal), bytes.NewReader(data)); err == nil {
		t.Error("a net is read for 3×3")
	}
	if _, err := eval.ReadNetEvaluation(ultimate.New(0), bytes.NewReader(data[1:])); err == nil {
		t.Error("half a net is read")
	}
}

// TestOfNet checks that the evaluation by a net says what the net does, and asks for proofs
// where three in a row decide.
func TestOfNet(t *testing.T) {
	net := ninenet.NewRandomNet(rand.New(rand.NewPCG(1, 2)))
	for rules, proofs := range map[ultimate.Rules]bool{0: true, ultimate.Open: true, ultimate.Most: false} {
		g := ultimate.New(rules)
		e := eval.NetEvaluation(g, net)
		if got, want := e.Judge(g.Start), net.Judge(g.Start, 0); got-want > 0.01 || want-got > 0.01 {
			t.Errorf("%s: the start is worth %v, by the net %v", g.Spec, got, want)
		}
		if (e.Proofs > 0) != proofs {
			t.Errorf("%s: proofs %v", g.Spec, e.Proofs)
		}
	}
}
