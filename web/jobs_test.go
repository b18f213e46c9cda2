package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/learn"
	webjobs "oxo/web/jobs"
)

// trainRequest asks for a training of 3×3.
func trainRequest(learner string, games int, more object) object {
	args := object{"learner": learner, "against": "optimal", "games": games, "exam_every": games / 10}
	maps.Copy(args, more)
	return object{"verb": "train", "game": "ttt", "seed": 7, "args": args}
}

// addJob has a job done, and becomes its owner.
func (t *tester) addJob(request object) webjobs.JobView {
	t.Helper()
	w := t.ask("POST", api+"jobs", request)
	var j webjobs.JobView
	if err := json.Unmarshal(w.Body.Bytes(), &j); w.Code != 200 || err != nil {
		t.Fatalf("%v: %d %s", request, w.Code, w.Body)
	}
	for _, c := range w.Result().Cookies() {
		t.header.Set("Cookie", c.Name+"="+c.Value)
	}
	return j
}

// follow reads a job's stream until a line suits, and returns what it said.
func (t *tester) follow(id string,
	suits func(webjobs.JobView) bool) (last webjobs.JobView, points []webjobs.PointsLine) {
	t.Helper()
	l := t.listen(api + "jobs/" + id + "/stream?format=ndjson")
	defer l.leave()
	for {
		line := strings.TrimSpace(l.next())
		if line == "" {
			continue
		}
		var e struct {
			Type   string
			Job    *webjobs.JobView
			Points json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %q", err, line)
		}
		if e.Type == "points" {
			var p struct {
				Names []string
				Runs  []struct {
					Run    int
					Games  []int
					Values [][]*float64
				}
			}
			if err := json.Unmarshal(e.Points, &p); err != nil {
				t.Fatalf("%v: %s", err, e.Points)
			}
			kept := webjobs.PointsLine{Names: p.Names}
			for _, r := range p.Runs {
				kept.Runs = append(kept.Runs, webjobs.RunPoints{Run: r.Run, Games: r.Games})
			}
			points = append(points, kept)
			continue
		}
		if last = *e.Job; suits(last) {
			return last, points
		}
	}
}

func isOver(j webjobs.JobView) bool { return webjobs.Over(j.State) }

// finish follows a job to its end, which must be a good one.
func (t *tester) finish(id string) (webjobs.JobView, []webjobs.PointsLine) {
	t.Helper()
	j, points := t.follow(id, isOver)
	if j.State != webjobs.Done {
		t.Fatalf("job %s is %s: %s", id, j.State, j.Error)
	}
	return j, points
}

