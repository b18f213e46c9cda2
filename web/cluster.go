package web

import (
	"context"
	"encoding/json"
	"net/http"

	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// Cluster is what the server shows of a cluster of workers: in its metrics, and
// as one JSON object with the jobs, the workers and the queue.
// An error of Snapshot means that the cluster does not answer; one of End is told as it is.
type Cluster interface {
	// Measure tells its numbers: the name of each, what it is, its value, and a label with its value, or none.
	Measure(gauge func(name, help string, value float64, label ...string))
	Snapshot(ctx context.Context) (any, error)
	End(ctx context.Context, job string) error // for good; nothing but its record stays
}

// clusterReply is what the studio shows.
type clusterReply struct {
	Snapshot any  `json:"snapshot"`
	Trusted  bool `json:"trusted"` // whether who asks may end jobs
}

// registerCluster shows the cluster. Jobs are ended only from the machine itself. The plain snapshot
// is for other programs, that below the API for the studio.
// A cluster that does not answer is a problem of status 503.
func (s *Server) registerCluster(mux *http.ServeMux, c Cluster) {
	s.seen.cluster = c
	look := func(w http.ResponseWriter, r *http.Request, show func(snapshot any) any) {
		v, err := c.Snapshot(r.Context())
		if err != nil {
			writeProblem(w, service.NewProblem(http.StatusServiceUnavailable, "cluster.away"))
			return
		}
		data, err := json.Marshal(show(v))
		if err != nil {
			writeProblem(w, service.NewProblem(http.StatusInternalServerError, "cluster.unshown"))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(append(data, '\n')) // a reader that has gone needs no answer
	}
	mux.Handle("GET /api/cluster", s.onlyOperator(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		look(w, r, func(snapshot any) any { return snapshot })
	})))
	mux.Handle("GET "+service.Root+"/cluster",
		s.onlyOperator(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			look(w, r, func(snapshot any) any { return clusterReply{snapshot, s.isOperator(r)} })
		})))
	// Metrics that are open to all give nobody the right to end jobs.
	mux.HandleFunc("POST "+service.Root+"/cluster/{job}/cancel", func(w http.ResponseWriter, r *http.Request) {
		if !s.isOperator(r) {
			writeProblem(w, service.NewProblem(http.StatusForbidden, "cluster.cancel"))
			return
		}
		if err := c.End(r.Context(), r.PathValue("job")); err != nil {
			writeProblem(w, huma.NewError(http.StatusConflict, err.Error()))
			return
		}
		look(w, r, func(snapshot any) any { return clusterReply{snapshot, true} })
	})
}
