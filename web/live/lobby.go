// Package live is games between visitors and connected bots: a [Lobby] holds those
// that are open or being played, each a [Game] with its clocks and timers, and its
// operations open, play and follow them. Tournaments invite connected bots here.
package live

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"oxo"
	"oxo/web/service"
)

// usualGames is how many games a lobby holds at most, unless it is told.
const usualGames = 50_000

// Lobby is where games stand: all games that are open or being played, and the
// bots that listen.
type Lobby struct {
	*service.Base
	// From so many games on none is opened; 0 is never here, as NewLobby has filled in the usual number.
	mostGames int

	next  sync.Mutex // of games that follow one another or are offered
	mu    sync.Mutex // may be taken while a game's is held, never the other way round
	games map[string]*Game
	// of those, the ids of the ones that are being played
	playing map[string]struct{}
	Rooms   map[string]*botRoom // of the bots with games or listeners, by name
	told    int64               // the version of the last event of all
	// by the ids of games that are over, until when each side counts as present there
	staying map[string][2]time.Time
	said    map[string]spoken // by the ids of games
}

// botRoom is what a bot with games or listeners has in the lobby.
// It is guarded by the lobby's lock, and forgotten when it is empty and its bot counts as connected no more.
type botRoom struct {
	listeners map[chan *BotEvent]struct{}
	games     map[string]struct{} // ids of its games and challenges
	version   int64               // of the last event, 0 before the first
	until     time.Time           // till when it counts as connected after a poll
}

// NewLobby makes an empty lobby for so many games, 0 for the usual number. Its store
// and streams are those of b.
// Versions begin with the time in milliseconds, so that a bot which knew one before a restart is told another.
func NewLobby(b *service.Base, most int) *Lobby {
	return &Lobby{Base: b, mostGames: cmp.Or(most, usualGames), games: map[string]*Game{},
		playing: map[string]struct{}{}, staying: map[string][2]time.Time{},
		said: map[string]spoken{}, Rooms: map[string]*botRoom{},
		told: time.Now().UnixMilli()}
}

// Resume takes up the games that were open or being played. Their clocks go on
// from what they showed after the last move.
// It is called once, before the server answers. A game that can't be read is logged and left as it is.
func (h *Lobby) Resume(ctx context.Context) error {
	for _, state := range []string{StateOpen, StatePlaying} {
		ids, err := h.Store.Games(ctx, state, h.mostGames)
		if err != nil {
			return err
		}
		for _, id := range ids {
			t, err := h.load(ctx, id)
			if err != nil {
				h.Log.Error("a game can't be resumed", "id", id, "reason", err)
				continue
			}
			h.add(t)
			if err := t.resume(); err != nil {
				return err
			}
		}
	}
	h.Log.Info("games taken up", "open", h.Count()-h.CountPlaying(), "playing", h.CountPlaying())
	return nil
}

// load reads a game from the store.
// It is a value of its own that is not in the lobby, without timer and without anybody present.
func (h *Lobby) load(ctx context.Context, id string) (*Game, error) {
	doc, moves, clocks, err := h.Store.Game(ctx, id)
	if err != nil {
		return nil, err
	}
	t := &Game{id: id, lobby: h}
	if err := json.Unmarshal(doc, &t.gameRecord); err != nil {
		return nil, fmt.Errorf("game %q: %w", id, err)
	}
	for i, h := range t.Seats {
		if h.Bot != "" && h.Since == 0 { // an older server's: it was made before the game
			t.Seats[i].Since = -t.Made.UnixMilli()
		}
	}
	if err := t.replayMoves(moves); err != nil {
		return nil, fmt.Errorf("game %q: %w", id, err)
	}
	if t.Terms != nil {
		t.clock = newClock(*t.Terms)
		switch {
		case t.Left != nil:
			t.clock.left = *t.Left
		case len(moves) > 0:
			t.clock.left = clocks[len(moves)-1]
		}
	}
	return t, nil
}

// Find returns the game of that id: one in the lobby, or a finished one from
// the store.
// Finished ones are read anew at each call. The error is the store's, also where there is none of that id.
func (h *Lobby) Find(ctx context.Context, id string) (*Game, error) {
	h.mu.Lock()
	t, ok := h.games[id]
	h.mu.Unlock()
	if ok {
		return t, nil
	}
	return h.load(ctx, id)
}

