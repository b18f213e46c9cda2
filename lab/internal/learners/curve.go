package learners

import (
	"context"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/lab/internal/players"
	"oxo/learn"
	"oxo/learn/exam"
)

// sampledPositions are how many positions a learner is graded by.
// All points of a curve are graded by the same ones.
const sampledPositions = 300

// PrepareMeasures prepares what is measured of each run. In a game whose positions can be listed that is an
// exact exam; where marks fall, a sample that the solver judges; elsewhere short matches. Each is
// joined with the learner's probes: weights or beads.
// The function that it returns makes the measure of one run. Preparing may list or solve positions, and gives up
// where ctx is done.
func (f Trainable[P]) PrepareMeasures(ctx context.Context) (func(t *learn.Trainer) learn.Measure, error) {
	if !f.b.LearningGraph().Complete() {
		if !f.b.Falls() {
			return learn.JoinMeasures(f.matchMeasure, learn.ParameterMeasure), nil
		}
		s, err := f.b.SolvedSample(ctx, sampledPositions, 1)
		if err != nil {
			return nil, err
		}
		return learn.JoinMeasures(learn.SampleMeasure(s), learn.ParameterMeasure), nil
	}
	// One examiner serves all runs that the function is called for.
	x, err := f.newExaminer(ctx, f.winRatioOpponent())
	if err != nil {
		return nil, err
	}
	return learn.JoinMeasures(learn.ExamMeasure(x), learn.ParameterMeasure), nil
}

// matchPairs are how many pairs of games against a fixed opponent a point of a curve is of,
// each from two random moves and on both seats.
// A point is of ten games, so that one game is ten per cent.
const matchPairs = 5

// matchMeasure measures how games of what was learned against rows end, those of a net over
// nine boards against plain UCT; nothing where that can't play.
// The same openings and draws are used at each point, so that points differ by what was learned
// alone. An error of the measure is one of a player.
func (f Trainable[P]) matchMeasure(t *learn.Trainer) learn.Measure {
	rival := "rows"
	if t.NineNet() != nil {
		rival = "mcts:sims=100,eval=none,proof=no"
	}
	open, err := players.OpenPlayer(f.b, rival)
	if err != nil || f.b.Game.Odds != nil {
		return learn.Measure{}
	}
	take := func(ctx context.Context) ([]float64, error) {
		r, won, drawn := rand.New(rand.NewPCG(1, 7)), 0, 0 // the same for each point
		for range matchPairs {
			opening := f.b.Game.Start
			// Two random moves, or fewer where they end the game, are played from the start.
			for ply := 0; ply < 2 && opening.Outcome() == oxo.Ongoing; ply++ {
				moves := opening.Moves(nil)
				opening = opening.Play(moves[r.IntN(len(moves))])
			}
			// Seats come before Chance in their order: the learner plays the opening as First, then as Second.
			for seat := range oxo.Chance {
				other, err := open(r)
				if err != nil {
					return nil, err
				}
				sides := [2]oxo.Player[P]{other, other}
				sides[seat] = learnedPlayer[P]{f, t, r}
				outcome, err := f.playGame(ctx, opening, sides)
				if err != nil {
					return nil, err
				}
				switch outcome.Value(seat) {
				case oxo.Win:
					won++
				case oxo.Draw:
					drawn++
				}
			}
		}
		// Both figures are shares of the games, so that the second is never less than the first.
		const percent = 100.0 / (2 * matchPairs)
		return []float64{percent * float64(won), percent * float64(won+drawn)}, nil
	}
	names := []string{"% won against " + rival, "% won or drawn against " + rival}
	return learn.Measure{Names: names, Take: take,
		Bases: slices.Repeat([]exam.Basis{{Of: "games", Size: 2 * matchPairs}}, len(names))}
}

// playGame plays a game on from p. It has no clocks and keeps no record; a resignation loses.
// The game is one without chance: each position has a side to move. An error of a player ends it.
func (f Trainable[P]) playGame(ctx context.Context, p P, sides [2]oxo.Player[P]) (oxo.Outcome, error) {
	for p.Outcome() == oxo.Ongoing {
		c, err := f.b.Ask(ctx, sides[p.Turn()], p, p.Moves(nil))
		switch {
		case err != nil:
			return 0, err
		case c.Resign:
			return oxo.WinFor(p.Turn().Other()), nil
		}
		p = p.Play(c.Move)
	}
	return p.Outcome(), nil
}

// learnedPlayer plays in earnest what a trainer has learned so far.
// It asks the trainer anew at each move, so that it plays what was learned up to then.
type learnedPlayer[P oxo.Position[P]] struct {
	game    Trainable[P]
	trainer *learn.Trainer
	rand    *rand.Rand
}

// Choose draws a move by its odds. Odds that sum to less than 1 leave the rest to resigning, as MENACE
// does where a box is empty.
// Of odds that sum to 1 rounding may leave a trace of that, which is next to never drawn.
func (l learnedPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	moves := p.Moves(nil)
	odds := make([]float64, len(moves))
	if err := l.trainer.Odds(ctx, l.game.b.Game.Format(p), odds); err != nil {
		return oxo.Choice{Move: oxo.NoMove}, err
	}
	x := l.rand.Float64()
	for e, w := range odds {
		if x -= w; x < 0 {
			return oxo.Choice{Move: moves[e]}, nil
		}
	}
	return oxo.Choice{Move: oxo.NoMove, Resign: true}, ctx.Err()
}

// winRatioOpponent returns the game-tree player of the old notes, to be examined
// against besides the usual opponents; nothing where the game is too large.
func (f Trainable[P]) winRatioOpponent() map[string]oxo.Policy[P] {
	// A refusal is no error here: the opponent is only left out of the exam.
	m, err := players.OpenPlayer(f.b, "winratio")
	if err != nil {
		return nil
	}
	one, err := m(rand.New(rand.NewPCG(0, 0)))
	policy, ok := one.(oxo.Policy[P])
	if err != nil || !ok {
		return nil
	}
	return map[string]oxo.Policy[P]{"winratio": policy}
}

// GradeBySample grades what a trainer has learned by the positions of a sample; nil where the
// game has no solver for them.
// That is so too where all positions can be listed, as an exam grades by all of them.
func (f Trainable[P]) GradeBySample(ctx context.Context, t *learn.Trainer) (*exam.Sampled, error) {
	if !f.b.Falls() || f.b.LearningGraph().Complete() {
		return nil, nil
	}
	s, err := f.b.SolvedSample(ctx, sampledPositions, 1)
	if err != nil {
		return nil, err
	}
	return t.GradeBySample(s)
}
