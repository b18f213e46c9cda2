package meta_test

import (
	"fmt"

	"oxo"
	"oxo/games/meta"
)

func ExampleFeatures() {
	g := meta.New()
	// o has two marks in the left column of the centre board, and x has the
	// centres of three boards.
	p, err := g.Parse("........./........./........./...o...../.x.ox..../....o..../........./....x..../......... x 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(meta.Features(p, oxo.First))
	fmt.Println(meta.Features(p, oxo.Second))
	// Output:
	// [0 3 -1 -2 0 -1]
	// [0 -3 1 2 0 1]
}
