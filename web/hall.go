package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"oxo"
)

// Store keeps what must outlive the server. A method that writes returns when
// the write is durable.
type Store interface {
	AddGame(id, state string, doc []byte) error
	SaveGame(id, state string, doc []byte) error
	AddMove(id string, ply int, move string, first, second time.Duration) error
	Game(ctx context.Context, id string) (doc []byte, moves []string, clocks [2]time.Duration, err error)
	Games(ctx context.Context, state string, limit int) (ids []string, err error)

	AddBot(name, id string, hash []byte, scopes string) error
	AddToken(bot, id string, hash []byte, scopes string) error
	Token(ctx context.Context, hash []byte) (bot, scopes string, err error)
	Revoke(bot, id string) error

	// Files that people bring are kept by kind and by a name that follows from
	// their content; doc is JSON that says what they are.
	AddFile(kind, name string, doc, data []byte) error
	File(ctx context.Context, kind, name string) (doc, data []byte, err error)
	Files(ctx context.Context, kind string, limit int) (docs [][]byte, err error)

	JobStore

	Ping(ctx context.Context) error

	// Size is how many bytes all of it takes.
	Size(ctx context.Context) (bytes int64, err error)
}

// storeErrors are what a store wraps where something is not there, where a name is
// taken, and where what is there is not what was written.
type storeErrors struct{ notFound, taken, damaged error }

// The most that a hall holds.
const (
	usualTables = 50_000
	maxStreams  = 10_000
	maxEach     = 5_000 // streams to one address
)

// hall is where tables stand: all games that are open or being played, and the
// bots that listen.
type hall struct {
	store  Store
	errs   storeErrors
	opened *shelf
	log    *slog.Logger
	tokens tokens

	mostTables int
	most       int64       // bytes in the store from which on nothing new is opened; 0 for any number
	wasFull    atomic.Bool // when it was last asked

	mu      sync.Mutex // may be taken while a table's is held, never the other way round
	tables  map[string]*table
	bots    map[string]*botRoom
	streams map[string]int // by address
	told    int64          // the version of the last event of all

	closing chan struct{}
	once    sync.Once
}

// botRoom is what a bot with games or listeners has in the hall.
type botRoom struct {
	listeners map[chan *BotEvent]struct{}
	tables    map[string]struct{} // ids of its games and challenges
	version   int64               // of the last event, 0 before the first
	until     time.Time           // till when it counts as connected after a poll
}

func newHall(store Store, errs storeErrors, opened *shelf, log *slog.Logger) *hall {
	return &hall{store: store, errs: errs, opened: opened, log: log,
		mostTables: usualTables, tables: map[string]*table{}, bots: map[string]*botRoom{}, streams: map[string]int{}, told: time.Now().UnixMilli(), closing: make(chan struct{})}
}

// resume takes up the games that were open or being played. Their clocks go on
// from what they showed after the last move.
func (h *hall) resume(ctx context.Context) error {
	for _, state := range []string{stateOpen, statePlaying} {
		ids, err := h.store.Games(ctx, state, h.mostTables)
		if err != nil {
			return err
		}
		for _, id := range ids {
			t, err := h.load(ctx, id)
			if err != nil {
				h.log.Error("a game can't be resumed", "id", id, "reason", err)
				continue
			}
			h.add(t)
			if err := t.resume(); err != nil {
				return err
			}
		}
	}
	return nil
}

// load reads a game from the store.
func (h *hall) load(ctx context.Context, id string) (*table, error) {
	doc, moves, clocks, err := h.store.Game(ctx, id)
	if err != nil {
		return nil, err
	}
	t := &table{id: id, hall: h, watchers: map[chan struct{}]struct{}{}}
	if err := json.Unmarshal(doc, &t.paper); err != nil {
		return nil, fmt.Errorf("game %q: %w", id, err)
	}
	if err := t.set(moves); err != nil {
		return nil, fmt.Errorf("game %q: %w", id, err)
	}
	if t.Terms != nil {
		t.clock = newClock(*t.Terms)
		if len(moves) > 0 {
			t.clock.left = clocks
		}
		if t.Termination == oxo.EndTime {
			t.clock.left[seatNamed(t.Result).Other()] = 0
		}
	}
	return t, nil
}

// table returns the game of that id: one in the hall, or a finished one from
// the store.
func (h *hall) table(ctx context.Context, id string) (*table, error) {
	h.mu.Lock()
	t, ok := h.tables[id]
	h.mu.Unlock()
	if ok {
		return t, nil
	}
	return h.load(ctx, id)
}

// add puts a table into the hall.
func (h *hall) add(t *table) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tables[t.id] = t
	for _, name := range t.parties() {
		h.room(name).tables[t.id] = struct{}{}
	}
}

