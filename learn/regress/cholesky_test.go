package regress

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSolveSquares solves random equations whose answer is known, and refuses
// matrices that are not positive definite.
func TestSolveSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for k := 1; k <= 40; k++ {
		// xᵀx + 1 is positive definite for any x.
		x, want := make([]float64, k*k), make([]float64, k)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		a, b := make([]float64, k*k), make([]float64, k)
		for i := range k {
			want[i] = r.NormFloat64()
			for j := range k {
				for n := range k {
					a[i*k+j] += x[n*k+i] * x[n*k+j]
				}
			}
			a[i*k+i]++
		}
		for i := range k {
			for j := range k {
				b[i] += a[i*k+j] * want[j]
			}
		}
		if !solveCholesky(a, b) {
			t.Fatalf("%d equations can't be solved", k)
		}
		for i := range k {
			if math.Abs(b[i]-want[i]) > 1e-8*(1+math.Abs(want[i])) {
				t.Errorf("of %d, number %d is %v, not %v", k, i, b[i], want[i])
			}
		}
	}
	for _, a := range [][]float64{{0}, {-1}, {math.NaN()}, {math.Inf(1)}} {
		if solveCholesky(a, []float64{1}) {
			t.Errorf("%v is taken for positive definite", a)
		}
	}
	if solveCholesky([]float64{1, 0, 2, 1}, []float64{1, 1}) {
		t.Error("1 2; 2 1 is taken for positive definite")
	}
}
