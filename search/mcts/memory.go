package mcts

import (
	"slices"
	"sync"
	"unsafe"

	"oxo"
)

// treeMemory holds a tree of mcts. Most positions that the tree knows are never
// visited, so what they need is kept small and close together: an edge for every
// move of an expanded position, and a node for those that were visited.
type treeMemory struct {
	edges   []edge     // edges[0] leads to the root
	moves   []oxo.Move // of the edges
	nodes   []node     // nodes[0] stands for none
	amaf    []amaf     // of the edges, with RAVE
	judged  []float32  // of the edges, where the evaluation is corrected: what it said of where they lead
	records []record   // of the nodes, where the evaluation is corrected
}

// edge is a move in the tree, with what choosing among a position's moves
// needs: four of them share a cache line.
type edge struct {
	worth float32 // mean result of the simulations through here
	// how much is added for trying it, but for a common factor: 1/√visits by UCT, by PUCT prior/(visits+1)
	bonus  float32
	visits uint32
	node   uint32 // index of the node that it leads to, 0 before the first visit, and whether that is narrowed
}

// The parts of edge.node.
const (
	nodeIndex = 1<<31 - 1
	narrowed  = 1 << 31 // more is proven than the game's bounds
)

// node is a position of the tree that was visited.
type node struct {
	// of the results of the simulations through here; with an evaluation what that says is the first
	sum            float64
	known          oxo.Interval // where the value is proven to lie
	prior          float32      // the probability of the move to here, going by the evaluation
	first          uint32       // index of the first edge; the others follow; 0 before they are made
	children       uint16
	tried          uint16   // by UCT: edges followed so far, which are the first ones
	move           oxo.Move // to here, as in moves: so that going down a tree reads one place less
	turn           oxo.Seat
	virtualVisits  uint8   // simulations through here that are counted in the edge's visits but have no result yet
	squares        float32 // with an evaluation, the sum of the squares of the results,
	varianceFactor float32 // and what that makes of PUCT's constant: see [sampler.doubt]
}

// record is what a node has told of the evaluation's error.
type record struct {
	judged      float32 // what the evaluation said of the position
	sum, weight float32 // what that has added to the biases of its kin
}

// amaf is what simulations brought in which an edge's move was played at any
// time after its node, by the same seat.
type amaf struct {
	sum    float64
	visits uint32
}

const (
	edgeBytes = int(unsafe.Sizeof(edge{}) + unsafe.Sizeof(oxo.NoMove))
	nodeBytes = int(unsafe.Sizeof(node{}))
	amafBytes = int(unsafe.Sizeof(amaf{}))

	judgedBytes = int(unsafe.Sizeof(float32(0)))
	recordBytes = int(unsafe.Sizeof(record{}))
)

// memories are trees that are no longer used, whose memory another search may
// use.
var memories sync.Pool

// bytesHeld returns how much memory the tree takes.
func (m *treeMemory) bytesHeld() int64 {
	return int64(cap(m.edges)*edgeBytes + cap(m.nodes)*nodeBytes + cap(m.amaf)*amafBytes +
		cap(m.judged)*judgedBytes + cap(m.records)*recordBytes)
}

// takeMemory returns memory for a tree of at most so many bytes.
func takeMemory(most int) treeMemory {
	m, ok := memories.Get().(*treeMemory)
	switch {
	case !ok:
		return treeMemory{}
	case m.bytesHeld() > int64(most):
		memories.Put(m)
		return treeMemory{}
	}
	return *m
}

// mostKept is how many bytes of edges memory for other searches has at most.
const mostKept = 64 << 20

// release lets another search use the tree's memory, of which m holds nothing
// after that.
func (m *treeMemory) release() {
	if given := *m; cap(given.edges)*edgeBytes <= mostKept {
		memories.Put(&given)
	}
	*m = treeMemory{}
}

// begin empties the tree, but for the edge to a root that is yet to be made.
func (m *treeMemory) begin() {
	m.edges = append(m.edges[:0], edge{})
	m.moves = append(m.moves[:0], oxo.NoMove)
	m.nodes = append(m.nodes[:0], node{})
	m.amaf = append(m.amaf[:0], amaf{})
	m.judged = append(m.judged[:0], 0)
	m.records = append(m.records[:0], record{})
}

// addEdges adds an edge for each of the moves and returns the index of the
// first.
func (m *treeMemory) addEdges(moves []oxo.Move) uint32 {
	first := len(m.edges)
	end := first + len(moves)
	if end > cap(m.edges) {
		m.edges = slices.Grow(m.edges, end) // twice the length: append alone would copy them more often
	}
	m.edges = m.edges[:end]
	clear(m.edges[first:])
	m.moves = append(m.moves, moves...)
	return uint32(first)
}

// edgesOf returns the edges of n.
func (m *treeMemory) edgesOf(n *node) []edge {
	return m.edges[n.first : n.first+uint32(n.children)]
}

// movesOf returns the moves of the edges of n.
func (m *treeMemory) movesOf(n *node) []oxo.Move {
	return m.moves[n.first : n.first+uint32(n.children)]
}

// copySubtree makes the tree what the other one knows below its edge at.
func (m *treeMemory) copySubtree(other *treeMemory, at uint32) {
	m.begin()
	m.edges[0] = other.edges[at]
	if i := m.edges[0].node; i != 0 {
		m.copyNode(other, i)
		m.edges[0].node = 1 | i&narrowed
	}
	for i := 1; i < len(m.nodes); i++ {
		n := &m.nodes[i]
		if n.first == 0 {
			continue
		}
		edges := other.edgesOf(n)
		first := len(m.edges)
		m.edges, m.moves = append(m.edges, edges...), append(m.moves, other.movesOf(n)...)
		if len(other.judged) > 1 {
			m.judged = append(m.judged, other.judged[n.first:n.first+uint32(n.children)]...)
		}
		n.first = uint32(first)
		for k := range m.edges[first:] {
			if e := &m.edges[first+k]; e.node != 0 {
				m.copyNode(other, e.node)
				e.node = uint32(len(m.nodes)-1) | e.node&narrowed
			}
		}
	}
}

// copyNode adds the other one's node i.
func (m *treeMemory) copyNode(other *treeMemory, i uint32) {
	m.nodes = append(m.nodes, other.nodes[i&nodeIndex])
	if len(other.records) > 1 {
		m.records = append(m.records, other.records[i&nodeIndex])
	}
}
