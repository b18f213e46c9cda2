package cmd

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/learn"
	"oxo/learn/model"
)

// isTaughtByHand reports whether a person is to teach: as asked, or as the brain to go on
// from was taught.
func isTaughtByHand(args *jobs.TrainArgs) bool {
	if args.Resume == nil || args.Against != "" {
		return args.Against == lab.Human
	}
	brain, err := learn.ReadBrain(args.Resume)
	return err == nil && brain.Plan.Against == lab.Human
}

// teachByHand has a person teach a learner in the terminal, game after game. The brain is kept after each,
// so that who leaves loses no game that has ended. It ends after --games games, or when the person
// leaves or the input ends; a game that is left teaches nothing.
func (a *app) teachByHand(c *cobra.Command, k *verbRun, out string) error {
	args := k.args.(*jobs.TrainArgs)
	if err := refuseUnattendedFlags(c, "--against human", "curve"); err != nil {
		return err
	}
	most := -1
	if c.Flags().Changed("games") {
		most = args.Games
	}
	g, err := a.lab.Game(k.game)
	if err != nil {
		return err
	}
	begin, l := time.Now(), g.Learning()
	t, err := l.NewOrResumedTrainer(c.Context(), lab.TrainOptions{Learner: args.Learner, Against: lab.Human,
		Seed: k.seed, Start: args.Start, Seats: args.Seats, Resume: args.Resume})
	if err != nil {
		return err
	}
	if out == "" {
		out = unusedFileName(t.Spec().Name())
	}
	before, in := t.Tally(), bufio.NewReader(a.in)
	for ; most != 0; most-- {
		taught, err := a.teachGame(c.Context(), g, t, in)
		if err != nil && c.Context().Err() == nil {
			return err
		}
		if taught == nil {
			break
		}
		data, err := brainBytes(l, t)
		if err == nil {
			err = writeSealed(out, data)
		}
		if err == nil {
			err = a.answer(taught, func() { a.printTaughtGame(taught) })
		}
		if err != nil {
			return err
		}
	}
	return a.printTeachingSummary(g, t, before, lab.Human, out, time.Since(begin).Seconds())
}

// teachGame plays a game. It returns what the game taught, nothing where it was left.
func (a *app) teachGame(ctx context.Context, g lab.Game, t *learn.Trainer, in *bufio.Reader) (*learn.Taught, error) {
	s, err := g.Learning().BeginLesson(ctx, t)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	table := newTerminalGame(a, g, s)
	table.lesson = true
	broke := table.run(ctx, in)
	taught, err := s.Taught()
	if taught != nil || broke == nil {
		return taught, err
	}
	return nil, broke
}

// brainBytes is what a trainer has learned, as a file has it.
func brainBytes(l lab.Learning, t *learn.Trainer) ([]byte, error) {
	brain, err := l.Brain(t)
	if err != nil {
		return nil, err
	}
	return brain.Bytes()
}

// gradeTaught is how long the exam at the end of teaching may take.
const gradeTaught = time.Second

// refuseUnattendedFlags refuses flags of trainings that go on by themselves, which one that a person
// teaches or watches does not.
func refuseUnattendedFlags(c *cobra.Command, how string, also ...string) error {
	return refuseFlags(c.Flags(), "train", "does not go with "+how+", where one game is played after another",
		append(also, "runs", "exam-every", "plot", "lines", "workers", "on", "priority", "detach")...)
}

// printTeachingSummary sums up the games that ended. Only the games of this run are counted, not those that
// the brain had learned from before. The exam has [gradeTaught] to be made in.
func (a *printer) printTeachingSummary(g lab.Game, t *learn.Trainer, before learn.Tally, against, out string,
	seconds float64) error {
	sum := &jobs.TrainSummary{Game: g.Info().Spec, Learner: t.Spec().String(), Against: against, Untaught: t.Untaught(),
		Runs: []jobs.TrainOutcome{}, Tally: t.Tally().Minus(before)}
	ctx, end := context.WithTimeout(context.Background(), gradeTaught)
	defer end()
	var err error
	if why := g.Learning().Inexact(ctx); why != nil {
		sum.NoExam = why.Error()
	} else if sum.Exam, err = g.Learning().GradeExactly(ctx, t); err != nil {
		sum.Exam, sum.ExamStopped = nil, true
	}
	if a.json {
		return a.printJSON(struct {
			*jobs.TrainSummary
			Seconds float64 `json:"seconds"`
		}{sum, seconds})
	}
	a.printTraining(sum, seconds)
	switch {
	case sum.Games == 0:
		a.printf("no game has ended, so nothing was learned or written\n")
	case out != "":
		a.printf("brain written to %s\n", out)
	}
	return nil
}

// printTaughtGame says what a game changed: a line a position, with the beads or
// worths of its moves, the one that was made marked with a star.
func (a *printer) printTaughtGame(g *learn.Taught) {
	a.printf("\nWhat it learned from game %d (before→after, * the move made):\n", g.Tally.Games)
	for _, m := range g.Moves {
		var words []string
		changed := false
		for i := range m.After {
			text, now := changeText(m.Before[i], m.After[i])
			changed = changed || now
			switch made := m.Move == m.After[i].Move; {
			case made && text == "":
				words = append(words, m.Move+"*")
			case made:
				words = append(words, text+"*")
			case text != "" && (m.Box != nil || now):
				words = append(words, text)
			}
		}
		why := ""
		switch {
		case m.Move == "":
			why = "  it resigned because this box is empty"
		case m.Explores:
			why = "  tried out"
		}
		if m.Learner || changed {
			a.printf("  %s  %s%s\n", m.Position, strings.Join(words, " "), why)
		}
	}
	for _, w := range g.Weights {
		if w.Before != w.After {
			a.printf("  %s %.4g→%.4g\n", w.Feature, w.Before, w.After)
		}
	}
	n := g.Tally
	a.printf("So far it has won %d, drawn %d and lost %d.\n\n", n.Wins, n.Draws, n.Losses)
}

// changeText says a move's beads or worth before and after, and whether they
// changed; nothing where it has neither.
func changeText(before, after model.Looked) (text string, changed bool) {
	var was, is string
	switch {
	case before.Beads != nil && after.Beads != nil:
		was, is = fmt.Sprint(*before.Beads), fmt.Sprint(*after.Beads)
	case before.Worth != nil && after.Worth != nil:
		was, is = fmt.Sprintf("%.4g", *before.Worth), fmt.Sprintf("%.4g", *after.Worth)
	default:
		return "", false
	}
	if was == is {
		return after.Move + "=" + is, false
	}
	return after.Move + "=" + was + "→" + is, true
}
