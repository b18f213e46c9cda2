// Package web is the door for browsers and bots: an HTTP API described by a
// document generated from the code, streams of events, and the pages of the
// studio. It speaks text to [lab] and knows no game.
//
// [New] makes a server of its [Config]; [Server.ServeHTTP] answers. Each subject's
// operations are methods of one small type, registered in a file named after it:
// games between visitors in [live], long work in package web/jobs, on what all share
// in [service]; what is one question and its answer is here.
package web

import (
	"cmp"
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime"
	"sync"
	"time"

	"oxo/lab"
	webjobs "oxo/web/jobs"
	"oxo/web/live"
	"oxo/web/puzzles"
	"oxo/web/service"
	"oxo/web/studio"

	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// Config says what a server is made of.
type Config struct {
	// Studio holds index.html and what it names; nil is the studio built in.
	// Where there is no index.html a plain page takes its place.
	Studio fs.FS

	// Store keeps games and bots; without one the server has no games between
	// its visitors. NotFound, Taken and Damaged are the errors that it wraps where
	// something is not there, where a name is taken, and where what is there is
	// not what was written.
	Store                    service.Store
	NotFound, Taken, Damaged error

	// Orders is what the operator asks; nil for nothing.
	Orders Orders

	// OpenMetrics shows the metrics and the cluster to all, not to the operator alone.
	OpenMetrics bool

	// MaxStored is how many bytes the store may take before nothing new is opened;
	// what was opened goes on. 0 is any number.
	MaxStored int64

	// Lab has the kinds of games, the players and the learners; nothing else of it is used.
	Lab lab.Lab

	// Scratch makes room on disk for proofs; where it is nil they lie in memory.
	Scratch func() (lab.Scratch, error)

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
// Each subject's operations are registered on the API of its Base; the handler has the guards in front of all.
type Server struct {
	*service.Base
	seen      *metrics
	lobby     *live.Lobby        // nil without a store
	scheduler *webjobs.Scheduler // likewise
	proofs    *proofs
	hosts     []string
	open      bool // whether metrics are shown to all
	local     bool // whether the server listens on the loopback address only
	requests  *service.Limiter
	tasks     sync.WaitGroup // until the server closes
	handler   http.Handler
}

// New makes a server.
// It reads the store, and takes up its games and jobs, before it returns. The caller closes it.
func New(o Config) (*Server, error) {
	if err := o.Lab.Check(); err != nil {
		return nil, err
	}
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
	o.Workers = cmp.Or(o.Workers, max(1, runtime.GOMAXPROCS(0)-1))
	b := service.NewBase(o.Workers, o.Log)
	s := &Server{Base: b, hosts: o.Hosts, open: o.OpenMetrics, local: o.Local,
		requests: service.NewLimiter(service.RequestPace)}
	s.proofs = &proofs{uploads: uploads{b}, read: service.RecentCache[*lab.Certificate]{Most: keptProofs,
		Bytes: heldProofs}}
	known := o.Lab.Bare()
	known.ReadFile, known.Proofs, known.Scratch, known.Drawn = s.readStoredFile, s.proofs.storedProofFiles, o.Scratch,
		true
	s.Games = service.NewGameCache(&known)
	s.seen = newMetrics(s.Heavy, s.Alone, s.Brief)
	mux := http.NewServeMux()
	s.API = humago.New(mux, service.Config(o.Version))
	s.API.UseMiddleware(service.RefuseUnknownQuery(s.API))
	(&explorer{b}).registerGamesAndPositions(o.Cluster != nil)
	(&searcher{b}).registerSearching()
	(&judge{b}).registerJudge()
	puzzle := puzzles.Register(b)
	(&claims{b}).registerReproduction()
	scenes := &scenery{Base: b, proofs: s.proofs, puzzle: puzzle}
	scenes.registerPictures()
	scenes.registerSheets()
	newHandovers(b).register()
	if o.Store != nil {
		if err := s.openLobbyAndJobs(o); err != nil {
			return nil, err
		}
	}
	s.proofs.registerProofs()
	leadToDocs(mux)
	s.registerDiagnostics(mux, o.Local)
	if o.Cluster != nil {
		s.registerCluster(mux, o.Cluster)
	}
	scenes.jobs = s.scheduler
	pages, err := scenes.studioHandler(o.Studio)
	if err != nil {
		return nil, err
	}
	mux.Handle(below, notFoundOrMethodNotAllowed(mux))
	mux.HandleFunc("GET /embed", scenes.embed)
	mux.Handle("/", pages)
	s.handler = s.guarded(compressed(s.documented(mux)), o.Local)
	return s, nil
}

// leadToDocs leads from where people look for the API's page to where it is: the studio's, wherever that is served.
func leadToDocs(mux *http.ServeMux) {
	for path, docs := range map[string]string{"/api": "docs", "/api/{$}": "../docs", service.Root: "../docs",
		service.Root + "/{$}": "../../docs", service.Root + "/docs": "../../docs"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", docs)
			w.WriteHeader(http.StatusFound)
		})
	}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends all streams and stops all clocks and jobs. What was acknowledged is
// in the store, and a server made with the same store goes on from there.
func (s *Server) Close() {
	if s.lobby != nil {
		s.lobby.Close()
		s.tasks.Wait()
		s.scheduler.Close()
	}
}

// openLobbyAndJobs opens the lobby where visitors play each other, and takes up the jobs.
// Jobs come after games, as tournaments invite bots into the lobby.
func (s *Server) openLobbyAndJobs(o Config) error {
	s.Store, s.Errs, s.Most = o.Store, service.Errors{NotFound: o.NotFound, Taken: o.Taken, Damaged: o.Damaged},
		o.MaxStored
	s.lobby = live.NewLobby(s.Base, o.MaxGames)
	known := o.Lab.Bare()
	known.ReadFile, known.Drawn = s.readStoredFile, true
	s.scheduler = webjobs.NewScheduler(s.Base, s.lobby, &known, o.Workers, o.JobMemory)
	s.scheduler.Prove, s.scheduler.MaxTime = s.proofs.addJobProof, o.JobTime
	if err := s.lobby.Resume(context.Background()); err != nil {
		return err
	}
	if err := s.scheduler.Resume(context.Background()); err != nil {
		return err
	}
	if o.Orders != nil {
		if err := s.loadBansAndFollowOrders(o.Orders); err != nil {
			return err
		}
	}
	s.seen.gauge("oxo_tables", "Games that are open or being played.", func() int { return s.lobby.Count() })
	s.seen.gauge("oxo_tables_playing", "Games that are being played.", s.lobby.CountPlaying)
	s.seen.gauge("oxo_bots", "Bots that are connected.", func() int { return len(s.lobby.ListeningBots()) })
	s.seen.gauge("oxo_store_bytes", "Bytes that the store keeps, -1 where it can't be read.", func() int {
		bytes, err := s.Store.UsedBytes(context.Background())
		if err != nil {
			return -1
		}
		return int(bytes)
	})
	s.seen.gauge("oxo_store_bytes_most", "Bytes from which on nothing new is opened, 0 for any number.",
		func() int { return int(s.Most) })
	s.seen.gauge("oxo_streams", "Streams that are open.", s.OpenStreams)
	s.seen.gauge("oxo_jobs", "Jobs that are not finished.", func() int { all, _ := s.scheduler.Count(); return all })
	s.seen.gauge("oxo_jobs_running", "Jobs that run.", func() int { _, running := s.scheduler.Count(); return running })
	(&gameFiles{uploads{s.Base}}).register()
	s.lobby.Register()
	s.scheduler.Register()
	return nil
}
