package board

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// unlisted returns the group of b as if its quotient were too large to list.
func unlisted(b *Board) *Group {
	g := newGroup(b, nil)
	g.canonical.Do(func() { g.sorters = newSorters(g.twins) })
	return g
}

// position returns the position whose base-4 digits are the squares' marks.
func position(n, code int) triple {
	var t triple
	for i := range n {
		switch code >> (2 * i) & 3 {
		case 1:
			t.x = t.x.With(i)
		case 2:
			t.o = t.o.With(i)
		case 3:
			t.z = t.z.With(i)
		}
	}
	return t
}

// greater compares by the definition that Canonical64 gives.
func (t triple) greater(u triple, n int) bool {
	for _, pair := range [][2]Set{{t.x, u.x}, {t.o, u.o}, {t.z, u.z}} {
		for i := range n {
			if a, b := pair[0].Has(i), pair[1].Has(i); a != b {
				return a
			}
		}
	}
	return false
}

func asPerm(images []int) perm {
	p := make(perm, len(images))
	for i, j := range images {
		p[i] = uint8(j)
	}
	return p
}

func ints(p []uint8) []int {
	list := make([]int, len(p))
	for i, j := range p {
		list[i] = int(j)
	}
	return list
}

// TestCanonicalAgainstAllAutomorphisms holds every way of finding a
// representative against the orbit under all automorphisms, for every
// position of many small boards.
func TestCanonicalAgainstAllAutomorphisms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		b := randomBoard(t, r)
		for b.N > 6 {
			b = randomBoard(t, r)
		}
		var all []perm
		for _, images := range allAutomorphisms(b) {
			all = append(all, asPerm(images))
		}
		g, u := b.Group(), unlisted(b)
		byLabel := make(map[triple]triple)
		for code := range pow(4, b.N) {
			at := position(b.N, code)
			greatest, orbit := at, make(map[triple]bool)
			for _, p := range all {
				image := p.images(at)
				orbit[image] = true
				if image.greater(greatest, b.N) {
					greatest = image
				}
			}

			x, o, z, size := g.Canonical64(at.x.A, at.o.A, at.z.A)
			if got := (triple{Set{A: x}, Set{A: o}, Set{A: z}}); got != greatest || size != uint64(len(orbit)) {
				t.Fatalf("%v: Canonical64(%v) = %v, %d; want %v, %d", b.Lines, at, got, size, greatest, len(orbit))
			}
			if got, size := g.canonicalTriple(at, nil); got != greatest || size != uint64(len(orbit)) {
				t.Fatalf("%v: wide(%v) = %v, %d; want %v, %d", b.Lines, at, got, size, greatest, len(orbit))
			}
			label, size := u.canonicalTriple(at, nil)
			if known, ok := byLabel[greatest]; ok && label != known {
				t.Fatalf("%v: label(%v) = %v, want %v", b.Lines, at, label, known)
			}
			byLabel[greatest] = label
			if !orbit[label] || size != uint64(len(orbit)) {
				t.Fatalf("%v: label(%v) = %v, %d; want one of %v", b.Lines, at, label, size, orbit)
			}
			checkBy(t, b, g, at)
			checkBy(t, b, u, at)
		}
	}
}

// checkBy checks that CanonicalBy gives the representative that Canonical
// gives and an automorphism that leads to it.
func checkBy(t *testing.T, b *Board, g *Group, at triple) {
	t.Helper()
	x, o, z, p := g.CanonicalBy(at.x, at.o, at.z)
	wx, wo, wz, _ := g.Canonical(at.x, at.o, at.z)
	if by, want := (triple{x, o, z}), (triple{wx, wo, wz}); by != want {
		t.Fatalf("CanonicalBy(%v) = %v, want %v", at, by, want)
	}
	if !isAutomorphism(b, ints(p)) || perm(p).images(at) != (triple{x, o, z}) {
		t.Fatalf("CanonicalBy(%v): %v does not lead to %v", at, p, triple{x, o, z})
	}
}

// randomPosition marks about the given share of the squares.
func randomPosition(r *rand.Rand, n int, share float64) triple {
	var t triple
	for i := range n {
		if r.Float64() >= share {
			continue
		}
		switch k := r.IntN(9); {
		case k < 4:
			t.x = t.x.With(i)
		case k < 8:
			t.o = t.o.With(i)
		default:
			t.z = t.z.With(i)
		}
	}
	return t
}

// randomElement returns a product of random generators.
func randomElement(r *rand.Rand, g *Group) perm {
	p := identity(g.n)
	generators := g.Generators()
	for range 8 + 2*len(generators) {
		if len(generators) > 0 {
			p = asPerm(generators[r.IntN(len(generators))]).compose(p)
		}
	}
	return p
}

