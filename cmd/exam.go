package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"oxo/lab"
	"oxo/learn/exam"
	"oxo/learn/limit"
	"oxo/learn/model"
	"oxo/learn/space"
	"oxo/solve"
)

// examSummaryLine says an exam in a line.
func examSummaryLine(e *exam.Exam) string {
	seat := func(s exam.SeatExam) string {
		return fmt.Sprintf("scores %.3f vs random, %.3f vs best reply, %d mistakes", s.VsRandom.Points(),
			s.VsBest.Points(), s.Mistakes)
	}
	return fmt.Sprintf("first: %s; second: %s; exploitability %.4f", seat(e.AsFirst), seat(e.AsSecond),
		rounded(e.Exploitability, 4))
}

// printExam prints an exact exam, a line for each seat and opponent. Win, draw and loss are exact
// probabilities; optimal is the share of moves that keep the value, each weighted by how often it is
// made.
func (a *printer) printExam(e *exam.Exam) {
	a.printf("%s, exactly:\n", e.Game)
	a.printf("  %-10s %-14s %9s %9s %9s %12s\n", "seat", "against", "win", "draw", "loss", "optimal")
	for _, seat := range []struct {
		name string
		exam exam.SeatExam
	}{{"first", e.AsFirst}, {"second", e.AsSecond}} {
		row := func(against string, s exam.Score) {
			more, optimal := "", "–"
			if s.Optimal != nil {
				optimal = fmt.Sprintf("%.5f", *s.Optimal)
			}
			if s.Resigned > 0 {
				more = fmt.Sprintf("  it resigns %.5f", s.Resigned)
			}
			if s.Payoff != nil {
				more += fmt.Sprintf("  mean payoff %.5f", rounded(*s.Payoff, 5))
			}
			a.printf("  %-10s %-14s %9.5f %9.5f %9.5f %12s%s\n", seat.name, against, s.Win, s.Draw, s.Loss, optimal,
				more)
		}
		row("random", seat.exam.VsRandom)
		if seat.exam.VsHeuristic != nil {
			row("heuristic", *seat.exam.VsHeuristic)
		}
		row("best reply", seat.exam.VsBest)
		a.printf("  %-10s exploitability %.5f, mistakes possible in %d of %d positions\n", seat.name,
			rounded(seat.exam.Exploitability, 5), seat.exam.Mistakes, seat.exam.Decisions)
		if len(seat.exam.Worst) > 0 {
			a.printf("  %-10s where it gives most away, on average of its moves there, most first:\n", "")
		}
		for _, p := range seat.exam.Worst {
			a.printf("  %-10s   %s\n", "", p)
		}
	}
}

// examVerb returns the verb that grades a player.
func examVerb(a *app) *cobra.Command {
	var game string
	var o lab.SampleOptions
	var check string
	c := &cobra.Command{
		Use:   "exam PLAYER|LEARNER",
		Short: "grade a player against the solved game, exactly",
		Long: "grade a player against the solved game, exactly: nothing is sampled.\nWhere the game has too many " +
			"positions, or the player goes by more than the position, it is graded\n" +
			"by a sample instead, with error bars, and the answer says so: where marks fall, of positions in which\n" +
			"a move gives value away, judged by the exact solver; else of matches from random openings.\n" +
			"Of a learner that is a weighted sum, such as lms:features=squares or ntuple, it says what any\n" +
			"weights can play: some that no reply beats, or a certificate that there are none, which --check adds up.",
		Example: "  oxo exam heuristic --game ttt\n  oxo exam brain:menace.brain --game ttt --json\n" +
			"  oxo exam lms:features=squares --json >squares.json\n" +
			"  oxo exam lms:features=squares --check squares.json",
		Args: exactArgs("PLAYER|LEARNER"),
		RunE: func(c *cobra.Command, args []string) error {
			if !c.Flags().Changed("game") {
				game = cmp.Or(gameOfBrains(a.lab, args[0]), game)
			}
			g, err := a.lab.Game(game)
			if err != nil {
				return err
			}
			switch {
			case o.Games < 2 || o.Games%2 != 0:
				return fmt.Errorf("exam: --games %d: an even number is needed, at least 2", o.Games)
			case o.Positions < 1:
				return fmt.Errorf("exam: --positions %d: it must be at least 1", o.Positions)
			case o.Openings < 0:
				return fmt.Errorf("exam: --openings %d: it must be at least 0", o.Openings)
			}
			if most := g.Info().MaxPlies / 2; most > 0 && !c.Flags().Changed("openings") {
				o.Openings = min(o.Openings, most) // short games are not over before they are played
			}
			if isLearner(a.lab, args[0]) {
				return a.findOrCheckLimits(c.Context(), g, args[0], check)
			}
			if check != "" {
				return fmt.Errorf("exam: --check %s: it is for a learner such as lms:features=squares, not for "+
					"player %q", check, args[0])
			}
			ctx, stop := showExamining(c.Context(), &a.printer, "examining")
			e, err := g.Learning().ExamPlayer(ctx, args[0])
			stop(err)
			if errors.Is(err, solve.ErrTooLarge) || errors.Is(err, space.ErrTooLarge) ||
				errors.Is(err, lab.ErrNoPolicy) {
				return a.sampledExam(c.Context(), g, args[0], o, err)
			}
			if err != nil {
				return err
			}
			for _, name := range []string{"games", "openings", "positions", "seed"} {
				if c.Flags().Changed(name) {
					fmt.Fprintf(a.errs, "--%s is not used: every position was examined, nothing sampled\n", name)
				}
			}
			return a.answer(e, func() { a.printExam(e) })
		},
	}
	c.Flags().StringVar(&game, "game", "ttt", "the game to be examined in")
	c.Flags().IntVar(&o.Games, "games", 100, "games against each opponent, where the exam is a sample of matches")
	c.Flags().IntVar(&o.Openings, "openings", 4,
		"random plies that those games begin with (of short games half of their plies)")
	c.Flags().IntVar(&o.Positions, "positions", 300, "positions, where the exam is a sample that a solver judges")
	c.Flags().Uint64Var(&o.Seed, "seed", 1, "what a sampled exam draws from")
	c.Flags().StringVar(&check, "check", "", "check what an exam of a learner with --json said, and look for nothing")
	return c
}

