package learn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"testing"

	"oxo/games/meta"
	"oxo/learn/model"
	"oxo/learn/space"
)

// teachBoth plays games between two learners by lessons of both, each being told by hand what
// the other played: the slow twin of a [Rival].
func teachBoth(t *testing.T, first, second *Trainer, games int) {
	t.Helper()
	for range games {
		a, err := first.BeginLesson(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := second.BeginLesson(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for a.Waits() || b.Waits() {
			from, to := a, b
			if len(a.PlayedEdges()) < len(b.PlayedEdges()) || !b.Waits() {
				from, to = b, a
			}
			edge := int32(-1) // the other has resigned
			if at, edges := len(to.PlayedEdges()), from.PlayedEdges(); at < len(edges) {
				edge = edges[at]
			}
			if err := to.PlayTeacherMove(edge); err != nil {
				t.Fatal(err)
			}
		}
		for _, l := range []*Lesson{a, b} {
			if taught, err := l.Taught(); err != nil || taught == nil {
				t.Fatal(taught, err)
			}
			l.Leave()
		}
	}
}

// knowledge is what a brain has but for what it says of its plan.
func knowledge(t *testing.T, l *Trainer) []byte {
	t.Helper()
	b, err := l.Brain("", "")
	if err != nil {
		t.Fatal(err)
	}
	b.Plan, b.Rival = Plan{}, nil
	data, err := b.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestRival: two learners that learn from the same games learn what lessons teach them,
// to the bead and with the source of chance, whatever their kinds.
func TestRival(t *testing.T) {
	tic, grown := ttt(t).Space, space.NewLazyGraph(meta.New()).Space
	for _, c := range []struct {
		space           *space.Space
		first, second   string
		seats, opposite string
		games           int
	}{
		{tic, "menace:as=michie", "menace:as=michie,beads=8/4/2/1", "first", "second", 200},
		{tic, "menace", "q", "second", "first", 60},
		{tic, "table", "td-leaf:features=threats,depth=2", "first", "second", 40},
		{tic, "td-leaf:features=threats", "evolve", "second", "first", 60},
		{tic, "lms", "tree", "first", "second", 20},
		{grown, "td-leaf:depth=1", "td:features=weger", "first", "second", 2},
	} {
		const seed = 7
		trained, err := New(c.space, spec(t, c.first), Plan{Against: RivalPrefix + c.second, Seats: c.seats},
			NewRival(spec(t, c.second)), seed)
		if err != nil {
			t.Fatal(err)
		}
		run(t, trained, c.games)
		byHand := func(text, seats string, seed uint64) *Trainer {
			l, err := New(c.space, spec(t, text), Plan{Against: "human", Seats: seats}, &ManualOpponent{}, seed)
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		first, second := byHand(c.first, c.seats, seed), byHand(c.second, c.opposite, ^uint64(seed))
		teachBoth(t, first, second, c.games)
		if !bytes.Equal(knowledge(t, trained), knowledge(t, first)) {
			t.Errorf("%s against %s: the first has learned otherwise", c.first, c.second)
		}
		if !bytes.Equal(knowledge(t, trained.rival.trainer), knowledge(t, second)) {
			t.Errorf("%s against %s: the second has learned otherwise", c.first, c.second)
		}
	}
}

// stopping is a context that is done after so many looks at it.
type stopping struct {
	context.Context
	left int
}

func (s *stopping) Err() error {
	if s.left--; s.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestRivalGoesOn: two learners that were stopped, in the middle of a game too, and kept
// in a file go on as if they had never been.
func TestRivalGoesOn(t *testing.T) {
	s := ttt(t).Space
	const leaf = "td-leaf:features=threats,depth=1"
	for _, pair := range [][2]string{{"menace", leaf}, {leaf, "q"}} {
		plan := Plan{Against: RivalPrefix + pair[1]}
		begin := func() *Trainer {
			l, err := New(s, spec(t, pair[0]), plan, NewRival(spec(t, pair[1])), 3)
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		whole, parts := begin(), begin()
		run(t, whole, 60)
		run(t, parts, 20)
		if err := parts.PlayAndLearn(&stopping{t.Context(), 0}); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		data, err := parts.Brain("ttt", "ttt")
		if err != nil {
			t.Fatal(err)
		}
		text, err := data.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		read, err := ReadBrain(text)
		if err != nil {
			t.Fatal(err)
		}
		parts, err = Resume(s, read, NewRival(model.Spec{}))
		if err != nil {
			t.Fatal(err)
		}
		run(t, parts, 40)
		for i, l := range whole.learners() {
			if !bytes.Equal(knowledge(t, l), knowledge(t, parts.learners()[i])) {
				t.Errorf("%v: learner %d went on otherwise", pair, i)
			}
		}
		var kept Brain
		if err := json.Unmarshal(text, &kept); err != nil || kept.Rival == nil || kept.Rival.Tally.Games != 20 {
			t.Errorf("%v: the second is not in the file: %v", pair, err)
		}
	}
}
