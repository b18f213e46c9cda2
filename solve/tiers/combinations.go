package tiers

import "math/bits"

// bitCombinations are the numbers of so many bits of which so many are ones, or all of
// them where ones is −1, in ascending order.
type bitCombinations struct{ bits, ones int }

// count returns how many there are.
func (c bitCombinations) count() uint64 {
	if c.ones < 0 {
		return 1 << c.bits
	}
	return binomial(c.bits, c.ones)
}

// first returns the least of the words.
func (c bitCombinations) first() uint64 {
	if c.ones < 0 {
		return 0
	}
	return 1<<c.ones - 1
}

// next returns the word after w; after the last one it means nothing.
func (c bitCombinations) next(w uint64) uint64 {
	if c.ones < 0 {
		return w + 1
	}
	return nextSubset(w)
}

// nextSubset returns the next larger number with as many ones as w (Gosper; see
// Knuth, TAOCP 4A, 7.1.3, exercise 20).
func nextSubset(w uint64) uint64 {
	if w == 0 {
		return 0
	}
	low := w & -w
	up := w + low
	return up | (up^w)>>(2+bits.TrailingZeros64(low))
}

// binomial returns n over k; n is at most 64 and the result must fit.
func binomial(n, k int) uint64 {
	if k < 0 || k > n {
		return 0
	}
	b := uint64(1)
	for i := 1; i <= k; i++ {
		b = b * uint64(n-k+i) / uint64(i)
	}
	return b
}

// wordTable is a function of words that is the sum of what it says of each half of their bits.
type wordTable struct {
	low, high []uint32
	half      int
}

// newWordTable returns a table of words of so many bits, which says 0 of all.
func newWordTable(bits int) *wordTable {
	t := &wordTable{half: (bits + 1) / 2}
	t.low, t.high = make([]uint32, 1<<t.half), make([]uint32, 1<<(bits-t.half))
	return t
}

func (t *wordTable) of(w uint32) uint32 { return t.low[w&(1<<t.half-1)] + t.high[w>>t.half] }

// newWordRanker returns the table of the places of words among the words. In the combinatorial number
// system a word's place is a sum over its ones, the j-th at bit p adding p over
// j. What the low half of the word adds depends on that half alone, and so does
// what the high half adds, as the number of ones in both together is known.
func newWordRanker(c bitCombinations) *wordTable {
	r := newWordTable(c.bits)
	for w := range r.low {
		r.low[w] = partialRank(c, uint64(w), 0, 0)
	}
	for w := range r.high {
		if below := c.ones - bits.OnesCount(uint(w)); below >= 0 || c.ones < 0 {
			r.high[w] = partialRank(c, uint64(w), r.half, below)
		}
	}
	return r
}

// partialRank returns what the ones of w, which begin at a bit and have so many ones
// below them, add to a word's place.
func partialRank(c bitCombinations, w uint64, shift, onesBelow int) uint32 {
	if c.ones < 0 {
		return uint32(w << shift)
	}
	sum := uint64(0)
	for ; w != 0; w &= w - 1 {
		onesBelow++
		sum += binomial(shift+bits.TrailingZeros64(w), onesBelow)
	}
	return uint32(sum)
}

// setTargets makes the table carry bit j of words to the bits of to[j], which may be none and are those of no other.
func (c *wordTable) setTargets(to []uint32) {
	for w := 1; w < len(c.low); w++ {
		c.low[w] = c.low[w&(w-1)] | to[bits.TrailingZeros(uint(w))]
	}
	for w := 1; w < len(c.high); w++ {
		c.high[w] = c.high[w&(w-1)] | to[c.half+bits.TrailingZeros(uint(w))]
	}
}
