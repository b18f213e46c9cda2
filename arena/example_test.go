package arena_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"

	"oxo"
	"oxo/arena"
	"oxo/board"
	"oxo/games/grid"
)

// A match of a player that takes wins against one that draws its moves: two
// games from each opening of one ply.
func Example() {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		log.Fatal(err)
	}
	g := board.Game64("mnk:3,3,3", "tic-tac-toe", b, board.Normal)
	openings, err := arena.AllOpenings(g, 1)
	if err != nil {
		log.Fatal(err)
	}
	match := arena.Tournament[board.Pos64]{
		Referee:  arena.Referee[board.Pos64]{Game: g},
		Entrants: []arena.Entrant[board.Pos64]{entrant("winning", winning), entrant("random", anyMove)},
		Openings: openings, Pairs: 30 * len(openings), Seed: 1,
	}
	standings, err := match.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	m := standings.Match()
	fmt.Printf("%d won, %d drawn, %d lost\n", m.Wins, m.Draws, m.Losses)
	fmt.Printf("Elo %+.0f ± %.0f\n", m.Elo.Elo, m.Elo.Error)
	// Output:
	// 126 won, 15 drawn, 39 lost
	// Elo +183 ± 49
}

// A game is written down as a score sheet.
func ExampleWriteSheet() {
	g := ttt(nil)
	r := arena.Referee[pos]{Game: g}
	always := player(func(_ context.Context, p pos) (oxo.Choice, error) {
		return oxo.Choice{Move: winning(p, rand.New(rand.NewPCG(1, 1)))}, nil
	})
	played, err := r.Play(context.Background(), [2]oxo.Player[pos]{always, always}, arena.NoOpening(g), 1)
	if err != nil {
		log.Fatal(err)
	}
	sheet := played.Sheet(g, [2]string{"A", "B"}, r.Time)
	sheet.Notes = nil // they say how long each move took
	arena.WriteSheet(os.Stdout, sheet)
	// Output:
	// [Game "mnk:3,3,3"]
	// [Variant "row game"]
	// [First "A"]
	// [Second "B"]
	// [Result "0-1"]
	// [TimeControl "-"]
	// [Termination "normal"]
	// [Opening ""]
	// [Axis "a1 is bottom left"]
	// [Seed "1"]
	// [Final "o../o.x/oxx x"]
	//
	// 1. c1 a3
	// 2. b1 a1
	// 3. c2 a2
	// 0-1
}
