package web

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
	"go.uber.org/goleak"
)

// tester asks a server in the same process.
type tester struct {
	*testing.T
	server *Server
	header http.Header
}

func newTester(t *testing.T, change ...func(*Config)) *tester {
	t.Helper()
	o := Config{Local: true, Version: "test",
		Studio: fstest.MapFS{"index.html": {Data: []byte("<!doctype html>studio")}, "app.js": {Data: []byte("1")}}}
	for _, c := range change {
		c(&o)
	}
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return &tester{T: t, server: s, header: http.Header{}}
}

// ask sends a request; a body that is a string goes as it is, another as JSON.
func (t *tester) ask(method, path string, body any) *httptest.ResponseRecorder {
	t.Helper()
	var r io.Reader = http.NoBody
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
	default:
		data, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		r = bytes.NewReader(data)
	}
	req := httptest.NewRequest(method, path, r)
	req.Host = "localhost:8210"
	req.RemoteAddr = "127.0.0.1:4000"
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(req.Header, t.header)
	w := httptest.NewRecorder()
	t.server.ServeHTTP(w, req)
	if op := t.server.operation(req.Pattern); op != nil {
		body := w.Body.Bytes()
		if w.Header().Get("Content-Encoding") == "gzip" {
			body = unpacked(t.T, body)
		}
		t.conform(op, w.Code, w.Header().Get("Content-Type"), body)
	}
	return w
}

// answered asks and reads the JSON answer, which must have that status.
func (t *tester) answered(status int, method, path string, body, into any) {
	t.Helper()
	w := t.ask(method, path, body)
	if w.Code != status {
		t.Fatalf("%s %s %v: status %d, want %d: %s", method, path, body, w.Code, status, w.Body)
	}
	if into != nil {
		if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, w.Body)
		}
	}
}

