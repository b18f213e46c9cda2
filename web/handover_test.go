package web

import (
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/lab"
)

// TestHandover: what one browser gives another takes, once, within ten minutes.
func TestHandover(t *testing.T) {
	x := newTester(t)
	data := `{"seats":[{"id":"a","key":"secret"}]}`
	var h Handover
	x.answered(200, "POST", "/api/v1/handovers", object{"data": data}, &h)
	if len(h.Code) != codeLetters {
		t.Fatalf("the code is %q", h.Code)
	}
	var state HandoverState
	if x.answered(200, "GET", "/api/v1/handovers/"+h.Code, nil, &state); !state.There {
		t.Error("what nobody has taken is not there")
	}
	typed := strings.ToLower(h.Code[:4]) + "-" + h.Code[4:8] + " " + h.Code[8:]
	var got HandoverRequest
	x.answered(200, "POST", "/api/v1/handovers/take", object{"code": typed}, &got)
	if got.Data != data {
		t.Errorf("taken is %s", got.Data)
	}
	if x.answered(200, "GET", "/api/v1/handovers/"+h.Code, nil, &state); state.There {
		t.Error("what was taken is still there")
	}
	for _, code := range []string{h.Code, "AAAAAAAAAAAA", "-"} {
		x.fault(404, "POST", "/api/v1/handovers/take", object{"code": code})
	}
	x.fault(422, "POST", "/api/v1/handovers", object{"data": strings.Repeat("x", 500_001)})
}

// TestHandoverLimits: codes run out, and no more are held than there is room for.
func TestHandoverLimits(t *testing.T) {
	now := time.Now()
	s := newHandovers(newTester(t).server.Base)
	s.now = func() time.Time { return now }
	var first *Handover
	for i := range handoversHeld {
		h, err := s.give("x")
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		first = h
	}
	if _, err := s.give("x"); err == nil {
		t.Error("there is no end to what is held")
	}
	now = now.Add(handoverTime + time.Second)
	if _, err := s.take(first.Code); err == nil {
		t.Error("a code works after its time")
	}
	if _, err := s.give("x"); err != nil || len(s.held) != 1 {
		t.Errorf("after their time %d are held: %v", len(s.held), err)
	}
}

// TestSheets writes a game as a score sheet and reads it again.
func TestSheets(t *testing.T) {
	x := newTester(t)
	const grid = "mnk:3,3,3"
	both := func(game, result string) oxo.Record {
		return oxo.Record{Game: game, First: lab.Human, Second: lab.Human, Result: result}
	}
	for query, want := range map[string]oxo.Record{
		"game=ttt&moves=a1,b2,c3&first=Ann&date=2026-01-31": {Game: grid, Date: "2026-01-31", First: "Ann",
			Second: lab.Human, Result: "*"},
		"game=ttt&moves=a1&first=a%E2%80%AEb%E2%80%8B&second=" + strings.Repeat("W", 100): {Game: grid, First: "ab",
			Second: strings.Repeat("W", 39) + "…", Result: "*"},
		"game=ttt&moves=a1,b2&resigned=first":           both(grid, "second"),
		"game=ttt&moves=a1&resigned=first:time":         both(grid, "second"),
		"game=ttt&moves=a1&resigned=both":               both(grid, "draw"),
		"game=connect4&moves=d1,d2&ply=1":               both("mnk:7,6,4+gravity", "*"),
		"game=ttt&from=x../.o./...%20x&moves=a1&plies=": both(grid, "*"),
	} {
		w := x.ask("GET", "/api/v1/sheet?"+query, nil)
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment") {
			t.Fatalf("%s: %d %s", query, w.Code, w.Body)
		}
		if want.Game == grid && !strings.Contains(w.Body.String(), "[Variant \"tic-tac-toe\"]") {
			t.Errorf("%s: the game has another name than oxo match gives it: %s", query, w.Body)
		}
		var r SheetReply
		x.answered(200, "POST", "/api/v1/sheets", object{"text": w.Body.String()}, &r)
		if len(r.Games) != 1 {
			t.Fatalf("%s: %+v", query, r)
		}
		g := r.Games[0]
		if g.Game != want.Game || g.Date != want.Date || g.First != want.First || g.Second != want.Second ||
			g.Result != want.Result || len(g.Moves) == 0 {
			t.Errorf("%s: %+v, want %+v", query, g, want)
		}
	}
	x.fault(422, "GET", "/api/v1/sheet?game=ttt&moves=a1&date=today", nil)
	for _, text := range []string{"x", "[Game \"ttt\"]\n\n1. a1 a1 *\n", " "} {
		x.fault(422, "POST", "/api/v1/sheets", object{"text": text})
	}
	const plain = "1. b2 a3 2. c3 a1 3. a2"
	var r SheetReply
	x.answered(200, "POST", "/api/v1/sheets", object{"text": plain, "game": "ttt"}, &r)
	if len(r.Games) != 1 || r.Games[0].Game != "ttt" || strings.Join(r.Games[0].Moves, " ") != "b2 a3 c3 a1 a2" {
		t.Errorf("plain moves: %+v", r)
	}
	w := x.ask("POST", "/api/v1/sheets", object{"text": plain})
	if w.Code != 422 || !strings.Contains(w.Body.String(), "refused.sheet.no.game") {
		t.Errorf("plain moves of no game: %d %s", w.Code, w.Body)
	}
	x.fault(422, "POST", "/api/v1/sheets", object{"text": plain, "game": "chess"})
}
