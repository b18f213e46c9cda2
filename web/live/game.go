package live

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"oxo"
	"oxo/lab"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// The states of a game.
const (
	StateOpen    = "open"    // waits for the other side
	StatePlaying = "playing" // begun
	StateOver    = "over"
)

// gameRecord is what is kept of a game beside its moves.
// Its JSON is the document in the store, which is written whole whenever something in it changes; the moves are
// kept one by one beside it. Seats, and what is in the order of seats, have First at 0 and Second at 1.
type gameRecord struct {
	Game        string        `json:"game"`
	Position    string        `json:"position,omitempty"` // where play begins, if not at the start
	Seed        uint64        `json:"seed"`               // of chance
	Terms       *Terms        `json:"clock,omitempty"`
	Seats       [2]seatHolder `json:"seats"`
	Maker       oxo.Seat      `json:"maker"`            // the seat of who opened the game
	Invite      []byte        `json:"invite,omitempty"` // hash of the secret that lets the other side in
	To          string        `json:"to,omitempty"`     // the bot that is challenged
	Public      bool          `json:"public,omitempty"` // anybody may accept
	State       string        `json:"state"`
	Result      string        `json:"result,omitempty"`
	Termination string        `json:"termination,omitempty"`
	Reason      string        `json:"reason,omitempty"`
	Made        time.Time     `json:"made"`
	Offer       *offer        `json:"offer,omitempty"`      // the latest of a draw
	Takeback    *offer        `json:"takeback,omitempty"`   // the latest request of one
	TakenBack   int           `json:"taken_back,omitempty"` // how many times moves were taken back
	Contest     string        `json:"contest,omitempty"`    // the job of the tournament that it is part of
	Next        string        `json:"next,omitempty"`       // the game that one side has opened for both after it
	// what the clocks showed at the end
	Left *[2]time.Duration `json:"left,omitempty"`
}

// seatHolder is who has a seat: a bot, or whoever has the key.
// A seat that has neither bot nor key is free, or the server's own in a tournament's game.
type seatHolder struct {
	Name string `json:"name"`
	Bot  string `json:"bot,omitempty"`
	// when the bot was made, as in [service.Identity]; in games kept without, minus the time by which it was
	Since int64  `json:"bot_made,omitempty"`
	Key   []byte `json:"key,omitempty"`  // hash
	From  string `json:"from,omitempty"` // the address that it was taken from, for the operator alone
}

// Game is a game between two sides that reach it over the network. Once others can see it, its methods are called
// with its lock held, but for those that take it themselves: resume, watchAsPresent, handleTimeout, eventFor and
// those of a guest. It may be held while the lobby's lock is taken, never the other way round.
type Game struct {
	id    string
	lobby *Lobby

	// What follows is guarded by mu, but the watchers, which have their own lock.
	mu sync.Mutex
	gameRecord
	play     lab.Session
	from     string      // the position that play began from
	seats    []string    // who made each move: first, second or chance
	face     *shownState // as it was shown last
	clock    *clock      // nil without clocks
	begun    time.Time
	present  [2]int       // streams of each side
	seen     [2]time.Time // when a side that has none was here last
	timer    *time.Timer
	version  int
	watchers service.Watchers

	spectators int // streams of those without a seat
}

// replayMoves replays moves from where play begins.
// It opens the session anew, from nothing; the error of a move that is refused names its ply. Both sides are
// people as far as the session goes, so that it waits for each.
func (t *Game) replayMoves(moves []string) error {
	play, err := t.lobby.Games.NewSession(t.Game, t.Position, t.Seed)
	if err != nil {
		return err
	}
	t.play, t.from, t.seats = play, play.State().Position, nil
	for i, m := range moves {
		turn := t.play.State().Turn
		if err := t.play.Move(m); err != nil {
			return fmt.Errorf("ply %d: %w", i, err)
		}
		t.seats = append(t.seats, turn)
	}
	return nil
}

