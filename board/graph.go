package board

import "slices"

// graph is a board as a graph with coloured vertices whose automorphisms,
// seen on the squares, are the board's. Vertices 0…squares−1 are the squares.
// Every line is a vertex joined to the squares it needs, and its bar, where it
// has one, is another vertex, joined to the line and to the barred squares. A
// square is joined to the square below it; its height is part of its colour,
// so the edge has a direction. A class of twins is a vertex joined to its
// squares, whose ranks in the class are part of their colours: an automorphism
// of the graph carries a class to a class and keeps the order within it.
type graph struct {
	squares int
	colour  []int   // every square's colour is lower than any other vertex's
	from    []int32 // the neighbours of v are adj[from[v]:from[v+1]]
	adj     []int32
}

// newGraph returns the graph of a board and its classes of twins.
func newGraph(b *Board, twins [][]uint8) *graph {
	g := &graph{squares: b.N, colour: make([]int, b.N, b.N+len(b.Lines)+len(twins))}
	var edges [][2]int32
	join := func(v, w int) { edges = append(edges, [2]int32{int32(v), int32(w)}) }

	for i, h := range heights(b.Below, b.N) {
		g.colour[i] = h * (MaxSquares + 1)
		if h > 0 {
			join(i, b.Below[i])
		}
	}
	// These are the colours of vertices that are no squares.
	const (
		line = (MaxSquares+1)*MaxSquares + iota
		bar
		twin
	)
	vertex := func(colour int, squares Set) int {
		v := len(g.colour)
		g.colour = append(g.colour, colour)
		for i := range squares.All() {
			join(v, i)
		}
		return v
	}
	for _, l := range b.Lines {
		v := vertex(line, l.Need)
		if !l.Bar.Empty() {
			join(vertex(bar, l.Bar), v)
		}
	}
	for _, class := range twins {
		var squares Set
		for rank, i := range class {
			g.colour[i] += rank + 1
			squares = squares.With(int(i))
		}
		vertex(twin, squares)
	}
	g.setNeighbours(edges)
	return g
}

// heights returns how many squares lie below each square.
func heights(below []int, n int) []int {
	h := make([]int, n)
	for i := range below {
		for j := below[i]; j != -1; j = below[j] {
			h[i]++
		}
	}
	return h
}

// setNeighbours lays out the neighbours of every vertex.
func (g *graph) setNeighbours(edges [][2]int32) {
	n := len(g.colour)
	g.from = make([]int32, n+1)
	for _, e := range edges {
		g.from[e[0]+1]++
		g.from[e[1]+1]++
	}
	for v := range n {
		g.from[v+1] += g.from[v]
	}
	next := append([]int32(nil), g.from[:n]...)
	g.adj = make([]int32, 2*len(edges))
	for _, e := range edges {
		for k := range e {
			g.adj[next[e[k]]] = e[1-k]
			next[e[k]]++
		}
	}
}

// near returns the neighbours of v.
func (g *graph) near(v int32) []int32 { return g.adj[g.from[v]:g.from[v+1]] }

// isAutomorphism reports whether carrying every vertex from[k] to to[k] carries edges
// to edges, where from and to list all vertices, colour by colour.
func (g *graph) isAutomorphism(from, to []int32) bool {
	image := make([]int32, len(from))
	for k, v := range from {
		image[v] = to[k]
	}
	mark := make([]int32, len(from))
	for v := range image {
		w := image[v]
		if len(g.near(int32(v))) != len(g.near(w)) {
			return false
		}
		for _, u := range g.near(w) {
			mark[u] = int32(v) + 1
		}
		for _, u := range g.near(int32(v)) {
			if mark[image[u]] != int32(v)+1 {
				return false
			}
		}
	}
	return true
}

// findTwins returns the classes of two or more squares that can be exchanged
// freely: i and j are twins where exchanging just the two is an automorphism.
// That is an equivalence, since exchanging i and k is exchanging i and j, then
// j and k, then i and j. Twins share a cell of every refined partition p.
func findTwins(b *Board, p *partition) [][]uint8 {
	known := make(map[Line]struct{}, len(b.Lines))
	naming := make([][]int32, b.N) // lines that need or bar the square
	for k, l := range b.Lines {
		known[l] = struct{}{}
		for i := range l.Need.Or(l.Bar).All() {
			naming[i] = append(naming[i], int32(k))
		}
	}
	swaps := func(lines []int32, i, j int) bool {
		for _, k := range lines {
			l := b.Lines[k]
			if _, ok := known[Line{exchange(l.Need, i, j), exchange(l.Bar, i, j)}]; !ok {
				return false
			}
		}
		return true
	}
	// bears has the squares on which others rest: exchanging two of them would move those too.
	bears := make([]bool, b.N)
	for _, j := range b.Below {
		if j >= 0 {
			bears[j] = true
		}
	}
	twins := func(i, j int) bool {
		if b.Below != nil && (bears[i] || bears[j] || b.Below[i] != b.Below[j]) {
			return false
		}
		return swaps(naming[i], i, j) && swaps(naming[j], i, j)
	}

	var found [][]uint8
	for start := 0; start < b.N; start += int(p.size[start]) {
		var classes [][]uint8
	squares:
		for _, v := range p.members(int32(start)) {
			for k, class := range classes {
				if twins(int(class[0]), int(v)) {
					classes[k] = append(class, uint8(v))
					continue squares
				}
			}
			classes = append(classes, []uint8{uint8(v)})
		}
		for _, class := range classes {
			if len(class) > 1 {
				slices.Sort(class)
				found = append(found, class)
			}
		}
	}
	return found
}

// exchange returns s with squares i and j exchanged.
func exchange(s Set, i, j int) Set {
	hasI, hasJ := s.Has(i), s.Has(j)
	if hasI == hasJ {
		return s
	}
	if hasI {
		return s.Without(i).With(j)
	}
	return s.Without(j).With(i)
}
