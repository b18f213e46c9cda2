package web

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"time"

	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// Limits of what browsers hand over.
const (
	handoverBytes = 512 << 10
	handoverTime  = 10 * time.Minute
	handoversHeld = 64
	codeLetters   = 12 // of base32: 60 bits, which nobody guesses in ten minutes
)

// HandoverRequest is what a browser hands over.
// It is given and taken as it is: any text.
type HandoverRequest struct {
	Data string `json:"data" minLength:"2" maxLength:"500000" doc:"what the browser keeps; the server does not read it"`
}

// Handover says how to take it.
type Handover struct {
	Code    string    `json:"code" doc:"to be typed in another browser, once"`
	Expires time.Time `json:"expires"`
}

// HandoverState says whether what is handed over is still there.
type HandoverState struct {
	There bool `json:"there" doc:"no more once it was taken, or its time is over"`
}

// TakeRequest takes what another browser handed over.
type TakeRequest struct {
	Code string `json:"code" minLength:"1" maxLength:"40"`
}

// handovers holds what browsers hand over to others, for a few minutes and in memory only.
// The mutex guards held; now is the clock.
type handovers struct {
	*service.Base
	now  func() time.Time
	mu   sync.Mutex
	held map[string]held // by code
}

// held is what is handed over, until it is taken or expires.
// One that has expired may still be there, and can't be taken.
type held struct {
	data    string
	expires time.Time
}

// newHandovers returns handovers of which none is under way.
// Those of a server that ends are lost.
func newHandovers(b *service.Base) *handovers {
	return &handovers{Base: b, now: time.Now, held: map[string]held{}}
}

// register registers the operations by which the games and seats that a browser keeps move to
// another device.
// Both are limited in pace as opening things is, so that codes can't be tried in great numbers.
func (s *handovers) register() {
	op := func(path, id, summary, description string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodPost, Path: service.Root + path, Summary: summary,
			Description: description, MaxBodyBytes: handoverBytes, Middlewares: huma.Middlewares{s.LimitCreation},
			Errors: []int{400, 404, 413, 422, 429}}
	}
	service.Register(s.Base, op("/handovers", "give-handover", "Hand over what a browser keeps",
		"For ten minutes, to whoever knows the code."),
		func(_ context.Context, in *struct{ Body HandoverRequest }) (*Handover, error) {
			return s.give(in.Body.Data)
		})
	shown := op("/handovers/{code}", "show-handover", "Show whether what a browser hands over is still there", "")
	shown.Method, shown.Middlewares = http.MethodGet, nil
	service.Register(s.Base, shown, func(_ context.Context, in *struct {
		Code string `path:"code" maxLength:"40"`
	}) (*HandoverState, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		h, ok := s.held[in.Code]
		return &HandoverState{ok && !s.now().After(h.expires)}, nil
	})
	service.Register(s.Base, op("/handovers/take", "take-handover", "Take what another browser handed over",
		"Once; the code is worth nothing after."),
		func(_ context.Context, in *struct{ Body TakeRequest }) (*HandoverRequest, error) {
			data, err := s.take(in.Body.Code)
			return &HandoverRequest{data}, err
		})
}

// give holds what a browser hands over, and returns the code that takes it. Those that have expired
// are thrown away first. The error says that there is no room.
func (s *handovers) give(data string) (*Handover, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for code, h := range s.held {
		if s.now().After(h.expires) {
			delete(s.held, code)
		}
	}
	if len(s.held) >= handoversHeld {
		return nil, service.BusyProblem("handed.full", 600)
	}
	code := rand.Text()[:codeLetters]
	h := held{data, s.now().Add(handoverTime)}
	s.held[code] = h
	return &Handover{code, h.expires}, nil
}

// take reads a code as people type it: in small letters, with blanks or dashes between. It can be
// taken once, so that a code which somebody else has seen is worth nothing after.
func (s *handovers) take(code string) (string, error) {
	code = strings.NewReplacer(" ", "", "-", "").Replace(strings.ToUpper(code))
	s.mu.Lock()
	defer s.mu.Unlock()
	h, ok := s.held[code]
	delete(s.held, code)
	if !ok || s.now().After(h.expires) {
		return "", service.NewProblem(http.StatusNotFound, "no.handover")
	}
	return h.data, nil
}
