package prove

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"oxo"
)

// A checkpoint is a gob of a checkpoint value, then a gob of the entries of
// each open question's table, in parts.

// checkpoint is the state of a job but for its tables.
type checkpoint struct {
	Version   int
	Game      [32]byte // digest of the game, as a certificate has it
	Budget    uint64
	Nodes     uint64
	Questions []savedQuestion
}

type savedQuestion struct {
	Seat, Width   int
	Relaxed, Hold bool
	Mirror        bool
	Closed, Begun bool
	Positions     int // entries that follow
}

// savedEntry is an entry of any table.
type savedEntry struct {
	Key     uint64
	PN, DN  uint32
	Work    uint32
	Replies []uint64
}

const savedPart = 1 << 12

func (j *job) digest() [32]byte {
	var b bytes.Buffer
	e := &encoder{w: bufio.NewWriter(&b)}
	e.proof(&Proof{Game: *j.game})
	e.w.Flush()
	return sha256.Sum256(b.Bytes())
}

// save writes the checkpoint, if there is to be one.
func (j *job) save() error {
	if j.opt.Checkpoint == "" {
		return nil
	}
	c := checkpoint{Version: 1, Game: j.digest(), Budget: j.budget, Nodes: j.result.Nodes}
	for _, q := range j.questions {
		s := savedQuestion{int(q.seat), q.width, q.relaxed, q.hold, q.mirror, q.closed && j.wins[q.seat] == open, q.search != nil, 0}
		if q.search != nil {
			s.Positions = q.search.entries()
		}
		c.Questions = append(c.Questions, s)
	}
	_, err := writeFile(j.opt.Checkpoint, func(w io.Writer) (int64, error) {
		b := bufio.NewWriter(w)
		out := gob.NewEncoder(b)
		if err := out.Encode(c); err != nil {
			return 0, err
		}
		for _, q := range j.questions {
			if q.search == nil {
				continue
			}
			if err := q.search.save(out); err != nil {
				return 0, err
			}
		}
		return 0, b.Flush()
	})
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	j.saved = time.Now()
	return nil
}

// load goes on from the checkpoint, if there is one.
func (j *job) load() error {
	if j.opt.Checkpoint == "" {
		return nil
	}
	f, err := os.Open(j.opt.Checkpoint)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	defer f.Close()
	in := gob.NewDecoder(bufio.NewReader(f))
	var c checkpoint
	if err := in.Decode(&c); err != nil {
		return fmt.Errorf("checkpoint %s: %w", j.opt.Checkpoint, err)
	}
	if c.Version != 1 || c.Game != j.digest() {
		return fmt.Errorf("checkpoint %s: it is of another game; remove it or name another file", j.opt.Checkpoint)
	}
	j.budget, j.result.Nodes = c.Budget, c.Nodes
	for k, s := range c.Questions {
		if k == len(j.questions) && s.Width > 0 {
			j.add(task{seat: oxo.Seat(s.Seat), width: s.Width}, nil)
		}
		if k >= len(j.questions) {
			return fmt.Errorf("checkpoint %s: it is of other options", j.opt.Checkpoint)
		}
		q := j.questions[k]
		if int(q.seat) != s.Seat || q.width != s.Width || q.relaxed != s.Relaxed || q.hold != s.Hold || q.mirror != s.Mirror {
			return fmt.Errorf("checkpoint %s: it is of other options", j.opt.Checkpoint)
		}
		q.closed = s.Closed
		if !s.Begun {
			continue
		}
		if q.search, err = newSearcher(j.game, q.task, j.share()); err != nil {
			return err
		}
		if err := q.search.load(in, s.Positions); err != nil {
			return fmt.Errorf("checkpoint %s: %w", j.opt.Checkpoint, err)
		}
	}
	return nil
}

// settle keeps the state of unfinished work, or removes that of finished work.
func (j *job) settle() error {
	if j.opt.Checkpoint == "" {
		return nil
	}
	if !j.decided() {
		return j.save()
	}
	if err := os.Remove(j.opt.Checkpoint); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// entries returns the number of entries that save writes.
func (s *search[S, Q]) entries() int { return int(s.table.used.Load()) }

// save writes the table.
func (s *search[S, Q]) save(out *gob.Encoder) error {
	part := make([]savedEntry, 0, savedPart)
	for i := range s.table.entries {
		e := &s.table.entries[i]
		if e.work == 0 {
			continue
		}
		x := savedEntry{e.key, e.pn, e.dn, e.work, nil}
		if !empty(e.replies) {
			for k := 0; k < len(e.replies); k++ {
				x.Replies = append(x.Replies, e.replies[k])
			}
		}
		if part = append(part, x); len(part) == savedPart {
			if err := out.Encode(part); err != nil {
				return err
			}
			part = part[:0]
		}
	}
	return out.Encode(part)
}

// load reads a table of the given number of entries.
func (s *search[S, Q]) load(in *gob.Decoder, entries int) error {
	for {
		var part []savedEntry
		if err := in.Decode(&part); err != nil {
			return err
		}
		for _, x := range part {
			e := entry[S]{key: x.Key, pn: x.PN, dn: x.DN, work: x.Work}
			if len(x.Replies) > len(e.replies) || x.Work == 0 {
				return errors.New("it is damaged")
			}
			for k, word := range x.Replies {
				e.replies[k] = word
			}
			s.table.store(e)
		}
		if entries -= len(part); len(part) < savedPart {
			break
		}
	}
	if entries != 0 {
		return errors.New("it is damaged")
	}
	return nil
}
