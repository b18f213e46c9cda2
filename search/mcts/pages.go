package mcts

// pagedList is a list that grows by blocks, so that nothing is copied and little more is held
// than is used. Places that are taken together lie in a row in one block. Where each lies
// depends on what was taken alone, not on what the memory was used for before.
type pagedList[T any] struct {
	list [][]T // by page, each from there to its block's end
	n    int   // places taken, and those left empty because the next ones were to lie in a row
}

const (
	pageBits = 8
	pageSize = 1 << pageBits
	pageMask = pageSize - 1

	mostBlock = 1 << 12 // places, unless more are taken in a row
)

// wholePages returns n rounded up to whole pages.
func wholePages(n int) int { return (n + pageMask) &^ pageMask }

func (p *pagedList[T]) at(i uint32) *T { return &p.list[i>>pageBits][i&pageMask] }

// run returns n places in a row that were taken together, or of those.
func (p *pagedList[T]) run(first, n uint32) []T { return p.list[first>>pageBits][first&pageMask:][:n] }

// held is for how many places there is memory.
func (p *pagedList[T]) held() int { return len(p.list) << pageBits }

// usedPlaces is where the last block ends in which places are taken.
func (p *pagedList[T]) usedPlaces() int {
	if p.n == 0 {
		return 0
	}
	page := (p.n - 1) >> pageBits
	return page<<pageBits + len(p.list[page])
}

// usedAfterTaking is what usedPlaces would be with n more in a row, no more than minGrowth, which is the same
// whenever places are taken.
func (p *pagedList[T]) usedAfterTaking(n, minGrowth int) int {
	used := p.usedPlaces()
	if p.n+n > used {
		used += max(minGrowth, min(used/8, mostBlock)&^pageMask)
	}
	return used
}

// takeRun takes n places in a row, which hold anything, and returns the first.
func (p *pagedList[T]) takeRun(n, minGrowth int) (first uint32) {
	start, used := p.n, p.usedPlaces()
	if start+n > used {
		start = used
		if used == p.held() {
			for block := make([]T, p.usedAfterTaking(n, minGrowth)-used); len(block) > 0; block = block[pageSize:] {
				p.list = append(p.list, block)
			}
		}
	}
	p.n = start + n
	return uint32(start)
}
