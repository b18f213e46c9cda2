package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	webjobs "oxo/web/jobs"
	"oxo/web/service"
)

// endless asks for a job that does not end, as from an address, and returns the answer.
func (t *tester) endless(address, cookie string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest("POST", api+"jobs", strings.NewReader(`{"verb":"train","game":"ttt","pace":0.001,"args":{"learner":"menace","games":100000}}`))
	r.Host, r.RemoteAddr = "localhost:8210", "127.0.0.1:4000"
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", address)
	r.Header.Set("X-Forwarded-Proto", "https")
	if cookie != "" {
		r.Header.Set("Cookie", service.VisitorCookie+"="+cookie)
	}
	w := httptest.NewRecorder()
	t.server.ServeHTTP(w, r)
	return w
}

// TestJobsOfAnAddress: endless jobs of one address, each of another person, are bounded
// and leave room for those of another, which runs.
func TestJobsOfAnAddress(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	for i := range webjobs.JobsFrom + 3 {
		if w := x.endless("198.51.100.1", ""); (w.Code == 200) != (i < webjobs.JobsFrom) || i >= webjobs.JobsFrom &&
			w.Code != 429 {
			t.Fatalf("job %d: %d %s", i, w.Code, w.Body)
		}
	}
	w := x.endless("198.51.100.2", "")
	if w.Code != 200 {
		t.Fatalf("another address: %d %s", w.Code, w.Body)
	}
	id := strings.Split(w.Body.String(), `"`)[3]
	x.follow(id, func(j webjobs.JobView) bool { return j.State == webjobs.Running })
	if _, running := x.server.scheduler.Count(); running != webjobs.JobsEach+1 {
		t.Errorf("%d run", running)
	}
}

// TestCookies: a cookie is the server's or nobody's, and behind TLS it is for TLS only.
func TestCookies(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	first := x.endless("198.51.100.1", "").Result()
	made := first.Cookies()[0]
	if !made.Secure || !made.HttpOnly || first.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("behind TLS: %v %v", made, first.Header)
	}
	if w := x.endless("198.51.100.1", made.Value); w.Code != 200 || len(w.Result().Cookies()) != 0 {
		t.Errorf("the server's own cookie: %d %v", w.Code, w.Result().Cookies())
	}
	for i, forged := range []string{service.VisitorPrefix + "MINE", service.VisitorPrefix + "MINE.00",
		service.VisitorPrefix + "A" + strings.TrimPrefix(made.Value, service.VisitorPrefix), "oxo_bot_x"} {
		w := x.endless(fmt.Sprint("198.51.100.", 2+i), forged)
		if cookies := w.Result().Cookies(); w.Code != 200 || len(cookies) != 1 || cookies[0].Value == forged {
			t.Errorf("%s: %d %v", forged, w.Code, cookies)
		}
	}
	r := httptest.NewRequest("GET", "/healthz", nil)
	r.Host, r.RemoteAddr = "localhost", "127.0.0.1:1"
	w := httptest.NewRecorder()
	x.server.ServeHTTP(w, r)
	if w.Code != http.StatusOK || w.Header().Get("Strict-Transport-Security") != "" {
		t.Errorf("without TLS: %v", w.Header())
	}
	kept := newMemory()
	older := service.VisitorPrefix + "OLDER"
	y := newTester(t, hosted(kept))
	if err := kept.AddJob("old", "person "+fmt.Sprintf("%x", service.HashOf(older)), webjobs.Done, []byte(`{"id":"old","state":"done"}`)); err != nil {
		t.Fatal(err)
	}
	if w := y.endless("198.51.100.1", older); w.Code != 200 || len(w.Result().Cookies()) != 0 {
		t.Errorf("an older server's cookie: %d %v", w.Code, w.Result().Cookies())
	}
}