// TestTraining follows a training from its beginning to a game against what was
// learned.
func TestTraining(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	made := x.addJob(trainRequest("table", 400, object{"runs": 2}))
	j, points := x.finish(made.ID)
	if j.Done != 800 || j.Total != 800 || !j.Mine || len(j.Brains) == 0 {
		t.Errorf("done: %+v", j)
	}
	measured := map[int][]int{}
	for i, p := range points {
		if (len(p.Names) > 0) != (i == 0) {
			t.Errorf("line %d has the names %v", i, p.Names)
		}
		for _, r := range p.Runs {
			measured[r.Run] = append(measured[r.Run], r.Games...)
		}
	}
	for run := 1; run <= 2; run++ {
		if want := []int{0, 40, 80, 120, 160, 200, 240, 280, 320, 360, 400}; !slices.Equal(measured[run], want) {
			t.Errorf("run %d was measured at %v", run, measured[run])
		}
	}
	var result struct {
		Games int
		Runs  []any
	}
	x.answered(200, "GET", api+"jobs/"+j.ID+"/result", nil, &result)
	if len(result.Runs) != 2 {
		t.Errorf("result: %+v", result)
	}
	names := make([]string, len(j.Files))
	for i, f := range j.Files {
		names[i] = f.Name
	}
	if want := []string{"curve.csv", "curve.svg", "run-1.brain", "run-2.brain"}; !slices.Equal(names, want) {
		t.Errorf("files %v", names)
	}
	if w := x.ask("GET", api+"jobs/"+j.ID+"/files/curve.csv", nil); w.Code != 200 ||
		!strings.Contains(w.Body.String(), "games,") {
		t.Errorf("curve: %d %.100s", w.Code, w.Body)
	}
	x.fault(404, "GET", api+"jobs/"+j.ID+"/files/none", nil)

	last := j.Brains[len(j.Brains)-1]
	if last.Run != 2 || last.Games != 400 {
		t.Errorf("last brain %+v", last)
	}
	var chosen ChooseReply
	x.answered(200, "POST", api+"choose", object{"game": "ttt", "player": "brain:" + last.Brain, "seed": 1}, &chosen)
	if chosen.Move == "" {
		t.Errorf("it plays %+v", chosen)
	}
	x.fault(422, "POST", api+"choose", object{"game": "mnk:4,3,3", "player": "brain:" + last.Brain})
	x.fault(422, "POST", api+"choose", object{"game": "ttt", "player": "brain:/etc/passwd"})

	var saved webjobs.Brain
	x.answered(200, "POST", api+"jobs/"+j.ID+"/save", object{"brain": "1", "name": "first-try"}, &saved)
	if saved.Games != 400 || !saved.Mine || saved.Learns != "table" {
		t.Errorf("saved %+v", saved)
	}
	if at, _ := x.fault(422, "POST", api+"jobs/"+j.ID+"/save",
		object{"brain": "2", "name": "first-try"}); at != "body.name" {
		t.Errorf("a name twice: %s", at)
	}
	if at, _ := x.fault(422, "POST", api+"jobs/"+j.ID+"/save",
		object{"brain": "9", "name": "second-try"}); at != "body.brain" {
		t.Errorf("no such run: %s", at)
	}
	x.answered(200, "POST", api+"choose", object{"game": "ttt", "player": "brain:first-try", "seed": 1}, nil)
	var shown webjobs.BrainReply
	x.answered(200, "GET", api+"brain?brain=first-try&most=5", nil, &shown)
	if shown.Games != 400 || len(shown.Shown) == 0 {
		t.Errorf("shown %+v", shown)
	}
	var look webjobs.LookReply
	x.answered(200, "POST", api+"look", object{"brain": "first-try", "moves": []string{"b2"}}, &look)
	if look.State.Turn != "second" || !bytes.Contains(look.Look, []byte("a1")) {
		t.Errorf("look %s", look.Look)
	}
	x.fault(422, "GET", api+"brain?brain=nobody", nil)

	// Another visitor sees the brain but can't take it away.
	other := x.as("")
	other.header.Del("Cookie")
	other.fault(403, "DELETE", api+"brains/first-try", nil)
	var list webjobs.BrainList
	other.answered(200, "GET", api+"brains?game=mnk:3,3,3", nil, &list)
	if len(list.Brains) != 1 || list.Brains[0].Mine {
		t.Errorf("brains %+v", list)
	}
	x.answered(204, "DELETE", api+"brains/first-try", nil, nil)
	x.fault(422, "POST", api+"choose", object{"game": "ttt", "player": "brain:first-try"})
	x.answered(204, "DELETE", api+"jobs/"+j.ID, nil, nil)
	x.fault(404, "GET", api+"jobs/"+j.ID, nil)
	x.fault(422, "POST", api+"choose", object{"game": "ttt", "player": "brain:" + last.Brain})
}

