package reproduce

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"

	"oxo/arena"
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/learn/exam"
)

// measureGame is a measure that no verb shows: it is worked out with the game of the spec.
func measureGame(spec string, f func(ctx context.Context, g lab.Game) (Figures, error)) *Measure {
	return &Measure{run: func(ctx context.Context, l *lab.Lab) (Figures, error) {
		g, err := l.Game(spec)
		if err != nil {
			return nil, err
		}
		return f(ctx, g)
	}}
}

// measureShownBy is a measure with the command that shows the same.
func measureShownBy(command, spec string, f func(ctx context.Context, g lab.Game) (Figures, error)) *Measure {
	m := measureGame(spec, f)
	m.commands = []string{command}
	return m
}

// measureByArithmetic is a measure by arithmetic alone.
func measureByArithmetic(f func() Figures) *Measure {
	return &Measure{run: func(context.Context, *lab.Lab) (Figures, error) { return f(), nil }}
}

// row is a line of a table: its figures have the name in front.
type row struct {
	name string
	*Measure
}

// stackRows puts measures below one another.
func stackRows(list ...row) *Measure {
	sum := &Measure{run: func(ctx context.Context, l *lab.Lab) (Figures, error) {
		var all Figures
		for _, r := range list {
			figures, err := r.run(ctx, l)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			for _, f := range figures {
				f.Name = strings.TrimPrefix(r.name+": "+f.Name, ": ")
				all = append(all, f)
			}
		}
		return all, nil
	}}
	for _, r := range list {
		sum.commands = append(sum.commands, r.commands...)
	}
	return sum
}

// stackMeasures puts two measures below one another.
func stackMeasures(list ...*Measure) *Measure {
	var named []row
	for _, m := range list {
		named = append(named, row{"", m})
	}
	return stackRows(named...)
}

// measureCount is the census of a game.
func measureCount(spec string, figures func(c *lab.CountResult) Figures) *Measure {
	return measureShownBy("oxo count "+spec, spec, func(ctx context.Context, g lab.Game) (Figures, error) {
		c := g.Solving().Count(ctx, 1_000_000)
		if c.Games == nil {
			return nil, fmt.Errorf("%s was not counted: %s", spec, c.Reason)
		}
		return figures(c), nil
	})
}

// measureBounds is what follows from the number of squares.
func measureBounds(spec string, figures func(b *lab.BoundsResult) Figures) *Measure {
	return measureShownBy("oxo bounds "+spec, spec, func(ctx context.Context, g lab.Game) (Figures, error) {
		b, err := g.Solving().Bounds(ctx, 1_000_000)
		if err != nil {
			return nil, err
		}
		return figures(b), nil
	})
}

// measureSearch is a search; the options as on the command line.
func measureSearch(spec string, o lab.SearchOptions, figures func(r *lab.SearchResult) Figures) *Measure {
	command := "oxo search " + spec
	for _, f := range [][2]string{{"algorithm", o.Algorithm}, {"memo", o.Memo}, {"symmetry", o.Symmetry},
		{"stop", o.Stop}, {"order", o.Order}, {"eval", o.Eval}} {
		if f[1] != "" {
			command += " --" + f[0] + " " + f[1]
		}
	}
	if o.Depth > 0 {
		command += fmt.Sprintf(" --depth %d", o.Depth)
	}
	if o.Position != "" {
		command += " --position '" + o.Position + "'"
	}
	return measureShownBy(command, spec, func(ctx context.Context, g lab.Game) (Figures, error) {
		r, err := g.Searching().Search(ctx, o)
		if err != nil {
			return nil, err
		}
		return figures(r), nil
	})
}

// callFigures are the calls of the recursive function and what is remembered.
func callFigures(r *lab.SearchResult) Figures {
	return Figures{numberFigure("calls of minimax", float64(r.Nodes)), numberFigure("positions stored",
		float64(r.Stored))}
}

