package lab

import (
	"bytes"
	"strings"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/prove"
	"oxo/prove/verify"
)

// TestForeignNames: the name that a certificate gives its game is believed only
// where it is that game's.
func TestForeignNames(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 2, Run: 2})
	if err != nil {
		t.Fatal(err)
	}
	l := &Lab{}
	for _, name := range []string{"mnk:3,2,2", "", "x", "my game", "mnk", "mnk:3", "torus", "torus:3,3,3", "cube:3", "ttt", "race:4", "ultimate", "mnk:19,19,6",
		"mnk:3,2,2+misere", "file:own.json+wild", "file:own.json", "tree:three-ply", "\xff\n" + strings.Repeat("name", 100)} {
		r, err := prove.Prove(t.Context(), prove.Game{Spec: name, Board: b, Rules: board.Normal}, prove.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := r.Proof.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		c, err := l.Certificate(t.Context(), file.Bytes())
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		own := name == "mnk:3,2,2"
		if got := c.Summary.Game == name; got != own && name != "file:own.json" || c.game.Info().Rules == "" || len(c.Summary.Title) > 500 {
			t.Errorf("%q: it is held to be of %q, %q", name, c.Summary.Game, c.Summary.Title)
		}
		if strings.Contains(c.game.Info().Rules, "one mark") {
			t.Errorf("%q: %s", name, c.game.Info().Rules)
		}
		checked := verify.Check(&file)
		if d := l.Describe(&checked.Game); d.Known != own || !d.Start || d.Squares != 6 || d.Sets != len(b.Lines) || d.Position == "" {
			t.Errorf("%q: it is of %+v", name, d)
		}
	}
}
