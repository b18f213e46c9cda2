package web

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
	"oxo/web/live"
)

// TestDraw has one side offer a draw again and again, until the other accepts
// one: an offer stands until the other side has moved, also after a restart.
func TestDraw(t *testing.T) {
	m := newMemory()
	p := newPair(t, m, "mnk:4,4,4", nil)
	draw := func(side int) (v live.View) {
		t.Helper()
		p.sides[side].answered(200, "POST", p.path("draw"), nil, &v)
		return v
	}
	offered := func(when, want string) {
		t.Helper()
		if v := p.show(); v.Offer != want || v.State != live.StatePlaying {
			t.Errorf("%s: %q offers a draw, want %q; the game is %s", when, v.Offer, want, v.State)
		}
	}
	p.sides[0].fault(409, "POST", p.path("draw"), nil)
	p.play("a1")
	p.sides[0].fault(409, "POST", p.path("draw"), nil)
	p.play("a4")
	p.fault(403, "POST", p.path("draw"), nil)
	offered("before any offer", "")

	version := p.show().Version
	if v := draw(0); v.Offer != "first" || v.Version == version {
		t.Errorf("an offer at the first side's own turn: %+v", v)
	}
	version = p.show().Version
	if v := draw(0); v.Offer != "first" || v.Version != version {
		t.Errorf("the same offer again: %+v", v)
	}
	p.play("b1")
	offered("after a move of the side that offers", "first")
	p.play("b4")
	offered("after a move of the other side", "")

	p.play("c1")
	draw(0)
	offered("at the other side's turn", "first")
	next := newTester(t, hosted(m))
	p.tester = next
	for i, side := range p.sides {
		p.sides[i] = &tester{T: t, server: next.server, header: side.header}
	}
	offered("after a restart", "first")

	m.broken = true
	p.sides[1].fault(503, "POST", p.path("draw"), nil)
	m.broken = false
	offered("after an acceptance that was not kept", "first")
	v := draw(1)
	if v.State != live.StateOver || v.Result != "draw" || v.Termination != oxo.EndAgreed || v.Offer != "" ||
		len(v.Legal) != 0 {
		t.Errorf("agreed: %+v", v)
	}
	p.sides[0].fault(409, "POST", p.path("draw"), nil)
	var r oxo.Record
	p.answered(200, "GET", p.path("record"), nil, &r)
	if r.Result != "draw" || r.Termination != oxo.EndAgreed || len(r.Moves) != 5 {
		t.Errorf("record: %+v", r)
	}
	sheet := p.ask("GET", p.path("sheet"), nil).Body.String()
	for _, line := range []string{`[First "Ann"]`, `[Result "1/2-1/2"]`, `[Termination "agreed"]`,
		v.Made.UTC().Format(`[Date "2006.01.02"]`)} {
		if !strings.Contains(sheet, line) {
			t.Errorf("score sheet without %s: %s", line, sheet)
		}
	}
}

// TestDrawDeclined: an offer is declined out of turn, and can't be made again before its side has moved.
func TestDrawDeclined(t *testing.T) {
	p := newPair(t, newMemory(), "mnk:4,4,4", nil)
	p.play("a1", "a4", "b1")
	stands := func(offer, declined string) {
		t.Helper()
		if v := p.show(); v.Offer != offer || v.Declined != declined || v.State != live.StatePlaying {
			t.Errorf("%q offers and %q was declined, want %q and %q; %s", v.Offer, v.Declined, offer, declined, v.State)
		}
	}
	p.sides[1].answered(200, "POST", p.path("draw"), nil, nil)
	p.sides[1].answered(200, "POST", p.path("decline-draw"), nil, nil)
	stands("second", "") // nobody declines an offer of their own
	p.fault(403, "POST", p.path("decline-draw"), nil)
	for range 2 { // said again it changes nothing
		p.sides[0].answered(200, "POST", p.path("decline-draw"), nil, nil)
		stands("", "second")
	}
	p.sides[1].fault(409, "POST", p.path("draw"), nil)
	p.play("b4")
	stands("", "")
	p.sides[1].answered(200, "POST", p.path("draw"), nil, nil)
	stands("second", "")
}

// TestDrawNotKept offers nothing that is not in the store.
func TestDrawNotKept(t *testing.T) {
	m := newMemory()
	p := newPair(t, m, "ttt", nil)
	p.play("a1", "b2")
	m.broken = true
	p.sides[1].fault(503, "POST", p.path("draw"), nil)
	m.broken = false
	if v := p.show(); v.Offer != "" {
		t.Errorf("an offer that was not kept stands: %+v", v)
	}
}

// TestDrawTooLate accepts no draw when the time is up.
func TestDrawTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, newMemory(), "ttt", object{"bank_ms": 10_000})
		p.play("a1", "b2")
		p.sides[1].answered(200, "POST", p.path("draw"), nil, nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		p.sides[0].fault(409, "POST", p.path("draw"), nil)
		if v := p.show(); v.Result != "second" || v.Termination != oxo.EndTime {
			t.Errorf("after a minute: %+v", v)
		}
	})
}
