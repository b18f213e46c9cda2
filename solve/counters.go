package solve

import (
	"math/big"
	"math/bits"
)

// bigCounters is a list of natural numbers of a fixed number of 64-bit limbs
// each, least limb first.
// Number i begins at word i·limbs; a list takes no memory but its words, which one of big.Int would.
type bigCounters struct {
	limbs int
	words []uint64
}

// newCounters makes n zeros.
// All numbers of a list have the same number of limbs, which must suffice for the largest sum.
func newCounters(limbs, n int) bigCounters {
	return bigCounters{limbs, make([]uint64, limbs*n)}
}

// appendZero appends a zero.
func (c *bigCounters) appendZero() {
	for range c.limbs {
		c.words = append(c.words, 0)
	}
}

// add adds number j of from to number i of c. The sum must fit.
func (c *bigCounters) add(i int, from *bigCounters, j int) {
	carry := uint64(0)
	for k := range c.limbs {
		w := &c.words[i*c.limbs+k]
		*w, carry = bits.Add64(*w, from.words[j*from.limbs+k], carry)
	}
}

// bigInt returns number i.
func (c *bigCounters) bigInt(i int) *big.Int {
	n := new(big.Int)
	for k := c.limbs - 1; k >= 0; k-- {
		n.Lsh(n, 64)
		n.Or(n, new(big.Int).SetUint64(c.words[i*c.limbs+k]))
	}
	return n
}
