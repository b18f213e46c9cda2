package web

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
)

// TestTakeback: a side's last move and what came after it are taken back once the other side grants it, in the store
// too; a wish ends with a move, a refusal, or as it is granted.
func TestTakeback(t *testing.T) {
	m := newMemory()
	p := newPair(t, m, "ttt", nil)
	stands := func(when, asks, refused string, moves ...string) {
		t.Helper()
		v := p.show()
		if v.Takeback != asks || v.Refused != refused || !slices.Equal(v.Moves, moves) || v.Ply != len(moves) {
			t.Errorf("%s: %q asks, %q was refused, after %v; want %q, %q, %v", when, v.Takeback, v.Refused, v.Moves,
				asks, refused, moves)
		}
	}
	ask := func(side, status int) {
		t.Helper()
		p.sides[side].answered(status, "POST", p.path("takeback"), nil, nil)
	}
	p.sides[0].fault(409, "POST", p.path("takeback"), nil) // nothing was played
	p.fault(403, "POST", p.path("takeback"), nil)
	p.play("a1", "b2")
	p.sides[1].answered(200, "POST", p.path("draw"), nil, nil)
	ask(0, 200)
	ask(0, 200)
	stands("asked twice", "first", "", "a1", "b2")
	p.play("c3")
	stands("after a move", "", "", "a1", "b2", "c3")

	ask(0, 200)
	for range 2 {
		p.sides[1].answered(200, "POST", p.path("decline-takeback"), nil, nil)
		stands("refused", "", "first", "a1", "b2", "c3")
	}
	p.sides[0].fault(409, "POST", p.path("takeback"), nil)

	grant := p.path("grant-takeback")
	p.sides[1].fault(409, "POST", grant, nil) // it was refused
	ask(1, 200)
	p.sides[1].answered(200, "POST", p.path("decline-takeback"), nil, nil)
	stands("withdrawn", "", "", "a1", "b2", "c3")
	ask(1, 200)
	p.sides[1].fault(409, "POST", grant, nil) // one's own
	p.fault(403, "POST", grant, nil)
	p.sides[0].fault(409, "POST", p.path("takeback"), nil) // to be answered first
	if v := p.show(); v.BackTo == nil || *v.BackTo != 1 {
		t.Errorf("asked for: %+v", v)
	}
	m.broken = true
	p.sides[0].fault(503, "POST", grant, nil)
	m.broken = false
	stands("not kept", "second", "", "a1", "b2", "c3")
	p.sides[0].answered(200, "POST", grant, nil, nil)
	stands("granted", "", "", "a1")
	p.sides[0].fault(409, "POST", grant, nil) // said again it asks for nothing of its own
	stands("granted twice", "", "", "a1")
	if v := p.show(); v.Turn != "second" || v.Cut != 1 || v.Offer != "" || len(v.Legal) != 8 {
		t.Errorf("granted: %+v", v)
	}
	p.play("c1", "b2")
	stands("as many moves once more", "", "", "a1", "c1", "b2")
	next := newTester(t, hosted(m))
	p.tester = next
	for i, side := range p.sides {
		p.sides[i] = &tester{T: t, server: next.server, header: side.header}
	}
	stands("after a restart", "", "", "a1", "c1", "b2")
	p.play("a3", "c3") // a row
	p.sides[0].fault(409, "POST", p.path("takeback"), nil)
}

// TestTakebackClocks gives no time back, and grants nothing when the time is up.
func TestTakebackClocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, newMemory(), "ttt", object{"bank_ms": 10_000, "increment_ms": 1000})
		p.play("a1", "b2")
		time.Sleep(4200 * time.Millisecond) // of which 200 ms are the way's
		p.play("c3")                        // 7 s, of which one is the increment
		time.Sleep(2200 * time.Millisecond)
		p.sides[0].answered(200, "POST", p.path("takeback"), nil, nil)
		p.sides[1].answered(200, "POST", p.path("grant-takeback"), nil, nil)
		v := p.show()
		if v.Turn != "first" || *v.First.LeftMS != 6000 || *v.Second.LeftMS != 8000 || !v.First.Running {
			t.Errorf("after it: %+v, %d and %d ms", v, *v.First.LeftMS, *v.Second.LeftMS)
		}
		p.play("c1")
		p.sides[0].answered(200, "POST", p.path("takeback"), nil, nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		p.sides[1].fault(409, "POST", p.path("grant-takeback"), nil)
		if v := p.show(); v.Result != "first" || v.Termination != oxo.EndTime || v.Takeback != "" {
			t.Errorf("after a minute: %+v", v)
		}
	})
}
