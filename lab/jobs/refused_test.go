package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"oxo/lab"
)

// TestJobErrors sees that what is wrong with a job is said before it runs.
func TestJobErrors(t *testing.T) {
	for _, c := range []struct{ verb, game, args, field, want string }{
		{"dance", "ttt", "", "verb", `verb "dance"`},
		{"train", "tttt", "", "game", `no kind of game is called "tttt"`},
		{"train", "ttt", `{"learner":"table","gmes":3}`, "args.gmes", `argument "gmes": there is none of that name; there are learner, against, games`},
		{"train", "ttt", `{"learner":"table","Games":3}`, "args.Games", `argument "Games"`},
		{"train", "ttt", `{"learner":"table","games":"3"}`, "args.games", `argument "games": a JSON string`},
		{"train", "ttt", `[1]`, "args", `must be a JSON object`},
		{"train", "ttt", `{"learner":"table","runs":1000000000}`, "args.runs", `1000000000; there may be 100000`},
		{"train", "ttt", `null`, "args", `must be a JSON object`},
		{"train", "ttt", `{`, "args", `must be a JSON object`},
		{"train", "ttt", `{"learner":"magic"}`, "args.learner", `magic`},
		{"train", "ttt", `{"learner":"table","games":-1}`, "args.games", `games: -1`},
		{"train", "ttt", `{"learner":"table","runs":0}`, "args.runs", `runs: 0`},
		{"train", "ttt", `{"learner":"table","exam_every":-1}`, "args.exam_every", `exam_every: -1`},
		{"train", "ttt", `{"learner":"table","against":"nobody"}`, "args.against", `"nobody"`},
		{"train", "ttt", `{"learner":"table","against":"human"}`, "args.against", `human: a job has no person to ask`},
		{"train", "ttt", `{"learner":"table","against":"pool:random|human"}`, "args.against", `its members are players, which human is not`},
		{"train", "ttt", `{"learner":"table","seats":"third"}`, "args.seats", `"third"`},
		{"train", "ttt", `{"resume":{"format":"x"}}`, "args.resume", `no brain`},
		{"train", "mnk:6,6,4", `{"learner":"lms","exam_every":5}`, "args.exam_every", `too many positions`},
		{"tournament", "ttt", `{"players":["random"]}`, "args.players", `at least two`},
		{"tournament", "ttt", `{"players":["random","random"]}`, "args.players[1]", `given twice`},
		{"tournament", "ttt", `{"players":["random","perfect"],"games":3}`, "args.games", `even number`},
		{"tournament", "ttt", `{"players":["random","perfect"],"chunk":3}`, "args.chunk", `chunk: 3`},
		{"tournament", "ttt", `{"players":["random","perfect"],"margin":"soon"}`, "args.margin", `margin: "soon"`},
		{"tournament", "ttt", `{"players":["random","perfect"],"opening_list":"z9"}`, "args.opening_list", `"z9"`},
		{"match", "ttt", `{"players":["random","perfect","rows"]}`, "args.players", `players: 3`},
		{"match", "ttt", `{"players":["random","perfect"],"sprt":{"elo0":5,"elo1":0}}`, "args.sprt", `elo0`},
		{"tune", "ttt", `{"player":"mcts:sims=20,explore={c}"}`, "args.constants", `nothing to tune`},
		{"tune", "ttt", `{"player":"foo"}`, "args.player", `"foo"`},
		{"tune", "ttt", `{"player":"mcts:sims={c}","constants":[{"name":"c","start":9,"min":1,"max":99}],"iterations":4611686018427387904,"trials":4}`, "args.games", `there may be 10000000 games in all`},
		{"tune", "ttt", `{"player":"mcts:sims=20","constants":[{"name":"c","start":1,"min":0.1,"max":3}]}`, "args.constants[0]", `there is no {c} in the player`},
		{"tune", "ttt", `{"player":"mcts:sims=20,explore={c}","constants":[{"name":"c","start":9,"min":0.1,"max":3}]}`, "args.constants[0]", `its start 9`},
		{"tune", "ttt", `{"player":"mcts:sims=20,explore={c}","constants":[{"name":"c","start":1,"min":3,"max":1}]}`, "args.constants[0]", `between 3 and 1`},
		{"tune", "ttt", `{"player":"mcts:sims=20,explore={c}","constants":[{"name":"c","start":1,"min":-1,"max":3}]}`, "args.player", `explore=-1`},
		{"tune", "ttt", `{"player":"mcts:sims=20,explore={c}","constants":[{"name":"c","start":1,"min":0.1,"max":3}],"games":3}`, "args.games", `games: 3`},
		{"tune", "ttt", `{"player":"mcts:sims=20,explore={c}","constants":[{"name":"c","start":1,"min":0.1,"max":3,"step":9}]}`, "args.constants[0]", `a step of 9`},
		{"prove", "tree:three-ply", "", "game", `squares and winning sets`},
		{"prove", "ttt", `{"time":"never"}`, "args.time", `time: "never"`},
		{"prove", "ttt", `{"claim":"first<=5"}`, "args.claim", `who wins, and not how soon`},
		{"prove", "ttt", `{"claim":"first>2000"}`, "args.claim", `who wins, and not how soon`},
		{"prove", "ultimate", `{"claim":"won"}`, "args.claim", `claim "won": there are first`},
		{"prove", "ttt+gravity", `{"claim":"first","all":true}`, "args.claim", `do not go with --all`},
		{"prove", "ttt+gravity", `{"split":true,"claim":"first"}`, "args.split", `a claim is not proved in parts`},
		{"solve", "mnk:15,15,5", "", "args", `too many positions`},
		{"solve", "ttt", `{"limit":-1}`, "args.limit", `limit: -1`},
		{"solve", "ttt", `{"position":"xxx"}`, "args.position", `xxx`},
	} {
		_, err := OpenJob(t.Context(), &lab.Lab{}, Job{Verb: c.verb, Game: c.game, Args: json.RawMessage(c.args)})
		var f *lab.Fault
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.As(err, &f) || f.Field != c.field {
			t.Errorf("%s %s %s: %v of %+v, not %s of %s", c.verb, c.game, c.args, err, f, c.want, c.field)
		}
	}
}

