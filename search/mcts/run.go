package mcts

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"oxo"
)

const (
	defaultSims = 100_000
	simsPerPoll = 32
)

// Search searches p: it grows a tree for each worker and adds up what they found
// out about the root's moves. It ends at the number of simulations, with a
// proof, or when ctx is done. The options must pass [Options.Check].
func Search[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, o *Options[P]) Summary {
	if p.Outcome() != oxo.Ongoing {
		v := g.PayoffToFirst(p)
		return Summary{Value: v, Proven: oxo.Exactly(v), Sims: 1, Complete: true}
	}
	sims := o.Sims
	if _, clock := ctx.Deadline(); sims == 0 && !clock {
		sims = defaultSims
	} else if sims == 0 {
		sims = math.MaxInt
	}
	complete := true
	if o.MaxNodes > 0 && uint64(sims) > o.MaxNodes {
		sims, complete = int(o.MaxNodes), false
	}
	workers := min(max(1, o.Workers), sims)
	if o.Trace != nil { // the tree of one is the whole of what the search found out
		workers = 1
	}
	helpers := 0
	if o.Eval != nil {
		helpers, workers = workers-1, 1
	}
	if o.TreeBytes == 0 {
		sized := *o
		sized.TreeBytes = max(1, oxo.TableBytesWithinBudget(ctx, defaultTreeBytes))
		o = &sized
	}
	trees := make([]*sampler[P], workers)
	for w := range trees {
		trees[w] = o.Trees.samplerFor(g, p, o, w, workers)
	}
	var proven atomic.Bool
	run := func(w int, report func(Summary)) {
		quota := sims / workers
		if w < sims%workers {
			quota++
		}
		trees[w].simulateUntilDone(ctx, quota, helpers, &proven, report)
	}
	var wait oxo.Group
	for w := 1; w < workers; w++ {
		wait.Go(func() { run(w, nil) })
	}
	run(0, o.Progress) // here, where the caller's processor time is counted
	wait.Wait()
	if o.Trace != nil {
		treeReport[P]{trees[0]}.traceTree(o.Trace)
	}
	r := combinedSummary(trees)
	r.Complete = complete && int(r.Sims) == sims || r.Proven.Proven()
	if o.Trees == nil {
		for _, s := range trees {
			s.releaseToPool()
		}
	}
	return r
}

// simulateUntilDone simulates until maxSims are used up, the value is proven by this or
// another worker, or ctx is done. A tree that knows nothing yet gets simsPerPoll simulations even then,
// so that whoever stops a search at once is not told the first move there is. With an evaluation others can help.
func (s *sampler[P]) simulateUntilDone(ctx context.Context, maxSims, helpers int, proven *atomic.Bool,
	report func(Summary)) {
	simulate := s.simulate
	if helpers > 0 {
		s.team = newWorkerTeam(s, 1+helpers)
		defer s.team.finishAndStop()
		simulate = s.team.beginSimulation
	}
	reportEvery := max(simsPerPoll, min(maxSims/100, 50_000)) / simsPerPoll * simsPerPoll
	s.maxSims, s.ctx = maxSims, ctx
	charge := oxo.NewCharge(ctx)
	defer charge.SetBytes(0)
	for s.simsSpent() < maxSims {
		if s.sims%simsPerPoll == 0 {
			charge.SetBytes(int64(s.besides) + s.bytesHeld() + s.spare.bytesHeld())
			if s.sims > 0 && ctx.Err() != nil || proven.Load() {
				return
			}
		}
		simulate()
		if s.nodes.at(1).known.Proven() {
			proven.Store(true)
			return
		}
		if report != nil && s.sims%reportEvery == 0 {
			report(combinedSummary([]*sampler[P]{s}))
		}
	}
}

