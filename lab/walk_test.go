package lab_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"oxo/lab"
)

// certificateFor proves a claim about a position, and opens the certificate; nil where the claim is not so.
func certificateFor(t *testing.T, spec string, o lab.ProveOptions) *lab.Certificate {
	t.Helper()
	l := &lab.Lab{}
	g, err := l.Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	proofs, err := g.Proving()
	if err != nil {
		t.Fatal(err)
	}
	found, err := proofs.Prove(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if found.Proof == nil {
		return nil
	}
	var file bytes.Buffer
	if _, err := found.Proof.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	c, err := l.Certificate(t.Context(), bytes.NewReader(file.Bytes()), int64(file.Len()),
		lab.Question{Game: spec, Position: o.Position})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// randomWalk plays random replies against the strategy that claims most, to the end of the walk.
func randomWalk(t *testing.T, c *lab.Certificate, r *rand.Rand) (w *lab.Walk, replies []string) {
	t.Helper()
	for {
		w, err := c.Walk("", replies)
		if err != nil {
			t.Fatal(replies, err)
		}
		if w.Over || w.State.Result != "*" {
			return w, replies
		}
		replies = append(replies, w.State.Moves[r.IntN(len(w.State.Moves))])
	}
}

// TestBoundedWalk: a game against a claim about some plies ends when they are over, the claim kept, whoever moved last.
func TestBoundedWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 8))
	for _, c := range []struct {
		spec, claim string
		plies       int
	}{
		{"mnk:4,4,3+gravity", "first>4", 4}, {"mnk:4,4,3+gravity", "first>7", 7}, {"mnk:4,4,3+gravity", "first>8", 8},
		{"mnk:6,4,4+gravity", "second>9", 9}, {"ultimate+open", "first>9", 9},
	} {
		proof := certificateFor(t, c.spec, lab.ProveOptions{Claim: c.claim, Memory: 64 << 20})
		if _, wins, plies, err := proof.StrongestClaim(); wins || plies != c.plies || err != nil {
			t.Errorf("%s, %s: wins %v, %d plies, %v", c.spec, c.claim, wins, plies, err)
		}
		for range 20 {
			w, replies := randomWalk(t, proof, r)
			switch loss := strings.Split(c.claim, ">")[0]; {
			case w.State.Result == loss || w.Plies != c.plies || len(w.Notes) != len(w.Moves):
				t.Errorf("%s, %s: %+v", c.spec, c.claim, w)
			case w.State.Result == "*" && (!w.Over || len(w.Moves) != c.plies):
				t.Errorf("%s, %s: it ends after %v", c.spec, c.claim, w.Moves)
			case w.Over:
				_, err := proof.Walk("", append(replies, w.State.Moves[0]))
				if err == nil || !strings.Contains(err.Error(), "plies of the claim") {
					t.Errorf("%s, %s: a reply after them: %v", c.spec, c.claim, err)
				}
			}
		}
	}
}

// TestKeptWalk: where the other side can't win any more the game against a claim goes on to its end.
func TestKeptWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	g, err := (&lab.Lab{}).Game("ultimate")
	if err != nil {
		t.Fatal(err)
	}
	walked := 0
	for walked < 6 {
		proof := certificateFor(t, "ultimate", lab.ProveOptions{Position: lateNine(t, g, r), Claim: "not-lose:first",
			Memory: 64 << 20})
		if proof == nil {
			continue
		}
		walked++
		if w, _ := randomWalk(t, proof, r); w.Over || w.Plies != 0 || w.State.Result == "second" {
			t.Errorf("%+v", w)
		}
	}
}

// TestStolenClaim: a proof by strategy stealing alone says so, and names no search and no strategy that there is not.
func TestStolenClaim(t *testing.T) {
	c := certificateFor(t, "mnk:6,6,4", lab.ProveOptions{Nodes: 1})
	find, check := c.Summary.Commands("stolen.proof")
	if c.Summary.Method != "strategy stealing" || find != "" ||
		check != "oxo verify stolen.proof --game mnk:6,6,4 --claim not-lose:first" {
		t.Errorf("%+v, %q, %q", c.Summary, find, check)
	}
	if _, _, _, err := c.StrongestClaim(); err == nil {
		t.Error("it has a strategy")
	}
}
