package progress

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"oxo/lab"
	"oxo/learn"
	"oxo/message"
)

// TestLines says every kind of line, also after a way as JSON.
func TestLines(t *testing.T) {
	said := map[string]bool{}
	for want, m := range map[string]message.Message{
		"7 of 9 games": GamesPlayed(7, 9),
		"7 games":      GamesPlayed(7, 0),
		"run 2: 7 of 9 games, 4 won, 2 drawn, 1 lost": Of("part", message.Args{"part": "run 2",
			"says": GameResults(GamesPlayed(7, 9), "rows", learn.Tally{Games: 7, Wins: 4, Draws: 2, Losses: 1})}),
		"7 games, First won 4, 2 drawn, Second won 1": GameResults(GamesPlayed(7, 0), learn.Itself,
			learn.Tally{Games: 7, Wins: 4, Draws: 2, Losses: 1}),
		"40 positions by table": SolutionProgress(lab.Going{Method: lab.ByTable, Positions: 40}),
		"40 positions by tiers, of about 100, about 3s left": SolutionProgress(lab.Going{Method: lab.ByTiers,
			Positions: 40, Of: 100, Took: 2 * time.Second}),
		"40 positions by table again": SolutionProgress(lab.Going{Method: "table again", Positions: 40, Of: 40,
			Took: 1}),
		"7 of 9 games, perfect scores 5.5 of 7": Of("score", message.Args{"games": GamesPlayed(7, 9),
			"player": "perfect",
			"points": Points(5.5), "played": 7}),
	} {
		data, err := json.Marshal(m)
		var again message.Message
		if err != nil || json.Unmarshal(data, &again) != nil {
			t.Fatalf("%s: %v", data, err)
		}
		for _, m := range []message.Message{m, again} {
			if got := Words().Say(m); got != want {
				t.Errorf("%+v is said as %q, want %q", m, got, want)
			}
		}
		said[m.Key] = true
	}
	if want := map[string]bool{"progress.of": true, "progress.games": true, "progress.part": true,
		"progress.itself":   true,
		"progress.solution": true, "progress.left": true, "progress.score": true}; !reflect.DeepEqual(said, want) {
		t.Errorf("said are %v, want %v", said, want)
	}
}
