package web

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
	"oxo/web/live"
	"oxo/web/service"
)

const api = "/api/v1/"

// pair is a game between two people.
type pair struct {
	*tester
	id    string
	sides [2]*tester // First's and Second's
}

// newPair opens a game as First and has Second accept the invitation.
func newPair(t *testing.T, m *memory, game string, terms object) *pair {
	t.Helper()
	x := newTester(t, hosted(m))
	ask := object{"game": game, "seat": "first", "name": "Ann"}
	if terms != nil {
		ask["clock"] = terms
	}
	var open, accept live.OpenReply
	x.answered(200, "POST", api+"sessions", ask, &open)
	x.answered(200, "POST", api+"sessions/"+open.Session.ID+"/accept", object{"invite": open.Invite, "name": "Bob"},
		&accept)
	if accept.Seat != "second" || accept.Session.State != live.StatePlaying {
		t.Fatalf("accepted: %+v", accept)
	}
	return &pair{x, open.Session.ID, [2]*tester{x.as(open.Key), x.as(accept.Key)}}
}

// play plays moves in turn, from the ply that the game is at.
func (p *pair) play(moves ...string) live.View {
	p.Helper()
	v := p.show()
	for _, m := range moves {
		p.side(v.Turn).answered(200, "POST", p.path("move"), object{"move": m, "ply": v.Ply}, &v)
	}
	return v
}

func (p *pair) side(turn string) *tester { return p.sides[oxo.SeatNamed(turn)] }

func (p *pair) path(what string) string {
	return strings.TrimSuffix(api+"sessions/"+p.id+"/"+what, "/")
}

func (p *pair) show() (v live.View) {
	p.Helper()
	p.answered(200, "GET", p.path(""), nil, &v)
	return v
}

func TestGameBetweenTwo(t *testing.T) {
	p := newPair(t, newMemory(), "ttt", nil)
	first, second := p.sides[0], p.sides[1]
	if v := p.show(); v.First.Name != "Ann" || v.Second.Name != "Bob" || len(v.Legal) != 9 ||
		v.Start != ".../.../... x" || v.First.LeftMS != nil {
		t.Errorf("at first: %+v", v)
	}
	second.fault(409, "POST", p.path("move"), object{"move": "a1", "ply": 0})
	first.fault(400, "POST", p.path("move"), object{"move": "z9", "ply": 0})
	first.fault(409, "POST", p.path("move"), object{"move": "a1", "ply": 1})
	p.fault(403, "POST", p.path("move"), object{"move": "a1", "ply": 0})
	p.as(service.KeyPrefix+"wrong").fault(403, "POST", p.path("move"), object{"move": "a1", "ply": 0})
	p.as("nonsense").fault(401, "POST", p.path("move"), object{"move": "a1", "ply": 0})
	first.fault(404, "POST", api+"sessions/none/move", object{"move": "a1", "ply": 0})
	first.fault(422, "POST", p.path("move"), object{"move": "a1"})

	p.play("a1")
	for _, again := range []string{"a1", "7"} { // ways to say the same
		var v live.View
		first.answered(200, "POST", p.path("move"), object{"move": again, "ply": 0}, &v)
		if v.Ply != 1 {
			t.Errorf("%q again: %+v", again, v)
		}
	}
	first.fault(409, "POST", p.path("move"), object{"move": "b1", "ply": 0})
	second.fault(409, "POST", p.path("move"), object{"move": "a1", "ply": 0})
	second.fault(400, "POST", p.path("move"), object{"move": "a1", "ply": 1})
	p.play("b2", "a2", "b3")
	first.fault(409, "POST", p.path("abort"), nil)
	second.fault(409, "POST", p.path("claim"), nil)
	v := p.play("a3")
	if v.State != live.StateOver || v.Result != "first" || v.Termination != "normal" ||
		len(v.Owned) != 1 || len(v.Owned[0]) != 3 ||
		len(v.Legal) != 0 {
		t.Errorf("at the end: %+v", v)
	}
	first.answered(200, "POST", p.path("move"), object{"move": "a3", "ply": 4}, nil) // the answer may have been lost
	second.fault(409, "POST", p.path("move"), object{"move": "c3", "ply": 5})
	second.fault(409, "POST", p.path("resign"), nil)
	second.fault(409, "POST", p.path("abort"), nil)
	var r oxo.Record
	p.answered(200, "GET", p.path("record"), nil, &r)
	if r.Result != "first" || r.First != "Ann" || strings.Join(r.Moves, " ") != "a1 b2 a2 b3 a3" ||
		r.Game != "mnk:3,3,3" {
		t.Errorf("record: %+v", r)
	}
	if n := len(p.server.lobby.All()); n != 0 {
		t.Errorf("%d games are still in the hall", n)
	}
}

