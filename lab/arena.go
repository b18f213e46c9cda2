package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"oxo"
	"oxo/arena"
)

// TournamentOptions say who meets whom, and how.
type TournamentOptions struct {
	Players  []string
	Gauntlet bool // only the first player meets the others
	Games    int  // between each two players; even, as seats are swapped
	Seed     uint64
	Workers  int

	// Openings is how many plies are given before the players go on: every
	// opening of that length up to symmetry where there are not too many, else
	// random ones. OpeningList is a list of openings instead.
	Openings    int
	OpeningList io.Reader

	Time      string // as arena.ParseTimeControl reads it; empty for no clocks
	Margin    time.Duration
	Adjudge   bool       // end a game as soon as its value is known
	Journal   arena.File // keeps finished games; nil for none
	SPRT      *arena.SPRT
	Progress  func(*arena.Standings)
	KeepSheet func(number int, s *arena.Sheet)
	Restored  func(number int, s *arena.Sheet) // is given the games that the journal held
	Twins     bool                             // a player may meet itself
}

// Tournament plays players against one another.
func (b *bound[P]) Tournament(ctx context.Context, o TournamentOptions) (*arena.Standings, error) {
	t, err := b.tournament(o)
	if err != nil {
		return nil, err
	}
	if o.Journal != nil {
		if t.Journal, err = arena.OpenJournal(o.Journal); err != nil {
			return nil, err
		}
	}
	s, err := t.Run(ctx)
	if err == nil && o.Restored != nil && t.Journal != nil {
		for n, sheet := range t.Journal.Sheets() {
			o.Restored(n, sheet)
		}
	}
	return s, err
}

// tournament sets a tournament up, without its journal.
func (b *bound[P]) tournament(o TournamentOptions) (*arena.Tournament[P], error) {
	t := &arena.Tournament[P]{
		Referee:  arena.Referee[P]{Game: b.Game, Margin: o.Margin},
		Gauntlet: o.Gauntlet, Pairs: o.Games / 2, Seed: o.Seed, Workers: o.Workers,
		SPRT: o.SPRT, Progress: o.Progress, Keep: o.KeepSheet,
	}
	if o.Games < 2 || o.Games%2 != 0 {
		return nil, fmt.Errorf("%d games: an even number is needed, at least 2, as each opening is played from both seats", o.Games)
	}
	var err error
	if t.Referee.Time, err = arena.ParseTimeControl(o.Time); err != nil {
		return nil, err
	}
	for i, spec := range o.Players {
		if slices.Contains(o.Players[:i], spec) && !o.Twins {
			return nil, fmt.Errorf("player %q is given twice; oxo match plays one against itself", spec)
		}
		if strings.HasPrefix(spec, "engine:codingame:") && (o.Openings > 0 || o.OpeningList != nil) {
			return nil, fmt.Errorf("player %q: CodinGame's protocol has no word for openings; play without them", spec)
		}
		e, err := b.entrant(spec, t.Referee.Time != arena.TimeControl{})
		if err != nil {
			return nil, err
		}
		t.Entrants = append(t.Entrants, e)
	}
	if o.Adjudge {
		s, err := b.solved()
		if err != nil {
			return nil, fmt.Errorf("adjudication needs the game solved: %w", err)
		}
		if b.Odds != nil || b.Payoff != nil {
			return nil, errors.New("adjudication is for games that are won, drawn or lost, without chance")
		}
		t.Referee.Adjudicate = func(p P) (oxo.Outcome, bool) {
			v, ok := s.At(p)
			return v.Outcome, ok
		}
	}
	if t.Openings, err = b.openings(o, t.Pairs); err != nil {
		return nil, err
	}
	return t, t.Check()
}

func (b *bound[P]) entrant(spec string, clocks bool) (arena.Entrant[P], error) {
	if spec == human {
		return arena.Entrant[P]{}, errors.New(`player "human": no person plays here; use oxo play`)
	}
	open := b.player
	if clocks {
		open = b.timed
	}
	m, err := open(spec)
	return arena.Entrant[P]{Name: spec, New: func(seat oxo.Seat, seed uint64) (oxo.Player[P], error) {
		return m(rand.New(rand.NewPCG(seed, uint64(seat))))
	}}, err
}

func (b *bound[P]) openings(o TournamentOptions, pairs int) ([]arena.Opening[P], error) {
	switch {
	case o.OpeningList != nil:
		return arena.ReadOpenings(b.Game, o.OpeningList)
	case o.Openings < 0:
		return nil, fmt.Errorf("openings of %d plies: at least 0", o.Openings)
	case o.Openings == 0:
		return nil, nil
	}
	all, err := arena.AllOpenings(b.Game, o.Openings)
	if err != nil {
		return arena.RandomOpenings(b.Game, o.Openings, pairs, o.Seed)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no game goes on after %d plies", o.Openings)
	}
	arena.Shuffle(all, o.Seed)
	return all, nil
}

// CheckSheet replays a score sheet by the rules of the game.
func (b *bound[P]) CheckSheet(s *arena.Sheet) error { return arena.Rules(b.Game)(s) }

// ReadSheets reads score sheets of any games and replays them by their rules.
func (l *Lab) ReadSheets(r io.Reader) ([]*arena.Sheet, error) {
	return arena.ReadSheets(r, func(spec string) (func(*arena.Sheet) error, error) {
		g, err := l.Game(spec)
		if err != nil {
			return nil, err
		}
		return g.CheckSheet, nil
	})
}

// Trail returns the positions of a sheet's game, before the first move and
// after each.
func (b *bound[P]) Trail(s *arena.Sheet) ([]State, error) {
	positions, _, err := arena.Replay(b.Game, s)
	if err != nil {
		return nil, err
	}
	var states []State
	for _, p := range positions {
		states = append(states, b.state(p))
	}
	return states, nil
}

// Bank returns how much time a player has for a whole game by a time control,
// as jobs write it; 0 where each move has its own.
func Bank(control string) (time.Duration, error) {
	t, err := arena.ParseTimeControl(control)
	return t.Bank, err
}
