package tiers

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A file of all tiers is, in this order:
//
//	the line "oxo tiers 1"
//	a line of JSON, the header
//	the SHA-256 of that line, without its end, as a line of 64 hexadecimal digits
//	the table of each slice of each tier, from the empty board on; see table
//
// The header has the SHA-256 of every table, so that a position is looked up by
// reading and checking one table.
const Magic = "oxo tiers 1\n"

// Header is what a file says about its tables.
type Header struct {
	Game  string `json:"game"`  // what identifies the game
	Tiers []Tier `json:"tiers"` // by marks, from none
}

// Tier is a tier in a file.
type Tier struct {
	Marks int `json:"marks"`
	Counts
	Slices []Stored `json:"slices"`
}

// Stored is a slice in a file.
type Stored struct {
	Slice
	Sum string `json:"sha256"` // of its table
}

// Sum returns the checksum of a table as a header has it.
func Sum(table []byte) string {
	sum := sha256.Sum256(table)
	return hex.EncodeToString(sum[:])
}

// WriteTables writes a file of the tables that load returns.
func WriteTables(w io.Writer, h Header, load func(marks, index int) ([]byte, error)) error {
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w) // write errors come out of Flush
	out.WriteString(Magic)
	out.Write(line)
	out.WriteString("\n" + Sum(line) + "\n")
	for _, t := range h.Tiers {
		for k, s := range t.Slices {
			data, err := load(t.Marks, k)
			if err != nil {
				return err
			}
			if Sum(data) != s.Sum {
				return fmt.Errorf("the table of slice %d of %d marks is not the one that was made", k, t.Marks)
			}
			if _, err := out.Write(data); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// mostHeader is the most bytes of a header that are read.
const mostHeader = 64 << 20

// File is a file of all tiers, open to be asked. It is for one goroutine.
type File struct {
	Header
	*Values
	offsets [][]int64 // where the table of each slice begins, by marks
}

// OpenFile opens a file of the game of that identity, which s is. It refuses
// files that are not ours, of another version or another game, or damaged as far
// as it has read them. The memory of s does not matter.
func (s *Space) OpenFile(r io.ReaderAt, identity string) (*File, error) {
	in := bufio.NewReader(io.NewSectionReader(r, 0, mostHeader))
	magic := make([]byte, len(Magic))
	if _, err := io.ReadFull(in, magic); err != nil || string(magic) != Magic {
		return nil, fmt.Errorf("not a file of tiers that oxo wrote: it does not begin with %q", Magic[:len(Magic)-1])
	}
	line, err := in.ReadBytes('\n')
	sum, sumErr := in.ReadBytes('\n')
	if err != nil || sumErr != nil {
		return nil, errors.New("the file is cut short")
	}
	f := &File{}
	body := bytes.TrimSuffix(line, []byte("\n"))
	if string(sum) != Sum(body)+"\n" {
		return nil, errors.New("the file is damaged: the checksum of its header is wrong")
	}
	if err := json.Unmarshal(body, &f.Header); err != nil {
		return nil, errors.New("the file's header is not a line of JSON")
	}
	if f.Game != identity {
		return nil, fmt.Errorf("the file is of the game %q, not of %q", f.Game, identity)
	}
	if err := f.locateTables(s, int64(len(Magic)+len(line)+len(sum))); err != nil {
		return nil, err
	}
	f.Values = &Values{space: s, slices: f.slicesOf,
		load: func(marks, index int) ([]byte, error) { return f.readTable(r, marks, index) }}
	return f, nil
}

// OpenInMemory is [Space.OpenFile] for a file in memory, all of which it checks. Nothing of
// data is copied.
func (s *Space) OpenInMemory(data []byte, identity string) (*File, error) {
	f, err := s.OpenFile(bytes.NewReader(data), identity)
	if err != nil {
		return nil, err
	}
	for marks, offsets := range f.offsets {
		for k := range offsets[1:] {
			if _, err := f.readTable(bytes.NewReader(data), marks, k); err != nil {
				return nil, err
			}
		}
	}
	f.load = func(marks, index int) ([]byte, error) {
		return data[f.offsets[marks][index]:f.offsets[marks][index+1]], nil
	}
	return f, nil
}

// locateTables finds where each table is.
func (f *File) locateTables(s *Space, at int64) error {
	malformed := errors.New("the file's header is malformed")
	if len(f.Tiers) != s.n+1 {
		return malformed
	}
	for marks, t := range f.Tiers {
		if t.Marks != marks || len(t.Slices) == 0 {
			return malformed
		}
		width := int64(s.tierCombinations(marks).count())
		var offsets []int64
		for k, slice := range t.Slices {
			if slice.Blocks < 1 || int64(slice.Blocks) > mostStored/(width+setBytes) ||
				k > 0 && slice.First <= t.Slices[k-1].First {
				return malformed
			}
			offsets = append(offsets, at)
			at += int64(slice.Blocks) * (width + setBytes)
		}
		f.offsets = append(f.offsets, append(offsets, at))
	}
	return nil
}

// slicesOf returns the slices of a tier.
func (f *File) slicesOf(_ context.Context, marks int) ([]Slice, error) {
	list := make([]Slice, len(f.Tiers[marks].Slices))
	for i, s := range f.Tiers[marks].Slices {
		list[i] = s.Slice
	}
	return list, nil
}

// readTable reads a table and checks it.
func (f *File) readTable(r io.ReaderAt, marks, index int) ([]byte, error) {
	at, end := f.offsets[marks][index], f.offsets[marks][index+1]
	data, err := io.ReadAll(io.NewSectionReader(r, at, end-at))
	switch {
	case err != nil:
		return nil, err
	case int64(len(data)) != end-at:
		return nil, errors.New("the file is cut short")
	case Sum(data) != f.Tiers[marks].Slices[index].Sum:
		return nil, fmt.Errorf("the file is damaged: the checksum of slice %d of %d marks is wrong", index, marks)
	}
	return data, nil
}
