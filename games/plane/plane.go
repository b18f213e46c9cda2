// Package plane makes the boards of tic-tac-toe on finite planes: the squares
// are the plane's points and its lines win (Carroll and Dougherty, Mathematics
// Magazine 77, 2004).
package plane

import (
	"fmt"

	"oxo/board"
)

// field is a finite field of q elements 0…q−1, 0 and 1 being themselves: the sum and the product of two.
type field struct{ add, mul func(a, b int) int }

// newField returns the field of q elements, a prime power up to 9. Where q is
// a power of a prime p, element e₀ + e₁p + e₂p² stands for the polynomial
// e₀ + e₁x + e₂x², multiplied modulo x²+x+1 (4), x³+x+1 (8) or x²+1 (9).
func newField(q int) (*field, error) {
	var p, top int // top is what the lowest power of x is equal to that is no element
	switch q {
	case 2, 3, 5, 7:
		p = q
	case 4, 8:
		p, top = 2, 3
	case 9:
		p, top = 3, 2
	default:
		return nil, fmt.Errorf("order %d: it must be a prime power from 2 to 9: 2, 3, 4, 5, 7, 8 or 9", q)
	}
	// Coefficients are added one by one.
	add := func(a, b int) (sum int) {
		for place := 1; place < q; place *= p {
			sum += (a/place + b/place) % p * place
		}
		return sum
	}
	// From the highest coefficient of a on: x times the product so far, and b as often as the coefficient says.
	mul := func(a, b int) (product int) {
		for place := q / p; place > 0; place /= p {
			over := product / (q / p)
			product = product % (q / p) * p
			for range over {
				product = add(product, top)
			}
			for range a / place % p {
				product = add(product, b)
			}
		}
		return product
	}
	return &field{add, mul}, nil
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
				line = append(line, f.add(f.mul(a, x), b)*q+x)
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
				dot = f.add(dot, f.mul(l[k], p[k]))
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
