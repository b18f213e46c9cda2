package reproduce

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"oxo/arena"
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/learn"
	"oxo/learn/model"
)

// Static players of Weger's page: the constants of the text and those of the code.
const (
	textConstants = "3/2/0.5/0.5/0.5/0.5"
	codeConstants = "3/1/0.5/0.5/0.5/0.5"
)

func staticSpec(weights string) string { return "static:weights=" + weights + ",depth=3" }

// wegerItems are the claims of Weger's page.
func wegerItems() []Item {
	const regime = "the training regime"
	const code = "td_learning and the text after it"
	many := func(options string, runs int) trainingSeries {
		return trainingSeries{game: "meta", learner: "td-leaf" + options, against: learn.Itself, start: "empty+4",
			games: 20,
			runs:  runs}
	}
	ours := func(options string) trainingSeries { return many(options, 10) }
	honest := "td-leaf learns, then its constants are frozen: games from four random moves, each start from both " +
		"sides, ties half"
	figure := trainingSeries{game: "meta", learner: "td-leaf", against: staticSpec(codeConstants), seats: "first",
		games: 20,
		runs:  1}
	with := func(s trainingSeries, learner string) trainingSeries { s.learner = learner; return s }
	return []Item{
		{"weger-series", regime + ", Figure 1",
			"“the static AI starts by consistently beating the learning AI, but the last 5 games are all won by the " +
				"learning AI”", 1,
			Figures{numberFigure("games", 20), numberFigure("won of the last 5", 5),
				textFigure("constants of the static player", "3 2 .5 .5 .5 .5")},
			stackRows(row{"static 3/1, as in the code", measureGameResults(with(figure, "td-leaf:bug=published"))},
				row{"static 3/2, as in the text",
					measureGameResults(againstStatic(with(figure, "td-leaf:bug=published"), textConstants))}),
			stackRows(row{"static 3/1, as in the code", measureGameResults(figure)},
				row{"static 3/2, as in the text", measureGameResults(againstStatic(figure, textConstants))}),
			nil, "the leaf that is learned from is overwritten by the last of its parent's children; with that slip " +
				"and the constants of the code, not those of the text, the printed run comes out game by game"},
		{"weger-typical", regime, "“After about 15-20 training games, the learning AI is typically capable of " +
			"beating the static AI”", 20,
			Figures{textFigure("after 15 to 20 games", "beats the static player")},
			row{"as published", measureByMatches(againstStatic(many(":bug=published", 50), codeConstants))}.asMeasure(),
			row{"leaf mended", measureByMatches(againstStatic(many("", 50), codeConstants))}.asMeasure(),
			row{"taught by itself", measureByMatches(many(":depth=2,play=3,alpha=0.003,average=9", 50))}.asMeasure(),
			honest},
		{"weger-few-games", regime, "“After only a few games of training, one can see dramatic improvements in the " +
			"relative value of the constants”", 4,
			Figures{textFigure("after a few games", "dramatic improvements")}, nil, nil, stackRows(fewGames()...),
			"10 learners after so many games each, 20 games each against the static player"},
		{"weger-both-sides", regime, "“The training regime proceeds by playing a game where the AI makes moves for " +
			"both sides”", 3,
			Figures{textFigure("moves", "for both sides")}, row{"against itself",
				measureByMatches(ours(""))}.asMeasure(),
			nil,
			row{"against the static player", measureByMatches(againstStatic(ours(""), codeConstants))}.asMeasure(),
			honest},
		{"weger-defaults", regime, "the static player's constants “are the same as the default values in this " +
			"application”: 3, 2, 0.5, 0.5, 0.5, 0.5", 1,
			Figures{textFigure("constants", "3 2 .5 .5 .5 .5")},
			measureMatch("meta", staticSpec(textConstants), staticSpec(codeConstants), 200, 4), nil, nil,
			"the code has 1 where the text has 2; which of them matters is within the error"},
		{"weger-ending-moves", regime, "“The ending moves of a game tend to produce the most change in the constants”",
			1,
			Figures{textFigure("most change", "the ending moves")},
			row{"leaf as published", measureChangeByQuarter(with(figure, "td-leaf:bug=published"))}.asMeasure(),
			row{"leaf mended", measureChangeByQuarter(figure)}.asMeasure(), nil,
			"the sum of all changes of the six constants, by the quarter of the game that the move is in"},
		{"weger-points", regime, "“most of the points in a game are typically won in the last quarter of a game”", 1,
			Figures{textFigure("most points", "the last quarter")}, nil, nil,
			measureWinsByQuarter(staticSpec(codeConstants), 100),
			""},
		{"weger-ones", "the constants", "the learning player begins with all constants 1", 1,
			Figures{numberFigure("constants", 1)}, nil, nil,
			measureMatch("meta", staticSpec("1/1/1/1/1/1"), staticSpec(codeConstants), 200, 4), ""},
		{"weger-six", "the utility function", "“six different basis functions”, each times a constant", 0.3,
			Figures{numberFigure("basis functions", 6)}, nil, nil,
			measureGame("meta", func(ctx context.Context, g lab.Game) (Figures, error) {
				t, err := g.Learning().Trainer(ctx, lab.TrainOptions{Learner: "td-leaf", Against: learn.Itself})
				if err != nil {
					return nil, err
				}
				var names []string
				for _, w := range t.Show(0).Weights {
					names = append(names, w.Feature)
				}
				return Figures{numberFigure("features", float64(len(names))), textFigure("names", strings.Join(names,
					", "))}, nil
			}), ""},
		{"weger-normalize", code, "after each step TD_CONSTS = normalize(TD_CONSTS)", 0.5,
			Figures{textFigure("constants", "normalized")}, row{"normalized", measureFinalWeights(figure)}.asMeasure(),
			nil,
			row{"not normalized", measureFinalWeights(with(figure, "td-leaf:sum=0"))}.asMeasure(), ""},
		{"weger-rule", code, "the step: ALPHA · change of utility · change of sub-utility · (−1)", 4,
			Figures{textFigure("rule", "both ends differentiated, times the constant")},
			row{"as printed", measureByMatches(ours(":rule=weger"))}.asMeasure(), nil,
			stackRows(row{"textbook", measureByMatches(ours(":rule=textbook,alpha=0.002"))},
				row{"TDLeaf(λ)", measureByMatches(ours(":rule=tdleaf"))}), honest},
		{"weger-depth", regime, "“both AIs search to a depth of 3 ply”", 2,
			Figures{numberFigure("plies", 3)}, nil, nil,
			stackRows(row{"2 plies against 3", measureMatch("meta", "static:weights="+codeConstants+",depth=2",
				staticSpec(codeConstants), 100, 4)},
				row{"4 plies against 3", measureMatch("meta", "static:weights="+codeConstants+",depth=4",
					staticSpec(codeConstants), 60, 4)}), ""},
	}
}

