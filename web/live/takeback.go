package live

import (
	"slices"
	"time"

	"oxo"
	"oxo/web/service"
)

// takebacks are the wishes of a game's sides to take their last move back.
// The caller of its methods holds the game's lock.
type takebacks struct{ *Game }

// requested returns the side whose request stands, and the one whose request was declined. A move of anybody ends
// both. Chance stands for neither.
func (b takebacks) requested() (standing, declined oxo.Seat) {
	switch o := b.Takeback; {
	case o == nil || b.State != StatePlaying || o.Ply != len(b.seats):
		return oxo.Chance, oxo.Chance
	case o.Declined:
		return oxo.Chance, o.Side
	default:
		return o.Side, oxo.Chance
	}
}

// check returns why a side can ask for nothing and grant nothing now.
// Bots and tournaments take nothing back: their moves are counted by plies that only grow.
func (b takebacks) check() error {
	switch {
	case b.State != StatePlaying:
		return service.NewProblem(409, "game.not-played")
	case b.Contest != "" || len(b.participatingBots()) > 0:
		return service.NewProblem(409, "takeback.people")
	case b.isTimeUp(time.Now()):
		return b.loseOnTimeAndRefuse()
	}
	return nil
}

// ask asks to take the side's last move back. What the other side asks for has to be answered first.
func (b takebacks) ask(side oxo.Seat) error {
	if err := b.check(); err != nil {
		return err
	}
	switch standing, declined := b.requested(); {
	case standing == side:
		return nil // said again
	case standing == side.Other():
		return service.NewProblem(409, "takeback.asked")
	case declined == side:
		return service.NewProblem(409, "takeback.declined")
	case b.lastMoveOf(side) < 0:
		return service.NewProblem(409, "takeback.early")
	}
	return b.saveOffer(&b.Takeback, &offer{Side: side, Ply: len(b.seats)})
}

// grant takes back what the other side asks for. Where it asks for nothing any more, as somebody has moved, nothing
// is taken back.
func (b takebacks) grant(side oxo.Seat) error {
	if err := b.check(); err != nil {
		return err
	}
	if standing, _ := b.requested(); standing != side.Other() {
		return service.NewProblem(409, "takeback.none")
	}
	return b.takeBack(side.Other())
}

// decline refuses what the other side asks for, or withdraws what this one does. Said again, or where nothing is
// asked, it changes nothing.
func (b takebacks) decline(side oxo.Seat) error {
	switch standing, _ := b.requested(); standing {
	case side:
		return b.saveOffer(&b.Takeback, nil)
	case side.Other():
		return b.saveOffer(&b.Takeback, &offer{side.Other(), b.Takeback.Ply, true})
	}
	return nil
}

// lastMoveOf returns the ply of a side's last move, -1 where it has made none.
func (b takebacks) lastMoveOf(side oxo.Seat) int {
	for ply, mover := range slices.Backward(b.seats) {
		if mover == side.String() {
			return ply
		}
	}
	return -1
}

// takeBack takes back a side's last move and all after it. No clock gets time back, each move that is taken back
// gives its increment back, and an offer of a draw lapses.
// The request is used up first, so that it can't stand again when the game comes to as many moves once more.
func (b takebacks) takeBack(side oxo.Seat) error {
	before := b.gameRecord
	b.Takeback, b.Offer = nil, nil
	b.TakenBack++
	if err := b.save(); err != nil {
		b.gameRecord = before
		return b.lobby.StoreProblem(err, "")
	}
	defer b.markChanged()
	moves := b.play.Record().Moves[:b.lastMoveOf(side)]
	timed := b.movesOnTheClock(len(moves))
	if err := b.lobby.Store.CutMoves(b.id, len(moves)); err != nil {
		return b.lobby.StoreProblem(err, "")
	}
	if err := b.replayMoves(moves); err != nil {
		return err
	}
	now := time.Now()
	if b.clock != nil {
		b.clock.stop(now)
		for side, n := range timed {
			b.clock.takeIncrements(oxo.Seat(side), n)
		}
	}
	b.proceedAfterMove(now)
	return nil
}

// movesOnTheClock counts the moves of each side from a ply on for which it got an increment: those after both had
// moved.
func (b takebacks) movesOnTheClock(ply int) (count [2]int) {
	var moved [3]bool // by seat; chance has the third place
	for i, mover := range b.seats {
		side := oxo.SeatNamed(mover)
		if i >= ply && side != oxo.Chance && moved[oxo.First] && moved[oxo.Second] {
			count[side]++
		}
		moved[side] = true
	}
	return count
}