func TestCanonicalIsInvariant(t *testing.T) {
	for _, c := range boards {
		t.Run(c.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 6))
			n, sets := c.sets()
			b := mustBoard(t, n, sets)
			groups := []*Group{b.Group()}
			if groups[0].canonical.Do(groups[0].prepareCanonical); groups[0].listing != nil {
				groups = append(groups, unlisted(b))
			}
			for _, g := range groups {
				if got, size := g.canonicalTriple(triple{}, nil); got != (triple{}) || size != 1 {
					t.Fatalf("the empty board: %v, %d", got, size)
				}
				for _, share := range []float64{0.05, 0.3, 0.9} {
					at := randomPosition(r, n, share)
					want, size := g.canonicalTriple(at, nil)
					image := randomElement(r, g).images(at)
					if got, s := g.canonicalTriple(image, nil); got != want || s != size {
						t.Fatalf("%v: %v, %d; its image %v: %v, %d", at, want, size, image, got, s)
					}
					checkBy(t, b, g, image)
				}
			}
			if n > 64 {
				return
			}
			for range 200 {
				at := randomPosition(r, n, r.Float64())
				want, size := b.Group().canonicalTriple(at, nil)
				x, o, z, s := b.Group().Canonical64(at.x.A, at.o.A, at.z.A)
				if got := (triple{Set{A: x}, Set{A: o}, Set{A: z}}); got != want || s != size {
					t.Fatalf("Canonical64(%v) = %v, %d, want %v, %d", at, got, s, want, size)
				}
			}
		})
	}
}

// TestListedAgainstLabelled holds the two methods against each other where
// both can be had: the representative by the one has the same representative
// as the position has by the other.
func TestListedAgainstLabelled(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, name := range []string{"4x4", "8x8", "4x4x4", "3x3x3x3", "affine 4", "projective 3", "edges of 6"} {
		g, _ := preparedBoard(t, name)
		for k := range 200 {
			at := randomPosition(r, g.n, float64(k)/200)
			listed, _, size := g.representative(at, nil)
			label, _, labelSize := g.representativeBySearch(at, nil)
			if size != labelSize {
				t.Fatalf("%s: %v has %d or %d images", name, at, size, labelSize)
			}
			if again, _, _ := g.representativeBySearch(listed, nil); again != label {
				t.Fatalf("%s: label(%v) = %v, of its image %v %v", name, at, label, listed, again)
			}
			if again, _, _ := g.representative(label, nil); again != listed {
				t.Fatalf("%s: represent(%v) = %v, of its image %v %v", name, at, listed, label, again)
			}
		}
	}
}

// TestRepresents: a set of squares is said to stand for its class just where it is its representative.
func TestRepresents(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, name := range []string{"4x4", "8x8", "4x4x4", "affine 4", "projective 3"} {
		g, _ := preparedBoard(t, name)
		stands := 0
		for k := range 300 {
			at := randomPosition(r, g.n, float64(k)/300)
			set, _, _, _ := g.Canonical64(at.x.A, 0, 0)
			for _, x := range []uint64{at.x.A, set} {
				same, _, _, orbit := g.Canonical64(x, 0, 0)
				itself, size := g.IsRepresentative(x)
				if itself != (same == x) || itself && size != orbit {
					t.Fatalf("%s: %b %v, of %d; representative %b, of %d", name, x, itself, size, same, orbit)
				}
				if itself {
					stands++
				}
			}
		}
		if stands < 300 || stands == 600 {
			t.Errorf("%s: %d of 600", name, stands)
		}
	}
}

func TestSizesOfLargeClasses(t *testing.T) {
	alone := mustBoard(t, 256, second(single(256))).Group()
	for _, c := range []struct {
		marks int
		want  uint64
	}{{0, 1}, {1, 256}, {2, 32640}, {255, 256}, {8, 409663695276000}, {128, 0}} {
		if _, _, _, size := alone.Canonical(Full(c.marks), Set{}, Set{}); size != c.want {
			t.Errorf("%d of 256 marks: %d positions, want %d", c.marks, size, c.want)
		}
	}
	// One mark on each of 28 boards, on a corner of 14 and on a side of 14:
	// 28!/(14!·14!)·4²⁸ positions, which is above 2⁶⁴, and with two boards
	// marked, 28·27·4·4.
	n, sets := copies(28, 9, second(rows(3, false, 3, 3)))
	g := mustBoard(t, n, sets).Group()
	var all Set
	for k := range 28 {
		all = all.With(9*k + k%2)
	}
	if _, _, _, size := g.Canonical(all, Set{}, Set{}); size != 0 {
		t.Errorf("28 marks on 28 boards: %d positions, want 0 for too many", size)
	}
	if _, _, _, size := g.Canonical(SetOf(0, 10), Set{}, Set{}); size != 28*27*4*4 {
		t.Errorf("2 marks on 28 boards: %d positions", size)
	}
}

