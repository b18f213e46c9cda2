package ninenet

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"oxo/games/ultimate"
)

// BenchmarkNetMade measures how long it takes to make the net fast, which a
// program pays once.
func BenchmarkNetMade(b *testing.B) {
	t, err := ReadNet(bytes.NewReader(ultimateNet))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Compile(t)
	}
}

// BenchmarkNetJudge judges the positions after nine moves into the same
// board one by one, and at once.
func BenchmarkNetJudge(b *testing.B) {
	p := ultimate.New(0).Start.Play(40)
	moves := p.Moves(nil)
	var after []ultimate.Pos
	for _, m := range moves {
		after = append(after, p.Play(m))
	}
	values := make([]float32, len(moves))
	judge := Learned()
	perPosition := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(moves)), "ns/position")
	}
	b.Run("each", func(b *testing.B) {
		for b.Loop() {
			for _, q := range after {
				judge.Judge(q, 0)
			}
		}
		perPosition(b)
	})
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			judge.JudgeAll(p, moves, after, 0, values)
		}
		perPosition(b)
	})
}

// BenchmarkSchoolStep measures a step of learning from 512 positions.
func BenchmarkSchoolStep(b *testing.B) {
	s, r := NewNetTrainer(NewRandomNet(rand.New(rand.NewPCG(1, 2)))), rand.New(rand.NewPCG(3, 4))
	examples := someExamples(s, 30)
	for b.Loop() {
		s.TrainStep(examples, 40, 0.003, r)
	}
}
