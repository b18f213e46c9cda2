package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a network within a test, so that its clock can be a fake one.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.done:
		return nil, errors.New("connection refused")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// server answers a client's requests by a handler each, in fake time.
type server struct {
	*testing.T
	mu       sync.Mutex
	requests []string
	handlers map[string]func(w http.ResponseWriter, r *http.Request, n int) // n counts from 0
	counts   map[string]int
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	what := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/api/v1")
	s.mu.Lock()
	n := s.counts[what]
	s.counts[what]++
	body, _ := io.ReadAll(r.Body) // what has come
	s.requests = append(s.requests, strings.TrimSpace(what+" "+string(body)))
	h := s.handlers[what]
	s.mu.Unlock()
	if h == nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	h(w, r, n)
}

// inTime runs a test in fake time against a server.
func inTime(t *testing.T, handlers map[string]func(w http.ResponseWriter, r *http.Request, n int),
	test func(s *server)) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{T: t, handlers: handlers, counts: map[string]int{}}
		p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		h := &http.Server{Handler: s}
		served := make(chan error, 1)
		go func() { served <- h.Serve(p) }()
		before := transport
		transport = &http.Transport{DialContext: p.dial}
		test(s)
		transport.CloseIdleConnections()
		transport = before
		if err := h.Close(); err != nil {
			t.Error(err)
		}
		<-served
	})
}

func says(status int, text string) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, _ int) {
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}
}

// streams sends lines and then what the last does.
func streams(w http.ResponseWriter, lines ...string) {
	for _, l := range lines {
		fmt.Fprintln(w, l)
	}
	_ = http.NewResponseController(w).Flush() // the reader sees what has come
}

const (
	lineMine = `{"id":"g","state":"playing","ply":0,"turn":"first","legal":["a","b"],"first":{"name":"me"},"second":{"name":"you","present":true}}`
	lineOver = `{"id":"g","state":"over","ply":1,"turn":"second","result":"first","legal":[]}`
)

func start(line string) string { return `{"type":"game_start","seat":"first","session":` + line + `}` }

// TestBot has a bot whose connections are cut, whose server is broken for a
// while, and which is told things twice.
func TestBot(t *testing.T) {
	chosen := 0
	inTime(t, map[string]func(http.ResponseWriter, *http.Request, int){
		"GET /bots/stream": func(w http.ResponseWriter, r *http.Request, n int) {
			if n == 0 {
				streams(w, `{"type":"challenge","seat":"second","session":{"id":"c","game":"ttt","maker":"first"}}`,
					`{"type":"challenge","seat":"second","session":{"id":"d","game":"chess","maker":"first"}}`,
					`{"type":"challenge","seat":"first","session":{"id":"mine","game":"ttt","maker":"first"}}`, start(lineMine))
				panic(http.ErrAbortHandler)
			}
			streams(w, start(lineMine))
			<-r.Context().Done()
		},
		"POST /sessions/c/accept":  says(409, `{"detail":"withdrawn"}`),
		"POST /sessions/d/decline": says(200, `{}`),
		"GET /sessions/g/stream": func(w http.ResponseWriter, r *http.Request, n int) {
			switch n {
			case 0:
				panic(http.ErrAbortHandler)
			case 1:
				streams(w, "", lineMine, lineMine, `{"id":"g","cut off`)
			default:
				streams(w, lineMine, lineOver)
			}
		},
		"POST /sessions/g/move": func(w http.ResponseWriter, _ *http.Request, n int) {
			switch n {
			case 0:
				w.WriteHeader(http.StatusServiceUnavailable)
			case 1:
				w.Header().Set("Retry-After", "9")
				w.WriteHeader(http.StatusTooManyRequests)
			case 2:
				panic(http.ErrAbortHandler)
			default:
				fmt.Fprint(w, "{}")
			}
		},
	}, func(s *server) {
		ctx, cancel := context.WithCancel(s.Context())
		b := Bot{Client: Client{URL: "http://oxo/", Token: "oxo_bot_x"},
			Choose: func(_ context.Context, g GameState) (string, error) { chosen++; return g.Legal[1], nil },
			Accept: func(g GameState) error {
				if g.Game == "chess" {
					return errors.New("not that")
				}
				return nil
			},
			Ended: func(g GameState, seat string) {
				if !g.Over() || seat != "first" || g.Result != "first" {
					t.Errorf("ended as %s: %+v", seat, g)
				}
				cancel()
			}}
		begin := time.Now()
		if err := b.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("it ends with %v", err)
		}
		if d := time.Since(begin); d < 9*time.Second || d > 20*time.Second {
			t.Errorf("it took %v, with a pause of 9 s that it was asked for", d)
		}
		if chosen != 1 {
			t.Errorf("it chose %d times", chosen)
		}
		if n := s.counts["POST /sessions/g/move"]; n != 4 {
			t.Errorf("%d moves were sent", n)
		}
		for _, r := range s.requests {
			if strings.Contains(r, "/move") && !strings.HasSuffix(r, `{"move":"b","ply":0}`) || strings.Contains(r, "mine") {
				t.Errorf("it sent %s", r)
			}
		}
		if s.counts["POST /sessions/d/decline"] != 1 || s.counts["POST /sessions/c/accept"] != 1 {
			t.Errorf("requests: %v", s.requests)
		}
	})
}

