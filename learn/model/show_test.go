package model

import (
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
