package exam

import (
	"context"
	"math"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/learn/space"
)

// TestSample: the trials are positions in which some move gives value away, as all positions
// of the game say, and a way to play is graded by what it keeps.
func TestSample(t *testing.T) {
	a := ttt(t)
	value := func(_ context.Context, p board.Pos64) (oxo.Value, error) {
		n, err := a.Node(p)
		return oxo.Value(space.Sign(p.Turn()) * a.Value(n)), err
	}
	s, err := NewSample(t.Context(), a.Game, 9, 200, 1, value)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Trials) < 200 || s.Marks != 0 {
		t.Fatalf("%d trials from %d marks on", len(s.Trials), s.Marks)
	}
	want := map[string]float64{}
	for _, trial := range s.Trials {
		n, err := a.Find(trial.Position)
		if err != nil {
			t.Fatal(err)
		}
		quiet := true
		kept := 0.0
		for e, c := range a.Children(n) {
			if trial.Keeps[e] != a.KeepsWorth(n, c) {
				t.Errorf("%s, move %d: keeps the value: %v", trial.Position, e, trial.Keeps[e])
			}
			quiet = quiet && !a.Over(c)
			if trial.Keeps[e] {
				kept++
			}
		}
		if quiet != trial.Quiet || !slices.Contains(trial.Keeps, false) || kept == 0 {
			t.Errorf("%s: %+v", trial.Position, trial)
		}
		want["random"] += kept / float64(len(trial.Keeps)) / float64(len(s.Trials))
		want["best"] += 1 / float64(len(s.Trials))
	}
	want["worst"] = 0
	for name, odds := range map[string]func(t *Trial, w []float64) error{
		"random": func(t *Trial, w []float64) error {
			for e := range w {
				w[e] = 1 / float64(len(w))
			}
			return nil
		},
		"best":  func(t *Trial, w []float64) error { w[slices.Index(t.Keeps, true)] = 1; return nil },
		"worst": func(t *Trial, w []float64) error { w[slices.Index(t.Keeps, false)] = 1; return nil },
	} {
		e, err := s.Grade(odds)
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []Share{e.Positions, e.Quiet} {
			if !(0 <= share.Low && share.Low <= share.Kept && share.Kept <= share.High && share.High <= 1) ||
				share.High-share.Low < 1/float64(s.Games) || math.Abs(share.High-share.Low-2*share.Error) > 1e-12 {
				t.Errorf("%s: the interval of %+v", name, share)
			}
		}
		if math.Abs(e.Positions.Kept-want[name]) > 1e-9 {
			t.Errorf("%s keeps %+v, want %.3f", name, e.Positions, want[name])
		}
		if e.Quiet.Of == 0 || e.Quiet.Of >= e.Positions.Of {
			t.Errorf("%d of %d are quiet", e.Quiet.Of, e.Positions.Of)
		}
	}
}

// TestSampleInterval: of games of two trials each half have one kept and half both; then all both, and none. Four games
// are added for the interval, which ends at 0 and 1.
func TestSampleInterval(t *testing.T) {
	const games = 64
	s := &Sample{Games: games}
	var half, all []float64
	none := make([]float64, 2*games)
	for game := range games {
		s.Trials = append(s.Trials, Trial{Game: game}, Trial{Game: game})
		half, all = append(half, 1, float64(game%2)), append(all, 1, 1)
	}
	for _, c := range []struct {
		kept            []float64
		share, middle   float64
		low, high, rest float64 // games that keep one of two, two, none
	}{
		{half, .75, 25. / 34, games / 2, games/2 + 2, 2},
		{all, 1, 33. / 34, 0, games + 2, 2},
		{none, 0, 1. / 34, 0, 2, games + 2},
	} {
		got := s.keptShare(c.kept, func(*Trial) bool { return true })
		m := c.middle
		square := c.low*(m-.5)*(m-.5) + c.high*(1-m)*(1-m) + c.rest*m*m
		off := 1.96 * math.Sqrt(square) / (games + 4)
		want := Share{2 * games, c.share, 0, max(0, m-off), min(1, m+off)}
		if got.Of != want.Of || got.Kept != want.Kept || math.Abs(got.Low-want.Low) > 1e-12 ||
			math.Abs(got.High-want.High) > 1e-12 || math.Abs(2*got.Error-got.High+got.Low) > 1e-12 {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// TestSampleOfNothing: a game in which no move gives value away has no sample.
func TestSampleOfNothing(t *testing.T) {
	a := ttt(t)
	level := func(context.Context, board.Pos64) (oxo.Value, error) { return oxo.Draw, nil }
	flat := *a.Game
	flat.Start = flat.Start.Play(0).Play(1).Play(2).Play(5).Play(3).Play(6).Play(7) // no more rows
	if _, err := NewSample(t.Context(), &flat, 9, 5, 1, level); err == nil {
		t.Error("there is a sample")
	}
}
