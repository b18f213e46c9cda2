package web

import (
	"testing"
	"testing/synctest"
	"time"

	"oxo/web/live"
)

// TestSay: ready phrases go between the two sides of a game, also after it, not too fast, and are gone after a while.
func TestSay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, newMemory(), "ttt", nil)
		say := func(side int, phrase string) {
			p.sides[side].answered(200, "POST", p.path("say"), object{"phrase": phrase}, nil)
		}
		heard := func(x *tester) (s live.Said) {
			t.Helper()
			var v live.View
			if x.answered(200, "GET", p.path(""), nil, &v); v.Said != nil {
				s = *v.Said
			}
			return s
		}
		p.fault(403, "POST", p.path("say"), object{"phrase": "hello"})
		p.sides[0].fault(422, "POST", p.path("say"), object{"phrase": "anything else"})
		say(0, "hello")
		s := p.sides[1].listen(p.path("stream"))
		if v := s.view(); v.Said == nil || *v.Said != (live.Said{By: "first", Phrase: "hello"}) {
			t.Errorf("said: %+v", v.Said)
		}
		if got := heard(p.tester); got != (live.Said{}) {
			t.Errorf("who watches hears %+v", got)
		}
		p.sides[0].fault(409, "POST", p.path("say"), object{"phrase": "thanks"})
		say(1, "one-moment")
		time.Sleep(live.SayPause)
		say(0, "thanks")
		s.leave()
		p.sides[1].answered(200, "POST", p.path("resign"), nil, nil)
		time.Sleep(live.SayPause)
		say(1, "good-game")
		if got := heard(p.sides[0]); got != (live.Said{By: "second", Phrase: "good-game"}) {
			t.Errorf("after the game: %+v", got)
		}
		time.Sleep(live.Lingers)
		synctest.Wait()
		if got := heard(p.sides[0]); got != (live.Said{}) {
			t.Errorf("a while later: %+v", got)
		}
	})
}
