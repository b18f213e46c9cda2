package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"oxo"
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/model"
)

// trainVerb returns the verb that trains a learner.
func trainVerb(a *app) *cobra.Command {
	var kept brainFiles
	var d curveFiles
	var w watching
	var options bool
	c := a.verbCommand(jobs.Train, func(c *cobra.Command, k *verbRun) error {
		args := k.args.(*jobs.TrainArgs)
		if args.Resume != nil {
			games, err := resumeFromBrain(c, args, &k.game)
			if err != nil {
				return err
			}
			if err := d.prepareResume(games, options, w.on); err != nil {
				return err
			}
		}
		if err := checkNumbersOfGames(c.Flags(), args); err != nil {
			return err
		}
		if options {
			g, err := a.lab.Game(k.game)
			if err != nil {
				return err
			}
			return a.printOptions(a.lab, g.Learning().LearnerCatalogue(), args.Learner)
		}
		if isTaughtByHand(args) {
			if err := checkWritable(kept.out); err != nil {
				return err
			}
			return a.teachByHand(c, k, kept.out)
		}
		if err := kept.checkSecondBrainFile(args.Against); err != nil {
			return err
		}
		if w.on {
			return a.watchTraining(c, k, &w, d.csv, &kept)
		}
		if c.Flags().Changed("pace") {
			return errors.New("train: --pace: it is how fast --watch shows moves")
		}
		files := []string{kept.out, kept.second, d.csv}
		if d.plot != terminal {
			files = append(files, d.plot)
		}
		if err := checkWritable(files...); err != nil {
			return err
		}
		kept.timed = args.For != ""
		if kept.timed && !d.wanted() && args.Resume == nil && !k.json && terminalColumns(a.out) > 0 {
			d.plot = terminal
		}
		args.Blind = !d.wanted() && args.ExamEvery == 0
		if err := d.checkDrawable(c, k); err != nil {
			return err
		}
		r, seconds, err := k.runHereOrOnCluster(c, jobs.RunOptions{Salvage: true,
			Part: a.examPrinter(time.Now(), args.Runs)}, "run-1.brain", "curve.csv")
		if r == nil {
			return ignoreDetached(err)
		}
		return a.saveAndPrintTraining(r, &d, &kept, seconds, err)
	})
	f := c.Flags()
	f.BoolVar(&options, "options", false,
		"list the learner's options and what they take in this game, instead of training")
	f.StringVar(&kept.out, "out", "", "the file to keep the brain of the first run in")
	f.StringVar(&kept.second, "second", "",
		"the file to keep the brain of the second learner in, where --against learner:… learns too")
	annotateFiles(f, fileWritten, "out", "second")
	f.BoolVar(&w.on, "watch", false,
		"show each move of each game with the weights after it; --curve then writes them, a row a move")
	f.DurationVar(&w.pace, "pace", 0, "how long --watch waits after each move (default in a terminal: for Enter)")
	d.addFlags(f)
	return c
}

// checkNumbersOfGames refuses numbers of games below 1, and one beside a time.
func checkNumbersOfGames(flags *pflag.FlagSet, args *jobs.TrainArgs) error {
	for _, of := range []struct {
		flag string
		n    int
	}{{"games", args.Games}, {"exam-every", args.ExamEvery}} {
		if flags.Changed(of.flag) && of.n < 1 {
			return fmt.Errorf("train: --%s %d: it must be at least 1", of.flag, of.n)
		}
	}
	if flags.Changed("for") && flags.Changed("games") {
		return fmt.Errorf("train: --for %s: it is instead of --games", args.For)
	}
	return nil
}

// saveAndPrintTraining keeps what came of a training and prints it; err is what stopped it.
func (a *app) saveAndPrintTraining(r *jobs.JobResult, d *curveFiles, kept *brainFiles, seconds float64,
	err error) error {
	var sum jobs.TrainSummary
	if err := json.Unmarshal(r.JSON, &sum); err != nil {
		return err
	}
	if len(sum.Runs) == 0 { // it was stopped before it began
		return err
	}
	if err := kept.writeBrains(r.Files["run-1.brain"], sum.Learner, sum.Stopped); err != nil {
		return err
	}
	if sum.Curve != nil && d.former != nil {
		sum.Curve = sum.Curve.PrecededBy(d.former)
	}
	undrawn := d.writeCurve(a, r, sum.Curve)
	if a.json {
		for i := range sum.Runs { // of the job's files only the first run's brain is written here
			sum.Runs[i].File = ""
		}
		sum.Runs[0].File = kept.out
		text, err := json.Marshal(&sum)
		r := &jobs.JobResult{JSON: text}
		return errors.Join(err, a.printResultJSON(r, "seconds", seconds, "out", kept.out), undrawn)
	}
	a.printTraining(&sum, seconds)
	d.printPaths(a, sum.Curve, undrawn == nil)
	if kept.out == "" && r.Files["run-1.brain"] != nil {
		a.printf("what it learned is not kept: --out FILE keeps it\n")
	}
	kept.printPaths(a)
	return undrawn
}

