package learn

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo/games/meta"
	"oxo/learn/model"
	"oxo/learn/space"
)

// scripted is an opponent that notes its moves.
type scripted struct {
	Opponent
	made []int32
}

func (s *scripted) Choose(n space.Node, r *rand.Rand) (int32, error) {
	e, err := s.Opponent.Choose(n, r)
	s.made = append(s.made, e)
	return e, err
}

// taughtAgain plays the noted moves of a training by hand.
func taughtAgain(t *testing.T, l *Trainer, games int, made []int32) []*Taught {
	t.Helper()
	var list []*Taught
	for range games {
		lesson, err := l.BeginLesson(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for lesson.Waits() {
			if err := lesson.PlayTeacherMove(made[0]); err != nil {
				t.Fatal(err)
			}
			made = made[1:]
		}
		taught, err := lesson.Taught()
		if err != nil || taught == nil {
			t.Fatal(taught, err)
		}
		lesson.Leave()
		list = append(list, taught)
	}
	if len(made) > 0 {
		t.Errorf("%d moves are left over", len(made))
	}
	return list
}

// TestTaughtByHand: what is taught by hand is what the same moves teach in a
// training with the same seed, the source of chance included; and Before and
// After are links of one chain.
func TestTaughtByHand(t *testing.T) {
	a := ttt(t)
	x := examiner(t, a)
	for _, text := range append([]string{"table", "lms", "td-leaf", "evolve"}, everyLearner...) {
		changed := 0
		for _, start := range []string{"empty", "mix", "untried"} {
			s := &scripted{Opponent: NewMixOpponent(a.Space, x.Heuristic())}
			trained, err := New(a.Space, spec(t, text), Plan{Against: "human", Start: start}, s, 3)
			if err != nil {
				t.Fatal(err)
			}
			byHand, err := New(a.Space, spec(t, text), Plan{Against: "human", Start: start}, &ManualOpponent{}, 3)
			if err != nil {
				t.Fatal(err)
			}
			run(t, trained, 40)
			games := taughtAgain(t, byHand, 40, s.made)
			if !bytes.Equal(brainOf(t, trained), brainOf(t, byHand)) {
				t.Errorf("%s, %s: taught by hand the brain is another one", text, start)
			}
			for _, g := range games {
				for _, w := range g.Weights {
					if w.Before != w.After {
						changed++
					}
				}
				for _, m := range g.Moves {
					for i, b := range m.Before {
						if a := m.After[i]; a.Worth != nil && *a.Worth != *b.Worth || a.Beads != nil &&
							*a.Beads != *b.Beads {
							changed++
						}
					}
				}
			}
			for i, g := range games[1:] {
				for k, w := range g.Weights {
					if w.Before != games[i].Weights[k].After {
						t.Errorf("%s, %s: game %d begins with %+v after %+v", text, start, i+2, w, games[i].Weights[k])
					}
				}
			}
		}
		if changed == 0 && text != "evolve" { // whose champion stays for a generation
			t.Errorf("%s: nothing is seen to change", text)
		}
	}
}

// lowest plays the first move, and draws as any opponent may.
type lowest struct{}

func (lowest) Begin(context.Context, *rand.Rand) error { return nil }

func (lowest) Choose(_ space.Node, r *rand.Rand) (int32, error) { r.Uint32(); return 0, nil }

// TestTaughtOnGrowing: the same where positions come in as they are met.
func TestTaughtOnGrowing(t *testing.T) {
	g := meta.New()
	for _, text := range []string{"td", "td-leaf:depth=1"} {
		s := &scripted{Opponent: lowest{}}
		trained, err := New(space.NewLazyGraph(g).Space, spec(t, text), Plan{Against: "human"}, s, 5)
		if err != nil {
			t.Fatal(err)
		}
		byHand, err := New(space.NewLazyGraph(g).Space, spec(t, text), Plan{Against: "human"}, &ManualOpponent{}, 5)
		if err != nil {
			t.Fatal(err)
		}
		run(t, trained, 2)
		taughtAgain(t, byHand, 2, s.made)
		if !bytes.Equal(brainOf(t, trained), brainOf(t, byHand)) {
			t.Errorf("%s: taught by hand the brain is another one", text)
		}
	}
}

// beadsOn returns the beads for a move; -1 where there is no such colour.
func beadsOn(list []model.Looked, move string) int {
	i := slices.IndexFunc(list, func(l model.Looked) bool { return l.Move == move && l.Beads != nil })
	if i < 0 {
		return -1
	}
	return *list[i].Beads
}

// TestTaughtBeads: of each box that a game used the beads of the colour that was
// drawn change and no others, until MENACE resigns because its box is empty.
func TestTaughtBeads(t *testing.T) {
	a := ttt(t)
	l, err := New(a.Space, spec(t, "menace:as=michie,beads=1,draw=-1"), Plan{Against: "human", Seats: "first"},
		&ManualOpponent{},
		1)
	if err != nil {
		t.Fatal(err)
	}
	resigned := false
	for game := 1; !resigned && game < 100; game++ {
		lesson, err := l.BeginLesson(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for lesson.Waits() { // the first of the best moves
			n, edge := lesson.trace.End(), int32(0)
			for e, c := range a.Children(n) {
				if a.Value(c) < a.Value(a.Children(n)[edge]) {
					edge = int32(e)
				}
			}
			if err := lesson.PlayTeacherMove(edge); err != nil {
				t.Fatal(err)
			}
		}
		taught, err := lesson.Taught()
		lesson.Leave()
		if err != nil || taught.Tally.Games != game || taught.Seat != "first" {
			t.Fatalf("%+v, %v", taught, err)
		}
		change := map[string]int{"first": 3, "draw": -1, "second": -1}[taught.Result]
		for i, m := range taught.Moves {
			if m.Box == nil {
				continue
			}
			for _, b := range m.Before {
				want := beadsOn(m.Before, b.Move)
				if b.Move == m.Move {
					want += change
				}
				if got := beadsOn(m.After, b.Move); got != want {
					t.Errorf("game %d, %s, %s: %d beads, want %d", game, m.Position, b.Move, got, want)
				}
			}
			if last := i == len(taught.Moves)-1; (m.Move == "") != (last && taught.Resigned) {
				t.Errorf("game %d: move %q, resigned %v", game, m.Move, taught.Resigned)
			}
			if m.Move == "" {
				resigned = true
				if slices.ContainsFunc(m.Before, func(b model.Looked) bool { return b.Beads != nil && *b.Beads > 0 }) {
					t.Errorf("it resigned with beads in its box: %+v", m)
				}
			}
		}
	}
	if !resigned {
		t.Error("it never resigned")
	}
}

// TestLeftLesson: a game that is left, or called off, is nothing; one that is
// resigned is won by the learner.
func TestLeftLesson(t *testing.T) {
	a := ttt(t)
	for _, text := range []string{"menace", "td-leaf:features=threats,depth=1", "q"} {
		l, err := New(a.Space, spec(t, text), Plan{Against: "human", Start: "mix"}, &ManualOpponent{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		before := brainOf(t, l)
		left, err := l.BeginLesson(t.Context())
		if err != nil || !left.Waits() || left.PlayTeacherMove(9) == nil || left.PlayTeacherMove(0) != nil {
			t.Fatal(err)
		}
		if _, err := l.BeginLesson(t.Context()); err == nil {
			t.Error("two lessons at once")
		}
		left.Leave()
		if taught, err := left.Taught(); taught != nil || !errors.Is(err, errLeft) || left.PlayTeacherMove(0) == nil {
			t.Errorf("%s: a game that was left taught %+v, %v", text, taught, err)
		}
		ctx, stop := context.WithCancel(t.Context())
		off, err := l.BeginLesson(ctx)
		if err != nil {
			t.Fatal(err)
		}
		stop()
		for off.Waits() {
			if err := off.PlayTeacherMove(0); err != nil {
				t.Fatal(err)
			}
		}
		if taught, err := off.Taught(); taught != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a game that was called off taught %+v, %v", text, taught, err)
		}
		off.Leave()
		if !bytes.Equal(brainOf(t, l), before) {
			t.Errorf("%s: games that did not end changed the brain", text)
		}
		given, err := l.BeginLesson(t.Context())
		if err != nil || given.PlayTeacherMove(-1) != nil {
			t.Fatal(err)
		}
		taught, err := given.Taught()
		given.Leave()
		if err != nil || taught.Resigned || taught.Result != taught.Seat || l.Tally().Wins != 1 {
			t.Errorf("%s: %+v, %v", text, taught, err)
		}
	}
	if l := trainer(t, a.Space, "q", Plan{}, nil, 1); l != nil {
		if _, err := l.BeginLesson(t.Context()); err == nil {
			t.Error("a lesson for a learner that plays against itself")
		}
	}
	l, err := New(a.Space, spec(t, "q"), Plan{Against: "human"}, &ManualOpponent{}, 1)
	if err != nil || l.Run(t.Context(), 1, nil) == nil {
		t.Error("a training by hand without a teacher", err)
	}
}

// TestHeadStart: after 500 games by itself MENACE is taught 40 games by one who never
// gives anything away. It then draws more than before, in most of 40 machines at
// least four games of five.
func TestHeadStart(t *testing.T) {
	a := ttt(t)
	best := space.UniformOverBest(a.Space)
	x := examinerWith(t, a, "best", best)
	draws := func(l *Trainer) float64 {
		return graded(t, x, l).AsFirst.Vs["best"].Draw
	}
	good, before, after := 0, 0.0, 0.0
	for seed := range uint64(40) {
		l := trainer(t, a.Space, "menace", Plan{Seats: "first"}, nil, seed)
		run(t, l, 500)
		before += draws(l) / 40
		l.Performance.Opponent = NewMixOpponent(a.Space, best)
		run(t, l, 40)
		after += draws(l) / 40
		if draws(l) >= 0.8 {
			good++
		}
	}
	if t.Logf("drawn %.3f before and %.3f after, in %d of 40 at least 0.8", before, after, good); good < 36 ||
		after < 0.9 || after <= before {
		t.Error("teaching brings it less far")
	}
}

// TestWatched: a training that is watched is the same training, each of its moves is
// seen, and a game that is left is as if it had never begun.
func TestWatched(t *testing.T) {
	a := ttt(t)
	for _, text := range []string{"menace", "lms", "td-leaf"} {
		trained := trainer(t, a.Space, text, Plan{}, space.UniformOverBest(a.Space), 4)
		watched := trainer(t, a.Space, text, Plan{}, space.UniformOverBest(a.Space), 4)
		run(t, trained, 10)
		ends, after := 0, ""
		see := func(m Seen) error {
			switch {
			case m.Result != "":
				ends++
			case m.Position != after && after != "" && m.Position != a.Format(a.Start):
				t.Errorf("%s: a move from %s after one to %s", text, m.Position, after)
			}
			after = m.After
			return nil
		}
		if err := watched.RunWatched(t.Context(), 10, see); err != nil || ends != 10 ||
			!bytes.Equal(brainOf(t, trained), brainOf(t, watched)) {
			t.Errorf("%s: watched it is another training: %d games, %v", text, ends, err)
		}
		enough, moves := errors.New("enough"), 0
		err := watched.RunWatched(t.Context(), 10, func(Seen) error {
			if moves++; moves == 3 {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) || moves != 3 || !bytes.Equal(brainOf(t, trained), brainOf(t, watched)) {
			t.Errorf("%s: left after %d moves, with %v, it is not as it was", text, moves, err)
		}
	}
}
