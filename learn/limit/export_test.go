package limit

import "math/big"

// Row and Solve are for tests.
type Row struct {
	Of     []int64
	Strict bool
}

func Solve(list []Row, size int) ([]float64, []*big.Int) {
	var rows []row
	for _, r := range list {
		rows = append(rows, row{of: r.Of, strict: r.Strict})
	}
	return solve(rows, size)
}
