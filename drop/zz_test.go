package drop_test

import (
	"fmt"
	"os"
	"testing"

	"oxo/board"
	"oxo/drop"
)

func TestZZ(t *testing.T) {
	count := 20
	fmt.Sscan(os.Getenv("ZZ"), &count)
	on := connectFour(t)
	for _, class := range []string{"2 to 14 marks, over 28 to go", "2 to 14 marks, 15 to 28 to go", "15 to 28 marks, 15 to 28 to go"} {
		s, err := drop.New(on, board.Normal, drop.SolverOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		began := processor(t)
		k := 0
		for _, p := range publishedPositions(t) {
			if p.class == class && k < count {
				k++
				p.check(t, s)
			}
		}
		spent := processor(t) - began
		t.Logf("%-32s %d positions %12d nodes %8.1f ns/node %10.1f us/position", class, k, s.Nodes()/uint64(k), float64(spent.Nanoseconds())/float64(s.Nodes()), float64(spent.Microseconds())/float64(k))
	}
}
