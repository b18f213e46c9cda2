package tiers

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"
)

// SliceSource returns the table of a slice of another tier, by its index. It may use
// buf for it where that is large enough.
type SliceSource func(index int, buf []byte) ([]byte, error)

// edge leads from a block of a slice, by a move on a square or by taking one
// back, to a set of the tier beside it.
type edge struct {
	to     uint32
	block  uint32
	square uint8
}

// sweep calls visit with each edge of a slice and the block that it leads to,
// fetching the slices of the other tier one after another, each at most once.
type sweep struct {
	space        *Space
	marks, other int
	own          sliceTable
	from         SliceSource
	tell         func(done, total int) // how many edges have been seen to
}

// visitEdges calls visit with the words of a block, those of the one that an edge leads
// to, what carries words of the one to words of the other, and the bit of the
// edge's square in the larger of the two sets' words.
func (w *sweep) visitEdges(ctx context.Context, visit func(own, other []byte, c *wordTable, bit uint32)) error {
	list, err := w.listEdges(ctx)
	if err != nil {
		return err
	}
	slices.SortFunc(list, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.block, b.block), cmp.Compare(a.square, b.square))
	})
	others, err := w.space.Slices(ctx, w.other)
	if err != nil {
		return err
	}
	carrier := newWordTable(w.marks)
	to := make([]uint32, w.marks)
	var buf []byte
	done := 0
	for k, slice := range others {
		end := done
		for end < len(list) && (k+1 == len(others) || list[end].to < others[k+1].First) {
			end++
		}
		if end == done {
			continue
		}
		if buf, err = w.from(k, buf); err != nil {
			return err
		}
		piece, err := w.space.parseTable(w.other, slice, buf)
		if err != nil {
			return err
		}
		for ; done < end; done++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			e := list[done]
			b := piece.blockIndex(e.to)
			if b < 0 {
				return fmt.Errorf("the table of the slice from %#x lacks the set %#x", slice.First, e.to)
			}
			bit := w.fillBitTargets(e, to)
			carrier.setTargets(to)
			visit(w.own.block(int(e.block)), piece.block(b), carrier, bit)
			w.tell(done+1, len(list))
		}
	}
	return nil
}

// listEdges lists the edges of the slice.
func (w *sweep) listEdges(ctx context.Context) ([]edge, error) {
	neighbours := w.marks
	if w.other > w.marks {
		neighbours = w.space.n - w.marks
	}
	list := make([]edge, 0, w.own.blocks*neighbours)
	for b := range w.own.blocks {
		if b%pollEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		set := w.own.set(b)
		squares := set
		if w.other > w.marks {
			squares = ^set & uint32(1<<w.space.n-1)
		}
		for ; squares != 0; squares &= squares - 1 {
			i := bits.TrailingZeros32(squares)
			to := set ^ 1<<i
			if w.space.board.Below != nil && !w.space.isSupported(to) {
				continue
			}
			list = append(list, edge{w.space.representative(to), uint32(b), uint8(i)})
		}
	}
	return list, nil
}

// fillBitTargets says where each bit of the block's words goes along an edge, and returns
// the bit of the edge's square in the words of the larger set.
func (w *sweep) fillBitTargets(e edge, targets []uint32) (edgeBit uint32) {
	set := w.own.set(int(e.block))
	target, perm := w.space.canonical(set ^ 1<<e.square)
	image := func(i int) uint32 { // the bit of square i's image
		if perm != nil {
			i = int(perm[i])
		}
		return 1 << bits.OnesCount32(target&(1<<i-1))
	}
	j := 0
	for squares := set; squares != 0; squares &= squares - 1 {
		i := bits.TrailingZeros32(squares)
		if targets[j] = 0; i != int(e.square) {
			targets[j] = image(i)
		} else {
			edgeBit = 1 << j
		}
		j++
	}
	if w.other > w.marks {
		edgeBit = image(int(e.square))
	}
	return edgeBit
}
