package web

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	webjobs "oxo/web/jobs"
	"oxo/web/live"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

func TestPagesAndHeaders(t *testing.T) {
	x := newTester(t)
	for path, kind := range map[string]string{"/": "text/html", "/app.js": "text/javascript",
		"/api/v1/games": "application/json"} {
		w := x.ask("GET", path, nil)
		csp := w.Header().Get("Content-Security-Policy")
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) ||
			strings.Contains(csp, "unsafe") || !strings.Contains(csp, "default-src 'none'") ||
			!strings.Contains(csp, "frame-ancestors 'none'") ||
			(kind == "text/html") != strings.Contains(csp, "script-src 'self'") {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	for path, to := range map[string]string{"/learn/": "./../learn", "/connect4/": "./../connect4",
		"/%0D%0Ax/": "./../%0D%0Ax"} {
		if w := x.ask("GET", path, nil); w.Code != http.StatusFound || w.Header().Get("Location") != to {
			t.Errorf("%s: %d to %q, not %q", path, w.Code, w.Header().Get("Location"), to)
		}
	}
	tag := x.ask("GET", "/app.js", nil).Header().Get("ETag")
	x.header.Set("If-None-Match", tag)
	if w := x.ask("GET", "/app.js", nil); w.Code != http.StatusNotModified || tag == "" {
		t.Errorf("with its tag: %d", w.Code)
	}
	if w := x.ask("GET", "/missing.js", nil); w.Code != 404 {
		t.Errorf("a missing file: %d", w.Code)
	}
	if w := x.ask("POST", "/", nil); w.Code != 405 {
		t.Errorf("POST to a page: %d", w.Code)
	}
	empty := newTester(t, func(o *Config) { o.Studio = fstest.MapFS{} })
	if w := empty.ask("GET", "/", nil); w.Code != 200 || !strings.Contains(w.Body.String(), say("no-studio", nil)) ||
		strings.Contains(w.Body.String(), "{{") {
		t.Errorf("without a studio: %d %s", w.Code, w.Body)
	}
	built := newTester(t, func(o *Config) { o.Studio = nil })
	if w := built.ask("GET", "/", nil); w.Code != 200 || !strings.Contains(w.Body.String(), "<") ||
		strings.Contains(w.Body.String(), "<style") {
		t.Errorf("the studio built in: %d %s", w.Code, w.Body)
	}
}

// TestOtherMethods says which methods a path of the API takes, and where there
// is nothing.
func TestOtherMethods(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	for _, c := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", service.Root + "/position", 405, "POST"},
		{"HEAD", service.Root + "/position", 405, "POST"},
		{"DELETE", service.Root + "/position", 405, "POST"},
		{"POST", service.Root + "/games", 405, "GET"},
		{"PUT", service.Root + "/jobs", 405, "GET, POST"},
		{"PATCH", service.Root + "/jobs/x", 405, "GET, DELETE"},
		{"GET", service.Root + "/nothing", 404, ""},
		{"POST", service.Root + "/nothing", 404, ""},
		{"DELETE", "/api/nothing", 404, ""},
		{"DELETE", "/api/", 405, "GET"},
	} {
		w := x.ask(c.method, c.path, nil)
		if w.Code != c.status || w.Header().Get("Allow") != c.allow ||
			w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %s: %d, Allow %q, %s", c.method, c.path, w.Code, w.Header().Get("Allow"),
				w.Header().Get("Content-Type"))
		}
	}
}

// TestOrigins refuses requests that pages of other sites send, and names that
// are not this machine's.
func TestOrigins(t *testing.T) {
	for _, c := range []struct {
		name, key, value string
		status           int
	}{
		{"same page", "Sec-Fetch-Site", "same-origin", 200},
		{"other site", "Sec-Fetch-Site", "cross-site", 403},
		{"other origin", "Origin", "https://evil.example", 403},
		{"own origin", "Origin", "http://localhost:8210", 200},
		{"no browser", "X-None", "", 200},
	} {
		x := newTester(t)
		x.header.Set(c.key, c.value)
		if w := x.ask("POST", "/api/v1/position", object{"game": "ttt"}); w.Code != c.status {
			t.Errorf("%s: %d, want %d", c.name, w.Code, c.status)
		}
	}
	for host, local := range map[string]bool{"localhost": true, "localhost:1": true, "127.0.0.1:8210": true,
		"[::1]:8210": true, "::1": true,
		"oxo.localhost": true, "evil.example": false, "evil.example:8210": false, "192.168.1.2": false, "": false,
		"localhost.evil.example": false} {
		if isLocalHost(host) != local {
			t.Errorf("localName(%q) = %v", host, !local)
		}
	}
}

