package reproduce

import (
	"context"
	"fmt"
	"strings"

	"oxo/arena"
	"oxo/lab"
	"oxo/learn"
	"oxo/learn/model"
	"oxo/learn/show"
)

// playTrainingSeries plays a series, one game after the other, and tells of each move and game.
// It returns the trainer after the last game. Both functions may be nil. Moves told of are the learner's, after it
// learned from them: game counts from 0, and ply is how many moves of both sides the game has had.
func (s *step) playTrainingSeries(ctx context.Context, l *lab.Lab, moved func(t *learn.Trainer, game, ply int),
	ended func(t *learn.Trainer)) (*learn.Trainer, error) {
	c, _ := s.lastCommand()
	g, err := l.Game(c.gameSpec())
	if err != nil {
		return nil, err
	}
	t, err := g.Learning().NewOrResumedTrainer(ctx, c.trainOptions())
	if err != nil {
		return nil, err
	}
	game := 0
	// The trainer's own hook, which learns from the move, is called first.
	if learns := t.Performance.Made; learns != nil && moved != nil {
		t.Performance.Made = func(trace *model.Trace) {
			learns(trace)
			moved(t, game, len(trace.Choices))
		}
	}
	for ; game < c.number("games"); game++ {
		if err := t.PlayAndLearn(ctx); err != nil {
			return nil, err
		}
		if ended != nil {
			ended(t)
		}
	}
	return t, nil
}

// resultsOfSeries is how each game of a series ended.
// Results are w, l and t, for a tie, from the learner's side. The series must have at least five games.
func resultsOfSeries(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	var results []string
	before := learn.Tally{}
	t, err := s.playTrainingSeries(ctx, l, nil, func(t *learn.Trainer) {
		now := t.Tally()
		switch {
		case now.Wins > before.Wins:
			results = append(results, "w")
		case now.Losses > before.Losses:
			results = append(results, "l")
		default:
			results = append(results, "t")
		}
		before = now
	})
	if err != nil {
		return nil, err
	}
	last := 0.0
	for _, r := range results[len(results)-5:] {
		if r == "w" {
			last++
		}
	}
	return Figures{textFigure("games", strings.Join(results, " ")), numberFigure("won of the last 5", last),
		textFigure("constants", weightsText(t))}, nil
}

// weightsText writes a learner's weights.
// They are in the order of the features, with spaces between.
func weightsText(t *learn.Trainer) string {
	var list []string
	for _, w := range t.Show(0).Weights {
		list = append(list, fmt.Sprintf("%.3f", w.Weight))
	}
	return strings.Join(list, " ")
}

// finalWeights are the weights after a series, and their sum.
func finalWeights(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	t, err := s.playTrainingSeries(ctx, l, nil, nil)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, w := range t.Show(0).Weights {
		sum += w.Weight
	}
	return Figures{textFigure("constants", weightsText(t)), numberFigure("their sum", sum)}, nil
}

// weightChangeByQuarter is how much the weights change in each quarter of the games of a series.
// Quarters go by the ply of a move, of as many plies as the game had up to the learner's last move. Change is the sum
// of the absolute changes of all weights.
func weightChangeByQuarter(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	type step struct {
		ply    int
		change float64
	}
	var game []step
	var sums [4]float64
	moves := 0
	var before []show.Weight
	_, err := s.playTrainingSeries(ctx, l, func(t *learn.Trainer, _, ply int) {
		now := t.Show(0).Weights
		change := 0.0
		for i, w := range now {
			// On nine boards td-leaf's weights begin at 1.
			last := 1.0
			if before != nil {
				last = before[i].Weight
			}
			change += max(w.Weight-last, last-w.Weight)
		}
		before = now
		game = append(game, step{ply, change})
	}, func(*learn.Trainer) {
		for _, m := range game {
			sums[min(3, 4*(m.ply-1)/game[len(game)-1].ply)] += m.change
		}
		moves += len(game)
		game = game[:0]
	})
	list := Figures{numberFigure("moves learned from", float64(moves))}
	for i, sum := range sums {
		list = append(list, numberFigure(fmt.Sprintf("change in quarter %d", i+1), sum))
	}
	return list, err
}

// matchScoresOfTrainedRuns measures what a training comes to: each run's learner plays the second command's match
// in the place of its first player, and the error is that of the mean over the runs.
// Run number i, from 0, plays its match with the seed i. A match has twenty games, so that a point is five per cent.
func matchScoresOfTrainedRuns(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	train, match, _ := strings.Cut(s.Run, "\n")
	c, m := parseCommand(train), parseCommand(match)
	r, err := c.runTrain(ctx, l)
	if err != nil {
		return nil, err
	}
	// A copy of the lab finds the brains of the training as if they were files.
	brains := *l
	brains.ReadBrain = func(name string) ([]byte, error) { return r.Files[name], nil }
	var list []Figures
	for i := range c.number("runs") {
		m.args[0] = fmt.Sprintf("brain:run-%d.brain", i+1)
		score, _, err := m.runMatch(ctx, &brains, uint64(i))
		if err != nil {
			return nil, err
		}
		list = append(list, Figures{numberFigure("% won", score.Wins*5),
			numberFigure("% of the points", (score.Wins+score.Draws/2)*5)})
	}
	return meanFigures(list), nil
}

// boardsWonByQuarter is when the boards of the games of a match are won.
// A point is a board that is won. Quarters are of the game's plies; the figures are shares of all points, in per
// cent.
func boardsWonByQuarter(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	c, _ := s.lastCommand()
	_, r, err := c.runMatch(ctx, l, uint64(c.number("seed")))
	if err != nil {
		return nil, err
	}
	sheets, err := arena.JournalSheets(r.Files["games.journal"])
	if err != nil {
		return nil, err
	}
	g, err := l.Game(c.gameSpec())
	if err != nil {
		return nil, err
	}
	var won [4]float64
	points := 0.0
	for _, s := range sheets {
		trail, err := g.Records().PositionsOfSheet(s)
		if err != nil {
			return nil, err
		}
		before, info := 0, g.Info()
		// A trail begins with the start, so that position i comes of the move number i.
		for i, state := range trail {
			now := 9 - strings.Count(info.BoardOwners(state.Position), ".")
			won[min(3, 4*max(0, i-1)/(len(trail)-1))] += float64(now - before)
			points += float64(now - before)
			before = now
		}
	}
	list := Figures{numberFigure("points", points)}
	for i, n := range won {
		list = append(list, numberFigure(fmt.Sprintf("%% of the points in quarter %d", i+1), 100*n/points))
	}
	return list, nil
}
