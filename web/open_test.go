package web

import (
	"net/http/httptest"
	"strings"
	"testing"

	"oxo/web/live"
	"oxo/web/service"
)

// lobbyOf returns a server in which so many games are open, and what opens one more.
func lobbyOf(t testing.TB, games int) (open func()) {
	t.Helper()
	s, err := New(Config{Local: true, Version: "test", Store: newMemory(), NotFound: errNotFound, Taken: errTaken,
		MaxGames: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	s.OpenLimit = service.NewLimiter(service.Pace{PerSecond: 1e9, AtOnce: 1e9})
	open = func() {
		r := httptest.NewRequest("POST", api+"sessions", strings.NewReader(`{"game":"ttt","public":true}`))
		r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r); w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
	}
	for range games {
		open()
	}
	return open
}

// TestOpeningCosts: a game is opened by as many allocations where many others are open as
// where few are.
func TestOpeningCosts(t *testing.T) {
	few := testing.AllocsPerRun(200, lobbyOf(t, 10))
	many := testing.AllocsPerRun(200, lobbyOf(t, 3000))
	if few == 0 || many > 1.05*few {
		t.Errorf("%.0f allocations with 10 games, %.0f with 3,000", few, many)
	}
}

// TestMostGames: the number of games is bounded as the operator wishes; who is refused
// reads why and when to come again, and one that ends makes room.
func TestMostGames(t *testing.T) {
	x := newTester(t, hosted(newMemory()), func(o *Config) { o.MaxGames = 2 })
	var open [2]live.OpenReply
	for i := range open {
		x.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true}, &open[i])
	}
	const said = "2 games are open or played here, which is as many as may be; try again in 60 s"
	w := x.ask("POST", api+"sessions", object{"game": "ttt", "public": true})
	if w.Code != 429 || w.Header().Get("Retry-After") != "60" || !strings.Contains(w.Body.String(), said) {
		t.Errorf("%d, %v: %s", w.Code, w.Header(), w.Body)
	}
	x.as(open[0].Key).answered(200, "POST", api+"sessions/"+open[0].Session.ID+"/abort", object{}, nil)
	x.answered(200, "POST", api+"sessions", object{"game": "ttt", "public": true}, nil)
}
