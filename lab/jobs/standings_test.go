package jobs

import (
	"encoding/json"
	"testing"

	"oxo/arena"
	"oxo/lab"
)

// TestJournalGames lists the games of a tournament that was played as a job,
// and rates its players from how it stands.
func TestJournalGames(t *testing.T) {
	l := &lab.Lab{}
	var last arena.Standings
	r, err := Run(t.Context(), l, Job{Verb: "tournament", Game: "ttt", Seed: 3,
		Args: json.RawMessage(`{"players":["heuristic","random","rows"],"games":4}`)},
		RunOptions{Workers: 1, Every: -1, Progress: func(r Report) {
			if err := json.Unmarshal(r.Data, &last); err != nil {
				t.Error(err)
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	once, err := arena.JournalGames(r.Files["games.journal"])
	games := arena.MergeGames(once, once)
	if err != nil || len(games) != 12 {
		t.Fatalf("%d games: %v", len(games), err)
	}
	points := map[string]float64{}
	for i, g := range games {
		if g.Number != i+1 || g.Game != "mnk:3,3,3" || len(g.Moves) < 5 || g.Termination != "normal" {
			t.Errorf("game %d: %+v", i+1, g)
		}
		switch g.Result {
		case "first":
			points[g.First]++
		case "second":
			points[g.Second]++
		case "draw":
			points[g.First] += 0.5
			points[g.Second] += 0.5
		}
	}
	rows, err := last.Rows(t.Context())
	if err != nil || len(rows) != 3 {
		t.Fatalf("%+v: %v", rows, err)
	}
	for _, row := range rows {
		if row.Score != points[row.Name] || row.Games != 8 || row.Error <= 0 {
			t.Errorf("%+v, and by the games %v points", row, points[row.Name])
		}
	}
	if _, err := (&arena.Standings{Names: []string{"a", "b"}, Cross: [][]arena.Score{{{}}, {{}, {}}},
		Faults: make([]arena.Faults, 2)}).Rows(t.Context()); err == nil {
		t.Error("a cross table that is not square was rated")
	}
	if _, err := arena.JournalGames([]byte("hello\n")); err == nil {
		t.Error("no journal was read")
	}
}