// brainFiles are where the brains of a training are kept.
type brainFiles struct {
	out, second string
	timed       bool // whether it was trained for a time
}

// checkSecondBrainFile refuses a file for a second learner where there is none.
func (f *brainFiles) checkSecondBrainFile(against string) error {
	if f.second != "" && against != "" && !strings.HasPrefix(against, learn.RivalPrefix) {
		return fmt.Errorf("train: --second %s: %s learns nothing; a second learner is named by --against %sLEARNER",
			f.second, against, learn.RivalPrefix)
	}
	return nil
}

// writeBrains writes a brain, and that of the second learner. One that was stopped, or trained for a
// time, can't be made again and is always kept: under a free name of its learner's where no file
// was named.
func (f *brainFiles) writeBrains(brain []byte, learner string, stopped bool) error {
	if brain == nil {
		return nil
	}
	if f.out == "" && (stopped || f.timed) {
		f.out = unusedFileName(learner)
	}
	if f.out != "" {
		if err := writeSealed(f.out, brain); err != nil {
			free := unusedFileName(learner)
			if other := writeSealed(free, brain); other != nil {
				return fmt.Errorf("%s: %w; %s: %w", f.out, err, free, other)
			}
			return fmt.Errorf("%s: %w; the brain is written to %s", f.out, err, free)
		}
	}
	if f.second == "" {
		return nil
	}
	b, err := learn.ReadBrain(brain)
	if err != nil {
		return err
	}
	if b.Rival == nil {
		return fmt.Errorf("train: --second %s: there is no second learner", f.second)
	}
	data, err := b.Rival.Bytes()
	if err != nil {
		return err
	}
	return writeSealed(f.second, data)
}

// unusedFileName returns the name of a brain's file that is not there, from the name of a learner.
func unusedFileName(learner string) string {
	name, _, _ := strings.Cut(learner, ":")
	path := name + ".brain"
	for n := 2; ; n++ {
		if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
			return path
		}
		path = fmt.Sprintf("%s-%d.brain", name, n)
	}
}

// printPaths says where the brains are.
func (f *brainFiles) printPaths(a *app) {
	for _, path := range []string{f.out, f.second} {
		if path != "" {
			a.printf("brain written to %s\n", path)
		}
	}
}

// examined is a line about an exam on the way.
type examined struct {
	Run     int        `json:"run,omitempty"` // where there are several
	Games   int        `json:"games"`         // played in all
	Wins    int        `json:"wins"`
	Draws   int        `json:"draws"`
	Losses  int        `json:"losses"`
	Seconds float64    `json:"seconds"`
	Exam    *exam.Exam `json:"exam"`
}

// examPrinter returns what carries out a part of a training and prints the exams of the first run. Of
// several runs side by side only the first is shown, as their lines would mingle, and each line says so.
func (a *printer) examPrinter(begin time.Time, runs int) func(context.Context, jobs.Task, jobs.Carry) ([]byte, error) {
	return func(ctx context.Context, t jobs.Task, run jobs.Carry) ([]byte, error) {
		if t.Part.Index > 0 {
			return run(ctx, t)
		}
		tell, number, which := t.Report, 0, ""
		if runs > 1 {
			number, which = 1, fmt.Sprintf(" of run 1 of %d", runs)
		}
		t.Every = -1
		t.Report = func(r jobs.Report) {
			var d jobs.TrainData
			if r.Data != nil && json.Unmarshal(r.Data, &d) == nil && len(d.Runs) == 1 && d.Runs[0].Exam != nil {
				one := d.Runs[0]
				line := examined{number, one.Games[len(one.Games)-1], one.Tally.Wins, one.Tally.Draws, one.Tally.Losses,
					time.Since(begin).Seconds(), one.Exam}
				// a lost line of progress is no loss
				_ = a.answerf(line, "%8d games%s  %s\n", line.Games, which, examSummaryLine(line.Exam))
			}
			tell(r)
		}
		return run(ctx, t)
	}
}

