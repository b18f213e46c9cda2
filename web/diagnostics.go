package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/http/pprof"
	"strconv"
	"time"

	"oxo/web/service"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are what the server counts of itself, for Prometheus.
// They are in a registry of the server's own, so that several servers of one process do not meet.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// newMetrics returns the server's metrics, none of which has counted anything.
// The gates are those whose slots and queues are shown, as sums.
func newMetrics(gates ...*service.Gate) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "oxo_http_requests_total", Help: "Requests answered.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "oxo_http_request_seconds", Help: "Time to answer a request, or to the end of a stream.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 16),
		}, []string{"route"}),
	}
	m.registry.MustRegister(m.requests, m.seconds, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauge("oxo_heavy_running", "Requests that compute at length.", func() int { return sumLoads(gates...)[0] })
	m.gauge("oxo_heavy_waiting", "Requests that wait to compute at length.",
		func() int { return sumLoads(gates...)[1] })
	return m
}

// sumLoads returns how many requests compute at some gates, and how many wait.
func sumLoads(gates ...*service.Gate) (n [2]int) {
	for _, g := range gates {
		running, waiting := g.Load()
		n[0], n[1] = n[0]+running, n[1]+waiting
	}
	return n
}

// gauge adds a number that is read when it is asked for.
// It is read from any goroutine.
func (m *metrics) gauge(name, help string, value func() int) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
		func() float64 { return float64(value()) }))
}

// countRequest counts an answered request.
// The route is the pattern, not the path, so that there are few of them.
func (m *metrics) countRequest(r *http.Request, status int, took time.Duration) {
	route := cmp.Or(r.Pattern, "none")
	m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
	m.seconds.WithLabelValues(route).Observe(took.Seconds())
}

// registerDiagnostics serves what those who run the server look at. Profiles are for the
// machine itself.
// Whether the server is well is for anybody: it is, as long as the store can be read and written.
func (s *Server) registerDiagnostics(mux *http.ServeMux, local bool) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		if s.Store != nil {
			if err := s.Store.CheckHealth(r.Context()); err != nil {
				why := "store.unread"
				if s.Errs.Damaged != nil && errors.Is(err, s.Errs.Damaged) {
					why = "store.check"
				}
				writeProblem(w, service.NewProblem(http.StatusServiceUnavailable, why))
				return
			}
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("ok\n")) // a reader that has gone needs no answer
	})
	mux.Handle("GET /metrics", s.onlyOperator(promhttp.HandlerFor(s.seen.registry, promhttp.HandlerOpts{})))
	if !local {
		return
	}
	for path, h := range map[string]http.HandlerFunc{"": pprof.Index, "cmdline": pprof.Cmdline,
		"profile": pprof.Profile, "symbol": pprof.Symbol, "trace": pprof.Trace} {
		mux.HandleFunc("GET /debug/pprof/"+path, func(w http.ResponseWriter, r *http.Request) {
			if !s.isOperator(r) {
				writeProblem(w, service.NewProblem(http.StatusForbidden, "profiles"))
				return
			}
			h(w, r)
		})
	}
}
