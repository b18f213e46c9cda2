package board

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"os"
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
	{"2^8", func() (int, [][]int) { return rows(2, false, 2, 2, 2, 2, 2, 2, 2, 2) }, 32640, factorial(256)},
	{"affine 4", func() (int, [][]int) { return affine(4) }, 20, big.NewInt(5760)},
	{"affine 9", func() (int, [][]int) { return affine(9) }, 90, big.NewInt(933120)},
	{"projective 3", func() (int, [][]int) { return projective(3) }, 13, big.NewInt(5616)},
	{"projective 8", func() (int, [][]int) { return projective(8) }, 73, big.NewInt(49448448)},
	{"projective 9", func() (int, [][]int) { return projective(9) }, 91, big.NewInt(84913920)},
	{"256 alone", func() (int, [][]int) { return single(256) }, 256, factorial(256)},
	{"edges of 23", func() (int, [][]int) { return cliques(23) }, 1771, factorial(23)},
	{"28 of 3x3", func() (int, [][]int) { return copies(28, 9, second(rows(3, false, 3, 3))) }, 224,
		new(big.Int).Mul(factorial(28), new(big.Int).Exp(big.NewInt(8), big.NewInt(28), nil))},
	{"sunflower", func() (int, [][]int) { return sunflower(127) }, 127,
		new(big.Int).Lsh(factorial(127), 127)},
}

func second(_ int, sets [][]int) [][]int { return sets }

func TestOrders(t *testing.T) {
	for _, c := range boards {
		t.Run(c.name, func(t *testing.T) {
			n, sets := c.sets()
			b := mustBoard(t, n, sets)
			if len(b.Lines) != c.lines {
				t.Fatalf("%d lines, want %d", len(b.Lines), c.lines)
			}
			g := b.Group()
			if g.Order().Cmp(c.order) != 0 {
				t.Errorf("order %v, want %v", g.Order(), c.order)
			}
			if len(g.Generators()) >= 2*n {
				t.Errorf("%d generators for %d squares", len(g.Generators()), n)
			}
			for _, p := range g.Generators() {
				if !IsAutomorphism(b, p) {
					t.Fatalf("generator %v is no automorphism", p)
				}
			}
		})
	}
}

// positional is a case of testdata/positional.json: a small game and what
// exhaustive enumeration says of it.
type positional struct {
	ID         string
	Squares    int
	Winning    [][]int
	Below      []int
	Option     string
	Symmetries int64
	Classes    int
	Positions  int
}

func readPositional(t testing.TB) []positional {
	t.Helper()
	data, err := os.ReadFile("testdata/positional.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []positional }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 309 {
		t.Fatalf("%d cases, want 309", len(file.Cases))
	}
	return file.Cases
}

// board returns the board of a case, whose squares count from 1.
func (c positional) board(t testing.TB) *Board {
	t.Helper()
	var sets [][]int
	for _, w := range c.Winning {
		var set []int
		for _, i := range w {
			set = append(set, i-1)
		}
		sets = append(sets, set)
	}
	b, err := New(c.Squares, sets)
	if err != nil {
		t.Fatal(c.ID, err)
	}
	if c.Below != nil {
		var below []int
		for _, i := range c.Below {
			below = append(below, i-1)
		}
		if err := b.SetBelow(below); err != nil {
			t.Fatal(c.ID, err)
		}
	}
	return b
}

func TestOrdersOfCases(t *testing.T) {
	for _, c := range readPositional(t) {
		if got := c.board(t).Group().Order(); got.Cmp(big.NewInt(c.Symmetries)) != 0 {
			t.Errorf("%s: order %v, want %d", c.ID, got, c.Symmetries)
		}
	}
}

