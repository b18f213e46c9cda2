package arena

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// JournalFile is what a journal is kept in; *os.File is one.
type JournalFile interface {
	io.ReadWriteSeeker
	Truncate(size int64) error
	Sync() error
}

// Journal keeps the finished games of a tournament in a file, so that one that
// was cut short goes on where it was. It is a line for the tournament and then
// a line for each game, in JSON. A line is written whole or, when the program
// or the machine dies in the middle of it, cut off by the next OpenJournal.
type Journal struct {
	file   JournalFile
	header string
	done   map[int]*Sheet // what it held when it was opened
	synced time.Time
}

// journalHeader is the first line of a journal.
type journalHeader struct {
	Journal    int    `json:"journal"` // version of the format
	Tournament string `json:"tournament"`
}

// journalLine is any other line: a game that has ended.
type journalLine struct {
	Game  int    `json:"game"` // its number in the tournament
	Sheet *Sheet `json:"sheet"`
}

const (
	// A program reads journals of its own version alone.
	journalVersion = 1
	maxJournalLine = 64 << 20
)

// OpenJournal reads the journal in the file, which may be empty, and goes to
// its end. An unfinished last line is cut off. A line that makes no sense
// elsewhere is an error, as the file is then something else or damaged.
// It reads the whole file, and cuts off an unfinished line by truncating the file.
func OpenJournal(file JournalFile) (*Journal, error) {
	j := &Journal{file: file, done: map[int]*Sheet{}}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	r := bufio.NewReader(file) // with a small buffer: parts of tournaments open many small journals
	var size int64
	for n := 1; ; n++ {
		line, err := readLine(r)
		if err == io.EOF {
			if n == 1 && !isHeaderStart(line) {
				return nil, errors.New("journal: line 1: this is no journal of a tournament")
			}
			break // what is there, if anything, is no whole line
		}
		if err == nil {
			err = j.decodeLine(n, line)
		}
		if err != nil {
			return nil, fmt.Errorf("journal: line %d: %w", n, err)
		}
		size += int64(len(line)) + 1
	}
	err := file.Truncate(size)
	if err == nil {
		_, err = file.Seek(size, io.SeekStart)
	}
	return j, within("journal", err)
}

// isHeaderStart reports whether a line that is cut off can be the first one of a
// journal.
func isHeaderStart(line []byte) bool {
	start := fmt.Sprintf(`{"journal":%d,"tournament":"`, journalVersion)
	return strings.HasPrefix(start, string(line)) || strings.HasPrefix(string(line), start)
}

// readLine returns a line without its end; what there is of it and io.EOF if the
// end is missing.
func readLine(r *bufio.Reader) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case err != bufio.ErrBufferFull:
			return line, err
		case len(line) > maxJournalLine:
			return nil, errors.New("the line is too long")
		}
	}
}

// decodeLine reads line n, counted from 1, into the journal.
func (j *Journal) decodeLine(n int, line []byte) error {
	if n == 1 {
		var h journalHeader
		if err := decodeStrict(line, &h); err != nil || h.Journal == 0 {
			return errors.New("this is no journal of a tournament")
		}
		if h.Journal != journalVersion {
			return fmt.Errorf("the journal has format %d; this program reads format %d", h.Journal, journalVersion)
		}
		j.header = h.Tournament
		return nil
	}
	var l journalLine
	if err := decodeStrict(line, &l); err != nil {
		return err
	}
	if l.Sheet == nil || l.Game < 0 {
		return errors.New("a game has no sheet")
	}
	if j.done[l.Game] != nil {
		return fmt.Errorf("game %d is there twice", l.Game)
	}
	j.done[l.Game] = l.Sheet
	return nil
}

// decodeStrict decodes JSON that is all of the line and has no unknown fields.
func decodeStrict(line []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the object")
	}
	return nil
}

// Sheets returns the games that the journal held when it was opened, by their
// numbers.
func (j *Journal) Sheets() map[int]*Sheet { return j.done }

// writeOrCheckHeader says which tournament the journal is of. It refuses one that it is not
// of.
func (j *Journal) writeOrCheckHeader(tournament string) error {
	if j.header == tournament {
		return nil
	}
	if j.header != "" {
		return fmt.Errorf("the journal is of another tournament: it has %s, this one %s", j.header, tournament)
	}
	j.header = tournament
	return j.write(journalHeader{journalVersion, tournament})
}

// appendGame writes a game down. It is on the disk after a second or on Sync.
// A crash of the machine takes games that ended within a second of the last Sync, which are played again.
func (j *Journal) appendGame(n int, s *Sheet) error {
	if err := j.write(journalLine{n, s}); err != nil {
		return err
	}
	if now := time.Now(); now.Sub(j.synced) > time.Second {
		j.synced = now
		return j.Sync()
	}
	return nil
}

// write appends a line.
func (j *Journal) write(line any) error {
	text, err := json.Marshal(line)
	if err == nil {
		_, err = j.file.Write(append(text, '\n'))
	}
	return within("journal", err)
}

// Sync brings all to the disk.
func (j *Journal) Sync() error {
	return within("journal", j.file.Sync())
}
