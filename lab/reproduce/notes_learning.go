package reproduce

import (
	"context"
	"fmt"
	"strings"

	"oxo/lab"
)

// notesLearningItems are the claims of the notes on learning.
func notesLearningItems() []Item {
	const chapter = "section 3.1.1, chapter 1"
	const features = "section 3.2.3, exercise 1.5, features"
	const close = "section 3.2.3, at the end"
	grades := [][]examMetric{exploitabilities(), againstHeuristic()}
	// lms is the design of the notes at its plainest, with what is said besides.
	lms := func(more string) trainingSeries {
		if !strings.Contains(more, "eta=") {
			more += ",eta=0.1"
		}
		return trainingSeries{learner: "lms:" + more + ",epsilon=0.1", against: "pool", games: 1500, runs: 8}
	}
	graded := func(more string) *Measure { return measureTraining(lms(more), grades...) }
	from := func(start string, runs int) *Measure {
		s := lms("features=threats")
		s.start, s.runs = start, runs
		return measureTraining(s, exploitabilities())
	}
	const examples = 6000
	after := func(start string, sheets func(context.Context, *lab.Lab) (string, error)) *Measure {
		s := lms("features=threats")
		s.start, s.runs = start, 32
		return measureExamples(s, examples, sheets, exploitabilities())
	}
	taught := func(start string) *Measure {
		s := lms("features=threats")
		s.start, s.runs, s.against = start, 16, "heuristic"
		return measureTraining(s, exploitabilities())
	}
	sheets := expertSheets("heuristic", "optimal", 200)
	seated := func(seats string) *Measure {
		s := lms("features=threats")
		s.seats = seats
		return measureTraining(s, exploitabilities())
	}
	return []Item{
		{"notes-features", features, "four sets of features: counts, twelve, nine squares, wins only", 2,
			Figures{numberFigure("counts", 4), numberFigure("twelve", 12), numberFigure("squares", 9),
				numberFigure("wins", 1)},
			stackRows(row{"counts", graded("features=counts")}, row{"twelve", graded("features=twelve")},
				row{"squares", graded("features=squares")}, row{"wins", graded("features=wins")}),
			nil, row{"threats", graded("features=threats")}.asMeasure(),
			"none of the four can represent good play, however long it is taught; a set that sees the reply that " +
				"forks can"},
		{"notes-covers-forks", features,
			"numbers of Xs, of Os, and of potential threes: “It covers forks, doesn't it? Or should we explicitly " +
				"enumerate it?”", 1,
			Figures{textFigure("forks", "covered?")}, graded("features=counts"), nil,
			row{"with forks", graded("features=counts+forks")}.asMeasure(), ""},
		{"notes-marks-matter", features,
			"“maybe, on the other hand, number of Xs and Os doesn't matter; since they increase perforce”", 1,
			Figures{textFigure("numbers of Xs and Os", "don't matter?")},
			row{"with them", graded("features=marks+open")}.asMeasure(), nil,
			row{"without", graded("features=open")}.asMeasure(), ""},
		{"notes-enumeration", features,
			"“A full enumeration of features will probably slow down analysis, won't it? Maybe that's the tradeoff: " +
				"speed for precision”", 2,
			Figures{textFigure("many features", "slower, more precise?")}, nil, nil,
			stackRows(row{"4 features", graded("features=counts")}, row{"12 features", graded("features=twelve")},
				row{"all products of 12", graded("features=twelve^2")}), ""},
		{"notes-nine-squares", features,
			"“Here's a crazy thought … let's have nine features: one corresponding to each of the squares”", 1,
			Figures{numberFigure("features", 9)}, graded("features=squares"), nil,
			row{"with products of two", graded("features=squares^2")}.asMeasure(),
			"squares tell all positions apart, but the right moves of some ask for opposite weights"},
		{"notes-nine-data", features, "“I have no idea how much training data nine variables need: we'll have to " +
			"plot it; interesting to compare a strategy containing e.g. forks and wins”", 1,
			Figures{textFigure("training games for nine variables", "to be plotted")}, nil, nil, stackRows(
				row{"squares", measureCurve(trainingSeries{learner: "lms:features=squares,eta=0.1", against: "pool",
					games: 2000,
					runs:  4}, 500, "exploitability as first", "exploitability as second")},
				row{"wins and forks", measureCurve(trainingSeries{learner: "lms:features=wins+forks,eta=0.1",
					against: "pool",
					games:   2000, runs: 4}, 500, "exploitability as first", "exploitability as second")}),
			"the nine level off at once: more games don't help"},
		{"notes-seven", "section 3.2.3, after the deterministic player",
			"“We'll rate a given board on the basis of: wins, losses, forks, opponent forks, center, corners, sides”",
			1,
			Figures{numberFigure("features", 7)}, graded("features=wins+forks+centre+corners+sides"), nil,
			row{"with whose turn it is",
				graded("features=wins+winning*turn+forks*turn+centre+corners+sides")}.asMeasure(),
			""},
		{"notes-whose-centre", close, "“Do we need to distinguish between I-have-the-center vs. other-has-the-center?”",
			1,
			Figures{textFigure("whose centre", "to be distinguished?")},
			row{"own alone", graded("features=wins+winning+forks+own-centre")}.asMeasure(), nil,
			row{"both", graded("features=wins+winning+forks+centre")}.asMeasure(), ""},
		{"notes-whose-corners", close, "“Do we need to distinguish between corners and opposite corners?”", 2,
			Figures{textFigure("corners and opposite corners", "to be distinguished?")},
			row{"corners", graded("features=wins+winning+forks+corners")}.asMeasure(), nil,
			row{"both", graded("features=wins+winning+forks+corners+opposite")}.asMeasure(), ""},
		{"notes-one-feature", close, "“Let's implement the learning system with one feature: wins”", 1,
			Figures{numberFigure("features", 1)}, graded("features=wins,ends=judged"), nil,
			row{"ends known", graded("features=wins")}.asMeasure(),
			"apart from finished boards it can't tell anything"},
		{"notes-zero-feature", chapter,
			"“if the value of some feature is zero, then its weight is not altered regardless of the error”", 0.2,
			Figures{numberFigure("change of the weight of a feature that is zero", 0)}, nil, nil, measureGame("ttt",
				zeroFeature), ""},
		{"notes-first-weights", "section 3.2.3, at the end of the module",
			"“what's the initial state of the algorithm: some guess; or ones for all the weights?”", 1,
			Figures{textFigure("initial weights", "a guess, or ones")},
			row{"ones", graded("features=threats,weights=1")}.asMeasure(), nil,
			stackRows(row{"zeros", graded("features=threats,weights=0")},
				row{"a guess", graded("features=threats,weights=" + goodThreats)}), ""},
		{"notes-eta", chapter, "“η is a small constant (e.g., 0.1) that moderates the size of the weight update”", 2,
			Figures{numberFigure("η", 0.1)}, row{"0.1, not divided by |x|²",
				orWeightsFailure(graded("features=threats,eta=0.1,scaled=no"))}.asMeasure(),
			row{"0.1, divided by |x|²", graded("features=threats,eta=0.1")}.asMeasure(),
			stackRows(row{"0.01", graded("features=threats,eta=0.01")},
				row{"exactly, by least squares", graded("features=threats,fit=exact")}),
			"undivided, a step of 0.1 overshoots"},
		{"notes-vtrain", chapter, "V_train(b) ← V̂(Successor(b)): “one simple approach has been found to be " +
			"surprisingly successful”", 2,
			Figures{textFigure("V̂(Successor(b))", "surprisingly successful")},
			row{"successor, before own moves",
				graded("features=threats,target=successor,lambda=0,states=before,ends=judged")}.asMeasure(),
			row{"successor, after own moves, ends known",
				graded("features=threats,target=successor,lambda=0")}.asMeasure(),
			stackRows(row{"λ 0.7", graded("features=threats,target=successor,lambda=0.7")},
				row{"outcome", graded("features=threats,target=outcome")}),
			"finished boards that are known, not judged like others, anchor the values that successors are taught by"},
		{"notes-direction", features, "“How do we deal with training the opposite direction, by the way: invert the " +
			"outcome of the training data?”", 1,
			Figures{textFigure("the other side", "inverted outcomes?")}, row{"first alone",
				seated("first")}.asMeasure(),
			row{"second alone", seated("second")}.asMeasure(), row{"both", seated("alternate")}.asMeasure(),
			"features are of one's own side and the other's, so that one set of weights serves both seats"},
		{"notes-table", "section 3.2.3, after the deterministic player",
			"“a large table with a distinct entry specifying the value for each distinct board state”", 1,
			Figures{textFigure("a table", "allowed for")},
			row{"a state each", measureTraining(trainingSeries{learner: "table:merge=none", against: "pool",
				games: 20000, runs: 4},
				grades...)}.asMeasure(), nil,
			row{"a class each", measureTraining(trainingSeries{learner: "table", against: "pool", games: 20000,
				runs: 4},
				grades...)}.asMeasure(), ""},
		{"notes-rules", "section 3.2.3, after the deterministic player",
			"“a collection of rules that match against features of the board state”", 1,
			Figures{textFigure("rules", "allowed for")}, nil, nil,
			measureTraining(trainingSeries{learner: "tree", against: "pool", games: 2000, runs: 2}, grades...), ""},
		{"notes-quadratic", "section 3.2.3, after the deterministic player",
			"“a quadratic polynomial function of predefined board features”", 2,
			Figures{textFigure("a quadratic polynomial", "allowed for")}, nil, nil,
			stackRows(row{"linear", graded("features=twelve")}, row{"quadratic", graded("features=twelve^2")}), ""},
		{"notes-nearest", chapter, "nearest neighbour: “store training examples, try to find \"closest\" stored " +
			"situation”", 2,
			Figures{textFigure("nearest neighbour", "named")}, nil, nil,
			measureTraining(trainingSeries{learner: "nearest", against: "pool", games: 1000, runs: 2}, grades...), ""},
		{"notes-genetic", chapter, "genetic algorithm: “generate large number of candidate … programs, allow them to " +
			"play against each other, keeping only the most successful programs”", 1,
			Figures{textFigure("genetic algorithm", "named")},
			row{"against each other", measureTraining(trainingSeries{learner: "evolve:rivals=population",
				against: "itself",
				games:   20000, runs: 4}, grades...)}.asMeasure(), nil,
			row{"against strangers", measureTraining(trainingSeries{learner: "evolve", against: "pool", games: 20000,
				runs: 4},
				grades...)}.asMeasure(), ""},
		{"notes-generators", "section 2.4, exercise 1.4",
			"generators: the initial board, random legal positions, a previous game with a move not executed, " +
				"endgames in reverse", 3,
			Figures{textFigure("exhaustive", "a move not executed"), textFigure("long tail", "random positions")}, nil,
			nil,
			stackRows(row{"empty", from("empty", 16)}, row{"random", from("random", 16)}, row{"retry", from("retry",
				16)},
				row{"untried", from("untried", 16)}, row{"endgames", from("endgames", 16)},
				row{"unsure", from("unsure", 16)}, row{"illegal", from("illegal", 16)}), "after as many games"},
		{"notes-generators-examples", "section 2.4, exercise 1.4",
			"generators compared with training examples held constant: 6,000 moves of the learner's own", 8,
			Figures{textFigure("exhaustive", "a move not executed"), textFigure("long tail", "random positions")}, nil,
			nil,
			stackRows(row{"empty", after("empty", nil)}, row{"random", after("random", nil)},
				row{"retry", after("retry", nil)}, row{"untried", after("untried", nil)},
				row{"endgames", after("endgames", nil)}, row{"sheets", after("sheets", sheets)},
				row{"unsure", after("unsure", nil)}, row{"illegal", after("illegal", nil)}),
			"the players move in turn, so that as many moves of the learner are as many moves played"},
		{"notes-illegal-training", "section 3.2.3, the deterministic player",
			"“The heuristic player has the interesting property that it can continue from illegal positions”", 2,
			Figures{textFigure("training from them", "possible?")}, nil, nil,
			stackRows(row{"illegal boards", taught("illegal")}, row{"the start", taught("empty")}),
			"against the heuristic player alone"},
		{"notes-bet", "section 2.4, exercise 1.4",
			"“I'd bet on reverse-search of an expert-corpus over random sampling”, training examples held constant", 2,
			Figures{textFigure("better", "reverse search")},
			row{"reverse, from score sheets", after("sheets", sheets)}.asMeasure(),
			row{"reverse, from perfect play", after("endgames", nil)}.asMeasure(),
			row{"random", after("random", nil)}.asMeasure(),
			"the score sheets are of 200 games of the heuristic player against an optimal one"},
		{"notes-plot", "section 3.2.3, exercise 1.5",
			"the percentage of games won against the number of training games, the opponent a fixed hand-made player",
			1,
			Figures{textFigure("% won", "to be plotted")}, nil, nil,
			measureCurve(trainingSeries{learner: "lms:eta=0.1,epsilon=0.1", against: "heuristic", games: 2000, runs: 4},
				250,
				"% won as first against heuristic", "% lost as first against heuristic",
				"% lost as second against heuristic"),
			"the line asked for is flat at 0, as the heuristic can't be beaten; % not lost is 100 less % lost"},
		{"notes-plot-deterministic", "section 3.2.3, the deterministic player",
			"a second plot against the deterministic player", 1,
			Figures{textFigure("% won", "to be plotted")}, nil, nil,
			measureCurve(trainingSeries{learner: "lms:eta=0.1,epsilon=0.1", against: "pool", games: 2000, runs: 4}, 250,
				"% won as first against winratio", "% lost as second against winratio"), ""},
		{"notes-draw-worth", "section 3.2.3, after the deterministic player",
			"“a basic win/loss calculus and +1 and −1 (how to deal with draws: 0, 0.5?)”", 1,
			Figures{numberFigure("a draw, one way", 0), numberFigure("a draw, another", 0.5)}, nil, nil, stackRows(
				row{"table, draw 0", measureTraining(trainingSeries{learner: "table:win=1,draw=0,loss=-1",
					against: "pool",
					games:   10000, runs: 4}, exploitabilities())},
				row{"table, draw 0.5", measureTraining(trainingSeries{learner: "table:win=1,draw=0.5,loss=-1",
					against: "pool",
					games:   10000, runs: 4}, exploitabilities())}),
			"in a search either order is the same; a learner that thinks a move never tried worth 0 keeps a known " +
				"draw only where it is worth more"},
	}
}

