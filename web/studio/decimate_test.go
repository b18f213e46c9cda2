package studio_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// decimated is the slow twin of decimate: it looks for the points of each
// column one after another.
func decimated(xs, ys []float64, left, right float64, columns int) []int {
	scale := float64(columns) / (right - left)
	column := func(i int) int { return max(-1, min(columns, int(math.Floor((xs[i]-left)*scale)))) }
	var kept []int
	for c := -1; c <= columns; c++ {
		var own []int
		for i := range xs {
			if column(i) == c && !math.IsNaN(ys[i]) {
				own = append(own, i)
			}
		}
		if len(own) == 0 {
			continue
		}
		least, most := own[0], own[0]
		for _, i := range own {
			if ys[i] < ys[least] {
				least = i
			}
			if ys[i] > ys[most] {
				most = i
			}
		}
		few := []int{own[0], least, most, own[len(own)-1]}
		switch c {
		case -1:
			few = few[3:]
		case columns:
			few = few[:1]
		}
		kept = append(kept, few...)
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

// TestDecimate compares the thinning of lines with its slow twin.
func TestDecimate(t *testing.T) {
	b := newTab(t, newServer(t), desktop, "#/learn")
	built := api.Build(api.BuildOptions{EntryPoints: []string{"src/decimate.ts"}, Bundle: true, Format: api.FormatIIFE,
		GlobalName: "thin", TsconfigRaw: "{}"})
	if len(built.Errors) > 0 {
		t.Fatal(built.Errors)
	}
	eval[bool](b, string(built.OutputFiles[0].Contents)+";window.thin = thin; true")
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 60 {
		size := r.IntN(300)
		if n == 0 {
			size = 100_000
		}
		xs, ys := make([]float64, size), make([]float64, size)
		x := 0.0
		for i := range xs {
			x += float64(1 + r.IntN(3))
			xs[i], ys[i] = x, float64(r.IntN(12))
			if r.IntN(20) == 0 {
				ys[i] = math.NaN()
			}
		}
		columns := 1 + r.IntN(40)
		left := float64(r.IntN(50))
		right := left + 1 + float64(r.IntN(size+100))
		texts := make([]*float64, size) // null for what is no number
		for i := range ys {
			if !math.IsNaN(ys[i]) {
				texts[i] = &ys[i]
			}
		}
		data, err := json.Marshal([]any{xs, texts})
		if err != nil {
			t.Fatal(err)
		}
		got := eval[[]int](b, fmt.Sprintf(
			`(() => { const [x, y] = %s; return thin.decimate(x, y.map(v => v ?? NaN), %v, %v, %d); })()`, data, left,
			right, columns))
		if want := decimated(xs, ys, left, right, columns); !slices.Equal(got, want) {
			t.Errorf("%d points on %d columns from %v to %v: %v, want %v", size, columns, left, right, got, want)
		}
	}
}
