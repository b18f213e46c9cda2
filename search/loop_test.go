package search_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/games/race"
	"oxo/search"
)

func raceGame(t *testing.T, n int) *oxo.Game[race.Pos] {
	t.Helper()
	g, err := race.New(n)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestLoopAware is the textbook's exercise on four squares (5.8): eleven
// nodes, of which the repeated (1,4) and (2,4) are "?", and a choice between a
// win and "?" takes the win. (3,4) is "?" here though truly a win for First.
func TestLoopAware(t *testing.T) {
	g := raceGame(t, 4)
	trace := &search.Tracer[race.Pos]{}
	r, err := search.SearchLoopAware(context.Background(), g, g.Start, search.Options[race.Pos]{Trace: trace})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Known || r.Value != 1 || r.Score != 1 || r.Nodes != 11 || !r.Complete ||
		g.FormatMove(g.Start, r.Move) != "2" {
		t.Errorf("%+v", r)
	}
	var got []string
	var walk func(n *search.TraceNode)
	walk = func(n *search.TraceNode) {
		got = append(got, fmt.Sprintf("%s %s %v", n.Position, n.Kind, n.Value))
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(trace.Passes[0])
	want := []string{
		"x..o x searched 1",
		".x.o o searched 1",
		".xo. x searched 1",
		"x.o. o searched -1",
		"xo.. x searched -1",
		".ox. o searched -1",
		"o.x. x leaf -1",
		"..xo x searched NaN",
		".x.o o repeated NaN",
		"x..o x repeated NaN",
		"..ox o leaf 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestLoopAwareOther checks the loop-aware search on other rows: where it
// knows a value it is the truth, which is that First wins if the number of
// squares is even.
func TestLoopAwareOther(t *testing.T) {
	for n := 3; n <= 9; n++ {
		g := raceGame(t, n)
		r, err := search.SearchLoopAware(context.Background(), g, g.Start, search.Options[race.Pos]{})
		if err != nil {
			t.Fatal(err)
		}
		want := -1.0
		if n%2 == 0 {
			want = 1
		}
		if !r.Known || r.Value != want {
			t.Errorf("%d squares: %+v, want %v", n, r, want)
		}
	}
}

// TestLoopAwareUnknown checks a game that the search can't tell the value of.
func TestLoopAwareUnknown(t *testing.T) {
	g := &oxo.Game[circle]{Spec: "circle", Format: func(circle) string { return "" }}
	r, err := search.SearchLoopAware(context.Background(), g, g.Start, search.Options[circle]{})
	if err != nil || r.Known || r.Exact() || r.Move != oxo.NoMove || r.Nodes != 4 {
		t.Errorf("%+v, %v; want an unknown value after 4 nodes", r, err)
	}
	r, err = search.SearchLoopAware(context.Background(), g, g.Start, search.Options[circle]{MaxNodes: 2})
	if err != nil || r.Known || r.Complete || r.Nodes != 2 {
		t.Errorf("%+v, %v; want an incomplete search of 2 nodes", r, err)
	}
}

// circle is a game of three positions in a ring.
type circle uint8

func (c circle) Turn() oxo.Seat                  { return oxo.Seat(c % 2) }
func (c circle) Outcome() oxo.Outcome            { return oxo.Ongoing }
func (c circle) Moves(buf []oxo.Move) []oxo.Move { return append(buf, 0) }
func (c circle) Play(oxo.Move) circle            { return (c + 1) % 3 }