// TestOtherJobs has one job of each other kind done.
func TestOtherJobs(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	var proved string
	for _, c := range []struct {
		verb, game string
		args       object
		want, file string
	}{
		{"tournament", "ttt", object{"players": []string{"perfect", "heuristic", "random"}, "games": 4}, `"perfect"`,
			"games.journal"},
		{"match", "ttt", object{"players": []string{"perfect", "random"}, "games": 4}, `"random"`, "games.journal"},
		{"prove", "mnk:4,3,3", nil, `"first"`, "proof.cert"},
		{"solve", "ttt", object{"strong": true}, `"draw"`, "solution.oxo"},
	} {
		request := object{"verb": c.verb, "game": c.game, "seed": 3}
		if c.args != nil {
			request["args"] = c.args
		}
		j, _ := x.finish(x.addJob(request).ID)
		w := x.ask("GET", api+"jobs/"+j.ID+"/result", nil)
		if !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s: %s", c.verb, w.Body)
		}
		if w := x.ask("GET", api+"jobs/"+j.ID+"/files/"+c.file, nil); w.Code != 200 || w.Body.Len() == 0 {
			t.Errorf("%s: file %s: %d", c.verb, c.file, w.Code)
		}
		if (j.Proof != "") != (c.verb == "prove") {
			t.Errorf("%s: the proof %q", c.verb, j.Proof)
		}
		proved += j.Proof
	}
	// The certificate is among the server's proofs, and is walked like those.
	var proofs ProofList
	x.answered(200, "GET", api+"proofs", nil, &proofs)
	p := proofs.Proofs[0]
	if len(proofs.Proofs) != len(lab.Carried())+1 || proved != p.ID || p.From != fromJobs || p.Game != "mnk:4,3,3" ||
		p.Search == nil || p.Search.Nodes != 4 ||
		p.Value != "first" {
		t.Fatalf("%d proofs, the first %+v", len(proofs.Proofs), p)
	}
	var w lab.Walk
	x.answered(200, "POST", api+"proofs/"+p.ID+"/walk", object{}, &w)
	if len(w.Moves) != 1 || !w.Wins {
		t.Errorf("walk: %+v", w)
	}
	if r := lastCheck(t, x.ask("GET", api+"proofs/"+p.ID+"/check?format=ndjson", nil).Body.Bytes()); !r.OK {
		t.Errorf("check: %+v", r)
	}
	var verbs webjobs.VerbList
	x.answered(200, "GET", api+"verbs", nil, &verbs)
	if len(verbs.Verbs) < 5 {
		t.Errorf("%d verbs", len(verbs.Verbs))
	}
	var jobs webjobs.JobList
	x.answered(200, "GET", api+"jobs?verb=prove", nil, &jobs)
	if len(jobs.Jobs) != 1 || jobs.Jobs[0].Verb != "prove" {
		t.Errorf("jobs %+v", jobs)
	}
	if said := x.ask("GET", api+"jobs?verb=foo", nil); said.Code != 422 ||
		!strings.Contains(said.Body.String(), "query.verb") ||
		!strings.Contains(said.Body.String(), "there are train, match") {
		t.Errorf("an unknown verb: %d %s", said.Code, said.Body)
	}
	x.answered(200, "GET", api+"learners?game=ttt", nil, nil)
	x.fault(422, "GET", api+"learners?game=chess", nil)
}

// learned returns the first run's brain of a finished training.
func (t *tester) learned(id string) string {
	t.Helper()
	return t.ask("GET", api+"jobs/"+id+"/files/run-1.brain", nil).Body.String()
}

// TestPausedTraining pauses a slow training, lets it go on, and compares what
// it learned with one that was never paused.
func TestPausedTraining(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	whole, _ := x.finish(x.addJob(trainRequest("table", 300, nil)).ID)
	request := trainRequest("table", 300, nil)
	request["pace"] = 0.01
	j := x.addJob(request)
	x.follow(j.ID, func(j webjobs.JobView) bool { return j.State == webjobs.Running && j.Total > 0 })
	var now webjobs.JobView
	x.answered(200, "POST", api+"jobs/"+j.ID+"/pause", nil, &now)
	if now.State != webjobs.Paused {
		t.Fatalf("paused: %+v", now)
	}
	x.answered(200, "POST", api+"jobs/"+j.ID+"/pause", nil, nil) // twice is no harm
	x.answered(200, "POST", api+"jobs/"+j.ID+"/pace", object{"pace": 0}, nil)
	x.answered(200, "POST", api+"jobs/"+j.ID+"/resume", nil, nil)
	x.finish(j.ID)
	x.fault(409, "POST", api+"jobs/"+j.ID+"/resume", nil)
	x.fault(409, "POST", api+"jobs/"+j.ID+"/cancel", nil)
	if a, b := x.learned(whole.ID), x.learned(j.ID); a != b || a == "" {
		t.Errorf("a pause has changed what was learned: %d and %d bytes", len(a), len(b))
	}
}

