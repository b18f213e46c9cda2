package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"oxo/lab"
)

// TestTuneWholeNumbers: a constant for which a player takes whole numbers alone is
// tuned in such, with trials that differ however small the steps become.
func TestTuneWholeNumbers(t *testing.T) {
	g, err := new(lab.Lab).Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	a := *Tune.DefaultArgs().(*TuneArgs)
	a.Player, a.Iterations, a.Trials, a.Games, a.Check = "mcts:sims={s},explore={c}", 60, 2, 2, 2
	a.Constants = Constants{{Name: "s", Start: 3, Min: 0.5, Max: 6.5}, {Name: "c", Start: 1, Min: 0.5, Max: 2}}
	l, err := openTuningJob(t.Context(), g, a, 1)
	if err != nil {
		t.Fatal(err)
	}
	j := l.(*tuning)
	if s, c := j.Constants[0], j.Constants[1]; !s.Whole || s.Min != 1 || s.Max != 6 || c.Whole {
		t.Fatalf("constants %+v", j.Constants)
	}
	w := Job{Verb: "tune", Game: "ttt", Seed: 1}
	if w.Args, err = json.Marshal(a); err != nil {
		t.Fatal(err)
	}
	work, err := OpenJob(t.Context(), new(lab.Lab), w)
	if err != nil {
		t.Fatal(err)
	}
	r, err := work.RunAllParts(t.Context(), RunOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var sum TuneSummary
	if err := json.Unmarshal(r.JSON, &sum); err != nil {
		t.Fatal(err)
	}
	if v := sum.Values[0]; v != math.Round(v) || v < 1 || v > 6 {
		t.Errorf("tuned to %v", sum.Values)
	}
}

// TestTuneStops: who waits for the parts of an iteration with many trials does not wait for all of them.
func TestTuneStops(t *testing.T) {
	j := someJobs["tune"]
	j.Args = bytes.Replace(j.Args, []byte(`"trials":2`), []byte(`"trials":100000`), 1)
	w, err := OpenJob(t.Context(), new(lab.Lab), j)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if parts, err := w.ListParts(ctx, 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%d parts, %v", len(parts), err)
	}
}
