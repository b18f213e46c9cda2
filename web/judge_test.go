package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"oxo/lab"
	"oxo/web/service"
)

// TestFailureOfJudge: a judge whose time or memory is used up has nothing to complain of where what it
// found stands; any other failure is told.
func TestFailureOfJudge(t *testing.T) {
	for _, c := range []struct {
		err  error
		told bool
	}{
		{nil, false}, {context.Canceled, false}, {service.ErrSpent, false}, {lab.ErrMemory, false},
		{errors.Join(service.NewProblem(http.StatusUnprocessableEntity, "memory"), lab.ErrMemory), false},
		{errors.New("a source has failed"), true}, {service.BusyProblem("too many requests", 5), true},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil)
		x := &judgeStream{Stream: service.OpenStream(humago.NewContext(&huma.Operation{}, r, w), "ndjson")}
		if !isSpent(c.err) {
			x.sendFailure(t.Context(), c.err)
		}
		if told := w.Body.Len() > 0; told != c.told {
			t.Errorf("%v: told %q", c.err, w.Body)
		}
	}
}

// TestReviewSpent: a review whose time is up ends with why, as it has nothing to show.
func TestReviewSpent(t *testing.T) {
	x := newTester(t)
	x.server.Longest = time.Nanosecond
	moves := strings.Fields("a1 c2 e3 g4 i5 k6 m7 o8 q9 s10 a11 c12 e13 g14 i15 k16")
	w := x.ask("POST", api+"judge?format=ndjson", object{"game": "mnk:20,20,5", "moves": moves, "time_ms": 1,
		"review": true}) // which takes longer than timers are late
	if last := w.Body.String(); !strings.Contains(last, "ask for less") || strings.Contains(last, `"review"`) {
		t.Errorf("%d %s", w.Code, last)
	}
}

// TestKnowsMore: an answer follows another where it knows more for certain, or as much by more search.
func TestKnowsMore(t *testing.T) {
	answer := func(lo, hi float64, searched uint64, proven ...float64) *lab.Judged {
		j := &lab.Judged{Moves: make([]lab.JudgedMove, len(proven))}
		j.Lo, j.Hi, j.Searched = lo, hi, searched
		for i, wide := range proven {
			j.Moves[i].Lo, j.Moves[i].Hi = -wide, wide
		}
		return j
	}
	before := answer(-1, 1, 100, 0, 1)
	for _, c := range []struct {
		name string
		next *lab.Judged
		more bool
	}{
		{"the same", answer(-1, 1, 100, 0, 1), false},
		{"nothing searched any more", answer(-1, 1, 0, 0, 1), false},
		{"more searched", answer(-1, 1, 200, 0, 1), true},
		{"a move proven", answer(-1, 1, 0, 0, 0), true},
		{"a move not proven any more", answer(-1, 1, 200, 1, 1), false},
		{"narrower", answer(0, 1, 0, 0, 1), true},
		{"narrower, a move less proven", answer(0, 1, 0, 1, 1), false},
	} {
		if more := knowsMore(c.next, before); more != c.more {
			t.Errorf("%s: %v", c.name, more)
		}
	}
}
