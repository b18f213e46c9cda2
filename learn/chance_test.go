package learn

import (
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/learn/space"
)

// slippery returns the whole of tic-tac-toe in which a quarter of the marks slip.
func slippery(t testing.TB) *space.Graph[board.Pos64] {
	t.Helper()
	rules := board.Normal
	rules.Name, rules.Slip = "slip", 0.25
	return whole64(t, grid.Shape{Cols: 3, Rows: 3, Run: 3}, rules)
}

// TestLearnWithChance: before a mark has landed the board doesn't show where it
// was meant to, and so learners that judge boards must look at where it may
// land. Those that looked at the board before it played like random ones.
func TestLearnWithChance(t *testing.T) {
	a := slippery(t)
	x := examiner(t, a)
	chance := x.Exam(x.Random()).AsFirst.VsRandom
	for _, text := range []string{"td", "lms:features=threats,scaled=yes", "evolve", "nearest"} {
		l := trainer(t, a.Space, text, Plan{}, x.Random(), 1)
		run(t, l, 2000)
		if e := graded(t, x, l).AsFirst.VsRandom; e.Win < chance.Win+0.2 {
			t.Errorf("%s wins %.3f against a random player, which wins %.3f against itself", text, e.Win, chance.Win)
		}
	}
}

// TestShownWithChance: what chance does is no move of either side: a second
// move is one, and a worth is to the side that moved.
func TestShownWithChance(t *testing.T) {
	a := slippery(t)
	for _, b := range trainer(t, a.Space, "menace", Plan{}, nil, 1).Show(a.Len()).Boxes {
		p, err := a.Game.Parse(b.Position)
		if err != nil {
			t.Fatal(err)
		}
		x, o := p.Marks()
		if want := (x.Len()+o.Len())/2 + 1; b.Stage != want || b.Beads[0].Beads != max(1, 5-want) {
			t.Fatalf("the box of %s: %+v, want stage %d", b.Position, b, want)
		}
	}
	l := trainer(t, a.Space, "table:learn=own", Plan{Seats: "first"}, space.Optimal(a.Space), 1)
	run(t, l, 50)
	for _, v := range l.Show(a.Len()).Positions {
		if v.Seat != "first" {
			t.Fatalf("%+v, though only the first player learns", v)
		}
	}
}
