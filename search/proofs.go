package search

import (
	"cmp"
	"context"

	"oxo"
	"oxo/search/proof"
)

// defaultTreeBytes is the size of a tree of pns that nobody gave a size.
const defaultTreeBytes = 256 << 20

// searchPNS is the search of pns.
func searchPNS[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, o *Options[P]) Result {
	t := proof.NewTree(ctx, g, cmp.Or(o.TreeBytes, oxo.TableBytesWithinBudget(ctx, defaultTreeBytes)), o.MaxNodes)
	defer t.Close()
	r := valueByProofs(g, p, func(target float64) proof.Answer { return t.CanReach(p, target) })
	r.Nodes, r.Stored = max(r.Nodes, t.Made()), t.Stored()
	return r
}

// searchDFPN is the search of dfpn, which suits g.
func searchDFPN[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, o *Options[P]) (Result, error) {
	s, err := proof.NewProver(g, o.TableBytes)
	if err != nil {
		return Result{}, err
	}
	var nodes uint64
	r := valueByProofs(g, p, func(target float64) proof.Answer {
		attacker := oxo.First
		if target == 0 {
			attacker = oxo.Second
		}
		left := uint64(0)
		if o.MaxNodes > 0 {
			if left = o.MaxNodes - nodes; left == 0 {
				return proof.Answer{Move: p.Moves(nil)[0], Stopped: proof.LimitNodes}
			}
		}
		a := s.Prove(ctx, p, attacker, left)
		nodes += a.Nodes
		if attacker == oxo.Second { // First reaches 0 where Second does not win
			return a.Opposite()
		}
		return a
	})
	r.Nodes, r.Stored = max(r.Nodes, nodes), s.Stored()
	return r, nil
}

// valueByProofs finds the value of p by asking whether First can reach a worth, which
// ask answers, with the move that is nearest to what the seat to move wants:
// first whether the seat to move wins and, if not, whether it can draw.
func valueByProofs[P oxo.Position[P]](g *oxo.Game[P], p P, canReach func(target float64) proof.Answer) Result {
	turn := p.Turn()
	r := Result{Move: oxo.NoMove, Proven: oxo.Interval{Lo: -1, Hi: 1}}
	if p.Outcome() != oxo.Ongoing {
		v := g.PayoffToFirst(p)
		r.Value, r.Score, r.Proven = v, turn.Score(v), oxo.Exactly(v)
		r.Nodes, r.Complete = 1, true
		return r
	}
	// Of the worths -1, 0 and 1, First wins if it reaches 1, Second if First
	// does not reach 0.
	for _, target := range []float64{turn.Sign()/2 + 0.5, 0.5 - turn.Sign()/2} {
		answer := canReach(target)
		r.Move = answer.Move
		switch answer.Verdict {
		case proof.Proven:
			r.Proven.Lo = target
		case proof.Disproven:
			r.Proven.Hi = target - 1
		}
		if answer.Verdict == proof.Unknown {
			r.Numbers, r.Stopped = numbersOfWin(target, answer), answer.Stopped
			break
		}
		if r.Proven.Proven() {
			break
		}
	}
	r.Complete = r.Proven.Proven()
	r.Value = r.Proven.Clamp(0)
	r.Score = turn.Score(r.Value)
	r.PV = []oxo.Move{r.Move}
	r.Lines = []Line{{Move: r.Move, Value: r.Value, PV: r.PV}}
	return r
}

// numbersOfWin returns the numbers of an open question whether First can reach a target as those of whether a seat
// wins: First does who reaches 1, and Second where First does not reach 0. They are nil where nothing was searched.
func numbersOfWin(target float64, a proof.Answer) *ProofNumbers {
	winner := oxo.First
	if target == 0 {
		winner, a = oxo.Second, a.Opposite()
	}
	if a.Proof == 0 && a.Disproof == 0 {
		return nil
	}
	return &ProofNumbers{winner, a.Proof, a.Disproof}
}
