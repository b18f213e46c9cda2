package search_test

import (
	"context"
	"math"
	"testing"
	"time"

	"oxo/search"
)

// TestAblate checks the table of 3×3: every row finds the draw, the ratios are
// to plain minimax, and the clock is read once before and after each search.
func TestAblate(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	a := search.AllCombinations(g)
	now := time.Unix(0, 0)
	a.Now = func() time.Time { now = now.Add(time.Second); return now }
	a.Base.TableBytes = 1 << 20
	told := 0
	a.Begin = func(_ search.AblationRow, at, of int) {
		if told++; at != told || of != 6+3*15 {
			t.Errorf("told of row %d of %d as the %dth", at, of, told)
		}
	}
	rows, _, err := search.Ablate(context.Background(), g, g.Start, a)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[search.AblationRow]bool{}
	for _, r := range rows {
		key := search.AblationRow{Algorithm: r.Algorithm, Memory: r.Memory, Symmetry: r.Symmetry, Order: r.Order}
		if seen[key] {
			t.Errorf("%+v twice", key)
		}
		seen[key] = true
		if r.Value != 0 || !r.Complete || r.Duration != time.Second ||
			math.Abs(r.Ratio-float64(r.Nodes)/549946) > 1e-12 {
			t.Errorf("%+v", r)
		}
	}
	// Minimax has 1 order × 6; the three others 2 orders × 3 and 3 orders × 3.
	if len(rows) != 6+3*15 || told != len(rows) {
		t.Errorf("%d rows, told of %d; want 51", len(rows), told)
	}
}

// TestAblateLimit checks that rows which don't finish are marked and compare
// with nothing.
func TestAblateLimit(t *testing.T) {
	g := mnk(t, 4, 4, 4)
	a := search.AllCombinations(g)
	a.Algorithms = []search.Algorithm{search.Minimax, search.AlphaBeta}
	a.Base.MaxNodes, a.Base.TableBytes = 1000, 1<<16
	rows, _, err := search.Ablate(context.Background(), g, g.Start, a)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Complete || r.Nodes != 1000 || r.Ratio != 0 || r.Duration != 0 {
			t.Errorf("%+v", r)
		}
	}
}

// TestAblateStopped checks that a row that was not begun is left out.
func TestAblateStopped(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	a := search.AllCombinations(g)
	a.Base.TableBytes = 1 << 16
	ctx, stop := context.WithCancel(t.Context())
	a.Begin = func(_ search.AblationRow, at, _ int) {
		if at == 3 {
			stop()
		}
	}
	rows, of, err := search.Ablate(ctx, g, g.Start, a)
	if err != nil || len(rows) != 3 || of != 51 || !rows[1].Complete || rows[2].Complete {
		t.Errorf("%d rows of %d, %v: %+v", len(rows), of, err, rows)
	}
}

// TestAblateChance checks that games with chance get the algorithms for it.
func TestAblateChance(t *testing.T) {
	g := builtin(t, "chance")
	a := search.AllCombinations(g)
	a.Base.TableBytes = 1 << 12
	rows, _, err := search.Ablate(context.Background(), g, g.Start, a)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Value != 1.5 || !r.Algorithm.HandlesChance() {
			t.Errorf("%+v", r)
		}
	}
	a.Algorithms = []search.Algorithm{search.AlphaBeta}
	if _, _, err := search.Ablate(context.Background(), g, g.Start, a); err == nil {
		t.Error("alphabeta on a game with chance was not refused")
	}
}
