package web

import (
	"encoding/json"
	"testing"
	"time"

	webjobs "oxo/web/jobs"
)

// FuzzJobs asks for jobs with any arguments: no answer is a 5xx, and each is as
// described, also those about what came of it.
func FuzzJobs(f *testing.F) {
	verbs := []string{"train", "match", "tournament", "prove", "solve", "tune", "dance"}
	games := []string{"ttt", "mnk:4,4,4", "meta", "race:4", "tree:chance", "ttt+slip=0.2", "ultimate", "mnk:0,0,0",
		"file:none.json"}
	for i, args := range []string{
		``, `{}`, `[]`, `null`, `7`, `{"x":1}`, `{"games":"many"}`, `{"games":-2}`, `{"games":1e99}`, `{"games":9223372036854775807,"players":["random","rows"]}`,
		`{"learner":"menace","against":"optimal","games":5,"exam_every":1}`, `{"learner":"table","games":3,"runs":100000}`, `{"learner":"table:alpha=9","games":3}`,
		`{"learner":"lms","against":"brain:none","games":3}`, `{"learner":"td","against":"pool:random|engine:ls","games":3}`, `{"learner":"\u0000","games":1}`,
		`{"players":["random","heuristic"],"games":2}`, `{"players":["random"],"games":2}`,
		`{"players":["random","random"],"games":2}`, `{"players":[],"games":2}`,
		`{"players":["bot:deep","random"],"games":2}`, `{"players":["bot:deep","random"],"games":2,"time_control":"1m"}`, `{"players":["bot:","random"],"games":2,"time_control":"x"}`,
		`{"players":["random","heuristic"],"games":3}`, `{"players":["random","heuristic"],"games":2,"chunk":3}`,
		`{"players":["random","heuristic"],"games":2,"openings":-1}`,
		`{"players":["random","heuristic"],"games":2,"opening_list":"a1 b2\nz9"}`, `{"players":["random","heuristic"],"games":2,"time_control":"-5s","margin":"z"}`,
		`{"players":["random","heuristic"],"games":2,"sprt":{"elo0":1e308,"elo1":-1e308,"alpha":7}}`,
		`{"players":["mcts:time=1h","perfect:db=/etc/passwd"],"games":2}`,
		`{"position":"zzz"}`, `{"position":"x../.o./... x","time":"1ms"}`, `{"time":"-1s"}`, `{"nodes":10,"memory":1}`, `{"nodes":10,"split":true}`, `{"nodes":-1}`,
		`{"strong":true,"limit":1}`, `{"strong":true,"limit":-1}`, `{"strong":"yes"}`, `{"strong":true,"position":"x../.o./... x"}`, `{"tiers":true,"limit":10}`,
		`{"players":{"a":{"b":["engine:x"]}}}`, `{"games":[[[[[[1]]]]]]}`,
	} {
		for verb := range verbs {
			if (i+verb)%3 == 0 { // what is left is the fuzzer's
				f.Add(uint8(verb), uint8(i+verb), uint64(i), []byte(args))
			}
		}
	}
	f.Fuzz(func(t *testing.T, verb, game uint8, seed uint64, args []byte) {
		x := newTester(t, hosted(newMemory()))
		x.server.Longest = 20 * time.Millisecond
		request := object{"verb": verbs[int(verb)%len(verbs)], "game": games[int(game)%len(games)], "seed": seed}
		if json.Valid(args) {
			request["args"] = json.RawMessage(args)
		}
		w := x.ask("POST", api+"jobs", request) // which is compared with the document
		if w.Code >= 500 {
			t.Fatalf("%v: %d %s", request, w.Code, w.Body)
		}
		if w.Code != 200 {
			return
		}
		var j webjobs.JobView
		if err := json.Unmarshal(w.Body.Bytes(), &j); err != nil {
			t.Fatal(err)
		}
		for _, c := range w.Result().Cookies() {
			x.header.Set("Cookie", c.Name+"="+c.Value)
		}
		path := api + "jobs/" + j.ID
		for _, ask := range [][2]string{{"GET", path}, {"GET", path + "/standings"}, {"GET", path + "/games"},
			{"GET", path + "/result"}, {"POST", path + "/pause"}, {"POST", path + "/cancel"}, {"GET", path}} {
			if w := x.ask(ask[0], ask[1], nil); w.Code >= 500 {
				t.Fatalf("%v: %s %s: %d %s", request, ask[0], ask[1], w.Code, w.Body)
			}
		}
	})
}