// place puts a new table into the store and the hall, and tells those whom it
// is for.
func (h *hall) place(t *table) error {
	doc, err := json.Marshal(t.paper)
	if err != nil {
		return err
	}
	if err := h.store.AddGame(t.id, t.State, doc); err != nil {
		return h.failed(err, "")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	h.add(t)
	t.setAlarm()
	t.tell(EventChallenge)
	return nil
}

// remove takes a finished table out of the hall. Those who watch keep it.
func (h *hall) remove(t *table) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.tables, t.id)
	for _, name := range t.parties() {
		delete(h.room(name).tables, t.id)
		h.tidy(name)
	}
}

// room returns a bot's room. The caller holds h.mu.
func (h *hall) room(bot string) *botRoom {
	r, ok := h.bots[bot]
	if !ok {
		r = &botRoom{listeners: map[chan *BotEvent]struct{}{}, tables: map[string]struct{}{}}
		h.bots[bot] = r
	}
	return r
}

// tidy forgets an empty room. The caller holds h.mu.
func (h *hall) tidy(bot string) {
	if r := h.bots[bot]; r != nil && len(r.listeners)+len(r.tables) == 0 && !time.Now().Before(r.until) {
		delete(h.bots, bot)
	}
}

// tell sends an event to a bot's listeners. One that does not keep up is hung
// up on: it will connect again and be told how things stand.
func (h *hall) tell(bot string, e *BotEvent) {
	if bot == "" {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.bots[bot]
	if r == nil {
		return
	}
	h.told++
	r.version = h.told
	for c := range r.listeners {
		select {
		case c <- e:
		default:
			delete(r.listeners, c)
			close(c)
		}
	}
}

// eventQueue is how many events a listener may be behind.
const eventQueue = 1024

// listen connects a listener of a bot's and returns the ids of its games and
// challenges as of then.
func (h *hall) listen(bot string) (events chan *BotEvent, ids []string, leave func()) {
	events = make(chan *BotEvent, eventQueue)
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.room(bot)
	r.listeners[events] = struct{}{}
	for id := range r.tables {
		ids = append(ids, id)
	}
	return events, ids, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(r.listeners, events)
		h.tidy(bot)
	}
}

// news returns the version of what a bot was told last, and the ids of its
// games and challenges.
func (h *hall) news(bot string) (version int64, ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.bots[bot]
	if r == nil {
		return 0, nil
	}
	for id := range r.tables {
		ids = append(ids, id)
	}
	return r.version, ids
}

// linger has a bot count as connected for a while.
func (h *hall) linger(bot string, d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.room(bot).until = time.Now().Add(d)
	time.AfterFunc(d, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.tidy(bot)
	})
}

// listening returns the bots that listen.
func (h *hall) listening() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	names := []string{}
	for name, r := range h.bots {
		if len(r.listeners) > 0 || time.Now().Before(r.until) {
			names = append(names, name)
		}
	}
	return names
}

// listens reports whether a bot listens.
func (h *hall) listens(bot string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.bots[bot]
	return r != nil && (len(r.listeners) > 0 || time.Now().Before(r.until))
}

// count returns how many tables there are.
func (h *hall) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.tables)
}

// all returns the tables in the hall.
func (h *hall) all() []*table {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]*table, 0, len(h.tables))
	for _, t := range h.tables {
		list = append(list, t)
	}
	return list
}

// stream counts a stream to an address in, or reports that there are too many.
func (h *hall) stream(address string) (leave func(), err error) {
	if h.openStreams() >= maxStreams {
		return nil, busy("too many streams are open", 10)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.streams[address] >= maxEach {
		return nil, busy("too many streams are open from one address", 10)
	}
	h.streams[address]++
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.streams[address]--; h.streams[address] == 0 {
			delete(h.streams, address)
		}
	}, nil
}

// close ends all streams and stops all alarms. What was accepted is in the
// store.
func (h *hall) close() {
	h.once.Do(func() {
		close(h.closing)
		for _, t := range h.all() {
			t.mu.Lock()
			t.hush()
			t.mu.Unlock()
		}
	})
}

// isClosing reports whether the server is on its way out.
func (h *hall) isClosing() bool {
	select {
	case <-h.closing:
		return true
	default:
		return false
	}
}

// failed turns a store's error into the problem that is answered.
func (h *hall) failed(err error, what string) error {
	if errors.Is(err, h.errs.notFound) {
		return refuse(404, what)
	}
	h.log.Error("store", "reason", err)
	if h.errs.damaged != nil && errors.Is(err, h.errs.damaged) {
		return refuse(503, "what the server keeps of it is damaged; its operator can say more")
	}
	return refuse(503, "the server can't reach its store; nothing was changed")
}

// openStreams returns how many streams are open.
func (h *hall) openStreams() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, each := range h.streams {
		n += each
	}
	return n
}
