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
// room does not hold in memory go to disk, in runs that are each in the order of the forms.
type level[P oxo.Position[P]] struct {
	g    *Provable[P]
	room Room
	held map[string]P
	runs []*run
}

// run is a part of a level on disk, from its head on: forms with their positions as text.
type run struct {
	file       io.Closer
	in         *bufio.Reader
	left       int
	form, text string // the head
}

func (g *Provable[P]) newLevel(room Room) *level[P] {
	return &level[P]{g: g, room: room, held: map[string]P{}}
}

func (l *level[P]) empty() bool { return len(l.held)+len(l.runs) == 0 }

// put adds a position, unless one of its form is there.
func (l *level[P]) put(form string, p P) error {
	if _, known := l.held[form]; known {
		return nil
	}
	if r := &l.room; r.Disk != nil && r.Memory > 0 && int64(len(l.held)) > r.Memory/int64(2*(len(form)+bytesOfHeld)) {
		if err := l.makeRoom(); err != nil {
			return &certificate.DiskError{Err: err}
		}
	}
	l.held[form] = l.g.Class(p)
	return nil
}

// makeRoom moves what is held to disk.
func (l *level[P]) makeRoom() error {
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
	r := &run{file: file, in: bufio.NewReader(io.NewSectionReader(file, 0, int64(size))), left: len(l.held)}
	l.runs = append(l.runs, r)
	clear(l.held)
	return r.next()
}

// next reads the next head; none is left where left is then −1.
func (r *run) next() (err error) {
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

// each visits the positions in the order of their forms.
func (l *level[P]) each(visit func(form string, p P) error) error {
	forms := slices.Sorted(maps.Keys(l.held))
	for {
		l.runs = slices.DeleteFunc(l.runs, func(r *run) bool { return r.left < 0 })
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
		for _, r := range l.runs {
			if r.form == least {
				if err := r.next(); err != nil {
					return &certificate.DiskError{Err: err}
				}
			}
		}
		if err := visit(least, p); err != nil {
			return err
		}
	}
}

// closeFiles gives back the room on disk that is still taken.
func (l *level[P]) closeFiles() {
	for _, r := range l.runs {
		if r.left >= 0 {
			r.file.Close()
		}
	}
}
