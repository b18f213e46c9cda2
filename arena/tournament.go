package arena

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"oxo"
)

// Entrant is who takes part in a tournament.
type Entrant[P oxo.Position[P]] struct {
	Name string

	// New makes a player for one game in the given seat, which draws from the
	// seed. It is called from several goroutines at once. A player that is an
	// io.Closer is closed after the game. An error loses the game.
	New func(seat oxo.Seat, seed uint64) (oxo.Player[P], error)
}

// Tournament is games between entrants in pairs: two games from one opening
// with seats swapped. Every entrant meets every other, or only the first one
// meets all others. Two entrants make a match.
//
// The games and the draws in each depend on the tournament and the seed alone,
// not on how many are played at once.
type Tournament[P oxo.Position[P]] struct {
	Referee  Referee[P]
	Entrants []Entrant[P]
	Gauntlet bool // only the first entrant meets the others
	Pairs    int  // pairs of games between each two
	Seed     uint64

	// Openings are used in turn, the same ones for all; none is the game's
	// start. Where there are fewer than pairs they come again, and players that
	// draw nothing play the same games again.
	Openings []Opening[P]

	// From and To bound the numbers of the games that are played: those from
	// From up to but not To, the last one where To is 0. Games are numbered from
	// 0, round by round, the two of a pair after each other. The journals of
	// ranges that make up the whole tournament are together its journal.
	From, To int

	Workers int      // games at once; 0 is one for each core
	Journal *Journal // nil keeps nothing

	// Timeless leaves out of the sheets how long each move took, so that the
	// same games have the same sheets.
	Timeless bool

	// SPRT stops a tournament of two as soon as the test is decided. Pairs
	// are then counted in their order, and none after the decision.
	SPRT *SPRT

	// Progress is told how things stand after every game. It must not keep
	// the standings.
	Progress func(*Standings)
}

// pairing is two entrants that meet.
// The numbers are those of Entrants, a below b.
type pairing struct{ a, b int }

// pairings lists who meets whom.
func (t *Tournament[P]) pairings() []pairing {
	var list []pairing
	for a := range t.Entrants {
		for b := a + 1; b < len(t.Entrants); b++ {
			if a == 0 || !t.Gauntlet {
				list = append(list, pairing{a, b})
			}
		}
	}
	return list
}

// Games returns the number of games of the whole tournament.
func (t *Tournament[P]) Games() int { return 2 * t.Pairs * len(t.pairings()) }

// endGameNumber returns the number after that of the last game to be played.
func (t *Tournament[P]) endGameNumber() int {
	if t.To == 0 {
		return t.Games()
	}
	return t.To
}

// The most games that a tournament may have, and of them at once.
const (
	// The score book holds the result of each in memory, and a journal that is taken up the sheets that it has.
	MaxGames   = 10_000_000
	maxWorkers = 1024
)

// Check refuses a tournament that makes no sense.
func (t *Tournament[P]) Check() error {
	switch {
	case t.Referee.Game == nil:
		return errors.New("tournament: there is no game")
	case len(t.Entrants) < 2:
		return fmt.Errorf("tournament: %d entrants; at least two are needed", len(t.Entrants))
	case t.Pairs < 1:
		return fmt.Errorf("tournament: %d pairs of games; at least one is needed", t.Pairs)
	case t.Pairs > MaxGames/2/len(t.pairings()):
		return fmt.Errorf("tournament: %d pairs of games for each of %d pairings; there may be %d games in all",
			t.Pairs, len(t.pairings()), MaxGames)
	case t.From < 0 || t.From%2 != 0 || t.To%2 != 0 || t.To > t.Games() || t.From > t.endGameNumber():
		return fmt.Errorf("tournament: games %d to %d of %d; pairs can't be parted", t.From, t.endGameNumber(),
			t.Games())
	case t.Workers < 0 || t.Workers > maxWorkers:
		return fmt.Errorf("tournament: %d workers; from 1 to %d, or 0 for one a core", t.Workers, maxWorkers)
	case t.SPRT != nil && len(t.Entrants) != 2:
		return fmt.Errorf("tournament: a sequential test is between two entrants, not %d", len(t.Entrants))
	case t.Referee.Margin < 0 || t.Referee.Margin > maxTime:
		return fmt.Errorf("tournament: a margin of %v; from 0 to %v", t.Referee.Margin, maxTime)
	}
	if t.SPRT != nil {
		if err := t.SPRT.Check(); err != nil {
			return err
		}
	}
	return t.Referee.Time.Check()
}

