package typed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo"
	"oxo/arena"
	"oxo/lab/internal/game"
	"oxo/lab/internal/players"
	"oxo/solve"
)

// contest is games between players; it plays one after the other. One value serves all ranges: each
// call copies the tournament and sets its range and journal.
type contest[P oxo.Position[P]] struct{ arena.Tournament[P] }

// Names returns the players' specs. They are in the order of the options.
func (c *contest[P]) Names() []string {
	var names []string
	for _, e := range c.Entrants {
		names = append(names, e.Name)
	}
	return names
}

// tournamentOfRange returns the tournament of a range, with its journal. The error is of a journal that can't be
// read, or that is damaged before its last line.
func (c *contest[P]) tournamentOfRange(r game.Range, file arena.JournalFile) (t arena.Tournament[P], err error) {
	t = c.Tournament
	t.From, t.To = r.From, r.To
	t.Journal, err = arena.OpenJournal(file)
	return t, err
}

// Play plays the games of a range that the journal does not hold yet. The sequential test is left out,
// as it is about all games: CountStandings takes it once all ranges are there. The standings are those of the range,
// with the games that the journal held before.
func (c *contest[P]) Play(ctx context.Context, r game.Range, file arena.JournalFile,
	tell func(*arena.Standings)) (*arena.Standings, error) {
	t, err := c.tournamentOfRange(r, file)
	if err != nil {
		return nil, err
	}
	t.SPRT, t.Progress = nil, tell
	return t.Run(ctx)
}

// CountStandings returns the standings of the games of a range that a journal holds. No game is played. A range other
// than the whole is counted without the sequential test.
func (c *contest[P]) CountStandings(r game.Range, file arena.JournalFile) (*arena.Standings, error) {
	t, err := c.tournamentOfRange(r, file)
	if err != nil {
		return nil, err
	}
	if r != (game.Range{}) {
		t.SPRT = nil
	}
	return t.CountJournal()
}

// Offered lists the players that are offered by name. Each that does not play this game comes with the reason.
func (f contesting[P]) Offered() []game.OfferedPlayer { return players.OfferedPlayers(f.b) }

// NewContest sets up games between players. One worker plays, as ranges are what is played side by side.
// Without clocks the sheets have no times, so that the same games are the same bytes. The error is a Fault
// where one option is to blame.
func (f contesting[P]) NewContest(o game.ContestOptions) (game.Contest, error) {
	t, err := f.newTournament(o)
	if err != nil {
		return nil, err
	}
	t.Workers, t.Timeless = 1, t.Referee.Time == arena.TimeControl{}
	return &contest[P]{*t}, nil
}

// newTournament checks the options one by one and opens the players; the error is a Fault that names
// the option as the API does.
func (f contesting[P]) newTournament(o game.ContestOptions) (*arena.Tournament[P], error) {
	t := &arena.Tournament[P]{
		Referee:  arena.Referee[P]{Game: f.b.Game, Margin: o.Margin},
		Gauntlet: o.Gauntlet, Pairs: o.Games / 2, Seed: o.Seed, SPRT: o.SPRT,
	}
	// A pair of games is one opening with the seats swapped, so games come in twos.
	if o.Games < 2 || o.Games%2 != 0 {
		return nil, game.FaultOf("games",
			fmt.Errorf("%d games: an even number is needed, at least 2, as each opening is "+
				"played from both seats", o.Games))
	}
	if len(o.Players) < 2 {
		return nil, game.FaultOf("players", fmt.Errorf("at least two players are needed, not %d", len(o.Players)))
	}
	var err error
	if t.Referee.Time, err = arena.ParseTimeControl(o.Time); err != nil {
		return nil, game.FaultOf("time_control", err)
	}
	if t.Openings, err = f.openingsOf(o, t.Pairs); err != nil {
		return nil, err
	}
	// Every player is looked up now, so that a spec that is refused is named before the first game begins.
	for i, spec := range o.Players {
		e, err := f.entrantFactory(i, o, t.Openings, t.Referee.Time != arena.TimeControl{})
		if err != nil {
			return nil, game.FaultOf(fmt.Sprintf("players[%d]", i), err)
		}
		t.Entrants = append(t.Entrants, arena.Entrant[P]{Name: spec, New: e})
	}
	if o.Adjudge {
		if t.Referee.Adjudicate, err = f.adjudicateFunc(); err != nil {
			return nil, game.FaultOf("adjudicate", err)
		}
	}
	if o.SPRT != nil {
		if err := o.SPRT.Check(); err != nil {
			return nil, game.FaultOf("sprt", err)
		}
	}
	return t, t.Check()
}

// adjudicateFunc returns what ends a game as soon as its value is known. It is the judge with a small
// budget, so that every machine ends a game at the same ply. The function that is returned says false of a
// position whose value it does not know. Games with chance or payoffs have none.
func (f contesting[P]) adjudicateFunc() (func(P) (outcome oxo.Outcome, known bool), error) {
	if f.b.Odds != nil || f.b.Payoff != nil {
		return nil, errors.New("adjudication is for games that are won, drawn or lost, without chance")
	}
	// A game that can be solved at once is solved before play. That it is too large for that is no error, as
	// the adjudicator has other sources.
	if _, err := f.b.Solution(); err != nil && !errors.Is(err, solve.ErrTooLarge) {
		return nil, err
	}
	j := players.NewAdjudicator(f.b)
	return func(p P) (oxo.Outcome, bool) {
		// Bounds that leave the value open count as not known.
		a, err := j.Ask(context.Background(), p, players.AdjudicatorBudget, nil, nil)
		return oxo.Value(a.Lo).Outcome(oxo.First), err == nil && a.Proven()
	}, nil
}

