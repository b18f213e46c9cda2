package lab_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"oxo/lab"
)

func TestZZ(t *testing.T) {
	for _, arg := range strings.Split(os.Getenv("ZZ"), ";") {
		spec, pos, _ := strings.Cut(arg, "|")
		g, err := (&lab.Lab{}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		last := ""
		j, err := g.Judging().Judge(t.Context(), lab.JudgeOptions{Position: pos, Time: 3 * time.Second}, func(j *lab.Judged) {
			s := fmt.Sprintf("%s hint %s %v [%g,%g] %s", j.Standing, j.Hint, j.Certain, j.Lo, j.Hi, j.Source)
			if s != last {
				fmt.Printf("  %.3f %s\n", time.Since(begin).Seconds(), s)
			}
			last = s
		})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s %s: %.3f s\n   WHICH %s\n   WHY %s\n   LEFT %v\n", spec, pos, time.Since(begin).Seconds(), j.Which, j.Why, j.LeftOut)
		for i, m := range j.Moves {
			if i < 4 || i > len(j.Moves)-3 {
				fmt.Printf("     %s %s (%s,%s) best %v gives %v [%g,%g] %s %v\n", m.Move, m.Text, m.Short, m.Shade, m.Best, m.Gives, m.Lo, m.Hi, m.Source, m.Line)
			}
		}
	}
}
