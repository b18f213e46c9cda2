package board

import (
	"cmp"
	"math/bits"
	"slices"
)

// partition is an ordered partition of a graph's vertices into cells. Cells
// are known by where they start; the squares' cells come first.
//
//	elem:  a cell's vertices stand side by side    at:   where a vertex stands
//	size:  of the cell that starts there           cell: start of a vertex's cell
//
// Every operation depends on the graph and the order of the cells alone, never
// on the numbers of the vertices, so that equivalent choices lead to
// equivalent partitions.
type partition struct {
	g                    *graph
	elem, at, cell, size []int32
	squareCells          int
	cuts                 []cut // since the start, for undo

	queue   []int32 // cells still to split others by
	queued  []bool
	count   []int32 // of a vertex: edges seen from the splitting cell
	hits    []int32 // of a cell: vertices with a count, which stand at its end
	touched []int32 // cells with hits
}

// cut says that cell start was cut off from the end of cell left.
type cut struct{ left, start int32 }

// newEquitablePartition returns the coarsest equitable partition that tells colours
// apart: any two vertices of a cell have equally many neighbours in each cell.
func newEquitablePartition(g *graph) *partition {
	n := len(g.colour)
	p := &partition{
		g: g, elem: make([]int32, n), at: make([]int32, n), cell: make([]int32, n), size: make([]int32, n),
		queued: make([]bool, n), count: make([]int32, n), hits: make([]int32, n),
	}
	for v := range p.elem {
		p.elem[v] = int32(v)
	}
	slices.SortStableFunc(p.elem, func(v, w int32) int { return cmp.Compare(g.colour[v], g.colour[w]) })
	start := 0
	for k, v := range p.elem {
		if k > 0 && g.colour[v] != g.colour[p.elem[k-1]] {
			start = k
		}
		if start == k {
			p.enqueue(int32(k))
			if k < g.squares {
				p.squareCells++
			}
		}
		p.at[v], p.cell[v] = int32(k), int32(start)
		p.size[start]++
	}
	p.refine()
	p.cuts = nil
	return p
}

// clone returns a copy of p, which must be at rest.
func (p *partition) clone() *partition {
	n := len(p.elem)
	return &partition{
		g: p.g, elem: slices.Clone(p.elem), at: slices.Clone(p.at), cell: slices.Clone(p.cell),
		size:        slices.Clone(p.size),
		squareCells: p.squareCells, queued: make([]bool, n), count: make([]int32, n), hits: make([]int32, n),
	}
}

// members returns the vertices of the cell at start.
func (p *partition) members(start int32) []int32 { return p.elem[start : start+p.size[start]] }

// squaresAreDiscrete reports whether every square is alone in its cell. In an equitable
// partition all other vertices are alone too, since no two lines are equal.
func (p *partition) squaresAreDiscrete() bool { return p.squareCells == p.g.squares }

// targetCell returns a cell of two or more squares: the one with the most ties, of those the smallest, and of those
// the first. A choice in a cell with many ties tells much apart, and the part of the board where the last choice
// was made has the cells with the most ties, so the search stays there.
func (p *partition) targetCell() []int32 {
	best, most := int32(-1), -1
	for start := int32(0); int(start) < p.g.squares; start += p.size[start] {
		if p.size[start] == 1 {
			continue
		}
		ties := p.countPartlyAdjacentCells(p.elem[start])
		if ties > most || ties == most && p.size[start] < p.size[best] {
			best, most = start, ties
		}
	}
	return p.members(best)
}

// countPartlyAdjacentCells returns the number of cells of which v has some vertices, but not all,
// for neighbours. It is the same for all vertices of a cell.
func (p *partition) countPartlyAdjacentCells(v int32) int {
	ties := 0
	for _, w := range p.g.near(v) {
		c := p.cell[w]
		p.hits[c]++
		if p.hits[c] == 1 {
			ties++
		}
		if p.hits[c] == p.size[c] {
			ties--
		}
	}
	for _, w := range p.g.near(v) {
		p.hits[p.cell[w]] = 0
	}
	return ties
}

// individualize gives v a cell of its own and refines. It returns a hash of
// all that was seen on the way, which equivalent choices share.
func (p *partition) individualize(v int32) (trace uint64) {
	c := p.cell[v]
	p.swapToPlace(v, c+p.size[c]-1)
	p.splitCell(c, c+p.size[c]-1)
	p.enqueue(p.cell[v])
	return p.refine()
}

// undoCutsBeyond takes back all cuts but the first so many.
func (p *partition) undoCutsBeyond(kept int) {
	for len(p.cuts) > kept {
		last := p.cuts[len(p.cuts)-1]
		p.cuts = p.cuts[:len(p.cuts)-1]
		for _, v := range p.members(last.start) {
			p.cell[v] = last.left
		}
		p.size[last.left] += p.size[last.start]
		if int(last.start) < p.g.squares {
			p.squareCells--
		}
	}
}

