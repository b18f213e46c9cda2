package board

import "math/bits"

// sorter puts the marks of a class of twins in order: x on its first squares,
// then o, then z. Exchanging twins does no more, so two positions that differ
// in nothing else become the same.
type sorter struct {
	squares []uint8
	all     Set
	first   []Set      // the first k squares of the class
	choose  [][]uint64 // binomial coefficients, 0 for those that are 2⁶⁴ or more
}

// newSorters returns the sorters of classes of twins.
func newSorters(classes [][]uint8) []sorter {
	var sorters []sorter
	most := 0
	for _, class := range classes {
		s := sorter{squares: class, first: []Set{{}}}
		for _, i := range class {
			s.all = s.all.With(int(i))
			s.first = append(s.first, s.all)
		}
		sorters = append(sorters, s)
		most = max(most, len(class))
	}
	choose := binomials(most)
	for k := range sorters {
		sorters[k].choose = choose
	}
	return sorters
}

// binomials returns the binomial coefficients up to n over n, with 0 for those
// that are 2⁶⁴ or more.
func binomials(n int) [][]uint64 {
	rows := make([][]uint64, n+1)
	for m := range rows {
		rows[m] = make([]uint64, m+1)
		rows[m][0], rows[m][m] = 1, 1
		for k := 1; k < m; k++ {
			a, b := rows[m-1][k-1], rows[m-1][k]
			if sum, carry := bits.Add64(a, b, 0); a != 0 && b != 0 && carry == 0 {
				rows[m][k] = sum
			}
		}
	}
	return rows
}

// countArrangements returns in how many ways the class can bear its marks, where the first
// x squares are marked x, those up to o are marked o, and those up to z, z.
func (s *sorter) countArrangements(x, o, z int) uint64 {
	return productOrZero(s.choose[len(s.squares)][z], productOrZero(s.choose[z][o], s.choose[o][x]))
}

// sortMarks64 sorts the marks of the class and multiplies ways by the number of arrangements that the class can bear
// them in, where 0 stands for 2⁶⁴ or more.
func (s *sorter) sortMarks64(x, o, z, ways uint64) (sx, so, sz, newWays uint64) {
	all := s.all.A
	a := bits.OnesCount64(x & all)
	b := a + bits.OnesCount64(o&all)
	c := b + bits.OnesCount64(z&all)
	if c == 0 {
		return x, o, z, ways
	}
	x = x&^all | s.first[a].A
	o = o&^all | s.first[b].A&^s.first[a].A
	z = z&^all | s.first[c].A&^s.first[b].A
	return x, o, z, productOrZero(ways, s.countArrangements(a, b, c))
}

// sortMarks is sortMarks64 for boards of any size.
func (s *sorter) sortMarks(t triple, ways uint64) (sorted triple, newWays uint64) {
	a := t.x.And(s.all).Len()
	b := a + t.o.And(s.all).Len()
	c := b + t.z.And(s.all).Len()
	t.x = t.x.Minus(s.all).Or(s.first[a])
	t.o = t.o.Minus(s.all).Or(s.first[b].Minus(s.first[a]))
	t.z = t.z.Minus(s.all).Or(s.first[c].Minus(s.first[b]))
	return t, productOrZero(ways, s.countArrangements(a, b, c))
}

// setSortingImages sets the images, under the permutation by, of the squares of the class
// so that by sorts the marks of t.
func (s *sorter) setSortingImages(t triple, by perm) {
	k := 0
	for _, marks := range []Set{t.x, t.o, t.z, s.all.Minus(t.x).Minus(t.o).Minus(t.z)} {
		for _, i := range s.squares {
			if marks.Has(int(i)) {
				by[i] = s.squares[k]
				k++
			}
		}
	}
}