// add puts a game into the lobby.
// One that is there already may be added again, when more bots have come to have to do with it.
func (h *Lobby) add(t *Game) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.games[t.id] = t
	if t.State == StatePlaying {
		h.playing[t.id] = struct{}{}
	}
	for _, name := range t.participatingBots() {
		h.getOrCreateRoom(name).games[t.id] = struct{}{}
	}
}

// storeAndAnnounce puts a new game into the store and the lobby, and tells those whom it
// is for.
// The caller does not hold the game's lock. Where the store fails, the error is a problem and nothing has
// changed.
func (h *Lobby) storeAndAnnounce(t *Game) error {
	doc, err := json.Marshal(t.gameRecord)
	if err != nil {
		return err
	}
	if err := h.Store.AddGame(t.id, t.State, doc); err != nil {
		return h.StoreProblem(err, "")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	h.add(t)
	t.setTimer()
	t.sendEventToBots(EventChallenge)
	return nil
}

// remove takes a finished game out of the lobby. Those who watch keep it.
func (h *Lobby) remove(t *Game) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.games, t.id)
	delete(h.playing, t.id)
	for _, name := range t.participatingBots() {
		delete(h.getOrCreateRoom(name).games, t.id)
		h.forgetEmptyRoom(name)
	}
}

// getOrCreateRoom returns a bot's room. The caller holds h.mu.
// It is made where there is none.
func (h *Lobby) getOrCreateRoom(bot string) *botRoom {
	r, ok := h.Rooms[bot]
	if !ok {
		r = &botRoom{listeners: map[chan *BotEvent]struct{}{}, games: map[string]struct{}{}}
		h.Rooms[bot] = r
	}
	return r
}

// forgetEmptyRoom forgets an empty room. The caller holds h.mu.
func (h *Lobby) forgetEmptyRoom(bot string) {
	if r := h.Rooms[bot]; r != nil && len(r.listeners)+len(r.games) == 0 && !time.Now().Before(r.until) {
		delete(h.Rooms, bot)
	}
}

// sendEvent sends an event to a bot's listeners. One that does not keep up is hung
// up on: it will connect again and be told how things stand.
// It never waits. All listeners share the event, which must not be changed. The version is another one even where
// nobody listens, for those that poll.
func (h *Lobby) sendEvent(bot string, e *BotEvent) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.Rooms[bot]
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

// offersEach is how many games an address elsewhere may have open for everybody, and how many for one bot.
const offersEach = 8

// checkOpenOffers is an error where as many games like a new one, which is for everybody or for a bot, are open from
// the same address as may be, as each takes a place in the list that others look at.
// The caller holds the lock next, and no game's.
func (h *Lobby) checkOpenOffers(t *Game) error {
	from, n := t.Seats[t.Maker].From, 0
	if service.IsLoopback(from) {
		return nil
	}
	for _, o := range h.All() {
		o.mu.Lock()
		if o.State == StateOpen && o.Public == t.Public && o.To == t.To && o.Seats[o.Maker].From == from {
			n++
		}
		o.mu.Unlock()
	}
	switch {
	case n < offersEach:
		return nil
	case t.Public:
		return service.BusyProblem("offers.public", 60, "n", n)
	}
	return service.BusyProblem("offers.bot", 60, "n", n, "bot", t.To)
}

// listen connects a listener of a bot's and returns the ids of its games and
// challenges as of then.
// The channel is closed where the listener falls too far behind; leave does not close it. The ids have no order.
func (h *Lobby) listen(bot string) (events chan *BotEvent, ids []string, leave func()) {
	events = make(chan *BotEvent, eventQueue)
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.getOrCreateRoom(bot)
	r.listeners[events] = struct{}{}
	return events, slices.Collect(maps.Keys(r.games)), func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(r.listeners, events)
		h.forgetEmptyRoom(bot)
	}
}

// versionAndGameIDs returns the version of what a bot was told last, and the ids of its
// games and challenges.
// Both are as of the same moment. A bot without a room has version 0 and no games.
func (h *Lobby) versionAndGameIDs(bot string) (version int64, ids []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.Rooms[bot]
	if r == nil {
		return 0, nil
	}
	return r.version, slices.Collect(maps.Keys(r.games))
}

