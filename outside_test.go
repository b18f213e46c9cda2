package oxo_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"oxo"
)

// three is a game in which First makes three moves; its fourth position is a draw.
type three struct{ made int }

func (p three) Turn() oxo.Seat                  { return oxo.First }
func (p three) Moves(buf []oxo.Move) []oxo.Move { return append(buf, 1) }
func (p three) Play(oxo.Move) three             { return three{p.made + 1} }
func (p three) Outcome() oxo.Outcome {
	if p.made == 3 {
		return oxo.Drawn
	}
	return oxo.Ongoing
}

// chooser is a player that does what the function does.
type chooser func() (oxo.Choice, error)

func (c chooser) Choose(context.Context, three) (oxo.Choice, error) { return c() }

// TestAsk: a legal move and a resignation are taken as they are, an illegal move is an error as the referee says it,
// and a panic one that says where.
func TestAsk(t *testing.T) {
	g := &oxo.Game[three]{Spec: "three", MaxPlies: 3, Format: func(p three) string { return "xxx"[:p.made] }}
	broken := errors.New("broken")
	for _, c := range []struct {
		choose chooser
		says   string
	}{
		{func() (oxo.Choice, error) { return oxo.Choice{Move: 1}, nil }, ""},
		{func() (oxo.Choice, error) { return oxo.Choice{Move: 7, Resign: true}, nil }, ""},
		{func() (oxo.Choice, error) { return oxo.Choice{Move: 7}, nil }, "move number 7 is not legal in xx"},
		{func() (oxo.Choice, error) { return oxo.Choice{}, broken }, "broken"},
		{func() (oxo.Choice, error) { panic("boom") }, `in "xx": panic: boom`},
		{func() (oxo.Choice, error) { panic(g.OngoingFault(three{}, 0, 0)) },
			`in "xx": three: the position "" has no moves and is not over`},
	} {
		_, err := g.Ask(t.Context(), c.choose, three{2}, []oxo.Move{1})
		if text := ""; err != nil {
			if text = err.Error(); text != c.says {
				t.Errorf("%q, want %q", text, c.says)
			}
		} else if c.says != "" {
			t.Errorf("no error, want %q", c.says)
		}
	}
	var how interface{ Termination() string }
	_, err := g.Ask(t.Context(), chooser(func() (oxo.Choice, error) { return oxo.Choice{}, nil }), three{},
		[]oxo.Move{1})
	if !errors.As(err, &how) || how.Termination() != oxo.EndIllegal {
		t.Errorf("an illegal move ends a game as %v", how)
	}
}

// TestGroup: a panic in a goroutine is met by who waits, once the others have ended too, with the stack of where it
// was.
func TestGroup(t *testing.T) {
	var done atomic.Int32
	err := oxo.CatchPanic(func() error {
		var g oxo.Group
		for i := range 4 {
			g.Go(func() {
				if i == 2 {
					fallOver()
				}
				done.Add(1)
			})
		}
		g.Wait()
		return nil
	})
	p, ok := errors.AsType[*oxo.PanicError](err)
	if !ok || p.Value != "boom" || !strings.Contains(string(p.Stack), "fallOver") || done.Load() != 3 {
		t.Errorf("%v after %d; the stack is %s", err, done.Load(), p.Stack)
	}
}

func fallOver() { panic("boom") }
