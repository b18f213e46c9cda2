//go:build soak && linux

package falling

import (
	"flag"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
)

var bookPositions = flag.Int("book", 40, "positions that are solved: of the embedded book, or of each ply")

// TestEmbeddedBookSoak solves random positions of the book of Connect Four, those of its last ply,
// without a book: value and distance are the same.
func TestEmbeddedBookSoak(t *testing.T) {
	on, err := grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game64("mnk:7,6,4+gravity", "", on, board.Normal)
	book := embeddedBook(on, board.Normal)
	if book == nil {
		t.Fatal("there is no book of Connect Four")
	}
	with, err := drop.New(on, board.Normal, drop.SolverOptions{Workers: 1, Book: book})
	if err != nil {
		t.Fatal(err)
	}
	without, err := drop.New(on, board.Normal, drop.SolverOptions{Workers: 1, Bytes: 256 << 20})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 7))
	for range *bookPositions {
		p := g.Start
		for range book.Plies {
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
		if p.Outcome() != oxo.Ongoing {
			continue
		}
		said, ok := with.BookVerdict(p)
		if !ok {
			t.Fatalf("the book does not have %v", p)
		}
		found, err := without.Solve(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if said != found {
			t.Errorf("%v: the book says %+v, a search %+v", p, said, found)
		}
	}
}

// TestBookedPositionsSoak solves distinct positions of Connect Four, those of every ply, of random games
// without a win at once, with the book: value and distance by one worker in 256 MB, and says how much
// processor time a position takes.
func TestBookedPositionsSoak(t *testing.T) {
	on, err := grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 4, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game64("mnk:7,6,4+gravity", "", on, board.Normal)
	s, err := drop.New(on, board.Normal, drop.SolverOptions{Workers: 1, Book: embeddedBook(on, board.Normal)})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(29, 3))
	var all []time.Duration
	for ply := range on.N {
		var took []time.Duration
		seen := map[board.Pos64]bool{}
		for tries := 0; len(took) < *bookPositions && tries < 100**bookPositions; tries++ {
			p := g.Start
			for n := 0; n < ply && p.Outcome() == oxo.Ongoing; n++ {
				moves := p.Moves(nil)
				p = p.Play(moves[r.IntN(len(moves))])
			}
			if p.Outcome() != oxo.Ongoing || seen[p] {
				continue
			}
			seen[p] = true
			began := processorTime(t)
			v, err := s.Solve(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if v.Remoteness > 1 {
				took = append(took, processorTime(t)-began)
			}
		}
		if len(took) == 0 {
			continue
		}
		slices.Sort(took)
		t.Logf("%d plies, %d positions: median %v, at most %v", ply, len(took), took[len(took)/2], took[len(took)-1])
		all = append(all, took...)
	}
	slices.Sort(all)
	second, _ := slices.BinarySearch(all, time.Second)
	t.Logf("%d positions: median %v, %.2f %% within a second, at most %v", len(all), all[len(all)/2],
		100*float64(second)/float64(len(all)), all[len(all)-1])
}

// processorTime is the processor time that the process has taken.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