func TestTending(t *testing.T) {
	x := newTester(t)
	if w := x.ask("GET", "/healthz", nil); w.Code != 200 || w.Body.String() != "ok\n" {
		t.Errorf("healthz: %d %s", w.Code, w.Body)
	}
	x.ask("POST", "/api/v1/position", object{"game": "ttt"})
	w := x.ask("GET", "/metrics", nil)
	if w.Code != 200 || !strings.Contains(w.Body.String(),
		`oxo_http_requests_total{route="POST /api/v1/position",status="200"} 1`) ||
		!strings.Contains(w.Body.String(), "oxo_heavy_waiting 0") {
		t.Errorf("metrics: %d %s", w.Code, w.Body)
	}
	for _, want := range []string{
		"# HELP oxo_http_requests_total Requests answered.\n# TYPE oxo_http_requests_total counter\n",
		"# HELP oxo_heavy_running Requests that compute at length.\n# TYPE oxo_heavy_running gauge\n",
		"# TYPE oxo_http_request_seconds histogram\n", `seconds_bucket{route="POST /api/v1/position",le="0.0005"}`,
		`seconds_bucket{route="POST /api/v1/position",le="16.384"}`,
		`seconds_bucket{route="POST /api/v1/position",le="+Inf"} 1`, `seconds_count{route="POST /api/v1/position"} 1`,
		"# TYPE go_goroutines gauge\n", "\nprocess_resident_memory_bytes ",
		"\nprocess_open_fds "} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("no %q in the metrics\n%s", want, w.Body)
		}
	}
	if kind := w.Header().Get("Content-Type"); kind != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("metrics are of the type %q", kind)
	}
	if w := x.ask("GET", "/debug/pprof/", nil); w.Code != 200 || !strings.Contains(w.Body.String(), "goroutine") {
		t.Errorf("profiles on the machine itself: %d", w.Code)
	}
	busy := newTester(t, hosted(newMemory()), func(o *Config) { o.MaxStored = 1000 })
	busy.answered(200, "POST", api+"sessions", object{"game": "ttt"}, nil)
	var last *tester
	var path string
	for range 2 {
		var open live.OpenReply
		busy.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true}, &open)
		busy.answered(200, "POST", api+"sessions/"+open.Session.ID+"/accept", object{}, &open)
		last, path = busy.as(open.Key), api+"sessions/"+open.Session.ID
	}
	last.answered(200, "POST", path+"/resign", nil, nil)
	var bot live.TokenReply
	busy.answered(200, "POST", api+"bots", object{"name": "deep"}, &bot)
	busy.as(bot.Token).answered(200, "GET", api+"bots/events", nil, nil)
	slow := trainRequest("table", 1000, nil)
	slow["pace"] = 0.01
	busy.follow(busy.addJob(slow).ID, func(j webjobs.JobView) bool { return j.State == webjobs.Running })
	body := busy.ask("GET", "/metrics", nil).Body.String()
	for _, want := range []string{"oxo_tables 2", "oxo_tables_playing 1", "oxo_bots 1", "oxo_store_bytes 6",
		"oxo_store_bytes_most 1000", "oxo_streams 0", "oxo_jobs 1", "oxo_jobs_running 1",
		"oxo_heavy_running 0"} {
		if !strings.Contains(body, "\n"+want+"\n") {
			t.Errorf("no %q in the metrics", want)
		}
	}
	open := newTester(t, func(o *Config) { o.Local = false })
	if w := open.ask("GET", "/debug/pprof/heap.x", nil); w.Code == 200 {
		t.Error("profiles are shown to all")
	}
}

// TestLogs keeps secrets out of the log.
func TestLogs(t *testing.T) {
	var said bytes.Buffer
	x := newTester(t, func(o *Config) { o.Log = slog.New(slog.NewTextHandler(&said, nil)) })
	x.header.Set("Authorization", "Bearer oxo_secret")
	x.ask("GET", "/api/v1/games?token=oxo_secret", nil)
	x.ask("GET", "/oxo_secret", nil)
	if text := said.String(); !strings.Contains(text, "/api/v1/games") || strings.Contains(text, "oxo_secret") {
		t.Errorf("log: %s", text)
	}
}

