package regress

import (
	"math"
)

// solveCholesky returns x with a·x = b for a symmetric positive definite matrix of
// k rows, of which the lower half is read, by Cholesky's decomposition a = l·lᵀ
// (Golub and Van Loan, "Matrix Computations", 4.2). It returns false where a is
// not positive definite. It works on a and b themselves, which hold l and x then.
func solveCholesky(a, b []float64) bool {
	k := len(b)
	// Each row of l follows from the rows above it and overwrites the lower half of a. A square that is not
	// positive shows that a is not positive definite, and an infinite one that its numbers are too large.
	for i := range k {
		row := a[i*k : i*k+k]
		for j := range i + 1 {
			other := a[j*k : j*k+k]
			sum := row[j]
			for n := range j {
				sum -= row[n] * other[n]
			}
			switch {
			case j < i:
				row[j] = sum / other[j]
			case !(sum > 0) || math.IsInf(sum, 0):
				return false
			default:
				row[j] = math.Sqrt(sum)
			}
		}
	}
	for i := range k { // l·y = b
		for n := range i {
			b[i] -= a[i*k+n] * b[n]
		}
		b[i] /= a[i*k+i]
	}
	for i := k - 1; i >= 0; i-- { // lᵀ·x = y
		for n := i + 1; n < k; n++ {
			b[i] -= a[n*k+i] * b[n]
		}
		b[i] /= a[i*k+i]
	}
	return true
}
