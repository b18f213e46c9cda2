// Package arena is where players meet: a referee that trusts nobody, clocks,
// openings, matches and tournaments that can be stopped and taken up again,
// ratings with their errors, and score sheets in text.
//
// [Referee] plays one game between two players. [Tournament] plays many, in
// pairs that swap seats from the same opening, and keeps [Standings]. A
// [Sheet] is a finished game as it is written down, and [Pairs], [SPRT] and
// [FitRatings] turn results into measurements.
package arena

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"oxo"
)

// Referee plays games by the rules of Game. A zero option is left out. A referee plays one game at a
// time; copies of it play side by side. Its rules for time, faults and adjudication are the same for
// every protocol and player.
// moves is a list that is used again for each position, which is why a referee has one game at a time.
type Referee[P oxo.Position[P]] struct {
	Game *oxo.Game[P]

	// Time is what the clocks allow, and Margin how far a clock may be
	// overstepped, for the delays that are nobody's thinking.
	Time   TimeControl
	Margin time.Duration

	// Adjudicate, asked before every move, ends the game where it knows how it
	// ends under best play, unless that is what it knew of the opening.
	Adjudicate func(p P) (oxo.Outcome, bool)

	moves []oxo.Move
}

// Timed is an optional ability of a player: the referee tells it before each
// of its moves what the clocks show, where there are clocks. Zero bank and
// zero move mean that there is no such limit. The context of its Choose then
// ends when its time is up. Other players get a context that ends when they
// have used a fair share of their time.
type Timed interface {
	Clock(own, other, increment, move time.Duration)
}

// Measured is an optional ability of a player that keeps its time itself, such
// as one elsewhere: it says how much of its time its last choice took. The
// context of its Choose does not end when its time is up.
type Measured interface {
	Took() time.Duration
}

// Ender is an optional ability of a player of a tournament: it is told how its
// game ended, unless that was broken off. It must not keep what it is given.
type Ender[P oxo.Position[P]] interface {
	End(g *Played[P])
}

// Blamed is an optional ability of a player of a tournament: it is told where it lost its game by its own fault,
// before it is closed.
type Blamed interface{ Blame() }

// Fault is an optional ability of an error that a player returns: how a game
// ends that it spoils, as one of the Termination words of [oxo.Record]. Other
// errors count as [oxo.EndCrashed].
type Fault interface {
	error
	Termination() string
}

// Shortage is an optional ability of the error with which a player can't be made:
// that something was wanting here, which is no fault of the player. The tournament
// ends with it.
type Shortage interface {
	error
	Shortage() bool
}

// Ply is one move as it was played. Chance's moves take no time.
type Ply struct {
	oxo.Choice
	Seat oxo.Seat
	Time time.Duration
}

// Played is a game as it was played.
type Played[P oxo.Position[P]] struct {
	Opening     Opening[P]
	Plies       []Ply // those after the opening
	Final       P
	Outcome     oxo.Outcome
	Termination string
	Reason      string // says more about an end that is not normal
	Seed        uint64 // of chance

	foreseen oxo.Outcome // how the opening is known to end under best play, where games are adjudicated
}

// Play plays a game from the opening, in which chance draws from the seed. The
// error is that of a context that was done before the end, or of a panic of the game or of
// a player; the game is then abandoned. What else a player does wrong is no error but loses it the
// game.
func (r *Referee[P]) Play(ctx context.Context, players [2]oxo.Player[P], opening Opening[P],
	seed uint64) (*Played[P], error) {
	g := &Played[P]{Opening: opening, Seed: seed, Plies: make([]Ply, 0, min(uint(r.maxPlies()), 32))}
	err := r.playToEnd(ctx, players, g)
	return g, err
}

// maxPlies returns the most plies that a game may have, the opening's counted: play that
// goes in circles ends as a draw after so many.
func (r *Referee[P]) maxPlies() int {
	if r.Game.Loopy() {
		return 10_000
	}
	return r.Game.MaxPlies
}

// playToEnd plays g from its opening to its end, which it notes in g. The error is that of ctx, done
// before then, or of a panic, with the position that it was in.
func (r *Referee[P]) playToEnd(ctx context.Context, players [2]oxo.Player[P], g *Played[P]) error {
	g.Final = g.Opening.Position
	err := oxo.CatchPanic(func() error { return r.playMoves(ctx, players, g) })
	if _, ok := err.(*oxo.PanicError); ok { // of the game itself
		err = r.Game.WithPosition(err, g.Final)
	}
	if err != nil {
		g.Termination, g.Reason = oxo.EndAbandoned, err.Error()
	}
	return err
}

