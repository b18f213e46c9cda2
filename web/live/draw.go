package live

import (
	"slices"
	"time"

	"oxo"
	"oxo/web/service"
)

// offer is an offer of a draw. It stands until the other side has moved, or declines it.
// It is in the record, so that it outlives a restart.
type offer struct {
	Side     oxo.Seat `json:"side"`
	Ply      int      `json:"ply"`                // how many moves there were
	Declined bool     `json:"declined,omitempty"` // other than by a move; the side may offer again once it has moved
}

// draws are the draws that are offered in a game.
// The caller of its methods holds the game's lock.
type draws struct{ *Game }

// offered returns the side whose offer stands, and the one whose offer was declined other than by a move and that has
// not moved since. Chance stands for neither.
func (d draws) offered() (standing, declined oxo.Seat) {
	o := d.Offer
	if o == nil || d.State != StatePlaying {
		return oxo.Chance, oxo.Chance
	}
	since := d.seats[min(o.Ply, len(d.seats)):]
	switch {
	case o.Declined && !slices.Contains(since, o.Side.String()):
		return oxo.Chance, o.Side
	// The offering side's own moves leave it standing.
	case !o.Declined && !slices.Contains(since, o.Side.Other().String()):
		return o.Side, oxo.Chance
	}
	return oxo.Chance, oxo.Chance
}

// offerOrAccept offers a draw, or accepts the one that the other side offers.
// An offer that can't be kept is not made.
func (d draws) offerOrAccept(side oxo.Seat) error {
	standing, declined := d.offered()
	switch {
	case d.State != StatePlaying:
		return service.NewProblem(409, "game.not-played")
	case d.Contest != "":
		return service.NewProblem(409, "draw.tournament")
	case !d.bothMoved():
		return service.NewProblem(409, "draw.early")
	case d.isTimeUp(time.Now()):
		return d.loseOnTimeAndRefuse()
	case standing == side:
		return nil // said again
	case standing == side.Other():
		return d.end(oxo.Drawn.String(), oxo.EndAgreed, "both sides agree")
	case declined == side:
		return service.NewProblem(409, "draw.declined")
	}
	return d.saveOffer(&d.Offer, &offer{Side: side, Ply: len(d.seats)})
}

// declineOffer declines the draw that the other side offers, whoever is to move.
// Said again, or where the offer has lapsed, it changes nothing.
func (d draws) declineOffer(side oxo.Seat) error {
	if standing, _ := d.offered(); standing != side.Other() {
		return nil
	}
	return d.saveOffer(&d.Offer, &offer{side.Other(), d.Offer.Ply, true})
}

// saveOffer keeps an offer or a wish in its place in the record, where the one before stays if that fails.
func (t *Game) saveOffer(place **offer, o *offer) error {
	before := *place
	*place = o
	if err := t.save(); err != nil {
		*place = before
		return t.lobby.StoreProblem(err, "")
	}
	t.markChanged()
	return nil
}
