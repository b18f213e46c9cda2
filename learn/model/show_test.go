package model

import (
	"fmt"
	"strings"
	"testing"
)

// TestSummaries: what learners of every kind say of themselves is said by keys that have texts, whole.
func TestSummaries(t *testing.T) {
	s := ttt(t).Space
	for _, text := range []string{"menace", "table", "q", "lms", "td-leaf:depth=1", "td-leaf:depth=2", "evolve",
		"nearest", "tree", "ntuple:tuples=lines", "net"} {
		shown := built(t, s, text).Memory.Show(1)
		for i, m := range shown.Said["summary"] {
			if line := shown.Summary[i]; line == m.Key || strings.ContainsAny(line, "{}") {
				t.Errorf("%s says %q by %v", text, line, m)
			}
		}
		if len(shown.Summary) == 0 || len(shown.Said["summary"]) != len(shown.Summary) {
			t.Errorf("%s says %q by %v", text, shown.Summary, shown.Said)
		}
	}
}

// TestShownRows: rows of a net that hold as much are shown once, and all are counted that can occur.
func TestShownRows(t *testing.T) {
	l := built(t, ttt(t).Space, "ntuple:tuples=lines")
	shown := l.Memory.Show(1000)
	rows, counted := shown.Said["summary"][0].Args["contents"].(int), 0
	for _, w := range shown.Weights {
		alike := 0
		if _, rest, ok := strings.Cut(w.Feature, " (and "); ok {
			fmt.Sscanf(rest, "%d alike", &alike)
		}
		counted += 1 + alike
	}
	// Three squares hold 1 to 3 marks of the sides in 9 ways, after a move of either; three of the other side, in each
	// of the three kinds of rows, can't be.
	if len(shown.Weights) != 16 || counted != rows-6 {
		t.Errorf("%d rows of %v are in %d lines", counted, rows, len(shown.Weights))
	}
}