// TestClassesOfCases enumerates the cases where any completed set ends the
// game, and counts their positions and classes.
func TestClassesOfCases(t *testing.T) {
	tried := 0
	for _, c := range readPositional(t) {
		if c.Option != "" && c.Option != "misere" || c.Positions > 30000 {
			continue
		}
		tried++
		b := c.board(t)
		type pair struct{ x, o Set } // of the side to move, of the other
		seen, classes, sum := make(map[pair]bool), make(map[pair]bool), uint64(0)
		var walk func(p pair, flip bool)
		walk = func(p pair, flip bool) {
			if seen[p] {
				return
			}
			seen[p] = true
			x, o, _, size := b.Group().Canonical(p.x, p.o, Set{})
			if !classes[pair{x, o}] {
				classes[pair{x, o}] = true
				sum += size
			}
			for _, l := range b.Lines {
				if l.Owned(p.o) {
					return
				}
			}
			for i := range b.Squares().Minus(p.x).Minus(p.o).All() {
				if b.Below == nil || b.Below[i] == -1 || p.x.Or(p.o).Has(b.Below[i]) {
					walk(pair{p.o, p.x.With(i)}, !flip)
				}
			}
		}
		walk(pair{}, false)
		if len(seen) != c.Positions || len(classes) != c.Classes || sum != uint64(c.Positions) {
			t.Errorf("%s: %d positions, %d classes that sum to %d; want %d, %d",
				c.ID, len(seen), len(classes), sum, c.Positions, c.Classes)
		}
	}
	if tried < 50 {
		t.Errorf("only %d cases tried", tried)
	}
}

func TestCanonicalAtOnce(t *testing.T) {
	n, sets := rows(4, false, 4, 4, 4)
	b := mustBoard(t, n, sets)
	var wait sync.WaitGroup
	for corner := range 4 {
		wait.Go(func() {
			if x, _, _, size := b.Group().Canonical64(1<<(16*corner+5*corner), 0, 0); x != 1 || size != 16 {
				t.Errorf("a square on a main diagonal: %b, %d", x, size)
			}
		})
	}
	wait.Wait()
}

func TestGravityRenewsTheGroup(t *testing.T) {
	n, sets := rows(3, false, 3, 3)
	b := mustBoard(t, n, sets)
	if got := b.Group().Order().Int64(); got != 8 {
		t.Fatalf("order %d, want 8", got)
	}
	if err := b.SetBelow([]int{3, 4, 5, 6, 7, 8, -1, -1, -1}); err != nil {
		t.Fatal(err)
	}
	if got := b.Group().Order().Int64(); got != 2 {
		t.Fatalf("with gravity: order %d, want 2", got)
	}
}

func TestCanonicalDoesNotAllocate(t *testing.T) {
	for _, name := range []string{"3x3", "4x4", "4x4x4", "affine 4", "256 alone", "15x15 5"} {
		g, positions := preparedBoard(t, name)
		k := 0
		if n := testing.AllocsPerRun(100, func() {
			p := positions[k%len(positions)]
			k++
			g.Canonical(p.x, p.o, p.z)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// preparedBoard returns the group of a board and random positions of all
// numbers of marks, as many x as o or one more.
func preparedBoard(t testing.TB, name string) (*Group, []triple) {
	for _, c := range boards {
		if c.name != name {
			continue
		}
		n, sets := c.sets()
		r := rand.New(rand.NewPCG(9, 10))
		var positions []triple
		for k := range 1024 {
			var at triple
			for m, i := range r.Perm(n)[:k%n] {
				if m%2 == 0 {
					at.x = at.x.With(i)
				} else {
					at.o = at.o.With(i)
				}
			}
			positions = append(positions, at)
		}
		g := mustBoard(t, n, sets).Group()
		g.canonical.Do(g.prepareCanonical)
		return g, positions
	}
	t.Fatal(fmt.Errorf("no board %q", name))
	return nil, nil
}

func BenchmarkCanonical64(b *testing.B) {
	for _, name := range []string{"3x3", "4x4", "7x6 4", "8x8", "4x4x4", "affine 4"} {
		g, positions := preparedBoard(b, name)
		b.Run(name, func(b *testing.B) {
			k := 0
			for b.Loop() {
				p := &positions[k&1023]
				k++
				g.Canonical64(p.x.A, p.o.A, 0)
			}
		})
	}
}

func BenchmarkCanonical(b *testing.B) {
	for _, name := range []string{"15x15 5", "3x3x3x3", "16x16 torus 5", "projective 3", "projective 9", "256 alone",
		"28 of 3x3", "edges of 23", "16x16"} {
		g, positions := preparedBoard(b, name)
		b.Run(name, func(b *testing.B) {
			k := 0
			for b.Loop() {
				p := &positions[k&1023]
				k++
				g.Canonical(p.x, p.o, Set{})
			}
		})
	}
}
