package cmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"oxo/lab"
	"oxo/learn/exam"
	"oxo/learn/space"
	"oxo/solve"
)

// examLine says an exam in a line.
func examLine(e *exam.Exam) string {
	seat := func(s exam.SeatExam) string {
		return fmt.Sprintf("%.3f vs random, %.3f vs best, %d mistakes", s.VsRandom.Points(), s.VsBest.Points(),
			s.Mistakes)
	}
	return fmt.Sprintf("first: %s; second: %s; exploitability %.4f", seat(e.AsFirst), seat(e.AsSecond),
		e.Exploitability)
}

func (a *printer) printExam(e *exam.Exam) {
	a.printf("%s, exactly:\n", e.Game)
	a.printf("  %-10s %-14s %9s %9s %9s %12s\n", "seat", "against", "win", "draw", "loss", "optimal")
	for _, seat := range []struct {
		name string
		exam exam.SeatExam
	}{{"first", e.AsFirst}, {"second", e.AsSecond}} {
		row := func(against string, s exam.Score) {
			resigned := ""
			if s.Resigned > 0 {
				resigned = fmt.Sprintf("  it resigns %.5f", s.Resigned)
			}
			a.printf("  %-10s %-14s %9.5f %9.5f %9.5f %12.5f%s\n", seat.name, against, s.Win, s.Draw, s.Loss, s.Optimal,
				resigned)
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

func examVerb(a *app) *cobra.Command {
	var game string
	var games int
	var seed uint64
	c := &cobra.Command{
		Use:   "exam PLAYER",
		Short: "grade a player against the solved game, exactly",
		Long: "grade a player against the solved game, exactly: nothing is sampled.\nWhere the game has too many " +
			"positions, or the player goes by more than the position, it is graded\n" +
			"by matches from random openings instead, each with an error bar, and the answer says so.",
		Example: "  oxo exam heuristic --game ttt\n  oxo exam brain:menace.brain --game ttt --json",
		Args:    exactArgs("PLAYER"),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := a.lab.Game(game)
			if err != nil {
				return err
			}
			if games < 2 || games%2 != 0 {
				return fmt.Errorf("exam: --games %d: an even number is needed, at least 2", games)
			}
			e, err := g.Learning().Exam(c.Context(), args[0])
			if errors.Is(err, solve.ErrTooLarge) || errors.Is(err, space.ErrTooLarge) ||
				errors.Is(err, lab.ErrNoPolicy) {
				return a.sampledExam(c.Context(), g, args[0], games, seed, err)
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

// sampledExam grades a player by matches, because of the error of the exact exam.
// Where it is stopped, the answer is of the games that were played.
func (a *app) sampledExam(ctx context.Context, g lab.Game, player string, games int, seed uint64, because error) error {
	show, wipe := a.progress()
	begin := time.Now()
	e, err := g.Learning().ExamBySample(ctx, player, games, seed, func(done, of int) {
		_, left := rateAndTimeLeft(done, of, time.Since(begin).Seconds())
		show("%d of %d games for a sample, %v left", done, of, left.Round(time.Second))
	})
	wipe()
	if err != nil && (ctx.Err() == nil || e == nil) {
		return err
	}
	e.Reason = because.Error()
	if a.json {
		return errors.Join(a.printJSON(e), err)
	}
	a.printf("%s: a sample of %d games each, because of the exact exam: %s\n", e.Game, e.Games, e.Reason)
	for _, name := range slices.Sorted(maps.Keys(e.Vs)) {
		m := e.Vs[name]
		a.printf("  against %-14s %d won, %d drawn, %d lost, Elo %+.0f ± %.0f\n", name, m.Wins, m.Draws, m.Losses,
			m.Elo.Elo, m.Error)
	}
	return err
}