// playMoves is playToEnd that may panic. The time of a move runs from the end of the one before, so that the referee's
// own work is nobody's; with adjudication, which can take longer, it begins after that.
func (r *Referee[P]) playMoves(ctx context.Context, players [2]oxo.Player[P], g *Played[P]) error {
	p := g.Opening.Position
	clock := newClock(r.Time, r.Margin)
	var chance *rand.Rand
	if r.Game.Odds != nil {
		// Players have other seeds, so that a player that draws more does not change what chance does.
		chance = rand.New(rand.NewPCG(g.Seed, 2))
	}
	limit := r.maxPlies() - len(g.Opening.Moves)
	now := time.Now()
	for {
		g.Final = p
		if g.Outcome = p.Outcome(); g.Outcome != oxo.Ongoing {
			g.Termination = oxo.EndNormal
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.endIfDecidedOrTooLong(p, g, len(g.Plies) >= limit) {
			return nil
		}
		if r.Adjudicate != nil {
			now = time.Now()
		}
		ply := Ply{Seat: p.Turn()}
		r.moves = r.Game.OngoingMoves(p, r.moves[:0])
		if ply.Seat == oxo.Chance {
			ply.Move = r.Game.DrawChanceMove(p, r.moves, chance)
		} else {
			var err error
			ply.Choice, err = r.chooseTimed(ctx, &clock, players[ply.Seat], p, ply.Seat)
			end := time.Now()
			ply.Time, now = end.Sub(now), end
			if m, ok := players[ply.Seat].(Measured); ok {
				ply.Time = m.Took()
			}
			if stop := ctx.Err(); stop != nil {
				return stop
			}
			if oxo.IsPanic(err) {
				return fmt.Errorf("%s to move %w", ply.Seat, err)
			}
			late := clock.chargeTime(ply.Seat, ply.Time)
			how, reason := lossByChoice(ply.Choice, err, late)
			if how != "" {
				g.Outcome, g.Termination, g.Reason = oxo.WinFor(ply.Seat.Other()), how, reason
				return nil
			}
		}
		p = p.Play(ply.Move)
		g.Plies = append(g.Plies, ply)
	}
}

// endIfDecidedOrTooLong ends a game whose result is known before its end, and one that has lasted too long, and
// reports whether it did. An opening whose result is known is played on, or its games would say
// nothing: only a change ends the game.
func (r *Referee[P]) endIfDecidedOrTooLong(p P, g *Played[P], tooLong bool) (ended bool) {
	if r.Adjudicate != nil {
		switch o, known := r.Adjudicate(p); {
		case known && len(g.Plies) == 0:
			g.foreseen = o
		case known && o != g.foreseen:
			g.Outcome, g.Termination, g.Reason = o, oxo.EndSolved, "how it ends under best play is known"
			return true
		}
	}
	if tooLong {
		g.Outcome, g.Termination = oxo.Drawn, oxo.EndSolved
		g.Reason = fmt.Sprintf("the game has lasted %d plies", r.maxPlies())
	}
	return tooLong
}

// chooseTimed lets the player choose within its time. A player that knows clocks may use all of its
// time and the grace; another one gets a share, and a player that keeps its own time is waited for.
// The limit that a player without clocks gets is a suggestion: it loses on time only by its clock.
func (r *Referee[P]) chooseTimed(ctx context.Context, c *clock, player oxo.Player[P], p P,
	seat oxo.Seat) (oxo.Choice, error) {
	if !c.runs {
		return r.Game.Ask(ctx, player, p, r.moves)
	}
	limit := c.suggestedTime(seat)
	if t, ok := player.(Timed); ok {
		t.Clock(c.bankLeft(seat), c.bankLeft(seat.Other()), c.Increment, c.moveLimit(seat))
		limit = c.timeAvailableForMove(seat) + c.graceTime()
	}
	if _, ok := player.(Measured); ok {
		return r.Game.Ask(ctx, player, p, r.moves)
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return r.Game.Ask(ctx, player, p, r.moves)
}

// lossByChoice says how a choice loses the game at once, or "" where it does not. The clock comes first:
// who is late loses on time whatever it answers. A player that keeps its own time says itself that it is late.
func lossByChoice(c oxo.Choice, err error, late string) (termination, reason string) {
	f, isFault := errors.AsType[Fault](err)
	switch {
	case isFault && f.Termination() == oxo.EndTime:
		return oxo.EndTime, err.Error()
	case late != "":
		return oxo.EndTime, late
	case isFault:
		return f.Termination(), err.Error()
	case err != nil:
		return oxo.EndCrashed, err.Error()
	case c.Resign:
		return oxo.EndResigned, ""
	}
	return "", ""
}
