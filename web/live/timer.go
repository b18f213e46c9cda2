package live

import (
	"time"

	"oxo"
	"oxo/web/service"
)

// Rules of time beside the clocks.
const (
	OpenFor        = 24 * time.Hour      // an invitation is good for
	FirstMoveLimit = time.Minute         // for each side's first move, where there are clocks
	FriendsLimit   = 5 * time.Minute     // for the same between people who did not meet by chance
	IdleLimit      = 14 * 24 * time.Hour // for a move, where there are none
	Grace          = 30 * time.Second    // after which a game that somebody left can be claimed at the earliest
	graceShare     = 10                  // the part of the time on a clock at first that is one's grace, if more
	LongGrace      = 24 * time.Hour      // after which one that a person left can, where there are no clocks
	StorePause     = time.Second         // after which what could not be kept is tried again
)

// nextTimeout returns when the game changes by itself, if it will.
// A game that is over never does. The timer may be set for something else; what this says counts.
func (t *Game) nextTimeout() (at time.Time, ok bool) {
	switch {
	case t.State == StateOpen:
		return t.Made.Add(OpenFor), true
	case t.State == StateOver:
		return at, false
	case t.clock == nil || t.Contest != "" && t.clock.side == t.Maker:
		return t.begun.Add(IdleLimit), true // the tournament looks at its own side's clock
	case t.clock.running:
		return t.clock.deadline(), true
	}
	return t.begun.Add(firstMoves{t}.limit()), true
}

// firstMoves are those of a game's sides, which end it where they are missing.
// The caller of its methods holds the game's lock.
type firstMoves struct{ *Game }

// limit is how long each side may take for its first move, where there are clocks.
// Who was invited by a link may still have to be told that somebody waits.
func (t firstMoves) limit() time.Duration {
	if t.Public || t.Contest != "" || len(t.participatingBots()) > 0 {
		return FirstMoveLimit
	}
	return FriendsLimit
}

// left is how long the side to move still has for its first move, and in an open game will have; nil where
// nothing ends the game for want of one.
func (t firstMoves) left(now time.Time) *int64 {
	switch {
	case t.clock == nil || t.State == StateOver || t.clock.running || t.Contest != "":
		return nil
	case t.State == StateOpen:
		return new(t.limit().Milliseconds())
	}
	return new(max(0, t.begun.Add(t.limit()).Sub(now)).Milliseconds())
}

// setTimer sets the timer to when time will change something, if it will.
// It follows every change of the state or of a clock by which nextTimeout goes; what was set before is void.
func (t *Game) setTimer() {
	if at, ok := t.nextTimeout(); ok {
		t.startTimer(time.Until(at), t.handleTimeout)
	} else {
		t.stopTimer()
	}
}

// retryProceeding has what follows a move tried again soon.
// It takes the place of the timer, as a game that could not proceed has no clock running.
func (t *Game) retryProceeding() {
	t.startTimer(StorePause, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.State == StatePlaying && !t.lobby.IsClosing() {
			t.proceedAfterMove(time.Now())
			t.markChanged()
		}
	})
}

// startTimer sets the timer, in place of what it was set to.
// The function is called on a goroutine of its own, without the game's lock. Nothing is set once the server
// closes.
func (t *Game) startTimer(after time.Duration, do func()) {
	t.stopTimer()
	if !t.lobby.IsClosing() {
		t.timer = time.AfterFunc(after, do)
	}
}

// stopTimer stops the timer.
// It may have gone off already: what it calls looks again at how the game stands.
func (t *Game) stopTimer() {
	if t.timer != nil {
		t.timer.Stop()
	}
}

// handleTimeout is called when the timer goes off.
// An end that can't be kept is tried again after StorePause.
func (t *Game) handleTimeout() {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, ok := t.nextTimeout()
	if !ok || t.lobby.IsClosing() {
		return
	}
	if time.Now().Before(at) { // it was set for something that has passed
		t.setTimer()
		return
	}
	if err := t.endOverdue(); err != nil {
		t.startTimer(StorePause, t.handleTimeout)
	}
}

// endOverdue ends a game whose time has come.
// The reason names what was missing: somebody to accept, a move, or a first move.
func (t *Game) endOverdue() error {
	switch {
	case t.State == StateOpen:
		return t.end("*", oxo.EndAbandoned, "nobody accepted the game")
	case t.clock == nil:
		return t.end("*", oxo.EndAbandoned, "nobody has moved for a long time")
	case t.clock.running:
		return t.loseOnTime()
	}
	return t.end("*", oxo.EndAbandoned, t.play.State().Turn+" did not make a first move")
}

// isTimeUp reports whether the time is up already, before the timer has said so.
// A game without clocks has no such time.
func (t *Game) isTimeUp(now time.Time) bool {
	return t.clock != nil && t.clock.running && !now.Before(t.clock.deadline())
}

// loseOnTimeAndRefuse ends such a game and refuses what was asked for.
// It returns an error in any case: what was asked for came too late.
func (t *Game) loseOnTimeAndRefuse() error {
	if err := t.loseOnTime(); err != nil {
		return err
	}
	return service.NewProblem(409, "time-up")
}

// loseOnTime ends the game for the side whose clock has run out.
// Its clock shows 0 from then on.
func (t *Game) loseOnTime() error {
	side := t.clock.side
	return t.end(oxo.WinFor(side.Other()).String(), oxo.EndTime, side.String()+" has run out of time")
}
