package learn_test

import (
	"context"
	"fmt"
	"log"

	"oxo/board"
	"oxo/games/grid"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/model"
	"oxo/learn/space"
)

// Teach a weighted sum of features tic-tac-toe in fifty games, and grade it by
// the truth.
func Example() {
	ctx := context.Background()
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		log.Fatal(err)
	}
	game, err := space.Enumerate(ctx, board.Game64("mnk:3,3,3", "tic-tac-toe", b, board.Normal), 10_000)
	if err != nil {
		log.Fatal(err)
	}
	lms, err := model.Parse("lms:features=threats,states=after,ends=known,fit=exact,target=outcome,epsilon=0.2")
	if err != nil {
		log.Fatal(err)
	}
	opponent := learn.NewMixOpponent(game.Space, space.UniformOverBest(game.Space))
	trainer, err := learn.New(game.Space, lms, learn.Plan{Against: "optimal"}, opponent, 1)
	if err != nil {
		log.Fatal(err)
	}
	if err := trainer.Run(ctx, 50, nil); err != nil {
		log.Fatal(err)
	}
	examiner, err := exam.NewExaminer(ctx, game, nil)
	if err != nil {
		log.Fatal(err)
	}
	graded, err := learn.Grade(ctx, examiner, trainer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("exploitability", graded.Exploitability)
	// Nobody can beat it; in a few positions it misses a win it was given.
	fmt.Println("mistakes", graded.AsFirst.Mistakes, graded.AsSecond.Mistakes)
	// Output:
	// exploitability 0
	// mistakes 8 0
}