// worthFigures is the value and the move.
func worthFigures(r *lab.SearchResult) Figures {
	if r.Value == nil {
		return Figures{textFigure("value", "?")}
	}
	return Figures{numberFigure("value", *r.Value), textFigure("move", r.Move)}
}

// leafFigures are the leaves of a tree that were looked at and those that were not.
func leafFigures(r *lab.SearchResult) Figures {
	list := func(values []float64) string {
		if len(values) == 0 {
			return "none"
		}
		return strings.Trim(fmt.Sprint(values), "[]")
	}
	return Figures{numberFigure("value", *r.Value), textFigure("evaluated", list(r.Evaluated)), textFigure("pruned",
		list(r.Pruned))}
}

// measureSolution is a position's exact worth.
func measureSolution(spec, position string, figures func(r *lab.SolveResult) Figures) *Measure {
	command := "oxo solve " + spec
	if position != "" {
		command += " --position '" + position + "'"
	}
	return measureShownBy(command, spec, func(ctx context.Context, g lab.Game) (Figures, error) {
		r, err := g.Solving().Solve(ctx, lab.SolveOptions{Position: position})
		if err != nil {
			return nil, err
		}
		return figures(r), nil
	})
}

// bestMoveFigures is the value and the moves that keep it at best speed.
func bestMoveFigures(r *lab.SolveResult) Figures {
	f := Figures{textFigure("value", r.Value), textFigure("best moves", strings.Join(r.Best, " "))}
	if r.Remoteness != nil {
		f = append(f, numberFigure("plies to the end", float64(*r.Remoteness)))
	}
	return f
}

// examMetric is something that an exam finds.
type examMetric struct {
	name string
	of   func(e *exam.Exam) float64
}

// Marks of both seats.
func winsVsRandom() []examMetric {
	return []examMetric{
		{"% won as first against random", func(e *exam.Exam) float64 { return 100 * e.AsFirst.VsRandom.Win }},
		{"% won as second against random", func(e *exam.Exam) float64 { return 100 * e.AsSecond.VsRandom.Win }},
	}
}

func lossesVsRandom() []examMetric {
	return []examMetric{
		{"% lost as first against random", func(e *exam.Exam) float64 { return 100 * e.AsFirst.VsRandom.Loss }},
		{"% lost as second against random", func(e *exam.Exam) float64 { return 100 * e.AsSecond.VsRandom.Loss }},
	}
}

func lossesVsBestReply() []examMetric {
	return []examMetric{
		{"% lost as first to the best reply", func(e *exam.Exam) float64 { return 100 * e.AsFirst.VsBest.Loss }},
		{"% lost as second to the best reply", func(e *exam.Exam) float64 { return 100 * e.AsSecond.VsBest.Loss }},
	}
}

func againstHeuristic() []examMetric {
	return []examMetric{
		{"% won as first against heuristic", func(e *exam.Exam) float64 { return 100 * e.AsFirst.VsHeuristic.Win }},
		{"% not lost as first against heuristic",
			func(e *exam.Exam) float64 { return 100 * (1 - e.AsFirst.VsHeuristic.Loss) }},
		{"% not lost as second against heuristic",
			func(e *exam.Exam) float64 { return 100 * (1 - e.AsSecond.VsHeuristic.Loss) }},
	}
}

func exploitabilities() []examMetric {
	return []examMetric{
		{"exploitability as first", func(e *exam.Exam) float64 { return e.AsFirst.Exploitability }},
		{"exploitability as second", func(e *exam.Exam) float64 { return e.AsSecond.Exploitability }},
	}
}

func mistakeCounts() []examMetric {
	return []examMetric{
		{"mistakes as first", func(e *exam.Exam) float64 { return float64(e.AsFirst.Mistakes) }},
		{"mistakes as second", func(e *exam.Exam) float64 { return float64(e.AsSecond.Mistakes) }},
	}
}

// figures reads marks off an exam.
func metricFigures(e *exam.Exam, marks [][]examMetric) Figures {
	var list Figures
	for _, m := range marks {
		for _, m := range m {
			list = append(list, numberFigure(m.name, m.of(e)))
		}
	}
	return list
}

