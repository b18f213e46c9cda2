package typed

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"oxo/lab/internal/game"
	"oxo/learn/model"
	"oxo/learn/space"
)

// TestLearners: every learner that is offered for a game can be opened with
// the options that are offered, and the others say why not.
func TestLearners(t *testing.T) {
	l := &game.Lab{Kinds: BuiltInKinds()}
	// of whom it is said here which games refuse them
	told := strings.Fields("menace table lms td q td-leaf evolve tree nearest")
	for on, want := range map[string]struct {
		exact             bool
		refused, features string
	}{
		"ttt":                {true, "", "threats"},
		"mnk:6,6,4":          {false, "menace table q nearest", "threats"},
		"meta":               {false, "menace table q nearest", "weger"},
		"race:4":             {true, "lms td td-leaf evolve tree nearest", "threats"},
		"ttt+wild":           {true, "lms td td-leaf evolve tree", "threats"},
		"mnk:3,2,3+slip=0.2": {true, "td-leaf", "threats"},
	} {
		g, err := l.Game(on)
		if err != nil {
			t.Fatal(err)
		}
		c := g.Learning().LearnerCatalogue()
		if c.Exact != want.exact || len(c.Learners) != len(model.Forms()) || len(c.Starts) < 4 || len(c.Seats) != 3 {
			t.Errorf("%s: %+v", on, c)
		}
		refused := ""
		for _, f := range c.Learners {
			spec := f.Name
			for i, s := range f.Settings {
				spec += string(":,"[min(i, 1)]) + s.Key + "=" + s.Value
				if s.Key == "features" && f.Name == "td" && s.Value != want.features {
					t.Errorf("%s: td has the features %s", on, s.Value)
				}
			}
			_, err := g.Learning().NewOrResumedTrainer(t.Context(), game.TrainOptions{Learner: spec, Against: "itself"})
			if (err != nil) != (f.Refused != "") {
				t.Errorf("%s: %s: %v, and is said to be refused because %q", on, spec, err, f.Refused)
			}
			if f.Refused != "" {
				saidByKey(t, f.Refused, f.Said)
			}
			if f.Refused != "" && slices.Contains(told, f.Name) {
				refused += " " + f.Name
			}
		}
		if len(refused) > 0 {
			refused = refused[1:]
		}
		if refused != want.refused {
			t.Errorf("%s refuses %s, want %s", on, refused, want.refused)
		}
		if !slices.ContainsFunc(c.Against, func(o game.Offer) bool { return o.Spec == "random" }) ||
			slices.ContainsFunc(c.Against, func(o game.Offer) bool { return o.Spec == "rows" }) != (on == "ttt" ||
				on == "mnk:6,6,4" || on == "mnk:3,2,3+slip=0.2") {
			t.Errorf("%s is learned against %v", on, c.Against)
		}
	}
}

// TestUsualWith: the catalogue says what the options of MENACE are with its word for them all: what a learner with that
// word has. What is given stays.
func TestUsualWith(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	form := g.Learning().LearnerCatalogue().Learners[0]
	for _, given := range []string{"as=michie", "as=ours", "as=michie,loss=-2"} {
		spec, err := model.Parse("menace:" + given)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range spec.Settings() {
			if got := form.Settings[i].ValueWith(strings.Split(given, ",")); got != s.Value {
				t.Errorf("with %s %s is %s, and is said to be %s", given, s.Key, s.Value, got)
			}
		}
	}
}

