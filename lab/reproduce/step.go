package reproduce

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"oxo/lab"
	"oxo/lab/jobs"
)

// step is a part of a column: commands, and which figures are read off the result of the last.
// Run and By are independent: a worker may take its options from the command that Run shows. Without either, the
// figures are formulas of numbers.
type step struct {
	Row     string      `json:"row"`     // in front of the names of its figures
	Run     string      `json:"run"`     // commands, one a line, that show the figures; none where no verb does
	By      string      `json:"by"`      // who works them out, in workers; empty, the verb's own result has them
	With    string      `json:"with"`    // what that worker is told, where it runs no command
	Show    []string    `json:"show"`    // groups of figures; of a curve, its lines
	Figures [][2]string `json:"figures"` // and others: names, and where they stand in the result
}

// workers work out the figures of steps whose verb's result doesn't have them.
// Keys are what By of a step says. A worker gets the whole step, and returns figures without the step's row in their
// names.
var workers = map[string]func(ctx context.Context, l *lab.Lab, s *step) (Figures, error){
	"":                   runVerb,
	"change by quarter":  weightChangeByQuarter,
	"curve":              learningCurveFigures,
	"empty spaces":       onFixedGame("ttt", exampleEmptySquares),
	"examples":           gradesAfterExamples,
	"features":           onFixedGame("meta", tdLeafFeatureNames),
	"final weights":      finalWeights,
	"forking spaces":     onFixedGame("ttt", exampleForkingSquares),
	"game":               gameInfoFigures,
	"illegal starts":     onFixedGame("ttt", playFromIllegalStarts),
	"last ten":           lastTenGameResults,
	"loops refused":      onFixedGame("race:4", loopySearchRefused),
	"matches":            matchScoresOfTrainedRuns,
	"openings":           onFixedGame("ttt", openingsThatDraw),
	"points by quarter":  boardsWonByQuarter,
	"race nodes":         onFixedGame("race:4", raceSearchTreeValues),
	"random boards":      onFixedGame("ttt", illegalSharesOfRandomBoards),
	"results":            resultsOfSeries,
	"symmetries":         countSymmetriesAmongMaps,
	"weights or why not": runVerbOrDivergence,
	"winning spaces":     onFixedGame("ttt", exampleWinningSquares),
	"zero feature":       onFixedGame("ttt", weightChangesAtZeroFeature),
}

// onFixedGame is a worker that looks at one game alone.
// f gets the game alone, and nothing of the step.
func onFixedGame(spec string, f func(ctx context.Context, g lab.Game) (Figures, error)) func(context.Context, *lab.Lab,
	*step) (Figures, error) {
	return func(ctx context.Context, l *lab.Lab, _ *step) (Figures, error) {
		g, err := l.Game(spec)
		if err != nil {
			return nil, err
		}
		return f(ctx, g)
	}
}

// runSteps puts the figures of steps below one another, and names the commands that show them.
// A row goes in front of the names of its figures. Where a step fails there are no figures, and the error names its
// row.
func runSteps(ctx context.Context, l *lab.Lab, steps []step) (all Figures, commands []string, err error) {
	for _, s := range steps {
		work, ok := workers[s.By]
		if !ok {
			return nil, nil, fmt.Errorf("%s: nobody works out %q", s.Row, s.By)
		}
		figures, err := work(ctx, l, &s)
		if err != nil && s.Row != "" {
			err = fmt.Errorf("%s: %w", s.Row, err)
		}
		if err != nil {
			return nil, nil, err
		}
		for _, f := range figures {
			f.Name = strings.TrimPrefix(s.Row+": "+f.Name, ": ")
			all = append(all, f)
		}
		if s.Run != "" {
			commands = append(commands, strings.Split(s.Run, "\n")...)
		}
	}
	return all, commands, nil
}

// command is a command line of oxo taken apart: each flag has a value.
// A value that is not given is "", or 0 as a number.
type command struct {
	verb  string
	args  []string
	flags map[string]string
}

// lastCommand returns the last of a step's commands, and what the one before, an echo, writes to a file.
// The file's text is what stands in quotes behind the echo; where there is one command, echoed is empty.
func (s *step) lastCommand() (c command, echoed string) {
	before, line, found := strings.Cut(s.Run, "\n")
	if !found {
		line = before
	} else if text, ok := strings.CutPrefix(before, "echo '"); ok {
		echoed, _, _ = strings.Cut(text, "'")
	}
	return parseCommand(line), echoed
}

// parseCommand splits a command line of ours into its verb, words and flags.
// What is in single quotes is one word, quotes left away. The first word is the program's name.
func parseCommand(line string) command {
	var words []string
	// Every second part was in quotes.
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	c := command{verb: words[1], flags: map[string]string{}}
	for i := 2; i < len(words); i++ {
		if flag, ok := strings.CutPrefix(words[i], "--"); ok && i+1 < len(words) {
			i++
			c.flags[flag] = words[i]
		} else {
			c.args = append(c.args, words[i])
		}
	}
	return c
}

// number returns the number that a flag is given.
// It is 0 where the flag is missing.
func (c command) number(flag string) int {
	n, _ := strconv.Atoi(c.flags[flag]) // the commands are our own
	return n
}

// gameSpec is the game of the command.
// It is the flag --game, or else the first word after the verb.
func (c command) gameSpec() string {
	if spec := c.flags["game"]; spec != "" {
		return spec
	}
	return c.args[0]
}

// figuresOf reads the step's figures off a result.
// Those of its groups come first, then its own.
func (s *step) figuresOf(result any) (Figures, error) {
	var list [][2]string
	for _, group := range s.Show {
		list = append(list, loadClaims().Groups[group]...)
	}
	return readFigures(result, slices.Concat(list, s.Figures))
}

