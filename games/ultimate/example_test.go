package ultimate_test

import (
	"fmt"

	"oxo/games/ultimate"
)

func Example() {
	g := ultimate.New(0)
	p := g.Start
	for _, text := range []string{"e5", "d6", "b8"} {
		m, err := g.ParseMove(p, text)
		if err != nil {
			fmt.Println(err)
			return
		}
		p = p.Play(m)
	}
	fmt.Println(g.Format(p))
	_, err := g.ParseMove(p, "a1")
	fmt.Println(err)
	fmt.Println(len(p.Moves(nil)), "moves")
	// Output:
	// ........./.x......./........./...o...../....x..../........./........./........./......... o 5
	// move "a1" is in board 7: play in board 5
	// 7 moves
}
