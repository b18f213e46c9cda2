package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo/arena"
	"oxo/lab"
	"oxo/learn"
	"oxo/learn/exam"
	"oxo/learn/space"
)

// TestTrainReports puts the points of all reports together: they are those of
// the result, and each checkpoint has a brain of as many games.
func TestTrainReports(t *testing.T) {
	j := Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"menace","games":100,"exam_every":30}`)}
	var games []int
	var values [][]float64
	r, err := Run(t.Context(), &lab.Lab{}, j,
		RunOptions{Part: func(ctx context.Context, task Task, run Carry) ([]byte, error) {
			tell := task.Report
			task.Every, task.Report = -1, func(r Report) {
				var d TrainData
				data, err := r.Checkpoint()
				if err := errors.Join(err, json.Unmarshal(r.Data, &d)); err != nil {
					t.Error(err)
				}
				data, err = ExtractBrain(data)
				if err != nil {
					t.Error(err)
				}
				if brain, err := learn.ReadBrain(data); err != nil || brain.Tally.Games != r.Done {
					t.Errorf("the brain after %d games: %v", r.Done, err)
				}
				games, values = append(games, d.Runs[0].Games...), append(values, d.Runs[0].Values...)
				tell(r)
			}
			return run(ctx, task)
		}})
	if err != nil {
		t.Fatal(err)
	}
	var sum TrainSummary
	if err := json.Unmarshal(r.JSON, &sum); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(games, []int{0, 30, 60, 90, 100}) || !slices.Equal(sum.Curve.Games, games) {
		t.Fatalf("points after %v games, in the result %v", games, sum.Curve.Games)
	}
	for i, list := range values {
		for k, v := range list {
			if sum.Curve.Lines[k].Mean[i] != v {
				t.Errorf("%s after %d games: %v, in the result %v", sum.Curve.Lines[k].Name, games[i], v,
					sum.Curve.Lines[k].Mean[i])
			}
		}
	}
	if _, err := ExtractBrain([]byte("{}")); err == nil {
		t.Error("there is a brain in nothing")
	}
}

// TestTrainForSequential: a training of so long has a curve as one of so many games has, says how it
// ended, and goes on from a checkpoint for the time that is left.
func TestTrainForSequential(t *testing.T) {
	j := Job{Verb: "train", Game: "mnk:6,6,4+gravity", Args: json.RawMessage(`{"learner":"ntuple","for":"400ms"}`)}
	r, err := Run(t.Context(), &lab.Lab{}, j, RunOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	var sum TrainSummary
	if err := json.Unmarshal(r.JSON, &sum); err != nil {
		t.Fatal(err)
	}
	if sum.Stopped || sum.Games == 0 || sum.Sampled == nil || sum.Curve == nil || len(sum.Curve.Games) < 3 ||
		sum.Curve.Games[len(sum.Curve.Games)-1] != sum.Games {
		t.Errorf("%s", r.JSON)
	}
	for args, want := range map[string]string{
		`{"learner":"ntuple","for":"0s"}`:                   "more than 0",
		`{"learner":"ntuple","for":"soon"}`:                 "no time",
		`{"learner":"ntuple","for":"1s","runs":2}`:          "one run",
		`{"learner":"ntuple","for":"1s","exam_every":1000}`: "number of games",
	} {
		j.Game, j.Args = "ttt", json.RawMessage(args)
		_, err := Run(t.Context(), &lab.Lab{}, j, RunOptions{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
}

// TestSalvage stops jobs and sees that what was done is not lost.
func TestSalvage(t *testing.T) {
	defer func(usual time.Duration) { lastExam = usual }(lastExam)
	lastExam = time.Hour // on the slowest machine too
	for _, c := range []struct {
		job   Job
		files []string
	}{
		{Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"table","games":1000000000,"blind":true}`)}, []string{"run-1.brain"}},
		{Job{Verb: "match", Game: "ttt", Args: json.RawMessage(`{"players":["random","random"],"games":10000000}`)},
			[]string{JournalFile}},
		{Job{Verb: "solve", Game: "mnk:4,4,4"}, nil},
	} {
		ctx, stop := context.WithCancel(t.Context())
		r, err := Run(ctx, &lab.Lab{}, c.job,
			RunOptions{Workers: 1, Salvage: true, Every: -1, Progress: func(r Report) {
				if r.Done > 100 || c.files == nil {
					stop()
				}
			}})
		stop()
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if c.files == nil {
			if r != nil {
				t.Errorf("%s: %s", c.job.Verb, r.JSON)
			}
			continue
		}
		if r == nil || !slices.Equal(slices.Sorted(maps.Keys(r.Files)), c.files) {
			t.Fatalf("%s: saved %v", c.job.Verb, r)
		}
		if c.job.Verb == "match" {
			if games, err := arena.JournalGames(r.Files[JournalFile]); err != nil || len(games) < 100 {
				t.Errorf("%d games, %v", len(games), err)
			}
			continue
		}
		var sum TrainSummary
		brain, err := learn.ReadBrain(r.Files["run-1.brain"])
		if json.Unmarshal(r.JSON, &sum) != nil || !sum.Stopped || sum.Exam == nil || err != nil ||
			brain.Tally != sum.Tally || sum.Games < 100 {
			t.Errorf("%s, %v", r.JSON, err)
		}
	}
}

