package web

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"oxo"
	"oxo/web/live"
)

// setBack changes when all games of a store say that they were made, as where the machine's
// clock was put by so much since.
func (m *memory) setBack(t *testing.T, by time.Duration) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, g := range m.games {
		var doc map[string]json.RawMessage
		if err := json.Unmarshal(g.doc, &doc); err != nil {
			t.Fatal(err)
		}
		var made time.Time
		if err := json.Unmarshal(doc["made"], &made); err != nil {
			t.Fatal(err)
		}
		later, _ := json.Marshal(made.Add(by))
		g.doc = bytes.Replace(g.doc, doc["made"], later, 1)
	}
}

// TestClockIsPut: where the machine's clock is put back or forward while the server is down,
// an invitation lasts no longer than it may, and games that are played go on with what their
// clocks showed.
func TestClockIsPut(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, by := range []time.Duration{-year, -time.Hour, time.Hour, year} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemory()
			p := newPair(t, m, "ultimate", object{"bank_ms": 600_000})
			p.play("e5")
			var open live.OpenReply
			p.sides[0].as("").answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true}, &open)
			before := p.show()
			m.setBack(t, -by) // it was made later than now, where the clock is put back
			again := newTester(t, hosted(m))
			synctest.Wait()
			var now, invited live.View
			again.answered(200, "GET", p.path(""), nil, &now)
			if now.State != live.StatePlaying || now.Ply != 1 || *now.First.LeftMS != *before.First.LeftMS ||
				*now.Second.LeftMS != *before.Second.LeftMS {
				t.Errorf("put by %v: %+v was %+v", by, now, before)
			}
			if by < live.OpenFor {
				time.Sleep(live.OpenFor - max(0, by) - time.Minute)
				again.answered(200, "GET", api+"sessions/"+open.Session.ID, nil, &invited)
				if invited.State != live.StateOpen {
					t.Errorf("put by %v, an invitation ends early: %+v", by, invited)
				}
				time.Sleep(2 * time.Minute)
			}
			synctest.Wait()
			again.answered(200, "GET", api+"sessions/"+open.Session.ID, nil, &invited)
			if invited.State != live.StateOver {
				t.Errorf("put by %v, an invitation is open for ever: %+v", by, invited)
			}
		})
	}
}

// TestSheetTellsTimes: the sheet of a game says how it stands, its clocks, what moves took of them, and how a clock
// ended it. A game that goes on is not said to be abandoned.
func TestSheetTellsTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPair(t, newMemory(), "mnk:4,4,4", object{"bank_ms": 10_000, "increment_ms": 1_000})
		p.play("a1", "a2")
		for _, m := range []string{"b1", "b2"} {
			time.Sleep(3200 * time.Millisecond) // of which 200 ms are for the way
			p.play(m)
		}
		sheet := func() string {
			return strings.Join(strings.Fields(p.ask("GET", p.path("sheet"), nil).Body.String()), " ")
		}
		var r oxo.Record
		p.answered(200, "GET", p.path("record"), nil, &r)
		moves := "1. a1 a2 2. b1 {-/0 3s} b2 {-/0 3s} "
		if text := sheet(); r.Termination != "" || strings.Contains(text, "Termination") ||
			!strings.Contains(text, `[TimeControl "10s+1s"]`) || !strings.Contains(text, moves+"*") {
			t.Errorf("ended by %q:\n%s", r.Termination, text)
		}
		time.Sleep(time.Minute)
		if text := sheet(); !strings.Contains(text, `[Termination "time"]`) ||
			!strings.Contains(text, `[Reason "first has run out of time"]`) || !strings.Contains(text, moves+"0-1") {
			t.Errorf("out of time:\n%s", text)
		}
	})
}