// printTraining prints how a training went, and its exam. Without an exact exam it says why, and gives
// the sample that a solver judged, where there is one.
func (a *printer) printTraining(sum *jobs.TrainSummary, seconds float64) {
	which := ""
	if len(sum.Runs) > 1 {
		which = fmt.Sprintf(" %d runs, together", len(sum.Runs))
	}
	n := sum.Tally
	won, lost := "won", "lost"
	if sum.Against == learn.Itself {
		won, lost = "won by First", "won by Second"
	}
	a.printf("%s on %s:%s %s in %.3f s: %d %s, %d drawn, %d %s\n", sum.Learner, sum.Game, which,
		countOf(n.Games, "game", "games"), seconds, n.Wins, won, n.Draws, n.Losses, lost)
	if sum.Stopped {
		a.printf("stopped before all games were played\n")
	}
	if sum.Exam != nil && sum.Untaught != "" {
		a.printf("as %s it played no game in this training\n", sum.Untaught)
	}
	switch {
	case sum.Exam != nil && len(sum.Runs) > 1:
		a.printf("%sthe first run on ", meanExploitabilities(sum.Runs, sum.Untaught))
		a.printExam(sum.Exam)
	case sum.Exam != nil:
		a.printExam(sum.Exam)
	case sum.NoExam != "":
		a.printf("no exact exam: %s\n", sum.NoExam)
		if sum.Sampled != nil {
			if len(sum.Runs) > 1 {
				a.printf("the first run, by a sample:\n")
			}
			a.printSampledExam(sum.Sampled)
		}
	case sum.ExamStopped:
		a.printf("the exam was not made: it was stopped\n")
	}
}

// meanExploitabilities is a line with the mean over the runs that were examined of what each seat gives away, with its
// standard error, but of a seat that was not taught; it is empty where fewer than two were.
func meanExploitabilities(runs []jobs.TrainOutcome, untaught string) string {
	var bySeat [2][]float64
	for _, r := range runs {
		if r.Exam != nil {
			bySeat[0] = append(bySeat[0], r.Exam.AsFirst.Exploitability)
			bySeat[1] = append(bySeat[1], r.Exam.AsSecond.Exploitability)
		}
	}
	if len(bySeat[0]) < 2 {
		return ""
	}
	var means []string
	for seat, values := range bySeat {
		if oxo.Seat(seat).String() == untaught {
			continue
		}
		mean, standardError := meanWithError(values)
		means = append(means, fmt.Sprintf("as %v %.5f ± %.5f", oxo.Seat(seat), mean, standardError))
	}
	return fmt.Sprintf("exploitability over %s, mean ± standard error: %s\n", countOf(len(bySeat[0]), "run", "runs"),
		strings.Join(means, ", "))
}

// meanWithError returns the mean of a sample and its standard error, 0 where there is one value.
func meanWithError(values []float64) (mean, standardError float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / max(1, n-1) / max(1, n))
}

// printOptions lists what the options of a learner mean and take in a game, with their values in its spec.
func (a *printer) printOptions(l *lab.Lab, all *lab.Catalogue, learner string) error {
	spec, err := l.ParseLearner(learner)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all.Learners, func(f lab.LearnerForm) bool { return f.Name == spec.Name() })
	form := all.Learners[i]
	_, args, _ := strings.Cut(learner, ":")
	given := strings.Split(args, ",")
	form.Settings = slices.Clone(form.Settings)
	for k := range form.Settings {
		form.Settings[k].Value = form.Settings[k].ValueWith(given)
	}
	if a.json {
		return a.printJSON(form)
	}
	a.printf("%s on %s: %s\n", form.Name, all.Game, form.About)
	if form.Refused != "" {
		a.printf("  refused: %s\n", form.Refused)
	}
	for _, s := range form.Settings {
		takes := strings.Join(s.Takes.Words, ", ")
		if s.Takes.Kind != "word" && s.Takes.Kind != "text" {
			takes = fmt.Sprintf("%.0f to %.0f", s.Takes.Low, s.Takes.High)
			if s.Takes.High > 1e9 { // which nobody comes to
				takes = fmt.Sprintf("%.0f or more", s.Takes.Low)
			}
		}
		if takes != "" {
			takes = " (" + takes + ")"
		}
		a.printf("  %-20s %s%s\n", s.Key+"="+s.Value, s.About, takes)
	}
	return nil
}

// resumeFromBrain takes the game of the brain to go on from, unless --game names one, and returns how
// many games it has played. It refuses flags that the brain makes meaningless.
func resumeFromBrain(c *cobra.Command, args *jobs.TrainArgs, game *string) (games int, err error) {
	path := c.Flags().Lookup("resume").Value
	if args.Learner != "" {
		return 0, fmt.Errorf("train: unexpected %q: --resume goes on with the brain's own learner", args.Learner)
	}
	brain, err := learn.ReadBrain(args.Resume)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if f := c.Flags().Lookup("seed"); f.Changed && f.Value.String() != fmt.Sprint(brain.Seed) {
		return 0, fmt.Errorf("train: --seed %s: --resume goes on as the brain began, with --seed %d", f.Value,
			brain.Seed)
	}
	if !c.Flags().Changed("game") {
		*game = brain.Game
	}
	return brain.Tally.Games, nil
}