func TestOpening(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	for _, c := range []struct {
		body     object
		location string
	}{
		{object{"game": "chess"}, "body.game"},
		{object{"game": "ttt", "position": "x"}, "body.position"},
		{object{"game": "ttt", "position": "xxx/oo./... o"}, "body.position"},
		{object{"game": "ttt", "seat": "third"}, "body.seat"},
		{object{"game": "ttt", "clock": object{"bank_ms": 5}}, "body.clock.bank_ms"},
		{object{"game": "ttt", "to": "nobody"}, "body.to"},
		{object{"game": "ttt", "to": "nobody", "public": true}, "body.public"},
	} {
		if location, message := x.fault(422, "POST", api+"sessions", c.body); location != c.location {
			t.Errorf("%v: the fault is at %q (%s), want %q", c.body, location, message, c.location)
		}
	}
	var open, seek live.OpenReply
	x.answered(200, "POST", api+"sessions", object{"game": "ttt", "position": "x../.../... o"}, &open)
	accept := api + "sessions/" + open.Session.ID + "/accept"
	x.fault(403, "POST", accept, object{"invite": "wrong"})
	x.fault(403, "POST", accept, object{})
	x.as(open.Key).fault(409, "POST", accept, object{"invite": open.Invite})
	x.as(open.Key).fault(409, "POST", api+"sessions/"+open.Session.ID+"/move", object{"move": "a1", "ply": 0})
	var list live.SessionList
	x.answered(200, "GET", api+"sessions", nil, &list)
	if len(list.Sessions) != 0 {
		t.Errorf("an invitation is listed: %+v", list)
	}
	x.answered(200, "POST", accept, object{"invite": open.Invite}, &open)
	if open.Session.Start != "x../.../... o" || open.Session.Turn != "second" {
		t.Errorf("from a position: %+v", open.Session)
	}
	x.fault(409, "POST", accept, object{"invite": "wrong"})

	x.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true}, &seek)
	x.answered(200, "GET", api+"sessions", nil, &list)
	if len(list.Sessions) != 1 || list.Sessions[0].ID != seek.Session.ID || seek.Invite != "" {
		t.Errorf("a seek is listed: %+v", list)
	}
	x.as(seek.Key).answered(200, "POST", api+"sessions/"+seek.Session.ID+"/abort", nil, nil)
	x.fault(409, "POST", api+"sessions/"+seek.Session.ID+"/accept", object{})
	x.answered(200, "GET", api+"sessions", nil, &list)
	if len(list.Sessions) != 0 {
		t.Errorf("a withdrawn seek is listed: %+v", list)
	}
}