// againstStatic is a training against the static player of those constants.
func againstStatic(s trainingSeries, constants string) trainingSeries {
	s.against = staticSpec(constants)
	return s
}

// fewGames measures learners after some numbers of games.
func fewGames() []row {
	var list []row
	for _, n := range []int{1, 3, 10, 20} {
		s := trainingSeries{game: "meta", learner: "td-leaf", against: staticSpec(codeConstants), seats: "first",
			start: "empty+4",
			games: n, runs: 10}
		list = append(list, row{fmt.Sprintf("after %d", n), measureByMatches(s)})
	}
	return list
}

// playSeries plays a series, one game after the other, and tells of each move and game.
func (s trainingSeries) playSeries(ctx context.Context, g lab.Game, moved func(t *learn.Trainer, game, ply int),
	ended func(t *learn.Trainer)) (*learn.Trainer, error) {
	t, err := g.Learning().Trainer(ctx, lab.TrainOptions{Learner: s.learner, Against: s.against, Seats: s.seats,
		Start: s.start})
	if err != nil {
		return nil, err
	}
	game := 0
	if learns := t.Performance.Made; learns != nil && moved != nil {
		t.Performance.Made = func(trace *model.Trace) {
			learns(trace)
			moved(t, game, len(trace.Choices))
		}
	}
	for ; game < s.games; game++ {
		if err := t.Game(ctx); err != nil {
			return nil, err
		}
		if ended != nil {
			ended(t)
		}
	}
	return t, nil
}

