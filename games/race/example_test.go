package race_test

import (
	"fmt"

	"oxo/games/race"
)

func Example() {
	g, err := race.New(4)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := g.Start.Play(1).Play(2)
	fmt.Println(g.Format(p))
	for _, m := range p.Moves(nil) {
		fmt.Println(g.FormatMove(p, m), p.Play(m).Outcome())
	}
	// Output:
	// .xo. x
	// 1 *
	// 4 first
}
