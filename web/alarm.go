package web

import (
	"time"

	"oxo"
)

// Rules of time beside the clocks.
const (
	openFor        = 24 * time.Hour      // an invitation is good for
	firstMoveLimit = time.Minute         // for each side's first move, where there are clocks
	idleLimit      = 14 * 24 * time.Hour // for a move, where there are none
	grace          = 30 * time.Second    // after which a game that somebody left can be claimed
	storePause     = time.Second         // after which what could not be kept is tried again
)

// due returns when the table changes by itself, if it will.
func (t *table) due() (at time.Time, ok bool) {
	switch {
	case t.State == stateOpen:
		return t.Made.Add(openFor), true
	case t.State == stateOver:
		return at, false
	case t.clock == nil || t.Contest != "" && t.clock.side == t.Maker:
		return t.begun.Add(idleLimit), true // the tournament looks at its own side's clock
	case t.clock.running:
		return t.clock.deadline(), true
	}
	return t.begun.Add(firstMoveLimit), true
}

// setAlarm sets the alarm to when time will change something, if it will.
func (t *table) setAlarm() {
	if at, ok := t.due(); ok {
		t.wake(time.Until(at), t.ring)
	} else {
		t.hush()
	}
}

// again has what follows a move tried again soon.
func (t *table) again() {
	t.wake(storePause, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.State == statePlaying && !t.hall.isClosing() {
			t.proceed(time.Now())
			t.changed()
		}
	})
}

// wake sets the alarm, in place of what it was set to.
func (t *table) wake(after time.Duration, do func()) {
	t.hush()
	if !t.hall.isClosing() {
		t.alarm = time.AfterFunc(after, do)
	}
}

// hush stops the alarm.
func (t *table) hush() {
	if t.alarm != nil {
		t.alarm.Stop()
	}
}

// ring is called when the alarm goes off.
func (t *table) ring() {
	t.mu.Lock()
	defer t.mu.Unlock()
	at, ok := t.due()
	if !ok || t.hall.isClosing() {
		return
	}
	if time.Now().Before(at) { // it was set for something that has passed
		t.setAlarm()
		return
	}
	if err := t.expire(); err != nil {
		t.wake(storePause, t.ring)
	}
}

// expire ends a game whose time has come.
func (t *table) expire() error {
	switch {
	case t.State == stateOpen:
		return t.end("*", oxo.EndAbandoned, "nobody accepted the game")
	case t.clock == nil:
		return t.end("*", oxo.EndAbandoned, "nobody has moved for a long time")
	case t.clock.running:
		return t.flag()
	}
	return t.end("*", oxo.EndAbandoned, t.play.State().Turn+" did not make a first move")
}

// late reports whether the time is up already, before the alarm has said so.
func (t *table) late(now time.Time) bool {
	return t.clock != nil && t.clock.running && !now.Before(t.clock.deadline())
}

// tooLate ends such a game and refuses what was asked for.
func (t *table) tooLate() error {
	if err := t.flag(); err != nil {
		return err
	}
	return refuse(409, "the time is up")
}

// flag ends the game for the side whose clock has run out.
func (t *table) flag() error {
	side := t.clock.side
	return t.end(oxo.WinFor(side.Other()).String(), oxo.EndTime, side.String()+" has run out of time")
}
