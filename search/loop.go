package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"oxo"
)

// LoopResult is what [SearchLoopAware] found out. Where Known is false the value is
// the textbook's "?", and Value, Score and Move mean nothing.
type LoopResult struct {
	Result
	Known bool
}

// SearchLoopAware searches a game in which play can go in circles to the end, as the
// textbook's exercise does: a position that is on the path already is worth
// "?", and a node is worth "?" if it has such a child and no child that wins
// outright. "?" is not the truth, which retrograde analysis gives: it says that
// this way of searching can't tell. Of the options MaxNodes and Trace count.
//
// Source: Russell and Norvig, chapter on adversarial search, the exercise on
// the game in which tokens move past each other along a row.
func SearchLoopAware[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, o Options[P]) (LoopResult, error) {
	if g.Odds != nil {
		return LoopResult{}, fmt.Errorf("loop-aware minimax on %s: %w", g.Spec, errors.New("the game has chance nodes"))
	}
	o = Options[P]{MaxNodes: o.MaxNodes, Trace: o.Trace}
	s := newRun(oxo.WithPunctualDeadline(ctx), g, Minimax, &o)
	s.depth = toTheEnd
	s.last = oxo.NoMove
	l := loopAwareSearch[P]{run: s}
	v := l.valueOrNaN(p, toTheEnd)
	r := LoopResult{Known: !math.IsNaN(v) && !s.halted}
	r.Result = Result{Move: oxo.NoMove, Proven: s.bounds, Nodes: s.nodes, Complete: !s.halted}
	if r.Known {
		r.Value, r.Score, r.Move = v+0, p.Turn().Score(v), l.move
		r.Proven = oxo.Exactly(v)
	}
	return r, s.err
}

// loopAwareSearch is one such search.
type loopAwareSearch[P oxo.Position[P]] struct {
	*run[P]
	path []P      // from the root to the node being searched
	move oxo.Move // the best move of the node searched last
}

// valueOrNaN returns the worth of p to First, or NaN for "?".
func (l *loopAwareSearch[P]) valueOrNaN(p P, depth int) float64 {
	if v, done := l.enterNode(p, depth, math.Inf(-1), math.Inf(1)); done {
		l.move = oxo.NoMove
		return v
	}
	if slices.Contains(l.path, p) {
		if l.trace != nil {
			l.trace.endNode(math.NaN(), Repeated)
		}
		return math.NaN()
	}
	l.path = append(l.path, p)
	turn := p.Turn()
	maximize := turn == oxo.First
	best, move, loops := worstValue(maximize), oxo.NoMove, false
	f := l.pushMoves(p, turn, depth)
	for i := f.first; i < f.last; i++ {
		q, _ := l.childAfter(f, p, l.moves[i])
		v := l.valueOrNaN(q, depth-1)
		if l.halted {
			return 0
		}
		if math.IsNaN(v) {
			loops = true
		} else if v > best == maximize && v != best {
			best, move = v, l.moves[i]
		}
	}
	l.popMoves(f)
	l.path = l.path[:len(l.path)-1]
	wins := maximize && best >= l.bounds.Hi || !maximize && best <= l.bounds.Lo
	if loops && !wins {
		best, move = math.NaN(), oxo.NoMove
	}
	if l.trace != nil {
		l.trace.leave(best)
	}
	l.move = move
	return best
}