// TestRestartAtEveryPly restarts the server after every move, without a word
// of farewell, and compares. Chance takes part.
func TestRestartAtEveryPly(t *testing.T) {
	for _, game := range []string{"ttt", "ttt+slip=0.3", "race:4", "ultimate"} {
		m := newMemory()
		p := newPair(t, m, game, object{"bank_ms": 60_000, "increment_ms": 1000})
		for ply := range 30 {
			v := p.show()
			if v.State == live.StateOver {
				break
			}
			v = p.play(v.Legal[(ply*7)%len(v.Legal)])
			next := newTester(t, hosted(m))
			p.tester = next
			for i, side := range p.sides {
				p.sides[i] = &tester{T: t, server: next.server, header: side.header}
			}
			after := p.show()
			after.Version, after.You = v.Version, v.You   // the versions begin anew, and nobody asks
			after.First.LeftMS, v.First.LeftMS = nil, nil // clocks go on
			after.Second.LeftMS, v.Second.LeftMS = nil, nil
			after.First.AwayMS, v.First.AwayMS = nil, nil // as does being away
			after.Second.AwayMS, v.Second.AwayMS = nil, nil
			after.FirstMS, v.FirstMS = nil, nil // what is left for a first move too
			if a, b := text(t, v), text(t, after); a != b {
				t.Fatalf("%s, ply %d:\n%s\n%s", game, ply, a, b)
			}
		}
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestBrokenStore acknowledges nothing that is not kept.
func TestBrokenStore(t *testing.T) {
	m := newMemory()
	p := newPair(t, m, "ttt", object{"bank_ms": 60_000, "increment_ms": 1000})
	p.play("a1", "b2")
	before := p.show()
	m.broken = true
	p.sides[0].fault(503, "POST", p.path("move"), object{"move": "c3", "ply": 2})
	p.fault(503, "POST", api+"sessions", object{"game": "ttt"})
	if after := p.show(); after.Ply != 2 || after.Position != before.Position || !after.First.Running {
		t.Errorf("after a move that was not kept: %+v", after)
	}
	m.broken = false
	if v := p.play("c3"); v.Ply != 3 {
		t.Errorf("once it works again: %+v", v)
	}
}

func TestClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, newMemory(), "ttt", object{"bank_ms": 10_000, "increment_ms": 500})
		left := func(v live.View) [2]int64 { return [2]int64{*v.First.LeftMS, *v.Second.LeftMS} }
		time.Sleep(50 * time.Second) // the first moves have a minute each
		p.play("a1")
		time.Sleep(50 * time.Second)
		v := p.play("b2")
		if left(v) != [2]int64{10_000, 10_000} || !v.First.Running || v.Second.Running {
			t.Fatalf("after the first moves: %v %+v", left(v), v)
		}
		time.Sleep(3 * time.Second)
		v = p.play("a2")
		if want := [2]int64{10_000 - 3000 + 200 + 500, 10_000}; left(v) != want {
			t.Fatalf("after 3 s: %v, want %v", left(v), want)
		}
		time.Sleep(150 * time.Millisecond) // within the allowance
		v = p.play("a3")
		if want := [2]int64{7700, 10_500}; left(v) != want {
			t.Fatalf("after 150 ms: %v, want %v", left(v), want)
		}
		time.Sleep(7900*time.Millisecond - time.Nanosecond)
		synctest.Wait()
		if v = p.show(); v.State != live.StatePlaying {
			t.Fatalf("a moment before the end: %+v", v)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if v = p.show(); v.State != live.StateOver || v.Result != "second" || v.Termination != "time" ||
			*v.First.LeftMS != 0 {
			t.Fatalf("when the time is up: %+v", v)
		}
		p.sides[0].fault(409, "POST", p.path("move"), object{"move": "c1", "ply": 4})
	})
}

// TestClocksAtTheEnd: what was used of the last turn counts, whoever ends the game.
func TestClocksAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, newMemory(), "ttt", object{"bank_ms": 10_000})
		p.play("a1", "b2")
		time.Sleep(3 * time.Second)
		p.sides[1].answered(200, "POST", p.path("resign"), nil, nil)
		if v := p.show(); *v.First.LeftMS != 7200 || *v.Second.LeftMS != 10_000 || v.First.Running {
			t.Errorf("%+v", v)
		}
	})
}

// TestClocksGoOnAfterRestart has the server away while a clock runs: that time
// is nobody's.
func TestClocksGoOnAfterRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		p := newPair(t, m, "ttt", object{"bank_ms": 10_000})
		p.play("a1", "b2")
		time.Sleep(4200 * time.Millisecond)
		p.play("a2")
		p.server.Close()
		time.Sleep(time.Hour)
		next := newTester(t, hosted(m))
		p.tester = next
		if v := p.show(); *v.First.LeftMS != 6000 || *v.Second.LeftMS != 10_000 || !v.Second.Running {
			t.Fatalf("after the restart: %+v", v)
		}
		time.Sleep(10_200 * time.Millisecond)
		synctest.Wait()
		if v := p.show(); v.Result != "first" || v.Termination != "time" {
			t.Fatalf("the clock does not go on: %+v", v)
		}
	})
}

func TestLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		// No first move.
		p := newPair(t, m, "ttt", object{"bank_ms": 10_000})
		time.Sleep(live.FriendsLimit - time.Second)
		if v := p.show(); v.FirstMS == nil || *v.FirstMS != 1000 {
			t.Errorf("a second before a first move is missed: %+v", v)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if v := p.show(); v.State != live.StateOver || v.Result != "*" || v.Termination != "abandoned" ||
			v.FirstMS != nil {
			t.Errorf("without a first move: %+v", v)
		}
		// Nor between two who met by chance, who have less time for it.
		var sought live.OpenReply
		p.as("").answered(200, "POST", api+"sessions",
			object{"game": "ttt", "public": true, "clock": object{"bank_ms": 10_000}}, &sought)
		if v := sought.Session; v.FirstMS == nil || *v.FirstMS != live.FirstMoveLimit.Milliseconds() {
			t.Errorf("an open game: %+v", v)
		}
		path := api + "sessions/" + sought.Session.ID
		p.as("").answered(200, "POST", path+"/accept", object{}, nil)
		var played live.SessionList // to watch; not what somebody was invited to
		p.as("").answered(200, "GET", api+"sessions?played=true", nil, &played)
		if len(played.Sessions) != 1 || played.Sessions[0].ID != sought.Session.ID {
			t.Errorf("played are %+v", played)
		}
		time.Sleep(live.FirstMoveLimit)
		synctest.Wait()
		var seek live.View
		p.as("").answered(200, "GET", path, nil, &seek)
		if seek.State != live.StateOver || seek.Result != "*" {
			t.Errorf("without a first move in a public game: %+v", seek)
		}
		// Called off.
		p = newPair(t, m, "ttt", nil)
		p.play("a1")
		p.sides[1].answered(200, "POST", p.path("abort"), nil, nil)
		if v := p.show(); v.Result != "*" || v.Termination != "abandoned" {
			t.Errorf("called off: %+v", v)
		}
		// Resigned.
		p = newPair(t, m, "ttt", nil)
		p.sides[1].answered(200, "POST", p.path("resign"), nil, nil)
		if v := p.show(); v.Result != "first" || v.Termination != "resigned" {
			t.Errorf("resigned: %+v", v)
		}
		// Left: not while there is a stream, and not before the grace is over, which grows with the clock and is long
		// without. Who only looks from elsewhere is away still.
		for _, c := range []struct {
			clock object
			grace time.Duration
		}{{object{"bank_ms": 300_000}, live.Grace}, {object{"bank_ms": 900_000}, 90 * time.Second},
			{nil, live.LongGrace}} {
			p = newPair(t, m, "ttt", c.clock)
			s := p.sides[1].listen(p.path("stream"))
			p.play("a1", "b1")
			time.Sleep(4 * live.Grace)
			p.sides[0].fault(409, "POST", p.path("claim"), nil)
			s.leave()
			time.Sleep(c.grace - time.Second)
			var v live.View
			for range 2 {
				p.sides[1].answered(200, "GET", p.path(""), nil, &v)
			}
			if v.Second.Present || v.Second.AwayMS == nil || *v.Second.AwayMS != (c.grace-time.Second).Milliseconds() {
				t.Errorf("away: %+v", v.Second)
			}
			p.sides[0].fault(409, "POST", p.path("claim"), nil)
			time.Sleep(time.Second)
			p.sides[0].answered(200, "POST", p.path("claim"), nil, nil)
			if v := p.show(); v.Result != "first" || v.Termination != "abandoned" || v.Reason != "second has left" ||
				v.Second.GraceMS != c.grace.Milliseconds() {
				t.Errorf("claimed: %+v", v)
			}
		}
		// Who waits for news of a game that is over is there still, and a while after.
		var after live.View
		p.sides[1].answered(200, "GET", p.path("")+"?after=0&wait=1", nil, &after)
		time.Sleep(live.Lingers - 2*time.Second)
		if v := p.show(); !after.Second.Present || !v.Second.Present || v.First.Present {
			t.Errorf("after the game: %+v, later %+v", after, v)
		}
		time.Sleep(2 * time.Second)
		if v := p.show(); v.Second.Present {
			t.Errorf("long after the game: %+v", v)
		}
		// Never accepted.
		var open live.OpenReply
		x := newTester(t, hosted(m))
		x.answered(200, "POST", api+"sessions", object{"game": "ttt"}, &open)
		time.Sleep(live.OpenFor)
		synctest.Wait()
		x.fault(409, "POST", api+"sessions/"+open.Session.ID+"/accept", object{"invite": open.Invite})
	})
}

