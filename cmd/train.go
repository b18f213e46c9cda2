package cmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxo/lab"
	"oxo/learn"
	"oxo/solve"
)

func (a *app) trainVerb() *cobra.Command {
	var o lab.TrainOptions
	var game, out, resume string
	var d drawing
	var options bool
	before := 0 // games that the brain to go on from has played
	c := &cobra.Command{
		Use:   "train LEARNER",
		Short: "train a learner, and grade it exactly",
		Long: "train a learner, and grade it exactly.\n\nThe opponent is a player's spec, itself, or pool:A|B|…; oxo games lists players and learners,\nand --options what the options of a learner mean.\n" +
			"Ctrl-C stops between two games and saves what was learned; --resume goes on from there,\nas if it had never stopped.",
		Example: "  oxo train menace --game ttt --against perfect --games 500 --out menace.brain\n" +
			"  oxo train table --game ttt --against itself --games 20000 --exam-every 1000\n" +
			"  oxo train --resume menace.brain --games 500 --out menace.brain",
		Args: learnerUnless(&resume),
		RunE: func(c *cobra.Command, args []string) error {
			if resume != "" {
				if err := d.canGoOn(options); err != nil {
					return err
				}
				data, brain, err := goOn(c, resume, &game)
				if err != nil {
					return err
				}
				o.Resume, before = data, brain.Tally.Games
			} else {
				o.Learner = args[0]
			}
			if c.Flags().Changed("exam-every") && o.ExamEvery < 1 {
				return fmt.Errorf("train: --exam-every %d: it must be at least 1", o.ExamEvery)
			}
			if d.workers < 0 {
				return fmt.Errorf("train: --workers %d: it must be at least 1, or 0 for one a core", d.workers)
			}
			g, err := a.lab.Game(game)
			if err != nil {
				return err
			}
			if options {
				return a.printOptions(g.Learners(c.Context()), o.Learner)
			}
			if out != "" {
				if err := writable(out); err != nil {
					return err
				}
			}
			show, wipe := a.progress()
			o.Progress = func(r lab.TrainReport) {
				if r.Exam == nil {
					rate, left := pace(r.Games-before, o.Games, r.Seconds)
					show("%d games, %d won, %d drawn, %d lost, %.0f games a second, %v left", r.Games, r.Wins, r.Draws, r.Losses, rate, left.Round(time.Second))
					return
				}
				wipe()
				if a.json {
					_ = a.printJSON(r) // a lost line of progress is no loss
				} else {
					a.printf("%8d games  %s\n", r.Games, examLine(r.Exam))
				}
			}
			if err := d.check(c, g, o); err != nil {
				return err
			}
			r, err := g.Train(c.Context(), o)
			wipe()
			if err != nil {
				return err
			}
			if out != "" { // first, so that a curve that can't be drawn loses nothing
				if err := writeWhole(out, r.Brain); err != nil {
					return err
				}
			}
			var undrawn error
			if d.wanted() && !r.Stopped {
				stop := a.clock("training the runs of the learning curve")
				undrawn = d.draw(c.Context(), g, o)
				stop()
			}
			if a.json {
				return errors.Join(a.printJSON(r), undrawn)
			}
			which := ""
			if d.runs > 1 && d.wanted() && !r.Stopped {
				which = fmt.Sprintf(" the first of %d runs, of", d.runs)
			}
			a.printf("%s on %s:%s %d games in %.3f s: %d won, %d drawn, %d lost\n", r.Learner, r.Game, which, r.Games, r.Seconds, r.Wins, r.Draws, r.Losses)
			if r.Stopped {
				a.printf("stopped before all games were played\n")
			}
			switch {
			case r.Exam != nil:
				a.printExam(r.Exam)
			case r.ExamStopped:
				a.printf("the exam was not made: it was stopped\n")
			}
			for _, path := range []string{d.csv, d.plot} {
				switch {
				case path == "":
				case r.Stopped || undrawn != nil:
					a.printf("no learning curve was written to %s\n", path)
				default:
					a.printf("learning curve written to %s\n", path)
				}
			}
			if out != "" {
				a.printf("brain written to %s\n", out)
			}
			return undrawn
		},
	}
	f := c.Flags()
	f.StringVar(&game, "game", "ttt", "the game to learn")
	f.StringVar(&o.Against, "against", learn.Itself, "who to play against")
	f.IntVar(&o.Games, "games", 1000, "how many games to play")
	f.BoolVar(&options, "options", false, "list the learner's options and what they take in this game, instead of training")
	f.StringVar(&out, "out", "", "the file to keep the brain in")
	f.StringVar(&resume, "resume", "", "a brain to go on from")
	f.StringVar(&o.Start, "start", "", "how games begin: "+generatorNames())
	f.StringVar(&o.Seats, "seats", "", "the learner's seat: alternate, first or second (default alternate)")
	f.Uint64Var(&o.Seed, "seed", 1, "what the learner and its opponent draw from")
	f.IntVar(&o.ExamEvery, "exam-every", 0, "examine after every so many games")
	f.StringVar(&d.csv, "curve", "", "write the learning curve as CSV: exact exams, and weights or beads, by games trained")
	f.StringVar(&d.plot, "plot", "", "draw the learning curve: a .svg or .png file")
	f.StringVar(&d.lines, "lines", "% won", "which lines to plot: those whose name has this in it, or one of several joined with |")
	f.IntVar(&d.runs, "runs", 1, "train so many learners for the curve, seeds counting up: their mean and 10–90 % band")
	f.IntVar(&d.workers, "workers", 0, "runs at once (default one a core)")
	return c
}

