package verify_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"oxo/prove/verify"
)

// disk is room in memory that is counted, and that can be full.
type disk struct {
	made, open int
	written    int
	room       int // bytes that may be written; 0 for any number
	unreadable bool
}

type scratch struct {
	bytes.Buffer
	*disk
}

var errFull = errors.New("no space left on device")

func (d *disk) create() (verify.Scratch, error) {
	d.made++
	d.open++
	return &scratch{disk: d}, nil
}

func (s *scratch) Write(p []byte) (int, error) {
	if s.written += len(p); s.room > 0 && s.written > s.room {
		return 0, errFull
	}
	return s.Buffer.Write(p)
}

func (s *scratch) ReadAt(p []byte, at int64) (int, error) {
	if s.unreadable {
		return 0, errors.New("input/output error")
	}
	n := copy(p, s.Bytes()[min(at, int64(s.Len())):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (s *scratch) Close() error {
	s.open--
	return nil
}

// carried is a proof that the program has with it, of each format one with more positions than the memory
// named holds. Of mnk:7,7,5 nodes stand for several positions.
var carried = []struct {
	name   string
	memory int64
	runs   int // that go to disk at least
}{
	{"mnk-7-7-5", 76_000, 30}, {"ultimate-open", 8_000, 20}, {"mnk-6-4-4-gravity", 40_000, 20},
	{"ttt-misere", 9_000, 3},
}

// TestOnDisk checks proofs whose positions the memory does not hold: with the disk the answer is the same, without it
// there is none.
func TestOnDisk(t *testing.T) {
	for _, c := range carried {
		data := carriedProof(t, c.name)
		want, d := check(t, data), &disk{}
		limits := verify.Limits{Memory: c.memory, Disk: d.create}
		got, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), verify.Question{}, limits)
		if err != nil || !got.OK || got.Claim != want.Claim || got.Nodes != want.Nodes || got.Zones != want.Zones ||
			got.Checks != want.Checks {
			t.Errorf("%s: %+v, %v; in memory %+v", c.name, got, err, want)
		}
		if d.made < c.runs || d.open != 0 {
			t.Errorf("%s: %d runs on disk, %d of them left", c.name, d.made, d.open)
		}
		limits.Disk = nil
		got, err = verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), verify.Question{}, limits)
		if err != nil || got.OK || !strings.Contains(got.Reason, "too much memory") {
			t.Errorf("%s without a disk: %+v, %v", c.name, got, err)
		}
	}
}

// TestDiskFails breaks a check off where the disk is full or can't be read, which is no answer.
func TestDiskFails(t *testing.T) {
	for _, c := range carried {
		data := carriedProof(t, c.name)
		for _, d := range []*disk{{room: 1}, {room: 50_000}, {unreadable: true}} {
			limits := verify.Limits{Memory: c.memory, Disk: d.create}
			r, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), verify.Question{}, limits)
			if d.room > d.written {
				continue // it was enough
			}
			if r != nil || err == nil || !strings.Contains(err.Error(), "no room on disk") {
				t.Errorf("%s: %+v, %v", c.name, r, err)
			}
		}
	}
}

// TestCutShortSequential names the last good position of a proof that is cut short, which shows nothing.
func TestCutShortSequential(t *testing.T) {
	for _, c := range carried {
		data, last := carriedProof(t, c.name), 0
		whole := check(t, data).Nodes
		for size := 12; size < len(data); size += 1 + len(data)/20 {
			r := check(t, data[:size])
			if r.OK || !r.Unreadable || r.Nodes < last || r.Value != "unknown" ||
				!strings.Contains(r.Reason, "last good position") {
				t.Errorf("%s, %d bytes: %+v", c.name, size, r)
			}
			last = r.Nodes
		}
		if last < whole/2 || last > whole {
			t.Errorf("%s: the last good position of the longest piece is number %d of %d", c.name, last, whole)
		}
	}
}

func carriedProof(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../lab/internal/opened/proofs", name+".proof"))
	if err != nil {
		data, err = os.ReadFile(filepath.Join("testdata/columns", name+".proof"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}
