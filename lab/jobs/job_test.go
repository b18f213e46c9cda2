package jobs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"oxo/arena"
	"oxo/lab"
	"oxo/lab/jobs/progress"
	"oxo/learn/chart"
	"oxo/learn/exam"
)

// someJobs are jobs of every verb.
var someJobs = map[string]Job{
	"train":       {"train", "ttt", json.RawMessage(`{"learner":"menace","against":"perfect","games":600,"runs":4,"exam_every":150}`), 5},
	"train one":   {"train", "ttt", json.RawMessage(`{"learner":"table","games":1100,"exam_every":300}`), 6},
	"train large": {"train", "mnk:6,6,4", json.RawMessage(`{"learner":"lms:scaled=yes","against":"random","games":60,"runs":2}`), 7},
	"tournament": {"tournament", "ttt",
		json.RawMessage(`{"players":["perfect","heuristic","random"],"games":20,"openings":2,"chunk":6}`), 8},
	"match": {"match", "mnk:4,4,3", json.RawMessage(`{"players":["mcts:sims=20","random"],"games":30}`), 9},
	"test": {"match", "ttt",
		json.RawMessage(`{"players":["perfect","random"],"games":400,"sprt":{"elo0":0,"elo1":100},"chunk":4}`), 10},
	"tune":       {"tune", "ttt", json.RawMessage(`{"player":"mcts:sims=20,explore={c},rave={k}","constants":[{"name":"c","start":0.1,"min":0.05,"max":3},{"name":"k","start":0,"min":0,"max":20,"step":5}],"iterations":4,"trials":2,"games":6,"check":10}`), 12},
	"prove":      {"prove", "mnk:4,4,3", nil, 0},
	"prove long": {"prove", "mnk:5,5,4", nil, 0},
	"prove split": {"prove", "mnk:5,5,4",
		json.RawMessage(`{"split":true,"round":2000,"searches":3,"memory":8000000}`), 0},
	"prove limited": {"prove", "mnk:6,6,5", json.RawMessage(`{"split":true,"nodes":500}`), 0},
	"solve":         {"solve", "ttt", json.RawMessage(`{"position":"x.o/.x./..o x"}`), 0},
	"solve drop":    {"solve", "mnk:5,5,4+gravity", nil, 0},
	"solve near":    {"solve", "mnk:8,3,3", nil, 0},
	"solve proof":   {"solve", "mnk:5,5,4", nil, 0},
	"solve tiers":   {"solve", "mnk:4,4,4", json.RawMessage(`{"strong":true}`), 0},
	"solve strong":  {"solve", "mnk:4,3,3", json.RawMessage(`{"strong":true}`), 0},
	"tiers":         {"solve", "mnk:4,3,3", json.RawMessage(`{"tiers":true,"memory":12000}`), 0},
	"tiers strong": {"solve", "mnk:3,3,2+gravity+exact", json.RawMessage(`{"tiers":true,"strong":true,"memory":2500}`),
		0},
	"learned twice": {"train", "ttt", json.RawMessage(`{"learner":"q","against":"random","games":1000,"seats":"first","start":"random","exam_every":400}`), 11},
}

func same(t *testing.T, what string, a, b *JobResult) {
	t.Helper()
	if string(a.JSON) != string(b.JSON) {
		t.Errorf("%s: %s\nnot %s", what, b.JSON, a.JSON)
	}
	if !slices.Equal(slices.Sorted(maps.Keys(a.Files)), slices.Sorted(maps.Keys(b.Files))) {
		t.Errorf("%s: other files", what)
	}
	for name, data := range a.Files {
		if !bytes.Equal(data, b.Files[name]) {
			t.Errorf("%s: the file %s is another", what, name)
		}
	}
}

// countless returns a result without how many positions were searched.
func countless(result []byte) []byte {
	return regexp.MustCompile(`"positions":\d+`).ReplaceAll(result, nil)
}

// longJobs are those of someJobs that take many times as long under the race detector.
var longJobs = []string{"solve proof", "prove long", "prove split"}

func TestJobs(t *testing.T) { compareJobs(t, false) }

func TestLongJobsSequential(t *testing.T) { compareJobs(t, true) }

