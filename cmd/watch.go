package cmd

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxo/games/kind"
	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/learn"
)

// watching is how a training is watched.
type watching struct {
	on   bool
	pace time.Duration
}

// errSeen is that who watches has seen enough.
var errSeen = errors.New("seen enough")

// watchTraining trains a learner move by move in sight, and keeps its brain at the end or
// where it is left.
func (a *app) watchTraining(c *cobra.Command, k *verbRun, w *watching, csv string, kept *brainFiles) error {
	args := k.args.(*jobs.TrainArgs)
	if err := refuseUnattendedFlags(c, "--watch"); err != nil {
		return err
	}
	if w.pace < 0 {
		return fmt.Errorf("train: --pace %v: it must not be negative", w.pace)
	}
	if err := checkWritable(kept.out, kept.second, csv); err != nil {
		return err
	}
	g, err := a.lab.Game(k.game)
	if err != nil {
		return err
	}
	o := lab.TrainOptions{Learner: args.Learner, Against: args.Against, Seed: k.seed, Start: args.Start,
		Seats: args.Seats, Resume: args.Resume}
	if o.Against == "" && o.Resume == nil {
		o.Against = learn.Itself
	}
	t, err := g.Learning().NewOrResumedTrainer(c.Context(), o)
	if err != nil {
		return err
	}
	begin, before := time.Now(), t.Tally()
	s := &trainingView{app: a, trainer: t, info: g.Info(), draw: a.newCanvas(g.Info()), game: g, ctx: c.Context(),
		in: bufio.NewReader(a.in), pace: w.pace,
		byKey: !c.Flags().Changed("pace") && !a.json && isTerminal(a.in) && isTerminal(a.out)}
	left := t.RunWatched(c.Context(), cmp.Or(args.Games, lab.UsualTraining.On(len(s.info.Squares)).Games),
		s.showAndPace)
	if left != nil && !errors.Is(left, errSeen) && c.Context().Err() == nil {
		return left
	}
	if t.Tally().Games > before.Games {
		brain, err := brainBytes(g.Learning(), t)
		if err == nil {
			err = kept.writeBrains(brain, t.Spec().String(), left != nil)
		}
		if err != nil {
			return err
		}
	}
	if err := writeAtomically(csv, []byte(s.rows.String())); err != nil {
		return err
	}
	if !a.json {
		a.printf("%s\n", s.series)
	}
	return a.printTeachingSummary(g, t, before, t.Against(), kept.out, time.Since(begin).Seconds())
}

// trainingView shows the moves of a training.
type trainingView struct {
	*app
	trainer *lab.Trainer
	ctx     context.Context
	game    lab.Game
	info    lab.Info
	draw    *canvas
	in      *bufio.Reader
	pace    time.Duration
	byKey   bool
	ply     int
	rows    strings.Builder // of weights, as CSV
	series  string          // w, t or l a game
}

