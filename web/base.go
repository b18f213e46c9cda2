package web

import (
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// base is what the operations of all subjects share.
type base struct {
	api     huma.API
	opened  *shelf
	heavy   *gate         // for what computes long
	brief   *gate         // for what does not
	longest time.Duration // that one request may compute
	log     *slog.Logger
	bans    bans

	store  Store // nil where nothing is kept
	errs   storeErrors
	tokens tokens
	keyMu  sync.Mutex
	key    []byte // of cookies' seals, once one is wanted

	opens, botOpens, files *limiter
	most                   int64       // bytes in the store from which on nothing new is opened; 0 for any number
	wasFull                atomic.Bool // when it was last asked

	streamMu sync.Mutex
	streams  map[string]int // by address

	closing chan struct{}
	once    sync.Once
}

func newBase(heavy int, log *slog.Logger) *base {
	return &base{heavy: newGate(heavy), brief: newGate(1), longest: 5 * time.Second, log: log,
		opens: newLimiter(openPace), botOpens: newLimiter(botPace), files: newLimiter(bringPace),
		streams: map[string]int{}, closing: make(chan struct{})}
}

// The most streams that are open.
const (
	maxStreams = 10_000
	maxEach    = 5_000 // to one address
)

// stream counts a stream to an address in, or reports that there are too many.
func (s *base) stream(address string) (leave func(), err error) {
	if s.openStreams() >= maxStreams {
		return nil, busy("too many streams are open", 10)
	}
	s.streamMu.Lock()
	defer s.streamMu.Unlock()
	if s.streams[address] >= maxEach {
		return nil, busy("too many streams are open from one address", 10)
	}
	s.streams[address]++
	return func() {
		s.streamMu.Lock()
		defer s.streamMu.Unlock()
		if s.streams[address]--; s.streams[address] == 0 {
			delete(s.streams, address)
		}
	}, nil
}

// openStreams returns how many streams are open.
func (s *base) openStreams() int {
	s.streamMu.Lock()
	defer s.streamMu.Unlock()
	n := 0
	for _, each := range s.streams {
		n += each
	}
	return n
}

// isClosing reports whether the server is on its way out.
func (s *base) isClosing() bool {
	select {
	case <-s.closing:
		return true
	default:
		return false
	}
}

// failed turns a store's error into the problem that is answered.
func (s *base) failed(err error, what string) error {
	if errors.Is(err, s.errs.notFound) {
		return refuse(404, what)
	}
	s.log.Error("store", "reason", err)
	if s.errs.damaged != nil && errors.Is(err, s.errs.damaged) {
		return refuse(503, "what the server keeps of it is damaged; its operator can say more")
	}
	return refuse(503, "the server can't reach its store; nothing was changed")
}

// shut ends all streams, the first time that it is called, and does then what else is to end.
func (s *base) shut(then func()) {
	s.once.Do(func() {
		close(s.closing)
		then()
	})
}
