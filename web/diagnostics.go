package web

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/http/pprof"
	"slices"
	"strings"
	"time"

	"oxo/web/service"

	prometheus "github.com/VictoriaMetrics/metrics"
)

// metrics are what the server counts of itself, for Prometheus. Several servers of one process do not meet.
type metrics struct {
	set     *prometheus.Set
	cluster Cluster  // or nil
	help    []string // lines without help and with it, in turn
}

// newMetrics returns the server's metrics, none of which has counted anything.
// The gates are those whose slots and queues are shown, as sums.
func newMetrics(gates ...*service.Gate) *metrics {
	prometheus.ExposeMetadata(true)
	m := &metrics{set: prometheus.NewSet()}
	m.help = slices.Concat(helpLine("oxo_http_requests_total", "Requests answered."),
		helpLine("oxo_http_request_seconds", "Time to answer a request, or to the end of a stream."))
	m.gauge("oxo_heavy_running", "Requests that compute at length.", func() int { return sumLoads(gates...)[0] })
	m.gauge("oxo_heavy_waiting", "Requests that wait to compute at length.",
		func() int { return sumLoads(gates...)[1] })
	return m
}

// helpLine returns the line that the library writes about a name, and the one with what is said of it.
func helpLine(name, help string) []string {
	return []string{"# HELP " + name + "\n", "# HELP " + name + " " + help + "\n"}
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
	m.help = append(m.help, helpLine(name, help)...)
	m.set.NewGauge(name, func() float64 { return float64(value()) })
}

// countRequest counts an answered request.
// The route is the pattern, not the path, so that there are few of them.
func (m *metrics) countRequest(r *http.Request, status int, took time.Duration) {
	route := cmp.Or(r.Pattern, "none")
	m.set.GetOrCreateCounter(fmt.Sprintf(`oxo_http_requests_total{route=%q,status="%d"}`, route, status)).Inc()
	m.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf(`oxo_http_request_seconds{route=%q}`, route), requestSeconds).
		Update(took.Seconds())
}

// requestSeconds bound the histogram of requests, from half a millisecond to 16 seconds.
var requestSeconds = prometheus.ExponentialBuckets(0.0005, 2, 16)

// ServeHTTP writes the numbers of the server, of its cluster and of the process in Prometheus' text format.
func (m *metrics) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	var text bytes.Buffer
	m.set.WritePrometheus(&text)
	help := slices.Clone(m.help)
	if m.cluster != nil {
		now := prometheus.NewSet()
		m.cluster.Measure(func(name, about string, value float64, label ...string) {
			help = append(help, helpLine(name, about)...)
			if len(label) > 0 {
				name = fmt.Sprintf("%s{%s=%q}", name, label[0], label[1])
			}
			now.GetOrCreateGauge(name, nil).Set(value)
		})
		now.WritePrometheus(&text)
	}
	prometheus.WriteProcessMetrics(&text)
	prometheus.WriteFDMetrics(&text)
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = strings.NewReplacer(help...).WriteString(w, text.String()) // a reader that has gone needs no answer
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
	mux.Handle("GET /metrics", s.onlyOperator(s.seen))
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
