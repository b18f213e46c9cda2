package regress

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestNormal fits weights to examples of a known sum, in the presence of a feature that is
// never there, and checks that of noisy ones no other weights err less.
func TestNormal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	want := []float64{3, -2, 0, 0.5}
	exact, noisy := NewNormal(4), NewNormal(4)
	var xs [][]float64
	var ys []float64
	for range 200 {
		x := []float64{1, r.NormFloat64(), 0, r.NormFloat64()}
		y := 0.0
		for i, v := range x {
			y += want[i] * v
		}
		exact.Add(x, y)
		y += r.NormFloat64()
		noisy.Add(x, y)
		xs, ys = append(xs, x), append(ys, y)
	}
	w := make([]float64, 4)
	exact.SolveInto(w)
	for i := range w {
		if math.Abs(w[i]-want[i]) > 1e-6 {
			t.Errorf("weight %d is %v, want %v", i, w[i], want[i])
		}
	}
	noisy.SolveInto(w)
	squares := func() (sum float64) {
		for k, x := range xs {
			d := ys[k]
			for i, v := range x {
				d -= w[i] * v
			}
			sum += d * d
		}
		return sum
	}
	least := squares()
	for i := range w {
		for _, d := range []float64{-0.01, 0.01} {
			if w[i] += d; i != 2 && squares() <= least {
				t.Errorf("weight %d changed by %v errs no more", i, d)
			}
			w[i] -= d
		}
	}
	if !exact.Of(4) || exact.Of(3) {
		t.Error("the equations don't know how many features they are of")
	}
}

// TestTreeSplits compares the first question of random trees with the best of all questions,
// each tried.
func TestTreeSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		tree := &Tree{Names: []string{"a", "b", "c"}, Least: 1 + r.IntN(3)}
		var xs [][]float64
		var ys []float64
		for range 12 {
			x := []float64{float64(r.IntN(4)), float64(r.IntN(4)), float64(r.IntN(4))}
			y := float64(r.IntN(5))
			tree.Add(x, y)
			xs, ys = append(xs, x), append(ys, y)
		}
		least := math.Inf(1)
		for k := range 3 {
			for limit := range 3 {
				var parts [2][]float64
				for i, x := range xs {
					side := 0
					if x[k] > float64(limit) {
						side = 1
					}
					parts[side] = append(parts[side], ys[i])
				}
				if min(len(parts[0]), len(parts[1])) >= tree.Least {
					least = min(least, squaredError(parts[0])+squaredError(parts[1]))
				}
			}
		}
		tree.Grow(1)
		var got [2][]float64
		for i, x := range xs {
			side := 0
			if tree.Leaves() == 2 && x[tree.branches[0].At] > tree.branches[0].Limit {
				side = 1
			}
			got[side] = append(got[side], ys[i])
		}
		if err := squaredError(got[0]) + squaredError(got[1]); !math.IsInf(least, 1) && math.Abs(err-least) > 1e-9 {
			t.Fatalf("a question leaves a squared error of %v, the best %v", err, least)
		}
	}
}

// squaredError is that of numbers about their mean.
func squaredError(list []float64) (sum float64) {
	mean := 0.0
	for _, y := range list {
		mean += y / float64(len(list))
	}
	for _, y := range list {
		sum += (y - mean) * (y - mean)
	}
	return sum
}

// TestTreeSaved checks that a tree that was saved says the same, and that trees which lead
// nowhere are refused.
func TestTreeSaved(t *testing.T) {
	tree := &Tree{Names: []string{"a"}, Least: 1}
	if tree.Value([]float64{1}) != 0 || len(tree.Rules()) != 0 {
		t.Error("a tree that has not grown says something")
	}
	for x := range 8 {
		tree.Add([]float64{float64(x)}, float64(x*x))
	}
	tree.Grow(7)
	data, err := json.Marshal(tree.Save())
	if err != nil {
		t.Fatal(err)
	}
	read := func() (s Saved) {
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	again := &Tree{Names: []string{"a"}, Least: 1}
	if err := again.Load(read()); err != nil || !reflect.DeepEqual(again.Rules(), tree.Rules()) {
		t.Errorf("the tree comes back changed: %v", err)
	}
	for x := range 8 {
		if v := again.Value([]float64{float64(x)}); v != float64(x*x) {
			t.Errorf("%d is worth %v", x, v)
		}
	}
	for name, spoil := range map[string]func(s *Saved){
		"other features":      func(s *Saved) { s.Features = []string{"b"} },
		"too many features":   func(s *Saved) { s.Rows[0].X = []float64{1, 2} },
		"never seen":          func(s *Saved) { s.Rows[0].Seen = 0 },
		"a branch to itself":  func(s *Saved) { s.Branches[0].Low = 0 },
		"a branch too far":    func(s *Saved) { s.Branches[0].High = 99 },
		"of no feature":       func(s *Saved) { s.Branches[0].At = 1 },
		"of a feature before": func(s *Saved) { s.Branches[0].At = -1 },
	} {
		s := read()
		spoil(&s)
		if again.Load(s) == nil {
			t.Errorf("%s: a tree is accepted", name)
		}
	}
}

// TestNames checks that weights come back by their names, and only all of them.
func TestNames(t *testing.T) {
	names, w := []string{"a", "b"}, []float64{1, 2}
	got := make([]float64, 2)
	if err := FromNames(ByName(names, w), names, got); err != nil || !reflect.DeepEqual(got, w) {
		t.Errorf("%v came back as %v: %v", w, got, err)
	}
	for _, m := range []map[string]float64{{"a": 1}, {"a": 1, "c": 2}} {
		if FromNames(m, names, got) == nil {
			t.Errorf("%v are accepted", m)
		}
	}
}
