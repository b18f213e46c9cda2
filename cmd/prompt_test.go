package cmd

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"oxo/lab"
	"oxo/learn"
)

// stopAtPrompt presses Ctrl-C as soon as something is asked for.
type stopAtPrompt struct {
	strings.Builder
	prompt string
	stop   context.CancelFunc
}

// Write implements [io.Writer].
func (s *stopAtPrompt) Write(data []byte) (int, error) {
	n, err := s.Builder.Write(data)
	if strings.HasSuffix(s.String(), s.prompt) {
		s.stop()
	}
	return n, err
}

// TestPromptsStopped: Ctrl-C ends a prompt at once, without another line.
func TestPromptsStopped(t *testing.T) {
	in, typed := io.Pipe() // nobody types
	defer typed.Close()
	game, err := new(lab.Lab).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	trainer, err := game.Learning().NewOrResumedTrainer(t.Context(), lab.TrainOptions{Learner: "td",
		Against: learn.Itself})
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		prompt string
		run    func(ctx context.Context, out io.Writer) error
	}{
		"play": {"> ", func(ctx context.Context, out io.Writer) error {
			s, err := game.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human})
			if err != nil {
				return err
			}
			return newTerminalGame(&app{in: in, printer: printer{out: out}}, game, s).run(ctx, bufio.NewReader(in))
		}},
		"puzzles --play": {"> ", func(ctx context.Context, out io.Writer) error {
			k := &puzzling{app: &app{in: in, lab: new(lab.Lab), printer: printer{out: out}}}
			k.o.Count = 1
			return k.posePuzzles(ctx, "ttt")
		}},
		"train --watch": {"q ends: ", func(ctx context.Context, out io.Writer) error {
			return (&trainingView{app: &app{printer: printer{out: out}}, ctx: ctx, trainer: trainer,
				in: bufio.NewReader(in)}).waitForKey()
		}},
	} {
		ctx, stop := context.WithCancel(t.Context())
		out := &stopAtPrompt{prompt: test.prompt, stop: stop}
		if err := test.run(ctx, out); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v after\n%s", name, err, out)
		}
		stop()
	}
}