// TestTrainingSurvivesTheServer ends the server while a training is under way.
func TestTrainingSurvivesTheServer(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	whole, _ := x.finish(x.addJob(trainRequest("table", 300, nil)).ID)
	request := trainRequest("table", 300, nil)
	request["pace"] = 0.01
	j := x.addJob(request)
	x.follow(j.ID, func(j webjobs.JobView) bool { return j.State == webjobs.Running && j.Total > 0 })
	x.server.Close()
	if m.states() != "done running" {
		t.Fatalf("the store holds jobs that are %s", m.states())
	}
	y := newTester(t, hosted(m))
	y.header = x.header
	y.answered(200, "POST", api+"jobs/"+j.ID+"/pace", object{"pace": 0}, nil)
	y.finish(j.ID)
	if a, b := y.learned(whole.ID), y.learned(j.ID); a != b || a == "" {
		t.Errorf("the end of the server has changed what was learned: %d and %d bytes", len(a), len(b))
	}
}

// TestCancelledTraining stops a training: it has the files of what it has learned, and goes on from
// there, on another server too, as one that was never stopped.
func TestCancelledTraining(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	whole, _ := x.finish(x.addJob(trainRequest("menace", 1000, object{"exam_every": 20})).ID)
	request := trainRequest("menace", 1000, object{"exam_every": 20})
	request["pace"] = 0.01
	j := x.addJob(request)
	x.follow(j.ID, func(j webjobs.JobView) bool { return j.State == webjobs.Running && j.Total > 0 })
	var live webjobs.BrainReply
	x.answered(200, "GET", api+"brain?brain="+j.ID+"/1", nil, &live) // while it runs
	other := x.as("")
	other.header.Del("Cookie")
	other.fault(403, "POST", api+"jobs/"+j.ID+"/cancel", nil)
	other.answered(200, "GET", api+"jobs/"+j.ID, nil, nil)
	x.stopped(j.ID)
	x.answered(200, "POST", api+"jobs/"+j.ID+"/resume", nil, nil)
	x.fault(409, "POST", api+"jobs/"+j.ID+"/resume", nil) // twice
	x.follow(j.ID, func(j webjobs.JobView) bool { return j.State == webjobs.Running && len(j.Files) == 0 })
	x.answered(200, "POST", api+"jobs/"+j.ID+"/pause", nil, nil)
	x.stopped(j.ID) // as it rests
	x.server.Close()
	y := newTester(t, hosted(m))
	y.header = x.header
	y.answered(200, "POST", api+"jobs/"+j.ID+"/pace", object{"pace": 0}, nil)
	y.answered(200, "POST", api+"jobs/"+j.ID+"/resume", nil, nil)
	y.finish(j.ID)
	for _, file := range []string{"run-1.brain", "curve.csv"} {
		a := y.ask("GET", api+"jobs/"+whole.ID+"/files/"+file, nil).Body.String()
		if b := y.ask("GET", api+"jobs/"+j.ID+"/files/"+file, nil).Body.String(); a != b || a == "" {
			t.Errorf("a stop has changed %s: %d and %d bytes", file, len(a), len(b))
		}
	}
	y.fault(409, "POST", api+"jobs/"+j.ID+"/resume", nil)
}

// TestSpentTraining: a training whose time is up has the files of what it has learned, for the command
// line to go on from; it does not go on here.
func TestSpentTraining(t *testing.T) {
	x := newTester(t, func(o *Config) {
		hosted(newMemory())(o)
		o.JobTime = 2 * time.Second
	})
	x.header.Set("X-Forwarded-For", "203.0.113.9")
	j := x.addJob(trainRequest("menace", 1_000_000_000, object{"exam_every": 1_000_000}))
	over, _ := x.follow(j.ID, func(j webjobs.JobView) bool { return webjobs.Over(j.State) })
	if over.State != webjobs.Failed || !strings.Contains(over.Error, "for as long as a job may here") ||
		len(over.Files) != 3 {
		t.Fatalf("its time is up: %+v", over)
	}
	if brain, err := learn.ReadBrain([]byte(x.learned(j.ID))); err != nil || brain.Tally.Games == 0 {
		t.Errorf("its brain: %v", err)
	}
	x.fault(409, "POST", api+"jobs/"+j.ID+"/resume", nil)
}