// printOptions lists what the options of a learner mean and take in a game.
func (a *app) printOptions(all *lab.Catalogue, learner string) error {
	spec, err := learn.Parse(learner)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all.Learners, func(f lab.LearnerForm) bool { return f.Name == spec.Name() })
	form := all.Learners[i]
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

// pace returns the games a second and the time that is left after some of the
// games asked for.
func pace(games, of int, seconds float64) (rate float64, left time.Duration) {
	rate = float64(games) / max(seconds, 1e-3)
	return rate, time.Duration(float64(max(0, of-games)) / max(rate, 1e-3) * float64(time.Second))
}

// drawing is what to make of a learning curve.
type drawing struct {
	csv, plot, lines string
	runs, workers    int
}

func (d *drawing) wanted() bool { return d.csv != "" || d.plot != "" }

// canGoOn refuses what is for learners that begin.
func (d *drawing) canGoOn(options bool) error {
	if options {
		return errors.New("train: --options: they are a new learner's; a brain's own are in its file")
	}
	if d.wanted() {
		return errors.New("train: --resume: a learning curve begins with a learner that knows nothing; leave --curve and --plot out")
	}
	return nil
}

// learnerUnless wants a LEARNER, unless there is a brain to go on from.
func learnerUnless(resume *string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if *resume == "" {
			return exactly("LEARNER")(c, args)
		}
		if len(args) > 0 {
			return fmt.Errorf("train: unexpected %q: --resume goes on with the brain's own learner", args[0])
		}
		return nil
	}
}

// goOn reads the brain to go on from, and its game unless --game names one. It
// refuses flags that the brain makes meaningless.
func goOn(c *cobra.Command, path string, game *string) (data []byte, brain *learn.Brain, err error) {
	if data, err = os.ReadFile(path); err != nil {
		return nil, nil, err
	}
	if brain, err = learn.ReadBrain(data); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, own := range [][2]string{{"against", brain.Plan.Against}, {"start", brain.Plan.Start}, {"seats", brain.Plan.Seats}, {"seed", fmt.Sprint(brain.Seed)}} {
		if f := c.Flags().Lookup(own[0]); f.Changed && f.Value.String() != own[1] {
			return nil, nil, fmt.Errorf("train: --%s %s: --resume goes on as the brain began, with --%s %s", own[0], f.Value, own[0], own[1])
		}
	}
	if !c.Flags().Changed("game") {
		*game = brain.Game
	}
	return data, brain, nil
}

// check refuses before training what can't be drawn after it.
func (d *drawing) check(c *cobra.Command, g lab.Game, o lab.TrainOptions) error {
	if d.runs < 1 {
		return fmt.Errorf("train: --runs %d: it must be at least 1", d.runs)
	}
	if d.runs > 1 && !d.wanted() {
		return fmt.Errorf("train: --runs %d: several runs are for a learning curve; give --curve or --plot", d.runs)
	}
	if format := d.format(); d.plot != "" && format != "svg" && format != "png" {
		return fmt.Errorf("train: --plot %s: the file must end in .svg or .png", d.plot)
	}
	for _, path := range []string{d.csv, d.plot} {
		if path != "" {
			if err := writable(path); err != nil {
				return err
			}
		}
	}
	chosen := c.Flags().Changed("lines")
	if d.plot == "" {
		if chosen {
			return fmt.Errorf("train: --lines %q: lines are drawn by --plot", d.lines)
		}
		return nil
	}
	names, err := g.CurveLines(c.Context(), o)
	if err != nil {
		return err
	}
	switch {
	case slices.ContainsFunc(names, d.draws):
	case chosen:
		return fmt.Errorf("train: --lines %q: no line has that in its name; there are %s", d.lines, strings.Join(names, ", "))
	default:
		d.lines = "" // without exams there are weights alone
	}
	return nil
}

// draws reports whether the line of that name is to be drawn.
func (d *drawing) draws(name string) bool {
	return slices.ContainsFunc(strings.Split(d.lines, "|"), func(w string) bool { return strings.Contains(name, w) })
}

func (d *drawing) format() string { return strings.TrimPrefix(filepath.Ext(d.plot), ".") }

func (d *drawing) draw(ctx context.Context, g lab.Game, o lab.TrainOptions) error {
	curve, err := g.Curve(ctx, o, d.runs, d.workers)
	if err != nil {
		return err
	}
	if d.csv != "" {
		if err := writeWith(d.csv, func(f *os.File) error { return curve.WriteCSV(f) }); err != nil {
			return err
		}
	}
	if d.plot == "" {
		return nil
	}
	return writeWith(d.plot, func(f *os.File) error { return curve.Only(d.draws).WritePlot(f, d.format()) })
}

