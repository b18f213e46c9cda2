package typed

import (
	"context"
	"reflect"
	"testing"
	"time"

	"oxo"
	"oxo/lab/internal/game"
)

// TestJudgeKeeps: what an answer in time had for certain, a later answer and a review have however short
// their time is; and answers in positions are as before.
func TestJudgeKeeps(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:4,4,3+slip=0.1")
	if err != nil {
		t.Fatal(err)
	}
	const position = "..../..x./ox../.... o"
	ask := func(o game.JudgeOptions) *game.Judged {
		o.Position = position
		j, err := g.Judging().Judge(t.Context(), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		j.Seconds = 0
		return j
	}
	few := ask(game.JudgeOptions{Nodes: 10})
	if ask(game.JudgeOptions{Time: 1}).Lo == few.Hi {
		t.Fatalf("known at once: %+v", few)
	}
	if j := ask(game.JudgeOptions{Time: 10 * time.Minute}); j.Lo != j.Hi {
		t.Fatal(j.Standing)
	}
	if j := ask(game.JudgeOptions{Time: 1}); j.Lo != j.Hi || j.Moves[0].Lo != j.Moves[0].Hi || j.Source == "" {
		t.Errorf("%s, after it was solved", j.Standing)
	}
	if again := ask(game.JudgeOptions{Nodes: 10}); !reflect.DeepEqual(few, again) {
		t.Errorf("%+v in few positions, then %+v", few, again)
	}
	r, err := g.Judging().ReviewGame(t.Context(), oxo.Record{Game: g.Info().Spec, Result: "*",
		Moves: []string{"b2", "b2", "a2", "a2", "c3", "c3", "b1", "b1"}}, game.JudgeOptions{Time: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := r.Moves[6]; !m.Certain || !m.Gave {
		t.Errorf("%+v", m)
	}
}

// TestJudgeKeepsAtOnce: what an answer has for certain is known to whoever asks before its time is over.
func TestJudgeKeepsAtOnce(t *testing.T) {
	g := aGame(t, "mnk:15,15,5")
	o := game.JudgeOptions{Position: positionAfter(t, g, "", "h8 a1 i8 a3 j8 a5"), Time: 1}
	ask := func() *game.Judged {
		j, err := g.Judging().Judge(t.Context(), o, nil)
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	if j := ask(); j.Lo == j.Hi {
		t.Fatalf("known at once: %s", j.Standing)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	asked := false
	long := o
	long.Time = 10 * time.Minute
	if _, err := g.Judging().Judge(ctx, long, func(j *game.Judged) {
		if j.Lo == j.Hi && !asked {
			if own := ask(); own.Lo != j.Lo || own.Hi != j.Hi {
				t.Errorf("%s, while it is told that %s", own.Standing, j.Standing)
			}
			asked = true
			stop()
		}
	}); !asked {
		t.Errorf("nothing was certain, %v", err)
	}
}
