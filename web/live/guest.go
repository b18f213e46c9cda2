package live

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"oxo"
	"oxo/lab"
	"oxo/web/service"
)

// Times of the games that connected bots play in tournaments.
const (
	acceptWait = 20 * time.Second       // for a challenge to be answered
	comeBack   = 100 * time.Millisecond // between looks for a bot that is away
)

// guest is a connected bot at one game of a tournament. The server
// plays the other side there, and chance, as the tournament has it.
// Choose, End and Close are called by the goroutine that plays the game, which alone uses ply.
type guest struct {
	*Game
	name string
	side oxo.Seat
	ply  int // how many there were when the tournament looked last
	rest func(context.Context) func()
}

// Invite challenges a connected bot to a game of a tournament, and waits for it to
// accept. Whenever it waits for the bot it has called whileWaiting, and what that returns after.
// It fails where the bot declines, does not answer within acceptWait, or ctx is done; no game of it is left open.
func (h *Lobby) Invite(ctx context.Context, tournament, bot string, g lab.GuestGame,
	whileWaiting func(context.Context) (resume func())) (lab.Guest, error) {
	if h.Count() >= h.mostGames {
		return nil, errors.New("the server has too many games")
	}
	t := &Game{id: service.NewID(), lobby: h, version: firstVersion}
	t.gameRecord = gameRecord{Game: g.Game, Position: g.Position, Seed: rand.Uint64() >> 11, Maker: g.Seat.Other(),
		To:    bot,
		Terms: &Terms{BankMS: g.Own.Milliseconds(), IncrementMS: g.Increment.Milliseconds()}, State: StateOpen,
		Made: time.Now(), Contest: tournament}
	t.Seats[t.Maker].Name = "tournament"
	t.clock = newClock(*t.Terms)
	if err := t.replayMoves(nil); err != nil {
		return nil, err
	}
	// It watches before anybody can see the game, so that no answer is missed.
	changes, leave := t.watchAsPresent(service.Identity{})
	defer leave()
	if err := h.storeAndAnnounce(t); err != nil {
		return nil, err
	}
	seated := &guest{Game: t, name: bot, side: g.Seat, rest: whileWaiting}
	tooLate := time.After(acceptWait)
	for late := false; ; {
		t.mu.Lock()
		accepted, state, reason := t.Seats[g.Seat].Bot != "", t.State, t.Reason
		t.mu.Unlock()
		switch {
		case accepted: // it may even have moved already
			return seated, nil
		case state == StateOver:
			return nil, errors.New(reason)
		case late:
			return nil, errors.Join(fmt.Errorf("%s did not accept within %v", bot, acceptWait), seated.Close())
		}
		select {
		case <-changes:
		case <-tooLate:
			late = true
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), seated.Close())
		}
	}
}

// Await waits for a bot to be connected, or says that it is not: at once, unless it is patient.
// A patient one waits for Grace at most.
func (h *Lobby) Await(ctx context.Context, bot string, patient bool) error {
	begin := time.Now()
	tick := time.Tick(comeBack)
	for !h.Listens(bot) {
		if !patient || time.Since(begin) >= Grace {
			return fmt.Errorf("%s is not connected", bot)
		}
		select {
		case <-tick:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Choose tells the bot the moves of the other side and waits for its own. The
// game's clock says when its time is up.
// Own and other are what the two clocks show by the tournament's account, which the game's clock is set to. It
// returns the move, empty where the bot resigns, and the time that the game's clock has charged for it. An error
// of type overtime is a loss on time; any other one is a fault of the bot, the store's, or that of ctx.
func (g *guest) Choose(ctx context.Context, since []string, own, other time.Duration) (
	move string, used time.Duration, err error) {
	defer g.rest(ctx)()
	changes, leave := g.watchAsPresent(service.Identity{})
	defer leave()
	g.mu.Lock()
	// Otherwise the game is over, or the bot has moved already.
	if g.State == StatePlaying && len(g.seats) == g.ply {
		g.clock.left[g.side], g.clock.left[g.side.Other()] = own, other
		err = g.playHouseMoves(since)
	}
	g.ply += len(since)
	g.mu.Unlock()
	for err == nil {
		var a replied
		if a, err = g.checkReply(); a.done {
			g.ply++
			return a.move, own + g.clock.increment - a.left, err
		}
		select {
		case <-changes:
		case <-time.After(a.wait):
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return "", 0, err
}

// replied is what a bot has done when it was its turn, if it is done.
type replied struct {
	done bool
	move string        // none where it has resigned
	left time.Duration // on its clock after the move
	wait time.Duration // where it is not done: when to look again
}

// checkReply looks for what the bot has done since it was its turn. The error says
// how it has lost.
// A bot that has no stream open for Grace has left, which ends the game here.
func (g *guest) checkReply() (replied, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	left := g.clock.left[g.side]
	switch {
	case len(g.seats) > g.ply:
		return replied{done: true, move: g.currentShownState().moves[g.ply], left: left}, nil
	case g.State == StateOver && g.Termination == oxo.EndResigned:
		return replied{done: true, left: left}, nil
	case g.State == StateOver && g.Termination == oxo.EndTime:
		return replied{done: true}, overtime{g.name + " has run out of time"}
	case g.State == StateOver:
		return replied{done: true}, fmt.Errorf("%s: %s", g.name, g.Reason)
	case g.present[g.side] > 0:
		return replied{wait: Grace}, nil
	}
	if wait := Grace - time.Since(g.seen[g.side]); wait > 0 {
		return replied{wait: wait}, nil
	}
	gone := g.name + " has left"
	return replied{done: true}, errors.Join(errors.New(gone),
		g.end(oxo.WinFor(g.side.Other()).String(), oxo.EndAbandoned, gone))
}

// overtime is the fault of a bot whose clock has run out.
type overtime struct{ reason string }

// Error implements error; by Termination the referee knows how the game ended.
func (o overtime) Error() string       { return o.reason }
func (o overtime) Termination() string { return oxo.EndTime }

// playHouseMoves plays moves of the side that the server plays itself, and of chance.
// The caller holds the game's lock.
// Afterwards the clock of whoever is to move runs. Moves that were kept before an error stay.
func (t *Game) playHouseMoves(moves []string) error {
	now := time.Now()
	for _, m := range moves {
		turn := t.currentShownState().state.Turn
		if err := t.play.Move(m); err != nil {
			return err
		}
		t.clock.running = false
		if err := t.storeLastMove(turn); err != nil {
			return err
		}
	}
	if t.State == StatePlaying {
		t.proceedAfterMove(now)
		t.markChanged()
	}
	return nil
}

// End tells the bot how its game ended.
// The moves since are those that the bot has not seen. That the end can't be kept is logged alone.
func (g *guest) End(since []string, result, termination, reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var err error
	if g.State == StatePlaying {
		err = g.playHouseMoves(since)
	}
	if g.State == StatePlaying && err == nil {
		err = g.end(result, termination, reason)
	}
	if err != nil {
		g.lobby.Log.Error("the end of a tournament's game was not kept", "id", g.id, "reason", err)
	}
}

// Close breaks the game off where it has not ended: it will be played anew.
// When the server closes, the next one does so.
// It may be called at any time, also after End.
func (g *guest) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.State == StateOver || g.lobby.IsClosing() {
		return nil
	}
	return g.breakOff()
}

// breakOff ends a game of a tournament that goes on with a new one.
// It has no winner, and its moves stay in the store.
func (t *Game) breakOff() error {
	return t.end("*", oxo.EndAbandoned, "the tournament was interrupted; the game is played anew when it goes on")
}
