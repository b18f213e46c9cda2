package typed

import (
	"context"

	"oxo/arena"
)

// SampledExam grades a player by matches, where the game has too many
// positions for an exact exam: each with an error bar.
type SampledExam struct {
	Game    string                       `json:"game"`
	Sampled bool                         `json:"sampled"` // true: these are samples, not the truth
	Games   int                          `json:"games"`   // against each opponent
	Vs      map[string]arena.MatchResult `json:"vs"`
}

// examOpenings is how many random plies a sampled exam's games begin with.
const examOpenings = 4

// ExamBySample plays the player against a few others, in pairs of games with
// seats swapped from random openings.
func (f learning[P]) ExamBySample(ctx context.Context, player string, games int, seed uint64) (*SampledExam, error) {
	e := &SampledExam{Game: f.b.Spec, Sampled: true, Games: games, Vs: map[string]arena.MatchResult{}}
	for _, opponent := range []string{"random", "heuristic", "mcts:sims=200"} {
		if _, err := f.b.player(opponent); err != nil || opponent == player {
			continue
		}
		t, err := contesting[P](f).contest(ContestOptions{Players: []string{player, opponent}, Games: games, Openings: examOpenings, Seed: seed})
		if err != nil {
			return nil, err
		}
		s, err := t.Run(ctx)
		if err != nil {
			return nil, err
		}
		e.Vs[opponent] = s.Match()
	}
	return e, nil
}
