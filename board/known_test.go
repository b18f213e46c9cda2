package board

import (
	"math/big"
	"slices"
	"testing"
)

// mustBoard returns the board with the given winning sets, equal ones given
// once or more.
func mustBoard(t testing.TB, n int, sets [][]int) *Board {
	t.Helper()
	seen := make(map[Set]bool)
	var distinct [][]int
	for _, s := range sets {
		if set := SetOf(s...); !seen[set] {
			seen[set] = true
			distinct = append(distinct, s)
		}
	}
	b, err := New(n, distinct)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// rows returns the lines of k in a row on a board of the given lengths of any
// dimension, rolled up to a torus or not. Squares are numbered with the first
// coordinate quickest.
func rows(k int, torus bool, lengths ...int) (n int, sets [][]int) {
	n = 1
	for _, m := range lengths {
		n *= m
	}
	for start := range n {
		for code := range pow(3, len(lengths)) {
			square, step, unit := start, code, 1
			at, by := make([]int, len(lengths)), make([]int, len(lengths))
			for d, m := range lengths {
				at[d], by[d] = square%m, step%3-1
				square, step = square/m, step/3
			}
			if slices.Max(by) == 0 && slices.Min(by) == 0 {
				continue
			}
			var line []int
			for range k {
				i, on := 0, true
				unit = 1
				for d, m := range lengths {
					if torus {
						at[d] = (at[d] + m) % m
					}
					on = on && at[d] >= 0 && at[d] < m
					i += at[d] * unit
					unit *= m
					at[d] += by[d]
				}
				if on && !slices.Contains(line, i) {
					line = append(line, i)
				}
			}
			if len(line) == k {
				sets = append(sets, line)
			}
		}
	}
	return n, sets
}

func pow(a, b int) int {
	p := 1
	for range b {
		p *= a
	}
	return p
}

// planes has a difference set for every order: the sums of its numbers and any
// one number, modulo q²+q+1, are a line of the projective plane of order q
// (Singer, A theorem in finite projective geometry, 1938).
var planes = map[int][]int{
	2: {0, 1, 3},
	3: {0, 1, 3, 9},
	4: {0, 1, 4, 14, 16},
	5: {0, 1, 3, 8, 12, 18},
	7: {0, 1, 3, 13, 32, 36, 43, 52},
	8: {0, 1, 3, 7, 15, 31, 36, 54, 63},
	9: {0, 1, 3, 9, 27, 49, 56, 61, 77, 81},
}

func projective(q int) (n int, sets [][]int) {
	n = q*q + q + 1
	for s := range n {
		var line []int
		for _, d := range planes[q] {
			line = append(line, (d+s)%n)
		}
		sets = append(sets, line)
	}
	return n, sets
}

// affine leaves a line of the projective plane out.
func affine(q int) (n int, sets [][]int) {
	n, all := projective(q)
	name := make([]int, n)
	next := 0
	for i := range name {
		name[i] = -1
		if !slices.Contains(all[0], i) {
			name[i] = next
			next++
		}
	}
	for _, line := range all[1:] {
		var rest []int
		for _, i := range line {
			if name[i] >= 0 {
				rest = append(rest, name[i])
			}
		}
		sets = append(sets, rest)
	}
	return next, sets
}

// hall returns the projective plane over Hall's quasifield of order 9 (Hall,
// Projective planes, 1943). Its points are not all alike, but refinement cannot
// tell them apart.
func hall() (n int, sets [][]int) {
	// The pair a, b of numbers modulo 3 is written 3a+b.
	sum := func(x, y int) int { return (x/3+y/3)%3*3 + (x+y)%3 }
	times := func(x, y int) int {
		a, b, c, d := x/3, x%3, y/3, y%3
		if d == 0 {
			return a*c%3*3 + b*c%3
		}
		return (a*c+2*b*d*(c*c+1))%3*3 + (a*d+2*b*c)%3 // d is its own inverse
	}
	infinity := []int{90}
	for m := range 9 {
		vertical := []int{90}
		for k := range 9 {
			slanting := []int{81 + m}
			for x := range 9 {
				slanting = append(slanting, 9*x+sum(times(x, m), k))
			}
			sets = append(sets, slanting)
			vertical = append(vertical, 9*m+k)
		}
		sets = append(sets, vertical)
		infinity = append(infinity, 81+m)
	}
	return 91, append(sets, infinity)
}

// single returns n sets of one square each.
func single(n int) (int, [][]int) {
	var sets [][]int
	for i := range n {
		sets = append(sets, []int{i})
	}
	return n, sets
}

// cliques returns the game on the edges of the complete graph of v vertices
// whose winning sets are the triangles.
func cliques(v int) (int, [][]int) {
	edge := make(map[[2]int]int)
	for a := range v {
		for b := a + 1; b < v; b++ {
			edge[[2]int{a, b}] = len(edge)
		}
	}
	var sets [][]int
	for a := range v {
		for b := a + 1; b < v; b++ {
			for c := b + 1; c < v; c++ {
				sets = append(sets, []int{edge[[2]int{a, b}], edge[[2]int{a, c}], edge[[2]int{b, c}]})
			}
		}
	}
	return len(edge), sets
}

// copies returns k boards side by side.
func copies(k, n int, sets [][]int) (int, [][]int) {
	var all [][]int
	for c := range k {
		for _, s := range sets {
			var moved []int
			for _, i := range s {
				moved = append(moved, i+c*n)
			}
			all = append(all, moved)
		}
	}
	return k * n, all
}

// sunflower returns k lines through one square and two squares of their own.
func sunflower(k int) (int, [][]int) {
	var sets [][]int
	for c := range k {
		sets = append(sets, []int{0, 2*c + 1, 2*c + 2})
	}
	return 2*k + 1, sets
}

func factorial(n int64) *big.Int { return new(big.Int).MulRange(1, n) }

// boards are boards with the known orders of their groups.
var boards = []struct {
	name  string
	sets  func() (int, [][]int)
	lines int
	order *big.Int
}{
	{"3x3", func() (int, [][]int) { return rows(3, false, 3, 3) }, 8, big.NewInt(8)},
	{"4x4", func() (int, [][]int) { return rows(4, false, 4, 4) }, 10, big.NewInt(32)},
	{"7x6 4", func() (int, [][]int) { return rows(4, false, 7, 6) }, 69, big.NewInt(4)},
	{"8x8", func() (int, [][]int) { return rows(8, false, 8, 8) }, 18, big.NewInt(1536)},
	{"15x15 5", func() (int, [][]int) { return rows(5, false, 15, 15) }, 572, big.NewInt(8)},
	{"16x16", func() (int, [][]int) { return rows(16, false, 16, 16) }, 34, big.NewInt(41287680)},
	{"16x16 5", func() (int, [][]int) { return rows(5, false, 16, 16) }, 672, big.NewInt(8)},
	{"16x16 torus 5", func() (int, [][]int) { return rows(5, true, 16, 16) }, 1024, big.NewInt(2048)},
	{"3x3x3", func() (int, [][]int) { return rows(3, false, 3, 3, 3) }, 49, big.NewInt(48)},
	{"4x4x4", func() (int, [][]int) { return rows(4, false, 4, 4, 4) }, 76, big.NewInt(192)},
	{"3x3x3x3", func() (int, [][]int) { return rows(3, false, 3, 3, 3, 3) }, 272, big.NewInt(384)},
	{"2^6", func() (int, [][]int) { return rows(2, false, 2, 2, 2, 2, 2, 2) }, 2016, factorial(64)},
	{"affine 4", func() (int, [][]int) { return affine(4) }, 20, big.NewInt(5760)},
	{"affine 9", func() (int, [][]int) { return affine(9) }, 90, big.NewInt(933120)},
	{"projective 3", func() (int, [][]int) { return projective(3) }, 13, big.NewInt(5616)},
	{"projective 8", func() (int, [][]int) { return projective(8) }, 73, big.NewInt(49448448)},
	{"projective 9", func() (int, [][]int) { return projective(9) }, 91, big.NewInt(84913920)},
	{"edges of 6", func() (int, [][]int) { return cliques(6) }, 20, factorial(6)},
	{"2 of 2x3", func() (int, [][]int) { return copies(2, 6, second(rows(2, false, 2, 3))) }, 22,
		big.NewInt(2 * 16 * 16)},
	{"256 alone", func() (int, [][]int) { return single(256) }, 256, factorial(256)},
	{"edges of 23", func() (int, [][]int) { return cliques(23) }, 1771, factorial(23)},
	{"28 of 3x3", func() (int, [][]int) { return copies(28, 9, second(rows(3, false, 3, 3))) }, 224,
		new(big.Int).Mul(factorial(28), new(big.Int).Exp(big.NewInt(8), big.NewInt(28), nil))},
	{"sunflower", func() (int, [][]int) { return sunflower(80) }, 80,
		new(big.Int).Lsh(factorial(80), 80)},
}

func second(_ int, sets [][]int) [][]int { return sets }
