package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"oxo/lab"
)

// tierGames are games to be solved by tiers, with memory that takes several
// slices.
var tierGames = map[string]int64{
	"ttt":                 2_500,
	"ttt+misere":          2_500,
	"mnk:4,3,3":           12_000,
	"mnk:4,3,3+gravity":   11_000,
	"mnk:4,2,2+exact":     2_100,
	"animal:el,4,3+maker": 12_000,
	"ttt+wild":            4_200,
}

// TestTiers compares solutions by tiers with those by search: what the start and
// its moves are worth, and how many positions there are; and so what the file
// says about positions.
func TestTiers(t *testing.T) {
	for spec, memory := range tierGames {
		t.Run(spec, func(t *testing.T) {
			g, err := (&lab.Lab{}).Game(spec)
			if err != nil {
				t.Fatal(err)
			}
			args := json.RawMessage(fmt.Sprintf(`{"tiers":true,"strong":true,"memory":%d}`, memory))
			r, err := Run(t.Context(), &lab.Lab{}, Job{"solve", spec, args, 0}, RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var got TierResult
			if err := json.Unmarshal(r.JSON, &got); err != nil {
				t.Fatal(err)
			}
			sameWorth(t, g, "", &got.SolveResult)
			most, positions := 0, uint64(0)
			for _, tier := range got.Tiers {
				most = max(most, tier.Slices)
				positions += tier.First + tier.Second + tier.Draw
			}
			if most < 3 || positions != got.Positions {
				t.Errorf("%d slices, %d positions of %d", most, positions, got.Positions)
			}
			// A game along the first moves, by the file alone.
			l := &lab.Lab{ReadFile: func(string) ([]byte, error) { return r.Files[SolutionFile], nil }}
			if g, err = l.Game(spec); err != nil {
				t.Fatal(err)
			}
			s, err := g.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human})
			if err != nil {
				t.Fatal(err)
			}
			for at := s.State(); ; at = s.State() {
				told, err := g.Solving().LookUpSolution(context.Background(),
					bytes.NewReader(r.Files[SolutionFile]), at.Position)
				if err != nil {
					t.Fatal(err)
				}
				sameWorth(t, g, at.Position, told)
				if s.Over() {
					break
				}
				play, err := g.NewSession(lab.SessionOptions{First: "perfect:db=x", Second: "perfect:db=x",
					Position: at.Position})
				if err != nil {
					t.Fatal(err)
				}
				if move, err := play.Step(t.Context()); err != nil || !slices.Contains(told.Best, move) {
					t.Errorf("%s: a player plays %s, not one of %v: %v", at.Position, move, told.Best, err)
				}
				if err := s.Move(at.Moves[0]); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// sameWorth compares what is told about a position with what a search finds.
func sameWorth(t *testing.T, g lab.Game, position string, told *lab.SolveResult) {
	t.Helper()
	want, err := g.Solving().Solve(t.Context(), lab.SolveOptions{Position: position})
	if err != nil {
		t.Fatal(err)
	}
	want.Seconds, want.Classes, want.Method, want.Estimate = 0, told.Classes, told.Method, told.Estimate
	if position != "" {
		want.Positions = told.Positions // of the whole game
	}
	one, _ := json.Marshal(want)
	mine := *told
	mine.Seconds = 0
	other, _ := json.Marshal(mine)
	if !bytes.Equal(one, other) {
		t.Errorf("%s: told %s, want %s", position, other, one)
	}
}

// TestTiersTidy sees that tables leave the shelf once they are not needed.
func TestTiersTidy(t *testing.T) {
	for args, left := range map[string][]string{
		`{"tiers":true,"memory":2500}`: {"tier/0", "tier/1"},
		`{"tiers":true,"memory":2500,"strong":true}`: {"tier/0", "tier/1", "tier/2", "tier/3", "tier/4", "tier/5",
			"tier/6", "tier/7", "tier/8", "tier/9"},
	} {
		for _, spec := range []string{"ttt", "ttt+gravity"} {
			keep := &MemoryStore{}
			if _, err := Run(t.Context(), &lab.Lab{}, Job{"solve", spec, json.RawMessage(args), 0},
				RunOptions{State: keep}); err != nil {
				t.Fatal(err)
			}
			names := map[string]bool{}
			for key := range keep.data {
				if name, ok := strings.CutPrefix(key, "shelf/"); ok {
					names[name[:strings.LastIndex(name, "/")]] = true
				}
			}
			if got := slices.Sorted(maps.Keys(names)); !slices.Equal(got, left) &&
				!(spec != "ttt" && slices.Equal(got, append([]string{"reach/0"}, left...))) {
				t.Errorf("%s %s: on the shelf are %v, want %v", spec, args, got, left)
			}
		}
	}
}

func TestTiersRefuse(t *testing.T) {
	for _, c := range []struct{ game, args, want string }{
		{"ttt", `{"tiers":true,"memory":1000}`, "the least is"},
		{"ttt", `{"tiers":true,"memory":-1}`, "memory: -1"},
		{"ttt", `{"tiers":true,"position":"x../.../... o"}`, "leave it out"},
		{"ttt+slip=0.1", `{"tiers":true}`, "chance"},
		{"race:4", `{"tiers":true}`, "race:4 is none"},
		{"mnk:6,6,4", `{"tiers":true}`, "36 squares: tiers are for boards of at most 32"},
		{"mnk:15,15,5", `{"tiers":true}`, "at most 32"},
		{"mnk:8,4,4", `{"tiers":true}`, "about"},
		{"ultimate", `{"tiers":true}`, "ultimate is none"},
	} {
		_, err := OpenJob(t.Context(), &lab.Lab{}, Job{"solve", c.game, json.RawMessage(c.args), 0})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.game, c.args, err, c.want)
		}
	}
}
