package lab

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"oxo/gametest"
	"oxo/learn"
)

// TestLearners: every learner that is offered for a game can be opened with
// the options that are offered, and the others say why not.
func TestLearners(t *testing.T) {
	l := &Lab{}
	told := strings.Fields("menace table lms td q td-leaf evolve nearest") // of whom it is said here which games refuse them
	for game, want := range map[string]struct {
		exact             bool
		refused, features string
	}{
		"ttt":                {true, "", "threats"},
		"mnk:6,6,4":          {false, "menace table q nearest", "threats"},
		"meta":               {false, "menace table q nearest", "weger"},
		"race:4":             {true, "lms td td-leaf evolve nearest", "threats"},
		"ttt+wild":           {true, "lms td td-leaf evolve", "threats"},
		"mnk:3,2,3+slip=0.2": {true, "td-leaf", "threats"},
	} {
		g, err := l.Game(game)
		if err != nil {
			t.Fatal(err)
		}
		c := g.Learners(t.Context())
		if c.Exact != want.exact || len(c.Learners) != len(learn.Forms()) || len(c.Starts) < 4 || len(c.Seats) != 3 {
			t.Errorf("%s: %+v", game, c)
		}
		refused := ""
		for _, f := range c.Learners {
			spec := f.Name
			for i, s := range f.Settings {
				spec += string(":,"[min(i, 1)]) + s.Key + "=" + s.Value
				if s.Key == "features" && f.Name == "td" && s.Value != want.features {
					t.Errorf("%s: td has the features %s", game, s.Value)
				}
			}
			args, err := json.Marshal(TrainArgs{Learner: spec, Against: "itself", Games: 1, Runs: 1})
			if err != nil {
				t.Fatal(err)
			}
			_, err = l.Work(Job{Verb: "train", Game: game, Args: args})
			if (err != nil) != (f.Refused != "") {
				t.Errorf("%s: %s: %v, and is said to be refused because %q", game, spec, err, f.Refused)
			}
			if f.Refused != "" && slices.Contains(told, f.Name) {
				refused += " " + f.Name
			}
		}
		if len(refused) > 0 {
			refused = refused[1:]
		}
		if refused != want.refused {
			t.Errorf("%s refuses %s, want %s", game, refused, want.refused)
		}
		if !slices.ContainsFunc(c.Against, func(o Offer) bool { return o.Spec == "random" }) ||
			slices.ContainsFunc(c.Against, func(o Offer) bool { return o.Spec == "rows" }) != (game == "ttt" || game == "mnk:6,6,4" || game == "mnk:3,2,3+slip=0.2") {
			t.Errorf("%s is learned against %v", game, c.Against)
		}
	}
}

// TestOpponents: who can't be a learner's opponent is named, with who can.
func TestOpponents(t *testing.T) {
	g, err := (&Lab{}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	for against, want := range map[string]string{
		"pool:itself|random":      `opponent "pool:itself|random": its members are players`,
		"pool:random|rows|itslef": `opponent "pool:random|rows|itslef": player "itslef": no player is called`,
		"itslef":                  "bot; a learner also plays against itself, pool or pool:A|B|…",
	} {
		_, err := g.Train(t.Context(), TrainOptions{Learner: "table", Against: against, Games: 10})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("against %s: %v, want %s", against, err, want)
		}
	}
}

// TestBrains reads brains by name from where the lab says, shows them and looks
// at positions with them.
func TestBrains(t *testing.T) {
	r, err := (&Lab{}).RunJob(t.Context(), Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"menace","games":10}`), Seed: 1}, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	brain := r.Files["run-1.brain"]
	l := &Lab{ReadBrain: func(name string) ([]byte, error) {
		if name != "clever" {
			return nil, errors.New("no brain is called that")
		}
		return brain, nil
	}}
	g, err := l.Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.NewSession(SessionOptions{First: "brain:clever", Second: "random"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := g.NewSession(SessionOptions{First: "brain:dull", Second: "random"}); err == nil {
		t.Error("a brain that is not there plays")
	}
	facts, err := ReadBrainFacts(brain)
	if err != nil || facts.Learner != "menace" || facts.Games != 10 || facts.Against != "itself" || facts.Game != "mnk:3,3,3" {
		t.Errorf("the brain is %+v, %v", facts, err)
	}
	look, err := g.Look(t.Context(), brain, "x../.../... o")
	if err != nil || len(look.Moves) != 8 {
		t.Errorf("it looks: %+v, %v", look, err)
	}
	shown, err := g.ShowBrain(brain, 1000)
	if err != nil || len(shown.Boxes) != 593 || len(shown.Last) < 5 {
		t.Errorf("it shows: %v", err)
	}
	other, err := l.Game("ttt+misere")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Look(t.Context(), brain, ""); err == nil {
		t.Error("it looks at another game")
	}
	for _, bad := range []string{"xxx/.../... o"} {
		if _, err := g.Look(t.Context(), brain, bad); err == nil {
			t.Errorf("it looks at %s", bad)
		}
	}
	if _, err := ReadBrainFacts([]byte("{}")); err == nil {
		t.Error("nothing is a brain")
	}
}

// TestEnumerationEnds checks that looking at all positions of a game ends when
// the work is called off, and is begun anew the next time.
func TestEnumerationEnds(t *testing.T) {
	g, err := (&Lab{}).Game("mnk:4,3,3")
	if err != nil {
		t.Fatal(err)
	}
	off, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Exam(off, "random"); !errors.Is(err, context.Canceled) {
		t.Errorf("an exam that was called off: %v", err)
	}
	if _, err := g.Train(off, TrainOptions{Learner: "table", Games: 10}); !errors.Is(err, context.Canceled) {
		t.Errorf("a training that was called off: %v", err)
	}
	if _, err := g.Exam(t.Context(), "random"); err != nil {
		t.Error(err)
	}
	// Called off in the exam at the end, at the latest.
	examStopped := false
	for looks := 1; !examStopped && looks < 1<<20; looks *= 2 {
		r, err := g.Train(gametest.NewLooks(t.Context(), looks), TrainOptions{Learner: "table", Against: "itself", Games: 10})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if err == nil {
			if (r.Exam == nil) != r.ExamStopped || r.Brain == nil {
				t.Errorf("%d games, exam %v, stopped %v, brain of %d bytes", r.Games, r.Exam, r.ExamStopped, len(r.Brain))
			}
			examStopped = r.ExamStopped && !r.Stopped && r.Games == 10
		}
	}
	if !examStopped {
		t.Error("no training was called off in its last exam")
	}
	// After the last exam of those asked for there is none to call off.
	last, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := g.Train(last, TrainOptions{Learner: "table", Against: "itself", Games: 10, ExamEvery: 10, Progress: func(r TrainReport) {
		if r.Games == 10 && r.Exam != nil {
			stop()
		}
	}})
	if err != nil || r.Stopped || r.Games != 10 || r.Exam == nil || r.ExamStopped {
		t.Errorf("called off after its last exam: %+v, %v", r, err)
	}
	if r, err := g.Train(off, TrainOptions{Learner: "table", Against: "itself", Games: 1 << 40}); err != nil || r.Games >= 1<<40 {
		t.Errorf("a training that was called off after that: %+v, %v", r, err)
	}
}