// moveEvaluationsText says in words what a brain makes of the moves of a position. Moves are sorted by worth
// where the brain has worths, else by the probability that it makes them.
func moveEvaluationsText(l *learn.Look) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n  %-10s %9s %12s\n", l.Position, "move", "chance", "worth")
	slices.SortStableFunc(l.Moves, func(m, n model.Looked) int {
		if m.Worth == nil || n.Worth == nil {
			return cmp.Compare(n.Odds, m.Odds)
		}
		return cmp.Compare(*n.Worth, *m.Worth)
	})
	for _, m := range l.Moves {
		says := ""
		switch {
		case m.Worth != nil && math.Abs(*m.Worth) >= 1e9: // known, not learned
			says = "game over"
		case m.Worth != nil:
			says = fmt.Sprintf("%+.4f", rounded(*m.Worth, 4))
		case m.Beads != nil:
			says = countOf(*m.Beads, "bead", "beads")
			if *m.Beads > 0 && m.Odds == 0 {
				says += ", rare: not drawn"
			}
		}
		fmt.Fprintf(&text, "  %-10s %8.1f%% %12s\n", m.Move, 100*m.Odds, says)
	}
	return text.String()
}

// brainVerb returns the verb that looks inside a brain.
func brainVerb(a *app) *cobra.Command {
	var game, position string
	var most int
	show := &cobra.Command{
		Use: "show FILE",
		Short: "print what was learned: weights by feature, boxes, best positions; of a table of winratio the " +
			"games below each move; with --position what it makes of each move there",
		Example: "  oxo train menace --game ttt --games 500 --out menace.brain\n  oxo brain show menace.brain\n  oxo " +
			"exam winratio:table=wr.table && oxo brain show wr.table --position 'x../.../... o'",
		Args: exactArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if most < 0 {
				return fmt.Errorf("brain show: --most %d: it must be at least 0", most)
			}
			data, err := readSealed(args[0])
			if err != nil {
				return err
			}
			if bytes.HasPrefix(data, []byte("oxo table")) {
				return a.printWinratioTallies(args[0], data, game, position)
			}
			brain, err := learn.ReadBrain(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			game = cmp.Or(game, brain.Game)
			g, err := a.lab.Game(game)
			if err != nil {
				return err
			}
			if position != "" {
				l, err := g.Learning().LookWithBrain(c.Context(), data, position)
				if err != nil {
					return fmt.Errorf("brain show: --position %q: %w", position, err)
				}
				if len(l.Moves) == 0 && !a.json {
					return fmt.Errorf("brain show: --position %q: the game is over there", position)
				}
				return a.answer(l, func() { a.printf("%s", moveEvaluationsText(l)) })
			}
			s, err := g.Learning().ShowBrain(data, most)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return a.answerf(s, "%s", s)
		},
	}
	show.Flags().StringVar(&game, "game", "", "the brain's game, where its file: has moved (default as the brain says)")
	show.Flags().StringVar(&position, "position", "",
		"the position whose moves it is asked about; without it a table of winratio says what it has of the start")
	show.Flags().IntVar(&most, "most", 20, "how many boxes or positions to list")
	c := &cobra.Command{Use: "brain", Short: "look inside a brain"}
	setUpGroupCommand(a, c)
	c.AddCommand(show)
	return c
}

// printWinratioTallies prints how games end below each move of a position, by the table that
// the player winratio keeps.
func (a *app) printWinratioTallies(path string, data []byte, game, position string) error {
	g, err := a.lab.Game(cmp.Or(game, "ttt"))
	if err != nil {
		return err
	}
	list, err := g.Solving().ReadTallies(bytes.NewReader(data), position)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	state, err := g.Parse(position)
	if err != nil {
		return err
	}
	answer := struct {
		Game     string           `json:"game"`
		Position string           `json:"position"`
		Tallies  []lab.GamesBelow `json:"tallies"`
	}{g.Info().Spec, state.Position, list}
	return a.answer(answer, func() {
		a.printf("%s at %s: games below each move\n  %-6s %14s %14s %14s\n", answer.Game, answer.Position, "move",
			"first wins", "second wins", "drawn")
		for _, t := range list {
			a.printf("  %-6s %14.0f %14.0f %14.0f\n", t.Move, t.First, t.Second, t.Draw)
		}
	})
}
