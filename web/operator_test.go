package web

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	webjobs "oxo/web/jobs"
	"oxo/web/live"
	"oxo/web/service"
)

// commands are the orders of a test, with what came of them.
type commands struct {
	*memory
	list chan Order
	done chan string
	bans [][2]string
}

func (c *commands) Pending(context.Context) ([]Order, error) {
	select {
	case o := <-c.list:
		return []Order{o}, nil
	default:
		return nil, nil
	}
}

func (c *commands) EndOrder(_ int64, answer string, failed bool) error {
	if failed {
		answer = "failed: " + answer
	}
	c.done <- answer
	return nil
}

func (c *commands) Drop(kind, id string) error {
	return c.write(func() error {
		switch {
		case kind == "game" && c.games[id] != nil:
			delete(c.games, id)
			return nil
		case kind == "bot" && c.bots[id] > 0:
			delete(c.bots, id)
			maps.DeleteFunc(c.tokens, func(_ string, t [3]string) bool { return t[0] == id })
			return nil
		}
		return errNotFound
	})
}

func (c *commands) Ban(string, string, bool) error            { return nil }
func (c *commands) Bans(context.Context) ([][2]string, error) { return c.bans, nil }

func (c *commands) Has(_ context.Context, kind, id string) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return kind == "bot" && c.bots[id] > 0, nil
}

func (c *commands) give(verb, kind, id string) string {
	c.list <- Order{Verb: verb, Kind: kind, ID: id}
	return <-c.done
}

// TestOrders carries out what the operator asks for, while the server runs.
func TestOrders(t *testing.T) {
	c := &commands{newMemory(), make(chan Order), make(chan string), [][2]string{{"address", "198.51.100.9"}}}
	x := newTester(t, hosted(c.memory), func(o *Config) { o.Orders = c })
	if w := x.from("127.0.0.1:1", "198.51.100.9", "GET", "/healthz"); w.Code != 403 ||
		!strings.Contains(w.Body.String(), "turned you away") {
		t.Errorf("a banned address: %d %s", w.Code, w.Body)
	}
	j := x.addJob(object{"verb": "train", "game": "ttt", "pace": 0.001,
		"args": object{"learner": "menace", "games": 1000}})
	if got := c.give("cancel", "job", j.ID); got != "cancelled" {
		t.Error(got)
	}
	x.follow(j.ID, func(v webjobs.JobView) bool { return v.State == webjobs.Cancelled })
	if got := c.give("remove", "job", j.ID); got != "removed" {
		t.Error(got)
	}
	x.fault(404, "GET", api+"jobs/"+j.ID, nil)
	var open live.OpenReply
	x.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true}, &open)
	if got := c.give("cancel", "game", open.Session.ID); got != "cancelled" {
		t.Error(got)
	}
	if got := c.give("cancel", "game", open.Session.ID); got != "failed: the game is over" {
		t.Error(got)
	}
	if got := c.give("remove", "game", open.Session.ID); got != "removed" {
		t.Error(got)
	}
	x.fault(404, "GET", api+"sessions/"+open.Session.ID, nil)
	var bot live.TokenReply
	x.answered(200, "POST", api+"bots", object{"name": "deep"}, &bot)
	// Names are compared without case.
	if got := c.give("ban", "bot", "DEEP"); got != "turned away from now on" {
		t.Error(got)
	}
	if got := c.give("ban", "bot", "dep"); !strings.Contains(got, "from now on; but no bot is known by that") {
		t.Error(got)
	}
	x.header.Set("Authorization", "Bearer "+bot.Token)
	x.fault(403, "POST", api+"sessions", object{"game": "ttt"})
	c.give("unban", "bot", "deep")
	x.answered(200, "POST", api+"sessions", object{"game": "ttt"}, nil)
	for address, also := range map[string]string{"192.0.2.8": "::ffff:192.0.2.8", "2001:db8::7": "2001:db8::8",
		"2001:db8:0:1::/64": "2001:db8:0:1::9", "192.0.2.0/24": "192.0.2.200", "2001:db8::/32": "2001:db8:9::1",
		"::ffff:198.51.100.0/120": "198.51.100.77", "192.0.2.9/32": "192.0.2.9:4444",
		"2001:db8::/63": "[2001:db8:0:1::2%eth0]:80",
		"192.0.2.9:80":  "192.0.2.9", "2001:db8::1/128": "[2001:db8::2]", "100.64.0.0/10": "::ffff:100.127.0.1"} {
		c.give("ban", "address", address)
		if w := x.from("127.0.0.1:1", also, "GET", "/healthz"); w.Code != 403 {
			t.Errorf("%s is turned away, and %s let in: %d", address, also, w.Code)
		}
		c.give("unban", "address", address)
		if w := x.from("127.0.0.1:1", also, "GET", "/healthz"); w.Code != 200 {
			t.Errorf("%s is let in again, and %s is not: %d", address, also, w.Code)
		}
	}
	for _, wrong := range []string{"192.0.2", "deep", "192.0.2.0/33", "2001:db8::/129"} {
		if got := c.give("ban", "address", wrong); !strings.Contains(got, "is no address") {
			t.Errorf("%s: %s", wrong, got)
		}
	}
	if got := c.give("ban", "address", "0.0.0.0/0"); !strings.Contains(got, "is too much") {
		t.Error(got)
	}
	c.give("ban", "address", "192.0.2.0/24")
	for _, other := range []string{"192.0.3.1", "2001:db8::1", "192.1.2.1"} {
		if w := x.from("127.0.0.1:1", other, "GET", "/healthz"); w.Code != 200 {
			t.Errorf("%s is turned away with its neighbours: %d", other, w.Code)
		}
	}
	if got := c.give("paint", "bot", "deep"); !strings.HasPrefix(got, "failed: there is no order") {
		t.Error(got)
	}
}