// examining is how far an exam is with the positions of a game.
type examining struct {
	mu       sync.Mutex
	work     space.Work
	began    time.Time // the work
	done, of int
	listed   int // positions
}

// note notes how far a work is; it is a [space.Progress].
func (e *examining) note(w space.Work, done, of int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if w != e.work || done < e.done { // the same is done for one player after another
		e.work, e.began = w, time.Now()
	}
	e.done, e.of = done, of
	switch w {
	case space.Listing:
		e.listed = done
	case space.Classing:
		e.listed = of
	}
}

// line says how far the work is, and how long what it does now goes on.
func (e *examining) line(otherwise string, took time.Duration) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.work == "":
		return fmt.Sprintf("%s, %v", otherwise, took)
	case e.of == 0:
		return fmt.Sprintf("%s, %s so far, %v", e.work, groupThousands(uint64(e.done)), took)
	case e.of-e.done < e.of/1000: // what comes then tells nothing of itself
		return fmt.Sprintf("%s, %v", otherwise, took)
	}
	left := timeLeft(e.done, e.of, time.Since(e.began).Seconds()).Round(time.Second)
	return fmt.Sprintf("%s, %s of %s, %v left of this", e.work, groupThousands(uint64(e.done)),
		groupThousands(uint64(e.of)), left)
}

// showExamining shows on a terminal how far work is that lists the positions of a game, in the context that it
// returns; stop ends that, and where the work was stopped says how far it had come.
func showExamining(ctx context.Context, a *printer, work string) (_ context.Context, stop func(error)) {
	e := &examining{}
	over := a.showEachSecond(func(took time.Duration) string { return e.line(work, took) })
	return space.WithProgress(ctx, e.note), func(err error) {
		if over(); errors.Is(err, context.Canceled) && e.listed > 0 {
			fmt.Fprintf(a.errs, "oxo: nothing is graded; it was %s, and had listed %s\n", e.work,
				countOf(e.listed, "position", "positions"))
		}
	}
}

// isLearner reports whether a spec is a learner's and no player's.
func isLearner(l *lab.Lab, spec string) bool {
	name, _, _ := strings.Cut(spec, ":")
	return slices.ContainsFunc(l.LearnerForms(), func(f model.Form) bool { return f.Name == name })
}

// findOrCheckLimits says what any weights of a learner can play, or checks the file that says so. Claims that
// are read back with --check are verified by exact arithmetic alone, without the search that found
// them.
func (a *app) findOrCheckLimits(ctx context.Context, g lab.Game, learner, claimsFile string) error {
	var claimed *limit.Limits
	if claimsFile != "" {
		data, err := os.ReadFile(claimsFile)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(data, &claimed); err != nil || claimed == nil {
			return fmt.Errorf("exam: --check %s: it is not what an exam of a learner with --json says", claimsFile)
		}
	}
	ctx, stop := showExamining(ctx, &a.printer, "looking for weights")
	l, err := g.Learning().LimitsOfFeatures(ctx, learner, claimed)
	if l != nil {
		stop(nil) // what was decided is said
	} else {
		stop(err)
	}
	switch {
	case err != nil && claimsFile != "":
		return fmt.Errorf("exam: --check %s: %w", claimsFile, err)
	case l == nil:
		return err
	}
	return errors.Join(a.answerf(l, "%s", limitsText(l)), err)
}

