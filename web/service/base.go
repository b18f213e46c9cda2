// Package service is what all operations of the server share: who asks, what is
// allowed, the slots for what computes, the games that are open, streams, the store,
// and how answers and problems are written.
package service

import (
	"cmp"
	"encoding/json"
	"errors"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Base is what the operations of all subjects share.
// It is set up before the server answers; afterwards only what has a lock of its own changes.
type Base struct {
	API     huma.API
	Games   *GameCache
	Heavy   *Gate         // for what computes long
	Alone   *Gate         // for what does not, of an address that computes nothing else
	Brief   *Gate         // for what does not, of others
	Longest time.Duration // that one request may compute
	Log     *slog.Logger
	Bans    bans

	Store  Store // nil where nothing is kept
	Errs   Errors
	Tokens tokens
	keyMu  sync.Mutex
	key    []byte // of cookies' seals, once one is wanted

	OpenLimit, BotLimit, BringLimit *Limiter
	// bytes in the store from which on nothing new is opened; 0 for any number
	Most    int64
	wasFull atomic.Bool // when it was last asked

	computing, streams Counts // requests, and streams, by address

	Closing chan struct{}
	once    sync.Once
}

// aloneSlots is how many addresses that compute nothing else have short requests computed at a
// time: more than there are processors, which they share by turns of 10 ms.
const aloneSlots = 4

// NewBase makes the base of a server with so many slots for what computes long. What
// has no usual value, such as the store, is set after.
func NewBase(heavySlots int, log *slog.Logger) *Base {
	return &Base{Heavy: NewGate(heavySlots), Alone: NewGate(aloneSlots), Brief: NewGate(1), Longest: 5 * time.Second,
		Log: log, OpenLimit: NewLimiter(openPace), BotLimit: NewLimiter(botPace), BringLimit: NewLimiter(BringPace),
		Bans:    bans{who: map[[2]string]bool{}, nets: map[netip.Prefix]bool{}},
		Closing: make(chan struct{})}
}

// The most streams that are open.
const (
	maxStreams = 10_000
	maxEach    = 5_000 // to one address
)

// CountStream counts a stream to an address in, or reports that there are too many.
// The caller calls leave once, when the stream has ended.
func (s *Base) CountStream(address string) (leave func(), err error) {
	if s.OpenStreams() >= maxStreams {
		return nil, BusyProblem("streams.all", 10)
	}
	if s.streams.Add(address, 1) > maxEach {
		s.streams.Add(address, -1)
		return nil, BusyProblem("streams.address", 10)
	}
	return func() { s.streams.Add(address, -1) }, nil
}

// OpenStreams returns how many streams are open.
func (s *Base) OpenStreams() int { return s.streams.Sum() }

// IsClosing reports whether the server is on its way out.
// Once it is, it stays so.
func (s *Base) IsClosing() bool {
	select {
	case <-s.Closing:
		return true
	default:
		return false
	}
}

// StoreProblem turns a store's error into the problem that is answered; notFoundKey says what there is not.
// Anything but "not found" is logged, and told without detail. What is a problem already stays as it is.
func (s *Base) StoreProblem(err error, notFoundKey string) error {
	switch {
	case err == nil || IsProblem(err):
		return err
	case errors.Is(err, s.Errs.NotFound):
		return NewProblem(404, cmp.Or(notFoundKey, "none"))
	}
	s.Log.Error("store", "reason", err)
	if s.Errs.Damaged != nil && errors.Is(err, s.Errs.Damaged) {
		return NewProblem(503, "store.damaged")
	}
	return ErrUnkept
}

// ReadDocs reads JSON documents of type T that came from the store, with the store's error.
func ReadDocs[T any](s *Base, docs [][]byte, err error) ([]T, error) {
	list := make([]T, len(docs))
	for i, doc := range docs {
		err = cmp.Or(err, json.Unmarshal(doc, &list[i]))
	}
	return list, s.StoreProblem(err, "")
}

// ErrUnkept is the problem of what a store that fails can't keep.
var ErrUnkept = laterProblem(503, "store.away", 10)

// ShutOnce ends all streams, the first time that it is called, and does then what else is to end.
func (s *Base) ShutOnce(then func()) {
	s.once.Do(func() {
		close(s.Closing)
		then()
	})
}
