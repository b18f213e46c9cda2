package limit

import (
	"math/big"
	"slices"
)

// row is an inequality: the sum of each weight times the number of the same feature in of is more than 0, or if it
// is not strict at least 0.
type row struct {
	of     []int64
	strict bool
	tied   bool // the opposite is a row as well
}

// separate returns weights that fulfil all rows, or multiples of rows, at least one of them strict, that add up to
// nothing; exactly one of the two is nil. There is a multiple for each row, 0 for most. Weights are whole numbers.
// With strict all rows are taken for strict but those that are tied.
func separate(rows []row, size int, strict bool) (weights []float64, multiples []*big.Int) {
	if strict {
		rows = slices.Clone(rows)
		for k := range rows {
			rows[k].strict = !rows[k].tied
		}
	}
	if w := perceptron(rows, size, 300); w != nil {
		return w, nil
	}
	// Most rows follow from a few, and the exact method is slow in many. So it is given those that the weights so
	// far do not fulfil, and more until the weights that it finds fulfil all others or there are none.
	var chosen []int
	taken := make([]bool, len(rows))
	w := make([]float64, size)
	for {
		added := 0
		for k, r := range rows {
			v := dotRow(r, w)
			if !taken[k] && (v < 0 || v == 0 && r.strict) && added < size+1 {
				taken[k] = true
				added++
				chosen = append(chosen, k)
			}
		}
		if added == 0 {
			return w, nil
		}
		part := make([]row, len(chosen))
		for i, k := range chosen {
			part[i] = rows[k]
		}
		var multiples []*big.Int
		if w, multiples = solveLinearProgram(part, size); multiples != nil {
			all := make([]*big.Int, len(rows))
			for k := range all {
				all[k] = new(big.Int)
			}
			for i, k := range chosen {
				all[k] = multiples[i]
			}
			return nil, all
		}
	}
}

// dotRow returns the product of a row with weights, in floating point.
func dotRow(r row, w []float64) float64 {
	sum := 0.0
	for i, x := range r.of {
		if x != 0 {
			sum += float64(x) * w[i]
		}
	}
	return sum
}

// perceptron returns weights that fulfil all rows with room to spare, nil where it has found none after so many
// rounds (Rosenblatt, Psychological Review 65, 1958). Its weights are sums of rows, so they are whole numbers. A
// row that is not strict and has no numbers but 0 needs nothing.
func perceptron(rows []row, size, rounds int) []float64 {
	w := make([]float64, size)
	for range rounds {
		wrong := false
		for _, r := range rows {
			if v := dotRow(r, w); v > 0 || v == 0 && r.tied {
				continue
			}
			zero := true
			for i, x := range r.of {
				w[i] += float64(x)
				zero = zero && x == 0
			}
			wrong = wrong || !zero || r.strict
		}
		if !wrong {
			return w
		}
	}
	return nil
}

// tableau is of the simplex method in fractions: multiples of rows, at least 0, add up to 0
// in each feature, and those of strict rows to 1. What is missing is made up for by a variable
// for each of these equations, whose sum is made least. A column is that of a row, then that of such a variable,
// and the last is the right side.
type tableau struct {
	at    [][]*big.Rat // equations, the last of which is the sum; the last column is the right side
	basis []int        // the column of each equation
}

// solveLinearProgram is separate by linear programming, in exact fractions: multiples where the least sum is 0, else
// weights, which are the dual solution. Either is scaled to whole numbers.
func solveLinearProgram(rows []row, size int) (weights []float64, multiples []*big.Int) {
	t := newTableau(rows, size)
	for {
		column := t.enteringColumn()
		if column < 0 {
			break
		}
		t.pivot(t.leavingRow(column), column)
	}
	cost, right := t.at[size+1], len(rows)+size+1
	if cost[right].Sign() == 0 {
		list := make([]*big.Rat, len(rows))
		for k := range list {
			list[k] = new(big.Rat)
		}
		for i, column := range t.basis {
			if column < len(rows) {
				list[column] = t.at[i][right]
			}
		}
		return nil, smallestIntegers(list)
	}
	w := make([]*big.Rat, size)
	for i := range w { // the cost of what makes up for an equation is 1 less its dual
		w[i] = new(big.Rat).Sub(cost[len(rows)+i], big.NewRat(1, 1))
	}
	weights = make([]float64, size)
	for i, n := range smallestIntegers(w) {
		weights[i], _ = new(big.Float).SetInt(n).Float64()
	}
	return weights, nil
}