// TestSalvagedCurve: the curve of a training that was stopped has the points that all its runs have.
func TestSalvagedCurve(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := Run(ctx, &lab.Lab{}, Job{Verb: "train", Game: "ttt",
		Args: json.RawMessage(`{"learner":"table","games":1000000000,"exam_every":20,"runs":2}`)},
		RunOptions{Workers: 2, Salvage: true, Every: -1, Progress: func(r Report) {
			var data TrainData
			if json.Unmarshal(r.Data, &data) == nil && len(data.Runs) == 2 && data.Runs[0].Tally.Games > 100 &&
				data.Runs[1].Tally.Games > 100 {
				stop()
			}
		}})
	var sum TrainSummary
	if !errors.Is(err, context.Canceled) || r == nil || json.Unmarshal(r.JSON, &sum) != nil || sum.Curve == nil {
		t.Fatalf("%v, %+v", err, r)
	}
	least := min(sum.Runs[0].Games, sum.Runs[1].Games) / 20
	if n := len(sum.Curve.Games); n < 5 || n > least+1 || n < least || sum.Curve.Runs != 2 ||
		len(sum.Curve.Lines[0].Mean) != n || sum.Curve.Lines[0].Basis.Of != "exam" {
		t.Errorf("%d points of %d runs: %+v", n, sum.Curve.Runs, sum.Runs)
	}
	if !bytes.HasPrefix(r.Files["curve.csv"], []byte("games,")) || len(r.Files["curve.svg"]) == 0 {
		t.Errorf("files %v", slices.Sorted(maps.Keys(r.Files)))
	}
}

// TestSalvagedPoint: the curve of a run that was stopped ends where it was stopped.
func TestSalvagedPoint(t *testing.T) {
	defer func(usual time.Duration) { lastExam = usual }(lastExam)
	lastExam = time.Hour
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := Run(ctx, &lab.Lab{}, Job{Verb: "train", Game: "ttt",
		Args: json.RawMessage(`{"learner":"table","games":1000000000,"exam_every":500000000}`)},
		RunOptions{Salvage: true, Every: -1, Progress: func(r Report) {
			if r.Done > 100 {
				stop()
			}
		}})
	var sum TrainSummary
	if !errors.Is(err, context.Canceled) || r == nil || json.Unmarshal(r.JSON, &sum) != nil || sum.Curve == nil {
		t.Fatalf("%v, %+v", err, r)
	}
	rows := strings.Split(strings.TrimSpace(string(r.Files["curve.csv"])), "\n")
	if !slices.Equal(sum.Curve.Games, []int{0, sum.Games}) || sum.Games < 100 || len(rows) != 3 ||
		!strings.HasPrefix(rows[2], fmt.Sprint(sum.Games, ",")) {
		t.Errorf("stopped after %d games, the curve is of %d:\n%s", sum.Games, sum.Curve.Games, r.Files["curve.csv"])
	}
}

