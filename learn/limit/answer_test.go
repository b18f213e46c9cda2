package limit_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/learn/limit"
	"oxo/learn/space"
)

// TestFractions: features that are not whole numbers are refused where practice finds no weights for them.
func TestFractions(t *testing.T) {
	h, _ := sums(t, "counts")
	whole := h.Of
	h.Of = func(n space.Node, seat oxo.Seat, x []float64) {
		whole(n, seat, x)
		for i := range x {
			x[i] /= 4
		}
	}
	if a, err := h.FindUnbeatableWeights(t.Context(), limit.Seats["both"]); !errors.Is(err, limit.ErrFractions) {
		t.Errorf("of quarters it says %+v, %v", a, err)
	}
}

// TestCancelled: who no longer waits gets the reason and no answer.
func TestCancelled(t *testing.T) {
	h, _ := sums(t, "counts")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, err := h.FindUnbeatableWeights(ctx, limit.Seats["first"])
	if !errors.Is(err, context.Canceled) || a != nil && (a.Weights != nil || a.Cases != nil) {
		t.Errorf("after the end it says %+v, %v", a, err)
	}
}

// TestOdds: whatever the weights, a player of them draws evenly among the moves that a slow twin finds best,
// and makes no other.
func TestOdds(t *testing.T) {
	h, _ := sums(t, "squares")
	r := rand.New(rand.NewPCG(5, 8))
	for range 5 {
		w := make([]float64, h.Size)
		for i := range w {
			w[i] = float64(r.IntN(5) - 2)
		}
		mix := h.GreedyPolicy(w)
		if len(mix) != h.Space.EdgeCount() {
			t.Fatalf("%d odds of %d moves", len(mix), h.Space.EdgeCount())
		}
		for n := range space.Node(h.Space.Len()) {
			if h.Space.Over(n) {
				continue
			}
			best := bestMoves(h, w, n)
			from, _ := h.Space.Edges(n)
			for e := range h.Space.Children(n) {
				want := 0.0
				if best[e] {
					want = 1 / float64(len(best))
				}
				if got := mix[int(from)+e]; math.Abs(got-want) > 1e-12 {
					t.Fatalf("weights %v make %s in %s with odds %v, not %v", w, h.Space.FormatMove(n, e),
						h.Space.Format(n), got, want)
				}
			}
		}
	}
}

// bestMoves returns the moves of a position after which no other gives a larger sum, compared pair by pair.
func bestMoves(h limit.Hypothesis, w []float64, n space.Node) map[int]bool {
	seat, children := h.Space.Turn(n), h.Space.Children(n)
	sum := func(c space.Node) (v float64) {
		if h.Space.Over(c) {
			return h.Space.WorthTo(c, seat) * math.MaxFloat64
		}
		x := make([]float64, h.Size)
		h.Of(c, seat, x)
		for i := range x {
			v += w[i] * x[i]
		}
		return v
	}
	best := map[int]bool{}
	for e, c := range children {
		worse := false
		for _, other := range children {
			worse = worse || sum(other) > sum(c)
		}
		if !worse {
			best[e] = true
		}
	}
	return best
}

// TestCount: inequalities are counted in all cases, and a case without others is a leaf.
func TestCount(t *testing.T) {
	for text, want := range map[string][2]int{
		`{}`:         {0, 1},
		`{"sum":[]}`: {0, 1},
		`{"sum":[{"position":"p"},{"position":"q"}]}`:                            {2, 1},
		`{"sum":[{"position":"p"}],"cases":[{"sum":[{"position":"q"}]}]}`:        {2, 1},
		`{"position":"p","cases":[{},{"sum":[{}]},{"cases":[{},{"sum":[{}]}]}]}`: {2, 4},
	} {
		c := &limit.Case{}
		if err := json.Unmarshal([]byte(text), c); err != nil {
			t.Fatal(err)
		}
		if inequalities, leaves := c.Count(); [2]int{inequalities, leaves} != want {
			t.Errorf("%s has %d inequalities and %d leaves, not %v", text, inequalities, leaves, want)
		}
	}
}

// TestWrittenCertificate: a certificate that was found holds once it was written and read again, and no longer
// where any of its leaves is emptied or any of its positions has a case less.
func TestWrittenCertificate(t *testing.T) {
	changed := 0
	for _, set := range []string{"counts", "twelve", "wins", "squares"} {
		h, _ := sums(t, set)
		seats := limit.Seats["second"]
		a, err := h.FindUnbeatableWeights(t.Context(), seats)
		if err != nil || a.Cases == nil {
			t.Fatalf("%s: %+v, %v", set, a, err)
		}
		text, err := json.Marshal(a.Cases)
		if err != nil {
			t.Fatal(err)
		}
		read := &limit.Case{}
		if err := json.Unmarshal(text, read); err != nil {
			t.Fatal(err)
		}
		if err := h.Check(read, seats); err != nil {
			t.Errorf("%s: once written: %v", set, err)
		}
		for _, part := range partsOf(read) {
			before := *part
			if last := len(part.Cases) - 1; last >= 0 {
				part.Cases = part.Cases[:last]
			} else {
				part.Sum = nil
			}
			if h.Check(read, seats) == nil {
				t.Errorf("%s: it holds without a part of %+v", set, before)
			}
			*part = before
			changed++
		}
		if err := h.Check(read, seats); err != nil {
			t.Errorf("%s: once whole again: %v", set, err)
		}
	}
	if changed < 4 {
		t.Errorf("only %d parts were changed", changed)
	}
}

// partsOf lists a case and all those within.
func partsOf(c *limit.Case) []*limit.Case {
	list := []*limit.Case{c}
	for _, part := range c.Cases {
		list = append(list, partsOf(part)...)
	}
	return list
}
