package web

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"oxo/web/live"
	"oxo/web/service"
)

// listener reads a stream line by line, without a network.
type listener struct {
	*testing.T
	lines  chan string
	header http.Header
	cancel context.CancelFunc
	done   chan struct{}
}

// listen opens a stream and waits for its first line.
func (t *tester) listen(path string) *listener {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	l := &listener{T: t.T, lines: make(chan string, 1000), header: http.Header{}, cancel: cancel,
		done: make(chan struct{})}
	req := httptest.NewRequestWithContext(ctx, "GET", path, nil)
	req.Host, req.RemoteAddr, req.Header = "localhost", "127.0.0.1:1", t.header.Clone()
	go func() {
		defer close(l.done)
		defer close(l.lines)
		t.server.ServeHTTP(l, req)
	}()
	return l
}

func (l *listener) Header() http.Header { return l.header }
func (l *listener) WriteHeader(int)     {}
func (l *listener) Flush()              {}
func (l *listener) Write(p []byte) (int, error) {
	l.lines <- string(p)
	return len(p), nil
}

// leave ends the stream from the reader's side.
func (l *listener) leave() {
	l.cancel()
	<-l.done
}

// next returns the next line.
func (l *listener) next() string {
	l.Helper()
	line, ok := <-l.lines
	if !ok {
		l.Fatal("the stream has ended")
	}
	return line
}

// view reads the next line as a game.
func (l *listener) view() (v live.View) {
	l.Helper()
	line := l.next()
	if err := json.Unmarshal([]byte(line), &v); err != nil {
		l.Fatalf("%v: %q", err, line)
	}
	return v
}

// event reads the next line as a bot's event.
func (l *listener) event() (e live.BotEvent) {
	l.Helper()
	line := l.next()
	if err := json.Unmarshal([]byte(line), &e); err != nil {
		l.Fatalf("%v: %q", err, line)
	}
	return e
}

func TestStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, newMemory(), "ttt", object{"bank_ms": 100_000})
		s := p.sides[1].listen(p.path("stream"))
		if v := s.view(); v.Ply != 0 || v.Second.Present != true || len(v.Legal) != 9 {
			t.Errorf("first line: %+v", v)
		}
		synctest.Wait()
		begin := time.Now()
		for len(s.lines) > 0 { // that it has come itself may be told twice
			<-s.lines
		}
		for range 3 {
			if line := s.next(); line != "\n" {
				t.Errorf("nothing happens: %q", line)
			}
		}
		if d := time.Since(begin); d != 3*service.KeepAlive {
			t.Errorf("three lines after %v", d)
		}
		watcher := p.listen(p.path("stream"))
		if v := watcher.view(); v.Watchers != 1 || v.First.AwayMS == nil ||
			*v.First.AwayMS != 3*service.KeepAlive.Milliseconds() || v.Second.AwayMS != nil {
			t.Errorf("one side and one who watches are here: %+v", v)
		}
		watcher.leave()
		if v := p.show(); v.Watchers != 0 {
			t.Errorf("%d watch once nobody does", v.Watchers)
		}
		p.play("a1")
		if v := s.view(); v.Ply != 1 || v.Turn != "second" || strings.Join(v.Moves, "") != "a1" ||
			v.Second.LeftMS == nil {
			t.Errorf("after a move: %+v", v)
		}
		events := p.as("").listen(p.path("stream") + "?format=sse")
		if line := events.next(); !strings.HasPrefix(line, "id: ") ||
			!strings.Contains(line, "\nevent: session\ndata: {") || !strings.HasSuffix(line, "}\n\n") ||
			events.header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("event: %q", line)
		}
		time.Sleep(service.KeepAlive)
		if line := events.next(); line != "event: alive\ndata: {}\n\n" {
			t.Errorf("nothing happens: %q", line)
		}
		p.play("a2", "b1", "b2", "c1")
		synctest.Wait()
		last := ""
		for line := range s.lines { // moves that come together may share a line
			last = line
		}
		if !strings.Contains(last, `"state":"over"`) {
			t.Errorf("last line: %q", last)
		}
		<-events.done
		if n := p.server.lobby.OpenStreams(); n != 0 {
			t.Errorf("%d streams are open", n)
		}
		// A closing server lets go of all.
		p = newPair(t, newMemory(), "ttt", nil)
		s = p.sides[0].listen(p.path("stream"))
		s.view()
		p.server.Close()
		<-s.done
	})
}

