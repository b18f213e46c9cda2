package typed

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/games/kind"
)

// completing returns a move after which the game is won by whoever made it, or "".
func completing(t *testing.T, g Game, position, turn string, moves []string) string {
	t.Helper()
	for _, m := range moves {
		s, err := g.NewSession(SessionOptions{First: Human, Second: Human, Position: position})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Move(m); err != nil {
			t.Fatal(err)
		}
		if s.State().Result == turn {
			return m
		}
	}
	return ""
}

// childMove is what a child plays: it takes every win, blocks seven times in ten, and
// else puts its mark anywhere.
func childMove(t *testing.T, g Game, s State, r *rand.Rand) string {
	t.Helper()
	if m := completing(t, g, s.Position, s.Turn, s.Moves); m != "" {
		return m
	}
	rows, turn := s.Position[:len(s.Position)-1], "first"
	if s.Turn == "first" {
		turn = "second"
	}
	for _, m := range s.Moves {
		after := childMark(g, rows, m, turn)
		if after && r.Float64() < 0.7 {
			return m
		}
		if after {
			break
		}
	}
	return s.Moves[r.IntN(len(s.Moves))]
}

// childMark reports whether the side completes a set of an own mark by one at that square.
func childMark(g Game, rows, square, side string) bool {
	info := g.Info()
	var marks []byte
	for _, c := range []byte(rows) {
		if c == 'x' || c == 'o' || c == '.' {
			marks = append(marks, c)
		}
	}
	at := slices.IndexFunc(info.Squares, func(s kind.Square) bool { return s.Name == square })
	marks[at] = map[string]byte{"first": 'x', "second": 'o'}[side]
	return slices.ContainsFunc(info.Lines, func(line []int) bool {
		return slices.Contains(line, at) &&
			!slices.ContainsFunc(line, func(i int) bool { return marks[i] != marks[at] })
	})
}

// TestChildWins lets a child play its first games against the weakest level: it is to
// win at least 60 % of them.
func TestChildWins(t *testing.T) {
	g, err := (&Lab{}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	const games = 400
	results := map[string]int{}
	for seed := range uint64(games) {
		r := rand.New(rand.NewPCG(seed, 1))
		s, err := g.NewSession(SessionOptions{First: Human, Second: "level:1", Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		for !s.Over() {
			if now := s.State(); now.Turn == oxo.First.String() {
				err = s.Move(childMove(t, g, now, r))
			} else {
				_, err = s.Step(context.Background())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		results[s.State().Result]++
	}
	t.Logf("of %d games the child has %v", games, results)
	if results["first"]*10 < games*6 {
		t.Errorf("of %d games the child has won %d", games, results["first"])
	}
}
