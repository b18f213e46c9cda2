package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// conform checks an answer against the document: the status is described, and
// the body is as its schema says.
func (t *tester) conform(op *huma.Operation, status int, kind string, body []byte) {
	t.Helper()
	r := op.Responses[fmt.Sprint(status)]
	if r == nil {
		r = op.Responses["default"]
	}
	if r == nil {
		t.Errorf("%s: status %d is not described", op.OperationID, status)
		return
	}
	media := r.Content[strings.Split(kind, ";")[0]]
	if media == nil {
		if len(body) > 0 || len(r.Content) > 0 {
			t.Errorf("%s: status %d: content type %q is not described", op.OperationID, status, kind)
		}
		return
	}
	if media.Schema == nil || media.Schema.Type == huma.TypeString { // a stream of lines, or a file
		return
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Errorf("%s: %v", op.OperationID, err)
		return
	}
	var p service.Problem
	if kind == "application/problem+json" && json.Unmarshal(body, &p) == nil {
		elsewhere := status == 400 || status == 413 || status == 422 // what is wrong with a request, others say
		if says := service.Words().Say(p.Said["detail"]...); says != p.Detail && (!elsewhere || len(p.Said) > 0) {
			t.Errorf("%s: status %d: %q, but its message says %q", op.OperationID, status, p.Detail, says)
		}
	}
	path, faults := huma.NewPathBuffer([]byte{}, 0), &huma.ValidateResult{}
	huma.Validate(t.server.API.OpenAPI().Components.Schemas, media.Schema, path, huma.ModeReadFromServer, value, faults)
	for _, f := range faults.Errors {
		t.Errorf("%s: status %d: %v", op.OperationID, status, f)
	}
}

// answers are for each operation a question that is answered well and one that
// is refused.
var answers = map[string][]any{
	"list-games":      {nil},
	"list-players":    {nil},
	"show-game":       {object{"game": "qubic"}, object{"game": "x"}},
	"show-position":   {object{"game": "ttt", "moves": []string{"a1"}}, object{"game": "x"}},
	"judge-position":  {object{"game": "ttt", "time_ms": 100}, object{"game": "x"}},
	"search-position": {object{"game": "ttt", "algorithm": "pvs", "trace": true, "multipv": 2}, object{"game": "ttt"}},
	"choose-move":     {object{"game": "ttt", "player": "perfect", "seed": 1}, object{"game": "ttt"}},
	"ablate-search":   {object{"game": "ttt", "depth": 2}, object{}},
	"count-game":      {object{"game": "ttt"}, object{"game": "race:4"}, object{"game": "x"}},
	"list-proofs":     {nil},
	"list-verbs":      {nil},
	"list-jobs":       {nil},
	"list-brains":     {nil},
	"list-items":      {nil},
	"draw-svg":        {nil},
	"draw-png":        {nil},
	"write-sheet":     {nil},
	"read-sheets":     {object{"text": "[Game \"ttt\"]\n\n1. a1 *\n"}, object{"text": "x"}},
	"give-handover":   {object{"data": "{}"}, object{}},
	"take-handover":   {object{"code": "x"}},
	"show-handover":   {nil},
	"look-brain":      {object{"brain": "none"}},
	"list-puzzles":    {nil},
	"daily-puzzle":    {nil},
	"print-puzzles":   {nil},
	"show-puzzle":     {nil},
	"answer-puzzle":   {object{}, object{"move": 1}},
	"report-solver":   {nil},
	"show-solver":     {nil},
	"puzzle-mistakes": {object{}, object{"game": "ttt", "moves": []string{"b2", "a2"}}},
}

// TestDocument asks every stateless operation of the generated document and
// compares the answers with it.
func TestDocument(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	doc := x.ask("GET", "/api/v1/openapi.json", nil)
	var shown struct {
		OpenAPI string
		Paths   map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal(doc.Body.Bytes(), &shown); err != nil || !strings.HasPrefix(shown.OpenAPI, "3.1") {
		t.Fatalf("document: %v, version %q", err, shown.OpenAPI)
	}
	asked := 0
	for path, item := range x.server.API.OpenAPI().Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "DELETE": item.Delete} {
			if op == nil {
				continue
			}
			if shown.Paths[path][strings.ToLower(method)].OperationID != op.OperationID {
				t.Errorf("%s is not in the document", op.OperationID)
			}
			bodies, ok := answers[op.OperationID]
			if !ok && !stateful[op.OperationID] {
				t.Errorf("%s is not tested", op.OperationID)
			}
			for _, body := range bodies {
				x.ask(method, path, body)
				asked++
			}
		}
	}
	for path, want := range map[string]string{"players?game=ttt&sort=up": "there are game",
		"verbs?a=b":             "there are none",
		"jobs?verb=exam&most=1": "there are verb"} {
		if at, why := x.fault(422, "GET", "/api/v1/"+path, nil); !strings.HasPrefix(at, "query.") ||
			!strings.Contains(why, "no such parameter; "+want) {
			t.Errorf("%s: %s, %q, want %q", path, at, why, want)
		}
	}
	if asked < len(answers) {
		t.Errorf("%d questions asked for %d operations", asked, len(answers))
	}
	for _, path := range []string{"/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/docs"} {
		w := x.ask("GET", path, nil)
		if at, err := url.Parse("http://oxo" + path); err != nil || w.Code != 302 {
			t.Errorf("%s: %d, %v", path, w.Code, err)
		} else if to, err := at.Parse(w.Header().Get("Location")); err != nil || to.Path != "/docs" {
			t.Errorf("%s leads to %v, %v", path, to, err)
		}
	}
}

