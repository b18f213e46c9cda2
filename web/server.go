// Package web is the door for browsers and bots: an HTTP API described by a
// document generated from the code, streams of events, and the pages of the
// studio. It speaks text to [lab] and knows no game.
//
// [New] makes a server of its [Options]; [Server.ServeHTTP] answers. Each part
// of the API is registered by one method in a file named after it.
package web

import (
	"io/fs"
	"log/slog"
	"net/http"
	"runtime"
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

	// Log receives a line a request; nil for none. No token is ever logged.
	Log *slog.Logger

	// Local says that the server listens on the loopback address only. Then it
	// answers to local names alone, so that no page elsewhere can reach it by
	// giving its own name this address, and it shows its profiles.
	Local bool

	// Workers is how many requests may compute at length at the same time; 0
	// is one fewer than the processors, and at least one.
	Workers int

	// Version is shown in the API's description.
	Version string
}

// Server answers HTTP requests. It is safe for concurrent use.
type Server struct {
	opened  *shelf
	heavy   *gate
	longest time.Duration // that one request may compute
	log     *slog.Logger
	seen    *metrics
	api     huma.API
	handler http.Handler
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
	s := &Server{opened: newShelf(&lab.Lab{}), heavy: newGate(o.Workers), longest: 5 * time.Second, log: o.Log}
	s.seen = newMetrics(s.heavy)
	mux := http.NewServeMux()
	s.api = humago.New(mux, apiConfig(o.Version))
	s.exploring()
	s.working()
	s.describing(mux)
	s.tending(mux, o.Local)
	mux.Handle("/", studioHandler(o.Studio))
	s.handler = s.guarded(mux, o.Local)
	return s, nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }
