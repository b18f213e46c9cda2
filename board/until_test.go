package board

import (
	"context"
	"math/rand/v2"
	"testing"
)

// TestCanonicalUntil: a form that may be stopped is the same where it is not, and once
// it is stopped some member of the class, at whichever moment that is.
func TestCanonicalUntil(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	cut := 0
	for range 60 {
		b := randomBoard(t, r)
		g := unlisted(b)
		at := randomPosition(r, b.N, 0.5)
		want, _ := g.canonicalTriple(at, nil)
		if got, _ := g.canonicalTriple(at, func() bool { return false }); got != want {
			t.Fatalf("never stopped: %v, want %v", got, want)
		}
		asked := 0
		for most := range 12 {
			asked = 0
			got, size := g.canonicalTriple(at, func() bool { asked++; return asked > most })
			if again, _ := g.canonicalTriple(got, nil); again != want {
				t.Fatalf("stopped at question %d: %v is not in the class of %v", most, got, at)
			}
			if got != want && size != 1 {
				t.Errorf("stopped: a class of %d", size)
			}
			if asked > most {
				cut++
			}
		}
	}
	if cut == 0 {
		t.Error("nothing was ever stopped")
	}
}

// TestGroupWithin: a group that is not found in time is an error, and found by who has it.
func TestGroupWithin(t *testing.T) {
	n, sets := hall()
	b := mustBoard(t, n, sets)
	ended, end := context.WithCancel(t.Context())
	end()
	if g, err := b.GroupWithin(ended); g != nil || err == nil {
		t.Fatalf("%v, %v after the context's end", g, err)
	}
	g, err := b.GroupWithin(t.Context())
	if err != nil || g != b.Group() || g.Order().Int64() != 311040 {
		t.Fatalf("%v, %v", g, err)
	}
	if again, err := b.GroupWithin(ended); again != g || err != nil {
		t.Errorf("a known group: %v, %v", again, err)
	}
}

// TestCanonicalOfNothing: the empty board is its own class, and found to be so without
// a search, also where a search would take long.
func TestCanonicalOfNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		g := unlisted(randomBoard(t, r))
		never := func() bool { t.Error("searched"); return false }
		if got, size := g.canonicalTriple(triple{}, never); got != (triple{}) || size != 1 {
			t.Errorf("%v, %d", got, size)
		}
	}
}
