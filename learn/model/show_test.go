package model

import (
	"fmt"
	"strings"
	"testing"
)

// TestShownText: what is rounded to zero is written without a sign, and one thing is not many.
func TestShownText(t *testing.T) {
	tiny := -1e-9
	text := Shown{Summary: []string{countOf(1, "weight", "weights")}, Weights: []Weight{{"constant", tiny, &tiny}},
		Positions: []Valued{{Worth: tiny, Seat: "first", Position: "p"}}}.String()
	if strings.Contains(text, "-0.0000") || strings.Count(text, " 0.0000") != 3 ||
		!strings.HasPrefix(text, "1 weight\n") {
		t.Error(text)
	}
}

// TestShownRows: rows of a net that hold as much are shown once, and all are counted.
func TestShownRows(t *testing.T) {
	l := built(t, ttt(t).Space, "ntuple:tuples=lines")
	shown := l.Memory.Show(1000)
	rows, counted := 0, 0
	if _, err := fmt.Sscanf(shown.Summary[0], "8 tuples of squares (lines), %d contents", &rows); err != nil {
		t.Fatal(shown.Summary, err)
	}
	for _, w := range shown.Weights {
		alike := 0
		if _, rest, ok := strings.Cut(w.Feature, " (and "); ok {
			fmt.Sscanf(rest, "%d alike", &alike)
		}
		counted += 1 + alike
	}
	// Three squares hold 1 to 3 marks of the sides in 9 ways, after a move of either.
	if len(shown.Weights) != 18 || counted != rows {
		t.Errorf("%d rows of %d are in %d lines", counted, rows, len(shown.Weights))
	}
}