// TestGivingUp resigns where no move is found or the server refuses it.
func TestGivingUp(t *testing.T) {
	for _, choose := range []func(context.Context, GameState) (string, error){
		func(context.Context, GameState) (string, error) { return "", errors.New("no idea") },
		func(context.Context, GameState) (string, error) { return "z9", nil },
	} {
		resigned := make(chan struct{}, 1)
		inTime(t, map[string]func(http.ResponseWriter, *http.Request, int){
			"GET /bots/stream": func(w http.ResponseWriter, r *http.Request, _ int) {
				streams(w, start(lineMine))
				<-r.Context().Done()
			},
			"GET /sessions/g/stream": func(w http.ResponseWriter, r *http.Request, _ int) {
				streams(w, lineMine)
				<-resigned
				streams(w, lineOver)
			},
			"POST /sessions/g/move":   says(400, `{"detail":"no such square"}`),
			"POST /sessions/g/resign": func(http.ResponseWriter, *http.Request, int) { resigned <- struct{}{} },
		}, func(s *server) {
			ctx, cancel := context.WithCancel(s.Context())
			var said []string
			b := Bot{Client: Client{URL: "http://oxo"}, Choose: choose, Ended: func(GameState, string) { cancel() },
				Report: func(l string) { said = append(said, l) }}
			if err := b.Run(ctx); !errors.Is(err, context.Canceled) || len(said) != 1 ||
				!strings.Contains(said[0], "gives up") {
				t.Errorf("%v, %q", err, said)
			}
		})
	}
}

// TestRefusals end what no other try will mend.
func TestRefusals(t *testing.T) {
	inTime(t, map[string]func(http.ResponseWriter, *http.Request, int){
		"GET /bots/stream":       says(401, `{"detail":"the token is unknown or revoked"}`),
		"GET /sessions/x/stream": says(404, `{"detail":"there is no such game"}`),
		"POST /sessions":         says(422, `{"detail":"validation failed","errors":[{"location":"body.game","message":"no such game"}]}`),
		"GET /page":              says(502, "<html>"),
	}, func(s *server) {
		c := Client{URL: "http://oxo"}
		if err := (&Bot{Client: c}).Run(s.Context()); !isRefusal(err, 401) {
			t.Errorf("a wrong token: %v", err)
		}
		if err := c.Watch(s.Context(), "x", nil); !isRefusal(err, 404) {
			t.Errorf("no such game: %v", err)
		}
		if err := c.Do(s.Context(), "POST", "/sessions", struct{}{}, nil); err == nil ||
			err.Error() != "validation failed; game: no such game (status 422)" {
			t.Errorf("a fault: %v", err)
		}
		if err := c.Do(s.Context(), "GET", "/page", nil, nil); err == nil ||
			!strings.Contains(err.Error(), "not an oxo server's answer: 502") {
			t.Errorf("somebody else's server: %v", err)
		}
	})
}

// TestSilence connects again where a stream says nothing for too long, and not
// where it says that it is alive.
func TestSilence(t *testing.T) {
	inTime(t, map[string]func(http.ResponseWriter, *http.Request, int){
		"GET /sessions/g/stream": func(w http.ResponseWriter, r *http.Request, n int) {
			if n > 0 {
				streams(w, lineOver)
				return
			}
			streams(w, lineMine)
			for range 10 {
				time.Sleep(7 * time.Second)
				streams(w, "")
			}
			<-r.Context().Done()
		},
	}, func(s *server) {
		c := Client{URL: "http://oxo"}
		begin, lines := time.Now(), 0
		err := c.Watch(s.Context(), "g", func(GameState) error { lines++; return nil })
		if d := time.Since(begin); err != nil || lines != 2 || d != 70*time.Second+silence+firstPause {
			t.Errorf("%d lines after %v: %v", lines, d, err)
		}
		gone, cancel := context.WithCancel(s.Context())
		cancel()
		if err := c.Watch(gone, "g", nil); !errors.Is(err, context.Canceled) {
			t.Errorf("somebody who has gone: %v", err)
		}
	})
}