// compareJobs compares a job by one worker with the same by two, with its parts in
// another order, and stopped again and again.
func compareJobs(t *testing.T, long bool) {
	for name, j := range someJobs {
		if slices.Contains(longJobs, name) != long {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &lab.Lab{}
			alone, err := Run(t.Context(), l, j, RunOptions{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			if !json.Valid(alone.JSON) || bytes.Contains(alone.JSON, []byte(`"seconds"`)) {
				t.Errorf("result %s", alone.JSON)
			}
			two, err := Run(t.Context(), l, j, RunOptions{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			same(t, "two workers", alone, two)
			same(t, "in another order", alone, backwards(t, l, j))
			halted := halting(t, l, j)
			if name == "solve drop" { // what its table held when it was stopped is searched anew
				alone.JSON, halted.JSON = countless(alone.JSON), countless(halted.JSON)
			}
			same(t, "stopped and resumed", alone, halted)
		})
	}
}

// backwards runs the parts of every stage from the last to the first, each on a
// work of its own, as on as many machines, and compares what is told at the end
// of each with what its output says.
func backwards(t *testing.T, l *lab.Lab, j Job) *JobResult {
	t.Helper()
	keep := &MemoryStore{}
	out := &storedOutputs{keep: keep, blobs: blobsInStore{keep}}
	w, err := OpenJob(t.Context(), l, j)
	if err != nil {
		t.Fatal(err)
	}
	for stage := 0; ; stage++ {
		parts, err := w.ListParts(t.Context(), stage, out)
		if err != nil {
			t.Fatal(err)
		}
		if len(parts) == 0 {
			break
		}
		if err := w.DropUnneededBlobs(stage, out); err != nil {
			t.Fatal(err)
		}
		for _, p := range slices.Backward(parts) {
			one, err := OpenJob(t.Context(), l, j)
			if err != nil {
				t.Fatal(err)
			}
			output, told, err := one.RunWithFinalReport(t.Context(), Task{Part: p, Outputs: out})
			if err != nil {
				t.Fatal(err)
			}
			if last, err := w.FinalReport(p, output); err != nil || fmt.Sprint(last) != fmt.Sprint(told) {
				t.Errorf("%s: told %+v, finished %+v, %v", p.Name, told, last, err)
			}
			if err := keep.Save(outputKey(p.Stage, p.Index), output); err != nil {
				t.Fatal(err)
			}
		}
		out.parts = append(out.parts, len(parts))
	}
	files := map[string][]byte{}
	text, err := w.MergeOutputs(out, func(name string) (io.WriteCloser, error) {
		return &resultFile{keep: func(data []byte) { files[name] = data }}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return &JobResult{text, files}
}

// halting stops the job after one, two, four … reports until it gets through.
func halting(t *testing.T, l *lab.Lab, j Job) *JobResult {
	t.Helper()
	keep := &MemoryStore{}
	for patience := 1; ; patience *= 2 {
		ctx, stop := context.WithCancel(t.Context())
		reports := 0
		r, err := Run(ctx, l, j, RunOptions{Workers: 2, State: keep, Every: -1, Progress: func(r Report) {
			if r.Done > r.Total {
				t.Errorf("%d of %d done", r.Done, r.Total)
			}
			if reports++; reports >= patience {
				stop()
			}
		}})
		stop()
		if err == nil {
			return r
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
}

// TestJobGoesOn stops a run of training in the middle and sees that it goes on
// there, with its points.
func TestJobGoesOn(t *testing.T) {
	j := Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"table","games":2000,"exam_every":500}`)}
	keep := &MemoryStore{}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, err := Run(ctx, &lab.Lab{}, j, RunOptions{State: keep, Every: -1, Progress: func(r Report) {
		if r.Done >= 700 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("stopped, but %v", err)
	}
	var points []int
	first := true
	if _, err := Run(t.Context(), &lab.Lab{}, j,
		RunOptions{State: keep, Part: func(ctx context.Context, task Task, run Carry) ([]byte, error) {
			tell := task.Report
			task.Every, task.Report = -1, func(r Report) {
				var d TrainData
				if err := json.Unmarshal(r.Data, &d); err != nil {
					t.Error(err)
				}
				if first && (r.Done < 700 || len(d.Runs) != 1) {
					t.Errorf("it goes on with %d games done and %s", r.Done, r.Data)
				}
				first = false
				points = append(points, d.Runs[0].Games...)
				tell(r)
			}
			return run(ctx, task)
		}}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(points, []int{1000, 1500, 2000}) { // it was stopped in the games after 500
		t.Errorf("it goes on with the points %v", points)
	}
}

// TestJobMeasuresLater: a run that was stopped when it was to be measured is
// measured when it goes on.
func TestJobMeasuresLater(t *testing.T) {
	j := Job{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"table","games":2000,"exam_every":500}`)}
	var before []byte // the state after 1000 games, without their measure
	whole, err := Run(t.Context(), &lab.Lab{}, j,
		RunOptions{Part: func(ctx context.Context, task Task, run Carry) ([]byte, error) {
			tell := task.Report
			task.Every, task.Report = -1, func(r Report) {
				if r.Done == 1000 && before == nil {
					var s trainState
					data, err := r.Checkpoint()
					if err == nil {
						err = json.Unmarshal(data, &s)
					}
					if last := len(s.Games) - 1; err == nil && s.Games[last] == 1000 {
						s.Games, s.Values = s.Games[:last], s.Values[:last]
						before, err = json.Marshal(s)
					}
					if err != nil {
						t.Error(err)
					}
				}
				tell(r)
			}
			return run(ctx, task)
		}})
	if err != nil || before == nil {
		t.Fatalf("no state after 1000 games: %v", err)
	}
	again, err := Run(t.Context(), &lab.Lab{}, j,
		RunOptions{Part: func(ctx context.Context, task Task, run Carry) ([]byte, error) {
			task.Checkpoint = before
			return run(ctx, task)
		}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "measured later", whole, again)
}

// TestExactGoesOnSequential stops a proof and a solution and sees that they go on where
// they were.
func TestExactGoesOnSequential(t *testing.T) {
	for _, j := range []Job{
		{Verb: "prove", Game: "mnk:5,5,4"},
		{Verb: "prove", Game: "mnk:5,5,4", Args: json.RawMessage(`{"split":true}`)},
		{Verb: "solve", Game: "mnk:4,3,3"},
		{Verb: "solve", Game: "mnk:7,4,4"},
	} {
		w, err := OpenJob(t.Context(), &lab.Lab{}, j)
		if err != nil {
			t.Fatal(err)
		}
		parts, err := w.ListParts(t.Context(), 0, &storedOutputs{})
		if err != nil {
			t.Fatal(err)
		}
		task := Task{Part: parts[0], Every: -1}
		count := func(r Report) (n int) {
			var d ProveData
			if r.Data == nil {
				fmt.Sscan(r.Line, &n)
			} else if err := json.Unmarshal(r.Data, &d); err != nil {
				t.Error(err)
			} else {
				n = int(d.Nodes)
			}
			return n
		}
		ctx, stop := context.WithCancel(t.Context())
		done := 0
		task.Report = func(r Report) {
			if r.Checkpoint == nil || task.Checkpoint != nil {
				return
			}
			if task.Checkpoint, err = r.Checkpoint(); err != nil {
				t.Error(err)
			}
			stop() // only now: who waits for an end leaves a checkpoint little time
			done = count(r)
		}
		if _, err := w.Run(ctx, task); !errors.Is(err, context.Canceled) || task.Checkpoint == nil || done == 0 {
			t.Fatalf("%s: stopped after %d, but %v", j.Verb, done, err)
		}
		first := 0
		task.Report = func(r Report) {
			if first == 0 {
				first = count(r)
			}
		}
		output, err := w.Run(t.Context(), task)
		if err != nil || first <= done {
			t.Errorf("%s: stopped after %d it goes on with %d: %v", j.Verb, done, first, err)
		}
		again, err := w.Run(t.Context(), Task{Part: parts[0]})
		if err != nil || !bytes.Equal(output, again) {
			t.Errorf("%s: it puts out something else than in one run: %v", j.Verb, err)
		}
		if _, err := w.Run(t.Context(), Task{Part: parts[0], Checkpoint: []byte("junk")}); err == nil {
			t.Errorf("%s: gone on from junk", j.Verb)
		}
	}
}

// TestLineOfOnePart sees that what the only part of a job says of its progress is what the job says.
func TestLineOfOnePart(t *testing.T) {
	for _, verb := range []string{"solve", "prove"} {
		w, err := OpenJob(t.Context(), &lab.Lab{}, Job{Verb: verb, Game: "ttt"})
		if err != nil {
			t.Fatal(err)
		}
		parts, err := w.ListParts(t.Context(), 0, &storedOutputs{})
		if err != nil {
			t.Fatal(err)
		}
		r := Report{}.withLine(progress.SolutionProgress(lab.Going{Method: lab.ByTable, Positions: 40}))
		if got := w.CombineReports(parts, []Report{r}); got.Line != "40 positions by table" || got.Said == nil {
			t.Errorf("%s: %+v", verb, got)
		}
		if got := w.CombineReports(parts, []Report{{}}); got.Line != "" {
			t.Errorf("%s: %+v of nothing", verb, got)
		}
	}
}

// TestPlainly compares jobs with plain loops that do the same without parts.
func TestPlainly(t *testing.T) {
	l := &lab.Lab{}
	g, err := l.Game("ttt")
	if err != nil {
		t.Fatal(err)
	}
	run := func(j Job, to any) *JobResult {
		t.Helper()
		r, err := Run(t.Context(), l, j, RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(r.JSON, to); err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("train", func(t *testing.T) {
		var sum TrainSummary
		got := run(someJobs["train"], &sum)
		measures, err := g.Learning().PrepareMeasures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		var bases []exam.Basis
		values := make([][][]float64, 4) // run, point, measure
		for i := range uint64(4) {
			one, err := g.Learning().NewOrResumedTrainer(t.Context(),
				lab.TrainOptions{Learner: "menace", Against: "perfect", Seed: 5 + i})
			if err != nil {
				t.Fatal(err)
			}
			measure := measures(one)
			names, bases = measure.Names, measure.Bases
			for point := range 5 {
				if point > 0 {
					if err := one.Run(t.Context(), 150, nil); err != nil {
						t.Fatal(err)
					}
				}
				taken, err := measure.Take(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				values[i] = append(values[i], taken)
			}
			brain, err := g.Learning().Brain(one)
			if err != nil {
				t.Fatal(err)
			}
			data, err := brain.Bytes()
			if err != nil || !bytes.Equal(data, got.Files[fmt.Sprintf("run-%d.brain", i+1)]) {
				t.Errorf("run %d has learned something else: %v", i+1, err)
			}
			exam, err := g.Learning().GradeExactly(t.Context(), one)
			said, _ := json.Marshal(sum.Runs[i].Exam)
			if found, _ := json.Marshal(exam); err != nil || sum.Runs[i].Tally != one.Tally() ||
				!bytes.Equal(said, found) {
				t.Errorf("run %d: %s, not %s: %v", i+1, said, found, err)
			}
		}
		curve, err := chart.JoinRuns([]int{0, 150, 300, 450, 600}, names, bases, values)
		if err != nil {
			t.Fatal(err)
		}
		var csv bytes.Buffer
		if err := curve.WriteCSV(&csv); err != nil || csv.String() != string(got.Files["curve.csv"]) {
			t.Errorf("the curve is another: %v", err)
		}
	})
	t.Run("contest", func(t *testing.T) {
		whole := func(o lab.ContestOptions) *arena.Standings {
			t.Helper()
			c, err := g.Contesting().NewContest(o)
			if err != nil {
				t.Fatal(err)
			}
			file := &arena.MemoryFile{}
			if _, err := c.Play(t.Context(), lab.Range{}, file, nil); err != nil {
				t.Fatal(err)
			}
			s, err := c.CountStandings(lab.Range{}, file)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		var table TournamentSummary
		run(someJobs["tournament"], &table)
		rows, err := whole(lab.ContestOptions{Players: []string{"perfect", "heuristic", "random"}, Games: 20,
			Openings: 2, Seed: 8}).Rows(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprint(table.Rows), fmt.Sprint(rows); got != want {
			t.Errorf("the table is %s, not %s", got, want)
		}
		var m MatchSummary
		run(someJobs["test"], &m)
		s := whole(lab.ContestOptions{Players: []string{"perfect", "random"}, Games: 400, Seed: 10,
			SPRT: &arena.SPRT{Elo0: 0, Elo1: 100, Alpha: 0.05, Beta: 0.05}})
		if m.Verdict != "elo1 accepted" || fmt.Sprint(m.MatchResult) != fmt.Sprint(s.Match()) || m.Games() == 400 {
			t.Errorf("the test is %+v, not %+v", m, s.Match())
		}
	})
	var p lab.ProveResult
	if proof := run(someJobs["prove"], &p).Files[ProofFile]; !verified(t, someJobs["prove"].Game, proof).OK ||
		p.Value != "first" {
		t.Errorf("the proof says %q and does not hold", p.Value)
	}
}

// TestSplitProofsSequential sees that proofs in rounds say what whole ones say, and that
// they hold.
func TestSplitProofsSequential(t *testing.T) {
	for game, want := range map[string]string{"mnk:3,3,3": "draw", "mnk:4,4,3": "first", "mnk:4,3,3": "first",
		"mnk:4,4,4": "draw", "mnk:5,4,4": "draw",
		"torus:3,3,3": "first", "animal:tippy,3,3": "first", "mnk:3,3,3+maker": "first", "mnk:4,4,4+maker": "second",
		"mnk:3,3,3+breaker": "first", "mnk:4,3,3+gravity": "first",
		"mnk:4,4,3+misere": "second", "mnk:3,3,3+wild": "first", "mnk:3,3,3+notakto": "first",
		"mnk:3,3,3+order": "first", "mnk:4,3,3+chaos": "second", "mnk:5,5,4": "draw"} {
		l := &lab.Lab{}
		whole, err := Run(t.Context(), l, Job{Verb: "prove", Game: game}, RunOptions{})
		if err != nil {
			t.Fatal(game, err)
		}
		split, err := Run(t.Context(), l,
			Job{Verb: "prove", Game: game, Args: json.RawMessage(`{"split":true,"round":20,"memory":8000000}`)},
			RunOptions{})
		if err != nil {
			t.Fatal(game, err)
		}
		var a, b lab.ProveResult
		if err := errors.Join(json.Unmarshal(whole.JSON, &a), json.Unmarshal(split.JSON, &b)); err != nil {
			t.Fatal(err)
		}
		if a.Value != b.Value || b.Value != want {
			t.Errorf("%s: whole %s, split %s, not %s", game, a.Value, b.Value, want)
		}
		check := verified(t, game, split.Files["proof.cert"])
		if !check.OK || check.Value != b.Value {
			t.Errorf("%s: the proof in rounds: %+v", game, check)
		}
	}
}

// TestClaimJob: a claim that is not so is said to be that, in the words of a proof without a job.
func TestClaimJob(t *testing.T) {
	done, err := Run(t.Context(), &lab.Lab{},
		Job{Verb: "prove", Game: "mnk:4,4,4+gravity", Args: json.RawMessage(`{"claim":"first"}`)}, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var r lab.ProveResult
	if err := json.Unmarshal(done.JSON, &r); err != nil || !r.Refuted || r.Value != "unknown" ||
		r.Proved != "nothing: first: it is not so" {
		t.Errorf("%s, %v", done.JSON, err)
	}
}

// TestClaimJobChecked: whether a claim is so is what the certificate shows, whatever a part tells of it.
func TestClaimJobChecked(t *testing.T) {
	for claim, refuted := range map[string]bool{"draw": true, "first": false, "first<=15": false} {
		played := "mnk:4,3,3"
		if claim == "first<=15" { // such claims are about games in which marks fall, and nine boards
			played = "mnk:4,4,3+gravity"
		}
		lie := func(ctx context.Context, task Task, carry Carry) ([]byte, error) {
			output, err := carry(ctx, task)
			told := bytes.Replace(output, []byte(`"refuted":true,`), nil, 1)
			if !refuted {
				told = bytes.Replace(output, []byte(`{"result":{`), []byte(`{"result":{"refuted":true,`), 1)
			}
			if bytes.Equal(told, output) {
				t.Errorf("%s: nothing to change in %.200s", claim, output)
			}
			return told, err
		}
		done, err := Run(t.Context(), &lab.Lab{}, Job{Verb: "prove", Game: played,
			Args: json.RawMessage(`{"claim":"` + claim + `"}`)}, RunOptions{Part: lie})
		if err != nil {
			t.Fatal(err)
		}
		var r lab.ProveResult
		if err := json.Unmarshal(done.JSON, &r); err != nil || r.Refuted != refuted || r.Value != "first" {
			t.Errorf("%s: %s, %v", claim, done.JSON, err)
		}
	}
}

// TestVerbs sees that the usual arguments of every verb are what Verbs says.
func TestVerbs(t *testing.T) {
	for _, v := range Verbs() {
		data, err := json.Marshal(v.DefaultArgs())
		if err != nil || v.Gives == "" || v.Short == "" {
			t.Errorf("%s: %v", v.Name, err)
		}
		for _, a := range v.Arguments() {
			if a.Help == "" || !strings.Contains(string(data), `"`+a.Name+`"`) && a.Name != "resume" && a.Name != "sheets" &&
				a.Name != "blind" && a.Name != "for" {
				t.Errorf("%s: %+v", v.Name, a)
			}
		}
		if !slices.ContainsFunc(slices.Collect(maps.Values(someJobs)), func(j Job) bool { return j.Verb == v.Name }) {
			t.Errorf("%s is not tested", v.Name)
		}
	}
}
