package web

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
)

// Cluster is what the server shows of a cluster of workers: in its metrics, and
// as one JSON object with the jobs, the workers and the queue.
type Cluster interface {
	prometheus.Collector
	Snapshot(ctx context.Context) (any, error)
}

// clustering shows the cluster.
func (s *Server) clustering(mux *http.ServeMux, c Cluster) {
	s.seen.registry.MustRegister(c)
	mux.HandleFunc("GET /api/cluster", func(w http.ResponseWriter, r *http.Request) {
		v, err := c.Snapshot(r.Context())
		if err != nil {
			problem(w, http.StatusServiceUnavailable, "the cluster's server does not answer")
			return
		}
		data, err := json.Marshal(v)
		if err != nil {
			problem(w, http.StatusInternalServerError, "the cluster can't be shown")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(append(data, '\n')) // a reader that has gone needs no answer
	})
}
