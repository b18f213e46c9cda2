package arena

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"
)

// MemoryFile is a journal's file in memory. It has what [Journal] asks of a file, for workers that
// send journals instead of keeping them.
type MemoryFile struct {
	Data []byte
	at   int
}

// Read reads on.
func (f *MemoryFile) Read(p []byte) (int, error) {
	if f.at >= len(f.Data) {
		return 0, io.EOF
	}
	n := copy(p, f.Data[f.at:])
	f.at += n
	return n, nil
}

// Write writes at the end: a journal is only ever added to.
func (f *MemoryFile) Write(p []byte) (int, error) {
	f.Data = append(f.Data, p...)
	f.at = len(f.Data)
	return len(p), nil
}

// Seek goes to an offset from the start, where a journal is read from.
func (f *MemoryFile) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart || offset < 0 || offset > int64(len(f.Data)) {
		return 0, errors.New("a journal is read from its start")
	}
	f.at = int(offset)
	return offset, nil
}

// Truncate cuts the end off.
func (f *MemoryFile) Truncate(size int64) error {
	f.Data = f.Data[:size]
	return nil
}

// Sync does nothing: there is no disk.
func (f *MemoryFile) Sync() error { return nil }

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

// JournalSheets returns the score sheets of a tournament's journals, by number, of a game that is in several once.
func JournalSheets(journals ...[]byte) ([]*Sheet, error) {
	games := map[int]*Sheet{}
	for _, journal := range journals {
		if err := visitSheets(journal, func(n int, s *Sheet) { games[n] = s }); err != nil {
			return nil, err
		}
	}
	var list []*Sheet
	for _, n := range slices.Sorted(maps.Keys(games)) {
		list = append(list, games[n])
	}
	return list, nil
}

// JournalGames lists the games of a tournament's journal, by number.
func JournalGames(journal []byte) ([]JournalGame, error) {
	var games []JournalGame
	err := visitSheets(journal, func(n int, s *Sheet) {
		games = append(games, JournalGame{n + 1, s.Game, s.Start, s.First, s.Second, append([]string{}, s.Moves...),
			s.Opening, s.Result, s.Termination, s.Reason})
	})
	return games, err
}

// visitSheets visits the sheets of a journal by their numbers. The data is copied, as opening a journal
// may cut a torn line off.
func visitSheets(journal []byte, visit func(number int, s *Sheet)) error {
	j, err := OpenJournal(&MemoryFile{Data: slices.Clone(journal)})
	if err != nil {
		return err
	}
	games := j.Sheets()
	for _, n := range slices.Sorted(maps.Keys(games)) {
		visit(n, games[n])
	}
	return nil
}

// MergeGames lists the games of several journals of one tournament, by number.
// A game that is in several is listed once.
func MergeGames(journals ...[]JournalGame) []JournalGame {
	if len(journals) == 1 {
		return journals[0]
	}
	games := slices.Concat(journals...)
	slices.SortStableFunc(games, func(a, b JournalGame) int { return cmp.Compare(a.Number, b.Number) })
	return slices.CompactFunc(games, func(a, b JournalGame) bool { return a.Number == b.Number })
}

// JoinJournals makes one journal of several of the same tournament: their header and
// then their games.
func JoinJournals(journals [][]byte) []byte {
	var all []byte
	for i, journal := range journals {
		header, games, _ := bytes.Cut(journal, []byte("\n"))
		if i == 0 {
			all = append(append(all, header...), '\n')
		}
		all = append(all, games...)
	}
	return all
}
