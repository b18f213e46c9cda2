package learn

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/games/meta"
	"oxo/gametest"
	"oxo/learn/space"
)

// interrupter is an opponent in whose choice, after so many, the training is
// stopped; with none left it is the opponent that it wraps.
type interrupter struct {
	Opponent
	left int
	stop func()
}

func (o *interrupter) Choose(n space.Node, r *rand.Rand) (int32, error) {
	if o.left--; o.left == 0 {
		o.stop()
	}
	return o.Opponent.Choose(n, r)
}

// stopAt runs games until the opponent stops them at its n-th choice from now.
func stopAt(t *testing.T, l *Trainer, o *interrupter, n int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	o.left, o.stop = n, stop
	if err := l.Run(ctx, 1000, nil); err != context.Canceled {
		t.Fatalf("stopped at choice %d: error %v", n, err)
	}
}

// TestBrokenOff: a game that is broken off leaves nothing behind: the brain is
// that after the last whole game, and goes on as if nothing had happened.
func TestBrokenOff(t *testing.T) {
	a := ttt(t)
	for _, text := range append(everyLearner, "menace:beads=1,loss=-1,win=0,draw=-1,empty=refill") {
		plan := Plan{Against: "test", Start: [...]string{"retry+1", "untried"}[len(text)%2]}
		o := &interrupter{Opponent: NewMixOpponent(a.Space, space.UniformOverBest(a.Space))}
		whole, err := New(a.Space, spec(t, text), plan, o, 3)
		if err != nil {
			t.Fatal(err)
		}
		run(t, whole, 60)
		want := brainOf(t, whole)
		again := &interrupter{Opponent: NewMixOpponent(a.Space, space.UniformOverBest(a.Space))}
		broken, err := New(a.Space, spec(t, text), plan, again, 3)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 3 {
			stopAt(t, broken, again, 7*n+2)
		}
		games := broken.Tally().Games
		for n := range 3 { // at each choice of one game
			before := brainOf(t, broken)
			stopAt(t, broken, again, 1+n%2)
			if broken.Tally().Games == games && !bytes.Equal(brainOf(t, broken), before) {
				t.Errorf("%s: a game that was broken off has changed the brain", text)
			}
		}
		again.left = 0
		run(t, broken, 60-broken.Tally().Games)
		if !bytes.Equal(brainOf(t, broken), want) {
			t.Errorf("%s: after games that were broken off the brain is another one", text)
		}
	}
}

// TestBrokenOffExplored is the same for a search in a game too large to
// enumerate, which learns while a game goes on.
func TestBrokenOffExplored(t *testing.T) {
	g := meta.New()
	begin := func() (*Trainer, *interrupter) {
		a := space.NewLazyGraph(g)
		o := &interrupter{Opponent: NewPlayerOpponent(a, always[meta.Pos](static(t, published, 1)))}
		l, err := New(a.Space, spec(t, "td-leaf:depth=1"), Plan{Against: "test", Start: "empty"}, o, 3)
		if err != nil {
			t.Fatal(err)
		}
		return l, o
	}
	whole, _ := begin()
	run(t, whole, 4)
	broken, o := begin()
	run(t, broken, 2)
	before := brainOf(t, broken)
	for n := range 10 {
		stopAt(t, broken, o, 2*n+1)
	}
	if !bytes.Equal(brainOf(t, broken), before) {
		t.Error("games that were broken off have changed the brain")
	}
	o.left = 0
	run(t, broken, 2)
	if !bytes.Equal(brainOf(t, broken), brainOf(t, whole)) {
		t.Error("after games that were broken off the brain is another one")
	}
}

// TestSearchStops: a search that would take years ends with its context and has
// a move.
func TestSearchStops(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 15, Rows: 15, Run: 5})
	if err != nil {
		t.Fatal(err)
	}
	g := board.Game256("mnk:15,15,5", "", b, board.Normal)
	for _, looks := range []int{0, 1, 5} {
		s, err := space.NewStatic(g, "wins", []float64{1, 1, -1}, 100)
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Choose(gametest.NewLooks(t.Context(), looks), g.Start)
		if err != nil || int(c.Move) >= b.N {
			t.Errorf("after %d looks at the context: move %d, %v", looks, c.Move, err)
		}
		if c.Nodes > uint64(looks+1)<<10 {
			t.Errorf("after %d looks at the context: %d nodes", looks, c.Nodes)
		}
		a := space.NewLazyGraph(g)
		l := trainer(t, a.Space, "td-leaf:features=wins,depth=20", Plan{}, nil, 1)
		if c, err := NewPlayer(a, l, l.rand).Choose(gametest.NewLooks(t.Context(), looks), g.Start); err != nil ||
			int(c.Move) >= b.N {
			t.Errorf("after %d looks at the context the mind plays %d, %v", looks, c.Move, err)
		}
		if look := l.Look(gametest.NewLooks(t.Context(), looks), a.Start); len(look.Moves) != b.N || look.Resigns != 0 {
			t.Errorf("after %d looks at the context it says of %d moves, and of resigning %v", looks, len(look.Moves),
				look.Resigns)
		}
		if err := l.Run(gametest.NewLooks(t.Context(), looks+1), 1, nil); err != context.Canceled ||
			l.Tally().Games != 0 {
			t.Errorf("after %d looks at the context it has played %d games, %v", looks, l.Tally().Games, err)
		}
	}
}
