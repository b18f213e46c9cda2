package lab_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"oxo/lab"
)

// TestRules has every kind of game with each of its options say how it is
// played, no two of them the same.
func TestRules(t *testing.T) {
	var l lab.Lab
	said := map[string]string{}
	for _, k := range l.ListKinds() {
		if k.Example == "" || k.Example == "qubic" { // which is a cube
			continue
		}
		for _, o := range append([]string{""}, k.Options...) {
			spec := k.Example
			if o != "" {
				spec += "+" + strings.ReplaceAll(o, "slip=P", "slip=0.25")
			}
			g, err := l.Game(spec)
			if err != nil {
				t.Fatal(err)
			}
			r := g.Info().Rules
			if !strings.HasSuffix(r, ".") || strings.Contains(r, "  ") || strings.Contains(r, "%") || len(r) > 500 {
				t.Errorf("%s: %q", spec, r)
			}
			if other, ok := said[r]; ok {
				t.Errorf("%s and %s are both played so: %s", other, spec, r)
			}
			said[r] = spec
		}
	}
}

func TestRulesSay(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "star.json")
	if err := os.WriteFile(path, []byte(`{"name":"star","squares":3,"winning":[[1,2]],"below":[0,1,0],"option":"misere"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ spec, says string }{
		{"ttt", "X and O take turns and place a mark of their own on an empty square. Whoever first owns 3 in a row, " +
			"across, down or diagonally, wins; if nobody does, it is a draw."},
		{"mnk:20,20,5+exact", "no more than that in the row, wins"},
		{"mnk:7,6,4+gravity", "Marks fall to the lowest free square."},
		{"qubic", "a straight line of 4, in any direction"},
		{"torus:4,4,4", "also over the edges"},
		{"animal:TIC,4,4", "the shape xxx, in any direction"},
		{"animal:knobby,5,5", "the shape .x. / xxx (its rows from the top), turned or mirrored"},
		{"animal:x/xx,4,4", "the shape x / xx (its rows"},
		{"ttt+slip=0.2", "With probability 0.2 a mark slips"},
		{"ttt+breaker", "The second is Maker"},
		{"mnk:4,4,4+chaos", "the first is Chaos"},
		{"ultimate+most+open", "play goes on until it is full. Three boards in a row win the game; without them, " +
			"more boards do."},
		{"tree:chance", "At chance nodes the branch is drawn."},
		{"file:" + path, "Marks fall to the lowest free square. Whoever first owns all squares of a winning set, " +
			"loses"},
	} {
		l := lab.Lab{ReadFile: os.ReadFile}
		g, err := l.Game(c.spec)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Info().Rules; !strings.Contains(got, c.says) {
			t.Errorf("%s: %q, want %q", c.spec, got, c.says)
		}
	}
}