// showAndPace shows a move of a training, and waits as long as is wished.
func (s *trainingView) showAndPace(m learn.Seen) error {
	s.recordWeightsAndResult(m)
	if s.json {
		if err := s.printJSON(m); err != nil {
			return err
		}
	} else if err := s.showMove(m); err != nil {
		return err
	}
	if s.byKey {
		return s.waitForKey()
	}
	if s.pace == 0 {
		return s.ctx.Err()
	}
	select {
	case <-time.After(s.pace):
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

// waitForKey waits for Enter. Before it, weights can be set, which act on the next move.
func (s *trainingView) waitForKey() error {
	for {
		line, err := askLine(s.ctx, s.app, s.in, s.out, "Enter goes on, NAME=VALUE sets a weight, q ends: ")
		switch {
		case s.ctx.Err() != nil:
			return s.ctx.Err()
		case err != nil || line == "q" || line == "quit":
			return errSeen
		case line == "":
			return nil
		}
		if err := s.setWeight(line); err != nil {
			s.printf("%v\n", err)
		}
	}
}

// setWeight changes a weight of the learner, as NAME=VALUE says.
func (s *trainingView) setWeight(text string) error {
	name, value, _ := strings.Cut(text, "=")
	var names []string
	var weights []float64
	for _, w := range s.trainer.Weights() {
		names, weights = append(names, w.Feature), append(weights, w.Weight)
	}
	k := slices.Index(names, strings.TrimSpace(name))
	if k < 0 {
		return fmt.Errorf("no weight is called %q; there are %s", name, strings.Join(names, ", "))
	}
	w, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return fmt.Errorf("%s=%s: it must be a number", name, value)
	}
	weights[k] = w
	return s.trainer.SetWeights(weights)
}

// recordWeightsAndResult takes down a move's weights, and how a game ended for the learner.
func (s *trainingView) recordWeightsAndResult(m learn.Seen) {
	if s.ply++; m.Result != "" {
		switch m.Result {
		case "draw":
			s.series += "t"
		case m.Learned:
			s.series += "w"
		default:
			s.series += "l"
		}
	}
	if len(m.Weights) > 0 && (m.Learner || m.Result != "") {
		if s.rows.Len() == 0 {
			s.rows.WriteString("game,move")
			for _, w := range m.Weights {
				fmt.Fprintf(&s.rows, ",%q", w.Feature)
			}
			s.rows.WriteString("\n")
		}
		fmt.Fprintf(&s.rows, "%d,%d", m.Game, s.ply)
		for _, w := range m.Weights {
			fmt.Fprintf(&s.rows, ",%g", w.Weight)
		}
		s.rows.WriteString("\n")
	}
	if m.Result != "" {
		s.ply = 0
	}
}

// showMove prints a move, the board after it and why it was made.
func (s *trainingView) showMove(m learn.Seen) error {
	session, err := s.game.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human, Position: m.After})
	if err != nil {
		return err
	}
	names := map[string]string{"first": s.info.Seats[0], "second": s.info.Seats[1]}
	switch {
	case m.Result == "draw":
		s.printf("Game %d is a draw.\n", m.Game)
	case m.Result != "":
		s.printf("%s wins game %d.\n", names[m.Result], m.Game)
	default:
		who := "the opponent"
		if m.Learner {
			who = "the learner"
		}
		s.printf("Game %d, move %d: %s, %s, plays %s\n%s", m.Game, s.ply, names[m.Turn], who, m.Move,
			s.draw.draw(scene{state: session.State(), last: kind.SquareOf(m.Move),
				owned: session.CompletedSetSquares()}))
	}
	switch {
	case len(m.Terms) > 0:
		s.showTerms(m)
	case m.Learner || m.Result != "":
		for _, w := range m.Weights {
			s.printf("  %s %.4g", w.Feature, w.Weight)
		}
		s.printf("\n")
	}
	s.printf("\n")
	return nil
}

// showTerms shows why a player moved so: its features in the position and in the one that it
// looked forward to, times its weights.
func (s *trainingView) showTerms(m learn.Seen) {
	wide, here, then := len("feature"), 0.0, 0.0
	for _, f := range m.Terms {
		wide = max(wide, len(f.Feature))
	}
	row := "  %-*s %9s %6s %9s %9s %9s\n"
	s.printf(row, wide, "feature", "weight", "here", "product", "expected", "product")
	number := func(v float64) string { return strconv.FormatFloat(v+0, 'g', 4, 64) }
	for _, f := range m.Terms {
		w := f.Weight
		here, then = here+w*f.Here, then+w*f.Then
		s.printf(row, wide, f.Feature, number(w), number(f.Here), number(w*f.Here), number(f.Then), number(w*f.Then))
	}
	s.printf(row, wide, "sum", "", "", number(here), "", number(then))
	s.printf("  here: the features before its move; expected: in the position that it looked forward to\n")
}
