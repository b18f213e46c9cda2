package mcts

// pages is a list that grows by blocks, so that nothing is copied and little more is held
// than is used. Places that are taken together lie in a row in one block. Where each lies
// depends on what was taken alone, not on what the memory was used for before.
type pages[T any] struct {
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

func (p *pages[T]) at(i uint32) *T { return &p.list[i>>pageBits][i&pageMask] }

// run returns n places in a row that were taken together, or of those.
func (p *pages[T]) run(first, n uint32) []T { return p.list[first>>pageBits][first&pageMask:][:n] }

// held is for how many places there is memory.
func (p *pages[T]) held() int { return len(p.list) << pageBits }

// used is where the last block ends in which places are taken.
func (p *pages[T]) used() int {
	if p.n == 0 {
		return 0
	}
	page := (p.n - 1) >> pageBits
	return page<<pageBits + len(p.list[page])
}

// usedAfterTaking is what used would be with n more in a row, no more than least, which is the same
// whenever places are taken.
func (p *pages[T]) usedAfterTaking(n, least int) int {
	used := p.used()
	if p.n+n > used {
		used += max(least, min(used/8, mostBlock)&^pageMask)
	}
	return used
}

// take takes n places in a row, which hold anything, and returns the first.
func (p *pages[T]) take(n, least int) uint32 {
	first, used := p.n, p.used()
	if first+n > used {
		first = used
		if used == p.held() {
			for block := make([]T, p.usedAfterTaking(n, least)-used); len(block) > 0; block = block[pageSize:] {
				p.list = append(p.list, block)
			}
		}
	}
	p.n = first + n
	return uint32(first)
}
