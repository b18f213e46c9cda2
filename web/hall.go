package web

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"oxo"
)

// The most that a hall holds.
const (
	usualTables = 50_000
)

// hall is where tables stand: all games that are open or being played, and the
// bots that listen.
type hall struct {
	*base
	mostTables int

	mu     sync.Mutex // may be taken while a table's is held, never the other way round
	tables map[string]*table
	bots   map[string]*botRoom
	told   int64 // the version of the last event of all
}

// botRoom is what a bot with games or listeners has in the hall.
type botRoom struct {
	listeners map[chan *BotEvent]struct{}
	tables    map[string]struct{} // ids of its games and challenges
	version   int64               // of the last event, 0 before the first
	until     time.Time           // till when it counts as connected after a poll
}

func newHall(b *base, most int) *hall {
	return &hall{base: b, mostTables: cmp.Or(most, usualTables), tables: map[string]*table{}, bots: map[string]*botRoom{}, told: time.Now().UnixMilli()}
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

// Listens reports whether a bot listens.
func (h *hall) Listens(bot string) bool {
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

// close ends all streams and stops all alarms. What was accepted is in the
// store.
func (h *hall) close() {
	h.shut(func() {
		for _, t := range h.all() {
			t.mu.Lock()
			t.hush()
			t.mu.Unlock()
		}
	})
}

// register registers the operations about games between visitors, and bots.
func (h *hall) register() {
	(&sessions{h}).register()
	(&sessions{h}).playing()
	(&bots{h}).botting()
}

// CallOff ends a game that is open or being played, as the operator wishes.
func (h *hall) CallOff(id string) error {
	t, err := h.table(context.Background(), id)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.State == stateOver {
		return errors.New("the game is over")
	}
	return t.end("*", oxo.EndAbandoned, "the operator called the game off")
}