// TestUsualTraining: the catalogue says how games begin where nobody says so, and with a person
// they begin at the start, unless another start was asked for.
func TestUsualTraining(t *testing.T) {
	l := &game.Lab{Kinds: BuiltInKinds()}
	for _, c := range []struct{ game, learner, start string }{
		{"ttt", "menace", "empty"}, {"connect4", "lms", "empty"}, {"connect4", "net", "empty+6"},
		{"mnk:5,5,4", "ntuple", "empty+6"}, {"ultimate", "net", "empty+0-11"},
	} {
		g, err := l.Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		offered := g.Learning().LearnerCatalogue()
		if offered.Usual.Against != "itself" || offered.Usual.Games < 1 || offered.Usual.Runs != 1 {
			t.Errorf("%s: %+v is usual", c.game, offered.Usual)
		}
		i := slices.IndexFunc(offered.Learners, func(f game.LearnerForm) bool { return f.Name == c.learner })
		if got := offered.Learners[i].Start; got != c.start {
			t.Errorf("%s of %s is said to begin %s", c.learner, c.game, got)
		}
		begins := func(o game.TrainOptions) (brain []byte, start string) {
			t.Helper()
			trainer, err := g.Learning().NewOrResumedTrainer(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			b, err := g.Learning().Brain(trainer)
			if err != nil {
				t.Fatal(err)
			}
			if brain, err = b.Bytes(); err != nil {
				t.Fatal(err)
			}
			return brain, b.Plan.Start
		}
		alone, got := begins(game.TrainOptions{Learner: c.learner, Against: offered.Usual.Against})
		if got != c.start {
			t.Errorf("%s of %s begins %s", c.learner, c.game, got)
		}
		other, _ := begins(game.TrainOptions{Learner: c.learner, Against: offered.Usual.Against, Start: "empty+3"})
		asked, _ := begins(game.TrainOptions{Learner: c.learner, Against: game.Human, Start: c.start})
		for _, by := range []struct {
			o    game.TrainOptions
			want string
		}{
			{game.TrainOptions{Learner: c.learner, Against: game.Human}, "empty"},
			{game.TrainOptions{Learner: c.learner, Against: game.Human, Start: c.start}, c.start},
			{game.TrainOptions{Resume: alone, Against: game.Human}, "empty"},
			{game.TrainOptions{Resume: alone}, c.start},
			{game.TrainOptions{Resume: asked, Against: game.Human}, c.start},
			{game.TrainOptions{Resume: other, Against: game.Human}, "empty+3"},
		} {
			if _, got := begins(by.o); got != by.want {
				t.Errorf("%s of %s, %+v begins %s, want %s", c.learner, c.game, by.o.Start, got, by.want)
			}
		}
	}
}

// TestLeavesEndWell: td-leaf with its usual options comes to no infinity on larger boards, and learns.
func TestLeavesEndWell(t *testing.T) {
	t.Parallel()
	l := &game.Lab{Kinds: BuiltInKinds()}
	for _, spec := range []string{"connect4", "mnk:7,7,5", "qubic", "cube:3,3", "cube:4,3+gravity", "mnk:5,5,4",
		"mnk:5,3,3+gravity"} {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		learning := g.Learning()
		trainer, err := learning.NewOrResumedTrainer(t.Context(), game.TrainOptions{Learner: "td-leaf",
			Against: "itself"})
		if err != nil {
			t.Fatal(err)
		}
		kept := func() float64 {
			s, err := learning.GradeBySample(t.Context(), trainer)
			if err != nil {
				t.Fatal(err)
			}
			return s.Positions.Kept
		}
		before := 0.0
		if spec == "connect4" {
			before = kept()
		}
		if err := trainer.Run(t.Context(), 200, nil); err != nil {
			t.Errorf("%s: %v", spec, err)
		} else if spec == "connect4" && kept() < before+0.1 {
			t.Errorf("%s: it keeps the value in %.2f of positions, %.2f before", spec, kept(), before)
		}
	}
}

// TestOpponents: who can't be a learner's opponent is named, with who can.
func TestOpponents(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	for against, want := range map[string]string{
		"pool:itself|random":      `opponent "pool:itself|random": its members are players`,
		"pool:random|rows|itslef": `opponent "pool:random|rows|itslef": player "itslef": no player is called`,
		"itslef":                  "bot; a learner also plays against itself, pool, pool:A|B|… or learner:LEARNER",
		"pool:learner:q|random":   "its members are players",
		"learner:qq":              `no learner is called "qq"; there are menace`,
		"learner:brain:none":      "files can't be opened here",
	} {
		_, err := g.Learning().NewOrResumedTrainer(t.Context(), game.TrainOptions{Learner: "table", Against: against})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("against %s: %v, want %s", against, err, want)
		}
	}
}

