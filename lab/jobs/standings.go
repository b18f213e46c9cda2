package jobs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"oxo/arena"
)

// Row is a player's line in the table of a tournament.
type Row = arena.Row

// Rows rates the players of a tournament under way or finished, as [arena.Fit]
// does it. It refuses standings that are not square.
func (d StandingsData) Rows(ctx context.Context) ([]Row, error) {
	n := len(d.Names)
	if len(d.Cross) != n || len(d.Faults) != n {
		return nil, fmt.Errorf("a cross table of %d rows and faults of %d for %d players", len(d.Cross), len(d.Faults),
			n)
	}
	for i, row := range d.Cross {
		if len(row) != n {
			return nil, fmt.Errorf("a cross table with %d columns in row %d for %d players", len(row), i, n)
		}
	}
	s := arena.Standings{Names: d.Names, Games: d.Games, Total: d.Total, Cross: d.Cross, Faults: d.Faults}
	return s.Rows(ctx)
}

// JournalGame is a finished game of a tournament.
type JournalGame struct {
	Number      int      `json:"number" doc:"in the tournament, from 1"`
	Game        string   `json:"game"`
	Start       string   `json:"start,omitempty" doc:"the position that it began from, if not the game's own"`
	First       string   `json:"first"`
	Second      string   `json:"second"`
	Moves       []string `json:"moves"`
	Opening     int      `json:"opening" doc:"how many of the moves were given"`
	Result      string   `json:"result" enum:"first,second,draw,*"`
	Termination string   `json:"termination"`
	Reason      string   `json:"reason,omitempty"`
}

// JournalGames lists the games of a tournament's journal, by number.
func JournalGames(data []byte) ([]JournalGame, error) {
	j, err := arena.OpenJournal(newJournal(slices.Clone(data)))
	if err != nil {
		return nil, err
	}
	var games []JournalGame
	for n, s := range j.Sheets() {
		games = append(games, JournalGame{n + 1, s.Game, s.Start, s.First, s.Second, append([]string{}, s.Moves...),
			s.Opening, s.Result, s.Termination, s.Reason})
	}
	slices.SortFunc(games, byNumber)
	return games, nil
}

// JournalSheets returns the score sheets of a tournament's journal, by number.
func JournalSheets(data []byte) ([]*arena.Sheet, error) {
	j, err := arena.OpenJournal(newJournal(slices.Clone(data)))
	if err != nil {
		return nil, err
	}
	var list []*arena.Sheet
	games := j.Sheets()
	for _, n := range slices.Sorted(maps.Keys(games)) {
		list = append(list, games[n])
	}
	return list, nil
}

// MergeGames lists the games of several journals of one tournament, by number.
// A game that is in several is listed once.
func MergeGames(journals ...[]JournalGame) []JournalGame {
	if len(journals) == 1 {
		return journals[0]
	}
	games := slices.Concat(journals...)
	slices.SortStableFunc(games, byNumber)
	return slices.CompactFunc(games, func(a, b JournalGame) bool { return a.Number == b.Number })
}

func byNumber(a, b JournalGame) int { return cmp.Compare(a.Number, b.Number) }

// ParseTimeBank returns how much time a player has for a whole game by a time control,
// as jobs write it; 0 where each move has its own.
func ParseTimeBank(control string) (time.Duration, error) {
	t, err := arena.ParseTimeControl(control)
	return t.Bank, err
}