func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := service.NewLimiter(service.Pace{PerSecond: 2, AtOnce: 3})
		count := func(address string) (n int) {
			for range 10 {
				if l.Allow(address) {
					n++
				}
			}
			return n
		}
		if a, b := count("a"), count("b"); a != 3 || b != 3 {
			t.Errorf("at once: %d, %d", a, b)
		}
		time.Sleep(time.Second)
		if n := count("a"); n != 2 {
			t.Errorf("a second later: %d", n)
		}
		time.Sleep(time.Hour)
		if n := count("a"); n != 3 {
			t.Errorf("much later: %d", n)
		}
	})
	x := newTester(t, hosted(newMemory()))
	x.server.OpenLimit = service.NewLimiter(service.Pace{PerSecond: 1, AtOnce: 1})
	x.answered(200, "POST", api+"sessions", object{"game": "ttt"}, nil)
	w := x.ask("POST", api+"sessions", object{"game": "ttt"})
	if w.Code != 429 || w.Header().Get("Retry-After") == "" {
		t.Errorf("too many: %d %v", w.Code, w.Header())
	}
}

// TestBrokenEnds keeps a game going whose end can't be kept, and ends it once
// it can.
func TestBrokenEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		set := func(what *bool, to bool) {
			m.mu.Lock()
			defer m.mu.Unlock()
			*what = to
		}
		p := newPair(t, m, "ttt", object{"bank_ms": 10_000})
		p.play("a1", "b2")
		set(&m.broken, true)
		p.sides[0].fault(503, "POST", p.path("resign"), nil)
		if v := p.show(); v.State != live.StatePlaying || v.Result != "*" || v.Reason != "" {
			t.Errorf("resigned without being kept: %+v", v)
		}
		time.Sleep(20 * time.Second) // its clock runs out meanwhile
		synctest.Wait()
		if v := p.show(); v.State != live.StatePlaying || *v.First.LeftMS != 0 {
			t.Errorf("the time is up without being kept: %+v", v)
		}
		p.sides[0].fault(503, "POST", p.path("move"), object{"move": "a2", "ply": 2})
		set(&m.broken, false)
		time.Sleep(live.StorePause)
		synctest.Wait()
		if v := p.show(); v.State != live.StateOver || v.Result != "second" || v.Termination != "time" ||
			v.First.Running {
			t.Errorf("once it works again: %+v", v)
		}

		// The move is kept and the end of the game is not.
		p = newPair(t, m, "mnk:2,1,2", nil)
		p.play("a1")
		set(&m.saveless, true)
		v := p.play("b1")
		if v.State != live.StatePlaying || v.Ply != 2 || len(v.Legal) != 0 {
			t.Errorf("the end is not kept: %+v", v)
		}
		p.sides[0].fault(409, "POST", p.path("resign"), nil)
		again := newTester(t, hosted(m)) // a restart does not help yet
		var now live.View
		again.answered(200, "GET", p.path(""), nil, &now)
		if now.State != live.StatePlaying {
			t.Errorf("after a restart: %+v", now)
		}
		again.server.Close()
		set(&m.saveless, false)
		time.Sleep(live.StorePause)
		synctest.Wait()
		if v := p.show(); v.State != live.StateOver || v.Result != "draw" {
			t.Errorf("once it works again: %+v", v)
		}

		// Chance's move can't be kept: nobody's clock runs until it is.
		p = newPair(t, m, "ttt+slip=0.5", object{"bank_ms": 10_000})
		set(&m.chanceless, true)
		v = p.play("a1")
		if v.Ply != 1 || v.Turn != "chance" || v.State != live.StatePlaying {
			t.Errorf("chance could move: %+v", v)
		}
		p.sides[1].fault(409, "POST", p.path("move"), object{"move": "b1", "ply": 1})
		time.Sleep(time.Hour)
		set(&m.chanceless, false)
		time.Sleep(live.StorePause)
		synctest.Wait()
		if v := p.show(); v.Ply != 2 || v.Turn != "second" || v.State != live.StatePlaying {
			t.Errorf("chance can't move: %+v", v)
		}
	})
}
