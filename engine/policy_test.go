package engine_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	"oxo/board"
	"oxo/engine"
)

// weigher begins a game with a program that answers every position with the same line.
func weigher(t *testing.T, answer string) engine.Program[board.Pos64] {
	t.Helper()
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		for in := bufio.NewScanner(theirs); in.Scan(); {
			switch word, _, _ := strings.Cut(in.Text(), " "); word {
			case "game":
				fmt.Fprintln(theirs, "hello\nready")
			case "position":
				fmt.Fprintln(theirs, answer)
			case "quit":
				return
			}
		}
	}()
	p, err := engine.Greet(t.Context(), tttGame(), engine.NewConn(ours), "policy",
		engine.ClientOptions{Random: rand.New(rand.NewPCG(1, 1))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// TestPolicyWeights: weights need not sum to 1, a move alone has weight 1, and moves are
// drawn as often as their weights say.
func TestPolicyWeights(t *testing.T) {
	g := tttGame()
	p := weigher(t, "b2=6 a1 9=1e0")
	moves := g.Start.Moves(nil)
	w := make([]float64, len(moves))
	if err := p.(engine.Weigher[board.Pos64]).Weigh(t.Context(), g.Start, moves, w); err != nil {
		t.Fatal(err)
	}
	for i, m := range moves {
		want := map[string]float64{"b2": .75, "a1": .125, "c1": .125}[g.FormatMove(g.Start, m)]
		if w[i] != want {
			t.Errorf("%s has %v, want %v", g.FormatMove(g.Start, m), w[i], want)
		}
	}
	chosen := map[string]int{}
	for range 800 {
		c, err := p.Choose(t.Context(), g.Start)
		if err != nil {
			t.Fatal(err)
		}
		chosen[g.FormatMove(g.Start, c.Move)]++
	}
	if len(chosen) != 3 || chosen["b2"] < 540 || chosen["b2"] > 660 {
		t.Errorf("drawn: %v", chosen)
	}
}

// TestPolicyFaults: an answer that names no legal move with a weight loses the game, and says why.
func TestPolicyFaults(t *testing.T) {
	g := tttGame()
	for answer, want := range map[string]string{
		"d4=1":       `"d4"`,
		"a1=1 a1=2":  "a1 twice",
		"a1=-1":      `weight "-1" of move a1`,
		"a1=NaN":     `weight "NaN"`,
		"a1=":        `weight ""`,
		"a1=1e300":   `weight "1e300"`,
		"a1=0 b2=0":  "above 0",
		"a1 = 1":     `move ""`,
		"resign=1":   `"resign"`,
		"a1=1 b2=1x": `weight "1x" of move b2`,
	} {
		_, err := weigher(t, answer).Choose(t.Context(), g.Start)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is refused with %v; expected: %s", answer, err, want)
		}
	}
}

func FuzzPolicy(f *testing.F) {
	f.Add("a1=3 b2=1")
	f.Add("5")
	f.Add("a1=1e-320 c3")
	g := tttGame()
	f.Fuzz(func(t *testing.T, answer string) {
		if strings.ContainsAny(answer, "\r\n") || strings.TrimSpace(answer) == "" {
			return
		}
		c, err := weigher(t, answer).Choose(t.Context(), g.Start)
		if err == nil && g.Start.Play(c.Move) == g.Start {
			t.Errorf("%q plays %v", answer, c.Move)
		}
	})
}
