package learn_test

import (
	"context"
	"fmt"
	"log"

	"oxo/board"
	"oxo/games/grid"
	"oxo/learn"
)

// Teach a weighted sum of features tic-tac-toe in fifty games, and grade it by
// the truth.
func Example() {
	ctx := context.Background()
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		log.Fatal(err)
	}
	game, err := learn.Enumerate(ctx, board.Game64("mnk:3,3,3", "tic-tac-toe", b, board.Normal), 10_000)
	if err != nil {
		log.Fatal(err)
	}
	lms, err := learn.Parse("lms:features=threats,states=after,ends=known,fit=exact,target=outcome,epsilon=0.2")
	if err != nil {
		log.Fatal(err)
	}
	opponent := learn.NewTable(game.Space, learn.Optimal(game.Space))
	trainer, err := learn.New(game.Space, lms, learn.Plan{Against: "optimal"}, opponent, 1)
	if err != nil {
		log.Fatal(err)
	}
	if err := trainer.Run(ctx, 50, nil); err != nil {
		log.Fatal(err)
	}
	examiner, err := learn.NewExaminer(ctx, game, nil)
	if err != nil {
		log.Fatal(err)
	}
	exam, err := examiner.Grade(ctx, trainer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("exploitability", exam.Exploitability)
	// Nobody can beat it; in a few positions it misses a win it was given.
	fmt.Println("mistakes", exam.AsFirst.Mistakes, exam.AsSecond.Mistakes)
	// Output:
	// exploitability 0
	// mistakes 8 0
}