// combinedSummary returns what the trees together know.
func combinedSummary[P oxo.Position[P]](trees []*sampler[P]) Summary {
	p, turn := trees[0].root, trees[0].root.Turn()
	var r Summary
	root := tally{known: trees[0].bounds}
	for _, s := range trees {
		root.add(treeReport[P]{s}.tally(0))
		r.Sims += uint64(s.simsSpent())
		r.Stored += s.stored
	}
	r.Proven = root.known
	r.Value, r.Noise = root.known.Clamp(root.mean())+0, trees[0].noiseOf(&root)
	if turn != oxo.Chance {
		r.Lines = bestLines(trees, root.known, max(1, trees[0].o.Lines))
		if len(r.Lines) == 0 {
			r.Lines = []Line{{Move: p.Moves(nil)[0], Value: r.Value, Noise: r.Noise}}
			r.Lines[0].PV = []oxo.Move{r.Lines[0].Move}
		}
		r.Value = root.known.Clamp(r.Lines[0].Value)
		if r.Noise = r.Lines[0].Noise; root.known.Proven() {
			r.Noise = 0
		}
	}
	return r
}

// noiseOf returns the standard error of the mean of a tally, 0 where its value is proven.
func (s *sampler[P]) noiseOf(t *tally) float64 {
	if t.known.Proven() {
		return 0
	}
	return StandardError(t.known.Clamp(t.mean()), uint64(t.visits), s.bounds)
}

// tally is what simulations found out about a position.
type tally struct {
	sum, weight float64 // of the results; the evaluation's word counts as one
	visits      uint32
	known       oxo.Interval
}

// treeReport reads what a tree has found out.
type treeReport[P oxo.Position[P]] struct{ *sampler[P] }

// tally returns what the tree knows of the position that the edge leads to.
func (s treeReport[P]) tally(edgeIndex uint32) tally {
	e := s.edges.at(edgeIndex)
	awaited := uint32(s.nodes.at(e.node & nodeIndex).virtualVisits)
	t := tally{weight: float64(e.visits - awaited), visits: e.visits - awaited, known: s.provenInterval(e)}
	if s.o.Eval != nil {
		t.weight++
	}
	if e.node == 0 {
		t.sum = t.weight * float64(e.worth)
	} else {
		t.sum = s.nodes.at(e.node & nodeIndex).sum
	}
	return t
}

// add adds what another tree knows of the same position.
func (t *tally) add(other tally) {
	t.sum += other.sum
	t.weight += other.weight
	t.visits += other.visits
	t.known.Lo = max(t.known.Lo, other.known.Lo)
	t.known.Hi = max(t.known.Lo, min(t.known.Hi, other.known.Hi))
}

// mean returns the mean of the results, 0 where there are none.
func (t *tally) mean() float64 {
	if t.weight == 0 {
		return 0
	}
	return t.sum / t.weight
}

// capByParent narrows what is known of a move of turn by what is known of the position
// in which it is made: it can't be better than that.
func (t *tally) capByParent(turn oxo.Seat, parent oxo.Interval) {
	if turn == oxo.First {
		t.known.Hi = max(t.known.Lo, min(t.known.Hi, parent.Hi))
	} else {
		t.known.Lo = min(t.known.Hi, max(t.known.Lo, parent.Lo))
	}
}

