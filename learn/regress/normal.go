package regress

import "slices"

// Normal holds the normal equations of all examples: XᵀX and Xᵀy, where a row of X is the features of an example
// and y is its worth. For k features XX has k rows of k numbers, one after the other. So the examples themselves
// need not be kept.
type Normal struct {
	XX []float64 `json:"xx"`
	XY []float64 `json:"xy"`
}

// NewNormal returns the equations of no example, for k features.
func NewNormal(k int) Normal {
	return Normal{make([]float64, k*k), make([]float64, k)}
}

// Add adds the example that features x are worth y. There must be as many features as the equations are for.
func (f *Normal) Add(x []float64, y float64) {
	k := len(x)
	for i, v := range x {
		if v == 0 {
			continue
		}
		f.XY[i] += v * y
		row := f.XX[i*k : (i+1)*k]
		for j, u := range x {
			row[j] += v * u
		}
	}
}

// ridge keeps the equations solvable where features depend on each other: it is added to the diagonal of XᵀX, and
// so small that it hardly changes weights that the examples determine.
const ridge = 1e-6

// SolveInto sets w to the weights with the least squared error over all examples. Where the equations can't be
// solved even with the ridge, as where numbers are infinite, w stays as it is.
func (f *Normal) SolveInto(w []float64) {
	k := len(w)
	a, x := slices.Clone(f.XX), slices.Clone(f.XY)
	for i := range k {
		a[i*k+i] += ridge
	}
	if solveCholesky(a, x) {
		copy(w, x)
	}
}

// Of reports whether the equations are for k features.
func (f *Normal) Of(k int) bool { return len(f.XX) == k*k && len(f.XY) == k }
