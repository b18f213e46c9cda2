package verify_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/prove/verify"
)

// seed is a small game whose proof the tests bend.
type seed struct {
	name  string
	shape grid.Shape
	rules board.Rules
	marks [2]board.Set
}

var seeds = []seed{
	{"3,3,3", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Normal, [2]board.Set{}},
	{"3,3,3+misere", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Misere, [2]board.Set{}},
	{"4,2,2+misere", grid.Shape{Cols: 4, Rows: 2, Run: 2}, board.Misere, [2]board.Set{}},
	{"3,3,3+maker", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Maker, [2]board.Set{}},
	{"3,3,3+gravity", grid.Shape{Cols: 3, Rows: 3, Run: 3, Gravity: true}, board.Normal, [2]board.Set{}},
	{"3,3,2+exact", grid.Shape{Cols: 3, Rows: 3, Run: 2, Exact: true}, board.Normal, [2]board.Set{}},
	{"3,3,3+wild", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Wild, [2]board.Set{}},
	{"3,2,2+wild+misere", grid.Shape{Cols: 3, Rows: 2, Run: 2}, board.WildMisere, [2]board.Set{}},
	{"3,3,3+notakto", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Notakto, [2]board.Set{}},
	{"3,2,3+chaos", grid.Shape{Cols: 3, Rows: 2, Run: 3}, board.Chaos, [2]board.Set{}},
	{"3,3,3 corners", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Normal, [2]board.Set{board.SetOf(0), board.SetOf(1)}},
}

// proven proves the seed's game and returns the proof.
func proven(t testing.TB, s seed) *certificate.Proof {
	t.Helper()
	b, err := grid.New(s.shape)
	if err != nil {
		t.Fatal(err)
	}
	r, err := prove.Prove(context.Background(), certificate.Setup{Spec: s.name, Board: b, Rules: s.rules,
		Marks: s.marks}, prove.Options{Memory: 8 << 20})
	if err != nil || r.Proof == nil {
		t.Fatalf("%s: %v, %v", s.name, r, err)
	}
	return r.Proof
}

func file(t testing.TB, p *certificate.Proof) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// check checks what a file says of itself.
func check(t testing.TB, data []byte) *verify.Report {
	t.Helper()
	return verify.CheckBySome(t, data, verify.Question{}, verify.Limits{})
}

// truth returns the value of a game by looking at all of it, as the checker
// names it. The board must be small.
func truth(g *verify.Setup) string {
	type key struct {
		marks [2]board.Set
		turn  int
	}
	known := map[key]int{}
	var value func(k key) int // 1 First wins, 2 Second wins, 3 draw
	value = func(k key) int {
		if v, ok := known[k]; ok {
			return v
		}
		free := g.Board.Squares().Minus(k.marks[0]).Minus(k.marks[1])
		best := 0
		kinds := [][]int{{k.turn}, {0, 1}, {0}}[g.Place] // of marks
		for move := range len(kinds) * g.Board.N {
			sq, mark := move%g.Board.N, kinds[move/g.Board.N]
			if !free.Has(sq) {
				continue
			}
			if g.Board.Below != nil && g.Board.Below[sq] >= 0 && free.Has(g.Board.Below[sq]) {
				continue
			}
			next := key{k.marks, 1 - k.turn}
			next.marks[mark] = next.marks[mark].With(sq)
			v := 0
			for _, line := range g.Board.Lines {
				if g.Tested[k.turn] && line.Need.Has(sq) && line.Owned(next.marks[mark]) {
					v = g.Done[k.turn]
				}
			}
			if v == 0 {
				v = value(next)
			}
			if v == 1+k.turn || best == 0 || best == 2-k.turn && v == 3 {
				best = v
			}
		}
		if best == 0 {
			best = g.Full
		}
		known[k] = best
		return best
	}
	return [...]string{"", "first", "second", "draw"}[value(key{g.Marks, g.Turn})]
}

// holds reports whether a claim holds in a game of that value.
func holds(claim, value string) bool {
	seat, what, _ := strings.Cut(claim, " ")
	return value == seat || value == "draw" && what != "wins"
}

// sound fails the test where the checker accepts what is not so.
func sound(t *testing.T, data []byte) *verify.Report {
	t.Helper()
	r := check(t, data)
	if r.OK == (r.Reason != "") {
		t.Fatalf("ok %v with the reason %q", r.OK, r.Reason)
	}
	if !r.OK || r.Game.Board.N > 9 {
		return r
	}
	want := truth(&r.Game)
	for claim := range strings.SplitSeq(r.Claim, ", ") {
		if !holds(claim, want) {
			t.Fatalf("%q was accepted where the value is %s", claim, want)
		}
	}
	if r.Value != "unknown" && r.Value != want {
		t.Fatalf("the value %s was accepted where it is %s", r.Value, want)
	}
	return r
}

func TestCheck(t *testing.T) {
	for _, s := range seeds {
		p := proven(t, s)
		r := sound(t, file(t, p))
		if !r.OK || r.Value == "unknown" || r.Game.Spec != s.name || r.Game.Board.N != p.Game.Board.N || r.Nodes == 0 {
			t.Errorf("%s: %+v", s.name, r)
		}
	}
}

// TestEveryByteSequential flips bits of every byte of a file, cuts it everywhere and adds to it.
func TestEveryByteSequential(t *testing.T) {
	for _, s := range seeds {
		data := file(t, proven(t, s))
		for i := range data {
			for bit := i % 4; bit < 8; bit += 4 {
				bent := slices.Clone(data)
				bent[i] ^= 1 << bit
				if sound(t, bent).OK {
					t.Fatalf("%s: bit %d of byte %d of %d flipped, and accepted", s.name, bit, i, len(data))
				}
			}
			if sound(t, data[:i]).OK {
				t.Fatalf("%s: the first %d bytes of %d were accepted", s.name, i, len(data))
			}
		}
		if sound(t, append(slices.Clone(data), 0)).OK {
			t.Fatalf("%s: a byte too many was accepted", s.name)
		}
	}
}

// nodesOf lists nodes.
func nodesOf(t testing.TB, nodes *certificate.Nodes) []certificate.Node {
	t.Helper()
	list := make([]certificate.Node, nodes.Len())
	for k := range list {
		var err error
		if list[k], err = nodes.At(k); err != nil {
			t.Fatal(err)
		}
	}
	return list
}