// asMeasure is a measure of one row.
func (r row) asMeasure() *Measure { return stackRows(r) }

// orWeightsFailure says that the weights ran off, where that is the answer.
func orWeightsFailure(m *Measure) *Measure {
	return &Measure{m.commands, func(ctx context.Context, l *lab.Lab) (Figures, error) {
		figures, err := m.run(ctx, l)
		if err != nil && strings.Contains(err.Error(), "the weights") { // of whichever run was first
			return Figures{textFigure("it fails", err.Error()[strings.Index(err.Error(), "the weights"):])}, nil
		}
		return figures, err
	}}
}

// zeroFeature teaches one drawn game with a feature that is zero on all its boards.
func zeroFeature(ctx context.Context, g lab.Game) (Figures, error) {
	t, err := g.Learning().Trainer(ctx, lab.TrainOptions{Learner: "lms:features=wins+marks,weights=7,epsilon=0",
		Against: "optimal", Seed: 1, Seats: "second"})
	if err != nil {
		return nil, err
	}
	if err := t.Game(ctx); err != nil {
		return nil, err
	}
	f := Figures{numberFigure("games lost", float64(t.Tally().Losses)), numberFigure("games won",
		float64(t.Tally().Wins))}
	for _, w := range t.Show(0).Weights {
		f = append(f, numberFigure(fmt.Sprintf("change of the weight of %s", w.Feature), w.Weight-7))
	}
	return f, nil
}