// measureExam grades a player on 3×3 exactly.
func measureExam(player string, marks ...[]examMetric) *Measure {
	return measureShownBy("oxo exam "+player+" --game ttt", "ttt", func(ctx context.Context, g lab.Game) (Figures,
		error) {
		e, err := g.Learning().Exam(ctx, player)
		if err != nil {
			return nil, err
		}
		return metricFigures(e, marks), nil
	})
}

// trainingSeries is a training of several learners that differ in their seed, from 0 on.
type trainingSeries struct {
	game, learner, against, start, seats string
	games, runs                          int
}

// job asks for the training; every is how often exams are taken, 0 for at the end alone.
func (s trainingSeries) job(every int) jobs.Job {
	args, _ := json.Marshal(jobs.TrainArgs{Learner: s.learner, Against: s.against, Games: s.games, Runs: s.runs,
		Start: s.start, Seats: s.seats, ExamEvery: every, Blind: every == 0}) // our own types can be written
	return jobs.Job{Verb: jobs.Train.Name, Game: s.spec(), Args: args}
}

func (s trainingSeries) spec() string {
	if s.game == "" {
		return "ttt"
	}
	return s.game
}

func (s trainingSeries) command() string {
	command := fmt.Sprintf("oxo train %s --game %s --against '%s' --games %d --runs %d --seed 0", s.learner, s.spec(),
		s.against, s.games, s.runs)
	if s.start != "" {
		command += " --start " + s.start
	}
	if s.seats != "" {
		command += " --seats " + s.seats
	}
	return command
}

// measureTraining grades learners after their games: the mean over the runs, with its
// standard error.
func measureTraining(s trainingSeries, marks ...[]examMetric) *Measure {
	return &Measure{[]string{s.command()}, func(ctx context.Context, l *lab.Lab) (Figures, error) {
		r, err := s.trainSummary(ctx, l, 0)
		if err != nil {
			return nil, err
		}
		var list []Figures
		for _, run := range r.Runs {
			list = append(list, metricFigures(run.Exam, marks))
		}
		return meanFigures(list), nil
	}}
}

// measureExamples grades learners after as many moves of their own, each of which is an example:
// as many in every series, in more games where these begin later.
func measureExamples(s trainingSeries, examples int, sheets func(ctx context.Context, l *lab.Lab) (string, error),
	marks ...[]examMetric) *Measure {
	return &Measure{run: func(ctx context.Context, l *lab.Lab) (Figures, error) {
		g, err := l.Game(s.spec())
		if err != nil {
			return nil, err
		}
		o := lab.TrainOptions{Learner: s.learner, Against: s.against, Start: s.start, Seats: s.seats}
		if sheets != nil {
			if o.Sheets, err = sheets(ctx, l); err != nil {
				return nil, err
			}
		}
		var list []Figures
		for o.Seed = range uint64(s.runs) {
			t, err := g.Learning().Trainer(ctx, o)
			if err != nil {
				return nil, err
			}
			for t.Made() < examples {
				if err := t.Game(ctx); err != nil {
					return nil, err
				}
			}
			e, err := g.Learning().Grade(ctx, t)
			if err != nil {
				return nil, err
			}
			games := numberFigure("games", float64(t.Tally().Games))
			list = append(list, append(Figures{games}, metricFigures(e, marks)...))
		}
		return meanFigures(list), nil
	}}
}