// stopped stops a training, which then has its brain and its curve.
func (t *tester) stopped(id string) {
	t.Helper()
	var now webjobs.JobView
	t.answered(200, "POST", api+"jobs/"+id+"/cancel", nil, &now)
	var names []string
	for _, f := range now.Files {
		names = append(names, f.Name)
	}
	if now.State != webjobs.Cancelled || now.Ended == nil || len(now.Brains) == 0 ||
		!slices.Equal(names, []string{"curve.csv", "curve.svg", "run-1.brain"}) {
		t.Errorf("cancelled: %+v", now)
		return
	}
	var sum jobs.TrainSummary
	t.answered(200, "GET", api+"jobs/"+id+"/result", nil, &sum)
	brain, err := learn.ReadBrain([]byte(t.learned(id)))
	if !sum.Stopped || err != nil || brain.Tally.Games != sum.Games ||
		!strings.HasPrefix(t.ask("GET", api+"jobs/"+id+"/files/curve.csv", nil).Body.String(), "games,") {
		t.Errorf("what was kept: %+v, %v", sum, err)
	}
	t.answered(200, "GET", api+"brain?brain="+now.Brains[0].Brain, nil, nil)
}

// TestJobsRefused asks for what the server must not do.
func TestJobsRefused(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	for _, c := range []struct {
		request object
		at      string
	}{
		{object{"verb": "dance", "game": "ttt"}, "body.verb"},
		{object{"verb": "train", "game": "chess"}, "body.game"},
		{trainRequest("parrot", 10, nil), "body.args.learner"},
		{trainRequest("table:alpha=7", 10, nil), "body.args.learner"},
		{trainRequest("table", 10, object{"against": "engine:./bot"}), "body.args.against"},
		{trainRequest("table", 10, object{"against": "winratio:table=/tmp/x"}), "body.args.against"},
		{trainRequest("table", 10, object{"moon": 1}), "body.args.moon"},
		{trainRequest("table", 1_000_000, object{"exam_every": 1}), "body.args.exam_every"},
		{trainRequest("table", 10, object{"runs": 1001}), "body.args.runs"},
		{object{"verb": "prove", "game": "ttt", "args": object{"memory": 1 << 60}}, "body.args.memory"},
		{object{"verb": "prove", "game": "tree:three-ply"}, "body.game"},
		{object{"verb": "prove", "game": "mnk:15,15,5+wild"}, "body.args"},
		{object{"verb": "solve", "game": "ttt", "args": object{"tiers": true}}, "body.args.tiers"},
		{object{"verb": "tournament", "game": "ttt",
			"args": object{"players": []string{"perfect", "human"}, "games": 2}}, "body.args.players[1]"},
		{object{"verb": "tournament", "game": "ttt",
			"args": object{"players": []string{"perfect", "random"}, "games": 1_000_000_000_000}}, "body.args.games"},
		{object{"verb": "tournament", "game": "ttt",
			"args": object{"players": []string{"perfect", "rows", "random"}, "games": 100_000}}, "body.args.games"},
		{object{"verb": "match", "game": "ttt", "args": object{"players": []string{"perfect", "random"},
			"games": 100_000, "chunk": 2}}, "body.args.chunk"},
		{object{"verb": "match", "game": "ttt", "args": object{"players": []string{"perfect", "random"},
			"openings": 1_000_000_000_000_000}}, "body.args.openings"},
	} {
		if at, message := x.fault(422, "POST", api+"jobs", c.request); at != c.at {
			t.Errorf("%v: at %s: %s", c.request, at, message)
		}
	}
	for _, path := range []string{"", "/result", "/stream", "/files/x"} {
		x.fault(404, "GET", api+"jobs/none"+path, nil)
	}
}

