package lab_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"oxo/lab"
)

// TestNineBoards proves endings of the games of nine boards, asks the checker about them, and
// compares their values with exact search.
func TestNineBoards(t *testing.T) {
	l := &lab.Lab{}
	for _, spec := range []string{"ultimate", "ultimate+open", "ultimate+most", "ultimate+most+open", "meta"} {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		proofs, err := g.Proving()
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 3))
		for range 3 {
			at := lateNine(t, g, r)
			found, err := proofs.Prove(t.Context(), lab.ProveOptions{Position: at, Memory: 16 << 20})
			if err != nil || found.Proof == nil || found.Position != at {
				t.Fatalf("%s, %s: %+v, %v", spec, at, found, err)
			}
			exact, err := g.Searching().Search(t.Context(), lab.SearchOptions{Position: at, Algorithm: "alphabeta",
				Memo: "all"})
			if err != nil {
				t.Fatal(err)
			}
			if !exact.Exact || found.Value != exact.Result {
				t.Errorf("%s, %s: %s, not %s", spec, at, found.Value, exact.Result)
			}
			var file bytes.Buffer
			if _, err := found.Proof.WriteTo(&file); err != nil {
				t.Fatal(err)
			}
			asked := lab.Question{Game: spec, Position: at, Claim: found.Value}
			v, err := l.VerifyBytes(t.Context(), file.Bytes(), asked)
			if err != nil || !v.OK || v.Position != at {
				t.Errorf("%s, %s: %+v, %v", spec, at, v, err)
			}
			v, err = l.VerifyBytes(t.Context(), file.Bytes(), lab.Question{})
			if err != nil || !v.Named || v.Game != spec {
				t.Errorf("%s, %s by its own words: %+v, %v", spec, at, v, err)
			}
		}
	}
}

// lateNine plays a random game until few squares are left.
func lateNine(t *testing.T, g lab.Game, r *rand.Rand) string {
	t.Helper()
	for {
		s, err := g.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human})
		if err != nil {
			t.Fatal(err)
		}
		for !s.Over() {
			state := s.State()
			if strings.Count(state.Position, ".") < 22 && len(state.Moves) < 7 {
				return state.Position
			}
			if err := s.Move(state.Moves[r.IntN(len(state.Moves))]); err != nil {
				t.Fatal(err)
			}
		}
		s.Close()
	}
}

// TestNineWalk plays random replies against the proof of ultimate+open that is carried, up to
// the win, and refuses it elsewhere.
func TestNineWalk(t *testing.T) {
	l := &lab.Lab{}
	data := lab.CarriedNamed("ultimate+open").Data()
	c, err := l.Certificate(t.Context(), bytes.NewReader(data), int64(len(data)),
		lab.Question{Game: "ultimate+open", Claim: "first<=43"})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(9, 9))
	for range 5 {
		var replies []string
		for {
			w, err := c.Walk("", replies)
			if err != nil {
				t.Fatal(err)
			}
			if w.State.Result != "*" {
				if w.State.Result != "first" || len(w.Moves) > 43 || len(w.Notes) != len(w.Moves) || w.Seat != "first" {
					t.Errorf("it ends with %s after %d plies", w.State.Result, len(w.Moves))
				}
				break
			}
			replies = append(replies, w.State.Moves[r.IntN(len(w.State.Moves))])
		}
	}
	if _, err := c.Walk("second", nil); err == nil {
		t.Error("it has a strategy for second")
	}
	if _, err := c.Walk("", []string{"a1"}); err == nil {
		t.Error("a reply that is not legal is answered")
	}
	if _, err := l.Certificate(t.Context(), bytes.NewReader(data), int64(len(data)),
		lab.Question{Game: "ultimate", Claim: "first"}); err == nil {
		t.Error("it is believed about ultimate")
	}
}

// TestNineClaimWords refuses claims that make no sense.
func TestNineClaimWords(t *testing.T) {
	l := &lab.Lab{}
	for _, c := range [][3]string{
		{"ultimate", "first<=0", "first<=0"}, {"ultimate", "third", "third"}, {"ttt", "first<=9", "not how soon"},
		{"ultimate", "draw>3", "draw>3"},
	} {
		g, err := l.Game(c[0])
		if err != nil {
			t.Fatal(err)
		}
		proofs, err := g.Proving()
		if err != nil {
			t.Fatal(err)
		}
		_, err = proofs.Prove(t.Context(), lab.ProveOptions{Claim: c[1]})
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s of %s: %v", c[1], c[0], err)
		}
	}
}
