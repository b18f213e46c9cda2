package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oxo/web/live"
	"oxo/web/service"
)

// from asks as if from another address, perhaps by a proxy.
func (t *tester) from(address, forwarded, method, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	r.Host, r.RemoteAddr = "localhost:8210", address
	if forwarded != "" {
		r.Header.Set("X-Forwarded-For", forwarded)
	}
	w := httptest.NewRecorder()
	t.server.ServeHTTP(w, r)
	return w
}

// TestRequestLimit turns away an address that asks too much, and nobody else.
func TestRequestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTester(t)
		x.server.requests = service.NewLimiter(service.Pace{PerSecond: 1, AtOnce: 3})
		count := func(address, forwarded string) (n int) {
			for range 10 {
				switch w := x.from(address, forwarded, "GET", "/healthz"); {
				case w.Code == 200:
					n++
				case w.Code != 429 || w.Header().Get("Retry-After") != "1":
					t.Errorf("%s: %d %v", address, w.Code, w.Header())
				}
			}
			return n
		}
		for _, c := range []struct {
			address, forwarded string
			allowed            int
		}{
			{"192.0.2.1:1", "", 3},
			{"192.0.2.1:2", "", 0},                      // another port of the same
			{"192.0.2.2:1", "198.51.100.1", 3},          // who is not on this machine says nothing about others
			{"192.0.2.2:1", "198.51.100.2", 0},          //
			{"127.0.0.1:1", "", 10},                     // this machine itself
			{"127.0.0.1:1", "198.51.100.1", 3},          // a proxy on it
			{"[::1]:1", "10.9.8.7, 198.51.100.1", 0},    // what the sender wrote comes first
			{"127.0.0.1:1", "::ffff:198.51.100.1", 0},   // the same in other words
			{"127.0.0.1:1", "198.51.100.3, nobody", 10}, // a proxy that names nobody
			{"[2001:db8::1]:1", "", 3},                  //
			{"[2001:db8::2:1]:1", "", 0},                // the same network
			{"127.0.0.1:1", "2001:db8::3", 0},           //
			{"[2001:db8:0:1::1]:1", "", 3},              // another
			{"[fe80::1%eth0]:1", "", 3},                 //
		} {
			if n := count(c.address, c.forwarded); n != c.allowed {
				t.Errorf("%s for %q: %d of 10 answered, want %d", c.address, c.forwarded, n, c.allowed)
			}
		}
		time.Sleep(2 * time.Second)
		if n := count("192.0.2.1:1", ""); n != 2 {
			t.Errorf("2 s later: %d", n)
		}
	})
}

// TestOpenLimits counts bots by their names and others by their addresses.
func TestOpenLimits(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	var one, two live.TokenReply
	x.answered(200, "POST", api+"bots", object{"name": "one"}, &one)
	x.answered(200, "POST", api+"bots", object{"name": "two"}, &two)
	x.server.OpenLimit, x.server.BotLimit = service.NewLimiter(service.Pace{PerSecond: 0, AtOnce: 1}),
		service.NewLimiter(service.Pace{PerSecond: 0, AtOnce: 2})
	for _, c := range []struct {
		token  string
		status int
	}{{one.Token, 200}, {one.Token, 200}, {one.Token, 429}, {two.Token, 200}, {"", 200}, {"", 429},
		{service.TokenPrefix + "wrong", 429}} {
		if w := x.as(c.token).ask("POST", api+"sessions", object{"game": "ttt", "public": true}); w.Code != c.status {
			t.Errorf("%+v: %d", c, w.Code)
		}
	}
}

// TestFullStore: where the store holds as much as it may nothing new is opened, and
// what is there goes on.
func TestFullStore(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m), func(o *Config) { o.MaxStored = 2 })
	var bot live.TokenReply
	x.answered(200, "POST", api+"bots", object{"name": "one"}, &bot)
	var open live.OpenReply
	x.as(bot.Token).answered(200, "POST", api+"sessions", object{"game": "ttt", "seat": "first", "public": true}, &open)
	const brought = `{"squares": 2, "winning": [[1, 2]]}`
	for _, c := range []struct {
		path string
		body any
	}{
		{"bots", object{"name": "two"}},
		{"bots/tokens", object{}},
		{"sessions", object{"game": "ttt", "public": true}},
		{"jobs", trainRequest("table", 10, nil)},
		{"games/files", object{"file": brought}},
		{"proofs", "a proof"},
	} {
		w := x.as(bot.Token).ask("POST", api+c.path, c.body)
		if w.Code != 503 || !strings.Contains(w.Body.String(), "is full") || w.Header().Get("Retry-After") != "" {
			t.Errorf("%s: %d %s %v", c.path, w.Code, w.Body, w.Header())
		}
	}
	x.as("").answered(200, "POST", api+"sessions/"+open.Session.ID+"/accept", object{}, nil)
	x.as(bot.Token).answered(200, "POST", api+"sessions/"+open.Session.ID+"/move", object{"move": "b2", "ply": 0}, nil)
	m.mu.Lock()
	m.broken = true
	m.mu.Unlock()
	if w := x.as(bot.Token).ask("POST", api+"bots", object{"name": "two"}); w.Code != 503 ||
		!strings.Contains(w.Body.String(), "reach its store") || w.Header().Get("Retry-After") != "10" {
		t.Errorf("without an answer from the store: %d %s %v", w.Code, w.Body, w.Header())
	}
}