// Run plays the games that the journal does not hold yet and returns the
// standings. After an error, that of ctx too, they are those of the games
// that were counted; the journal can be taken up again.
func (t *Tournament[P]) Run(ctx context.Context) (*Standings, error) {
	b, err := t.openScoreBook()
	if err != nil {
		return nil, err
	}
	err = t.playAll(ctx, b)
	if t.Journal != nil {
		err = errors.Join(err, t.Journal.Sync())
	}
	return b.standings, err
}

// CountJournal returns the standings of the games that the journal holds, and plays
// none.
func (t *Tournament[P]) CountJournal() (*Standings, error) {
	b, err := t.openScoreBook()
	if err != nil {
		return nil, err
	}
	return b.standings, nil
}

// openScoreBook returns a book of the games that the journal holds, of a tournament that makes sense.
func (t *Tournament[P]) openScoreBook() (*scoreBook, error) {
	if err := t.Check(); err != nil {
		return nil, err
	}
	b := t.newScoreBook()
	if t.Journal == nil {
		return b, nil
	}
	if err := t.Journal.writeOrCheckHeader(t.journalHeaderText()); err != nil {
		return nil, err
	}
	for _, n := range slices.Sorted(maps.Keys(t.Journal.done)) {
		s := t.Journal.done[n]
		var final P
		if t.Referee.Game.Payoff != nil {
			var err error
			if final, err = t.Referee.Game.Parse(s.Final); err != nil {
				return nil, fmt.Errorf("journal: game %d: %w", n, err)
			}
		}
		if err := b.restoreGame(n, s, t.paid(final, s.Termination, s.Result)); err != nil {
			return nil, err
		}
	}
	b.countPairsUntilDecision()
	return b, nil
}

// paid returns what a game paid First: what its end is worth, or the most that the game can pay where the other
// side lost otherwise than by its rules. It is nil of a game that pays for nothing but who wins.
func (t *Tournament[P]) paid(final P, termination, winner string) *float64 {
	g := t.Referee.Game
	if g.Payoff == nil {
		return nil
	}
	lo, hi := g.PayoffBounds()
	v := 0.0
	switch {
	case termination == oxo.EndNormal:
		v = g.Payoff(final)
	case winner == oxo.FirstWins.String():
		v = hi
	case winner == oxo.SecondWins.String():
		v = lo
	}
	return &v
}

// playAll plays every game of the range that the book does not have, in their
// order.
// Workers draw numbers from one counter and hand ended games to this goroutine, which alone writes book and journal.
func (t *Tournament[P]) playAll(ctx context.Context, b *scoreBook) error {
	if b.isDecided() {
		return nil
	}
	inner, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	next.Store(int64(t.From))
	last := t.endGameNumber()
	var workers sync.WaitGroup
	finished := make(chan game, 64)
	for range cmp.Or(max(0, t.Workers), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			r := t.Referee
			var scratch Played[P]
			for n := int(next.Add(1)) - 1; n < last && inner.Err() == nil; n = int(next.Add(1)) - 1 {
				if b.isRestored(n) {
					continue
				}
				g, err := t.playGame(inner, &r, b.placeOfGame(n), &scratch)
				if err != nil {
					stop(err)
					break
				}
				finished <- g
			}
		})
	}
	go func() {
		workers.Wait()
		close(finished)
	}()
	var failed error
	for g := range finished {
		if failed != nil || b.isDecided() {
			continue // the workers are stopping
		}
		if failed = t.writeToJournal(g); failed != nil {
			stop(nil)
			continue
		}
		b.enterResult(g.place.number, g.result)
		if b.countPairsUntilDecision(); t.Progress != nil {
			t.Progress(b.standings)
		}
		if b.isDecided() {
			stop(nil)
		}
	}
	if failed == nil && !b.isDecided() {
		failed = context.Cause(inner)
		if b.allEnded() {
			failed = nil
		}
	}
	return failed
}

// game is a game that has ended.
// It has no positions: what is to be kept of these is in the sheet.
type game struct {
	place  gamePlace
	result result
	sheet  *Sheet // nil where nobody wants it
}

// writeToJournal writes a game into the journal, if there is one.
func (t *Tournament[P]) writeToJournal(g game) error {
	if t.Journal == nil {
		return nil
	}
	return t.Journal.appendGame(g.place.number, g.sheet)
}

