// Package pattern judges positions on a board by what its winning sets hold: [Tuples]
// are groups of squares whose contents are looked up in tables, shared over the orbits
// of the board's automorphisms; a [Net] makes a worth of what stands there.
//
// Source: n-tuple systems, Lucas, "Learning to play Othello with n-tuple systems",
// Australian Journal of Intelligent Information Processing 4 (2008); that they are taken
// from the winning sets, and the orbits from the computed group, is oxo's.
package pattern

import (
	"fmt"
	"slices"
	"strings"

	"oxo/board"
)

// Tuples are groups of squares of a board and the table rows that stand for what they
// hold. Contents that an automorphism of the board carries to each other share a row;
// an empty tuple has none, and neither have contents that gravity rules out. They are
// not changed once made.
type Tuples struct {
	Name  string // the kinds they are of, joined with +
	Rows  int    // of the tables
	Codes int    // of all tuples' contents, before any are shared

	classes *board.Group // whose representatives are looked up; nil for positions as they are
	squares [][]int      // of each tuple, ascending
	base    []int32      // of each tuple's codes: what a square can hold; 0 where marks are counted
	below   []int        // of each square, as in a board; nil where no tuple asks
	step    uint         // on up to 64 squares, how far on is the number of the square below each, if all alike; else 0
	floor   uint64       // the lowest squares then
	weights [][]weight
	from    []int32   // where each tuple's codes begin in row
	row     []int32   // by code; none where nothing is looked up
	through [][]touch // for each square, the tuples that hold it
	touched int       // how many those are in the mean, rounded up
}

// weight is what a mark of First or Second on a square adds to a tuple's code, and what it
// adds that a mark can fall there.
type weight [3]int32

// touch is what a mark on a square adds to the code of a tuple that holds the square.
type touch struct {
	tuple int32
	adds  weight
}

const (
	// none stands in row for contents that have no row.
	none = -1

	// mostDigits is the most squares of a tuple that are looked up one by one; of a
	// larger one the marks of each side are counted.
	mostDigits = 8
	// mostCodes is the most contents of all tuples together, and usualCodes of those
	// that are made unless others are asked for.
	mostCodes  = 4_000_000
	usualCodes = 250_000
)

// Sharing says which tuples share the rows of a table. The more share one, the fewer weights there are to learn,
// and the less they can tell apart.
type Sharing int

// Tuples share rows with none, and positions are looked up as the representative of their
// class; or with those that automorphisms of the board carry them to; or also, on a board
// that is a grid, with those of the same shape elsewhere.
const (
	Alone Sharing = iota
	Orbits
	Translates
)

// TupleKinds lists the kinds of tuples with a line about each.
func TupleKinds() [][2]string {
	return [][2]string{
		{"usual", "lines, with the squares below where marks fall, and pairs where there are few"},
		{"lines", "each winning set"},
		{"reach", "each winning set and to which of its squares marks can fall, where they do"},
		{"below", "each winning set and the squares below it, where marks fall"},
		{"pairs", "each two winning sets that share a square"},
		{"squares", "each square alone"},
	}
}

// NewTuples returns the tuples of a board of the kinds that are named, joined with +.
// The error names an unknown kind, or says that there are too many.
func NewTuples(b *board.Board, kinds string, share Sharing) (*Tuples, error) {
	t, err := listTuples(b, kinds)
	if err != nil {
		return nil, err
	}
	t.assignCodeWeights(b)
	t.shareRows(b, share)
	return t, nil
}

// listTuples returns tuples without their tables.
func listTuples(b *board.Board, kinds string) (*Tuples, error) {
	t := &Tuples{Name: kinds}
	for kind := range strings.SplitSeq(kinds, "+") {
		if err := t.addKind(b, kind); err != nil {
			return nil, err
		}
	}
	if len(t.squares) == 0 {
		if err := t.addKind(b, "squares"); err != nil {
			return nil, err
		}
	}
	if t.Codes > mostCodes {
		return nil, fmt.Errorf("tuples=%s: they can hold %d contents, and at most %d can be learned", kinds, t.Codes,
			mostCodes)
	}
	return t, nil
}

