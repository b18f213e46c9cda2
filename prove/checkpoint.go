package prove

import (
	"bufio"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"time"

	"oxo/board/bitset"
	"oxo/prove/certificate"
)

// A checkpoint is a gob of a checkpoint value, then a gob of the entries of
// each open question's table, in parts and in the order of the table, so that
// they come to lie in the same places.

// checkpoint is the state of a job but for its tables.
type checkpoint struct {
	Version   int
	Game      [32]byte // digest of the game, as a certificate has it
	Budget    uint64   // of the round under way
	At        int      // the question under way
	Left      uint64   // of its budget; 0 where it has not had its turn
	Nodes     uint64
	Start     uint64 // of Nodes, what was searched in earlier rounds
	Wins      [2]verdict
	Found     []byte // a certificate of the claims so far, as earlier versions wrote it
	More      bool   // whether it comes next, in parts
	Questions []savedQuestion
}

// foundPart is a part of a certificate.
type foundPart struct {
	Found []byte
	More  bool
}

// mostFound is about how many bytes of a certificate a part has at most.
const mostFound = 1 << 16

// partWriter writes a certificate in parts.
type partWriter struct{ out *gob.Encoder }

func (w *partWriter) Write(p []byte) (int, error) { return len(p), w.out.Encode(foundPart{p, true}) }

// readFoundProof reads the certificate of the claims that c has found.
func (j *proofRun) readFoundProof(in *gob.Decoder, c *checkpoint) (*certificate.Proof, error) {
	found, err := j.opt.Disk.Create()
	if err != nil {
		return nil, err
	}
	defer found.Close()
	size, p := int64(0), foundPart{c.Found, c.More}
	for {
		if _, err := found.Write(p.Found); err != nil {
			return nil, err
		}
		size += int64(len(p.Found))
		if !p.More {
			return certificate.Read(found, size, j.opt.Disk)
		}
		p = foundPart{}
		if err := in.Decode(&p); err != nil {
			return nil, fmt.Errorf("%w (%w)", errDamaged, err)
		}
	}
}

// savedQuestion is a question as a checkpoint has it, but for its table.
type savedQuestion struct {
	Seat, Width   int
	Relaxed, Hold bool
	Mirror        bool
	Closed, Begun bool
	Last          uint32 // see question
	Falling       bool
	PN, DN        uint32    // of the root
	Nodes         uint64    // that were searched
	Refuted       []uint64  // see threats.Search
	Slow          []uint64  // see threats.SlowerSearch
	Threats       [2]uint64 // nodes of both
	Positions     int       // entries that follow
}

// savedEntry is an entry of any table.
type savedEntry struct {
	Key     uint64
	PN, DN  uint32
	Work    uint32
	Paired  bool
	Fresh   bool
	Replies []uint64
}

const savedPart = 1 << 12

// Storage keeps the state of unfinished work, as a file does. What it returns as
// an error names it.
type Storage interface {
	// Read hands what is kept to read, if anything is.
	Read(read func(io.Reader) error) error

	// Write keeps what write writes in place of what was kept, whole or not at all.
	Write(write func(io.Writer) error) error
}

// saveCheckpoint keeps the state of the work, if it is to be kept.
func (j *proofRun) saveCheckpoint() error {
	if j.opt.Checkpoint == nil {
		return nil
	}
	if err := j.opt.Checkpoint.Write(func(w io.Writer) error { return j.writeWithin(w, 0) }); err != nil {
		return fmt.Errorf("checkpoint %w", err)
	}
	j.saved = time.Now()
	return nil
}

// writeWithin writes the state of the work in about most bytes, where that is not 0:
// where the tables have more, the positions with the least work are left out.
func (j *proofRun) writeWithin(w io.Writer, maxBytes int64) error {
	return j.writeState(w, j.leastWorkFor(maxBytes), false)
}