// playGame plays one game, over what played held before. The error is that of a
// context that was done, a [Shortage], that of an [oxo.Starter], or that of a panic.
func (t *Tournament[P]) playGame(ctx context.Context, r *Referee[P], at gamePlace, played *Played[P]) (g game,
	err error) {
	defer oxo.RecoverInto(&err)
	opening := NoOpening(r.Game)
	if len(t.Openings) > 0 {
		opening = t.Openings[at.round%len(t.Openings)]
	}
	// Chance is the same for both games of a pair and for all pairings.
	*played = Played[P]{Opening: opening, Plies: played.Plies[:0], Seed: mixSeeds(t.Seed, uint64(at.round))}
	if err := t.makePlayersAndPlay(ctx, r, at, played); err != nil {
		return game{}, err
	}
	g = game{place: at, result: result{played.Outcome, played.Termination, played.Reason,
		t.paid(played.Final, played.Termination, played.Outcome.String())}}
	if t.Journal != nil {
		names := [2]string{t.Entrants[at.first].Name, t.Entrants[at.second].Name}
		g.sheet = played.Sheet(r.Game, names, r.Time)
		if t.Timeless {
			for i := range g.sheet.Notes {
				g.sheet.Notes[i].Time, g.sheet.Notes[i].Timed = 0, false
			}
		}
	}
	return g, nil
}

// makePlayersAndPlay makes the players and lets them play. A player that can't be made has
// lost, unless that is for want of something here. One that refuses to play from the
// opening ends the tournament.
// The seed of a player hangs on tournament, game and seat, so that it is the same whoever plays beside it.
func (t *Tournament[P]) makePlayersAndPlay(ctx context.Context, r *Referee[P], at gamePlace, g *Played[P]) (err error) {
	var players [2]oxo.Player[P]
	for seat, entrant := range []int{at.first, at.second} {
		seed := mixSeeds(mixSeeds(t.Seed, uint64(at.number)+1<<32), uint64(seat))
		players[seat], err = t.Entrants[entrant].New(oxo.Seat(seat), seed)
		if c, ok := players[seat].(io.Closer); ok {
			defer c.Close()
		}
		if stop := ctx.Err(); stop != nil {
			return stop
		}
		if want, ok := errors.AsType[Shortage](err); ok && want.Shortage() {
			return fmt.Errorf("%s: %w", t.Entrants[entrant].Name, err)
		}
		if err != nil {
			g.Final, g.Outcome = g.Opening.Position, oxo.WinFor(oxo.Seat(seat).Other())
			g.Termination, g.Reason = oxo.EndCrashed, err.Error()
			return nil
		}
		if p, ok := players[seat].(oxo.Starter[P]); ok {
			if err := p.Start(ctx, g.Opening.Position, oxo.Seat(seat)); err != nil {
				return fmt.Errorf("%s: %w", t.Entrants[entrant].Name, err)
			}
		}
	}
	if err := r.playToEnd(ctx, players, g); oxo.IsPanic(err) {
		return fmt.Errorf("%s against %s: %w", t.Entrants[at.first].Name, t.Entrants[at.second].Name, err)
	} else if err != nil {
		return err
	}
	for seat, p := range players {
		if e, ok := p.(Ender[P]); ok {
			e.End(g)
		}
		var own Faults
		own.countFault(g.Termination, "")
		if b, ok := p.(Blamed); ok && own.Sum() > 0 && g.Outcome == oxo.WinFor(oxo.Seat(seat).Other()) {
			b.Blame()
		}
	}
	return nil
}

// mixSeeds makes a seed of two numbers, after Steele, Lea and Flood, "Fast
// splittable pseudorandom number generators" (2014).
func mixSeeds(a, b uint64) uint64 {
	x := a + (b+1)*0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// journalHeaderText writes what the games depend on, all but the number of pairs: a
// journal can be taken up to play more.
// Openings are told by a hash of their text, as there may be thousands.
func (t *Tournament[P]) journalHeaderText() string {
	h := fnv.New64a()
	for _, o := range t.Openings {
		fmt.Fprintln(h, t.Referee.Game.Format(o.Start), o.Moves)
	}
	text := fmt.Sprintf("game %s, seed %d, time %s, margin %v, gauntlet %t, %d openings (%016x), adjudication "+
		"of what players changed %t, at most %d plies, players",
		t.Referee.Game.Spec, t.Seed, t.Referee.Time, t.Referee.Margin, t.Gauntlet, len(t.Openings), h.Sum64(),
		t.Referee.Adjudicate != nil, t.Referee.maxPlies())
	for _, e := range t.Entrants {
		text += fmt.Sprintf(" %q", e.Name)
	}
	return text
}