// bestLines returns the root's moves that the trees together hold to be best,
// root being what is known of its value.
func bestLines[P oxo.Position[P]](trees []*sampler[P], root oxo.Interval, want int) []Line {
	type candidate struct {
		tally
		move  oxo.Move
		tree  *sampler[P] // the one that knows most of the move: a proof, or most visits
		there tally       // what that tree knows
		edge  uint32      // of the move in that tree
		whole bool        // whether all that is proven of the move is from that tree
	}
	var moves []*candidate
	byMove := map[oxo.Move]*candidate{}
	for _, s := range trees {
		root := s.nodes.at(1)
		for i, m := range s.movesOf(root) {
			c := byMove[m]
			if c == nil {
				c = &candidate{tally: tally{known: s.bounds}, move: m}
				byMove[m] = c
				moves = append(moves, c)
			}
			edge := root.first + uint32(i)
			t := treeReport[P]{s}.tally(edge)
			c.add(t)
			if c.tree == nil || t.known.Proven() && !c.there.known.Proven() ||
				t.known.Proven() == c.there.known.Proven() && t.visits > c.there.visits {
				c.tree, c.there, c.edge = s, t, edge
			}
		}
	}
	s := trees[0]
	for _, c := range moves {
		c.whole = c.known.Proven() == c.there.known.Proven()
		c.capByParent(s.root.Turn(), root)
	}
	slices.SortFunc(moves, func(a, b *candidate) int {
		return cmp.Or(treeReport[P]{s}.compareMoves(s.root.Turn(), &b.tally, &a.tally), cmp.Compare(a.move, b.move))
	})
	var lines []Line
	for _, c := range moves[:min(want, len(moves))] {
		l := Line{
			Move:   c.move,
			Value:  c.known.Clamp(c.mean()) + 0,
			Noise:  s.noiseOf(&c.tally),
			PV:     []oxo.Move{c.move},
			Visits: uint64(c.visits),
		}
		if c.whole {
			l.PV = append(l.PV, treeReport[P]{c.tree}.bestLineBelow(c.edge)...)
		}
		lines = append(lines, l)
	}
	return lines
}

// compareMoves orders two moves of turn by their secure values: the mean less a
// margin for what chance may have given, or what is proven where that is more.
// Moves that are secure alike are ordered by what is proven, and those that are
// proven to lose by how long that took.
func (s treeReport[P]) compareMoves(turn oxo.Seat, a, b *tally) int {
	return cmp.Or(
		cmp.Compare(s.lowerConfidenceValue(turn, a), s.lowerConfidenceValue(turn, b)),
		cmp.Compare(turn.Score(a.known.Lo+a.known.Hi), turn.Score(b.known.Lo+b.known.Hi)),
		cmp.Compare(s.visitsIfProvenLost(turn, a), s.visitsIfProvenLost(turn, b)),
	)
}

// visitsIfProvenLost returns how many simulations it took to prove that a move of turn
// loses, 0 where it is not proven to: who has lost makes it as hard as it can be.
func (s treeReport[P]) visitsIfProvenLost(turn oxo.Seat, t *tally) uint32 {
	if turn == oxo.First && t.known.Hi == s.bounds.Lo || turn == oxo.Second && t.known.Lo == s.bounds.Hi {
		return t.visits
	}
	return 0
}

// lowerConfidenceValue returns what a move is worth to turn at least, by its mean less a margin, and within
// what is proven.
func (s treeReport[P]) lowerConfidenceValue(turn oxo.Seat, t *tally) float64 {
	v := math.Inf(2*int(turn) - 1)
	if t.visits > 0 {
		v = t.mean() - turn.Sign()*s.half/math.Sqrt(float64(t.visits))
	}
	return turn.Score(oxo.Interval{Lo: s.withContempt(t.known.Lo), Hi: s.withContempt(t.known.Hi)}.Clamp(v))
}

// bestLineBelow returns the best line of play below the edge, as far as the tree goes.
func (s treeReport[P]) bestLineBelow(edgeIndex uint32) []oxo.Move {
	var line []oxo.Move
	for {
		n := s.nodeAt(edgeIndex)
		if n.first == 0 || n.turn == oxo.Chance {
			return line
		}
		best, most := n.first, s.tally(n.first)
		most.capByParent(n.turn, n.known)
		for c := n.first + 1; c < n.first+uint32(n.children); c++ {
			t := s.tally(c)
			t.capByParent(n.turn, n.known)
			if s.compareMoves(n.turn, &t, &most) > 0 {
				best, most = c, t
			}
		}
		if most.visits == 0 {
			return line
		}
		line = append(line, *s.moves.at(best))
		edgeIndex = best
	}
}