// TestBrains reads brains by name from where the lab says, shows them and looks
// at positions with them.
func TestBrains(t *testing.T) {
	brain := trained(t, "ttt", 10)
	l := &game.Lab{Kinds: BuiltInKinds(), ReadBrain: func(name string) ([]byte, error) {
		if name != "clever" {
			return nil, errors.New("no brain is called that")
		}
		return brain, nil
	}}
	g, err := l.Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	s, err := g.NewSession(game.SessionOptions{First: "brain:clever", Second: "random"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := g.NewSession(game.SessionOptions{First: "brain:dull", Second: "random"}); err == nil {
		t.Error("a brain that is not there plays")
	}
	facts, err := game.ReadBrainFacts(brain)
	if err != nil || facts.Learner != "menace" || facts.Games != 10 || facts.Against != "itself" ||
		facts.Game != "mnk:3,3,3" {
		t.Errorf("the brain is %+v, %v", facts, err)
	}
	look, err := g.Learning().LookWithBrain(t.Context(), brain, "x../.../... o")
	if err != nil || len(look.Moves) != 8 {
		t.Errorf("it looks: %+v, %v", look, err)
	}
	shown, err := g.Learning().ShowBrain(brain, 1000)
	if err != nil || len(shown.Boxes) != 593 || len(shown.Last) < 5 {
		t.Errorf("it shows: %v", err)
	}
	other, err := l.Game("ttt+misere")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Learning().LookWithBrain(t.Context(), brain, ""); err == nil {
		t.Error("it looks at another game")
	}
	for _, bad := range []string{"xxx/.../... o"} {
		if _, err := g.Learning().LookWithBrain(t.Context(), brain, bad); err == nil {
			t.Errorf("it looks at %s", bad)
		}
	}
	if _, err := game.ReadBrainFacts([]byte("{}")); err == nil {
		t.Error("nothing is a brain")
	}
}

// TestEnumerationEnds checks that looking at all positions of a game ends when
// the work is called off, and is begun anew the next time.
func TestEnumerationEnds(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:4,3,3")
	if err != nil {
		t.Fatal(err)
	}
	off, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Learning().ExamPlayer(off, "random"); !errors.Is(err, context.Canceled) {
		t.Errorf("an exam that was called off: %v", err)
	}
	if err := g.Learning().Inexact(off); !errors.Is(err, context.Canceled) {
		t.Errorf("a look that was called off: %v", err)
	}
	if _, err := g.Learning().ExamPlayer(t.Context(), "random"); err != nil {
		t.Error(err)
	}
}

// TestExamTells: an exam tells how far each part of its work is, and ends in any of them when it is called off.
func TestExamTells(t *testing.T) {
	for _, work := range []space.Work{space.Listing, space.Classing, space.Asking, space.Grading} {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("mnk:4,3,3")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		told, after := 0, 0
		_, err = g.Learning().ExamPlayer(space.WithProgress(ctx, func(w space.Work, done, of int) {
			if ctx.Err() != nil {
				after++
			}
			if w == work && done > 0 {
				told++
				cancel()
			}
			if work := w != space.Listing; work != (of > 0) || of > 0 && done > of {
				t.Errorf("%s: %d of %d", w, done, of)
			}
		}), "random")
		if cancel(); !errors.Is(err, context.Canceled) || told != 1 || after != 0 {
			t.Errorf("%s: %v; told %d times, and %d times after it was called off", work, err, told, after)
		}
	}
}

// TestLimitsRefusedAtOnce: a learner that is no weighted sum is refused before the positions of a game are listed.
func TestLimitsRefusedAtOnce(t *testing.T) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("cube:2,7")
	if err != nil {
		t.Fatal(err)
	}
	_, err = g.Learning().LimitsOfFeatures(space.WithProgress(t.Context(), func(w space.Work, done, _ int) {
		t.Errorf("%s: %d", w, done)
	}), "td-leaf", nil)
	if err == nil || !strings.Contains(err.Error(), "by a weighted sum") {
		t.Error(err)
	}
}

// trained returns the brain of a menace that has played so many games.
func trained(t *testing.T, spec string, games int) []byte {
	t.Helper()
	return brainOf(t, &game.Lab{Kinds: BuiltInKinds()}, spec, "menace", games)
}