// TestLastProgress: how far a training came before it was stopped is told, however soon after a report that was.
func TestLastProgress(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var last, told Report
	_, err := Run(ctx, &lab.Lab{}, Job{Verb: "train", Game: "ttt",
		Args: json.RawMessage(`{"learner":"table","games":1000000000,"exam_every":20}`)},
		RunOptions{Every: time.Hour, Progress: func(r Report) { told = r },
			Part: func(ctx context.Context, task Task, run Carry) ([]byte, error) {
				tell := task.Report
				task.Every = -1
				task.Report = func(r Report) {
					if last = r; r.Done >= 100 {
						stop()
					}
					tell(r)
				}
				return run(ctx, task)
			}})
	if !errors.Is(err, context.Canceled) || last.Done < 100 || told.Done != last.Done {
		t.Errorf("%d games were told of %d, %v", told.Done, last.Done, err)
	}
}

// TestSalvagedExam: the exam of a training that was stopped does not keep people
// waiting.
func TestSalvagedExam(t *testing.T) {
	defer func(usual time.Duration) { lastExam = usual }(lastExam)
	lastExam = 0
	ctx, stop := context.WithCancel(t.Context())
	r, err := Run(ctx, &lab.Lab{}, Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"table","games":1000000000,"blind":true}`)},
		RunOptions{Salvage: true, Progress: func(Report) { stop() }})
	stop()
	var sum TrainSummary
	if !errors.Is(err, context.Canceled) || r == nil || json.Unmarshal(r.JSON, &sum) != nil || sum.Exam != nil ||
		!sum.ExamStopped {
		t.Errorf("%v, %+v", err, r)
	}
	if _, err := OpenJob(ctx, &lab.Lab{}, Job{Verb: "train", Game: "mnk:4,4,3", Args: json.RawMessage(`{"learner":"table"}`)}); !errors.Is(err, context.Canceled) {
		t.Errorf("a training that was called off: %v", err)
	}
}

// TestJobResumesBrain goes on from a brain in another job.
func TestJobResumesBrain(t *testing.T) {
	l := &lab.Lab{}
	half, err := Run(t.Context(), l, Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"td","games":300}`), Seed: 3}, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	args, err := json.Marshal(TrainArgs{Games: 300, Runs: 1, ExamEvery: 200, Resume: half.Files["run-1.brain"]})
	if err != nil {
		t.Fatal(err)
	}
	rest, err := Run(t.Context(), l, Job{Verb: "train", Game: "ttt", Args: args, Seed: 99}, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Run(t.Context(), l, Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"td","games":600}`), Seed: 3}, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, errA := learn.ReadBrain(rest.Files["run-1.brain"])
	b, errB := learn.ReadBrain(whole.Files["run-1.brain"])
	if errA != nil || errB != nil || !bytes.Equal(a.Memory, b.Memory) || a.Tally != b.Tally {
		t.Error("a brain that goes on learns otherwise than one that never stopped")
	}
	sum := new(TrainSummary)
	if err := json.Unmarshal(rest.JSON, sum); err != nil || !slices.Equal(sum.Curve.Games, []int{300, 400, 600}) {
		t.Errorf("exams after %v games, %v", sum.Curve, err)
	}
}

// TestJobChangesTeacherSequential: what is given of opponent, starts and seats replaces the
// brain's, and nothing else does.
func TestJobChangesTeacherSequential(t *testing.T) {
	l := &lab.Lab{}
	r, err := Run(t.Context(), l, Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"q","against":"random","start":"untried","games":20}`)}, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args TrainArgs
		want learn.Plan
	}{
		{TrainArgs{}, learn.Plan{Against: "random", Start: "untried", Seats: "alternate"}},
		{TrainArgs{Against: "optimal"}, learn.Plan{Against: "optimal", Start: "untried", Seats: "alternate"}},
		{TrainArgs{Against: "itself", Start: "retry", Seats: "second"},
			learn.Plan{Against: "itself", Start: "retry", Seats: "second"}},
		{TrainArgs{}, learn.Plan{Against: "itself", Start: "retry", Seats: "second"}},
	} {
		c.args.Games, c.args.Runs, c.args.Resume = 20, 1, r.Files["run-1.brain"]
		args, err := json.Marshal(c.args)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = Run(t.Context(), l, Job{Verb: "train", Game: "ttt", Args: args}, RunOptions{}); err != nil {
			t.Fatal(err)
		}
		var sum TrainSummary
		brain, err := learn.ReadBrain(r.Files["run-1.brain"])
		if err != nil || json.Unmarshal(r.JSON, &sum) != nil || !reflect.DeepEqual(brain.Plan, c.want) ||
			sum.Against != c.want.Against {
			t.Errorf("%+v: %+v, %v; %s", c.args, brain.Plan, err, r.JSON)
		}
	}
}

