//go:build soak

package learn

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"oxo/learn/chart"
)

var update = flag.Bool("update", false, "write the picture of TestLimitsPicture")

// TestLimitsPicture: docs/data/limits.svg is what learners come to on 3×3 with what they can say.
func TestLimitsPicture(t *testing.T) {
	const path, every, points, seeds = "../docs/data/limits.svg", 500, 40, 4
	a := ttt(t)
	x := examiner(t, a)
	var games []int
	for k := range points + 1 {
		games = append(games, k*every)
	}
	curve := &chart.Curve{Title: "what sums and nets come to on 3×3, by exact exams, mean of 4 seeds", Games: games}
	for _, c := range [][2]string{{"nine squares, sum", "lms:features=squares"},
		{"nine squares, quadratic", "lms:features=squares^2"}, {"twelve features, sum", "lms:features=twelve"},
		{"threats, sum", "lms"}, {"lines, n-tuples", "ntuple:tuples=lines"},
		{"nine squares, net", "net:tuples=squares,eta=3,layers=32/16,target=search"}, {"lines, net", "net"}} {
		var values [][][]float64
		for seed := range uint64(seeds) {
			l, err := New(a.Space, spec(t, c[1]), Plan{Against: Itself}, nil, seed)
			if err != nil {
				t.Fatal(err)
			}
			var run [][]float64
			for _, n := range games {
				if err := l.Run(t.Context(), n-l.Tally().Games, nil); err != nil {
					t.Fatal(err)
				}
				run = append(run, []float64{graded(t, x, l).Exploitability})
			}
			values = append(values, run)
		}
		one, err := chart.JoinRuns(games, []string{"exploitability of " + c[0]}, nil, values)
		if err != nil {
			t.Fatal(err)
		}
		curve.Lines = append(curve.Lines, one.Lines...)
		t.Logf("%s: %.3f at the end", c[0], one.Lines[0].Mean[points])
	}
	var got bytes.Buffer
	if err := curve.WritePlot(&got, "svg"); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(want, got.Bytes()) {
		t.Errorf("%s is another picture (%v): go test -tags soak -run TestLimitsPicture -update ./learn", path, err)
	}
}
