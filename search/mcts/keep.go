package mcts

import "oxo"

// Trees are the trees of mcts, kept from one search to the next: those of one
// player in one game. The zero value holds none.
type Trees[P oxo.Position[P]] struct {
	trees []*sampler[P]
}

// samplerFor returns worker's sampler for a search of p: the one kept, with what
// its tree knows of p, or else a new one.
func (t *Trees[P]) samplerFor(g *oxo.Game[P], p P, o *Options[P], worker, workers int) *sampler[P] {
	if t == nil {
		return newSampler(g, p, o, worker, workers)
	}
	if worker == 0 && len(t.trees) != workers {
		t.trees = make([]*sampler[P], workers)
	}
	if s := t.trees[worker]; s == nil || o.Contempt != 0 && s.root.Turn() != p.Turn() {
		t.trees[worker] = newSampler(g, p, o, worker, workers)
		return t.trees[worker]
	}
	s := t.trees[worker]
	s.o, s.sims, s.proofNodes = o, 0, 0
	if s.prover != nil {
		s.prover.Age()
	}
	s.rng.Seed(o.Seed, uint64(worker))
	s.rerootAt(p)
	return s
}

// keptPlies is how far below the root of the last search the next one's is
// looked for: its own move and the opponent's.
const keptPlies = 2

// rerootAt makes p the root, and keeps what the tree knows below it.
func (s *sampler[P]) rerootAt(p P) {
	at, ok := s.findEdge(p, s.root, 0, keptPlies)
	s.root = p
	if !ok || s.edges.at(at).node == 0 {
		s.resetToRoot()
		return
	}
	s.spare.copySubtree(&s.treeMemory, at)
	s.treeMemory, s.spare = s.spare, s.treeMemory
	if !s.hasMoveForProvenValue() {
		s.resetToRoot()
	}
}

// hasMoveForProvenValue reports whether the tree has a move that reaches what the seat to move
// at the root is sure of. A position that dfpn proved need not have one.
func (s *sampler[P]) hasMoveForProvenValue() bool {
	root := s.nodes.at(1)
	if root.known == s.bounds || root.turn == oxo.Chance {
		return true
	}
	for i := range root.children {
		known := s.provenInterval(s.edges.at(root.first + uint32(i)))
		if root.turn == oxo.First && known.Lo == root.known.Lo || root.turn == oxo.Second && known.Hi == root.known.Hi {
			return true
		}
	}
	return false
}

// findEdge returns the edge to p, at most so many plies below the edge, which
// leads to q.
func (s *sampler[P]) findEdge(p, q P, fromEdge uint32, plies int) (edgeIndex uint32, found bool) {
	if p == q {
		return fromEdge, true
	}
	n := s.nodeAt(fromEdge)
	if plies == 0 || n.first == 0 {
		return 0, false
	}
	for i, m := range s.movesOf(n) {
		if edge, ok := s.findEdge(p, q.Play(m), n.first+uint32(i), plies-1); ok {
			return edge, true
		}
	}
	return 0, false
}
