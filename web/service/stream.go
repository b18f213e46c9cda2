package service

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// StylePolicy lets a sheet or a picture have its styles and nothing else.
const StylePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// Times of streams.
const (
	KeepAlive = 7 * time.Second
	writeTime = 20 * time.Second // for one line; a reader slower than that is hung up on
)

// Stream writes lines of JSON to a reader who stays: as server-sent events, or
// as newline-delimited JSON where the request accepts that.
// It belongs to one goroutine. The first write that fails is the sign that the reader has gone.
type Stream struct {
	w      http.ResponseWriter
	c      *http.ResponseController
	events bool
}

// OpenStream begins the answer.
func OpenStream(ctx huma.Context, format string) *Stream {
	r, w := humago.Unwrap(ctx)
	accept := r.Header.Get("Accept")
	x := &Stream{w: w, c: http.NewResponseController(w), events: format == "sse" ||
		format == "" && strings.Contains(accept, "text/event-stream")}
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

// Send writes a line; the name is that of the event.
// Name and number are told in events only: in lines of JSON what is sent says itself what it is.
func (x *Stream) Send(name string, id int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if x.events {
		return x.write(fmt.Sprintf("id: %d\nevent: %s\ndata: %s\n\n", id, name, data))
	}
	return x.write(string(data) + "\n")
}

// SendKeepAlive writes what says only that the stream is alive.
func (x *Stream) SendKeepAlive() error {
	if x.events {
		return x.write("event: alive\ndata: {}\n\n") // pages are not told of comments
	}
	return x.write("\n")
}

// write writes a text at once.
// It returns once the text has left this process, or writeTime is over.
func (x *Stream) write(text string) error {
	_ = x.c.SetWriteDeadline(time.Now().Add(writeTime)) // not every writer has deadlines
	if _, err := x.w.Write([]byte(text)); err != nil {
		return err
	}
	return x.c.Flush()
}

// StreamQuery says how a stream is written, and to where.
type StreamQuery struct {
	Format string `query:"format" enum:"sse,ndjson" doc:"without it by the Accept header, else ndjson"`
	Key    string `query:"key" maxLength:"100" doc:"the seat's key or the bot's token, for clients that can't send headers"`
}

// WithKey returns who asks, in whichever way it is said.
func (q StreamQuery) WithKey(a Auth) Auth {
	if a.Authorization == "" && q.Key != "" {
		a.Authorization = "Bearer " + q.Key
	}
	return a
}

// DescribeStream adds to an operation that it answers a stream of lines of type T.
func DescribeStream[T any](api huma.API, o huma.Operation) huma.Operation {
	line := api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, "")
	schema := &huma.Schema{Type: huma.TypeString, Extensions: map[string]any{"x-line": line},
		Description: line.Ref[strings.LastIndex(line.Ref, "/")+1:] + ", one a line"}
	o.Responses = map[string]*huma.Response{"200": {Description: "A stream of lines",
		Content: map[string]*huma.MediaType{
			"application/x-ndjson": {Schema: schema}, "text/event-stream": {Schema: schema}}}}
	return o
}

// RespondWithStream answers with a stream, one of those that an address may have.
func (s *Base) RespondWithStream(ctx context.Context, format string,
	write func(context.Context, *Stream)) (*huma.StreamResponse, error) {
	leave, err := s.CountStream(AskerOf(ctx).Address)
	if err != nil {
		return nil, err
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer leave()
		write(ctx.Context(), OpenStream(ctx, format))
	}}, nil
}

// RespondWithData answers with data that is no JSON, and headers, each name before its value.
func RespondWithData(data []byte, headers ...string) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		for header := range slices.Chunk(headers, 2) {
			ctx.SetHeader(header[0], header[1])
		}
		_, _ = ctx.BodyWriter().Write(data) // a reader that has gone needs no answer
	}}
}

// AwaitChange waits for a change and keeps the stream alive meanwhile. It reports
// false when the reader has gone or is not valid any more, the server closes, or nothing will change any more.
func AwaitChange[T any](ctx context.Context, s *Base, x *Stream, changes <-chan T,
	valid func() bool) (change T, ok bool) {
	for alive := time.Tick(KeepAlive); ; {
		select {
		case change, ok = <-changes:
			return change, ok
		case <-alive:
			if !valid() || x.SendKeepAlive() != nil {
				return change, false
			}
		case <-ctx.Done():
			return change, false
		case <-s.Closing:
			return change, false
		}
	}
}
