package model

import (
	"math"
	"testing"

	"oxo"
)

// TestLMSByHand: wᵢ ← wᵢ + η·(Vtrain − V̂)·xᵢ.
func TestLMSByHand(t *testing.T) {
	a := ttt(t)
	_, l := linearOf(t, a, "lms:features=wins,eta=0.1,scaled=no")
	l.w = []float64{1, 2, 3}
	n, err := a.Find("xxx/oo./... o")
	if err != nil {
		t.Fatal(err)
	}
	l.Learn(Example{Node: n, Seat: oxo.First, Target: 100, Rate: 1}) // x = 1, 1, 0; V̂ = 3
	if want := []float64{1 + 9.7, 2 + 9.7, 3}; math.Abs(l.w[0]-want[0])+math.Abs(l.w[1]-want[1])+
		math.Abs(l.w[2]-want[2]) > 1e-9 {
		t.Errorf("weights %v, want %v", l.w, want)
	}
	fit := make([]float64, 3)
	l.fitted.SolveInto(fit)
	if math.Abs(fit[0]+fit[1]-100) > 0.01 {
		t.Errorf("least squares %v gives the only example %v, want 100", fit, fit[0]+fit[1])
	}
}