// writeState writes the positions of at least so much work, or what this search
// found of them in its round.
func (j *proofRun) writeState(w io.Writer, leastWork uint32, freshOnly bool) error {
	c := checkpoint{
		Version: 1, Game: j.game.Digest(), Budget: j.budget, At: j.at, Left: j.left,
		Nodes: j.result.Nodes, Start: j.start, Wins: j.wins,
	}
	if freshOnly {
		c.Nodes, c.Start = c.Nodes-c.Start, 0
	}
	if j.left == 0 {
		c.At++
	}
	c.More = true
	for _, q := range j.questions {
		s := savedQuestion{
			Seat: int(q.seat), Width: q.width, Relaxed: q.relaxed, Hold: q.defends, Mirror: q.mirror,
			Closed: q.closed, Last: q.last, Falling: q.falling,
		}
		if q.search != nil {
			s.Begun = true
			q.search.fillSavedQuestion(&s, leastWork, freshOnly)
		}
		c.Questions = append(c.Questions, s)
	}
	b := bufio.NewWriter(w)
	out := gob.NewEncoder(b)
	if err := out.Encode(c); err != nil {
		return err
	}
	found := bufio.NewWriterSize(&partWriter{out}, mostFound)
	if _, err := (&certificate.Proof{Game: *j.game, Perms: j.perms.list, Claims: j.claims}).WriteTo(found); err != nil {
		return err
	}
	if err := errors.Join(found.Flush(), out.Encode(foundPart{})); err != nil {
		return err
	}
	for _, q := range j.questions {
		if q.search == nil {
			continue
		}
		if err := q.search.saveEntries(out, leastWork, freshOnly); err != nil {
			return err
		}
	}
	return b.Flush()
}

// leastWorkFor returns the least work of the positions that fit into so many bytes.
func (j *proofRun) leastWorkFor(maxBytes int64) uint32 {
	var sizes [33]int64 // by bits of the work
	for _, q := range j.questions {
		if q.search != nil {
			q.search.addEntrySizesByWork(&sizes)
		}
	}
	all := int64(0)
	for k := 32; k > 0; k-- {
		if all += sizes[k]; maxBytes > 0 && all > maxBytes {
			return uint32(min(1<<k, math.MaxUint32))
		}
	}
	return 1
}

// loadCheckpoint goes on from the checkpoint, if there is one.
func (j *proofRun) loadCheckpoint() error {
	if j.opt.Resume != nil {
		if err := j.readCheckpoint(j.opt.Resume); err != nil {
			return fmt.Errorf("checkpoint: %w", err)
		}
		return nil
	}
	if j.opt.Checkpoint == nil {
		return nil
	}
	err := j.opt.Checkpoint.Read(func(r io.Reader) error {
		err := j.readCheckpoint(r)
		if _, disk := errors.AsType[*certificate.DiskError](err); err == nil || disk {
			return err
		}
		return fmt.Errorf("%w; remove it or name another file", err)
	})
	if err != nil {
		return fmt.Errorf("checkpoint %w", err)
	}
	return nil
}

// readCheckpoint takes over the state that writeState wrote.
func (j *proofRun) readCheckpoint(r io.Reader) error {
	in := gob.NewDecoder(bufio.NewReader(r))
	var c checkpoint
	if err := in.Decode(&c); err != nil {
		return fmt.Errorf("it is none that a proof left, or damaged (%w)", err)
	}
	if c.Version != 1 || c.Game != j.game.Digest() {
		return errors.New("it is of another game")
	}
	if !c.isConsistent() {
		return errDamaged
	}
	j.resumed = true
	j.budget, j.at, j.left, j.result.Nodes, j.start, j.wins = c.Budget, c.At, c.Left, c.Nodes, c.Start, c.Wins
	if len(c.Found) > 0 || c.More {
		found, err := j.readFoundProof(in, &c)
		if err != nil {
			return err
		}
		j.claims = found.Claims
		for _, perm := range found.Perms {
			j.perms.numberOrAdd(perm)
		}
	}
	for k, s := range c.Questions {
		if k == len(j.questions) && s.Width > 0 {
			if _, err := j.findOrAddQuestion(s); err != nil {
				return err
			}
		}
		if k >= len(j.questions) {
			return errors.New("it is of other options")
		}
		q := j.questions[k]
		if int(q.seat) != s.Seat || q.width != s.Width || q.relaxed != s.Relaxed || q.defends != s.Hold ||
			q.mirror != s.Mirror {
			return errors.New("it is of other options")
		}
		q.closed, q.last, q.falling = s.Closed, s.Last, s.Falling
		if !s.Begun {
			continue
		}
		if err := j.beginSearch(q); err != nil {
			return err
		}
		if err := q.search.loadEntries(in, s); err != nil {
			return err
		}
	}
	if j.at > len(j.questions) {
		return errDamaged
	}
	if j.left == 0 && j.at > 0 {
		j.questions[j.at-1].recordRootNumbers() // which it was saved before
	}
	return nil
}

