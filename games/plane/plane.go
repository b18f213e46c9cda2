// Package plane makes the boards of tic-tac-toe on finite planes: the squares
// are the plane's points and its lines win (Carroll and Dougherty, Mathematics
// Magazine 77, 2004).
package plane

import (
	"fmt"

	"oxo/board"
)

// field is a finite field of q elements 0…q−1, 0 and 1 being themselves: the sum and the product of a and b are
// add[a][b] and mul[a][b].
type field struct{ add, mul [][]int }

// newField returns the field of q elements, a prime power up to 9. Where q is
// a power of a prime p, element e₀ + e₁p + e₂p² stands for the polynomial
// e₀ + e₁x + e₂x², multiplied modulo x²+x+1 (4), x³+x+1 (8) or x²+1 (9).
func newField(q int) (*field, error) {
	var p int
	// The coefficients in top are in ascending order, as all coefficients here are.
	var top []int // what x^degree is equal to
	switch q {
	case 2, 3, 5, 7:
		p, top = q, []int{0}
	case 4:
		p, top = 2, []int{1, 1}
	case 8:
		p, top = 2, []int{1, 1, 0}
	case 9:
		p, top = 3, []int{2, 0}
	default:
		return nil, fmt.Errorf("order %d: it must be a prime power from 2 to 9: 2, 3, 4, 5, 7, 8 or 9", q)
	}
	// An element has as many coefficients as the polynomial's degree, and a product of two up to twice as many less
	// one before it is reduced.
	degree := len(top)
	// digits returns the coefficients of an element, and number the element that has them.
	digits := func(e int) []int {
		d := make([]int, degree)
		for i := range d {
			d[i], e = e%p, e/p
		}
		return d
	}
	number := func(d []int) int {
		e := 0
		for i := degree - 1; i >= 0; i-- {
			e = e*p + d[i]
		}
		return e
	}
	// The tables are filled by the polynomials that the elements stand for.
	f := &field{add: zeroTable(q), mul: zeroTable(q)}
	for a := range q {
		for b := range q {
			x, y := digits(a), digits(b)
			sum, product := make([]int, degree), make([]int, 2*degree-1)
			for i := range degree {
				sum[i] = (x[i] + y[i]) % p
				for j := range degree {
					product[i+j] = (product[i+j] + x[i]*y[j]) % p
				}
			}
			// Replace the powers of x that are too high, from the highest on, each by what it is equal to.
			for i := 2*degree - 2; i >= degree; i-- {
				for j, c := range top {
					product[i-degree+j] = (product[i-degree+j] + product[i]*c) % p
				}
			}
			f.add[a][b], f.mul[a][b] = number(sum), number(product)
		}
	}
	return f, nil
}

// zeroTable returns a table of q × q zeros.
func zeroTable(q int) [][]int {
	t := make([][]int, q)
	for i := range t {
		t[i] = make([]int, q)
	}
	return t
}

// Affine returns the plane of order q: q² points (x, y), and q²+q lines y = ax + b and x = b, of q points each. Any
// two points are on exactly one line. Point (x, y) is square qy + x, drawn in column x and row y. Orders are those
// of fields: prime powers up to 9.
func Affine(q int) (*board.Board, error) {
	f, err := newField(q)
	if err != nil {
		return nil, err
	}
	var sets [][]int
	for b := range q {
		// The upright line x = b comes first, then the line of each slope a that meets column 0 in row b.
		var upright []int
		for y := range q {
			upright = append(upright, y*q+b)
		}
		sets = append(sets, upright)
		for a := range q {
			var line []int
			for x := range q {
				line = append(line, f.add[f.mul[a][x]][b]*q+x)
			}
			sets = append(sets, line)
		}
	}
	b, err := board.New(q*q, sets)
	if err != nil {
		return nil, err
	}
	for i := range b.Layout {
		b.Layout[i] = board.Point{Col: i % q, Row: i / q}
	}
	return b, nil
}

// Projective returns the plane of order q: q²+q+1 points and as many lines, of q+1 points each, any two of which
// meet. Points and lines are the triples over the field whose first non-zero entry is 1; a point is on a line where
// their product is 0. Orders are those of fields: prime powers up to 9.
func Projective(q int) (*board.Board, error) {
	f, err := newField(q)
	if err != nil {
		return nil, err
	}
	// The affine points (1, x, y) come first and are drawn by x and y, then the line at infinity, which is drawn as
	// a column to their right, with a gap between.
	var points [][3]int
	var layout []board.Point
	for y := range q {
		for x := range q {
			points = append(points, [3]int{1, x, y})
			layout = append(layout, board.Point{Col: x, Row: y})
		}
	}
	for s := range q {
		points = append(points, [3]int{0, 1, s})
		layout = append(layout, board.Point{Col: q + 1, Row: s})
	}
	points = append(points, [3]int{0, 0, 1})
	layout = append(layout, board.Point{Col: q + 1, Row: q + 1})

	// The same triples are the lines; the product is the sum of the entries' products, in the field.
	var sets [][]int
	for _, l := range points {
		var line []int
		for i, p := range points {
			dot := 0
			for k := range 3 {
				dot = f.add[dot][f.mul[l[k]][p[k]]]
			}
			if dot == 0 {
				line = append(line, i)
			}
		}
		sets = append(sets, line)
	}
	b, err := board.New(len(points), sets)
	if err != nil {
		return nil, err
	}
	b.Layout = layout
	return b, nil
}
