package learn

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/learn/space"
)

func TestGenerators(t *testing.T) {
	a := ttt(t)
	r := rand.New(rand.NewPCG(1, 1))
	l := trainer(t, a.Space, "menace", Plan{Start: "retry"}, nil, 1)
	depth := func(n space.Node) int {
		x, o := a.Position(n).Marks()
		return x.Len() + o.Len()
	}
	sheet := [][]int32{{4, 0, 1, 0, 0}} // b2 c3 a3 …
	for _, name := range []string{"empty", "random", "retry", "endgames", "mix", "untried", "unsure", "empty+4",
		"mix+1", "sheets"} {
		g, err := ParseGenerator(a.Space, name, sheet)
		if err != nil {
			t.Fatal(err)
		}
		starts := map[space.Node]int{}
		deepest := 0
		for game := range 3000 {
			if err := l.PlayAndLearn(context.Background()); err != nil {
				t.Fatal(err)
			}
			n := g.NextStart(l.Performance.Hypothesis, game, l.last, r)
			if a.Over(n) {
				t.Fatalf("%s: the problem %s is over", name, a.Format(n))
			}
			starts[n]++
			deepest = max(deepest, depth(n))
			switch back := game/reverseEvery%9 + 1; {
			case name == "endgames" && back == 1 && a.Value(n) != 0:
				t.Fatalf("endgames: %s is not drawn", a.Format(n))
			case name == "endgames" && depth(n) != 9-back:
				t.Fatalf("endgames: %s starts game %d", a.Format(n), game)
			case name == "sheets" && depth(n) != 4-game/reverseEvery%5:
				t.Fatalf("sheets: %s starts game %d", a.Format(n), game)
			case name == "empty+4" && depth(n) != 4:
				t.Fatalf("empty+4: %s after %d plies", a.Format(n), depth(n))
			}
		}
		want := map[string][2]int{"empty": {1, 0}, "random": {1500, 8}, "retry": {100, 7}, "endgames": {200, 8},
			"mix": {500, 8}, "untried": {1000, 7}, "unsure": {300, 6}, "empty+4": {500, 4},
			"mix+1": {500, 8}, "sheets": {5, 4}}[name]
		if len(starts) < want[0] || deepest < want[1] {
			t.Errorf("%s: %d starts, the deepest after %d plies; want at least %v", name, len(starts), deepest, want)
		}
	}
}

// TestRetry: the new game leaves the last one by a single move.
func TestRetry(t *testing.T) {
	a := ttt(t)
	l := trainer(t, a.Space, "menace", Plan{}, nil, 1)
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		if err := l.PlayAndLearn(context.Background()); err != nil {
			t.Fatal(err)
		}
		n := afterOtherMove{a.Space}.NextStart(nil, 0, l.last, r)
		if n == a.Start {
			continue
		}
		left := false
		for i, node := range l.last.Nodes[:len(l.last.Choices)] {
			for e, c := range a.Children(node) {
				left = left || c == n && int32(e) != l.last.Choices[i].Edge
			}
		}
		if !left {
			t.Fatalf("%s does not leave the last game", a.Format(n))
		}
	}
	if n := (afterOtherMove{a.Space}).NextStart(nil, 0, nil, r); n != a.Start {
		t.Error("without a last game retry does not begin at the start")
	}
}

// TestRandomStartsAreUniform: every legal position that is not over comes up,
// here within a factor of two of its share.
func TestRandomStartsAreUniform(t *testing.T) {
	a := ttt(t)
	r := rand.New(rand.NewPCG(1, 1))
	counts := map[space.Node]int{}
	for range 4520 * 100 {
		counts[randomPosition{a.Space}.NextStart(nil, 0, nil, r)]++
	}
	if len(counts) != 4520 {
		t.Errorf("%d positions, want 4520", len(counts))
	}
	for n, c := range counts {
		if c < 50 || c > 200 {
			t.Errorf("%s came up %d times, want about 100", a.Format(n), c)
		}
	}
}

// TestSeats: who plays which seat.
func TestSeats(t *testing.T) {
	a := ttt(t)
	for _, c := range []struct {
		seats string
		want  []oxo.Seat
	}{
		{"alternate", []oxo.Seat{oxo.First, oxo.Second, oxo.First}},
		{"first", []oxo.Seat{oxo.First, oxo.First, oxo.First}},
		{"second", []oxo.Seat{oxo.Second, oxo.Second, oxo.Second}},
	} {
		l := trainer(t, a.Space, "table", Plan{Seats: c.seats}, space.UniformOverBest(a.Space), 1)
		for i, seat := range c.want {
			if err := l.PlayAndLearn(context.Background()); err != nil {
				t.Fatal(err)
			}
			if !l.last.Learner[seat] || l.last.Learner[seat.Other()] {
				t.Errorf("%s: game %d is played as %v", c.seats, i, l.last.Learner)
			}
		}
	}
}

