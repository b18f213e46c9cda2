package lines

import (
	_ "embed"
	"encoding/binary"
	"sync"
)

// net estimates positions of boards whose squares have kinds. A free square's pair is its kind for a side and its kind
// for the enemy. Each pair has a number and a vector; they are summed over the squares, once with the side to move as
// the one and once with the enemy, the sums of vectors are cut to between 0 and 1, and their products with out are
// added to the sum of numbers. Values are in 1/8 of those of a search. TestFitNet (soak) writes its file.
type net struct {
	*alphabet
	number []int32            // of each pair
	vector [][netWords]uint64 // four numbers a word, each added to the ones beside it without a carry in the sum
	first  [netWords]uint64   // the sums of an empty board
	out    [2 * netWidth]int32
	onMove int32
	order  []int32 // how early a square of the side to move is tried
}

const (
	// A sum of vectors over all squares must stay within 16 bits, around netZero.
	netWidth  = 16
	netWords  = netWidth / 4
	netOne    = 256     // 1 in sums of vectors
	netZero   = 1 << 15 // 0 in them
	netEighth = 8
)

//go:embed fives.net
var fivesNetFile []byte

//go:embed cube.net
var cubeNetFile []byte

// The nets of boards of fives and of cubes.
var (
	fivesNet = sync.OnceValue(func() *net { return readNet(fives, fivesNetFile) })
	cubeNet  = sync.OnceValue(func() *net { return readNet(cubes, cubeNetFile) })
)

// readNet returns the net of a file of 16-bit numbers: first those of the pairs that there can be, their vectors, the
// first sums, out, what being to move is worth, and the order of pairs.
func readNet(a *alphabet, b []byte) *net {
	next := func() int32 {
		v := int16(binary.LittleEndian.Uint16(b))
		b = b[2:]
		return int32(v)
	}
	nextVector := func(zero int32) (v [netWords]uint64) {
		for i := range netWidth {
			v[i/4] += uint64(int64(next()+zero)) << (16 * (i % 4))
		}
		return v
	}
	size := a.kinds * a.kinds
	n := &net{
		alphabet: a, number: make([]int32, size), vector: make([][netWords]uint64, size), order: make([]int32, size),
	}
	for _, pair := range a.pairs {
		n.number[pair] = next()
	}
	for _, pair := range a.pairs {
		n.vector[pair] = nextVector(0)
	}
	n.first = nextVector(netZero)
	for i := range n.out {
		n.out[i] = next()
	}
	n.onMove = next()
	for _, pair := range a.pairs {
		n.order[pair] = next()
	}
	return n
}

// netSums are what a net adds up over the squares, with either side as the one to move.
type netSums struct {
	vector [2][netWords]uint64
	number [2]int32
}

// emptySums are those of no square.
func (n *net) emptySums() netSums { return netSums{vector: [2][netWords]uint64{n.first, n.first}} }

// replace puts a square's kinds for either side in the place of others.
// It takes two additions a word for each side, whatever the number of squares.
func (s *netSums) replace(n *net, was, is [2]uint8) {
	for side := range 2 {
		from, to := n.pairOf(was[side], was[side^1]), n.pairOf(is[side], is[side^1])
		s.number[side] += n.number[to] - n.number[from]
		sum, old, anew := &s.vector[side], &n.vector[from], &n.vector[to]
		for w := range sum {
			sum[w] += anew[w] - old[w]
		}
	}
}

// estimate returns what a position is worth to side, to move.
// Both sums count: as the side to move sees the board, and as the enemy does, each with its half of out.
func (n *net) estimate(s *netSums, side int) int {
	v := int(s.number[side]+n.onMove) * netOne
	for k, sums := range [2]*[netWords]uint64{&s.vector[side], &s.vector[side^1]} {
		out := n.out[k*netWidth:][:netWidth]
		for w, four := range sums {
			for i := range 4 {
				x := int(four>>(16*i)&0xffff) - netZero
				v += min(max(x, 0), netOne) * int(out[w*4+i])
			}
		}
	}
	return v / (netEighth * netOne)
}
