package limit

import (
	"math/big"

	"oxo"
	"oxo/learn/space"
)

// Row, Solve and Separate are for tests: inequalities, and both ways to weights or to multiples of them.
type Row struct {
	Of     []int64
	Strict bool
}

func Solve(list []Row, size int) ([]float64, []*big.Int) {
	return solveLinearProgram(rowsOf(list), size)
}

func Separate(list []Row, size int) ([]float64, []*big.Int) {
	return separate(rowsOf(list), size, false)
}

func rowsOf(list []Row) (rows []row) {
	for _, r := range list {
		rows = append(rows, row{of: r.Of, strict: r.Strict})
	}
	return rows
}

// Asked are the positions after the best moves of which inequalities are asked.
func Asked(h Hypothesis, seats []oxo.Seat) (list []space.Node, err error) {
	f := &finder{Hypothesis: h, seats: seats, best: map[space.Node][]int{}}
	_, pairs, err := f.inequalities()
	for _, p := range pairs {
		list = append(list, h.Space.Children(p.n)[p.best])
	}
	return list, err
}