// addKind adds the tuples of a kind that are not there yet, in the order of the board's winning sets or squares.
func (t *Tuples) addKind(b *board.Board, kind string) error {
	var sets []board.Set
	base := int32(3)
	if b.Below == nil && (kind == "below" || kind == "reach") {
		return fmt.Errorf("tuples=%s: marks don't fall in this game; there are lines, pairs, squares", kind)
	}
	switch kind {
	case "lines":
		sets = winningSets(b)
	case "reach":
		sets, base, t.below = winningSets(b), 4, b.Below
		t.findStepBelow()
	case "below":
		for _, s := range winningSets(b) {
			sets = append(sets, s.Or(squaresBelow(b, s)))
		}
	case "pairs":
		sets = overlappingPairs(b)
	case "squares":
		for i := range b.N {
			sets = append(sets, board.SetOf(i))
		}
	case "usual":
		first := "lines"
		if b.Below != nil {
			first = "below"
		}
		if err := t.addKind(b, first); err != nil {
			return err
		}
		if totalCodes(overlappingPairs(b)) <= usualCodes {
			return t.addKind(b, "pairs")
		}
		return nil
	default:
		var names []string
		for _, k := range TupleKinds() {
			names = append(names, k[0])
		}
		return fmt.Errorf("tuples=%s: %q is no kind of tuple; there are %s, joined with +", t.Name, kind,
			strings.Join(names, ", "))
	}
	// Kinds overlap, and a tuple that two of them have would learn everything twice.
	seen := map[tuple]bool{}
	for k := range t.squares {
		seen[t.tuple(k)] = true
	}
	for _, s := range sets {
		one := tuple{s, base}
		if s.Len() > mostDigits {
			one.base = 0
		}
		if !seen[one] {
			seen[one] = true
			t.squares, t.base = append(t.squares, slices.Collect(s.All())), append(t.base, one.base)
			t.Codes += int(codeCount(s.Len(), one.base))
		}
	}
	return nil
}

// findStepBelow finds out whether the square below has a number as far on for all squares.
func (t *Tuples) findStepBelow() {
	t.step, t.floor = 0, 0
	if len(t.below) > 64 {
		return
	}
	for i, j := range t.below {
		switch {
		case j < 0:
			t.floor |= 1 << i
		case j < i || t.step != 0 && t.step != uint(j-i):
			t.step = 0
			return
		default:
			t.step = uint(j - i)
		}
	}
}

// tuple is the squares of a tuple and the base of its codes.
type tuple struct {
	squares board.Set
	base    int32
}

// tuple returns what tells tuple k apart from all others.
func (t *Tuples) tuple(k int) tuple { return tuple{board.SetOf(t.squares[k]...), t.base[k]} }

// winningSets returns the winning sets, with the squares that would make them too long.
func winningSets(b *board.Board) []board.Set {
	var list []board.Set
	for _, l := range b.Lines {
		list = append(list, l.Need.Or(l.Bar))
	}
	return list
}

// squaresBelow returns the squares just below those of a set.
func squaresBelow(b *board.Board, s board.Set) board.Set {
	var below board.Set
	for i := range s.All() {
		if b.Below[i] >= 0 {
			below = below.With(b.Below[i])
		}
	}
	return below
}

// overlappingPairs returns the unions of each two winning sets that share a square, while their
// squares can be looked up one by one. It gives up where there are too many anyway.
func overlappingPairs(b *board.Board) []board.Set {
	seen := map[board.Set]bool{}
	var list []board.Set
	n := 0
	for i := range b.N {
		through := b.LinesThrough(i)
		for k, x := range through {
			for _, y := range through[:k] {
				s := b.Lines[x].Need.Or(b.Lines[y].Need)
				if s.Len() <= mostDigits && !seen[s] {
					seen[s] = true
					list = append(list, s)
					if n += int(codeCount(s.Len(), 3)); n > mostCodes {
						return list
					}
				}
			}
		}
	}
	return list
}

// codeCount returns how many codes a tuple of so many squares has.
func codeCount(squares int, base int32) int32 {
	if base == 0 {
		return int32(squares+1) * int32(squares+1)
	}
	n := int32(1)
	for range squares {
		n *= base
	}
	return n
}

// codeCount returns how many codes tuple k has, from 0 on; at 0 none of its squares holds a mark.
func (t *Tuples) codeCount(k int) int32 { return codeCount(len(t.squares[k]), t.base[k]) }

