//go:build linux

package drop_test

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"

	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
	"oxo/solve"
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
							solveBoard(b, grid.Shape{Cols: cols, Rows: rows, Run: run, Gravity: true}, 1)
						})
				}
			}
		}
	}
}

// BenchmarkWorkers solves the empty board of Connect Four by one worker and by two.
func BenchmarkWorkers(b *testing.B) {
	for workers := 1; workers <= 2; workers++ {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			solveBoard(b, grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true}, workers)
		})
	}
}

func solveBoard(b *testing.B, shape grid.Shape, workers int) {
	on := must(b)(grid.New(shape))
	start := board.Game64("g", "g", on, board.Normal).Start
	var nodes uint64
	var v solve.Verdict
	began := processor(b)
	for b.Loop() {
		s, err := drop.New(on, board.Normal, drop.SolverOptions{Workers: workers})
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

// BenchmarkWinningSets solves published positions of Connect Four, with rows found by shifts, with the same
// winning sets in lists, and on a board that does not say it is a grid, in processor time.
func BenchmarkWinningSets(b *testing.B) {
	grid := connectFour(b)
	for _, name := range []string{"shifts", "lists", "no grid"} {
		b.Run(name, func(b *testing.B) {
			on := grid
			if name == "no grid" {
				on = asData(b, grid)
			}
			began := processor(b)
			var nodes uint64
			for b.Loop() {
				s, err := drop.New(on, board.Normal, drop.SolverOptions{Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				if name == "lists" {
					s.FindRowsInLists()
				}
				for _, p := range publishedPositions(b, on) {
					if p.class == "2 to 14 marks, 15 to 28 to go" {
						p.check(b, s)
					}
				}
				nodes = s.Nodes()
			}
			b.ReportMetric(float64(nodes), "nodes")
			b.ReportMetric(float64((processor(b)-began).Nanoseconds())/float64(b.N)/float64(nodes), "cpu-ns/node")
		})
	}
}

// BenchmarkClasses solves published positions of Connect Four without a book, value and distance, by class:
// how many marks they have, and how many more are made until the game ends. The positions of a class share a
// solver, which is new and has one worker.
func BenchmarkClasses(b *testing.B) {
	on := connectFour(b)
	classes := map[string][]published{}
	for _, p := range publishedPositions(b, on) {
		classes[p.class] = append(classes[p.class], p)
	}
	for class, positions := range classes {
		b.Run(class, func(b *testing.B) {
			var spent time.Duration
			var nodes uint64
			for b.Loop() {
				s, err := drop.New(on, board.Normal, drop.SolverOptions{Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				runtime.GC() // what New leaves is not the positions'
				began := processor(b)
				for _, p := range positions {
					p.check(b, s)
				}
				spent += processor(b) - began
				nodes = s.Nodes()
			}
			b.ReportMetric(float64(len(positions)), "positions")
			b.ReportMetric(float64(nodes)/float64(len(positions)), "nodes/position")
			b.ReportMetric(float64(spent.Nanoseconds())/1e3/float64(b.N*len(positions)), "cpu-us/position")
		})
	}
}
