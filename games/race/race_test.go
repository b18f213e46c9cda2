package race_test

import (
	"fmt"
	"strings"
	"testing"

	"oxo"
	"oxo/games/race"
	"oxo/gametest"
)

func game(t testing.TB, n int) *oxo.Game[race.Pos] {
	t.Helper()
	g, err := race.New(n)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestConformance(t *testing.T) {
	for _, n := range []int{3, 4, 5, 8} {
		t.Run(fmt.Sprint(n), func(t *testing.T) { gametest.Run(t, game(t, n)) })
	}
	t.Run("255", func(t *testing.T) { gametest.Run(t, game(t, 255), gametest.WithoutPerftFile()) })
}

// TestParsePairs: a position may be given by the squares of its tokens.
func TestParsePairs(t *testing.T) {
	g := game(t, 5)
	for _, p := range reached(g) {
		row := g.Format(p)
		squares, side, _ := strings.Cut(row, " ")
		pair := fmt.Sprintf("(%d, %d) %s", strings.Index(squares, "x")+1, strings.Index(squares, "o")+1, side)
		if q, err := g.Parse(pair); err != nil || q != p {
			t.Errorf("%q is %v, %v; %q is %v", pair, q, err, row, p)
		}
	}
	if p, err := g.Parse("(1,5)"); err != nil || p != g.Start {
		t.Errorf("(1,5) is %v, %v", p, err)
	}
	for _, text := range []string{"(", "()", "(1", "(1,", "(1,5", "(1;5)", "(1,5,3)", "(1,1)", "(0,5)", "(1,6)",
		"(1,5) y", "(5,1)", "(-1,5)", "(99999999999999999999,5)"} {
		if p, err := g.Parse(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
}

func FuzzParse(f *testing.F) { gametest.Fuzz(f, game(f, 4)) }

// reached returns all positions that play can lead to.
func reached(g *oxo.Game[race.Pos]) []race.Pos {
	all := []race.Pos{g.Start}
	seen := map[race.Pos]bool{g.Start: true}
	for i := 0; i < len(all); i++ {
		for _, m := range all[i].Moves(nil) {
			if p := all[i].Play(m); !seen[p] {
				seen[p] = true
				all = append(all, p)
			}
		}
	}
	return all
}

// values works out who wins, by passing over all positions until nothing
// changes. What stays Ongoing nobody can force.
func values(g *oxo.Game[race.Pos]) map[race.Pos]oxo.Outcome {
	known := map[race.Pos]oxo.Outcome{}
	all := reached(g)
	for changed := true; changed; {
		changed = false
		for _, p := range all {
			if known[p] != oxo.Ongoing {
				continue
			}
			out := p.Outcome()
			if out == oxo.Ongoing {
				lost := true
				for _, m := range p.Moves(nil) {
					next := known[p.Play(m)]
					if next == oxo.WinFor(p.Turn()) {
						out = next
					}
					lost = lost && next == oxo.WinFor(p.Turn().Other())
				}
				if lost {
					out = oxo.WinFor(p.Turn().Other())
				}
			}
			known[p] = out
			changed = changed || out != oxo.Ongoing
		}
	}
	return known
}

// TestFourSquares: the values of the annotated game tree, with the truth for
// the nodes where plain minimax runs into a circle.
func TestFourSquares(t *testing.T) {
	g := game(t, 4)
	known := values(g)
	want := map[string]oxo.Outcome{
		"x..o x": oxo.FirstWins, ".x.o o": oxo.FirstWins, ".xo. x": oxo.FirstWins, "..xo x": oxo.FirstWins,
		"x.o. o": oxo.SecondWins, "xo.. x": oxo.SecondWins, ".ox. o": oxo.SecondWins,
		"..ox o": oxo.FirstWins, "o.x. x": oxo.SecondWins,
	}
	for text, out := range want {
		p, err := g.Parse(text)
		if err != nil {
			t.Errorf("%v", err)
		} else if known[p] != out {
			t.Errorf("%s is %v, want %v", text, known[p], out)
		}
	}
}

// TestEvenRows: First wins exactly on rows of even length.
func TestEvenRows(t *testing.T) {
	for n := 3; n <= 15; n++ {
		g := game(t, n)
		want := oxo.FirstWins
		if n%2 == 1 {
			want = oxo.SecondWins
		}
		if got := values(g)[g.Start]; got != want {
			t.Errorf("race:%d is won by %v, want %v", n, got, want)
		}
	}
}

// TestReached: Parse takes exactly the positions that play can lead to.
func TestReached(t *testing.T) {
	for n := 3; n <= 7; n++ {
		g := game(t, n)
		taken := 0
		for x := range n {
			for o := range n {
				for _, side := range []string{" x", " o"} {
					row := []byte(strings.Repeat(".", n))
					row[x] = 'x'
					row[o] = 'o'
					if _, err := g.Parse(string(row) + side); err == nil {
						taken++
					}
				}
			}
		}
		if all := reached(g); taken != len(all) {
			t.Errorf("race:%d: Parse takes %d positions, play leads to %d", n, taken, len(all))
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, n := range []int{-1, 0, 2, 256} {
		if _, err := race.New(n); err == nil || !strings.Contains(err.Error(), fmt.Sprint(n)) ||
			!strings.Contains(err.Error(), "3 to 255") {
			t.Errorf("%d squares: %v", n, err)
		}
	}
	g := game(t, 4)
	for text, reason := range map[string]string{
		"x.o x":   "3 squares, want 4",
		"x..o":    `side to move ""`,
		"x..o X":  `side to move "X"`,
		"x..o x ": `side to move "x "`,
		"xX.o x":  "square 2: want x, o or a dot",
		"x..x x":  "2 x and 0 o",
		"o..x x":  "both tokens are across",
		"..ox x":  "x has won, so x moved last",
		"xo.. o":  "no moves lead there",
	} {
		if p, err := g.Parse(text); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q: %v, %v, want %s", text, p, err, reason)
		}
	}
	for text, reason := range map[string]string{"3": "want square 2", "02": "want square 2", "a": "want square 2"} {
		if m, err := g.ParseMove(g.Start, text); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("move %q: %v, %v, want %s", text, m, err, reason)
		}
	}
}