// randomBoard returns a small board, at times with bars, at times with
// gravity, and with lines few and alike enough to have symmetries.
func randomBoard(t testing.TB, r *rand.Rand) *Board {
	t.Helper()
	n := 1 + r.IntN(7)
	size := 1 + r.IntN(n)
	barred := r.IntN(3) == 0
	seen := make(map[Line]bool)
	var lines []Line
	for range 1 + r.IntN(2*n) {
		if r.IntN(4) == 0 {
			size = 1 + r.IntN(n)
		}
		squares := r.Perm(n)
		l := Line{Need: SetOf(squares[:size]...)}
		if barred && size < n && r.IntN(2) == 0 {
			l.Bar = SetOf(squares[size : size+1+r.IntN(n-size)]...)
		}
		if !seen[l] {
			seen[l] = true
			lines = append(lines, l)
		}
	}
	b, err := FromLines(n, lines)
	if err != nil {
		t.Fatal(err)
	}
	if r.IntN(3) == 0 {
		below := make([]int, n)
		squares := r.Perm(n)
		columns := 1 + r.IntN(n)
		for k, i := range squares {
			below[i] = -1
			if k >= columns {
				below[i] = squares[k-columns]
			}
			if r.IntN(8) == 0 && k > 0 {
				below[i] = squares[r.IntN(k)]
			}
		}
		if err := b.SetBelow(below); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// allAutomorphisms returns every automorphism, by trying every permutation.
func allAutomorphisms(b *Board) [][]int {
	var list [][]int
	perm := make([]int, b.N)
	for i := range perm {
		perm[i] = i
	}
	var walk func(k int)
	walk = func(k int) {
		if k == len(perm) {
			if IsAutomorphism(b, perm) {
				list = append(list, slices.Clone(perm))
			}
			return
		}
		for i := k; i < len(perm); i++ {
			perm[k], perm[i] = perm[i], perm[k]
			walk(k + 1)
			perm[k], perm[i] = perm[i], perm[k]
		}
	}
	walk(0)
	return list
}

func TestGroupAgainstAllPermutations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	barred, falling, large := 0, 0, 0
	for range 400 {
		b := randomBoard(t, r)
		g := b.Group()
		all := allAutomorphisms(b)
		if g.Order().Cmp(big.NewInt(int64(len(all)))) != 0 {
			t.Fatalf("%d squares, lines %v, below %v: order %v, want %d", b.N, b.Lines, b.Below, g.Order(), len(all))
		}
		if g.Classes() != (len(all) > 1) {
			t.Fatalf("classes %v with %d automorphisms", g.Classes(), len(all))
		}
		for _, p := range g.Generators() {
			if !IsAutomorphism(b, p) {
				t.Fatalf("%d squares, lines %v, below %v: %v is no automorphism", b.N, b.Lines, b.Below, p)
			}
		}

		want := make(map[Set]uint64)
		for _, p := range all {
			var fixed []int
			for i, j := range p {
				if i == j {
					fixed = append(fixed, i)
				}
			}
			want[SetOf(fixed...)]++
		}
		got, ok := g.Fixed(len(all))
		if !ok || len(got) != len(want) {
			t.Fatalf("fixed %v, %v, want %v", got, ok, want)
		}
		for set, count := range want {
			if got[set] != count {
				t.Fatalf("%d automorphisms fix %v, want %d", got[set], set, count)
			}
		}
		if _, ok := g.Fixed(len(all) - 1); ok {
			t.Fatal("went through a group above the limit")
		}

		if slices.ContainsFunc(b.Lines, func(l Line) bool { return !l.Bar.Empty() }) {
			barred++
		}
		if b.Below != nil {
			falling++
		}
		if len(all) > 1 && len(b.Lines) > 1 {
			large++
		}
	}
	if barred < 50 || falling < 50 || large < 100 {
		t.Errorf("only %d boards with bars, %d with gravity, %d with symmetry", barred, falling, large)
	}
}

func TestIsAutomorphism(t *testing.T) {
	n, sets := rows(3, false, 3, 3)
	b := mustBoard(t, n, sets)
	for _, c := range []struct {
		perm []int
		want bool
	}{
		{[]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, true},
		{[]int{6, 3, 0, 7, 4, 1, 8, 5, 2}, true},
		{[]int{1, 0, 2, 3, 4, 5, 6, 7, 8}, false},
		{[]int{0, 0, 2, 3, 4, 5, 6, 7, 8}, false},
		{[]int{9, 1, 2, 3, 4, 5, 6, 7, 8}, false},
		{[]int{-1, 1, 2, 3, 4, 5, 6, 7, 8}, false},
		{[]int{0, 1, 2}, false},
	} {
		if got := IsAutomorphism(b, c.perm); got != c.want {
			t.Errorf("IsAutomorphism(%v) = %v", c.perm, got)
		}
	}
}

func BenchmarkGroup(b *testing.B) {
	for _, c := range boards {
		n, sets := c.sets()
		board := mustBoard(b, n, sets)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				newGroup(board)
			}
		})
	}
}