// TestBringLimit: of those elsewhere nobody brings many files at once, and where most
// are kept nobody brings more; what is kept already is found anyway.
func TestBringLimit(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	x.server.BringLimit = service.NewLimiter(service.Pace{PerSecond: 0, AtOnce: 2})
	bring := func(address string, squares int) (status int, wait string) {
		t.Helper()
		body, err := json.Marshal(object{"file": fmt.Sprintf(`{"squares": %d, "winning": [[1, 2]]}`, squares)})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest("POST", api+"games/files", bytes.NewReader(body))
		r.Host, r.RemoteAddr = "localhost:8210", address
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		x.server.ServeHTTP(w, r)
		return w.Code, w.Header().Get("Retry-After")
	}
	for _, c := range []struct {
		address string
		squares int
		status  int
		wait    string
	}{
		{"192.0.2.1:1", 2, 200, ""}, {"192.0.2.1:1", 2, 200, ""}, {"192.0.2.1:1", 3, 200, ""},
		{"192.0.2.1:1", 4, 429, "600"}, {"192.0.2.1:1", 3, 200, ""}, {"192.0.2.2:1", 4, 200, ""},
		{"127.0.0.1:1", 5, 200, ""}, {"127.0.0.1:1", 6, 200, ""}, {"127.0.0.1:1", 7, 200, ""},
	} {
		if status, wait := bring(c.address, c.squares); status != c.status || wait != c.wait {
			t.Errorf("%+v: %d, %q", c, status, wait)
		}
	}
	for n := range maxGameFiles {
		if err := m.AddFileIfAbsent(kindGame, fmt.Sprint(n), []byte("{}"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if status, wait := bring("127.0.0.1:1", 8); status != 503 || wait != "" {
		t.Errorf("a file too many: %d, %q", status, wait)
	}
	if status, _ := bring("127.0.0.1:1", 7); status != 200 {
		t.Errorf("a file that is there: %d", status)
	}
}

// TestHosts answers to the names that the server was given, and shows profiles
// to nobody who comes through a proxy.
func TestHosts(t *testing.T) {
	x := newTester(t, func(o *Config) { o.Hosts = []string{"oxo.example"} })
	ask := func(host, path, header string) int {
		r := httptest.NewRequest("GET", path, nil)
		r.Host, r.RemoteAddr = host, "127.0.0.1:4000"
		if header != "" {
			r.Header.Set(header, "for=192.0.2.1")
		}
		w := httptest.NewRecorder()
		x.server.ServeHTTP(w, r)
		return w.Code
	}
	for _, c := range []struct {
		host, path, header string
		status             int
	}{
		{"oxo.example", "/", "", 200}, {"OXO.example:443", "/", "", 200}, {"localhost:1", "/", "", 200},
		{"other.example", "/", "", 421},
		{"localhost", "/debug/pprof/", "", 200}, {"oxo.example", "/debug/pprof/", "", 403},
		{"localhost", "/debug/pprof/", "Via", 403},
		{"localhost", "/debug/pprof/", "Forwarded", 403}, {"localhost", "/debug/pprof/", "X-Forwarded-For", 403},
	} {
		if status := ask(c.host, c.path, c.header); status != c.status {
			t.Errorf("%+v: %d", c, status)
		}
	}
}

// TestOfferLimits: an address elsewhere has a few games open for everybody and a few challenges to each bot, whoever of
// it opens them; one that is called off or answered makes room, and others have their own.
func TestOfferLimits(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	bots := map[string]*tester{}
	for _, name := range []string{"deep", "other"} {
		var made live.TokenReply
		x.answered(200, "POST", api+"bots", object{"name": name}, &made)
		bots[name] = x.as(made.Token)
		stream := bots[name].listen(api + "bots/stream")
		defer stream.leave()
		<-stream.lines // it is connected
	}
	open := func(address string, request object) *httptest.ResponseRecorder {
		from := &tester{T: t, server: x.server, header: http.Header{"X-Forwarded-For": {address}}}
		return from.ask("POST", api+"sessions", request)
	}
	public, deep, other := object{"game": "ttt", "public": true}, object{"game": "ttt", "to": "deep"},
		object{"game": "ttt", "to": "other"}
	for _, c := range []struct {
		request object
		says    string
	}{{public, "your address has 8 games open for everybody"}, {deep, "your address has 8 challenges to deep open"},
		{other, "your address has 8 challenges to other open"}} {
		var first live.OpenReply
		for i := range 8 {
			w := open("198.51.100.1", c.request)
			if w.Code != 200 {
				t.Fatalf("%v, number %d: %d %s", c.request, i+1, w.Code, w.Body)
			}
			if i == 0 {
				if err := json.Unmarshal(w.Body.Bytes(), &first); err != nil {
					t.Fatal(err)
				}
			}
		}
		if w := open("198.51.100.1", c.request); w.Code != 429 || !strings.Contains(w.Body.String(), c.says) ||
			w.Header().Get("Retry-After") == "" {
			t.Errorf("%v: %d %s", c.request, w.Code, w.Body)
		}
		if w := open("198.51.100.2", c.request); w.Code != 200 {
			t.Errorf("%v from elsewhere: %d %s", c.request, w.Code, w.Body)
		}
		bots["deep"].as(first.Key).answered(200, "POST", api+"sessions/"+first.Session.ID+"/abort", nil, nil)
		if w := open("198.51.100.1", c.request); w.Code != 200 {
			t.Errorf("%v after one is called off: %d %s", c.request, w.Code, w.Body)
		}
	}
	if w := open("198.51.100.1", object{"game": "ttt"}); w.Code != 200 {
		t.Errorf("an invitation: %d %s", w.Code, w.Body)
	}
	for range 9 { // who is on the machine itself
		x.answered(200, "POST", api+"sessions", public, nil)
	}
}
