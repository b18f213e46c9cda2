package web

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"oxo/web/live"
)

// TestBotPolls has a bot live by polls alone.
func TestBotPolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTester(t, hosted(newMemory()))
		var deep, shallow live.TokenReply
		x.answered(200, "POST", api+"bots", object{"name": "deep"}, &deep)
		x.answered(200, "POST", api+"bots", object{"name": "shallow"}, &shallow)
		d, s := x.as(deep.Token), x.as(shallow.Token)
		poll := func(after int64, wait int) (n live.BotNews, took time.Duration) {
			t.Helper()
			begin := time.Now()
			d.answered(200, "GET", fmt.Sprintf("%sbots/events?after=%d&wait=%d", api, after, wait), nil, &n)
			return n, time.Since(begin)
		}
		x.fault(401, "GET", api+"bots/events", nil)
		news, took := poll(-1, 30)
		if len(news.Events) != 0 || took != 0 {
			t.Errorf("at first: %+v after %v", news, took)
		}
		if again, took := poll(news.Version, 30); again.Version != news.Version || took != 30*time.Second {
			t.Errorf("nothing happens: %+v after %v", again, took)
		}
		// It counts as connected between its polls.
		var open live.OpenReply
		time.Sleep(live.Lingers - time.Second)
		s.answered(200, "POST", api+"sessions", object{"game": "ttt", "to": "deep", "seat": "first"}, &open)
		before := news.Version
		if news, took = poll(before, 30); len(news.Events) != 1 || news.Events[0].Type != live.EventChallenge ||
			news.Events[0].Seat != "second" || took != 0 {
			t.Errorf("challenged between two polls: %+v after %v", news, took)
		}
		// It accepts; the game begins, goes on, and ends while it waits.
		path := api + "sessions/" + open.Session.ID
		d.answered(200, "POST", path+"/accept", object{}, nil)
		if news, took = poll(news.Version, 30); len(news.Events) != 1 || news.Events[0].Type != live.EventGameStart ||
			news.Events[0].Session.You != "second" || took != 0 {
			t.Errorf("begun: %+v after %v", news, took)
		}
		go func() {
			time.Sleep(5 * time.Second)
			s.answered(200, "POST", path+"/resign", nil, nil)
		}()
		if news, took = poll(news.Version, 30); len(news.Events) != 0 || took != 5*time.Second {
			t.Errorf("ended: %+v after %v", news, took)
		}
		// A game that it opened itself, and one that somebody else opens to all.
		d.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true}, nil)
		time.Sleep(time.Second)
		s.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true}, nil)
		if news, _ = poll(news.Version, 30); len(news.Events) != 1 || news.Events[0].Session.First.Name+
			news.Events[0].Session.Second.Name != "deep" {
			t.Errorf("its own offer: %+v", news)
		}
		var list live.SessionList
		d.answered(200, "GET", api+"sessions", nil, &list)
		if len(list.Sessions) != 1 {
			t.Errorf("its own: %+v", list)
		}
		d.answered(200, "GET", api+"sessions?public=true", nil, &list)
		if len(list.Sessions) != 2 {
			t.Errorf("everybody's: %+v", list)
		}
		synctest.Wait()
		time.Sleep(live.Lingers)
		synctest.Wait()
		if names := x.server.lobby.ListeningBots(); len(names) != 0 {
			t.Errorf("still connected: %v", names)
		}
		x.fault(422, "GET", api+"bots/events?wait=31", nil)
	})
}

// TestIdle ends a game without clocks that nobody goes on with.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, newMemory(), "ttt", nil)
		p.play("a1", "b2")
		time.Sleep(live.IdleLimit - time.Second)
		p.play("c3")
		time.Sleep(live.IdleLimit - time.Nanosecond)
		synctest.Wait()
		if v := p.show(); v.State != live.StatePlaying {
			t.Errorf("a moment before: %+v", v)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if v := p.show(); v.State != live.StateOver || v.Result != "*" || v.Termination != "abandoned" ||
			v.Reason != "nobody has moved for a long time" {
			t.Errorf("after all that time: %+v", v)
		}
		if n := len(p.server.lobby.All()); n != 0 {
			t.Errorf("%d games are still in the hall", n)
		}
	})
}
