package players

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
)

// openGuestPlayer opens the player that is a program elsewhere. The bot is invited at its first move, with
// its own clock and increment.
// name is the bot's on the server; whether it is connected shows when it is invited.
func openGuestPlayer[P oxo.Position[P]](b *opened.TypedGame[P], name string) (playerMaker[P], error) {
	switch {
	case b.Lab.Invite == nil:
		return nil, errors.New("programs that are connected to a server take part in tournaments there, and nowhere " +
			"else")
	case name == "":
		return nil, errors.New("a name is missing, as in bot:NAME")
	}
	return func(*rand.Rand) (oxo.Player[P], error) { return &guestPlayer[P]{TypedGame: b, name: name}, nil }, nil
}

// guestPlayer plays one game for a guest. It keeps the position that the guest knows, from which it
// tells the moves since.
type guestPlayer[P oxo.Position[P]] struct {
	*opened.TypedGame[P]
	name                  string
	guest                 game.Guest // nil before its first move
	seat                  oxo.Seat
	last                  P // that it knows of
	own, other, increment time.Duration
	took                  time.Duration // by its last choice
}

// Clock notes what the clocks show.
// The referee calls it before each Choose of a game with clocks. The time for a single move, its last argument, is
// not told to guests.
func (g *guestPlayer[P]) Clock(own, other, increment, _ time.Duration) {
	g.own, g.other, g.increment = own, other, increment
}

// Choose returns the guest's move.
// An empty answer resigns. The error is of a program that has gone, or that makes no legal move.
func (g *guestPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	var since []string
	g.took = 0
	if g.guest == nil {
		var err error
		g.guest, err = g.Lab.Invite(ctx, g.name, game.GuestGame{Game: g.Spec, Position: g.Format(p),
			Seat: p.Turn(), Own: g.own, Increment: g.increment})
		if err != nil {
			return oxo.Choice{}, err
		}
	} else {
		var ok bool
		if since, ok = g.movesBetween(g.last, p, nil); !ok {
			return oxo.Choice{}, fmt.Errorf("no moves lead from %s to %s", g.Format(g.last), g.Format(p))
		}
	}
	g.last, g.seat = p, p.Turn()
	var text string
	var err error
	text, g.took, err = g.guest.Choose(ctx, since, g.own, g.other)
	if err != nil || text == "" {
		return oxo.Choice{Resign: err == nil}, err
	}
	m, err := g.ParseMove(p, text)
	if err != nil {
		return oxo.Choice{}, err
	}
	g.last = p.Play(m)
	return oxo.Choice{Move: m}, nil
}

// Took returns how much of its time the guest's last choice took.
// The referee takes that off the clock in place of what it measures itself.
func (g *guestPlayer[P]) Took() time.Duration { return g.took }

// movesBetween returns moves of the other side and of chance that lead from one position to another.
// Where several do, it is no matter which. It searches only through moves of others, so it looks at
// one ply of the opponent's and what chance adds.
// The moves are text; prefix is what was found on the way, and is not written over. It is false where no moves lead
// there.
func (g *guestPlayer[P]) movesBetween(from, to P, prefix []string) (moves []string, found bool) {
	switch {
	case from == to:
		return prefix, true
	case from.Outcome() != oxo.Ongoing || from.Turn() == g.seat:
		return nil, false
	}
	for _, m := range from.Moves(nil) {
		if list, ok := g.movesBetween(from.Play(m), to, append(prefix[:len(prefix):len(prefix)], g.FormatMove(from,
			m))); ok {
			return list, true
		}
	}
	return nil, false
}

// End tells the guest how the game ended. It is called by the referee, whatever ended the game.
// A guest that was never invited, as the game ended before its first move, is told nothing.
func (g *guestPlayer[P]) End(played *arena.Played[P]) {
	if g.guest == nil {
		return
	}
	since, _ := g.movesBetween(g.last, played.Final, nil) // none where it ended before the guest's next move
	g.guest.End(since, played.Outcome.String(), played.Termination, played.Reason)
}

// Close breaks the guest's game off, if it has not ended.
func (g *guestPlayer[P]) Close() error {
	if g.guest == nil {
		return nil
	}
	return g.guest.Close()
}
