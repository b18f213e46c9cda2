package reproduce

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"oxo/arena"
	"oxo/lab"
	"oxo/learn"
)

// learningCurveFigures is how lines of a learning curve go, at some numbers of games.
// Its Show names the lines. Figures come by the number of games, then in the order of the curve; each is the mean
// over the runs.
func learningCurveFigures(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	c, _ := s.lastCommand()
	r, err := c.trainSummary(ctx, l)
	if err != nil {
		return nil, err
	}
	var list Figures
	for i, games := range r.Curve.Games {
		for _, line := range r.Curve.Lines {
			for _, name := range s.Show {
				if line.Name == name {
					list = append(list, numberFigure(fmt.Sprintf("after %d games: %s", games, name), line.Mean[i]))
				}
			}
		}
	}
	return list, nil
}

// trainOptions is the training of one learner that a command asks for.
// The learner is the command's first word. The seed stays 0, for the caller to set.
func (c command) trainOptions() lab.TrainOptions {
	return lab.TrainOptions{Learner: c.args[0], Against: c.flags["against"], Start: c.flags["start"],
		Seats: c.flags["seats"]}
}

// gradesAfterExamples grades learners after as many moves of their own, each of which is an example:
// as many in every series, in more games where these begin later.
// Its With is the command, in which --examples, a flag that oxo train has not, is how many moves, and --sheets is not
// a file but how many games of experts there are for the start "sheets". Seeds of the runs are counted from 0.
func gradesAfterExamples(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	c := parseCommand(s.With)
	g, err := l.Game(c.gameSpec())
	if err != nil {
		return nil, err
	}
	o := c.trainOptions()
	if n := c.number("sheets"); n > 0 {
		if o.Sheets, err = heuristicPlayerSheets(ctx, g, n); err != nil {
			return nil, err
		}
	}
	var list []Figures
	for o.Seed = range uint64(c.number("runs")) {
		t, err := g.Learning().NewOrResumedTrainer(ctx, o)
		if err != nil {
			return nil, err
		}
		// A game is played to its end, so that the last one may bring a few examples too many.
		for t.Made() < c.number("examples") {
			if err := t.PlayAndLearn(ctx); err != nil {
				return nil, err
			}
		}
		e, err := g.Learning().GradeExactly(ctx, t)
		if err != nil {
			return nil, err
		}
		figures, err := s.figuresOf(e)
		if err != nil {
			return nil, err
		}
		list = append(list, append(Figures{numberFigure("games", float64(t.Tally().Games))}, figures...))
	}
	return meanFigures(list), nil
}

// heuristicPlayerSheets are the score sheets of games of the heuristic player against an optimal one.
// There is one sheet for each seed from 0. The heuristic player is First, and the text is what --sheets of oxo train
// reads.
func heuristicPlayerSheets(ctx context.Context, g lab.Game, games int) (string, error) {
	var text strings.Builder
	for seed := range uint64(games) {
		s, err := g.NewSession(lab.SessionOptions{First: "heuristic", Second: "optimal", Seed: seed})
		if err != nil {
			return "", err
		}
		for !s.Over() {
			if _, err := s.Step(ctx); err != nil {
				return "", err
			}
		}
		if err := arena.WriteSheet(&text, arena.NewSheet(s.Record())); err != nil {
			return "", err
		}
	}
	return text.String(), nil
}

// lastTenGameResults is how many of a training's last ten games were won, drawn and lost: what it has more than
// the same training that ends ten games before.
// The figures are means over the runs. A run's seed settles all its games, so that those of the shorter training are
// the first ones of the longer.
func lastTenGameResults(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	c, _ := s.lastCommand()
	whole, err := c.trainSummary(ctx, l)
	if err != nil {
		return nil, err
	}
	c.flags["games"] = fmt.Sprint(c.number("games") - 10)
	part, err := c.trainSummary(ctx, l)
	if err != nil {
		return nil, err
	}
	// Runs are compared one by one, in the order of their seeds.
	if len(part.Runs) != len(whole.Runs) {
		return nil, fmt.Errorf("%d runs and %d", len(part.Runs), len(whole.Runs))
	}
	var list []Figures
	for i, r := range whole.Runs {
		before := part.Runs[i]
		list = append(list, Figures{numberFigure("won of the last ten", float64(r.Wins-before.Wins)),
			numberFigure("drawn", float64(r.Draws-before.Draws)),
			numberFigure("lost", float64(r.Losses-before.Losses))})
	}
	return meanFigures(list), nil
}

// runVerbOrDivergence says that the weights ran off, where that is the answer.
// The step is otherwise that of its command. Of the error only what follows the run's name is shown, as the figure
// "it fails".
func runVerbOrDivergence(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	figures, err := runVerb(ctx, l, s)
	if err != nil && strings.Contains(err.Error(), "the weights") { // of whichever run was first
		return Figures{textFigure("it fails", err.Error()[strings.Index(err.Error(), "the weights"):])}, nil
	}
	return figures, err
}

// weightChangesAtZeroFeature teaches one drawn game with a feature that is zero on all its boards.
// All weights begin at 7, so that the change of a weight is what it differs by from 7.
func weightChangesAtZeroFeature(ctx context.Context, g lab.Game) (Figures, error) {
	t, err := g.Learning().NewOrResumedTrainer(ctx, lab.TrainOptions{
		Learner: "lms:features=wins+marks,weights=7,epsilon=0", Against: "optimal", Seed: 1, Seats: "second"})
	if err != nil {
		return nil, err
	}
	if err := t.PlayAndLearn(ctx); err != nil {
		return nil, err
	}
	f := Figures{numberFigure("games lost", float64(t.Tally().Losses)), numberFigure("games won",
		float64(t.Tally().Wins))}
	for _, w := range t.Show(0).Weights {
		f = append(f, numberFigure(fmt.Sprintf("change of the weight of %s", w.Feature), w.Weight-7))
	}
	return f, nil
}

// tdLeafFeatureNames are the features that td-leaf weighs.
// They are those of the learner's defaults for the game.
func tdLeafFeatureNames(ctx context.Context, g lab.Game) (Figures, error) {
	t, err := g.Learning().NewOrResumedTrainer(ctx, lab.TrainOptions{Learner: "td-leaf", Against: learn.Itself})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, w := range t.Show(0).Weights {
		names = append(names, w.Feature)
	}
	return Figures{numberFigure("features", float64(len(names))), textFigure("names", strings.Join(names, ", "))}, nil
}

// loopySearchRefused sees that a search to the end without “?” is refused where play can go round.
// That it is not refused is an error, so that the item fails.
func loopySearchRefused(ctx context.Context, g lab.Game) (Figures, error) {
	if _, err := g.Searching().Search(ctx, lab.SearchOptions{Algorithm: "alphabeta"}); err == nil {
		return nil, errors.New("alpha-beta to the end of a game with loops is not refused")
	}
	return Figures{textFigure("search to the end without “?”", "refused")}, nil
}
