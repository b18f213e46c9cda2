package search_test

import (
	"context"
	"fmt"

	"oxo/board"
	"oxo/games/grid"
	"oxo/search"
)

// What is symmetry worth? The same search with and without it.
func ExampleSearch() {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	g := board.Game64("mnk:3,3,3", "tic-tac-toe", b, board.Normal)
	for _, symmetry := range []search.Symmetry{search.NoSymmetry, search.FirstMove, search.AllMoves} {
		r, err := search.Search(context.Background(), g, g.Start, search.AlphaBeta,
			search.Options[board.Pos64]{Symmetry: symmetry})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-5v value %v by %s after %d nodes\n", symmetry, r.Value, g.FormatMove(g.Start, r.Move), r.Nodes)
	}
	// Output:
	// none  value 0 by a3 after 16811 nodes
	// first value 0 by a3 after 3498 nodes
	// all   value 0 by a3 after 2500 nodes
}