// entrantFactory returns what makes the i-th player for a game. The seed that it takes is the game's,
// so that a game can be played again alone. With clocks, a player that would need a limit of its own to stop
// is opened without one, as its clock stops it. A spec that comes a second time is refused unless twins are
// allowed, and so is a person.
func (f contesting[P]) entrantFactory(index int, o game.ContestOptions, openings []arena.Opening[P],
	clocks bool) (func(oxo.Seat, uint64) (oxo.Player[P], error), error) {
	spec := o.Players[index]
	switch {
	case slices.Contains(o.Players[:index], spec) && !o.Twins:
		return nil, fmt.Errorf("player %q is given twice; oxo match plays one against itself", spec)
	case strings.HasPrefix(spec, "engine:codingame:") && (o.Openings > 0 || o.OpeningList != ""):
		return nil, fmt.Errorf("player %q: CodinGame's protocol has no word for openings; play without them", spec)
	case spec == game.Human:
		return nil, errors.New(`player "human": no person plays here; use oxo play`)
	}
	starts := make([]P, len(openings))
	for i, o := range openings {
		starts[i] = o.Position
	}
	m, err := players.OpenPlayerFrom(f.b, spec, starts...)
	if clocks && err != nil {
		m, err = players.OpenClockedPlayer(f.b, spec)
	}
	if err == nil {
		err = players.CheckBothSeats(spec, o.Openings > 0 || o.OpeningList != "", m)
	}
	return func(seat oxo.Seat, seed uint64) (oxo.Player[P], error) {
		// The seat is the generator's stream, so that the two players of a game draw different numbers.
		return m(rand.New(rand.NewPCG(seed, uint64(seat))))
	}, err
}

// openingsOf returns the openings that the options ask for: a list of the user's, all of a length up to
// symmetry in an order that the seed shuffles, or random ones where those are too many. Of random ones there
// are as many as each two players have pairs of games. The result is nil where none are asked for, which has
// every game begin at the start.
func (f contesting[P]) openingsOf(o game.ContestOptions, randomCount int) ([]arena.Opening[P], error) {
	switch {
	case o.OpeningList != "":
		list, err := arena.ReadOpenings(f.b.Game, strings.NewReader(o.OpeningList))
		return list, game.FaultOf("opening_list", err)
	case o.Openings < 0:
		return nil, game.FaultOf("openings", fmt.Errorf("openings of %d plies: at least 0", o.Openings))
	case o.Openings == 0:
		return nil, nil
	}
	all, err := arena.AllOpenings(f.b.Game, o.Openings)
	if err != nil {
		all, err = arena.RandomOpenings(f.b.Game, o.Openings, randomCount, o.Seed)
		return all, game.FaultOf("openings", err)
	}
	// An empty list would stand for the start, which is not what was asked for.
	if len(all) == 0 {
		return nil, game.FaultOf("openings", fmt.Errorf("no game goes on after %d plies", o.Openings))
	}
	arena.Shuffle(all, o.Seed)
	return all, nil
}

// CheckSheet replays a score sheet by the rules of the game. The error says which move is illegal, or that
// the result is not that of the moves.
func (f records[P]) CheckSheet(s *arena.Sheet) error { return arena.ReplayCheck(f.b.Game)(s) }

// PositionsOfSheet returns the positions of a sheet's game, before the first move and
// after each. There is one more of them than there are moves. A sheet that breaks the rules is an error.
func (f records[P]) PositionsOfSheet(s *arena.Sheet) ([]game.State, error) {
	positions, _, err := arena.Replay(f.b.Game, s)
	if err != nil {
		return nil, err
	}
	var states []game.State
	for _, p := range positions {
		states = append(states, f.b.StateOf(p))
	}
	return states, nil
}

// ExportSheet writes a game as other programs keep it: "sgf" for the readers of
// SGF, "psq" for Piskvork. Both know only grids that are played on from the
// empty board, one mark a move.
func (f records[P]) ExportSheet(w io.Writer, s *arena.Sheet, format string) error {
	info := f.b.Info()
	cols, rows, levels := info.Extent()
	g := arena.Grid{Cols: cols, Rows: rows}
	switch {
	case levels != 1 || len(info.Squares) != cols*rows:
		return fmt.Errorf("%s: the squares of %s are not one grid", format, f.b.Spec)
	case f.b.Odds != nil:
		return fmt.Errorf("%s: it can't tell what chance did in %s", format, f.b.Spec)
	}
	switch format {
	case "sgf":
		if f.b.IsFiveInARow() {
			g.Kind = 4 // SGF's number for it
		}
		return arena.WriteSGF(w, s, g)
	case "psq":
		return arena.WritePSQ(w, s, g)
	}
	return fmt.Errorf("format %q: there are sgf and psq", format)
}