// TestTooLargeJobInStore does not begin a job that an older server took and that
// asks for more than its share: it fails, and says why.
func TestTooLargeJobInStore(t *testing.T) {
	m := newMemory()
	newTester(t, hosted(m)).server.Close()
	for id, state := range map[string]string{"waiting": webjobs.Queued, "halfway": webjobs.Running} {
		doc, err := json.Marshal(webjobs.Record{
			Title: webjobs.Title{ID: id, Owner: "somebody", Made: time.Unix(0, 0),
				Job: jobs.Job{Verb: "tournament", Game: "ttt",
					Args: json.RawMessage(`{"players":["perfect","random"],"games":1000000000000}`)}},
			Course: webjobs.Course{State: state},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := m.AddJob(id, "somebody", state, doc); err != nil {
			t.Fatal(err)
		}
	}
	x := newTester(t, hosted(m))
	for _, id := range []string{"waiting", "halfway"} {
		j, _ := x.follow(id, isOver)
		if j.State != webjobs.Failed || !strings.Contains(j.Error, "games: at most 200000 games") {
			t.Errorf("%s: %s: %s", id, j.State, j.Error)
		}
	}
	x.finish(x.addJob(trainRequest("table", 10, nil)).ID) // others go on
}

// TestTooManyJobs holds an owner to a few jobs at a time.
func TestTooManyJobs(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	request := trainRequest("table", 1000, nil)
	request["pace"] = 0.01
	for range webjobs.JobsOfOwner {
		x.addJob(request)
	}
	w := x.ask("POST", api+"jobs", request)
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("one more: %d %v %s", w.Code, w.Header(), w.Body)
	}
	// There is room again when one is gone.
	var list webjobs.JobList
	x.answered(200, "GET", api+"jobs", nil, &list)
	if len(list.Jobs) != webjobs.JobsOfOwner {
		t.Fatalf("%d jobs", len(list.Jobs))
	}
	x.answered(204, "DELETE", api+"jobs/"+list.Jobs[0].ID, nil, nil)
	x.addJob(request)
}

// TestTooManyJobsKept holds an owner to so many jobs that are over, too.
func TestTooManyJobsKept(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	request := trainRequest("table", 10, nil)
	first, _ := x.finish(x.addJob(request).ID)
	m.mu.Lock()
	like := *m.jobs[0]
	m.mu.Unlock()
	for i := 1; i < webjobs.JobsKept; i++ {
		id := fmt.Sprintf("old%d", i)
		doc := strings.ReplaceAll(string(like.doc), first.ID, id)
		if err := m.AddJob(id, like.owner, like.state, []byte(doc)); err != nil {
			t.Fatal(err)
		}
	}
	w := x.ask("POST", api+"jobs", request)
	if w.Code != http.StatusTooManyRequests || !strings.Contains(w.Body.String(), "delete some") {
		t.Errorf("one more: %d %s", w.Code, w.Body)
	}
	x.answered(204, "DELETE", api+"jobs/old7", nil, nil)
	x.finish(x.addJob(request).ID)
}

// TestJobsOutOfMemory stops a job rather than the server.
func TestJobsOutOfMemory(t *testing.T) {
	x := newTester(t, hosted(newMemory()), func(o *Config) { o.JobMemory = 1 })
	request := trainRequest("table", 1000, nil)
	request["pace"] = 0.01
	j, _ := x.follow(x.addJob(request).ID, isOver)
	if j.State != webjobs.Failed || !strings.Contains(j.Error, "memory") {
		t.Errorf("%s: %s", j.State, j.Error)
	}
}

// TestNoResult asks for the results of jobs that came to nothing, and is told how they ended.
func TestNoResult(t *testing.T) {
	x := newTester(t, hosted(newMemory()), func(o *Config) { o.JobMemory = 1 })
	slow := object{"verb": "match", "game": "ttt", "pace": 0.01, "args": object{"players": []string{"rows", "random"}}}
	for end, want := range map[string]string{"": "the job failed: ", "/cancel": "the job was cancelled"} {
		id := x.addJob(slow).ID
		if end == "" {
			x.follow(id, isOver)
		} else {
			x.answered(200, "POST", api+"jobs/"+id+end, nil, nil)
		}
		for _, made := range []string{"/result", "/files/games.journal"} {
			if _, detail := x.fault(404, "GET", api+"jobs/"+id+made, nil); !strings.HasPrefix(detail, want) {
				t.Errorf("%s after %q: %q, not %q", made, end, detail, want)
			}
		}
	}
}

// TestBrokenJobStore refuses what can't be kept, and keeps running.
func TestBrokenJobStore(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	m.mu.Lock()
	m.broken = true
	m.mu.Unlock()
	x.fault(503, "POST", api+"jobs", trainRequest("table", 10, nil))
	m.mu.Lock()
	m.broken = false
	m.mu.Unlock()
	x.finish(x.addJob(trainRequest("table", 10, nil)).ID)
}