// TestRemovedBot: who registers the name of a removed bot gets nothing of it: no game to be told of, no seat in
// one that goes on or is over. What the old one had open is lost, and its streams end at once.
func TestRemovedBot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &commands{newMemory(), make(chan Order), make(chan string), nil}
		x := newTester(t, hosted(c.memory), func(o *Config) { o.Orders = c })
		defer x.server.Close()
		var old, anew live.TokenReply
		x.answered(200, "POST", api+"bots", object{"name": "deep"}, &old)
		bot, guest := x.as(old.Token), x
		open := func() (paths []string) { // one is over, one is played, one is open
			for i := range 3 {
				var made live.OpenReply
				bot.answered(200, "POST", api+"sessions", object{"game": "ttt", "seat": "first", "public": true}, &made)
				paths = append(paths, api+"sessions/"+made.Session.ID)
				if i < 2 {
					var seat live.OpenReply
					x.answered(200, "POST", paths[i]+"/accept", object{"name": "Ann"}, &seat)
					guest = x.as(seat.Key)
				}
				if i == 0 {
					bot.answered(200, "POST", paths[i]+"/resign", nil, nil)
				}
			}
			return paths
		}
		paths := open()
		events, game := bot.listen(api+"bots/stream"), bot.listen(paths[1]+"/stream")
		if v := game.view(); !v.First.Present {
			t.Errorf("before: %+v", v)
		}
		synctest.Wait()
		if got := c.give("remove", "bot", "deep"); !strings.HasPrefix(got, "removed; its open games (2) are ended") {
			t.Error(got)
		}
		synctest.Wait()
		<-events.done
		<-game.done
		bot.fault(401, "GET", api+"bots/events", nil)
		x.answered(200, "POST", api+"bots", object{"name": "deep"}, &anew)
		bot = x.as(anew.Token)
		var news live.BotNews
		var past live.View
		for i, want := range []string{"second", "second", "*"} {
			var v live.View
			bot.answered(200, "GET", paths[i], nil, &v)
			if v.You != "" || v.State != live.StateOver || v.Result != want {
				t.Errorf("game %d: %+v", i, v)
			}
			if i == 1 && v.Reason != "the operator removed the bot deep" {
				t.Errorf("it is said: %q", v.Reason)
			}
			bot.fault(403, "POST", paths[i]+"/move", object{"move": "b2", "ply": 0})
		}
		// A game that an older server kept says nothing of when its bot was made.
		_, id, _ := strings.Cut(paths[0], "sessions/")
		c.games[id].doc = regexp.MustCompile(`,"bot_made":\d+`).ReplaceAll(c.games[id].doc, nil)
		bot.answered(200, "GET", paths[0], nil, &past)
		if past.You != "" {
			t.Errorf("a game of an older server: %+v", past)
		}
		bot.answered(200, "GET", api+"bots/events", nil, &news)
		if len(news.Events) != 0 {
			t.Errorf("the new one is told %+v", news.Events)
		}
		// One that is banned goes on having its games, and is away from them.
		paths = open()
		events, game = bot.listen(api+"bots/stream"), bot.listen(paths[1]+"/stream")
		bot.answered(200, "GET", api+"bots/events", nil, &news)
		waiting := make(chan int)
		go func() {
			waiting <- bot.ask("GET", fmt.Sprintf("%sbots/events?wait=30&after=%d", api, news.Version), nil).Code
		}()
		synctest.Wait()
		c.give("ban", "bot", "Deep")
		synctest.Wait()
		<-events.done
		<-game.done
		if code := <-waiting; code != 403 {
			t.Errorf("a long poll: %d", code)
		}
		var v live.View
		guest.answered(200, "GET", paths[1], nil, &v)
		if v.State != live.StatePlaying || v.First.Present {
			t.Errorf("banned: %+v", v)
		}
		var bots live.BotList
		x.answered(200, "GET", api+"bots", nil, &bots)
		if len(bots.Bots) != 0 {
			t.Errorf("connected: %v", bots.Bots)
		}
		time.Sleep(live.Grace)
		guest.answered(200, "POST", paths[1]+"/claim", nil, nil)
		// Streams to an address that is banned end with their next line.
		far := x.as("")
		far.header = http.Header{"X-Forwarded-For": {"203.0.113.9"}}
		watching := far.listen(paths[2] + "/stream")
		watching.view()
		c.give("ban", "address", "203.0.113.0/24")
		time.Sleep(service.KeepAlive)
		<-watching.done
	})
}

