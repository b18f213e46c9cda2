// Package web is the door for browsers and bots: an HTTP API described by a
// document generated from the code, streams of events, and the pages of the
// studio. It speaks text to [lab] and knows no game.
//
// [New] makes a server of its [Options]; [Server.ServeHTTP] answers. Each part
// of the API is registered by one method in a file named after it.
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

	"github.com/danielgtaylor/huma/v2"
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
	opened  *shelf
	heavy   *gate         // for what computes long
	brief   *gate         // for what does not
	longest time.Duration // that one request may compute
	log     *slog.Logger
	seen    *metrics
	api     huma.API
	hall    *hall // nil without a store
	crew    *crew // likewise
	hosts   []string
	bans    bans
	open    bool // whether metrics are shown to all
	local   bool // whether the server listens on the loopback address only
	keyMu   sync.Mutex
	key     []byte // of cookies' seals, once one is wanted

	requests, opens, botOpens, files *limiter

	proofs       recent[*lab.Certificate] // that have been read, each of which holds
	checked      sync.Map                 // whether kept proofs that an earlier checker saw still hold, by id
	ratings      recent[*rated]           // of tournaments, by job and what it has put down
	readJournals recent[*journal]         // of tournaments, by job and name
	taught       [64]sync.Mutex           // of learners that are taught, by their ids
	handler      http.Handler
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
	s := &Server{heavy: newGate(o.Workers), brief: newGate(1), longest: 5 * time.Second, log: o.Log, hosts: o.Hosts, open: o.OpenMetrics, local: o.Local,
		requests: newLimiter(requestPace), opens: newLimiter(openPace), botOpens: newLimiter(botPace), files: newLimiter(bringPace),
		proofs: recent[*lab.Certificate]{most: keptProofs, bytes: heldProofs}, ratings: recent[*rated]{most: keptStandings, bytes: heldStandings},
		readJournals: recent[*journal]{most: keptJournals, bytes: heldJournals}}
	s.opened = newShelf(&lab.Lab{Kinds: o.Kinds, ReadFile: s.readFile, Proofs: s.proofsOf})
	s.seen = newMetrics(s.heavy, s.brief)
	mux := http.NewServeMux()
	s.api = humago.New(mux, apiConfig(o.Version))
	s.exploring(o.Cluster != nil)
	s.working()
	s.judging()
	s.reproducing()
	if o.Store != nil {
		if err := s.hosting(o); err != nil {
			return nil, err
		}
	}
	s.proving()
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
		s.crew.end()
	}
}

// hosting opens the hall where visitors play each other, and takes up the jobs.
func (s *Server) hosting(o Options) error {
	errs := storeErrors{o.NotFound, o.Taken, o.Damaged}
	s.hall = newHall(o.Store, errs, s.opened, o.Log)
	s.hall.most = o.MaxStored
	s.hall.mostTables = cmp.Or(o.MaxGames, usualTables)
	s.crew = newCrew(s.hall, &lab.Lab{Kinds: o.Kinds, ReadFile: s.readFile}, o.Workers, o.JobMemory)
	s.crew.prove, s.crew.longest = s.showProof, o.JobTime
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
	s.seen.gauge("oxo_streams", "Streams that are open.", s.hall.openStreams)
	s.seen.gauge("oxo_jobs", "Jobs that are not finished.", func() int { all, _ := s.crew.count(); return all })
	s.seen.gauge("oxo_jobs_running", "Jobs that run.", func() int { _, running := s.crew.count(); return running })
	s.gameFiles()
	s.sessions()
	s.playing()
	s.botting()
	s.jobs()
	s.brains()
	s.pupils()
	return nil
}
