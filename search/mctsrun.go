package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"oxo"
)

const (
	defaultSims = 100_000
	simsPerPoll = 128
)

// sampleTrees is the search of mcts: it grows a tree for each worker and adds
// up what they found out about the root's moves.
func sampleTrees[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, o *Options[P]) Result {
	if p.Outcome() != oxo.Ongoing {
		v := g.Worth(p)
		return Result{Value: v, Score: score(p.Turn(), v), Proven: Interval{v, v}, Move: oxo.NoMove, Nodes: 1, Complete: true}
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
	trees := make([]*sampler[P], workers)
	var proven atomic.Bool
	var wait sync.WaitGroup
	for w := range trees {
		trees[w] = o.Trees.sampler(g, p, o, w, workers)
		quota := sims / workers
		if w < sims%workers {
			quota++
		}
		report := o.Progress
		if w > 0 {
			report = nil
		}
		wait.Go(func() { trees[w].run(ctx, quota, &proven, report) })
	}
	wait.Wait()
	if o.Trace != nil {
		o.Trace.begin(g, trees[0].bounds)
		trees[0].trace(o.Trace)
	}
	r := combine(trees)
	r.Complete = complete && int(r.Nodes) == sims || r.Exact()
	if o.Trees == nil {
		for _, s := range trees {
			s.release()
		}
	}
	return r
}

// run simulates until the quota is used up, the value is proven by this or
// another worker, or ctx is done.
func (s *sampler[P]) run(ctx context.Context, quota int, proven *atomic.Bool, report func(Result)) {
	reportEvery := max(simsPerPoll, min(quota/100, 50_000)) / simsPerPoll * simsPerPoll
	for s.sims < quota {
		if s.sims%simsPerPoll == 0 && (ctx.Err() != nil || proven.Load()) {
			return
		}
		s.simulate()
		if s.nodes[0].known.Proven() {
			proven.Store(true)
			return
		}
		if report != nil && s.sims%reportEvery == 0 {
			report(combine([]*sampler[P]{s}))
		}
	}
}

// combine returns what the trees together know.
func combine[P oxo.Position[P]](trees []*sampler[P]) Result {
	p, turn := trees[0].root, trees[0].root.Turn()
	r := Result{Move: oxo.NoMove}
	root := sample{known: trees[0].bounds}
	for _, s := range trees {
		root.add(&s.nodes[0])
		r.Nodes += uint64(s.sims)
		r.Stored += len(s.nodes)
	}
	r.Proven = root.known
	r.Value = root.known.clamp(mean(root.sum, root.visits)) + 0
	if turn != oxo.Chance {
		r.Lines = bestLines(trees, max(1, trees[0].o.Lines))
		if len(r.Lines) == 0 {
			r.Lines = []Line{{Move: p.Moves(nil)[0], Value: r.Value}}
			r.Lines[0].PV = []oxo.Move{r.Lines[0].Move}
		}
		r.Move, r.PV, r.Value = r.Lines[0].Move, r.Lines[0].PV, r.Lines[0].Value
	}
	r.Score = score(turn, r.Value)
	return r
}

// add adds what another tree knows of the same position.
func (n *sample) add(other *sample) {
	n.sum += other.sum
	n.visits += other.visits
	n.known.Lo = max(n.known.Lo, other.known.Lo)
	n.known.Hi = max(n.known.Lo, min(n.known.Hi, other.known.Hi))
}

// bestLines returns the root's moves that the trees together hold to be best.
func bestLines[P oxo.Position[P]](trees []*sampler[P], want int) []Line {
	type candidate struct {
		sample
		tree  *sampler[P] // the one that knows most of the move: a proof, or most visits
		node  *sample     // of the move in that tree
		index uint32
	}
	var moves []*candidate
	byMove := map[oxo.Move]*candidate{}
	for _, s := range trees {
		root := &s.nodes[0]
		for i := root.first; i < root.first+uint32(root.children); i++ {
			n := &s.nodes[i]
			c := byMove[n.move]
			if c == nil {
				c = &candidate{sample: sample{known: s.bounds, move: n.move}}
				byMove[n.move] = c
				moves = append(moves, c)
			}
			c.add(n)
			if c.tree == nil || n.known.Proven() && !c.node.known.Proven() || n.known.Proven() == c.node.known.Proven() && n.visits > c.node.visits {
				c.tree, c.node, c.index = s, n, i
			}
		}
	}
	s := trees[0]
	slices.SortFunc(moves, func(a, b *candidate) int {
		return cmp.Or(s.compare(s.root.Turn(), &b.sample, &a.sample), cmp.Compare(a.move, b.move))
	})
	var lines []Line
	for _, c := range moves[:min(want, len(moves))] {
		l := Line{
			Move:   c.move,
			Value:  c.known.clamp(mean(c.sum, c.visits)) + 0,
			PV:     []oxo.Move{c.move},
			Visits: uint64(c.visits),
		}
		if c.known.Proven() == c.node.known.Proven() { // else no tree has the proof on its own
			l.PV = append(l.PV, c.tree.line(c.index)...)
		}
		lines = append(lines, l)
	}
	return lines
}

// compare orders two moves of turn by their secure values: the mean less a
// margin for what chance may have given, or what is proven where that is more.
// Moves that are secure alike are ordered by what is proven.
func (s *sampler[P]) compare(turn oxo.Seat, a, b *sample) int {
	return cmp.Or(
		cmp.Compare(s.secure(turn, a), s.secure(turn, b)),
		cmp.Compare(score(turn, a.known.Lo+a.known.Hi), score(turn, b.known.Lo+b.known.Hi)),
	)
}

func (s *sampler[P]) secure(turn oxo.Seat, n *sample) float64 {
	v := worst(turn == oxo.First)
	if n.visits > 0 {
		v = mean(n.sum, n.visits) - sign(turn)*s.half/math.Sqrt(float64(n.visits))
	}
	return score(turn, Interval{s.felt(n.known.Lo), s.felt(n.known.Hi)}.clamp(v))
}

// line returns the best line of play below node at, as far as the tree goes.
func (s *sampler[P]) line(at uint32) []oxo.Move {
	var line []oxo.Move
	for {
		n := &s.nodes[at]
		if n.first == 0 || n.turn == oxo.Chance {
			return line
		}
		best := n.first
		for c := n.first + 1; c < n.first+uint32(n.children); c++ {
			if s.compare(n.turn, &s.nodes[c], &s.nodes[best]) > 0 {
				best = c
			}
		}
		if s.nodes[best].visits == 0 {
			return line
		}
		line = append(line, s.nodes[best].move)
		at = best
	}
}

// score returns what v, a worth to First, is worth to turn; a chance node's is
// not turned.
func score(turn oxo.Seat, v float64) float64 {
	if turn == oxo.Second {
		return -v + 0
	}
	return v + 0
}
