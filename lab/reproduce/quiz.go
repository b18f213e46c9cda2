package reproduce

import (
	"context"
	"fmt"

	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/learn/exam"
)

// quizItems are the claims of the quiz's summary and of the reply to it.
func quizItems() []Item {
	const learner = "the class Learning"
	const prose = "“Here it is” to “For the curious”"
	const menace = "“For the curious”"
	grades := [][]examMetric{exploitabilities(), winsVsRandom(), lossesVsRandom()}
	const asPrinted = "table:draw=0,learn=own,merge=none,tries=learn,epsilon=0.05"
	taught := func(spec string) *Measure {
		return measureTraining(trainingSeries{learner: spec, against: "pool", games: 10000, runs: 4}, grades...)
	}
	michie := func(against, seats string, games int) trainingSeries {
		return trainingSeries{learner: "menace:as=michie", against: against, seats: seats, games: games, runs: 100}
	}
	return []Item{
		{"quiz-boxes", menace, "“304 matchboxes where labeled with images of Tic-Tac-Toe positions”", 0.1,
			Figures{numberFigure("boxes", 304)}, nil, nil, measureCount("ttt", func(c *lab.CountResult) Figures {
				return Figures{numberFigure("boxes of the first player", float64(c.Boxes.First)),
					numberFigure("with those of one move", float64(c.Boxes.First+c.Boxes.FirstForced)),
					numberFigure("boxes of the second player", float64(c.Boxes.Second))}
			}), ""},
		{"quiz-220-games", menace, "“Michie claimed that he trained MENACE in 220 games, being beaten by it eight " +
			"out of the final ten games”", 6,
			Figures{numberFigure("games", 220), numberFigure("won of the last ten", 8)}, nil, nil, stackRows(
				row{"optimal", measureLastTen(michie("optimal", "first", 220))},
				row{"winratio", measureLastTen(michie("winratio", "first", 220))},
				row{"random", measureLastTen(michie("random", "first", 220))}),
			"nobody knows how Michie moved: against who never errs no game can be won, against a random player " +
				"nearly all are"},
		{"quiz-perfect-machine", menace, "a machine that “learned to play perfect Tic-Tac-Toe against humans”", 2,
			Figures{textFigure("MENACE", "perfect")},
			row{"Michie's machine, 220 games against optimal",
				measureTraining(michie("optimal", "first", 220), exploitabilities()[:1],
					lossesVsRandom()[:1])}.asMeasure(), nil,
			row{"ours, 10,000 games against pool",
				measureTraining(trainingSeries{learner: "menace", against: "pool", games: 10000, runs: 8},
					grades...)}.asMeasure(),
			"what 220 games against a good player never show it is not learned"},
		{"quiz-beads-lost", menace, "“When it would lose, the beads were left out to discourage these moves”", 4,
			Figures{numberFigure("beads of a lost move that come back", 0)},
			row{"one left out", measureTraining(michie("optimal", "first", 500), exploitabilities()[:1],
				resignations())}.asMeasure(), nil,
			row{"none left out", measureTraining(trainingSeries{learner: "menace:as=michie,loss=0", against: "optimal",
				seats: "first",
				games: 500, runs: 100}, exploitabilities()[:1], resignations())}.asMeasure(),
			"where the first box is emptied the machine resigns on its first move"},
		{"quiz-symmetry", "“I posted a message about how Tic-Tac-Toe positions can be transformed”",
			"positions that rotate or mirror into one another “can be handled the same”", 1,
			Figures{textFigure("symmetric positions", "the same")}, row{"a value each", taught(asPrinted)}.asMeasure(),
			nil,
			row{"one value", taught("table:draw=0,learn=own,merge=classes,tries=learn,epsilon=0.05")}.asMeasure(), ""},
		{"quiz-learner", learner, "state values from 0, +100, −1000 and 0 at the end, a factor of one half for each " +
			"state further back, moves at random with probability 0.05", 2,
			Figures{numberFigure("won", 100), numberFigure("lost", -1000), numberFigure("drawn", 0),
				numberFigure("factor", 0.5),
				numberFigure("random_prob", 0.05)},
			taught(asPrinted + ",visits=twice"), taught(asPrinted), taught("table"),
			"each state but the last is pushed twice, before and after a move, so that openings hardly learn"},
		{"quiz-strong-moves", prose, "“Eventually, this knowledge allows them to select mainly strong moves”", 1,
			Figures{textFigure("moves", "mainly strong")},
			measureTraining(trainingSeries{learner: asPrinted + ",visits=twice", against: "pool", games: 30000,
				runs: 2},
				optimalMoveShares()),
			measureTraining(trainingSeries{learner: asPrinted, against: "pool", games: 30000, runs: 2},
				optimalMoveShares()), nil,
			"as published each state within a game is pushed twice"},
		{"quiz-slant", prose, "“The scoring scale is slanted, to encourage the AI to avoid losses”: −1000 for a " +
			"loss, 100 for a win", 1,
			Figures{numberFigure("won", 100), numberFigure("lost", -1000)}, row{"−1000", taught(asPrinted)}.asMeasure(),
			nil,
			row{"−100", taught(asPrinted + ",loss=-100")}.asMeasure(), ""},
		{"quiz-explore", "Brian Schröder's reply",
			"without exploration “it would never learn how to play different than the first game”", 2,
			Figures{numberFigure("random_prob of no exploration", 0)},
			row{"no exploration", taught("table:draw=0,learn=own,merge=none,tries=learn,epsilon=0")}.asMeasure(), nil,
			stackRows(row{"0.05", taught(asPrinted)},
				row{"0.3", taught("table:draw=0,learn=own,merge=none,tries=learn,epsilon=0.3")}),
			"a lost game makes its moves worse than untried ones, so that even without exploration it plays other " +
				"games"},
		{"quiz-draw-worth", learner, "a drawn game is worth 0, as much as a state that was never seen", 1,
			Figures{numberFigure("drawn", 0), numberFigure("never seen", 0)}, row{"0",
				taught("table:draw=0")}.asMeasure(), nil,
			row{"50", taught("table:draw=50")}.asMeasure(), ""},
		{"quiz-minimax", "“The rest of his code is interface”", "a perfect minimax player", 0.2,
			Figures{textFigure("minimax", "perfect")}, nil, nil, measureExam("perfect", exploitabilities(),
				mistakeCounts(),
				winsVsRandom()),
			""},
	}
}

