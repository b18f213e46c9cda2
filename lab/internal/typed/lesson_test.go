package typed

import (
	"bytes"
	"testing"

	"oxo/lab/internal/game"
	"oxo/learn"
)

// TestLessonsTeachTheSame: twenty games taught by hand, move by move as text,
// leave the very brain that a training leaves with the same seed in which the
// opponent made the same moves.
func TestLessonsTeachTheSame(t *testing.T) {
	spec, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	g := spec.Learning()
	for _, learner := range []string{"menace", "menace:as=michie", "table", "lms", "td", "q"} {
		trained, err := g.NewOrResumedTrainer(t.Context(), game.TrainOptions{Learner: learner, Against: "optimal",
			Seed: 4})
		if err != nil {
			t.Fatal(err)
		}
		taught, err := g.NewOrResumedTrainer(t.Context(), game.TrainOptions{Learner: learner, Against: game.Human,
			Seed: 4})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if err := trained.PlayAndLearn(t.Context()); err != nil {
				t.Fatal(err)
			}
			s, err := g.BeginLesson(t.Context(), taught)
			if err != nil {
				t.Fatal(err)
			}
			for i, step := range trained.Show(0).Last {
				if s.Person() == step.Learner {
					t.Fatalf("%s, move %d: the person is to move: %v", learner, i+1, s.Person())
				}
				if !step.Learner {
					if err := s.Move(step.Move); err != nil {
						t.Fatal(err)
					}
				} else if move, err := s.Step(t.Context()); move != step.Move || err != nil {
					t.Fatalf("%s, move %d: %s, %v, not %s", learner, i+1, move, err, step.Move)
				}
			}
			if !s.Over() { // the learner's to resign
				if _, err := s.Step(t.Context()); err != nil || !s.Over() {
					t.Fatal(err)
				}
			}
			what, err := s.Taught()
			if err != nil || what == nil || what.Tally != trained.Tally() || what.Result != s.Record().Result {
				t.Fatalf("%s: %+v, %v", learner, what, err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		var brains [2][]byte
		for i, l := range []*learn.Trainer{trained, taught} {
			brain, err := g.Brain(l)
			if err != nil {
				t.Fatal(err)
			}
			brain.Plan.Against = ""
			if brains[i], err = brain.Bytes(); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(brains[0], brains[1]) {
			t.Errorf("%s: taught by hand the brain is another one", learner)
		}
	}
}