// limitsText says in words what weights can play.
func limitsText(l *limit.Limits) string {
	var text strings.Builder
	line := func(seats, format string, args ...any) {
		fmt.Fprintf(&text, "  %-7s "+format+"\n", append([]any{seats}, args...)...)
	}
	fmt.Fprintf(&text, "%s, any weights of the %d features of %s:\n", l.Game, len(l.Features), l.Learner)
	for _, answer := range l.Answers {
		switch {
		case answer.Cases != nil:
			sum, cases := answer.Cases.Count()
			line(answer.Seats, "none is unbeatable: certificate checked, inequalities: %d, cases: %d", sum, cases)
			for _, q := range answer.Cases.Sum {
				line("", "  %s times, in %s: %s must be worth more than %s", q.Times, q.Position, q.Best, q.Than)
			}
		case answer.Weights != nil:
			line(answer.Seats, "some are unbeatable, by an exact exam")
			for i, w := range answer.Weights {
				if w != 0 && len(l.Features) <= mostFeaturesShown {
					line("", "  %+g %s", w, l.Features[i])
				}
			}
		default:
			line(answer.Seats, "not decided: neither such weights nor a certificate was found")
		}
	}
	return text.String()
}

// mostFeaturesShown is of how many features weights are printed.
const mostFeaturesShown = 20

// sampledExam grades a player by a sample, because of the error of the exact exam. Where it is stopped, the answer
// is of the games that were played, and comes with the error. The reason why there is no exact exam is part of the
// answer, so that nobody takes a sample for the truth.
func (a *app) sampledExam(ctx context.Context, g lab.Game, player string, o lab.SampleOptions, because error) error {
	show, wipe := a.progressLine()
	begin := time.Now()
	o.Tell = func(done, of int) {
		left := timeLeft(done, of, time.Since(begin).Seconds())
		show("%d of %d for a sample, %v left", done, of, left.Round(time.Second))
	}
	e, err := g.Learning().ExamBySampleOrMatches(ctx, player, o)
	wipe()
	if err != nil && (ctx.Err() == nil || e == nil || e.Vs == nil) {
		return err
	}
	e.Reason = because.Error()
	switch {
	case a.json:
		return errors.Join(a.printJSON(e), err)
	case e.Solved != nil:
		a.printf("%s: a sample, not an exact exam: %s\n", e.Game, e.Reason)
		a.printSampledExam(e.Solved)
		return err
	}
	size := fmt.Sprintf("%d games each", e.Games)
	if e.Played < e.Of {
		size = fmt.Sprintf("%d of %d games, at which it was stopped,", e.Played, e.Of)
	}
	a.printf("%s: a sample of %s from openings of %s at random, not an exact exam: %s\n", e.Game, size,
		countOf(e.Plies, "ply", "plies"), e.Reason)
	for _, name := range slices.Sorted(maps.Keys(e.Vs)) {
		m := e.Vs[name]
		paid := ""
		if mean, pays := m.MeanPaid(); pays {
			paid = fmt.Sprintf(", mean payoff %.5f", rounded(mean, 5))
		}
		games := ""
		if e.Played < e.Of {
			games = fmt.Sprintf(", %d of %d games", m.Wins+m.Draws+m.Losses, e.Games)
		}
		a.printf("  against %-14s %d won, %d drawn, %d lost, Elo %+.0f ± %.0f%s%s\n", name, m.Wins, m.Draws, m.Losses,
			rounded(m.Elo.Elo, 0), m.Error, paid, games)
	}
	return err
}

// printSampledExam prints a sample that a solver judged.
func (a *printer) printSampledExam(s *exam.Sampled) {
	a.printf("  of %d positions in which a move gives value away it keeps the value in %s,\n", s.Positions.Of,
		percent(s.Positions))
	a.printf("  of the %d in which no move ends the game in %s; by the exact solver,\n", s.Quiet.Of, percent(s.Quiet))
	a.printf("  at least %d marks, from %s (seed %d) in which three moves of four keep the value;\n", s.Marks,
		countOf(s.Games, "game", "games"), s.Seed)
	a.printf("  in brackets are 95 %% confidence intervals, after Agresti and Coull with a game for an observation\n")
}

// percent writes a share of 1 and its 95 % interval in percent.
func percent(s exam.Share) string {
	if s.Of == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f %% (%.1f to %.1f %%)", 100*s.Kept, 100*s.Low, 100*s.High)
}