// TestBadPartsSequential gives parts and checkpoints that are none to every verb.
func TestBadPartsSequential(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for name, j := range someJobs {
		w, err := OpenJob(t.Context(), &lab.Lab{}, j)
		if err != nil {
			t.Fatal(name, err)
		}
		junk := make([]byte, 30)
		for i := range junk {
			junk[i] = byte(r.IntN(256))
		}
		parts, err := w.ListParts(t.Context(), 0, &storedOutputs{keep: &MemoryStore{}})
		if err != nil || len(parts) == 0 {
			t.Fatal(name, err)
		}
		if _, err := w.FinalReport(parts[0], junk); err == nil && !strings.HasPrefix(name, "solve") &&
			name != "prove" &&
			name != "prove long" {
			t.Errorf("%s: an output of junk is no error", name)
		}
		p := parts[0]
		p.Input = json.RawMessage(`{"no":1}`)
		if _, err := w.Run(t.Context(), Task{Part: p, Checkpoint: append([]byte("junk\n"), junk...)}); err == nil &&
			len(parts[0].Input) > 0 {
			t.Errorf("%s: a part of junk is no error", name)
		}
	}
}

// verified asks whether a certificate is about the start of a game.
func verified(t *testing.T, game string, data []byte) *lab.Verdict {
	t.Helper()
	v, err := (&lab.Lab{}).VerifyBytes(t.Context(), data, lab.Question{Game: game})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestLyingWorker: what a worker says of a proof counts for nothing. A value without a
// certificate is unknown, and a certificate of anything else is refused.
func TestLyingWorker(t *testing.T) {
	l := &lab.Lab{}
	file, err := os.ReadFile("../testdata/forged/mnk_4_3_3-second.proof")
	if err != nil {
		t.Fatal(err)
	}
	head := `{"value":"second","proved":"second wins","nodes":7,"proof_nodes":1}`
	whole := func(name string, file []byte) []byte {
		out, err := json.Marshal(exactOutput{Result: json.RawMessage(head), Name: name})
		if err != nil {
			t.Fatal(err)
		}
		return append(append(out, '\n'), file...)
	}
	split := func(file []byte) []byte {
		return append(fmt.Appendf(nil, "{\"value\":2,\"nodes\":7,\"proof\":%d}\n", len(file)), file...)
	}
	for name, c := range map[string]struct {
		args, game string
		output     []byte
		refused    bool
	}{
		"whole, no certificate":  {`{}`, "mnk:4,3,3", whole("", nil), false},
		"whole, forged":          {`{}`, "mnk:4,3,3", whole(ProofFile, file), true},
		"whole, of another game": {`{}`, "ttt", whole(ProofFile, file), true},
		"split, no certificate":  {`{"split":true}`, "mnk:4,3,3", split(nil), false},
		"split, forged":          {`{"split":true}`, "mnk:4,3,3", split(file), true},
		"split, too short":       {`{"split":true}`, "mnk:4,3,3", []byte("{\"proof\":9}\n"), true},
	} {
		w, err := OpenJob(t.Context(), l, Job{Verb: "prove", Game: c.game, Args: json.RawMessage(c.args)})
		if err != nil {
			t.Fatal(err)
		}
		data, err := w.MergeOutputs(lies{c.output}, nil)
		var r lab.ProveResult
		if c.refused != (err != nil) || err == nil && (json.Unmarshal(data, &r) != nil || r.Value != "unknown" ||
			r.Proved != "nothing") {
			t.Errorf("%s: %s, %v", name, data, err)
		}
	}
}

// lies are outputs that a worker may send instead of its own.
type lies struct{ output []byte }

func (l lies) Stages() int                     { return 1 }
func (l lies) Parts(int) int                   { return 1 }
func (l lies) Output(int, int) ([]byte, error) { return l.output, nil }
func (l lies) Blobs() BlobStore                { return nil }