// expertSheets are the score sheets of games between two players.
func expertSheets(first, second string, games int) func(ctx context.Context, l *lab.Lab) (string, error) {
	return func(ctx context.Context, l *lab.Lab) (string, error) {
		g, err := l.Game("ttt")
		if err != nil {
			return "", err
		}
		var text strings.Builder
		for seed := range uint64(games) {
			s, err := g.NewSession(lab.SessionOptions{First: first, Second: second, Seed: seed})
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
}

func (s trainingSeries) trainSummary(ctx context.Context, l *lab.Lab, every int) (*jobs.TrainSummary, error) {
	r, err := s.runJob(ctx, l, every)
	if err != nil {
		return nil, err
	}
	var sum jobs.TrainSummary
	return &sum, json.Unmarshal(r.JSON, &sum)
}

func (s trainingSeries) runJob(ctx context.Context, l *lab.Lab, every int) (*jobs.Result, error) {
	return jobs.Run(ctx, l, s.job(every), jobs.RunOptions{Workers: 1})
}

// meanFigures is the mean of each figure over several runs, with its standard error.
func meanFigures(runs []Figures) Figures {
	n := float64(len(runs))
	sum := append(Figures{}, runs[0]...)
	for i := range sum {
		total, squares := 0.0, 0.0
		for _, r := range runs {
			total += r[i].Value
		}
		sum[i].Value = total / n
		for _, r := range runs {
			squares += (r[i].Value - sum[i].Value) * (r[i].Value - sum[i].Value)
		}
		if e := math.Sqrt(squares / max(1, n-1) / n); e > 1e-9 { // not rounding alone
			sum[i].Error = e
		}
	}
	return sum
}

// measureCurve is how lines of a learning curve go, at some numbers of games.
func measureCurve(s trainingSeries, every int, lines ...string) *Measure {
	command := fmt.Sprintf("%s --exam-every %d --curve curve.csv", s.command(), every)
	return &Measure{[]string{command}, func(ctx context.Context, l *lab.Lab) (Figures, error) {
		r, err := s.trainSummary(ctx, l, every)
		if err != nil {
			return nil, err
		}
		var list Figures
		for i, games := range r.Curve.Games {
			for _, line := range r.Curve.Lines {
				for _, name := range lines {
					if line.Name == name {
						list = append(list, numberFigure(fmt.Sprintf("after %d games: %s", games, name), line.Mean[i]))
					}
				}
			}
		}
		return list, nil
	}}
}

// measureMatch plays a match from random openings, each from both seats.
func measureMatch(spec, a, b string, games, openings int) *Measure {
	command := fmt.Sprintf("oxo match %s %s --game %s --games %d --openings %d --seed 1", a, b, spec, games, openings)
	return &Measure{[]string{command}, func(ctx context.Context, l *lab.Lab) (Figures, error) {
		// our own types can be written
		args, _ := json.Marshal(jobs.TournamentArgs{Players: []string{a, b}, Games: games, Openings: openings})
		r, err := jobs.Run(ctx, l, jobs.Job{Verb: jobs.Match.Name, Game: spec, Args: args, Seed: 1},
			jobs.RunOptions{Workers: 1})
		if err != nil {
			return nil, err
		}
		var m struct {
			Wins, Draws, Losses float64
			Pairs               [5]float64 // pairs of games by their points: 0, ½ … 2
		}
		if err := json.Unmarshal(r.JSON, &m); err != nil {
			return nil, err
		}
		n := m.Wins + m.Draws + m.Losses
		score := (m.Wins + m.Draws/2) / n
		spread, pairs := 0.0, 0.0
		for i, k := range m.Pairs {
			d := float64(i)/4 - score
			spread, pairs = spread+k*d*d, pairs+k
		}
		return Figures{numberFigure("won", m.Wins), numberFigure("drawn", m.Draws), numberFigure("lost", m.Losses),
			{Name: "% of the points", Value: 100 * score,
				Error: 100 * math.Sqrt(spread/max(1, pairs-1)/max(1, pairs))}}, nil
	}}
}

// decisions counts the positions in which a seat of a player moves.
func decisions(first bool) func(e *exam.Exam) float64 {
	return func(e *exam.Exam) float64 {
		if first {
			return float64(e.AsFirst.Decisions)
		}
		return float64(e.AsSecond.Decisions)
	}
}

// bigToFloat is a whole number as a figure has it.
func bigToFloat(n *big.Int) float64 {
	x, _ := n.Float64()
	return x
}