// resume takes up a game after the server's restart. One of a tournament is
// played anew.
// It is called once, when the game is in the lobby. Nobody is taken to have left while the server was away.
func (t *Game) resume() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now()
	t.begun, t.seen, t.version = now, [2]time.Time{now, now}, firstVersion
	if t.Made.After(now) { // by a clock that was put back since
		t.Made = now
	}
	switch {
	case t.Contest != "":
		return t.breakOff()
	case t.State == StatePlaying:
		t.proceedAfterMove(now)
	default:
		t.setTimer()
	}
	return nil
}

// save writes the record down.
// It is durable when save returns. The error is the store's own.
func (t *Game) save() error {
	doc, err := json.Marshal(t.gameRecord)
	if err != nil {
		return err
	}
	return t.lobby.Store.SaveGame(t.id, t.State, doc)
}

// participatingBots are the bots that have to do with the game.
// A challenged bot is one also before it has accepted; people have no names here.
func (t *Game) participatingBots() []string {
	var names []string
	for _, name := range []string{t.Seats[0].Bot, t.Seats[1].Bot, t.To} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// begin seats the other side and starts the game.
// The invitation is used up. Where the store fails the game stays open.
func (t *Game) begin(other seatHolder) error {
	before := t.gameRecord
	t.Seats[t.Maker.Other()] = other
	t.State, t.Invite = StatePlaying, nil
	if err := t.save(); err != nil {
		t.gameRecord = before
		return t.lobby.StoreProblem(err, "")
	}
	now := time.Now()
	t.begun, t.seen = now, [2]time.Time{now, now}
	t.lobby.add(t) // a bot that has come now has it in its room too
	t.sendEventToBots(EventGameStart)
	t.proceedAfterMove(now)
	t.markChanged()
	return nil
}

// sendEventToBots sends both sides, where they are bots, an event with the game as it
// stands.
// A challenged bot that has no seat yet is told too.
func (t *Game) sendEventToBots(kind string) {
	for side, s := range t.Seats {
		if s.Bot == "" {
			continue
		}
		t.lobby.sendEvent(s.Bot, &BotEvent{kind, oxo.Seat(side).String(),
			t.viewFor(service.Identity{Bot: s.Bot, Made: s.Since}, time.Now())})
	}
	if t.To != "" && t.Seats[t.Maker.Other()].Bot == "" {
		t.lobby.sendEvent(t.To, &BotEvent{kind, t.Maker.Other().String(), t.view(time.Now())})
	}
}

// move plays a side's move as the ply of that number.
// A move is in the store when nil is returned. One that is not legal is a problem of status
// 400, one out of turn of 409. Where it can't be kept the game stands as before, the clock too.
func (t *Game) move(side oxo.Seat, text string, ply int) error {
	now := time.Now()
	switch moves := t.currentShownState().moves; {
	case t.State == StateOpen:
		return service.NewProblem(409, "game.open")
	case ply < len(moves) && t.seats[ply] == side.String() && t.isSameMove(moves[:ply], text, moves[ply]):
		return nil // said again: it is played already
	case t.State == StateOver:
		return service.NewProblem(409, "game.over")
	case ply != len(moves):
		return service.NewProblem(409, "game.ply", "ply", len(moves), "not", ply)
	case t.currentShownState().state.Turn != side.String():
		return service.NewProblem(409, "seat.turn")
	case t.isTimeUp(now):
		return t.loseOnTimeAndRefuse()
	}
	if err := t.play.Move(text); err != nil {
		return huma.NewError(400, err.Error(),
			&huma.ErrorDetail{Message: err.Error(), Location: "body.move", Value: text})
	}
	if t.clock != nil {
		before := *t.clock
		t.clock.stopAfterMove(now)
		if err := t.storeLastMove(side.String()); err != nil {
			*t.clock = before
			return err
		}
	} else if err := t.storeLastMove(side.String()); err != nil {
		return err
	}
	t.seen[side] = now
	t.proceedAfterMove(now)
	t.markChanged()
	return nil
}

// isSameMove reports whether a move, said in whatever way, is the one played after
// the moves before it.
// A move has several spellings, so both are read and compared as they are written in records.
func (t *Game) isSameMove(before []string, text, played string) bool {
	s, err := t.lobby.Games.NewSession(t.Game, t.Position, t.Seed)
	for _, m := range append(before[:len(before):len(before)], text) {
		if err == nil {
			err = s.Move(m)
		}
	}
	if err != nil {
		return false
	}
	moves := s.Record().Moves
	return moves[len(moves)-1] == played
}

// storeLastMove makes the last move of t.play durable, or takes it back.
// It is kept with both clocks as they are then; mover says who made it, as in t.seats.
func (t *Game) storeLastMove(mover string) error {
	moves := t.play.Record().Moves
	ply := len(moves) - 1
	var left [2]time.Duration
	if t.clock != nil {
		left = t.clock.left
	}
	if err := t.lobby.Store.AddMove(t.id, ply, moves[ply], left[0], left[1]); err != nil {
		return errors.Join(t.lobby.StoreProblem(err, ""), t.replayMoves(moves[:ply]))
	}
	t.seats = append(t.seats, mover)
	return nil
}

// proceedAfterMove does what follows a move: chance acts, the game ends by its rules,
// the next clock starts.
// The caller has stopped the clocks. What can't be kept is tried again after StorePause, with the clocks at rest.
// In a game of a tournament it is the tournament that plays chance.
func (t *Game) proceedAfterMove(now time.Time) {
	for !t.play.Over() && t.currentShownState().state.Turn == oxo.Chance.String() && t.Contest == "" {
		if err := t.drawChance(); err != nil {
			t.lobby.Log.Error("chance can't move yet", "id", t.id, "reason", err)
			t.retryProceeding() // no clock runs meanwhile
			return
		}
	}
	switch s := t.currentShownState().state; {
	case t.play.Over():
		if err := t.end(s.Result, oxo.EndNormal, ""); err != nil {
			// The moves are kept: trying again, or a restart, ends it too.
			t.retryProceeding()
		}
	default:
		t.begun = now
		if turn := oxo.SeatNamed(s.Turn); t.clock != nil && turn != oxo.Chance && (t.bothMoved() || t.Contest != "") {
			t.clock.start(turn, now)
		}
		t.setTimer()
	}
}

// drawChance makes chance's move, drawn anew at each ply.
// The draw follows from the game's seed and the ply, so that a restart between drawing and keeping changes
// nothing.
func (t *Game) drawChance() error {
	s, err := t.lobby.Games.NewSession(t.Game, t.play.State().Position, service.PlySeed(t.Seed, len(t.seats)))
	if err != nil {
		return err
	}
	m, err := s.Step(context.Background()) // chance does not wait
	if err != nil {
		return err
	}
	if err := t.play.Move(m); err != nil {
		return err
	}
	return t.storeLastMove(oxo.Chance.String())
}

// bothMoved reports whether each side has made a move: from then on the clocks
// run.
// Until then the game can be called off.
func (t *Game) bothMoved() bool {
	return slices.Contains(t.seats, oxo.First.String()) && slices.Contains(t.seats, oxo.Second.String())
}

// end ends the game, or leaves it as it is where that can't be kept.
// The result is that of a record: first, second, draw or *; the termination is one of oxo's, the reason is for
// people. Whoever is told of the end finds it in the store. The game leaves the lobby.
func (t *Game) end(result, termination, reason string) error {
	before, kind := t.gameRecord, EventGameEnd
	switch {
	case t.State == StateOpen:
		kind = EventChallengeEnd
	case t.play.Over() && termination != oxo.EndNormal: // which could not be kept yet
		return service.NewProblem(409, "game.over")
	}
	t.State, t.Result, t.Termination, t.Reason = StateOver, result, termination, reason
	if t.clock != nil {
		t.Left = new(t.clock.remainingAtEnd(time.Now(), termination == oxo.EndTime))
	}
	if err := t.save(); err != nil {
		t.gameRecord = before
		return t.lobby.StoreProblem(err, "")
	}
	if t.clock != nil {
		t.clock.running, t.clock.left = false, *t.Left
	}
	t.stopTimer()
	t.markChanged()
	t.sendEventToBots(kind)
	t.lobby.remove(t)
	return nil
}

// resign gives the game up.
// It is possible at any time of a game that has begun, also out of turn.
func (t *Game) resign(side oxo.Seat) error {
	if t.State != StatePlaying {
		return service.NewProblem(409, "game.not-played")
	}
	return t.end(oxo.WinFor(side.Other()).String(), oxo.EndResigned, side.String()+" resigns")
}

// abort ends a game in which not both have moved, or withdraws an open one.
func (t *Game) abort(side oxo.Seat) error {
	switch {
	case t.State == StateOver:
		return service.NewProblem(409, "game.over")
	case t.State == StatePlaying && t.bothMoved():
		return service.NewProblem(409, "abort.moved")
	}
	return t.end("*", oxo.EndAbandoned, side.String()+" called the game off")
}

// claimAbandoned wins a game that the other side has left.
// Left is a side that has had no stream open for its grace; until then the refusal says how long to wait.
func (t *Game) claimAbandoned(side oxo.Seat) error {
	other := side.Other()
	switch {
	case t.State != StatePlaying:
		return service.NewProblem(409, "game.not-played")
	case t.present[other] > 0 || t.Contest != "":
		return service.NewProblem(409, "claim.here")
	}
	if wait := t.gracePeriod(other) - time.Since(t.seen[other]); wait > 0 {
		return service.NewProblem(409, "claim.wait", "n", int((wait+time.Second-1)/time.Second))
	}
	return t.end(oxo.WinFor(side).String(), oxo.EndAbandoned, other.String()+" has left")
}

// gracePeriod is for how long a side may be away before the other may claim the game. It grows with the clock.
// Without clocks people play a move now and then.
func (t *Game) gracePeriod(side oxo.Seat) time.Duration {
	switch {
	case t.Contest != "":
		return Grace
	case t.Terms != nil:
		return max(Grace, time.Duration(t.Terms.BankMS)*time.Millisecond/graceShare)
	case t.Seats[side].Bot == "":
		return LongGrace
	}
	return Grace
}

// watchAsPresent returns a channel that is told when something has changed. While a
// side watches, it is present.
// The caller does not hold the lock and calls leave when it has done. Several changes may be told as one.
func (t *Game) watchAsPresent(v service.Identity) (c chan struct{}, leave func()) {
	c, forget := t.watchers.Watch()
	t.mu.Lock()
	defer t.mu.Unlock()
	side, seated := t.seatOf(v)
	if seated {
		if t.present[side]++; t.present[side] == 1 {
			t.watchers.Notify()
		}
	}
	return c, func() {
		forget()
		t.mu.Lock()
		defer t.mu.Unlock()
		if !seated {
			return
		}
		if t.present[side]--; t.present[side] == 0 {
			t.seen[side] = time.Now()
			t.watchers.Notify()
		}
	}
}

// countSpectator counts who begins to follow the game without a seat, until leave is called. Nobody is told of it.
func countSpectator(t *Game, v service.Identity) (leave func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, seated := t.seatOf(v); seated {
		return func() {}
	}
	t.spectators++
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.spectators--
	}
}

// firstVersion is that of a game which has not changed yet. Games that are over and come from the store have 0, so that
// whoever knew one while it went on is told at once.
const firstVersion = 1

// markChanged says that the game stands differently.
// Each change has a version of its own, by which a reader knows whether there is something new.
func (t *Game) markChanged() {
	t.version++
	t.watchers.Notify()
}

// isHeldBy reports whether the seat is the visitor's.
// A bot has no key, so that a key opens no bot's seat; one that got the name of a bot that was removed is another.
// Hashes are compared in constant time.
func (h seatHolder) isHeldBy(v service.Identity) bool {
	if v.Bot != "" {
		return v.Bot == h.Bot && (v.Made == h.Since || h.Since < 0 && v.Made <= -h.Since)
	}
	return v.Key != nil && subtle.ConstantTimeCompare(v.Key, h.Key) == 1
}

// seatOf returns a visitor's seat. The caller holds the game's lock.
// Who has none is a spectator.
func (t *Game) seatOf(v service.Identity) (seat oxo.Seat, seated bool) {
	for side, h := range t.Seats {
		if h.isHeldBy(v) {
			return oxo.Seat(side), true
		}
	}
	return oxo.Chance, false
}