// totalCodes returns how many contents the sets can have together.
func totalCodes(sets []board.Set) int {
	n := 0
	for _, s := range sets {
		n += int(codeCount(s.Len(), 3))
	}
	return n
}

// assignCodeWeights numbers the codes and says what each square adds to them: a digit where squares
// are looked up one by one, else one to a count of First's marks or of Second's.
func (t *Tuples) assignCodeWeights(b *board.Board) {
	t.through = make([][]touch, b.N)
	from, all := int32(0), 0
	for k, squares := range t.squares {
		list := make([]weight, len(squares))
		digit := int32(1)
		for i, square := range squares {
			switch t.base[k] {
			case 0:
				list[i] = weight{1, int32(len(squares) + 1)}
			case 3:
				list[i] = weight{digit, 2 * digit}
			default:
				list[i] = weight{digit, 2 * digit, 3 * digit}
			}
			digit *= t.base[k]
			t.through[square] = append(t.through[square], touch{int32(k), list[i]})
		}
		t.weights = append(t.weights, list)
		t.from = append(t.from, from)
		from, all = from+t.codeCount(k), all+len(squares)
	}
	t.touched = (all + b.N - 1) / b.N
}

// shareRows gives codes their rows: the same one to those that generators of the group, or translations, carry to each
// other. Generators are enough, as what they join step by step is joined by every automorphism.
func (t *Tuples) shareRows(b *board.Board, share Sharing) {
	u := newUnionFind(t.Codes)
	index := make(map[tuple]int, len(t.squares))
	for k := range t.squares {
		index[t.tuple(k)] = k
	}
	generators := b.Group().Generators()
	if share == Alone {
		generators, t.classes = nil, b.Group()
	}
	for _, g := range generators {
		for k, squares := range t.squares {
			var image board.Set
			for _, i := range squares {
				image = image.With(g[i])
			}
			to := index[tuple{image, t.base[k]}] // kinds are closed under the group
			at := make([]weight, len(squares))
			for i, square := range squares {
				at[i] = t.weights[to][slices.Index(t.squares[to], g[square])]
			}
			t.joinImageCodes(u, k, to, at)
		}
	}
	if share == Translates && b.Cols > 0 {
		first := map[string]int{}
		for k := range t.squares {
			shape := t.tupleShapeText(b, k)
			to, ok := first[shape]
			if !ok {
				first[shape] = k
				continue
			}
			t.joinImageCodes(u, k, to, t.weights[to])
		}
	}
	t.numberRows(b, u)
}

// joinImageCodes makes one of each code of tuple k and the code of tuple to that its squares, each carried to the
// square of weight at, make. It counts through all contents of the tuple like the digits of a number, and keeps both
// codes by what a digit changes in them.
func (t *Tuples) joinImageCodes(u unionFind, k, to int, at []weight) {
	from, own, image := t.from[k], int32(0), int32(0)
	digits := make([]int32, len(at))
	if t.base[k] == 0 { // counts stay as they are
		for c := range t.codeCount(k) {
			u.join(from+c, t.from[to]+c)
		}
		return
	}
	last := t.base[k] - 1
	for {
		u.join(from+own, t.from[to]+image)
		i := 0
		for ; i < len(digits) && digits[i] == last; i++ {
			own -= t.weights[k][i][last-1]
			image -= at[i][last-1]
			digits[i] = 0
		}
		if i == len(digits) {
			return
		}
		own += t.weights[k][i][0]
		image += at[i][0]
		digits[i]++
	}
}

// tupleShapeText writes the squares of a tuple as seen from its least column, row and level.
func (t *Tuples) tupleShapeText(b *board.Board, k int) string {
	least := b.Layout[t.squares[k][0]]
	for _, i := range t.squares[k] {
		p := b.Layout[i]
		least.Col, least.Row, least.Level = min(least.Col, p.Col), min(least.Row, p.Row), min(least.Level, p.Level)
	}
	text := fmt.Sprint(t.base[k], ":")
	for _, i := range t.squares[k] {
		p := b.Layout[i]
		text += fmt.Sprintf("%d,%d,%d;", p.Col-least.Col, p.Row-least.Row, p.Level-least.Level)
	}
	return text
}