// TestReservedNames refuses bots that could be taken for somebody else.
func TestReservedNames(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	for _, name := range []string{"admin", "Operator", "OXO", "Somebody", "guest", "Ran-dom", "ad_m1n", "tournament"} {
		x.fault(422, "POST", api+"bots", object{"name": name})
	}
	x.answered(200, "POST", api+"bots", object{"name": "adminton"}, nil)
	// Of a name or scopes at length only the beginning comes back.
	for _, body := range []object{{"name": strings.Repeat("é", 20_000)},
		{"name": "deep", "scopes": []string{strings.Repeat("a", 50_000)}},
		{"name": "deep", "scopes": []string{strings.Repeat("a", 500), strings.Repeat("b", 500)}}} {
		if w := x.ask("POST", api+"bots", body); w.Code != 422 || w.Body.Len() > 1000 {
			t.Errorf("%d with %d bytes: %.300s", w.Code, w.Body.Len(), w.Body)
		}
	}
}

// TestOperatorsOnly shows metrics to the machine itself, and to all where that is wished.
func TestOperatorsOnly(t *testing.T) {
	closed, open := newTester(t), newTester(t, func(o *Config) { o.OpenMetrics = true })
	for _, c := range []struct {
		x         *tester
		forwarded string
		code      int
	}{{closed, "", 200}, {closed, "198.51.100.1", 403}, {open, "198.51.100.1", 200}} {
		if w := c.x.from("127.0.0.1:1", c.forwarded, "GET", "/metrics"); w.Code != c.code {
			t.Errorf("for %q: %d, want %d", c.forwarded, w.Code, c.code)
		}
	}
}

// rotten is a store in which something is damaged.
type rotten struct {
	*memory
	err error
}

var errRotten = errors.New("damaged")

func (r rotten) CheckHealth(context.Context) error { return r.err }

func (r rotten) Game(context.Context, string) ([]byte, []string, [][2]time.Duration, error) {
	return nil, nil, nil, r.err
}

// TestDamage tells of damage where it is asked for, and that the server is not well.
func TestDamage(t *testing.T) {
	for err, word := range map[error]string{errRotten: "damaged", errors.New("full"): "can't"} {
		x := newTester(t, func(o *Config) {
			o.Store, o.NotFound, o.Taken, o.Damaged = rotten{newMemory(), err}, errNotFound, errTaken, errRotten
		})
		for _, path := range []string{"/healthz", api + "sessions/x"} {
			if w := x.ask("GET", path, nil); w.Code != 503 || !strings.Contains(w.Body.String(), word) {
				t.Errorf("%v: %s: %d %s", err, path, w.Code, w.Body)
			}
		}
	}
}

// dialled are connections from addresses.
type dialled struct {
	net.Listener
	from []string
}

type dialledConn struct {
	net.Conn
	from   string
	closed bool
}

func (d *dialledConn) Close() error { d.closed = true; return nil }
func (d *dialledConn) RemoteAddr() net.Addr {
	at, _ := net.ResolveTCPAddr("tcp", d.from)
	return at
}

func (d *dialled) Accept() (net.Conn, error) {
	if len(d.from) == 0 {
		return nil, net.ErrClosed
	}
	c := &dialledConn{from: d.from[0]}
	d.from = d.from[1:]
	return c, nil
}

// TestConnLimit closes connections that an address has too much, until it closes others.
func TestConnLimit(t *testing.T) {
	d := &dialled{from: []string{"192.0.2.1:1", "192.0.2.1:2", "192.0.2.1:3", "192.0.2.2:1", "127.0.0.1:1",
		"127.0.0.1:2", "127.0.0.1:3"}}
	l := LimitConns(d).(*connLimit)
	l.most = 2
	var got []string
	var first net.Conn
	for {
		c, err := l.Accept()
		if err != nil {
			break
		}
		if first == nil {
			first = c
		}
		got = append(got, c.RemoteAddr().String())
	}
	if s := strings.Join(got, " "); s != "192.0.2.1:1 192.0.2.1:2 192.0.2.2:1 127.0.0.1:1 127.0.0.1:2 127.0.0.1:3" {
		t.Errorf("let in: %s", s)
	}
	first.Close()
	first.Close()
	d.from = []string{"192.0.2.1:4", "192.0.2.1:5"}
	if c, err := l.Accept(); err != nil || c.RemoteAddr().String() != "192.0.2.1:4" {
		t.Errorf("after one was closed: %v", err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("one too much: %v", err)
	}
}