func generatorNames() string {
	text := ""
	for i, form := range learn.GeneratorForms() {
		if i > 0 {
			text += ", "
		}
		text += form[0]
	}
	return text
}

// examLine says an exam in a line.
func examLine(e *learn.Exam) string {
	seat := func(s learn.SeatExam) string {
		return fmt.Sprintf("%.3f vs random, %.3f vs best, %d mistakes", s.VsRandom.Points(), s.VsBest.Points(), s.Mistakes)
	}
	return fmt.Sprintf("first: %s; second: %s; exploitability %.4f", seat(e.AsFirst), seat(e.AsSecond), e.Exploitability)
}

func (a *app) printExam(e *learn.Exam) {
	a.printf("%s, exactly:\n", e.Game)
	a.printf("  %-10s %-14s %9s %9s %9s %12s\n", "seat", "against", "win", "draw", "loss", "optimal")
	for _, seat := range []struct {
		name string
		exam learn.SeatExam
	}{{"first", e.AsFirst}, {"second", e.AsSecond}} {
		row := func(against string, s learn.Score) {
			resigned := ""
			if s.Resigned > 0 {
				resigned = fmt.Sprintf("  it resigns %.5f", s.Resigned)
			}
			a.printf("  %-10s %-14s %9.5f %9.5f %9.5f %12.5f%s\n", seat.name, against, s.Win, s.Draw, s.Loss, s.Optimal, resigned)
		}
		row("random", seat.exam.VsRandom)
		if seat.exam.VsHeuristic != nil {
			row("heuristic", *seat.exam.VsHeuristic)
		}
		row("best reply", seat.exam.VsBest)
		a.printf("  %-10s exploitability %.5f, mistakes possible in %d of %d positions\n", seat.name,
			seat.exam.Exploitability, seat.exam.Mistakes, seat.exam.Decisions)
		for _, p := range seat.exam.Worst {
			a.printf("  %-10s   %s\n", "", p)
		}
	}
}

func (a *app) examVerb() *cobra.Command {
	var game string
	var games int
	var seed uint64
	c := &cobra.Command{
		Use:   "exam PLAYER",
		Short: "grade a player against the solved game, exactly",
		Long: "grade a player against the solved game, exactly: nothing is sampled.\nWhere the game has too many positions, the player is graded by matches from random openings\n" +
			"instead, each with an error bar, and the answer says so.",
		Example: "  oxo exam heuristic --game ttt\n  oxo exam brain:menace.brain --game ttt --json",
		Args:    exactly("PLAYER"),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := a.lab.Game(game)
			if err != nil {
				return err
			}
			if games < 2 || games%2 != 0 {
				return fmt.Errorf("exam: --games %d: an even number is needed, at least 2", games)
			}
			e, err := g.Exam(c.Context(), args[0])
			if errors.Is(err, solve.ErrTooLarge) || errors.Is(err, learn.ErrTooLarge) {
				return a.sampledExam(c.Context(), g, args[0], games, seed)
			}
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(e)
			}
			a.printExam(e)
			return nil
		},
	}
	c.Flags().StringVar(&game, "game", "ttt", "the game to be examined in")
	c.Flags().IntVar(&games, "games", 100, "games against each opponent, where the exam is sampled")
	c.Flags().Uint64Var(&seed, "seed", 1, "what a sampled exam draws from")
	return c
}

func (a *app) sampledExam(ctx context.Context, g lab.Game, player string, games int, seed uint64) error {
	stop := a.clock("playing games for a sample")
	e, err := g.ExamBySample(ctx, player, games, seed)
	stop()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(e)
	}
	a.printf("%s: too many positions for an exact exam, so this is a sample of %d games each\n", e.Game, e.Games)
	for _, name := range slices.Sorted(maps.Keys(e.Vs)) {
		m := e.Vs[name]
		a.printf("  against %-14s %d won, %d drawn, %d lost, Elo %+.0f ± %.0f\n", name, m.Wins, m.Draws, m.Losses, m.Elo.Elo, m.Error)
	}
	return nil
}

func (a *app) brainVerb() *cobra.Command {
	var game string
	var most int
	show := &cobra.Command{
		Use:     "show FILE",
		Short:   "print what was learned: weights by feature, boxes, best positions",
		Example: "  oxo train menace --game ttt --games 500 --out menace.brain\n  oxo brain show menace.brain",
		Args:    exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if most < 0 {
				return fmt.Errorf("brain show: --most %d: it must be at least 0", most)
			}
			data, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			brain, err := learn.ReadBrain(data)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if game == "" {
				game = brain.Game
			}
			g, err := a.lab.Game(game)
			if err != nil {
				return err
			}
			s, err := g.ShowBrain(data, most)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if a.json {
				return a.printJSON(s)
			}
			a.printf("%s", s)
			return nil
		},
	}
	show.Flags().StringVar(&game, "game", "", "the brain's game, where its file: has moved (default as the brain says)")
	show.Flags().IntVar(&most, "most", 20, "how many boxes or positions to list")
	c := &cobra.Command{Use: "brain", Short: "look inside a brain", Args: underVerb, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(show)
	return c
}
