package limit

import "math/big"

// Row, Solve and Separate are for tests: inequalities, and both ways to weights or to multiples of them.
type Row struct {
	Of     []int64
	Strict bool
}

func Solve(list []Row, size int) ([]float64, []*big.Int) { return solve(rowsOf(list), size) }

func Separate(list []Row, size int) ([]float64, []*big.Int) {
	return separate(rowsOf(list), size, false)
}

func rowsOf(list []Row) (rows []row) {
	for _, r := range list {
		rows = append(rows, row{of: r.Of, strict: r.Strict})
	}
	return rows
}
