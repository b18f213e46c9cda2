package tiers_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/solve/tiers"
)

// fileOf writes the file of a solution.
func fileOf(t testing.TB, s *strong, identity string) []byte {
	t.Helper()
	h := tiers.Header{Game: identity}
	for marks, tables := range s.tables {
		tier := tiers.Tier{Marks: marks, Counts: s.counts[marks]}
		list, err := s.space.Slices(t.Context(), marks)
		if err != nil {
			t.Fatal(err)
		}
		for i, slice := range list {
			tier.Slices = append(tier.Slices, tiers.Stored{Slice: slice, Sum: tiers.Sum(tables[i])})
		}
		h.Tiers = append(h.Tiers, tier)
	}
	var out bytes.Buffer
	if err := tiers.WriteTables(&out, h, s.load); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// line is a game of ttt, so that looking at each of its positions reads all
// tables of a file with a slice a tier.
func line(t testing.TB) (*oxo.Game[board.Pos64], []board.Pos64) {
	g := board.Game64("ttt", "ttt", mustGrid(t, grid.Shape{Cols: 3, Rows: 3, Run: 3}), board.Normal)
	list := []board.Pos64{g.Start}
	for _, square := range []oxo.Move{4, 0, 8, 2, 1, 7, 3, 5, 6} {
		list = append(list, list[len(list)-1].Play(square))
	}
	return g, list
}

// ask opens a file and asks it about the positions.
func ask(space *tiers.Space, data []byte, list []board.Pos64) (told []byte, err error) {
	f, err := space.OpenFile(bytes.NewReader(data), "ttt")
	if err != nil {
		return nil, err
	}
	return tell(f, list)
}

func tell(f *tiers.File, list []board.Pos64) (told []byte, err error) {
	for _, p := range list {
		x, o := p.Marks()
		v, ok, err := f.VerdictAt(context.Background(), x, o)
		if err != nil {
			return nil, err
		}
		if ok {
			told = append(told, byte(v.Outcome), byte(v.Remoteness))
		}
	}
	return told, nil
}

func TestFile(t *testing.T) {
	g, list := line(t)
	b := g.Start.Board()
	for _, memory := range []int64{least(t, b, board.Normal), 1 << 20} {
		s := solveAll(t, b, board.Normal, memory)
		data := fileOf(t, s, "ttt")
		other, err := tiers.New(b, board.Normal, 1<<30) // of another memory
		if err != nil {
			t.Fatal(err)
		}
		told, err := ask(other, data, list)
		if err != nil || len(told) != 2*len(list) || told[0] != byte(oxo.Drawn) || told[1] != 9 {
			t.Errorf("told %v, %v", told, err)
		}
		if _, err := other.OpenFile(bytes.NewReader(data), "another"); err == nil ||
			!strings.Contains(err.Error(), `the game "ttt", not of "another"`) {
			t.Errorf("as another game: %v", err)
		}
		f, err := other.OpenInMemory(data, "ttt")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := tell(f, list); err != nil || !bytes.Equal(again, told) {
			t.Errorf("read whole it tells %v, %v", again, err)
		}
		for _, marks := range [][2]board.Set{
			{board.SetOf(0, 1, 2), board.SetOf(3, 4, 5)}, // two winners
			{board.SetOf(0, 1), board.Set{}},             // two moves of one side
			{board.SetOf(0), board.SetOf(0)},             // both on one square
		} {
			if v, ok, err := f.VerdictAt(t.Context(), marks[0], marks[1]); ok || err != nil {
				t.Errorf("%v: %v, %v, %v", marks, v, ok, err)
			}
		}
	}
}

// TestDamagedFile sees that every changed byte is found where it matters, and
// every file that is cut short.
func TestDamagedFile(t *testing.T) {
	g, list := line(t)
	s := solveAll(t, g.Start.Board(), board.Normal, 1<<20)
	data := fileOf(t, s, "ttt")
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1
		if _, err := ask(s.space, bad, list); err == nil {
			t.Errorf("byte %d of %d is changed and nobody sees it", i, len(data))
		}
		if _, err := s.space.OpenInMemory(bad, "ttt"); err == nil {
			t.Errorf("byte %d of %d is changed and a file read whole passes", i, len(data))
		}
		if _, err := ask(s.space, data[:i], list); err == nil {
			t.Errorf("a file of %d bytes of %d passes", i, len(data))
		}
	}
}

// TestWriteRefuses sees that a table that is not the one of the header is not
// written.
func TestWriteRefuses(t *testing.T) {
	h := tiers.Header{Tiers: []tiers.Tier{{Slices: []tiers.Stored{{Sum: tiers.Sum([]byte{1})}}}}}
	err := tiers.WriteTables(io.Discard, h, func(int, int) ([]byte, error) { return []byte{2}, nil })
	if err == nil || !strings.Contains(err.Error(), "not the one that was made") {
		t.Error(err)
	}
}

func FuzzOpen(f *testing.F) {
	g, list := line(f)
	s := solveAll(f, g.Start.Board(), board.Normal, 1<<20)
	data := fileOf(f, s, "ttt")
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte(tiers.Magic))
	// A header of the right sum that says what can't be.
	for _, header := range []string{`{}`, `{"game":"ttt"}`, `{"game":"ttt","tiers":[{},{},{},{},{},{},{},{},{},{}]}`, strings.Replace(string(bytes.Split(data, []byte("\n"))[1]), `"blocks":1`, `"blocks":1000000000`, 1)} {
		f.Add([]byte(tiers.Magic + header + "\n" + tiers.Sum([]byte(header)) + "\n"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if told, err := ask(s.space, data, list); err == nil && !bytes.HasPrefix(data, []byte(tiers.Magic)) {
			t.Errorf("what is no file of tiers tells %v", told)
		}
	})
}