// TestUntried: no game starts after a move that an earlier game took, and none
// twice, until every move of the games was taken.
func TestUntried(t *testing.T) {
	a := ttt(t)
	l := trainer(t, a.Space, "table", Plan{Start: "untried"}, nil, 1)
	taken := map[space.Node]map[space.Node]bool{}
	starts := map[space.Node]bool{}
	for game := range 500 {
		run(t, l, 1)
		start := l.last.Nodes[0]
		if game > 0 && start == a.Start {
			t.Fatalf("game %d begins at the start", game)
		}
		if game > 0 {
			fresh := false // some position of an earlier game leads to it by a move not taken
			for n, moves := range taken {
				fresh = fresh || slices.Contains(a.Children(n), start) && !moves[start]
			}
			if !fresh && !starts[start] {
				t.Fatalf("game %d begins at %s, where an earlier game came by", game, a.Format(start))
			}
		}
		starts[start] = true
		for i := range l.last.Choices {
			n := l.last.Nodes[i]
			if taken[n] == nil {
				taken[n] = map[space.Node]bool{}
			}
			taken[n][l.last.Nodes[i+1]] = true
		}
	}
	if len(starts) < 300 {
		t.Errorf("%d starts", len(starts))
	}
}

// TestUnsure: it begins where the learner thinks its best moves more alike than
// random positions are.
func TestUnsure(t *testing.T) {
	a := ttt(t)
	l := trainer(t, a.Space, "table", Plan{}, nil, 1)
	run(t, l, 3000)
	h, r := l.Performance.Hypothesis, rand.New(rand.NewPCG(1, 1))
	mean := func(g Generator) float64 {
		sum, count := 0.0, 0
		for range 500 {
			if n := g.NextStart(h, 0, nil, r); len(a.Children(n)) > 1 {
				sum += bestMoveMargin(a.Space, h, n)
				count++
			}
		}
		return sum / float64(count)
	}
	if sure, not := mean(randomPosition{a.Space}), mean(leastSure{a.Space}); not > sure/2 {
		t.Errorf("its moves differ by %.2f in the mean where it is said to be unsure, %.2f anywhere", not, sure)
	}
}

// TestIllegalStarts checks that the boards that no play leads to are all those of 3×3 that can be
// played on, that games from them end, and that what is known of the others is as ever.
func TestIllegalStarts(t *testing.T) {
	plain := ttt(t)
	a, err := space.EnumeratePlayable(t.Context(), plain.Game, 1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for k := range 19683 { // 3^9
		text := []byte(".../.../...")
		for i, rest := 0, k; i < 9; i, rest = i+1, rest/3 {
			text[i+i/3] = ".xo"[rest%3]
		}
		for _, side := range []string{" x", " o"} {
			if _, err := plain.Game.Parse(string(text) + side); err == nil {
				continue
			}
			if _, err := plain.Game.ParsePlayable(string(text) + side); err == nil {
				want++
			}
		}
	}
	if len(a.Illegal) != want || want < 1000 {
		t.Errorf("%d illegal boards, want %d", len(a.Illegal), want)
	}
	for n := range space.Node(plain.Len()) {
		if a.Format(n) != plain.Format(n) || a.Value(n) != plain.Value(n) ||
			a.Format(a.Class(n)) != plain.Format(plain.Class(n)) {
			t.Fatalf("%s is %s among the illegal boards", plain.Format(n), a.Format(n))
		}
	}
	l := trainer(t, a.Space, "lms", Plan{Start: "illegal"}, nil, 1)
	for range 2000 {
		if err := l.PlayAndLearn(t.Context()); err != nil {
			t.Fatal(err)
		}
		start := l.last.Nodes[0]
		if int(start) < plain.Len() || a.Over(start) {
			t.Fatalf("a game begins at %s", a.Format(start))
		}
		if n, err := a.Find(a.Format(start)); n != start || err != nil {
			t.Fatalf("%s is not found again: %v", a.Format(start), err)
		}
	}
	if l.Made() < 2000 {
		t.Errorf("%d moves of the learner in 2,000 games with itself", l.Made())
	}
}

// TestSheetStartsAreKept: a brain knows the games that it begins in, and refuses what is no game.
func TestSheetStartsAreKept(t *testing.T) {
	a := ttt(t)
	g, err := ParseGenerator(a.Space, "sheets+1", [][]int32{{4, 0, 1, 0, 0}})
	if err != nil {
		t.Fatal(err)
	}
	saved, err := json.Marshal(g.(savedGenerator).save())
	if err != nil || string(saved) != "[[4,0,1,0,0]]" {
		t.Fatalf("%s %v", saved, err)
	}
	for _, bad := range []string{"[]", "[[]]", "[[9]]", "[[-1]]", "[[0,0,0,0,0,0,0,0,0,0]]", "{}", "null"} {
		if err := g.(savedGenerator).load([]byte(bad)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}
