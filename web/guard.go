package web

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"oxo"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// slowest is how long a client may take to receive an answer that is not a
// stream, and to send a file.
// Streams set one of their own before each line.
const slowest = time.Minute

// guarded puts what holds for every request in front of h: security headers, the checks of host and
// origin, a log line, and an answer when something panics. A request from another site's page is
// refused by the headers that browsers send (Fetch metadata, Origin); a server for this machine alone
// also refuses other names in Host, against DNS rebinding.
func (s *Server) guarded(h http.Handler, local bool) http.Handler {
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeProblem(w, service.NewProblem(http.StatusForbidden, "other-site"))
	}))
	h = origin.Handler(h)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// What is done for the request finds who asks in its context.
		begin, asked := time.Now(), r
		r = service.WithAsker(r)
		a := &answer{ResponseWriter: w, cost: service.AskerOf(r.Context()).Cost}
		// A panic is logged and answered where nothing was answered yet; the server goes on.
		defer func() {
			if v := recover(); v != nil {
				stack := debug.Stack()
				if p, ok := v.(*oxo.PanicError); ok { // in a goroutine that the request waited for
					stack = p.Stack
				}
				s.Log.Error("panic", "route", r.Pattern, "value", v, "stack", string(stack))
				if a.status == 0 {
					writeProblem(a, service.NewProblem(http.StatusInternalServerError, "fault"))
				}
			}
			s.logAndCount(r, a, time.Since(begin))
		}()
		headers := w.Header()
		headers.Set("Content-Security-Policy", policyOf(r.URL.Path))
		headers.Set("X-Content-Type-Options", "nosniff")
		headers.Set("Referrer-Policy", "no-referrer")
		headers.Set("Cross-Origin-Opener-Policy", "same-origin")
		headers.Set("Cross-Origin-Resource-Policy", "same-origin")
		if service.IsEncrypted(r) {
			headers.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if strings.HasPrefix(r.URL.Path, "/api/") {
			headers.Set("Cache-Control", "no-store")
		}
		setDeadline(w)
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &requestBody{r.Body, w}
		}
		if local && !isLocalHost(r.Host) && !s.isOwnHost(r.Host) {
			writeProblem(a, service.NewProblem(http.StatusMisdirectedRequest, "other-host"))
			return
		}
		if s.Bans.Has("address", service.ClientAddress(r)) {
			writeProblem(a, service.ErrBanned)
			return
		}
		if from := service.ClientAddress(r); !service.IsLoopback(from) && !s.requests.Allow(from) {
			headers.Set("Retry-After", "1")
			writeProblem(a, service.BusyProblem("requests.fast", 1))
			return
		}
		h.ServeHTTP(a, r)
		asked.Pattern = r.Pattern // as if it were not a copy
	})
}

// policyOf returns the content security policy of what is at a path. What is no page needs no long one, which would be
// a fifth of many an answer.
func policyOf(at string) string {
	switch ext := path.Ext(at); {
	case strings.HasPrefix(at, "/api/"), ext == ".js", ext == ".css":
		return "default-src 'none'; frame-ancestors 'none'"
	}
	return policy
}

// requestBody is the body of a request. One that ends too early is a problem of the request's, not of the server's.
// The time to receive the answer begins with its end.
type requestBody struct {
	io.ReadCloser
	answer http.ResponseWriter
}

// setDeadline has the answer of a request be received within the time that there is for that from now on.
func setDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(slowest)) // not every writer has deadlines
}

// Read returns a problem of status 400 in place of errors of the connection other than that its time is up.
func (b *requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil {
		return n, nil
	}
	setDeadline(b.answer)
	if late, ok := errors.AsType[net.Error](err); err != io.EOF && !(ok && late.Timeout()) {
		err = service.NewProblem(http.StatusBadRequest, "body.cut")
	}
	return n, err
}

// logAndCount notes an answered request: from where, who where that is known, and the id of what it is about. The path
// is that of the route, without what else was put into it, and
// the query is left out. Waited is the time in queues for slots, cpu what was computed.
// A stream is noted when it has ended.
func (s *Server) logAndCount(r *http.Request, a *answer, took time.Duration) {
	s.seen.countRequest(r, a.status, took)
	from := service.AskerOf(r.Context())
	if id := r.PathValue("id"); isID(id) {
		from.Noted.Note("", id)
	}
	line := []any{"method", r.Method, "route", r.Pattern, "status", a.status, "from", from.Address}
	who, id := from.Noted.Read()
	if who != "" {
		line = append(line, "who", who)
	}
	if id != "" {
		line = append(line, "id", id)
	}
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	s.Log.Info("request", append(line, "bytes", a.bytes, "took_ms", ms(took),
		"waited_ms", ms(time.Duration(a.cost.Waited.Load())), "cpu_ms", ms(time.Duration(a.cost.Computed.Load())))...)
}

// isID reports whether a part of a path may be an id that the server gave, and so no secret: those have other letters.
func isID(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// isOwnHost reports whether a Host header is one of the names that the server was
// given.
// Ports are not compared, nor is case.
func (s *Server) isOwnHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return slices.ContainsFunc(s.hosts, func(name string) bool { return strings.EqualFold(name, host) })
}

// isLocalHost reports whether a Host header names this machine to itself. Names that end in .localhost
// are this machine too, as RFC 6761 has it.
func isLocalHost(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	return service.IsLoopback(host)
}

// answer notes the status and the size of an answer, and says what it has cost. Server-Timing tells a
// client what its request has cost.
// The status is 0 until one has been sent; bytes are those of the body. It belongs to one request.
type answer struct {
	http.ResponseWriter
	status int
	bytes  int64
	cost   *service.Cost
}

// WriteHeader sends the first status that is said; huma says another when a reader has gone.
func (a *answer) WriteHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	if a.cost.Computed.Load() > 0 {
		a.Header().Set("Server-Timing", a.cost.String())
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write sends status 200 first where none was said.
func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Flush sends what was written so far.
func (a *answer) Flush() { _ = http.NewResponseController(a.ResponseWriter).Flush() } // who has gone misses nothing

// Unwrap lets http.ResponseController reach the writer's other abilities.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// writeProblem answers with a problem. The body is a problem of RFC 9457.
// An error that is no problem has status 500, with its text.
func writeProblem(w http.ResponseWriter, problem error) {
	p, ok := errors.AsType[huma.StatusError](problem)
	if !ok {
		p = huma.NewError(http.StatusInternalServerError, problem.Error())
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(p.GetStatus())
	_ = json.NewEncoder(w).Encode(p) // a reader that has gone needs no answer
}
