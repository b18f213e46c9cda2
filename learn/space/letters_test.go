package space

import (
	"testing"

	"oxo/games/race"
)

// TestLetters: two positions of a race have the same marks if their texts are the same, and each mark is a letter that
// stands in the text at its place, and not in all.
func TestLetters(t *testing.T) {
	g, err := race.New(5)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Enumerate(t.Context(), g, 1000)
	if err != nil {
		t.Fatal(err)
	}
	b, marks, err := a.Letters()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for n := range Node(a.Len()) {
		x, o := marks(n)
		text, held := a.Format(n), ""
		for i := range x.All() {
			held += b.Names[i] + " "
		}
		if !o.Empty() || seen[held] != "" {
			t.Errorf("%q has the marks of %q", text, seen[held])
		}
		seen[held] = text
	}
	// x and o can be on five squares each, and a square can be free; either side can be to move.
	if text := a.Format(0); b.N != 17 || seen["'x' at 1 '.' at 2 '.' at 3 '.' at 4 'o' at 5 'x' at 7 "] != text {
		t.Errorf("%d letters; of %q %q", b.N, text, seen)
	}
	if order := b.Group().Order(); order.Int64() != 1 {
		t.Errorf("letters have %v symmetries", order)
	}
	if _, _, err := NewLazyGraph(g).Letters(); err == nil {
		t.Error("letters of positions that are not listed")
	}
}