// resignations is how often the first player gives up.
func resignations() []examMetric {
	return []examMetric{{"% of games resigned as first against random",
		func(e *exam.Exam) float64 { return 100 * e.AsFirst.VsRandom.Resigned }}}
}

// optimalMoveShares is which part of the moves keeps a position's value.
func optimalMoveShares() []examMetric {
	return []examMetric{
		{"% strong moves as first against random",
			func(e *exam.Exam) float64 { return 100 * e.AsFirst.VsRandom.Optimal }},
		{"% strong moves as second against random",
			func(e *exam.Exam) float64 { return 100 * e.AsSecond.VsRandom.Optimal }},
	}
}

// measureLastTen is how many of a training's last ten games were won, drawn and lost.
func measureLastTen(s trainingSeries) *Measure {
	before := s
	before.games -= 10
	return &Measure{[]string{s.command()}, func(ctx context.Context, l *lab.Lab) (Figures, error) {
		whole, err := s.trainSummary(ctx, l, 0)
		if err != nil {
			return nil, err
		}
		part, err := before.trainSummary(ctx, l, 0)
		if err != nil {
			return nil, err
		}
		if len(part.Runs) != len(whole.Runs) {
			return nil, fmt.Errorf("%d runs and %d", len(part.Runs), len(whole.Runs))
		}
		var list []Figures
		for i, r := range whole.Runs {
			list = append(list, lastTenFigures(r, part.Runs[i]))
		}
		return meanFigures(list), nil
	}}
}

func lastTenFigures(r, before jobs.TrainOutcome) Figures {
	return Figures{numberFigure("won of the last ten", float64(r.Wins-before.Wins)),
		numberFigure("drawn", float64(r.Draws-before.Draws)), numberFigure("lost", float64(r.Losses-before.Losses))}
}
