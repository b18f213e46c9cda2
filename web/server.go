// Package web is the door for browsers and bots: an HTTP API described by a
// document generated from the code, streams of events, and the pages of the
// studio. It speaks text to [lab] and knows no game.
//
// [New] makes a server of its [Options]; [Server.ServeHTTP] answers. Each part
// of the API is registered by one method in a file named after it.
package web

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"oxo/lab"
	"oxo/web/studio"
)

// Options say what a server is made of.
type Options struct {
	// Studio holds index.html and what it names; nil is the studio built in.
	// Where there is no index.html a plain page takes its place.
	Studio fs.FS

	// Store keeps games and bots; without one the server has no games between
	// its visitors. NotFound, Taken and Damaged are the errors that it wraps where
	// something is not there, where a name is taken, and where what is there is
	// not what was written.
	Store                    Store
	NotFound, Taken, Damaged error

	// Orders is what the operator asks; nil for nothing.
	Orders Orders

	// OpenMetrics shows the metrics and the cluster to all, not to the operator alone.
	OpenMetrics bool

	// MaxStored is how many bytes the store may take before nothing new is opened;
	// what was opened goes on. 0 is any number.
	MaxStored int64

	// Kinds are the kinds of games that can be played; nil stands for oxo's own.
	Kinds []lab.Kind

	// Log receives a line a request; nil for none. No token is ever logged.
	Log *slog.Logger

	// Local says that the server listens on the loopback address only. Then it
	// answers to local names alone, so that no page elsewhere can reach it by
	// giving its own name this address, and it shows its profiles.
	Local bool

	// Hosts are other names to answer to where Local is set: those of a proxy
	// on this machine that passes requests on.
	Hosts []string

	// Workers is how many requests may compute at length at the same time; 0
	// is one fewer than the processors, and at least one.
	Workers int

	// Cluster is where jobs are carried out on other machines; nil where there
	// is none.
	Cluster Cluster

	// JobMemory is how many bytes of memory jobs may bring the server to; 0 is
	// 1 GB.
	JobMemory uint64

	// JobTime is how long a job of a visitor from elsewhere may run at most, 0 for any
	// time. One that is resumed begins to count anew.
	JobTime time.Duration

	// MaxGames is how many games may be open or played at a time, 0 for 50,000.
	MaxGames int

	// Version is shown in the API's description.
	Version string
}

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	*base
	seen     *metrics
	hall     *hall // nil without a store
	crew     *crew // likewise
	proofs   *proofs
	hosts    []string
	open     bool // whether metrics are shown to all
	local    bool // whether the server listens on the loopback address only
	requests *limiter
	tasks    sync.WaitGroup // until the server closes
	handler  http.Handler
}

// New makes a server.
func New(o Options) (*Server, error) {
	if o.Studio == nil {
		built, err := fs.Sub(studio.Files, "dist")
		if err != nil {
			return nil, err
		}
		o.Studio = built
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Workers == 0 {
		o.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	b := newBase(o.Workers, o.Log)
	s := &Server{base: b, hosts: o.Hosts, open: o.OpenMetrics, local: o.Local, requests: newLimiter(requestPace)}
	s.proofs = &proofs{uploads: uploads{b}, read: recent[*lab.Certificate]{most: keptProofs, bytes: heldProofs}}
	s.opened = newShelf(&lab.Lab{Kinds: o.Kinds, ReadFile: s.readFile, Proofs: s.proofs.proofsOf})
	s.seen = newMetrics(s.heavy, s.brief)
	mux := http.NewServeMux()
	s.api = humago.New(mux, apiConfig(o.Version))
	(&explorer{b}).exploring(o.Cluster != nil)
	(&searcher{b}).working()
	(&judge{b}).judging()
	(&claims{b}).reproducing()
	if o.Store != nil {
		if err := s.hosting(o); err != nil {
			return nil, err
		}
	}
	s.proofs.proving()
	s.describing(mux)
	s.tending(mux, o.Local)
	if o.Cluster != nil {
		s.clustering(mux, o.Cluster)
	}
	pages, err := studioHandler(o.Studio)
	if err != nil {
		return nil, err
	}
	mux.Handle(below, noOperation(mux))
	mux.Handle("/", pages)
	s.handler = s.guarded(compressed(mux), o.Local)
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends all streams and stops all clocks and jobs. What was acknowledged is
// in the store, and a server made with the same store goes on from there.
func (s *Server) Close() {
	if s.hall != nil {
		s.hall.close()
		s.tasks.Wait()
		s.crew.end()
	}
}

// hosting opens the hall where visitors play each other, and takes up the jobs.
func (s *Server) hosting(o Options) error {
	s.store, s.errs, s.most = o.Store, storeErrors{o.NotFound, o.Taken, o.Damaged}, o.MaxStored
	s.hall = newHall(s.base, o.MaxGames)
	s.crew = newCrew(s.base, s.hall, &lab.Lab{Kinds: o.Kinds, ReadFile: s.readFile}, o.Workers, o.JobMemory)
	s.crew.prove, s.crew.longest = s.proofs.showProof, o.JobTime
	if err := s.hall.resume(context.Background()); err != nil {
		return err
	}
	if err := s.crew.resume(context.Background()); err != nil {
		return err
	}
	if o.Orders != nil {
		if err := s.obey(o.Orders); err != nil {
			return err
		}
	}
	s.seen.gauge("oxo_tables", "Games that are open or being played.", func() int { return s.hall.count() })
	s.seen.gauge("oxo_streams", "Streams that are open.", s.openStreams)
	s.seen.gauge("oxo_jobs", "Jobs that are not finished.", func() int { all, _ := s.crew.count(); return all })
	s.seen.gauge("oxo_jobs_running", "Jobs that run.", func() int { _, running := s.crew.count(); return running })
	(&gameFiles{uploads{s.base}}).register()
	s.hall.register()
	s.crew.register(s.base)
	return nil
}