// runVerb runs a step's command and reads its figures off the result: of several runs the mean.
// The verb is carried out with the lab's own calls, and of its flags only those are looked at that the claims use.
func runVerb(ctx context.Context, l *lab.Lab, s *step) (Figures, error) {
	if s.Run == "" {
		return s.figuresOf(nil)
	}
	c, file := s.lastCommand()
	if file != "" {
		// A copy of the lab reads the echoed text whatever file is asked for.
		with := *l
		with.ReadFile = func(string) ([]byte, error) { return []byte(file), nil }
		l = &with
	}
	g, err := l.Game(c.gameSpec())
	if err != nil {
		return nil, err
	}
	var result any
	switch c.verb {
	// A census may take a million classes a ply; what it can't count then is an error here.
	case "count":
		r := g.Solving().TakeCensus(ctx, 1_000_000)
		if result = r; r.Games == nil {
			err = fmt.Errorf("%s was not counted: %s", c.gameSpec(), r.Reason)
		}
	case "bounds":
		result, err = g.Solving().SearchTreeBounds(ctx, 1_000_000)
	case "search":
		result, err = g.Searching().Search(ctx, lab.SearchOptions{Algorithm: c.flags["algorithm"],
			Memo: c.flags["memo"], Symmetry: c.flags["symmetry"], Stop: c.flags["stop"], Order: c.flags["order"],
			Position: c.flags["position"]})
	case "solve":
		result, err = g.Solving().Solve(ctx, lab.SolveOptions{Position: c.flags["position"]})
	case "exam":
		result, err = g.Learning().ExamPlayer(ctx, c.args[0])
	case "match":
		return c.matchFigures(ctx, l)
	case "train":
		return s.trainingGrades(ctx, l, c)
	default:
		err = fmt.Errorf("%s can't be run", c.verb)
	}
	if err != nil {
		return nil, err
	}
	return s.figuresOf(result)
}

// trainingGrades grades learners after their games: the mean over the runs, with its standard error.
// Runs are graded by the exact exam that ends each.
func (s *step) trainingGrades(ctx context.Context, l *lab.Lab, c command) (Figures, error) {
	r, err := c.trainSummary(ctx, l)
	if err != nil {
		return nil, err
	}
	var list []Figures
	for _, run := range r.Runs {
		figures, err := s.figuresOf(run.Exam)
		if err != nil {
			return nil, err
		}
		list = append(list, figures)
	}
	return meanFigures(list), nil
}

// runTrain runs the training that a command asks for.
// Without --exam-every there is no curve, and nothing is measured before the end. The result's files have the brains.
// Runs are carried out one after the other.
func (c command) runTrain(ctx context.Context, l *lab.Lab) (*jobs.JobResult, error) {
	every := c.number("exam-every")
	args, _ := json.Marshal(jobs.TrainArgs{Learner: c.args[0], Against: c.flags["against"], Games: c.number("games"),
		Runs: c.number("runs"), Start: c.flags["start"], Seats: c.flags["seats"], ExamEvery: every,
		Blind: every == 0}) // our own types can be written
	return jobs.Run(ctx, l, jobs.Job{Verb: jobs.Train.Name, Game: c.gameSpec(), Args: args},
		jobs.RunOptions{Workers: 1})
}

// trainSummary carries out a command that trains.
// It is the result of oxo train, with an outcome for each run.
func (c command) trainSummary(ctx context.Context, l *lab.Lab) (*jobs.TrainSummary, error) {
	r, err := c.runTrain(ctx, l)
	if err != nil {
		return nil, err
	}
	var sum jobs.TrainSummary
	return &sum, json.Unmarshal(r.JSON, &sum)
}

// matchResult is what is read of a match: how its games ended, and pairs of games by their points: 0, ½ … 2.
// Wins and losses are those of the first player. Pairs are two games of one opening with the seats changed; Pairs[i]
// counts those in which the first player made i/2 points.
type matchResult struct {
	Wins, Draws, Losses float64
	Pairs               [5]float64
}

// runMatch plays the match that a command asks for.
// The seed takes the place of the command's own. With m comes the job's whole result, for its files.
func (c command) runMatch(ctx context.Context, l *lab.Lab, seed uint64) (m matchResult, r *jobs.JobResult, err error) {
	args, _ := json.Marshal(jobs.TournamentArgs{Players: c.args, Games: c.number("games"),
		Openings: c.number("openings")}) // our own types can be written
	r, err = jobs.Run(ctx, l, jobs.Job{Verb: jobs.Match.Name, Game: c.gameSpec(), Args: args, Seed: seed},
		jobs.RunOptions{Workers: 1})
	if err == nil {
		err = json.Unmarshal(r.JSON, &m)
	}
	return m, r, err
}

// matchFigures plays a match from random openings, each from both seats.
// Its error takes a pair of games as one sample, as the two games of an opening are not independent.
func (c command) matchFigures(ctx context.Context, l *lab.Lab) (Figures, error) {
	m, _, err := c.runMatch(ctx, l, uint64(c.number("seed")))
	if err != nil {
		return nil, err
	}
	n := m.Wins + m.Draws + m.Losses
	score := (m.Wins + m.Draws/2) / n
	spread, pairs := 0.0, 0.0
	// A pair's points a game are i/4, from 0 to 1.
	for i, k := range m.Pairs {
		d := float64(i)/4 - score
		spread, pairs = spread+k*d*d, pairs+k
	}
	return Figures{numberFigure("won", m.Wins), numberFigure("drawn", m.Draws), numberFigure("lost", m.Losses),
		{Name: "% of the points", Value: 100 * score,
			Error: 100 * math.Sqrt(spread/max(1, pairs-1)/max(1, pairs))}}, nil
}
