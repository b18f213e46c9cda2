package jobs

import (
	"bytes"
	"encoding/json"
	"testing"

	"oxo/lab"
)

// TestPartsRepeat carries out every part of jobs of every verb twice, each time by work that
// was opened anew, and compares their outputs: audits tell honest workers from others by
// them.
func TestPartsRepeat(t *testing.T) {
	for name, j := range map[string]Job{
		"match": {Verb: "match", Game: "mnk:4,4,4",
			Args: json.RawMessage(`{"players":["mcts:sims=40","alphabeta:depth=2"],"games":4,"chunk":2,"openings":1}`),
			Seed: 3},
		"tournament": {Verb: "tournament", Game: "ttt",
			Args: json.RawMessage(`{"players":["perfect","optimal","random"],"games":8,"chunk":4,"adjudicate":true}`),
			Seed: 4},
		"falling": {Verb: "match", Game: "mnk:4,4,3+gravity",
			Args: json.RawMessage(`{"players":["optimal","alphabeta:nodes=500"],"games":4,"chunk":2}`), Seed: 5},
		"menace": {Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"menace","against":"perfect","games":200,"runs":2,"exam_every":100}`), Seed: 5},
		"net":    {Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"lms","against":"pool:random|heuristic","games":100}`), Seed: 6},
		"tune":   {Verb: "tune", Game: "ttt", Args: json.RawMessage(`{"player":"mcts:sims=20,explore={c}","constants":[{"name":"c","start":0.1,"min":0.05,"max":3}],"iterations":2,"games":4,"check":8}`), Seed: 3},
		"solve":  {Verb: "solve", Game: "mnk:4,3,3", Args: json.RawMessage(`{"strong":true}`)},
		"tiers": {Verb: "solve", Game: "mnk:4,3,3+misere",
			Args: json.RawMessage(`{"tiers":true,"strong":true,"memory":12000}`)},
	} {
		t.Run(name, func(t *testing.T) {
			once, again := open(t, j), open(t, j)
			if once.Trust() != ByRepetition {
				t.Fatalf("it is believed by %s", once.Trust())
			}
			keep := &MemoryStore{}
			out := &storedOutputs{keep: keep, blobs: blobsInStore{keep}}
			for stage := 0; ; stage++ {
				parts, err := once.ListParts(t.Context(), stage, out)
				if err != nil {
					t.Fatal(err)
				}
				if len(parts) == 0 {
					break
				}
				for _, p := range parts {
					first, err := once.Run(t.Context(), Task{Part: p, Outputs: out})
					if err != nil {
						t.Fatal(err)
					}
					second, err := again.Run(t.Context(),
						Task{Part: p, Outputs: out, Every: -1, Report: func(Report) {}})
					if err != nil || !bytes.Equal(first, second) {
						t.Errorf("%s puts out %.200q and then %.200q: %v", p.Name, first, second, err)
					}
					if err := keep.Save(outputKey(p.Stage, p.Index), first); err != nil {
						t.Fatal(err)
					}
				}
				out.parts = append(out.parts, len(parts))
			}
		})
	}
}

func open(t *testing.T, j Job) *Work {
	t.Helper()
	w, err := OpenJob(t.Context(), &lab.Lab{Elsewhere: true, Commands: true}, j)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestTrust tells jobs whose players look at the clock, and those with certificates.
func TestTrust(t *testing.T) {
	match := func(args string) Job { return Job{Verb: "match", Game: "ttt", Args: json.RawMessage(args), Seed: 1} }
	for want, list := range map[Trust][]Job{
		ByEvidence: {{Verb: "prove", Game: "ttt"}},
		ByClock: {
			match(`{"players":["random","mcts:time=1ms"]}`), match(`{"players":["level:5","random"]}`),
			match(`{"players":["perfect","random"],"time_control":"1m"}`), match(`{"players":["perfect","engine:cat"]}`),
			{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"menace","against":"pool:random|alphabeta:time=1ms"}`)},
			{Verb: "train", Game: "ttt", Args: json.RawMessage(`{"learner":"menace","for":"1s"}`)},
		},
		ByRepetition: {match(`{"players":["perfect","mcts:sims=20"]}`), {Verb: "solve", Game: "ttt"}},
	} {
		for _, j := range list {
			if got := open(t, j).Trust(); got != want {
				t.Errorf("%s %s is believed by %s, not %s", j.Verb, j.Args, got, want)
			}
		}
	}
}
