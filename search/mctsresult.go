package search

import (
	"context"
	"math"

	"oxo"
	"oxo/search/mcts"
)

// searchMCTS is the search of mcts.
func searchMCTS[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, o *Options[P]) Result {
	m := o.mctsOptions(g)
	if o.Progress != nil {
		m.Progress = func(r mcts.Summary) { o.Progress(mctsResult(p, r)) }
	}
	if o.Trace != nil {
		m.Trace = o.Trace.newMCTSTrace(g, m.Bounds)
	}
	r := mcts.Search(ctx, g, p, m)
	if o.Trace != nil {
		o.Trace.Omitted, o.Trace.Simulations = m.Trace.Omitted, &m.Trace.Simulations
	}
	return mctsResult(p, r)
}

// mctsOptions returns the options of mcts.
func (o *Options[P]) mctsOptions(g *oxo.Game[P]) *mcts.Options[P] {
	m := &mcts.Options[P]{
		Eval: o.Eval, EvalAll: o.EvalAll, BiasKeys: o.BiasKeys, Bounds: o.leafBounds(g), Lines: o.Lines,
		MaxNodes: o.MaxNodes,
		Trees:    o.Trees, Sampling: o.Sampling,
	}
	if math.IsInf(m.Bounds.Hi-m.Bounds.Lo, 0) {
		m.Bounds.Lo, m.Bounds.Hi = g.PayoffBounds()
	}
	return m
}

// mctsResult returns what mcts found out about p.
func mctsResult[P oxo.Position[P]](p P, m mcts.Summary) Result {
	r := Result{
		Value: m.Value, Noise: m.Noise, Score: p.Turn().Score(m.Value), Proven: m.Proven, Move: oxo.NoMove,
		Nodes: m.Sims, Stored: m.Stored, Lines: m.Lines, Complete: m.Complete,
	}
	if len(r.Lines) > 0 {
		r.Move, r.PV = r.Lines[0].Move, r.Lines[0].PV
	}
	return r
}

// newMCTSTrace records the most visited positions of a tree of mcts.
func (t *Tracer[P]) newMCTSTrace(g *oxo.Game[P], bounds oxo.Interval) *mcts.Trace[P] {
	var path []*openNode[P]
	return &mcts.Trace[P]{Most: t.maxNodes(), Visit: func(v mcts.Visited[P]) bool {
		var parent *openNode[P]
		if v.Plies == 0 {
			t.beginSearch(g, bounds)
		} else {
			parent = path[v.Plies-1]
		}
		record := t.addNode(parent, v.P, v.Move)
		if record == nil {
			return false
		}
		record.Kind, record.Visits, record.Omitted = Searched, v.Visits, v.Omitted
		if v.P.Outcome() != oxo.Ongoing {
			record.Kind = AtLeaf
		}
		record.Alpha, record.Beta = Number(v.Known.Lo), Number(v.Known.Hi)
		mean := Number(v.Mean)
		record.Value, record.Bound, record.Mean = mean, "≈", &mean
		if v.Known.Proven() {
			record.Value, record.Bound = Number(v.Known.Lo), "="
		}
		path = append(path[:v.Plies], &openNode[P]{v.P, record, math.Inf(-1), math.Inf(1)})
		return true
	}}
}
