package learn

import (
	"context"
	"testing"

	"oxo/learn/space"
)

func benchmarkTraining(b *testing.B, text string, plan Plan) {
	a := ttt(b)
	l := trainer(b, a.Space, text, plan, space.UniformOverBest(a.Space), 1)
	for b.Loop() {
		if err := l.PlayAndLearn(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

func BenchmarkMenace(b *testing.B) { benchmarkTraining(b, "menace:empty=refill", Plan{Seats: "first"}) }

func BenchmarkTable(b *testing.B) { benchmarkTraining(b, "table", Plan{}) }

func BenchmarkLMS(b *testing.B) { benchmarkTraining(b, "lms", Plan{}) }

// BenchmarkExam is a whole exam of a brain that is being trained.
func BenchmarkExam(b *testing.B) {
	a := ttt(b)
	x := examiner(b, a)
	l := trainer(b, a.Space, "table", Plan{}, space.UniformOverBest(a.Space), 1)
	run(b, l, 1000)
	var m space.Mix
	for b.Loop() {
		var err error
		if m, err = l.Mix(b.Context(), m); err != nil {
			b.Fatal(err)
		}
		x.Exam(m)
	}
}
