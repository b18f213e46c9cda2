package moves

import (
	"bufio"
	"encoding/binary"
	"io"
	"maps"
	"slices"

	"oxo"
	"oxo/prove/certificate"
)

// Room is where what a strategy comes to may lie. The zero value is memory without a bound.
type Room struct {
	Memory int64            // bytes, about; 0 for no bound
	Disk   certificate.Disk // for what that does not hold; nil for none
}

// bytesOfHeld is what a position takes in memory beside its form, in bytes, about.
const bytesOfHeld = 150

// level is the positions to which a strategy comes after the same number of plies, one of each form. Those that the
// room does not hold in memory go to disk, in runs that are each in the order of the forms. A form may be in
// several runs, and is met once all the same, as each merges them.
type level[P oxo.Position[P]] struct {
	g    *Provable[P]
	room Room
	held map[string]P
	runs []*diskRun
}

// diskRun is a part of a level on disk, from its head on: forms with their positions as text, each after its length.
// left is how many records come after the head.
type diskRun struct {
	file       io.Closer
	in         *bufio.Reader
	left       int
	form, text string // the head
}

// newLevel returns a level without positions.
func (g *Provable[P]) newLevel(room Room) *level[P] {
	return &level[P]{g: g, room: room, held: map[string]P{}}
}

// empty reports whether there is no position, in memory or on disk.
func (l *level[P]) empty() bool { return len(l.held)+len(l.runs) == 0 }

// put adds a position, unless one of its form is held; it keeps the representative of the position's class. An
// error is one of the disk.
func (l *level[P]) put(form string, p P) error {
	if _, known := l.held[form]; known {
		return nil
	}
	// Two levels share the memory of the room: the one that is visited and the one that is collected.
	if r := &l.room; r.Disk != nil && r.Memory > 0 && int64(len(l.held)) > r.Memory/int64(2*(len(form)+bytesOfHeld)) {
		if err := l.spillToDisk(); err != nil {
			return &certificate.DiskError{Err: err}
		}
	}
	l.held[form] = l.g.Representative(p)
	return nil
}

// spillToDisk moves what is held to disk, as a run in the order of the forms, and forgets it in memory.
func (l *level[P]) spillToDisk() error {
	file, err := l.room.Disk.Create()
	if err != nil {
		return err
	}
	out, size := bufio.NewWriter(file), 0
	for _, form := range slices.Sorted(maps.Keys(l.held)) {
		for _, text := range []string{form, l.g.Format(l.held[form])} {
			head := binary.AppendUvarint(nil, uint64(len(text)))
			out.Write(head)
			out.WriteString(text)
			size += len(head) + len(text)
		}
	}
	if err := out.Flush(); err != nil { // which keeps the first error
		file.Close()
		return err
	}
	r := &diskRun{file: file, in: bufio.NewReader(io.NewSectionReader(file, 0, int64(size))), left: len(l.held)}
	l.runs = append(l.runs, r)
	clear(l.held)
	return r.readHead()
}

// readHead reads the next head; none is left where left is then −1, and the file is closed, which gives its room back.
func (r *diskRun) readHead() (err error) {
	if r.left--; r.left < 0 {
		return r.file.Close()
	}
	for _, to := range []*string{&r.form, &r.text} {
		n, err := binary.ReadUvarint(r.in)
		if err != nil {
			return err
		}
		text := make([]byte, n)
		if _, err := io.ReadFull(r.in, text); err != nil {
			return err
		}
		*to = string(text)
	}
	return nil
}

// forEachInOrder visits the positions in the order of their forms, and uses up the runs; it is called once. It ends
// with the first error, of visit or of the disk.
func (l *level[P]) forEachInOrder(visit func(form string, p P) error) error {
	forms := slices.Sorted(maps.Keys(l.held))
	for {
		l.runs = slices.DeleteFunc(l.runs, func(r *diskRun) bool { return r.left < 0 })
		// The next form is the least of the heads of all runs and of what is held.
		least, text := "", ""
		if len(forms) > 0 {
			least = forms[0]
		}
		for _, r := range l.runs {
			if least == "" || r.form < least {
				least, text = r.form, r.text
			}
		}
		if least == "" {
			return nil
		}
		p, known := l.held[least]
		if len(forms) > 0 && forms[0] == least {
			forms = forms[1:]
		}
		if !known {
			var err error
			if p, err = l.g.Parse(text); err != nil {
				return err
			}
		}
		// Every run that has the same form at its head goes on past it.
		for _, r := range l.runs {
			if r.form == least {
				if err := r.readHead(); err != nil {
					return &certificate.DiskError{Err: err}
				}
			}
		}
		if err := visit(least, p); err != nil {
			return err
		}
	}
}

// closeFiles gives back the room on disk that is still taken, also that of runs which were not read to their end.
func (l *level[P]) closeFiles() {
	for _, r := range l.runs {
		if r.left >= 0 {
			r.file.Close()
		}
	}
}
