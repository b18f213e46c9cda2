package typed

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"oxo/lab/internal/game"
)

// TestDropResumed stops a solution by search where marks fall when it first says how far it is,
// goes on from what it saved, and compares with one that was not stopped.
func TestDropResumed(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:6,5,4+gravity")
	if err != nil {
		t.Fatal(err)
	}

	o := game.SolveOptions{Position: "....../....../....../....../..ox.. x"}
	want, err := g.Solving().Solve(context.Background(), o)
	if err != nil || want.Method != game.ByDrop {
		t.Fatal(want, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var saved bytes.Buffer
	stopped := o
	stopped.Keep = func(now game.Going, save func(io.Writer) error) {
		if now.Method != game.ByDrop || now.Of == 0 {
			t.Errorf("told %+v", now)
		}
		if now.Positions < want.Positions/2 {
			return
		}
		stop()
		saved.Reset()
		if err := save(&saved); err != nil {
			t.Error(err)
		}
	}
	if _, err := g.Solving().Solve(ctx, stopped); !errors.Is(err, context.Canceled) || saved.Len() == 0 {
		t.Fatalf("%v, %d bytes saved", err, saved.Len())
	}
	o.Resume = &saved
	got, err := g.Solving().Solve(context.Background(), o)
	if err != nil || got.Value != want.Value || *got.Remoteness != *want.Remoteness ||
		strings.Join(got.Best, " ") != strings.Join(want.Best, " ") {
		t.Fatalf("gone on with: %+v, %v, want %+v", got, err, want)
	}
	if got.Positions >= want.Positions {
		t.Errorf("%d positions after going on, %d without a stop", got.Positions, want.Positions)
	}
	o.Resume = strings.NewReader(string(dropMark) + "{")
	if _, err := g.Solving().Solve(context.Background(), o); err == nil {
		t.Error("half a state is taken")
	}
}