// newTableau returns the tableau of the rows, with a variable of its own for each equation as the
// first basis.
func newTableau(rows []row, size int) *tableau {
	t := &tableau{basis: make([]int, size+1)}
	width := len(rows) + size + 2
	for range size + 2 {
		line := make([]*big.Rat, width)
		for k := range line {
			line[k] = new(big.Rat)
		}
		t.at = append(t.at, line)
	}
	for i := range size + 1 {
		t.basis[i] = len(rows) + i
		t.at[i][len(rows)+i].SetInt64(1)
		for k, r := range rows {
			switch {
			case i < size:
				t.at[i][k].SetInt64(r.of[i])
			case r.strict:
				t.at[i][k].SetInt64(1)
			}
			t.at[size+1][k].Sub(t.at[size+1][k], t.at[i][k])
		}
	}
	// What is missing at first is all: 1 in the equation of the strict rows.
	t.at[size][width-1].SetInt64(1)
	t.at[size+1][width-1].SetInt64(-1)
	return t
}

// enteringColumn returns the first column by which the sum falls, -1 where there is none: with the
// first of the rows that leave that never goes in circles (Bland, Mathematics of Operations
// Research 2, 1977).
func (t *tableau) enteringColumn() int {
	cost := t.at[len(t.at)-1]
	return slices.IndexFunc(cost[:len(cost)-1], func(c *big.Rat) bool { return c.Sign() < 0 })
}

// leavingRow returns the row whose variable leaves the basis for a column's, by the least ratio, −1 where none bounds
// it. A column that enteringColumn chooses is always bounded, as the sum of what is missing can't fall below 0.
func (t *tableau) leavingRow(column int) int {
	best, ratio := -1, new(big.Rat)
	for i, line := range t.at[:len(t.at)-1] {
		if line[column].Sign() <= 0 {
			continue
		}
		r := new(big.Rat).Quo(line[len(line)-1], line[column])
		if c := r.Cmp(ratio); best < 0 || c < 0 || c == 0 && t.basis[i] < t.basis[best] {
			best, ratio = i, r
		}
	}
	return best
}

// pivot brings a column into the basis in place of a row's variable: it divides the row at so that the column is 1
// there, and takes multiples of it from all other rows, the sum included, so that the column is 0 in them.
func (t *tableau) pivot(at, column int) {
	t.basis[at] = column
	line := t.at[at]
	by := new(big.Rat).Inv(line[column])
	for _, x := range line {
		if x.Sign() != 0 {
			x.Mul(x, by)
		}
	}
	part := new(big.Rat)
	for i, other := range t.at {
		if i == at || other[column].Sign() == 0 {
			continue
		}
		by := new(big.Rat).Set(other[column])
		for k, x := range line {
			if x.Sign() != 0 {
				other[k].Sub(other[k], part.Mul(by, x))
			}
		}
	}
}

// smallestIntegers returns the smallest whole numbers in the proportions of fractions, with their signs: times the
// least common multiple of the denominators, divided by the greatest common divisor of what that gives.
func smallestIntegers(list []*big.Rat) []*big.Int {
	of, all := big.NewInt(1), new(big.Int)
	for _, x := range list {
		d := x.Denom()
		g := new(big.Int).GCD(nil, nil, of, d)
		of.Mul(of, new(big.Int).Quo(d, g))
	}
	numbers := make([]*big.Int, len(list))
	for i, x := range list {
		numbers[i] = new(big.Int).Mul(x.Num(), new(big.Int).Quo(of, x.Denom()))
		all.GCD(nil, nil, all, new(big.Int).Abs(numbers[i]))
	}
	if all.Sign() > 0 {
		for _, n := range numbers {
			n.Quo(n, all)
		}
	}
	return numbers
}