func TestLongPoll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, newMemory(), "ttt", nil)
		v := p.show()
		begin := time.Now()
		var same live.View
		p.sides[0].answered(200, "GET", p.path("")+"?wait=20&after="+text(t, v.Version), nil, &same)
		if same.Version != v.Version || time.Since(begin) != 20*time.Second {
			t.Errorf("nothing happens: version %d after %v", same.Version, time.Since(begin))
		}
		go func() {
			time.Sleep(3 * time.Second)
			p.play("a1")
		}()
		begin = time.Now()
		p.sides[1].answered(200, "GET", p.path("")+"?wait=20&after="+text(t, v.Version), nil, &v)
		if v.Ply != 1 || time.Since(begin) != 3*time.Second {
			t.Errorf("a move: %+v after %v", v, time.Since(begin))
		}
		// The end of a game that nobody joined is told at once too.
		var opened live.OpenReply
		x := p.tester
		x.answered(200, "POST", api+"sessions", object{"game": "ttt", "name": "Ann"}, &opened)
		path := api + "sessions/" + opened.Session.ID
		x.as(opened.Key).answered(200, "POST", path+"/abort", nil, nil)
		begin = time.Now()
		x.answered(200, "GET", path+"?wait=20&after="+text(t, opened.Session.Version), nil, &v)
		if v.State != live.StateOver || time.Since(begin) != 0 {
			t.Errorf("called off: %+v after %v", v, time.Since(begin))
		}
		synctest.Wait()
	})
}

func TestBots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		x := newTester(t, hosted(m))
		var deep, shallow, watcher live.TokenReply
		x.answered(200, "POST", api+"bots", object{"name": "deep"}, &deep)
		x.answered(200, "POST", api+"bots", object{"name": "shallow", "scopes": []string{"play", "challenge"}},
			&shallow)
		for body, location := range map[string]string{`{"name":"deep"}`: "body.name", `{"name":"x y"}`: "body.name", `{"name":"xy","scopes":["all"]}`: "body.scopes"} {
			if at, _ := x.fault(422, "POST", api+"bots", body); at != location {
				t.Errorf("%s: the fault is at %q", body, at)
			}
		}
		d, s := x.as(deep.Token), x.as(shallow.Token)
		s.fault(403, "POST", api+"bots/tokens", object{})
		d.answered(200, "POST", api+"bots/tokens", object{"scopes": []string{"play"}}, &watcher)
		x.as(watcher.Token).fault(403, "POST", api+"sessions", object{"game": "ttt"})
		x.fault(401, "POST", api+"bots/tokens", object{})
		x.as(service.TokenPrefix+"wrong").fault(401, "GET", api+"bots/stream", nil)

		events := d.listen(api + "bots/stream")
		if line := events.next(); line != "\n" {
			t.Errorf("nothing to tell: %q", line)
		}
		var list live.BotList
		x.answered(200, "GET", api+"bots", nil, &list)
		if len(list.Bots) != 1 || list.Bots[0] != "deep" {
			t.Errorf("connected: %v", list)
		}
		// Declined.
		var open live.OpenReply
		s.answered(200, "POST", api+"sessions", object{"game": "ttt", "to": "deep", "seat": "first"}, &open)
		path := api + "sessions/" + open.Session.ID
		if e := events.event(); e.Type != live.EventChallenge || e.Seat != "second" ||
			e.Session.ID != open.Session.ID || open.Key != "" {
			t.Errorf("challenged: %+v", e)
		}
		s.fault(403, "POST", path+"/decline", nil)
		d.answered(200, "POST", path+"/decline", nil, nil)
		if e := events.event(); e.Type != live.EventChallengeEnd || e.Session.Reason != "deep declined" {
			t.Errorf("declined: %+v", e)
		}
		d.fault(409, "POST", path+"/decline", nil)
		// Accepted, after a new connection that is told of it.
		s.answered(200, "POST", api+"sessions", object{"game": "ttt", "to": "deep", "seat": "first"}, &open)
		path = api + "sessions/" + open.Session.ID
		events.leave()
		events = d.listen(api + "bots/stream")
		if e := events.event(); e.Type != live.EventChallenge || e.Seat != "second" {
			t.Errorf("told again: %+v", e)
		}
		d.answered(200, "POST", path+"/accept", object{}, nil)
		if line := events.next(); line != "\n" {
			t.Errorf("all told: %q", line)
		}
		if e := events.event(); e.Type != live.EventGameStart || e.Seat != "second" {
			t.Errorf("begun: %+v", e)
		}
		other := s.listen(api + "bots/stream")
		if e := other.event(); e.Type != live.EventGameStart || e.Seat != "first" {
			t.Errorf("told to the other: %+v", e)
		}
		var games live.SessionList
		s.answered(200, "GET", api+"sessions", nil, &games)
		if len(games.Sessions) != 1 || games.Sessions[0].ID != open.Session.ID {
			t.Errorf("its games: %+v", games)
		}
		s.answered(200, "POST", path+"/move", object{"move": "b2", "ply": 0}, nil)
		d.fault(400, "POST", path+"/move", object{"move": "b2", "ply": 1})
		d.answered(200, "POST", path+"/resign", nil, nil)
		if e := events.event(); e.Type != live.EventGameEnd || e.Session.Result != "first" {
			t.Errorf("ended: %+v", e)
		}
		other.leave()
		// A revoked token is good for nothing, and its streams end.
		d.fault(404, "DELETE", api+"bots/tokens/none", nil)
		late := x.as(watcher.Token).listen(api + "bots/stream")
		late.next()
		if w := d.ask("DELETE", api+"bots/tokens/"+watcher.ID, nil); w.Code != 204 {
			t.Errorf("revoked: %d %s", w.Code, w.Body)
		}
		x.as(watcher.Token).fault(401, "GET", api+"bots/stream", nil)
		time.Sleep(service.KeepAlive)
		<-late.done
		events.leave()
		if n := len(x.server.lobby.Rooms); n != 0 {
			t.Errorf("%d bots are still in the hall", n)
		}
	})
}