// TestNoExam: where there is no exact exam the result says why.
func TestNoExam(t *testing.T) {
	for game, want := range map[string]string{"ttt": "",
		"mnk:6,6,4": "mnk:6,6,4: too many positions to enumerate: over 10^15"} {
		r, err := Run(t.Context(), &lab.Lab{}, Job{Verb: "train", Game: game, Args: json.RawMessage(`{"learner":"lms","games":1}`)}, RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var sum TrainSummary
		if err := json.Unmarshal(r.JSON, &sum); err != nil || !strings.HasPrefix(sum.NoExam, want) ||
			(sum.NoExam == "") != (want == "") || (sum.Exam == nil) != (want != "") {
			t.Errorf("%s: %s, %v", game, r.JSON, err)
		}
	}
}

// TestFirstExamStopped: a training that is stopped before its first game, in its
// first exam or while that is prepared, has a brain all the same.
func TestFirstExamStopped(t *testing.T) {
	for _, during := range []string{"prepared", "under way"} {
		w, err := OpenJob(t.Context(), &lab.Lab{}, Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"table","exam_every":5}`)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		if during == "under way" {
			w.staged.(*training).measure = func(*learn.Trainer) learn.Measure {
				return learn.Measure{Names: []string{"exam"}, Take: func(ctx context.Context) ([]float64, error) {
					stop()
					return nil, ctx.Err()
				}}
			}
		}
		r, err := w.RunAllParts(ctx, RunOptions{Salvage: true,
			Part: func(_ context.Context, task Task, _ Carry) ([]byte, error) {
				if during == "prepared" {
					stop()
				}
				return w.staged.runPart(ctx, task, &reporter{task: task})
			}})
		stop()
		if !errors.Is(err, context.Canceled) || r == nil {
			t.Fatalf("%s: %v, %v", during, r, err)
		}
		if brain, err := learn.ReadBrain(r.Files["run-1.brain"]); err != nil || brain.Tally.Games != 0 {
			t.Errorf("%s: %+v, %v", during, brain, err)
		}
	}
}

// TestJobOfAnotherBrain refuses a brain of another game at once: a game that
// takes long to be enumerated is not looked at for that.
func TestJobOfAnotherBrain(t *testing.T) {
	l := &lab.Lab{}
	g, err := l.Game("mnk:4,4,4")
	if err != nil {
		t.Fatal(err)
	}
	other := []byte(`{"format":"oxo brain","version":1,"game":"mnk:3,3,3","identity":"mnk:3,3,3"}`)
	if _, err := learn.ReadBrain(other); err != nil {
		t.Fatal(err)
	}
	args, err := json.Marshal(TrainArgs{Games: 1, Runs: 1, Resume: other})
	if err != nil {
		t.Fatal(err)
	}
	before := lab.Held(g)
	if _, err := OpenJob(t.Context(), l, Job{Verb: "train", Game: "mnk:4,4,4", Args: args}); err == nil ||
		!strings.Contains(err.Error(), "it is a brain for mnk:3,3,3") {
		t.Error(err)
	}
	if held := lab.Held(g); held != before {
		t.Errorf("the positions were enumerated all the same: %d bytes", held)
	}
}

// TestMeasureBasesSequential: measures say whether they are exact, a sample of so many, or of the learner's own.
func TestMeasureBasesSequential(t *testing.T) {
	for _, c := range []struct {
		game, learner string
		want          map[string]exam.Basis // by the beginning of names
	}{
		{"ttt", "lms", map[string]exam.Basis{"%": {Of: "exam"}, "exploitability": {Of: "exam"},
			"own line": {Of: "weights"}}},
		{"ttt", "menace", map[string]exam.Basis{"mistakes": {Of: "exam"}, "beads": {Of: "beads"}}},
		{"ttt", "tree", map[string]exam.Basis{"rules": {Of: "rules"}}},
		{"mnk:5,5,4", "net", map[string]exam.Basis{"% won": {Of: "games", Size: 10}}},
		{"qubic", "lms", map[string]exam.Basis{"% won": {Of: "games", Size: 10}, "own": {Of: "weights"}}},
		{"ultimate", "net", map[string]exam.Basis{"% won": {Of: "games", Size: 10}, "loss": {Of: "loss"}}},
		{"connect4", "ntuple", map[string]exam.Basis{"% kept": {Of: "positions"}}},
	} {
		args, err := json.Marshal(TrainArgs{Learner: c.learner, Games: 1, Runs: 1})
		if err != nil {
			t.Fatal(err)
		}
		w, err := OpenJob(t.Context(), &lab.Lab{}, Job{Verb: "train", Game: c.game, Args: args})
		if err != nil {
			t.Fatal(err)
		}
		j := w.staged.(*training)
		measures, err := j.prepareMeasures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		trainer, err := j.NewOrResumedTrainer(t.Context(), j.o)
		if err != nil {
			t.Fatal(err)
		}
		m := measures(trainer)
		if len(m.Bases) != len(m.Names) {
			t.Fatalf("%s on %s: %d bases of %d measures", c.learner, c.game, len(m.Bases), len(m.Names))
		}
		for begins, want := range c.want {
			found := false
			for i, name := range m.Names {
				if !strings.HasPrefix(name, begins) {
					continue
				}
				found = true
				got := m.Bases[i]
				if want.Of == "positions" && got.Size > 0 && got.Size < 400 {
					got.Size = 0 // so many as the sample came to have
				}
				if got != want {
					t.Errorf("%s on %s: %s is of %+v, want %+v", c.learner, c.game, name, got, want)
				}
			}
			if !found {
				t.Errorf("%s on %s: there is no measure %s…: %v", c.learner, c.game, begins, m.Names)
			}
		}
	}
}

// TestSlipperyGuess: of a game in which marks slip, which has too many positions to list, that is guessed at once.
func TestSlipperyGuess(t *testing.T) {
	done, stop := context.WithCancel(t.Context())
	stop()
	for spec, want := range map[string]error{
		"mnk:4,4,3+slip=0.1": space.ErrTooLarge,
		"mnk:6,6,4+slip=0.1": space.ErrTooLarge,
		"mnk:4,3,3+slip=0.1": context.Canceled,
		"ttt+slip=0.1":       context.Canceled,
	} {
		g, err := new(lab.Lab).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Learning().Inexact(done); !errors.Is(err, want) {
			t.Errorf("%s: error %v, want %v", spec, err, want)
		}
	}
}