// numberRows numbers the rows in the order of their first codes.
func (t *Tuples) numberRows(b *board.Board, u unionFind) {
	t.row = make([]int32, t.Codes)
	rows := make(map[int32]int32)
	for k := range t.squares {
		for c := range t.codeCount(k) {
			code := t.from[k] + c
			if c == 0 || !t.contentsPossible(b, k, c) {
				t.row[code] = none
				continue
			}
			root := u.root(code)
			row, ok := rows[root]
			if !ok {
				row = int32(len(rows))
				rows[root] = row
			}
			t.row[code] = row
		}
	}
	t.Rows = len(rows)
}

// contentsPossible reports whether no mark of the contents hangs, or could fall to rest, above an
// empty square of the tuple, and counts are of no more marks than there are squares.
func (t *Tuples) contentsPossible(b *board.Board, k int, code int32) bool {
	squares := t.squares[k]
	if n := int32(len(squares)); t.base[k] == 0 {
		return code%(n+1)+code/(n+1) <= n
	}
	if b.Below == nil {
		return true
	}
	for i, square := range squares {
		if t.digit(k, code, i) == 0 {
			continue
		}
		if below := slices.Index(squares, b.Below[square]); below >= 0 && t.digit(k, code, below)%3 == 0 {
			return false
		}
	}
	return true
}

// digit returns what the i-th square of a tuple holds: 0 nothing, 1 and 2 a mark, 3 nothing
// and a mark can fall there.
func (t *Tuples) digit(k int, code int32, i int) int32 { return code / t.weights[k][i][0] % t.base[k] }

// marksOfCode returns what a code says of a tuple: the marks of First, those of Second, and the
// squares that a mark can fall to; where marks are counted, those of First are on its
// first squares.
func (t *Tuples) marksOfCode(k int, code int32) (marks [3]board.Set) {
	squares := t.squares[k]
	if n := int32(len(squares)); t.base[k] == 0 {
		first := code % (n + 1)
		return [3]board.Set{board.SetOf(squares[:first]...), board.SetOf(squares[first : first+code/(n+1)]...)}
	}
	for i, square := range squares {
		if digit := t.digit(k, code, i); digit > 0 {
			marks[digit-1] = marks[digit-1].With(square)
		}
	}
	return marks
}

// landingSquares returns the squares that a mark can fall to, where a tuple asks for them.
func (t *Tuples) landingSquares(x, o board.Set) (free board.Set) {
	marks := x.Or(o)
	if t.step > 0 {
		return board.Set{A: (marks.A>>t.step | t.floor) &^ marks.A}
	}
	for i, j := range t.below {
		if (j < 0 || marks.Has(j)) && !marks.Has(i) {
			free = free.With(i)
		}
	}
	return free
}

// Len returns the number of tuples.
func (t *Tuples) Len() int { return len(t.squares) }

// setCodes sets codes to those of the tuples with these marks, marks[0] counting as First's,
// and the squares that marks can fall to.
func (t *Tuples) setCodes(marks [3]board.Set, codes []int32) {
	copy(codes, t.from)
	for side, set := range marks {
		t.updateCodes(codes, set, side, 1)
	}
}

// updateCodes changes codes by marks of a side that come, sign 1, or go, -1. Side 2 are the squares that a mark can
// fall to.
func (t *Tuples) updateCodes(codes []int32, squares board.Set, side int, sign int32) {
	for i := range squares.All() {
		for _, at := range t.through[i] {
			codes[at.tuple] += sign * at.adds[side]
		}
	}
}

// unionFind is a partition of numbers into classes (Galler and Fischer, Communications of
// the ACM 7, 1964): each points to one of its class, a class's root to itself.
type unionFind []int32

// newUnionFind returns n sets of one number each.
func newUnionFind(n int) unionFind {
	u := make(unionFind, n)
	for i := range u {
		u[i] = int32(i)
	}
	return u
}

// root returns the least number of i's set.
func (u unionFind) root(i int32) int32 {
	for u[i] != i {
		u[i] = u[u[i]]
		i = u[i]
	}
	return i
}

// join makes one set of two.
func (u unionFind) join(i, j int32) {
	i, j = u.root(i), u.root(j)
	u[max(i, j)] = min(i, j)
}
