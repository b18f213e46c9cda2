package spsa

import (
	"math"
	"slices"
	"testing"
)

// TestTuningFindsTop: trials that are won by whoever is nearer to a point move the constants
// to it.
func TestTuningFindsTop(t *testing.T) {
	top := []float64{3, -1}
	tuning := &Tuning{Constants: []Constant{{Start: 1, Min: 0, Max: 8}, {Start: 2, Min: -4, Max: 4}},
		Iterations: 400, Trials: 4, Rate: 1, Seed: 7}
	for i := range tuning.Constants {
		if err := tuning.Constants[i].FillAndCheck(); err != nil {
			t.Fatal(err)
		}
	}
	far := func(x []float64) float64 { return math.Hypot(x[0]-top[0], x[1]-top[1]) }
	at := tuning.Start()
	var path [][]float64
	for k := range tuning.Iterations {
		var won []float64
		for n := range tuning.Trials {
			one, other := tuning.TrialConstants(at, k, n)
			for i, c := range tuning.Constants {
				steps, _ := tuning.DrawDirections(k, n)
				if (one[i]-other[i])*steps[i] <= 0 || one[i] < c.Min || one[i] > c.Max {
					t.Fatalf("iteration %d, trial %d: %v against %v", k, n, one, other)
				}
			}
			won = append(won, max(-1, min(1, far(other)-far(one))))
		}
		at = tuning.UpdatedConstants(at, k, won)
		path = append(path, at)
	}
	if mean := tuning.MeanOfLastQuarter(path); far(mean) > .3 {
		t.Errorf("tuned to %v, the top is %v", mean, top)
	}
	if again := tuning.UpdatedConstants(at, 3, []float64{0, 0, 0, 0}); !slices.Equal(again, at) {
		t.Errorf("even trials move %v to %v", at, again)
	}
}

// TestWholeConstants: both sides of a trial have whole numbers inside the bounds that differ,
// however small the steps become.
func TestWholeConstants(t *testing.T) {
	c := Constant{Name: "s", Start: 3, Min: 0.5, Max: 6.5, Step: .1}
	if c.SetWhole(); c.Min != 1 || c.Max != 6 {
		t.Fatalf("%+v", c)
	}
	tuning := &Tuning{Constants: []Constant{c}, Iterations: 1000, Trials: 1, Rate: 1}
	for _, at := range []float64{1, 1.3, 3.5, 5.999, 6} {
		one, other := tuning.TrialConstants([]float64{at}, 999, 0)
		for _, x := range append(one, other...) {
			if x != math.Round(x) || x < 1 || x > 6 {
				t.Errorf("around %v: %v", at, x)
			}
		}
		if one[0] == other[0] {
			t.Errorf("around %v both trials have %v", at, one)
		}
	}
	if mean := tuning.MeanOfLastQuarter([][]float64{{1}, {2.4}}); mean[0] != 2 {
		t.Errorf("mean %v", mean)
	}
}

// TestConstantRefused refuses constants that make no sense.
func TestConstantRefused(t *testing.T) {
	for _, c := range []Constant{{Start: 1, Min: 1, Max: 1}, {Start: 3, Max: 2}, {Start: 1, Max: 2, Step: 3},
		{Start: 1, Max: 2, Step: -1}, {Start: 1, Min: math.Inf(-1), Max: 2}, {Start: math.NaN(), Max: 2}} {
		if err := c.FillAndCheck(); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}