var errDamaged = errors.New("it is damaged")

// isConsistent reports whether the numbers beside the questions can be.
func (c *checkpoint) isConsistent() bool {
	return c.At >= 0 && !slices.ContainsFunc(c.Wins[:], func(v verdict) bool { return v < disproved || v > proved })
}

// fillSavedQuestion says what a search has beside its table, and how many entries of at
// least so much work that has, or how many of them are fresh.
func (s *search[S, Q]) fillSavedQuestion(to *savedQuestion, leastWork uint32, freshOnly bool) {
	to.PN, to.DN, to.Nodes = s.pn, s.dn, s.nodes
	if !freshOnly {
		to.Refuted, to.Slow = s.threats.Refuted, s.slower.Refuted
		to.Threats = [2]uint64{s.threats.Nodes, s.slower.Nodes}
	}
	for i := range s.table.entries {
		if e := &s.table.entries[i]; e.work >= leastWork && (e.fresh || !freshOnly) {
			to.Positions++
		}
	}
}

// addEntrySizesByWork adds how many bytes the entries take, by the bits of their work.
func (s *search[S, Q]) addEntrySizesByWork(sizes *[33]int64) {
	var e entry[S]
	size := int64(25 + 9*len(e.replies))
	for i := range s.table.entries {
		sizes[bits.Len32(s.table.entries[i].work)] += size
	}
}

// saveEntries writes the entries of the table that have at least so much work, or those
// of them that are fresh.
func (s *search[S, Q]) saveEntries(out *gob.Encoder, leastWork uint32, freshOnly bool) error {
	part := make([]savedEntry, 0, savedPart)
	for i := range s.table.entries {
		e := &s.table.entries[i]
		if e.work < leastWork || freshOnly && !e.fresh {
			continue
		}
		x := savedEntry{e.key, e.pn, e.dn, e.work, e.paired, e.fresh && !freshOnly, nil}
		if !bitset.Empty(e.replies) {
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

// loadEntries takes over what fillSavedQuestion and saveEntries wrote.
func (s *search[S, Q]) loadEntries(in *gob.Decoder, q savedQuestion) error {
	s.pn, s.dn, s.nodes = q.PN, q.DN, q.Nodes
	s.threats.Nodes, s.slower.Nodes = q.Threats[0], q.Threats[1]
	if copy(s.threats.Refuted, q.Refuted) != len(q.Refuted) || copy(s.slower.Refuted, q.Slow) != len(q.Slow) {
		return errDamaged
	}
	return forEachEntry(in, q, func(x savedEntry) error {
		e, err := restoreEntry[S](x)
		if err == nil {
			s.table.put(e)
		}
		return err
	})
}

// restoreEntry returns the entry that was saved.
func restoreEntry[S bitset.Squares](x savedEntry) (entry[S], error) {
	e := entry[S]{key: x.Key, pn: x.PN, dn: x.DN, work: x.Work, paired: x.Paired, fresh: x.Fresh}
	if len(x.Replies) > len(e.replies) || x.Work == 0 {
		return e, errDamaged
	}
	for k, word := range x.Replies {
		e.replies[k] = word
	}
	return e, nil
}

// forEachEntry calls visit with the entries of a question.
func forEachEntry(in *gob.Decoder, q savedQuestion, visit func(savedEntry) error) error {
	entries := q.Positions
	for {
		var part []savedEntry
		if err := in.Decode(&part); err != nil {
			return fmt.Errorf("%w (%w)", errDamaged, err)
		}
		for _, x := range part {
			if err := visit(x); err != nil {
				return err
			}
		}
		if entries -= len(part); len(part) < savedPart {
			break
		}
	}
	if entries != 0 {
		return errDamaged
	}
	return nil
}