// HangUp ends the streams of a bot that is turned away, by its name in whatever case, and what it waits for: it counts
// as connected, and as present in its games, no more.
func (h *Lobby) HangUp(bot string) {
	for _, t := range h.hangUp(bot) {
		t.watchers.Notify() // whoever watches looks at whether it may
	}
}

// hangUp ends the streams of a bot's events and returns its games and challenges.
func (h *Lobby) hangUp(bot string) (games []*Game) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, r := range h.Rooms {
		if !strings.EqualFold(name, bot) {
			continue
		}
		for c := range r.listeners {
			delete(r.listeners, c)
			close(c)
		}
		r.until = time.Time{}
		for id := range r.games {
			games = append(games, h.games[id])
		}
		h.forgetEmptyRoom(name)
	}
	return games
}

// RemoveBot ends the streams and the games of a bot that is there no more, by its name in whatever case. It loses
// those that are being played. The error is that of games whose end can't be kept.
func (h *Lobby) RemoveBot(bot string) (ended int, err error) {
	for _, t := range h.hangUp(bot) {
		t.mu.Lock()
		result := "*"
		for side, seat := range t.Seats {
			if t.State == StatePlaying && strings.EqualFold(seat.Bot, bot) {
				result = oxo.WinFor(oxo.Seat(side).Other()).String()
			}
		}
		if t.State != StateOver {
			ended++
			err = errors.Join(err, t.end(result, oxo.EndAbandoned, "the operator removed the bot "+bot))
		}
		t.mu.Unlock()
	}
	return ended, err
}

// keepConnected has a bot count as connected for a while.
// A later call counts in place of those before.
func (h *Lobby) keepConnected(bot string, d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.getOrCreateRoom(bot).until = time.Now().Add(d)
	time.AfterFunc(d, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.forgetEmptyRoom(bot)
	})
}

// stay has a side of a game that is over count as present there for Lingers.
func (h *Lobby) stay(id string, side oxo.Seat) {
	h.mu.Lock()
	defer h.mu.Unlock()
	until := h.staying[id]
	until[side] = time.Now().Add(Lingers)
	h.staying[id] = until
	time.AfterFunc(Lingers, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.staying[id] == until {
			delete(h.staying, id)
		}
	})
}

// stays reports whether a side of a game that is over counts as present there.
func (h *Lobby) stays(id string, side oxo.Seat) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return time.Now().Before(h.staying[id][side])
}

// ListeningBots returns the bots that listen.
// They have no order. Those that have polled a short while ago are among them.
func (h *Lobby) ListeningBots() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	names := []string{}
	for name, r := range h.Rooms {
		if len(r.listeners) > 0 || time.Now().Before(r.until) {
			names = append(names, name)
		}
	}
	return names
}

// Listens reports whether a bot listens.
// One that has polled within Lingers does.
func (h *Lobby) Listens(bot string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.Rooms[bot]
	return r != nil && (len(r.listeners) > 0 || time.Now().Before(r.until))
}

// Count returns how many games there are.
func (h *Lobby) Count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.games)
}

// CountPlaying returns how many of them are being played.
func (h *Lobby) CountPlaying() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.playing)
}

// All returns the games in the lobby.
// They have no order, and each may be over by the time that it is looked at.
func (h *Lobby) All() []*Game {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Values(h.games))
}

// Close ends all streams and stops all timers. What was accepted is in the
// store.
// It may be called more than once. After a restart clocks go on from what they showed after the last move.
func (h *Lobby) Close() {
	h.ShutOnce(func() {
		for _, t := range h.All() {
			t.mu.Lock()
			t.stopTimer()
			t.mu.Unlock()
		}
	})
}

// Register registers the operations about games between visitors, and bots.
func (h *Lobby) Register() {
	(&sessions{h}).register()
	(&sessions{h}).registerPlaying()
	(&bots{h}).registerBots()
}

// CallOff ends a game that is open or being played, as the operator wishes.
// One that is over is an error, as is one that the store does not have. The game has no winner.
func (h *Lobby) CallOff(id string) error {
	t, err := h.Find(context.Background(), id)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.State == StateOver {
		return errors.New("the game is over")
	}
	return t.end("*", oxo.EndAbandoned, "the operator called the game off")
}
