package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// Times of streams.
const (
	keepAlive = 7 * time.Second
	writeTime = 20 * time.Second // for one line; a reader slower than that is hung up on
)

// stream writes lines of JSON to a reader who stays: as server-sent events, or
// as newline-delimited JSON where the request accepts that.
type stream struct {
	w      http.ResponseWriter
	c      *http.ResponseController
	events bool
}

// openStream begins the answer.
func openStream(ctx huma.Context, format string) *stream {
	r, w := humago.Unwrap(ctx)
	accept := r.Header.Get("Accept")
	x := &stream{w: w, c: http.NewResponseController(w), events: format == "sse" || format == "" && strings.Contains(accept, "text/event-stream")}
	h := w.Header()
	h.Set("Content-Type", "application/x-ndjson")
	if x.events {
		h.Set("Content-Type", "text/event-stream")
	}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	return x
}

// send writes a line; the name is that of the event.
func (x *stream) send(name string, id int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if x.events {
		return x.write(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", id, name, data))
	}
	return x.write(string(data) + "\n")
}

// idle writes what says only that the stream is alive.
func (x *stream) idle() error {
	if x.events {
		return x.write(": alive\n\n")
	}
	return x.write("\n")
}

func (x *stream) write(text string) error {
	_ = x.c.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer has deadlines
	if _, err := x.w.Write([]byte(text)); err != nil {
		return err
	}
	return x.c.Flush()
}

// StreamQuery says how a stream is written, and to where.
type StreamQuery struct {
	From
	Format string `query:"format" enum:"sse,ndjson" doc:"without it by the Accept header, else ndjson"`
	Key    string `query:"key" maxLength:"100" doc:"the seat's key or the bot's token, for clients that can't send headers"`
}

// auth returns who asks, in whichever way it is said.
func (q StreamQuery) auth(a Auth) Auth {
	if a.Authorization == "" && q.Key != "" {
		a.Authorization = "Bearer " + q.Key
	}
	return a
}

// described adds what a stream answers to an operation.
func described(o huma.Operation, line string) huma.Operation {
	schema := &huma.Schema{Type: huma.TypeString, Description: line}
	o.Responses = map[string]*huma.Response{"200": {Description: "A stream of lines", Content: map[string]*huma.MediaType{
		"application/x-ndjson": {Schema: schema}, "text/event-stream": {Schema: schema}}}}
	return o
}

// streaming registers the stream of a game.
func (s *sessions) streaming() {
	o := sessionOp(http.MethodGet, "/{id}/stream", "stream-session", "Follow a game",
		"A line now and after every change, each with all moves, the legal ones, both clocks and the ply. "+
			"Every 7 s without one an empty line, or a comment. The stream ends after the line that says the game is over.")
	huma.Register(s.api, described(o, "View, one a line"), func(ctx context.Context, in *struct {
		SessionPath
		StreamQuery
	}) (*huma.StreamResponse, error) {
		v, err := s.who(ctx, in.auth(in.Auth))
		if err != nil {
			return nil, err
		}
		t, err := s.hall.table(ctx, in.ID)
		if err != nil {
			return nil, s.hall.failed(err, "there is no such game")
		}
		leave, err := s.hall.stream(in.address)
		if err != nil {
			return nil, err
		}
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			defer leave()
			s.follow(ctx.Context(), openStream(ctx, in.Format), t, v)
		}}, nil
	})
}

// follow writes a table's lines until the game is over, the reader has gone or
// the server closes.
func (s *sessions) follow(ctx context.Context, x *stream, t *table, v visitor) {
	changes, leave := t.watch(v)
	defer leave()
	alive := time.NewTicker(keepAlive)
	defer alive.Stop()
	for {
		t.mu.Lock()
		line := t.viewFor(v, time.Now())
		t.mu.Unlock()
		if x.send("session", line.Version, line) != nil || line.State == stateOver {
			return
		}
		alive.Reset(keepAlive)
		if !s.await(ctx, x, changes, alive) {
			return
		}
	}
}

// await waits for a change and keeps the stream alive meanwhile. It returns
// false when the reader has gone or the server closes.
func (s *base) await(ctx context.Context, x *stream, changes <-chan struct{}, alive *time.Ticker) bool {
	for {
		select {
		case <-changes:
			return true
		case <-alive.C:
			if x.idle() != nil {
				return false
			}
		case <-ctx.Done():
			return false
		case <-s.closing:
			return false
		}
	}
}
