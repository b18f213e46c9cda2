//go:build soak

package falling

import (
	"flag"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/drop"
	"oxo/games/grid"
)

var bookPositions = flag.Int("book", 40, "positions of the embedded book that are solved again")

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
