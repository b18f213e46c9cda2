package typed

import (
	"context"
	"slices"

	"oxo/arena"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
)

// examOpenings is how many random plies a sampled exam's games begin with.
const examOpenings = 4

// ExamBySample plays the player against a few others, in pairs of games with
// seats swapped from random openings. It tells how many games of how many were
// played. Where ctx is done, the exam is of the games that were played.
func (f learning[P]) ExamBySample(ctx context.Context, player string, games int, seed uint64,
	tell func(done, of int)) (*game.SampledExam, error) {
	e := &game.SampledExam{Game: f.b.Spec, Sampled: true, Games: games, Vs: map[string]arena.MatchResult{}}
	opponents := slices.DeleteFunc([]string{"random", "heuristic", "mcts:sims=200"}, func(opponent string) bool {
		_, err := players.Open(f.b, opponent)
		return err != nil || opponent == player
	})
	for i, opponent := range opponents {
		t, err := contesting[P](f).newTournament(game.ContestOptions{Players: []string{player, opponent}, Games: games,
			Openings: examOpenings, Seed: seed})
		if err != nil {
			return nil, err
		}
		t.Progress = func(s *arena.Standings) { tell(games*i+s.Games, games*len(opponents)) }
		s, err := t.Run(ctx)
		if s != nil && s.Games > 0 {
			e.Vs[opponent] = s.Match()
		}
		if err != nil {
			return e, err
		}
	}
	return e, nil
}