// TestLogSaysWho: a request's line says from where it came, who asked and about which game. The store keeps with a seat
// from where it was taken, which no answer shows.
func TestLogSaysWho(t *testing.T) {
	var said bytes.Buffer
	m := newMemory()
	x := newTester(t, hosted(m), func(o *Config) { o.Log = slog.New(slog.NewTextHandler(&said, nil)) })
	var bot live.TokenReply
	x.answered(200, "POST", api+"bots", object{"name": "deep"}, &bot)
	x.header.Set("X-Forwarded-For", "203.0.113.9")
	var open, joined live.OpenReply
	x.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true, "seat": "first"}, &open)
	id := open.Session.ID
	d := x.as(bot.Token)
	d.header.Set("X-Forwarded-For", "203.0.113.10")
	said.Reset()
	d.answered(200, "POST", api+"sessions/"+id+"/accept", object{}, &joined)
	x.ask("GET", api+"sessions/"+bot.Token, nil)
	text := said.String()
	for _, want := range []string{"from=203.0.113.10 who=\"bot deep\" id=" + id, "took_ms=", "from=203.0.113.9 bytes"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "oxo_") {
		t.Errorf("log: %s", text)
	}
	shown := x.ask("GET", api+"sessions/"+id, nil).Body.String()
	if doc := string(m.games[id].doc); !strings.Contains(doc, `"from":"203.0.113.9"`) ||
		!strings.Contains(doc, `"from":"203.0.113.10"`) || strings.Contains(shown, "203.0.113") {
		t.Errorf("kept %s, shown %s", doc, shown)
	}
}

func TestPanicIsAnswered(t *testing.T) {
	var said bytes.Buffer
	x := newTester(t, func(o *Config) { o.Log = slog.New(slog.NewTextHandler(&said, nil)) })
	x.server.handler = x.server.guarded(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("oh") }),
		true)
	x.fault(500, "GET", "/", nil)
	if !strings.Contains(said.String(), "oh") {
		t.Errorf("log: %s", said.String())
	}
}

// TestFirstStatusCounts: of two statuses the first is sent, without a word in the log.
func TestFirstStatusCounts(t *testing.T) {
	var said bytes.Buffer
	x := newTester(t)
	twice := func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
		w.WriteHeader(499)
	}
	served := httptest.NewUnstartedServer(x.server.guarded(http.HandlerFunc(twice), true))
	served.Config.ErrorLog = log.New(&said, "", 0)
	served.Start()
	r, err := http.Get(served.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if served.Close(); r.StatusCode != http.StatusAccepted || said.Len() > 0 {
		t.Errorf("%d is sent, and the log says %s", r.StatusCode, &said)
	}
}

// TestGate lets one in, makes others wait, and turns the rest away.
func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := service.NewGate(1)
		leave, err := g.Enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		results := make(chan error, service.QueueLength)
		for range service.QueueLength {
			go func() {
				leave, err := g.Enter(t.Context())
				if err == nil {
					leave()
				}
				results <- err
			}()
		}
		synctest.Wait()
		_, err = g.Enter(t.Context())
		var status huma.StatusError
		if !errors.As(err, &status) || status.GetStatus() != 429 {
			t.Errorf("beyond the queue: %v", err)
		}
		var headers huma.HeadersError
		if !errors.As(err, &headers) || headers.GetHeaders().Get("Retry-After") == "" {
			t.Errorf("no Retry-After: %v", err)
		}
		time.Sleep(service.Patience / 2)
		leave()
		for range service.QueueLength {
			if err := <-results; err != nil {
				t.Errorf("in the queue: %v", err)
			}
		}
		if leave, err = g.Enter(t.Context()); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if _, err := g.Enter(t.Context()); err == nil || time.Since(begin) != service.Patience {
			t.Errorf("a long wait: %v after %v", err, time.Since(begin))
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := g.Enter(gone); err == nil {
			t.Error("somebody who has gone came in")
		}
		leave()
	})
}

// TestStrictBodies: a field that comes twice, or in other capitals, is refused.
func TestStrictBodies(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	const choose = `{"game":"ttt","player":"random","seed":1%s}`
	for more, status := range map[string]int{
		``:                          200,
		`,"seed":2`:                 400,
		`,"SEED":2`:                 400,
		`,"moves":[],"Moves":["a"]`: 400,
		`,"Moves":[]`:               422,
	} {
		if got := x.ask("POST", api+"choose", fmt.Sprintf(choose, more)); got.Code != status {
			t.Errorf("%s: status %d, want %d: %s", more, got.Code, status, got.Body)
		}
	}
}

// TestBodyCutShort: a body that ends before its length is its sender's fault, whatever it is for, and one that stops to
// come is not waited for without end.
func TestBodyCutShort(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	at := httptest.NewServer(x.server)
	defer at.Close()
	for _, path := range []string{"proofs", "games/files", "sessions", "game"} {
		c, err := net.Dial("tcp", at.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST %s%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\ncut short", api, path)
		if err := c.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(r.Body)
		if r.StatusCode != 400 || !strings.Contains(string(body), "ended too early") {
			t.Errorf("%s: %d %s", path, r.StatusCode, body)
		}
	}
	for _, op := range x.server.operations() {
		if op.RequestBody != nil && (op.BodyReadTimeout <= 0 || op.BodyReadTimeout > time.Minute) {
			t.Errorf("%s reads a body for %v", op.OperationID, op.BodyReadTimeout)
		}
	}
}