// FuzzBodies sends anything to every operation that takes a body: no answer is
// a 5xx, and every refusal is a problem.
func FuzzBodies(f *testing.F) {
	paths := []string{"position", "game", "judge", "search", "choose", "ablate", "count"}
	for i := range paths {
		for _, body := range []string{
			`{"game":"ttt"}`, `{"game":"ttt","moves":["a1","b2"],"position":".../.../... x"}`, `{"game":"mnk:-1,0,99999999999999999999"}`,
			`{"game":"ttt","algorithm":"pns","depth":3,"sims":3,"seed":18446744073709551615}`, `{"game":"tree:chance","player":"minimax:depth=1","seed":1}`,
			`{"game":"race:4","player":"mcts:sims=1","seed":-1}`, `null`, `[]`, `{"game":null}`, `{"game":{}}`, "\xff", `{"game":"cube:2,8+wild+misere"}`,
			`{"game":"ultimate+most+open","moves":[""]}`, `{"game":"mnk:3,3,3","seed":1e400}`, `{"game":"plane:affine,2","moves":["1","2","3"],"player":"rows","seed":0}`,
			`{"game":"race:6","algorithm":"minimax"}`, `{"game":"race:6","algorithm":"mcts","sims":9,"multipv":400}`, `{"game":"ttt","algorithm":"alphabeta","memo":"level=-1"}`,
			`{"game":"tree:three-ply","algorithm":"mtdf","memo":"all","order":"best","symmetry":"all","stop":"best","trace":true,"time_ms":1}`,
		} {
			f.Add(uint8(i), []byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, body []byte) {
		x := newTester(t)
		x.server.Longest = 20 * time.Millisecond
		w := x.ask(http.MethodPost, "/api/v1/"+paths[int(which)%len(paths)], string(body))
		if w.Code >= 500 {
			t.Fatalf("%s: %d %s", body, w.Code, w.Body)
		}
		if w.Code != 200 && w.Header().Get("Content-Type") != "application/problem+json" {
			t.Fatalf("%s: %d %v", body, w.Code, w.Header())
		}
		for line := range strings.SplitSeq(strings.TrimSpace(w.Body.String()), "\n") { // of a stream there are several
			if !json.Valid([]byte(line)) {
				t.Fatalf("%s: %s", body, line)
			}
		}
	})
}

// stateful are the operations that other tests follow through their course.
// Whatever a test asks, [tester.ask] compares the answer with the document.
var stateful = map[string]bool{
	"open-session": true, "list-sessions": true, "accept-session": true, "decline-session": true, "play-move": true,
	"resign-session": true, "draw-session": true, "decline-draw-session": true, "takeback-session": true,
	"grant-takeback-session":   true,
	"decline-takeback-session": true, "abort-session": true, "say-session": true,
	"claim-session": true, "show-session": true, "session-record": true, "session-sheet": true,
	"walk-proof": true, "check-proof": true, "proof-file": true, "add-proof": true,
	"add-game": true, "list-game-files": true,
	"add-job": true, "show-job": true, "pause-job": true, "resume-job": true, "cancel-job": true, "pace-job": true,
	"delete-job": true,
	"job-result": true, "job-file": true, "job-standings": true, "job-games": true, "job-sheets": true,
	"stream-job": true,
	"save-brain": true, "delete-brain": true, "show-brain": true, "list-learners": true,
	"list-pupils": true, "add-pupil": true, "show-pupil": true, "teach-move": true, "teach-again": true,
	"teach-weights": true, "pupil-weights": true, "pupil-brain": true,
	"reproduce-item": true, "stream-session": true, "add-bot": true, "list-bots": true, "add-token": true,
	"revoke-token": true, "stream-bot": true, "poll-bot": true,
}