// refine splits cells by their numbers of neighbours in the queued cells until
// the partition is equitable again (McKay, Practical graph isomorphism, 1981,
// algorithm 2.5, with Hopcroft's rule of leaving out a largest part).
func (p *partition) refine() (trace uint64) {
	trace = uint64(len(p.queue))
	for head := 0; head < len(p.queue); head++ {
		c := p.queue[head]
		p.queued[c] = false
		var alone uint64 // a sum, as neighbours come in no certain order
		for _, v := range p.members(c) {
			for _, w := range p.g.near(v) {
				if d := p.cell[w]; p.size[d] == 1 {
					alone += mix(uint64(d))
				} else {
					p.incrementCount(w)
				}
			}
		}
		trace = mix(trace^uint64(c)) + alone
		trace = p.splitTouched(trace)
	}
	p.queue = p.queue[:0]
	return trace
}

// incrementCount adds one to the count of v, which must not be alone in its cell.
func (p *partition) incrementCount(v int32) {
	if p.count[v] == 0 {
		c := p.cell[v]
		if p.hits[c] == 0 {
			p.touched = append(p.touched, c)
		}
		p.hits[c]++
		p.swapToPlace(v, c+p.size[c]-p.hits[c])
	}
	p.count[v]++
}

// splitTouched splits the touched cells by count, lowest first, forgets the counts,
// queues what refinement must look at, and returns the trace with all this
// mixed in.
func (p *partition) splitTouched(trace uint64) (newTrace uint64) {
	slices.Sort(p.touched)
	for _, c := range p.touched {
		end := c + p.size[c]
		first := end - p.hits[c]
		p.hits[c] = 0
		p.sortByCount(first, end)
		trace = mix(trace ^ uint64(c)<<32 ^ uint64(first))

		largest, parts := c, 0
		for k := end - 1; k >= first; k-- {
			v := p.elem[k]
			if k == c || k == first || p.count[v] != p.count[p.elem[k-1]] {
				trace = mix(trace ^ uint64(k)<<32 ^ uint64(p.count[v]))
				if k > c {
					p.splitCell(c, k)
					parts++
					p.enqueue(k)
				}
			}
		}
		for k := first; k < end; k++ {
			p.count[p.elem[k]] = 0
		}
		if parts == 0 || p.queued[c] {
			continue
		}
		for k := c; k < end; k += p.size[k] {
			if p.size[k] > p.size[largest] {
				largest = k
			}
		}
		if largest != c {
			p.enqueue(c)
			p.dequeue(largest)
		}
	}
	p.touched = p.touched[:0]
	return trace
}

// sortByCount sorts the vertices that stand from first to before end.
func (p *partition) sortByCount(first, end int32) {
	part := p.elem[first:end]
	same := true
	for _, v := range part {
		same = same && p.count[v] == p.count[part[0]]
	}
	if same {
		return
	}
	slices.SortFunc(part, func(v, w int32) int { return cmp.Compare(p.count[v], p.count[w]) })
	for k, v := range part {
		p.at[v] = first + int32(k)
	}
}

// splitCell makes a cell of the vertices of cell c from start on.
func (p *partition) splitCell(c, start int32) {
	p.size[start] = c + p.size[c] - start
	p.size[c] = start - c
	for _, v := range p.members(start) {
		p.cell[v] = start
	}
	p.cuts = append(p.cuts, cut{c, start})
	if int(start) < p.g.squares {
		p.squareCells++
	}
}

// swapToPlace exchanges v with the vertex that stands at the place, in the same cell.
func (p *partition) swapToPlace(v, place int32) {
	w, j := p.elem[place], p.at[v]
	p.elem[j], p.elem[place] = w, v
	p.at[w], p.at[v] = j, place
}

// enqueue has refinement split others by a cell, unless it waits for that already.
func (p *partition) enqueue(c int32) {
	if !p.queued[c] {
		p.queued[c] = true
		p.queue = append(p.queue, c)
	}
}

// dequeue takes out a cell that was queued a short while ago.
func (p *partition) dequeue(c int32) {
	for k := len(p.queue) - 1; ; k-- {
		if p.queue[k] == c {
			p.queue = slices.Delete(p.queue, k, k+1)
			p.queued[c] = false
			return
		}
	}
}

// relabelledGraphHash returns a hash of the graph with every vertex named by where it stands.
func (p *partition) relabelledGraphHash() uint64 {
	var sum uint64
	for v, k := range p.at {
		from := mix(uint64(k))
		for _, w := range p.g.near(int32(v)) {
			sum += mix(from ^ uint64(p.at[w]))
		}
	}
	return sum
}

// mix scrambles a word.
func mix(w uint64) uint64 {
	hi, lo := bits.Mul64(w^0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93)
	return hi ^ lo
}
