package space

import (
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/cube"
	"oxo/games/grid"
)

// TestFeaturesByHand: positions measured on paper.
func TestFeaturesByHand(t *testing.T) {
	a := ttt(t)
	for _, c := range []struct {
		position, set string
		seat          oxo.Seat
		want          []float64
	}{
		// x a3 (top left), o centre: x's open lines are the top row and the
		// left column, o's are all through the centre but one, and those
		// without x.
		{"x../.o./... x", "counts", oxo.First, []float64{1, 1, 1, 4, 5}},
		{"x../.o./... x", "counts", oxo.Second, []float64{1, 1, 1, 5, 4}},
		{"x../.o./..x o", "squares", oxo.Second, []float64{1, -1, 0, 0, 0, 1, 0, 0, 0, -1}},
		// x holds three corners, but o stands in two of the lines between them.
		{"x.x/oo./x.. o", "twelve", oxo.First, []float64{1, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 1}},
		{"x../.ox/..o x", "twelve", oxo.Second, []float64{1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1}},
		{"x.x/.o./x.o o", "twelve", oxo.First, []float64{1, 0, 1, 0, 1, 3, 0, 0, 0, 1, 1, 1, 0}},
		{"xxx/oo./... o", "wins", oxo.First, []float64{1, 1, 0}},
		{"xxx/oo./... o", "wins", oxo.Second, []float64{1, 0, 1}},
		// o to move can complete its row before x completes its own.
		{"x.x/oo./x.. o", "threats", oxo.First, []float64{1, 0, 0, 0, 1, 0, 0, 3, 2, 0, 3}},
		{"x.x/oo./x.. o", "threats", oxo.Second, []float64{1, 0, 0, 1, 0, 0, 0, 2, 3, 1, 0}},
		// After o's corner x can be forced to block on the last corner, where
		// it forks.
		{"x.o/.o./..x x", "threats", oxo.Second, []float64{1, 0, 0, 1, 0, 0, 1, 3, 2, 1, 1}},
		{"xo./.o./..x x", "threats", oxo.Second, []float64{1, 0, 0, 1, 0, 0, 0, 3, 3, 1, 0}},
	} {
		f, err := a.Space.Features(c.set)
		if err != nil {
			t.Fatal(err)
		}
		n, err := a.Find(c.position)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Of(n, c.seat); !slices.Equal(got, c.want) {
			t.Errorf("%s of %s for %v: %v, want %v (%q)", c.set, c.position, c.seat, got, c.want, f.Names)
		}
		if len(c.want) != len(f.Names) {
			t.Errorf("%s has %d names for %d features", c.set, len(f.Names), len(c.want))
		}
	}
}

// TestFeaturesSymmetric: but for raw squares, positions of one class have the
// same features, and asking again gives the same answer.
func TestFeaturesSymmetric(t *testing.T) {
	a := ttt(t)
	for _, set := range []string{"counts", "twelve", "wins", "threats"} {
		f, err := a.Space.Features(set)
		if err != nil {
			t.Fatal(err)
		}
		for n := range a.Len() {
			for seat := range oxo.Chance {
				x, y := f.Of(Node(n), seat), f.Of(a.Class(Node(n)), seat)
				if !slices.Equal(x, y) {
					t.Fatalf("%s: %s has %v, its class %v", set, a.Format(Node(n)), x, y)
				}
			}
		}
	}
}

// TestClosure: a square has eight symmetries.
func TestClosure(t *testing.T) {
	if perms := ttt(t).Game.Start.Board().Group().Elements(mostSymmetries); len(perms) != 8 {
		t.Errorf("%d symmetries, want 8", len(perms))
	}
}

// TestFeaturesElsewhere: the sets are for every board; in three dimensions a
// cube of 3 has 8 corners and 18 squares on edges and faces.
func TestFeaturesElsewhere(t *testing.T) {
	b, err := cube.New(3, 3, false)
	if err != nil {
		t.Fatal(err)
	}
	if cornersOf(b).Len() != 8 || sidesOf(b).Len() != 18 {
		t.Errorf("a cube has %d corners and %d sides", cornersOf(b).Len(), sidesOf(b).Len())
	}
	g := board.Game64("cube:3,3", "", b, board.Normal)
	if sets := NewLazyGraph(g).FeatureSets; len(sets) != 5 {
		t.Errorf("sets %v", sets)
	}
}

// TestForkingReply: looking at every reply finds the same.
func TestForkingReply(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 5, Rows: 5, Run: 4})
	if err != nil {
		t.Fatal(err)
	}
	a := NewLazyGraph(board.Game64("", "", b, board.Normal))
	r := rand.New(rand.NewPCG(1, 1))
	found := 0
	for range 3000 {
		line := []board.Pos64{a.Game.Start}
		for p := a.Game.Start; p.Outcome() == oxo.Ongoing; {
			line = append(line, p)
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
		p := line[r.IntN(len(line))]
		v := &boardView{board: b, free: p.Playable()}
		v.mine, v.theirs = p.Marks()
		mine := v.threats(v.mine, v.theirs)
		if !v.threats(v.theirs, v.mine).Empty() {
			continue
		}
		want, replies := false, v.free
		if !mine.Empty() {
			replies = mine
		}
		for i := range replies.All() {
			theirs, free := v.theirs.With(i), v.free.Without(i)
			want = want || v.threatsOf(theirs, v.mine, free).Len() >= 2 && v.threatsOf(v.mine, theirs, free).Empty()
		}
		if got := v.forkingReply(mine); got != want {
			t.Fatalf("%s: a reply that forks: %v, want %v", a.Game.Format(p), got, want)
		}
		if want {
			found++
		}
	}
	if found < 20 {
		t.Errorf("only %d positions have a reply that forks", found)
	}
}