// TestScopes asks for everything that a bot may be allowed by a token that lacks
// just that, by one that is not known, and, where only bots may, by none.
func TestScopes(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	var all live.TokenReply
	x.answered(200, "POST", api+"bots", object{"name": "deep"}, &all)
	lacks := map[string]*tester{}
	for _, scope := range service.AllScopes {
		var token live.TokenReply
		others := slices.DeleteFunc(slices.Clone(service.AllScopes), func(s string) bool { return s == scope })
		x.as(all.Token).answered(200, "POST", api+"bots/tokens", object{"scopes": others}, &token)
		lacks[scope] = x.as(token.Token)
	}
	var game live.OpenReply
	x.as(all.Token).answered(200, "POST", api+"sessions", object{"game": "ttt"}, &game)
	at := api + "sessions/" + game.Session.ID
	train := trainRequest("table", 10, nil)
	job, _ := x.as(all.Token).finish(x.as(all.Token).addJob(train).ID)
	for _, c := range []struct {
		scope, method, path string
		body                any
		anybody             bool // may ask, too
	}{
		{service.ScopePlay, "GET", api + "bots/events", nil, false},
		{service.ScopePlay, "GET", api + "bots/stream", nil, false},
		{service.ScopePlay, "POST", at + "/move", object{"move": "b2", "ply": 0}, true},
		{service.ScopePlay, "POST", at + "/resign", nil, true},
		{service.ScopePlay, "POST", at + "/abort", nil, true},
		{service.ScopePlay, "POST", at + "/draw", nil, true},
		{service.ScopePlay, "POST", at + "/claim", nil, true},
		{service.ScopeChallenge, "POST", api + "sessions", object{"game": "ttt"}, true},
		{service.ScopeChallenge, "POST", at + "/accept", object{}, true},
		{service.ScopeChallenge, "POST", at + "/decline", nil, false},
		{service.ScopeTokens, "POST", api + "bots/tokens", object{}, false},
		{service.ScopeTokens, "DELETE", api + "bots/tokens/" + all.ID, nil, false},
		{service.ScopeJobs, "POST", api + "jobs", train, true},
		{service.ScopeJobs, "GET", api + "jobs", nil, true},
		{service.ScopeJobs, "POST", api + "jobs/" + job.ID + "/cancel", nil, true},
		{service.ScopeJobs, "POST", api + "jobs/" + job.ID + "/pause", nil, true},
		{service.ScopeJobs, "POST", api + "jobs/" + job.ID + "/resume", nil, true},
		{service.ScopeJobs, "POST", api + "jobs/" + job.ID + "/pace", object{"pace": 1}, true},
		{service.ScopeJobs, "DELETE", api + "jobs/" + job.ID, nil, true},
	} {
		for who, code := range map[*tester]int{lacks[c.scope]: 403, x.as(service.TokenPrefix + "wrong"): 401, x: 401} {
			if who == x && c.anybody {
				continue
			}
			if w := who.ask(c.method, c.path, c.body); w.Code != code {
				t.Errorf("%s %s without %s: %d instead of %d: %s", c.method, c.path, c.scope, w.Code, code, w.Body)
			}
		}
	}
	// Nothing of that was done.
	x.as(all.Token).answered(200, "GET", at, nil, &game.Session)
	if game.Session.State != live.StateOpen {
		t.Errorf("the game: %+v", game.Session)
	}
	x.as(all.Token).answered(200, "GET", api+"jobs/"+job.ID, nil, nil)
}

// TestThousandStreams has a thousand readers over the network follow one game.
func TestThousandStreams(t *testing.T) {
	p := newPair(t, newMemory(), "ttt", nil)
	h := httptest.NewServer(p.server)
	defer h.Close()
	defer p.server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: -1}}
	const readers = 1000
	var ready, all sync.WaitGroup
	ready.Add(readers)
	for range readers {
		all.Go(func() {
			r, err := client.Get(h.URL + p.path("stream"))
			if err != nil {
				t.Error(err)
				ready.Done()
				return
			}
			defer r.Body.Close()
			lines := bufio.NewReader(r.Body)
			if _, err := lines.ReadString('\n'); err != nil {
				t.Error(err)
			}
			ready.Done()
			rest, err := io.ReadAll(lines)
			if err != nil || !strings.Contains(string(rest), `"result":"first"`) {
				t.Errorf("the end did not come: %v", err)
			}
		})
	}
	ready.Wait()
	p.play("a1", "b2", "a2", "b3", "a3")
	all.Wait()
}
