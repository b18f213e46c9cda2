package board

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

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
				if !isAutomorphism(b, p) {
					t.Fatalf("generator %v is no automorphism", p)
				}
			}
		})
	}
}

// TestPlaneOfHall takes a board where refinement sees no difference between
// squares that no automorphism carries to each other.
func TestPlaneOfHall(t *testing.T) {
	n, sets := hall()
	g := mustBoard(t, n, sets).Group()
	if got := g.Order().Int64(); got != 311040 {
		t.Errorf("order %d, want 311040", got)
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range 20 {
		at := randomPosition(r, n, 0.2)
		want, size := g.canonicalTriple(at, nil)
		if got, s := g.canonicalTriple(randomElement(r, g).images(at), nil); got != want || s != size {
			t.Errorf("%v: %v, %d; an image of it %v, %d", at, want, size, got, s)
		}
	}
	// 81 affine points, and 10 at infinity
	for point, want := range map[int]uint64{0: 81, 80: 81, 81: 10, 90: 10} {
		if _, _, _, size := g.Canonical(SetOf(point), Set{}, Set{}); size != want {
			t.Errorf("point %d has %d images, want %d", point, size, want)
		}
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
			if isAutomorphism(b, perm) {
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
		if g.HasSymmetry() != (len(all) > 1) {
			t.Fatalf("classes %v with %d automorphisms", g.HasSymmetry(), len(all))
		}
		for _, p := range g.Generators() {
			if !isAutomorphism(b, p) {
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
		got, ok := g.CountByFixedSquares(len(all))
		if !ok || len(got) != len(want) {
			t.Fatalf("fixed %v, %v, want %v", got, ok, want)
		}
		for set, count := range want {
			if got[set] != count {
				t.Fatalf("%d automorphisms fix %v, want %d", got[set], set, count)
			}
		}
		if _, ok := g.CountByFixedSquares(len(all) - 1); ok {
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
		if got := isAutomorphism(b, c.perm); got != c.want {
			t.Errorf("isAutomorphism(%v) = %v", c.perm, got)
		}
	}
}

func BenchmarkGroup(b *testing.B) {
	for _, c := range boards {
		n, sets := c.sets()
		board := mustBoard(b, n, sets)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				newGroup(board, nil)
			}
		})
	}
}

// isAutomorphism reports whether perm, the images of squares 0…N−1, is an
// automorphism of b. It is the definition, checked line by line, and shares
// nothing with the search that finds the group.
func isAutomorphism(b *Board, perm []int) bool {
	if len(perm) != b.N {
		return false
	}
	var reached Set
	for _, j := range perm {
		if j < 0 || j >= b.N || reached.Has(j) {
			return false
		}
		reached = reached.With(j)
	}
	image := func(s Set) Set {
		var t Set
		for i := range s.All() {
			t = t.With(perm[i])
		}
		return t
	}
	lines := make(map[Line]bool, len(b.Lines))
	for _, l := range b.Lines {
		lines[l] = true
	}
	for _, l := range b.Lines {
		if !lines[Line{image(l.Need), image(l.Bar)}] {
			return false
		}
	}
	for i, j := range b.Below {
		switch under := b.Below[perm[i]]; {
		case j == -1 && under != -1, j != -1 && under != perm[j]:
			return false
		}
	}
	return true
}
