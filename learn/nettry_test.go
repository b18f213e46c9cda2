package learn

import (
	"flag"
	"fmt"
	"testing"
)

var trySpec = flag.String("spec", "net", "")
var tryGames = flag.Int("tgames", 40000, "")
var trySeeds = flag.Int("seeds", 4, "")
var tryStart = flag.String("start", "", "")

func TestTryNet(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for seed := range uint64(*trySeeds) {
		l, err := New(a.Space, spec(t, *trySpec), Plan{Against: Itself, Start: *tryStart}, nil, seed)
		if err != nil {
			t.Fatal(err)
		}
		line := ""
		for k := 0; k < 5; k++ {
			run(t, l, *tryGames/5)
			e := graded(t, x, l)
			line += fmt.Sprintf(" %.2f/%.2f(%d+%d)", e.AsFirst.Exploitability, e.AsSecond.Exploitability, e.AsFirst.Mistakes, e.AsSecond.Mistakes)
		}
		t.Log(seed, line)
	}
}