// measureGameResults is how each game of a series ended.
func measureGameResults(s trainingSeries) *Measure {
	return measureShownBy(s.command(), s.spec(), func(ctx context.Context, g lab.Game) (Figures, error) {
		var results []string
		before := learn.Tally{}
		t, err := s.playSeries(ctx, g, nil, func(t *learn.Trainer) {
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
	})
}

// weightsText writes a learner's weights.
func weightsText(t *learn.Trainer) string {
	var list []string
	for _, w := range t.Show(0).Weights {
		list = append(list, fmt.Sprintf("%.3f", w.Weight))
	}
	return strings.Join(list, " ")
}

// measureFinalWeights are the weights after a series, and their sum.
func measureFinalWeights(s trainingSeries) *Measure {
	return measureShownBy(s.command(), s.spec(), func(ctx context.Context, g lab.Game) (Figures, error) {
		t, err := s.playSeries(ctx, g, nil, nil)
		if err != nil {
			return nil, err
		}
		sum := 0.0
		for _, w := range t.Show(0).Weights {
			sum += w.Weight
		}
		return Figures{textFigure("constants", weightsText(t)), numberFigure("their sum", sum)}, nil
	})
}

// measureChangeByQuarter is how much the weights change in each quarter of the games of a series.
func measureChangeByQuarter(s trainingSeries) *Measure {
	return measureShownBy(s.command(), s.spec(), func(ctx context.Context, g lab.Game) (Figures, error) {
		type step struct {
			ply    int
			change float64
		}
		var game []step
		var sums [4]float64
		moves := 0
		var before []model.Weight
		_, err := s.playSeries(ctx, g, func(t *learn.Trainer, _, ply int) {
			now := t.Show(0).Weights
			change := 0.0
			for i, w := range now {
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
	})
}

// measureByMatches measures what a training comes to: each run's learner plays 20 games from
// random openings against the static player, and the error is that of the mean over
// the runs.
func measureByMatches(s trainingSeries) *Measure {
	commands := []string{s.command() + " --out N.brain", "oxo match brain:N.brain " + staticSpec(codeConstants) +
		" --game meta --games 20 --openings 4"}
	return &Measure{commands, func(ctx context.Context, l *lab.Lab) (Figures, error) {
		r, err := s.runJob(ctx, l, 0)
		if err != nil {
			return nil, err
		}
		brains := *l
		brains.ReadBrain = func(name string) ([]byte, error) { return r.Files[name], nil }
		var list []Figures
		for i := range s.runs {
			// our own types can be written
			args, _ := json.Marshal(jobs.TournamentArgs{Players: []string{fmt.Sprintf("brain:run-%d.brain", i+1),
				staticSpec(codeConstants)}, Games: 20, Openings: 4})
			m, err := jobs.Run(ctx, &brains, jobs.Job{Verb: jobs.Match.Name, Game: s.spec(), Args: args,
				Seed: uint64(i)}, jobs.RunOptions{Workers: 1})
			if err != nil {
				return nil, err
			}
			var score struct{ Wins, Draws, Losses float64 }
			if err := json.Unmarshal(m.JSON, &score); err != nil {
				return nil, err
			}
			list = append(list, Figures{numberFigure("% won", score.Wins*5),
				numberFigure("% of the points", (score.Wins+score.Draws/2)*5)})
		}
		return meanFigures(list), nil
	}}
}

// measureWinsByQuarter is when the boards of a game are won.
func measureWinsByQuarter(player string, games int) *Measure {
	command := fmt.Sprintf("oxo match %s %s --game meta --games %d --openings 4 --seed 1 --out points", player, player,
		games)
	return &Measure{[]string{command}, func(ctx context.Context, l *lab.Lab) (Figures, error) {
		// our own types can be written
		args, _ := json.Marshal(jobs.TournamentArgs{Players: []string{player, player}, Games: games, Openings: 4})
		r, err := jobs.Run(ctx, l, jobs.Job{Verb: jobs.Match.Name, Game: "meta", Args: args, Seed: 1},
			jobs.RunOptions{Workers: 1})
		if err != nil {
			return nil, err
		}
		sheets, err := arena.JournalSheets(r.Files["games.journal"])
		if err != nil {
			return nil, err
		}
		g, err := l.Game("meta")
		if err != nil {
			return nil, err
		}
		var won [4]float64
		points := 0.0
		for _, s := range sheets {
			trail, err := g.Records().Trail(s)
			if err != nil {
				return nil, err
			}
			before := 0
			for i, state := range trail {
				now := boardsWon(state.Position)
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
	}}
}

// boardsWon counts the boards with a row in a position of nine.
func boardsWon(position string) (won int) {
	cells := strings.ReplaceAll(strings.Fields(position)[0], "/", "")
	for b := range 9 {
		at := func(i int) byte { return cells[9*(3*(b/3)+i/3)+3*(b%3)+i%3] }
		for _, l := range [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8},
			{2, 4, 6}} {
			if c := at(l[0]); c != '.' && c == at(l[1]) && c == at(l[2]) {
				won++
				break
			}
		}
	}
	return won
}
