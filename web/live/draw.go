package live

import (
	"time"

	"oxo"
	"oxo/web/service"
)

// offer is an offer of a draw. It stands until the other side has moved.
// It is in the record, so that it outlives a restart.
type offer struct {
	Side oxo.Seat `json:"side"`
	Ply  int      `json:"ply"` // how many moves there were
}

// standingDrawOffer returns the side whose offer of a draw stands, if one does.
// The caller holds the game's lock.
func (t *Game) standingDrawOffer() (side oxo.Seat, ok bool) {
	o := t.Offer
	if o == nil || t.State != StatePlaying {
		return 0, false
	}
	// A move of the other side since the offer has declined it; the offering side's own moves leave it standing.
	for ply, mover := range t.seats {
		if ply >= o.Ply && mover == o.Side.Other().String() {
			return 0, false
		}
	}
	return o.Side, true
}

// offerOrAcceptDraw offers a draw, or accepts the one that the other side offers.
// An offer that can't be kept is not made. The caller holds the game's lock.
func (t *Game) offerOrAcceptDraw(side oxo.Seat) error {
	by, stands := t.standingDrawOffer()
	switch {
	case t.State != StatePlaying:
		return service.NewProblem(409, "game.not-played")
	case t.Contest != "":
		return service.NewProblem(409, "draw.tournament")
	case !t.bothMoved():
		return service.NewProblem(409, "draw.early")
	case t.isTimeUp(time.Now()):
		return t.endAsTimeUp()
	case stands && by == side:
		return nil // said again
	case stands:
		return t.end(oxo.Drawn.String(), oxo.EndAgreed, "both sides agree")
	}
	before := t.Offer
	t.Offer = &offer{side, len(t.seats)}
	if err := t.save(); err != nil {
		t.Offer = before
		return t.lobby.StoreProblem(err, "")
	}
	t.markChanged()
	return nil
}
