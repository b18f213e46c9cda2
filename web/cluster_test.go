package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// oneJob is a cluster with a job that can be ended once.
type oneJob struct {
	ended, away bool
}

func (c *oneJob) Measure(gauge func(name, help string, value float64, label ...string)) {
	for i, job := range []string{"J", "K"} {
		gauge("jobs", "Jobs there.", float64(i), "job", job)
		gauge("full", "Whether it is.", 1)
	}
}

func (c *oneJob) Snapshot(context.Context) (any, error) {
	if c.away {
		return nil, errors.New("no answer")
	}
	return map[string]bool{"ended": c.ended}, nil
}

func (c *oneJob) End(_ context.Context, job string) error {
	if job != "J" || c.ended {
		return errors.New("job J is cancelled already")
	}
	c.ended = true
	return nil
}

// TestCluster looks at a cluster and ends a job, which only those on the machine
// itself may do.
func TestCluster(t *testing.T) {
	c := &oneJob{}
	serve := func(local bool) *Server {
		s, err := New(Config{Local: local, Version: "test", Cluster: c, OpenMetrics: !local})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	here, open := serve(true), serve(false)
	ask := func(s *Server, method, path, from, proxy string, status int, word string) {
		t.Helper()
		r := httptest.NewRequest(method, "http://localhost"+path, nil)
		r.RemoteAddr = from
		if proxy != "" {
			r.Header.Set("X-Forwarded-For", proxy)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != status || !strings.Contains(w.Body.String(), word) {
			t.Errorf("%s %s from %s: %d %s", method, path, from, w.Code, w.Body)
		}
	}
	const me, other = "127.0.0.1:999", "192.0.2.7:999"
	ask(here, "GET", "/api/cluster", me, "", http.StatusOK, `{"ended":false}`)
	ask(here, "GET", "/metrics", me, "", http.StatusOK, "# HELP full Whether it is.\n# TYPE full gauge\nfull 1\n"+
		"# HELP jobs Jobs there.\n# TYPE jobs gauge\njobs{job=\"J\"} 0\njobs{job=\"K\"} 1\n")
	ask(here, "GET", "/api/v1/games", me, "", http.StatusOK, `"cluster":true`)
	ask(here, "GET", "/api/v1/cluster", me, "", http.StatusOK, `{"snapshot":{"ended":false},"trusted":true}`)
	ask(here, "GET", "/api/v1/cluster", me, "192.0.2.7", http.StatusForbidden, "operator")
	ask(here, "GET", "/api/cluster", me, "192.0.2.7", http.StatusForbidden, "operator")
	ask(open, "GET", "/api/v1/cluster", other, "", http.StatusOK, `"trusted":false`)
	for _, s := range []*Server{here, open} {
		ask(s, "POST", "/api/v1/cluster/J/cancel", me, "192.0.2.7", http.StatusForbidden, "oxo jobs cancel")
	}
	ask(open, "POST", "/api/v1/cluster/J/cancel", other, "", http.StatusForbidden, "oxo jobs cancel")
	if c.ended {
		t.Fatal("a visitor has ended a job")
	}
	ask(here, "POST", "/api/v1/cluster/J/cancel", me, "", http.StatusOK, `{"snapshot":{"ended":true},"trusted":true}`)
	ask(here, "POST", "/api/v1/cluster/J/cancel", me, "", http.StatusConflict, "already")
	c.away = true
	ask(here, "GET", "/api/v1/cluster", me, "", http.StatusServiceUnavailable, "does not answer")
}
