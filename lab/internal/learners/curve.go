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

// longestMatch is after how many plies a game of a curve is a draw where play can go in circles.
const longestMatch = 1000

// matchRival opens the player that short matches are against: rows, or random where rows does not play a board with
// winning sets; of a net over nine boards plain UCT. The error is of other games, of which rows plays none.
func (f Trainable[P]) matchRival(t *learn.Trainer) (name string, open func(r *rand.Rand) (oxo.Player[P], error),
	err error) {
	rivals := []string{"rows"}
	switch {
	case t.NineNet() != nil:
		rivals = []string{"mcts:sims=100,eval=none,proof=no"}
	case f.b.Board != nil:
		rivals = append(rivals, "random")
	}
	for _, name = range rivals {
		if open, err = players.OpenPlayer(f.b, name); err == nil {
			break
		}
	}
	return name, open, err
}

// matchMeasure measures how games of what was learned against the rival of short matches end.
// The same openings and draws are used at each point, so that points differ by what was learned
// alone. An error of the measure is one of a player.
func (f Trainable[P]) matchMeasure(t *learn.Trainer) learn.Measure {
	rival, open, err := f.matchRival(t)
	if err != nil {
		return learn.Measure{}
	}
	take := func(ctx context.Context) ([]float64, error) {
		r, won, drawn := rand.New(rand.NewPCG(1, 7)), 0, 0 // the same for each point
		for range matchPairs {
			opening := f.randomOpening(r)
			// Seats come before Chance in their order: the learner plays the opening as First, then as Second.
			for seat := range oxo.Chance {
				other, err := open(r)
				if err != nil {
					return nil, err
				}
				sides := [2]oxo.Player[P]{other, other}
				sides[seat] = learnedPlayer[P]{f, t, r}
				outcome, err := f.playGame(ctx, opening, sides, r)
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

// randomOpening plays two random moves from the start, or fewer where they end the game, and what chance does
// between them and after.
func (f Trainable[P]) randomOpening(r *rand.Rand) P {
	p := f.b.Game.Start
	for made := 0; p.Outcome() == oxo.Ongoing; {
		moves := p.Moves(nil)
		switch {
		case p.Turn() == oxo.Chance:
			p = p.Play(f.b.DrawChanceMove(p, moves, r))
		case made == 2:
			return p
		default:
			p = p.Play(moves[r.IntN(len(moves))])
			made++
		}
	}
	return p
}

// playGame plays a game on from p, in which r draws what chance does. It has no clocks and keeps no record; a
// resignation loses, and a game that goes in circles is a draw in the end. An error of a player ends it.
func (f Trainable[P]) playGame(ctx context.Context, p P, sides [2]oxo.Player[P], r *rand.Rand) (oxo.Outcome, error) {
	for ply := 0; p.Outcome() == oxo.Ongoing; ply++ {
		moves := p.Moves(nil)
		if p.Turn() == oxo.Chance {
			p = p.Play(f.b.DrawChanceMove(p, moves, r))
			continue
		}
		c, err := f.b.Ask(ctx, sides[p.Turn()], p, moves)
		switch {
		case err != nil:
			return 0, err
		case c.Resign:
			return oxo.WinFor(p.Turn().Other()), nil
		case f.b.Loopy() && ply >= longestMatch:
			return oxo.Drawn, nil
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