// fault asks for something that must be refused, and returns the place of the
// first fault.
func (t *tester) fault(status int, method, path string, body any) (location, message string) {
	t.Helper()
	w := t.ask(method, path, body)
	var p struct {
		Detail string
		Errors []struct{ Location, Message string }
	}
	if w.Code != status || w.Header().Get("Content-Type") != "application/problem+json" {
		t.Fatalf("%s %s %v: status %d (%s), want problem %d: %s", method, path, body, w.Code,
			w.Header().Get("Content-Type"), status, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	if len(p.Errors) == 0 {
		return "", p.Detail
	}
	return p.Errors[0].Location, p.Errors[0].Message
}

// operation returns the described operation of a route, such as
// "POST /api/v1/position".
func (s *Server) operation(pattern string) *huma.Operation {
	method, path, _ := strings.Cut(pattern, " ")
	item := s.API.OpenAPI().Paths[path]
	if item == nil {
		return nil
	}
	return map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "DELETE": item.Delete}[method]
}

// as sends what follows with a secret; none for an empty one.
func (t *tester) as(secret string) *tester {
	c := *t
	c.header = t.header.Clone()
	c.header.Del("Authorization")
	if secret != "" {
		c.header.Set("Authorization", "Bearer "+secret)
	}
	return &c
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = map[string]any

func TestPosition(t *testing.T) {
	x := newTester(t)
	var r PositionReply
	x.answered(200, "POST", "/api/v1/position", object{"game": "ttt", "moves": []string{"a3", "b2", "b3", "a1", "c3"}},
		&r)
	if r.State.Position != "xxx/.o./o.. o" || r.State.Result != "first" || r.Last != "c3" || len(r.Trail) != 6 ||
		!reflect.DeepEqual(r.Owned, [][]int{{0, 1, 2}}) || r.Info.Spec != "mnk:3,3,3" ||
		len(r.State.Moves) != 0 {
		t.Errorf("position: %+v", r)
	}
	x.answered(200, "POST", "/api/v1/position", object{"game": "meta"}, &r)
	if len(r.State.Moves) != 9 || r.Last != "" || len(r.Trail) != 1 || r.Owned == nil {
		t.Errorf("meta: %+v", r)
	}
}

func TestFaultsNameTheField(t *testing.T) {
	x := newTester(t)
	long := strings.Repeat("x", service.BodyLimit)
	for _, c := range []struct {
		path     string
		body     any
		status   int
		location string
	}{
		{"position", object{"game": "chess"}, 422, "body.game"},
		{"position", object{"game": "file:/etc/passwd"}, 422, "body.game"},
		{"position", object{"game": "tree:/etc/passwd"}, 422, "body.game"},
		{"position", object{"game": "ttt", "position": "xxx/.../... o"}, 422, "body.position"},
		{"position", object{"game": "ttt", "moves": []string{"a1", "a1"}}, 422, "body.moves[1]"},
		{"position", object{"game": "ttt", "moves": "a1"}, 422, "body.moves"},
		{"position", object{"game": "ttt", "move": "a1"}, 422, "body.move"},
		{"position", object{}, 422, "body"},
		{"position", "{", 400, "body"},
		{"position", object{"game": long}, 413, ""},
		{"judge", object{"game": "chess"}, 422, "body.game"},
		{"search", object{"game": "ttt", "algorithm": "guess"}, 422, "body.algorithm"},
		{"search", object{"game": "ttt", "algorithm": "minimax", "memo": "some"}, 422, "body.memo"},
		{"search", object{"game": "ttt", "algorithm": "minimax", "order": "some"}, 422, "body.order"},
		{"search", object{"game": "qubic", "algorithm": "alphabeta", "depth": 2, "order": "worst"}, 422, "body.order"},
		{"search", object{"game": "ttt", "algorithm": "minimax", "symmetry": "some"}, 422, "body.symmetry"},
		{"search", object{"game": "ttt", "algorithm": "minimax", "time_ms": 5001}, 422, "body.time_ms"},
		{"search", object{"game": "ttt+slip=0.1", "algorithm": "alphabeta"}, 422, "body.algorithm"},
		{"search", object{"game": "ttt", "algorithm": "alphabeta", "explore": 1}, 422, "body.explore"},
		{"search", object{"game": "ttt", "algorithm": "alphabeta", "proof": "no"}, 422, "body.proof"},
		{"search", object{"game": "ttt", "algorithm": "minimax", "sims": 5}, 422, "body.sims"},
		{"search", object{"game": "mnk:7,7,5", "algorithm": "alphabeta", "sims": 5}, 422, "body.sims"},
		{"search", object{"game": "ttt", "algorithm": "mcts", "order": "best"}, 422, "body.order"},
		{"search", object{"game": "ttt", "algorithm": "mcts", "depth": 2}, 422, "body.depth"},
		{"search", object{"game": "ttt", "algorithm": "mcts", "memo": "all"}, 422, "body.memo"},
		{"search", object{"game": "ttt", "algorithm": "mcts", "symmetry": "all"}, 422, "body.symmetry"},
		{"search", object{"game": "ttt", "algorithm": "mcts", "stop": "best"}, 422, "body.stop"},
		{"search", object{"game": "ttt", "algorithm": "minimax", "deepen": "perhaps"}, 422, "body.deepen"},
		{"search", object{"game": "ttt", "algorithm": "minimax", "seed": 5}, 422, "body.seed"},
		{"search", object{"game": "ttt", "algorithm": "pns", "multipv": 2}, 422, "body.multipv"},
		{"search", object{"game": "ttt", "algorithm": "pns", "trace": true}, 422, "body.trace"},
		{"search", object{"game": "ttt", "algorithm": "minimax", "eval": "guess"}, 422, "body.eval"},
		{"search", object{"game": "race:3", "algorithm": "alphabeta"}, 422, "body.depth"},
		{"search", object{"game": "ttt", "algorithm": "mcts", "proof": "maybe"}, 422, "body.proof"},
		{"choose", object{"game": "ttt", "player": "winratio:table=x", "seed": 1}, 422, "body.player"},
		{"choose", object{"game": "ttt", "player": "perfect:db=x", "seed": 1}, 422, "body.player"},
		{"choose", object{"game": "ttt", "player": "engine:sh", "seed": 1}, 422, "body.player"},
		{"choose", object{"game": "ttt", "player": "brain:x", "seed": 1}, 422, "body.player"},
		{"choose", object{"game": "ttt", "player": "mcts:sims=10,workers=64", "seed": 1}, 422, "body.player"},
		{"choose", object{"game": "ttt", "player": "nobody", "seed": 1}, 422, "body.player"},
		{"choose", object{"game": "ttt", "moves": []string{"a1", "b1", "a2", "b2", "a3"}, "player": "random",
			"seed": 1}, 422, "body.moves"},
		{"ablate", object{"game": "ttt", "depth": -1}, 422, "body.depth"},
		{"ablate", object{"game": "ttt", "stop": "soon"}, 422, "body.stop"},
	} {
		location, message := x.fault(c.status, "POST", "/api/v1/"+c.path, c.body)
		if location != c.location {
			t.Errorf("%s %.80v: the fault is at %q (%s), want %q", c.path, c.body, location, message, c.location)
		}
	}
	x.fault(404, "GET", "/api/v1/nothing", nil)
}

// TestSearchOfLongLine: that alphabeta can't search a line of more squares than it counts is the game's fault.
func TestSearchOfLongLine(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	line := make([]int, 256)
	for i := range line {
		line[i] = i + 1
	}
	data, err := json.Marshal(object{"squares": len(line), "winning": [][]int{line}})
	if err != nil {
		t.Fatal(err)
	}
	var f GameFile
	x.answered(200, "POST", api+"games/files", object{"file": string(data)}, &f)
	at, message := x.fault(422, "POST", api+"search", object{"game": f.Spec, "algorithm": "alphabeta"})
	if at != "body.game" || !strings.Contains(message, "a line of 256 squares") {
		t.Errorf("at %s: %s", at, message)
	}
}

// TestPlayersThatNameFiles: they are refused for that, with a store too, in which
// brains have names. Options that are called the same and name none are not.
func TestPlayersThatNameFiles(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	for player, option := range map[string]string{
		"perfect:db=x": "db", "winratio:table=x": "table", "perfect:proof=x": "proof",
		"mcts:sims=10,eval=x.net": "eval", "alphabeta:depth=2,eval=/x/y.net": "eval",
	} {
		for path, c := range map[string]struct {
			body object
			at   string
		}{
			"choose": {object{"game": "ttt", "player": player, "seed": 1}, "body.player"},
			"jobs": {object{"verb": "match", "game": "ttt", "args": object{"players": []string{"random", player}}},
				"body.args.players[1]"},
		} {
			if at, message := x.fault(422, "POST", api+path, c.body); at != c.at ||
				!strings.Contains(message, "option "+option+": files can't be opened here") {
				t.Errorf("%s, %s: at %s: %s", path, player, at, message)
			}
		}
	}
	for _, eval := range []string{"x.net", "/x/y.net"} {
		at, message := x.fault(422, "POST", api+"search", object{"game": "ttt", "algorithm": "mcts", "eval": eval})
		if at != "body.eval" || !strings.Contains(message, "files can't be opened here") {
			t.Errorf("%s: at %s: %s", eval, at, message)
		}
	}
	for _, player := range []string{"mcts:sims=10,proof=no", "mcts:sims=10,eval=none"} {
		x.answered(200, "POST", api+"choose", object{"game": "ttt", "player": player, "seed": 1}, &ChooseReply{})
	}
}

// judged reads what the judge says last.
func (x *tester) judged(body any) (last JudgeLine, lines int) {
	x.Helper()
	r := x.ask("POST", "/api/v1/judge", body)
	if r.Code != 200 {
		x.Fatalf("status %d: %s", r.Code, r.Body)
	}
	for line := range strings.SplitSeq(strings.TrimSpace(r.Body.String()), "\n") {
		last = JudgeLine{}
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			x.Fatalf("%q: %v", line, err)
		}
		lines++
	}
	return last, lines
}

// TestJudge streams what is known of small positions and of large ones.
func TestJudge(t *testing.T) {
	x := newTester(t)
	for range 2 { // the second from memory
		l, _ := x.judged(object{"game": "ttt", "moves": []string{"a1"}, "time_ms": 500})
		if r := l.Judged; r == nil || r.Value != "draw" || r.Hint != "b2" || !r.Certain || len(r.Moves) != 8 ||
			!r.Done {
			t.Errorf("%+v", r)
		}
	}
	l, lines := x.judged(object{"game": "mnk:9,9,5", "time_ms": 300})
	if r := l.Judged; r == nil || lines < 2 || r.Lo != 0 || r.Hi != 1 || r.Certain || r.Hint == "" || !r.Done {
		t.Errorf("%d lines, %+v", lines, r)
	}
	l, lines = x.judged(object{"game": "ttt", "moves": []string{"b2", "a1", "a3", "b3"}, "time_ms": 300,
		"review": true})
	if r := l.Review; r == nil || lines != 5 || len(r.Moves) != 4 || !r.Moves[3].Gave || !r.Moves[3].Certain ||
		r.Moves[3].Better[0] != "c1" {
		t.Errorf("%d lines, %+v", lines, r)
	}
	l, lines = x.judged(object{"game": "qubic"})
	if r := l.Judged; r == nil || lines != 2 || r.Certain || r.Estimate != nil || r.Hint == "" {
		t.Errorf("for nothing, %d lines, %+v", lines, r)
	}
	for moves, says := range map[string]string{"a3 b1 b3 b2 c3": "X wins.",
		"b2 a1 a3 c1 b1 b3 a2 c2 c3": "It is a draw."} {
		l, _ = x.judged(object{"game": "ttt", "moves": strings.Fields(moves), "time_ms": 300})
		if r := l.Judged; r == nil || r.Lo != r.Hi || r.Estimate != nil || r.Standing != "The game is over. "+says ||
			r.Why != r.Standing {
			t.Errorf("over: %+v", r)
		}
	}
}

func TestGame(t *testing.T) {
	x := newTester(t)
	var r struct {
		Squares []struct{ Name string }
		Lines   [][]int
	}
	x.answered(200, "POST", "/api/v1/game", object{"game": "plane:projective,2"}, &r)
	if len(r.Squares) != 7 || len(r.Lines) != 7 || len(r.Lines[0]) != 3 {
		t.Errorf("the Fano plane: %+v", r)
	}
	x.fault(422, "POST", "/api/v1/game", object{"game": "chess"})
}

func TestSearch(t *testing.T) {
	x := newTester(t)
	var r SearchReply
	x.answered(200, "POST", "/api/v1/search", object{"game": "ttt", "algorithm": "minimax"}, &r)
	if r.Nodes != 549_946 || r.Result != "draw" || r.Trace != nil {
		t.Errorf("minimax: %+v", r)
	}
	x.answered(200, "POST", "/api/v1/search", object{"game": "tree:three-ply", "algorithm": "alphabeta", "trace": true},
		&r)
	if *r.Value != 3 || !strings.Contains(string(r.Trace), `"passes"`) {
		t.Errorf("traced: %+v", r)
	}
	// A proof ends simulations unless it is switched off; they are told with the constant of their formula.
	for proof, want := range map[string]uint64{"yes": 2, "no": 9} {
		x.answered(200, "POST", "/api/v1/search", object{"game": "ttt", "position": "xo./xo./..x o",
			"algorithm": "mcts", "sims": 9, "proof": proof, "explore": 0.5, "trace": true}, &r)
		if r.Nodes != want || !strings.Contains(string(r.Trace), `"simulations":{"formula":"UCT","explore":0.5,`) {
			t.Errorf("mcts, proof %s: %+v", proof, r)
		}
	}
	// A search without end is cut off and says so.
	x.server.Longest = 50 * time.Millisecond
	x.answered(200, "POST", "/api/v1/search", object{"game": "mnk:15,15,5", "algorithm": "minimax"}, &r)
	if r.Complete || r.Exact {
		t.Errorf("endless: %+v", r)
	}
}

func TestChoose(t *testing.T) {
	x := newTester(t)
	var one, two ChooseReply
	ask := object{"game": "ttt+slip=0.5", "player": "random", "seed": 7, "moves": []string{"a1"}}
	x.answered(200, "POST", "/api/v1/choose", ask, &one)
	x.answered(200, "POST", "/api/v1/choose", ask, &two)
	if one.Turn != "chance" || one.Move != two.Move {
		t.Errorf("chance: %+v, %+v", one, two)
	}
	for _, player := range []string{"random", "heuristic", "rows", "winratio", "perfect", "perfect", "minimax:depth=2",
		"alphabeta:depth=3", "mcts:sims=50"} {
		x.answered(200, "POST", "/api/v1/choose", object{"game": "ttt", "player": player, "seed": 1,
			"moves": []string{"a1", "b2", "a2"}}, &one)
		if one.Turn != "second" || len(one.State.Moves) != 5 {
			t.Errorf("%s: %+v", player, one)
		}
		if player != "random" && player != "winratio" && one.Move != "a3" {
			t.Errorf("%s does not block: %s", player, one.Move)
		}
	}
	// A player that would think for hours is asked for what it has.
	x.server.Longest = 50 * time.Millisecond
	x.answered(200, "POST", "/api/v1/choose", object{"game": "mnk:15,15,5", "player": "mcts:sims=1000000000",
		"seed": 1}, &one)
	if one.Move == "" {
		t.Error("no move")
	}
}

// TestCount counts what lectures show of tic-tac-toe, and tells what bounds a game that is too large.
func TestCount(t *testing.T) {
	x := newTester(t)
	var r CountReply
	x.answered(200, "POST", api+"count", object{"game": "ttt"}, &r)
	if !r.Whole || r.Positions != 5478 || *r.Classes != 765 || *r.Games != 255168 || *r.Nodes != 549946 ||
		r.MostGames != nil || len(r.ByPly) != 10 || r.ByPly[5].Positions != 1260 || r.ByPly[5].Classes != 174 ||
		*r.ByPly[5].Games != 1440 {
		t.Errorf("ttt: %+v", r)
	}
	r = CountReply{}
	x.answered(200, "POST", api+"count", object{"game": "race:4"}, &r)
	if !r.Whole || r.Positions == 0 || r.Games != nil || r.Nodes != nil { // it can go in circles
		t.Errorf("race:4: %+v", r)
	}
	x.server.Longest = 300 * time.Millisecond
	for game, games := range map[string]bool{"qubic": true, "ultimate": true, "ultimate+open": true, "meta": true,
		"mnk:19,19,5": false, "mnk:20,20,5+wild": false} { // 361! is too large for JSON
		r = CountReply{}
		x.answered(200, "POST", api+"count", object{"game": game}, &r)
		sum := 0.0
		for _, p := range r.ByPly {
			sum += p.Positions
		}
		if r.Whole || r.Classes != nil || r.Games != nil || r.Positions != sum || games && sum < 1000 ||
			r.MostPositions == nil || *r.MostPositions < sum || (r.MostGames != nil) != games {
			t.Errorf("%s: %+v", game, r)
		}
	}
}

// TestAblateSequential checks that the rows of an ablation are the searches of the same names, whichever window
// they begin with and wherever they begin.
func TestAblateSequential(t *testing.T) {
	x := newTester(t)
	for _, place := range []object{{"game": "ttt"}, {"game": "ttt", "position": "x.o/.x./..o x"},
		{"game": "ttt", "moves": []string{"a1", "b2"}, "depth": 3}, {"game": "ttt", "depth": 3, "deepen": true},
		{"game": "tree:chance"}} {
		for stop, alpha := range map[string]any{"": -1.0, "none": -1.0, "best": -1.0, "open": nil} {
			place["stop"] = stop
			var r struct {
				Alpha any
				Rows  []struct {
					Algorithm, Memory, Symmetry, Order string
					Nodes                              uint64
				}
			}
			x.answered(200, "POST", "/api/v1/ablate", place, &r)
			if len(r.Rows) < 10 || place["game"] == "ttt" && r.Alpha != alpha {
				t.Errorf("%v: %d rows from %v", place, len(r.Rows), r.Alpha)
			}
			for _, row := range r.Rows {
				asked := object{"algorithm": row.Algorithm, "memo": row.Memory, "symmetry": row.Symmetry,
					"order": row.Order}
				maps.Copy(asked, place)
				asked["deepen"] = map[any]string{nil: "no", true: "yes"}[place["deepen"]]
				var s struct{ Nodes uint64 }
				if x.answered(200, "POST", "/api/v1/search", asked, &s); s.Nodes != row.Nodes {
					t.Errorf("%v: %d nodes in the table, %d in a search", asked, row.Nodes, s.Nodes)
				}
			}
		}
	}
}
