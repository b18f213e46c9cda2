//go:build linux

package drop_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"syscall"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
)

// BenchmarkBoards solves empty grids by width, height and length of a row, and says
// what they are worth, in processor time. OXO_MOST is the greatest sum of width
// and height, 10 unless said.
func BenchmarkBoards(b *testing.B) {
	most := 10
	fmt.Sscan(os.Getenv("OXO_MOST"), &most)
	for run := 3; run <= 5; run++ {
		for cols := 1; cols < most; cols++ {
			for rows := 1; cols+rows <= most; rows++ {
				if max(cols, rows) >= run && min(cols, rows) > 2 && cols*(rows+1) <= 64 {
					b.Run(fmt.Sprintf("%dx%dx%d", cols, rows, run),
						func(b *testing.B) {
							solveBoard(b,
								grid.Shape{Cols: cols, Rows: rows, Run: run, Gravity: true})
						})
				}
			}
		}
	}
}

func solveBoard(b *testing.B, shape grid.Shape) {
	on := must(b)(grid.New(shape))
	start := board.Game64("g", "g", on, board.Normal).Start
	var nodes uint64
	var v drop.Verdict
	began := processor(b)
	for b.Loop() {
		s, err := drop.New(on, board.Normal, drop.SolverOptions{})
		if err != nil {
			b.Fatal(err)
		}
		if v, err = s.Solve(ctx, start); err != nil {
			b.Fatal(err)
		}
		nodes = s.Nodes()
	}
	b.ReportMetric((processor(b)-began).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(nodes), "nodes")
	b.Logf("%d×%d, %d in a row: %v in %d", shape.Cols, shape.Rows, shape.Run, v.Outcome, v.Remoteness)
}

// processor returns the processor time that the process has taken.
func processor(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkClasses solves positions of Connect Four without a book, value and distance, by class: how
// many marks they have, and how many more are made until the game ends. They come from random games, and
// have no win at once. The positions of a class share a solver, which is new and has one worker.
func BenchmarkClasses(b *testing.B) {
	on := must(b)(grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true}))
	g := board.Game64("g", "g", on, board.Normal)
	solver := func() func(p board.Pos64) drop.Verdict {
		s, err := drop.New(on, board.Normal, drop.SolverOptions{Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		return func(p board.Pos64) drop.Verdict {
			v, err := s.Solve(ctx, p)
			if err != nil {
				b.Fatal(err)
			}
			return v
		}
	}
	r := rand.New(rand.NewPCG(29, 2))
	for _, stage := range []struct {
		name             string
		from, to, solved int // marks, and how many positions
	}{{"end", 28, 40, 2000}, {"middle", 14, 27, 1000}, {"begin", 4, 13, 200}} {
		classes := map[string][]board.Pos64{}
		for first, n := solver(), 0; n < stage.solved; {
			p := g.Start
			for marks := stage.from + r.IntN(stage.to-stage.from+1); marks > 0 && p.Outcome() == oxo.Ongoing; marks-- {
				moves := p.Moves(nil)
				p = p.Play(moves[r.IntN(len(moves))])
			}
			if p.Outcome() != oxo.Ongoing {
				continue
			}
			v := first(p)
			if v.Remoteness == 1 {
				continue
			}
			n++
			togo := [...]string{"to 14", "to 28", "over 28"}[(min(v.Remoteness, 42)-1)/14]
			classes[togo] = append(classes[togo], p)
		}
		for togo, positions := range classes {
			b.Run(stage.name+", "+togo, func(b *testing.B) {
				began := processor(b)
				for b.Loop() {
					solve := solver()
					for _, p := range positions {
						solve(p)
					}
				}
				spent := processor(b) - began
				b.ReportMetric(float64(len(positions)), "positions")
				b.ReportMetric(float64(spent.Nanoseconds())/1e3/float64(b.N*len(positions)), "cpu-us/position")
			})
		}
	}
}
