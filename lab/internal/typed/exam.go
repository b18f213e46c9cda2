package typed

import (
	"cmp"
	"context"
	"io"
	"math/rand/v2"
	"slices"

	"oxo/arena"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
	"oxo/learn/exam"
)

// ExamBySampleOrMatches grades a player by the positions of a sample where the game has a solver for them, else
// by matches. Where ctx is done, the exam is of the games that were played. o.Tell is called after
// each position or game.
func (f learning[P]) ExamBySampleOrMatches(ctx context.Context, player string,
	o game.SampleOptions) (*game.SampledExam, error) {
	e := &game.SampledExam{Game: f.b.Spec, Sampled: true}
	if !f.b.Falls() || players.PlaysProof(player) { // a proof says nothing of positions that it does not lead to
		return e, f.examByMatches(ctx, e, player, o)
	}
	m, err := players.OpenPlayer(f.b, player)
	if err != nil {
		return nil, err
	}
	sample, err := f.b.SolvedSample(ctx, o.Positions, o.Seed)
	if err != nil {
		return nil, err
	}
	one, err := m(rand.New(rand.NewPCG(o.Seed, 0)))
	if err != nil {
		return nil, err
	}
	if c, ok := one.(io.Closer); ok {
		defer c.Close()
	}
	done := 0
	e.Solved, err = sample.Grade(func(t *exam.Trial, w []float64) error {
		p, err := f.b.Parse(t.Position)
		if err != nil {
			return err
		}
		choice, err := f.b.Ask(ctx, one, p, p.Moves(nil))
		if err = cmp.Or(err, ctx.Err()); err == nil && !choice.Resign {
			w[slices.Index(p.Moves(nil), choice.Move)] = 1
		}
		done++
		o.Tell(done, len(sample.Trials))
		return err
	})
	return e, err
}

// examByMatches plays the player against a few others, in pairs of games with seats swapped from
// random openings. Opponents that don't play this game are left out, and so is the player itself.
func (f learning[P]) examByMatches(ctx context.Context, e *game.SampledExam, player string,
	o game.SampleOptions) error {
	e.Games, e.Plies, e.Vs = o.Games, o.Openings, map[string]arena.MatchResult{}
	opponents := slices.DeleteFunc([]string{"random", "heuristic", "mcts:sims=200"}, func(opponent string) bool {
		_, err := players.OpenPlayer(f.b, opponent)
		return err != nil || opponent == player
	})
	e.Of = o.Games * len(opponents)
	for _, opponent := range opponents {
		t, err := contesting[P]{f.b}.newTournament(game.ContestOptions{Players: []string{player, opponent},
			Games: o.Games, Openings: o.Openings, Seed: o.Seed})
		if err != nil {
			return err
		}
		before := e.Played
		t.Progress = func(s *arena.Standings) { o.Tell(before+s.Games, e.Of) }
		s, err := t.Run(ctx)
		if s != nil && s.Games > 0 {
			e.Vs[opponent] = s.Match()
			e.Played += s.Games
		}
		if err != nil {
			return err
		}
	}
	return nil
}
