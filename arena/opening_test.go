package arena_test

import (
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/arena"
	"oxo/board"
)

// The 3×3 board has 3, 12, 38 and 108 classes after 1 to 4 plies, which
// are boxes of MENACE.
func TestAllOpeningsAreOneOfEachClass(t *testing.T) {
	g := ttt(t)
	for n, want := range []int{1, 3, 12, 38, 108} {
		got, err := arena.AllOpenings(g, n)
		if err != nil || len(got) != want {
			t.Errorf("%d plies: %d openings, %v; want %d", n, len(got), err, want)
		}
		seen := map[pos]bool{}
		for _, o := range got {
			if seen[g.Representative(o.Position)] || o.Position.Outcome() != oxo.Ongoing || len(o.Moves) != n ||
				replay(o) != o.Position {
				t.Errorf("%d plies: opening %v", n, o.Moves)
			}
			seen[g.Representative(o.Position)] = true
		}
	}
	if _, err := arena.AllOpenings(g, 1e9); err == nil {
		t.Error("there are openings of a thousand million plies")
	}
	if _, err := arena.AllOpenings(g, -1); err == nil {
		t.Error("there are openings of -1 plies")
	}
	if _, err := arena.AllOpenings(mnk(t, 8, 8, 5, board.Normal), 5); err == nil ||
		!strings.Contains(err.Error(), "random") {
		t.Errorf("too many openings: %v", err)
	}
}

func replay(o arena.Opening[pos]) pos {
	p := o.Start
	for _, m := range o.Moves {
		p = p.Play(m)
	}
	return p
}

func TestRandomOpenings(t *testing.T) {
	g := ttt(t)
	draw := func(n, count int, seed uint64) []arena.Opening[pos] {
		list, err := arena.RandomOpenings(g, n, count, seed)
		if err != nil || len(list) != count {
			t.Fatalf("%d openings, %v", len(list), err)
		}
		return list
	}
	classes := map[pos]bool{}
	for _, o := range draw(3, 38, 1) {
		classes[g.Representative(o.Position)] = true
		if replay(o) != o.Position || len(o.Moves) != 3 {
			t.Errorf("opening %v", o.Moves)
		}
	}
	if len(classes) < 36 { // the rarest may not turn up
		t.Errorf("38 openings of 38 classes show %d", len(classes))
	}
	if len(draw(2, 500, 1)) != 500 {
		t.Error("openings are not repeated where they must be")
	}
	lines := func(list []arena.Opening[pos]) string {
		var b strings.Builder
		for _, o := range list {
			for _, m := range o.Moves {
				b.WriteByte(byte('0' + m))
			}
			b.WriteByte(' ')
		}
		return b.String()
	}
	one, again, other := lines(draw(4, 20, 5)), lines(draw(4, 20, 5)), lines(draw(4, 20, 6))
	if one != again || one == other {
		t.Error("openings don't follow the seed")
	}
	for _, c := range [][2]int{{-1, 1}, {1, 0}, {9, 1}} {
		if _, err := arena.RandomOpenings(g, c[0], c[1], 1); err == nil {
			t.Errorf("%d plies, %d openings: no error", c[0], c[1])
		}
	}
}

func TestReadOpenings(t *testing.T) {
	g := ttt(t)
	list, err := arena.ReadOpenings(g, strings.NewReader("# two openings\n\nb2 a1\nx../.o./... x\n"))
	if err != nil || len(list) != 2 {
		t.Fatalf("%d openings, %v", len(list), err)
	}
	if len(list[0].Moves) != 2 || len(list[1].Moves) != 0 || g.Format(list[1].Start) != "x../.o./... x" {
		t.Errorf("openings %+v", list)
	}
	order := slices.Clone(list)
	arena.Shuffle(order, 1)
	if len(order) != 2 {
		t.Error("shuffling loses openings")
	}
	for _, c := range []struct{ text, want string }{
		{"", "empty"},
		{"b2 b2", `line 1: move 2: move "b2": that square is taken`},
		{"b2\nz9", `line 2: move 1: move "z9": no such square`},
		{"xx./.../... x", "line 1: position"},
		{"a1 b1 a2 b2 a3", "the game is over"},
	} {
		if _, err := arena.ReadOpenings(g, strings.NewReader(c.text)); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzParseOpening(f *testing.F) {
	for _, text := range []string{"", "b2 a1", "x../.o./... x", "a1 a1", "/", "- -"} {
		f.Add(text)
	}
	g := ttt(f)
	f.Fuzz(func(t *testing.T, text string) {
		if o, err := arena.ParseOpening(g, text); err == nil &&
			(replay(o) != o.Position || o.Position.Outcome() != oxo.Ongoing) {
			t.Errorf("%q is read as %v", text, o.Moves)
		}
	})
}
