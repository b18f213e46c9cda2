package mcts

import (
	"math"
	"sync"
	"unsafe"

	"oxo"
)

// treeMemory holds a tree of mcts. Most positions that the tree knows are never
// visited, so what they need is kept small and close together: an edge for every
// move of an expanded position, and a node for those that were visited.
type treeMemory struct {
	edges   pagedList[edge]     // the first leads to the root
	moves   pagedList[oxo.Move] // of the edges
	nodes   pagedList[node]     // the first stands for none
	amaf    pagedList[amaf]     // of the edges, with RAVE
	judged  pagedList[float32]  // of the edges, where the evaluation is corrected: what it said of where they lead
	records pagedList[record]   // of the nodes, where the evaluation is corrected

	treeKind
	stored int // edges
}

// treeKind says what a tree has to hold.
type treeKind struct {
	rave, corrected bool
	most            int // edges of a node, rounded up to whole pages
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
	varianceFactor float32 // and what that makes of PUCT's constant: see [sampler.explorationVarianceFactor]
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

// bytesFor returns how much memory a tree takes with room for so many edges and nodes.
func (m *treeMemory) bytesFor(edges, nodes int) int64 {
	each, every := edgeBytes, nodeBytes
	if m.rave {
		each += amafBytes
	}
	if m.corrected {
		each += judgedBytes
		every += recordBytes
	}
	return int64(each*edges + every*nodes)
}

// bytesHeld returns how much memory the tree takes.
func (m *treeMemory) bytesHeld() int64 { return m.bytesFor(m.edges.held(), m.nodes.held()) }

// hasRoom reports whether the tree takes at most so many bytes with so many more edges, of one
// node, and nodes, each of which makes at most a page more.
func (m *treeMemory) hasRoom(edges, nodes, maxBytes int) bool {
	if edges > 0 {
		edges = m.edges.usedAfterTaking(edges, m.most)
	} else {
		edges = m.edges.usedPlaces()
	}
	nodes = m.nodes.usedAfterTaking(nodes, pageSize)
	return m.bytesFor(edges, nodes) <= int64(maxBytes) && edges <= math.MaxUint32 && nodes <= nodeIndex
}

// takePooledMemory returns memory for a tree of that kind of at most so many bytes.
func takePooledMemory(kind treeKind, maxBytes int) treeMemory {
	m, ok := memories.Get().(*treeMemory)
	if !ok || m.treeKind != kind || m.bytesHeld() > int64(maxBytes) {
		return treeMemory{treeKind: kind}
	}
	return *m
}

// releaseToPool lets another search use the tree's memory, of which m holds nothing
// after that.
func (m *treeMemory) releaseToPool() {
	given := *m
	memories.Put(&given)
	*m = treeMemory{treeKind: m.treeKind}
}

// reset empties the tree, but for the edge to a root that is yet to be made.
func (m *treeMemory) reset() {
	m.edges.n, m.moves.n, m.nodes.n, m.amaf.n, m.judged.n, m.records.n, m.stored = 0, 0, 0, 0, 0, 0, 0
	m.addEdges([]oxo.Move{oxo.NoMove})
	if m.corrected {
		*m.judged.at(0) = 0
	}
	m.addNode(node{}, record{})
}

// addEdges adds an edge for each of the moves and returns the index of the
// first. Where the evaluation is corrected, what it said of them is anything.
func (m *treeMemory) addEdges(moves []oxo.Move) uint32 {
	n := uint32(len(moves))
	first := m.edges.takeRun(len(moves), m.most)
	clear(m.edges.run(first, n))
	m.moves.takeRun(len(moves), m.most)
	copy(m.moves.run(first, n), moves)
	if m.rave {
		m.amaf.takeRun(len(moves), m.most)
		clear(m.amaf.run(first, n))
	}
	if m.corrected {
		m.judged.takeRun(len(moves), m.most)
	}
	m.stored += len(moves)
	return first
}

// addNode adds n, and where the evaluation is corrected its record.
func (m *treeMemory) addNode(n node, r record) {
	at := m.nodes.takeRun(1, pageSize)
	*m.nodes.at(at) = n
	if m.corrected {
		*m.records.at(m.records.takeRun(1, pageSize)) = r
	}
}

// edgesOf returns the edges of n.
func (m *treeMemory) edgesOf(n *node) []edge {
	return m.edges.run(n.first, uint32(n.children))
}

// movesOf returns the moves of the edges of n.
func (m *treeMemory) movesOf(n *node) []oxo.Move {
	return m.moves.run(n.first, uint32(n.children))
}

// judgedOf returns what the evaluation said of where the edges of n lead.
func (m *treeMemory) judgedOf(n *node) []float32 {
	return m.judged.run(n.first, uint32(n.children))
}

// copySubtree makes the tree what the other one knows below its edge.
func (m *treeMemory) copySubtree(other *treeMemory, edgeIndex uint32) {
	m.reset()
	*m.edges.at(0) = *other.edges.at(edgeIndex)
	m.copyNode(other, m.edges.at(0))
	for i := uint32(1); i < uint32(m.nodes.n); i++ {
		n := m.nodes.at(i)
		if n.first == 0 {
			continue
		}
		known := *n
		n.first = m.addEdges(other.movesOf(&known))
		edges := m.edgesOf(n)
		copy(edges, other.edgesOf(&known))
		if m.corrected {
			copy(m.judgedOf(n), other.judgedOf(&known))
		}
		for k := range edges {
			m.copyNode(other, &edges[k])
		}
	}
}

// copyNode adds the other one's node that e leads to there, if any, and lets e lead to it here.
func (m *treeMemory) copyNode(other *treeMemory, e *edge) {
	i := e.node & nodeIndex
	if i == 0 {
		return
	}
	var r record
	if m.corrected {
		r = *other.records.at(i)
	}
	e.node = uint32(m.nodes.n) | e.node&narrowed
	m.addNode(*other.nodes.at(i), r)
}
