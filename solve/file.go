package solve

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"oxo"
)

// A table file is, in this order:
//
//	the line "oxo table 1"
//	a line of JSON, the header
//	for each stored position, by ascending code (see [oxo.Game.Code]): the
//	  difference to the code before as an unsigned varint, the first to -1;
//	  then its value, by the header's kind:
//	    value     the packed verdict as an unsigned varint (outcome in bits
//	              0–1, remoteness + 1 above)
//	    expected  the expected payoff, 8 bytes
//	    tally     the games that First wins, that Second wins, and draws,
//	              3 × 8 bytes; numbers in 8 bytes are IEEE 754, least byte
//	              first
//	the SHA-256 of all that, 32 bytes
const magic = "oxo table 1\n"

// header is the first line of a solution's file.
type header struct {
	Game      string `json:"game"` // what identifies the game
	Kind      string `json:"kind"`
	Symmetry  bool   `json:"symmetry"` // one position of each class
	Entries   int    `json:"entries"`
	Positions uint64 `json:"positions,omitempty"` // all members of each class counted
}

// newHeader describes the solution.
func (s *Solution[P]) newHeader(identity string) header {
	h := header{Game: identity, Kind: "value", Symmetry: s.class != nil, Positions: s.total}
	if s.odds != nil {
		h.Kind = "expected"
	}
	return h
}

// Write writes the solution as a file of the game of that identity. It refuses
// games whose positions have no codes.
func (s *Solution[P]) Write(w io.Writer, identity string) error {
	return s.writeWithHeader(w, s.newHeader(identity))
}

// writeWithHeader writes the solution behind a header.
func (s *Solution[P]) writeWithHeader(w io.Writer, h header) error {
	if s.odds != nil {
		return writeTable(w, h, s.game, s.odds, func(b []byte, x float64) []byte {
			return binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		})
	}
	return writeTable(w, h, s.game, s.values, func(b []byte, v uint16) []byte {
		return binary.AppendUvarint(b, uint64(v))
	})
}

// Read reads a solution of the game of that identity. It refuses files that
// are not whole, not ours, of another version or another game.
func Read[P oxo.Position[P]](r io.Reader, g *oxo.Game[P], identity string) (*Solution[P], error) {
	s := newSolution(g)
	if g.Canonical != nil {
		s.class = g.Canonical
	}
	if err := s.readWithHeader(r, s.newHeader(identity)); err != nil {
		return nil, err
	}
	return s, nil
}

// readWithHeader reads a solution whose header is the one that is wanted. Entries are decoded by the kind of
// table, and every code is checked to be a position of the game.
func (s *Solution[P]) readWithHeader(r io.Reader, want header) error {
	var h header
	var err error
	if s.odds != nil {
		h, err = readTable(r, want, s.game, s.odds, func(b []byte) (float64, int) {
			if len(b) < 8 {
				return 0, 0
			}
			return math.Float64frombits(binary.LittleEndian.Uint64(b)), 8
		})
	} else {
		h, err = readTable(r, want, s.game, s.values, func(b []byte) (uint16, int) {
			v, n := binary.Uvarint(b)
			if v > math.MaxUint16 || v&3 == 0 {
				return 0, 0
			}
			return uint16(v), n
		})
	}
	s.total = h.Positions
	return err
}

// unfinishedHeader is the header of work that is not finished yet: a file of it is
// not taken for a solution.
func (s *solver[P]) unfinishedHeader() header { return s.newHeader("unfinished " + s.game.Spec) }

// save writes what is solved so far, to go on from.
func (s *solver[P]) save(w io.Writer) error { return s.writeWithHeader(w, s.unfinishedHeader()) }

// load reads what save has written for the same game.
func (s *solver[P]) load(r io.Reader) error { return s.readWithHeader(r, s.unfinishedHeader()) }

// writeTable writes a header, the entries by rising code, and a checksum. Codes are sorted part by
// part, as all at once would take as much memory again as the table.
func writeTable[P oxo.Position[P], V any](w io.Writer, h header, g *oxo.Game[P], t *valueTable[P, V],
	encode func([]byte, V) []byte) error {
	if g.Code == nil {
		return fmt.Errorf("positions of %s don't fit in 64 bits each, so they can't be written to a file", g.Spec)
	}
	h.Entries = t.used
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	sum := sha256.New()
	out := bufio.NewWriter(io.MultiWriter(w, sum)) // write errors come out of Flush
	out.WriteString(magic)
	out.Write(append(head, '\n'))
	before := noKey
	var buf []byte
	for _, keys := range t.keysByTopBits() {
		slices.Sort(keys)
		for _, k := range keys {
			buf = binary.AppendUvarint(buf[:0], k-before)
			buf = encode(buf, t.vals[t.slotOf(k)])
			if _, err := out.Write(buf); err != nil {
				return err
			}
			before = k
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

// readTable reads a file with the wanted header into t. The header that it
// returns has the file's own numbers.
func readTable[P oxo.Position[P], V any](r io.Reader, want header, g *oxo.Game[P], t *valueTable[P, V],
	decode func([]byte) (V, int)) (header, error) {
	var h header
	if g.Code == nil {
		return h, fmt.Errorf("positions of %s don't fit in 64 bits each, so there is no file of them", g.Spec)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return h, err
	}
	if !bytes.HasPrefix(data, []byte(magic)) {
		return h, fmt.Errorf("not a file that oxo wrote: it does not begin with %q", magic[:len(magic)-1])
	}
	if len(data) < len(magic)+sha256.Size {
		return h, errors.New("the file is cut short")
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if right := sha256.Sum256(body); !bytes.Equal(sum, right[:]) {
		return h, errors.New("the file is damaged or cut short: its checksum is wrong")
	}
	line, rest, found := bytes.Cut(body[len(magic):], []byte("\n"))
	if err := json.Unmarshal(line, &h); err != nil || !found {
		return h, errors.New("the file's header is not a line of JSON")
	}
	switch {
	case h.Game != want.Game:
		return h, fmt.Errorf("the file is of the game %q, not of %q", h.Game, want.Game)
	case h.Kind != want.Kind:
		return h, fmt.Errorf("the file holds a table of kind %q, not %q", h.Kind, want.Kind)
	case h.Symmetry != want.Symmetry:
		return h, errors.New("the file was made with other symmetries than the game has")
	}
	code := noKey
	malformed := errors.New("the file's entries are malformed")
	for range h.Entries {
		delta, used := binary.Uvarint(rest)
		if used <= 0 || delta == 0 {
			return h, malformed
		}
		code += delta
		rest = rest[used:]
		v, used := decode(rest)
		if used <= 0 {
			return h, malformed
		}
		rest = rest[used:]
		p, ok := g.Decode(code)
		if !ok || g.Code(p) != code {
			return h, fmt.Errorf("the file has a position, code %d, that the game has not", code)
		}
		t.put(p, v)
	}
	if len(rest) != 0 || t.len() != h.Entries {
		return h, errors.New("the file has another number of entries than its header says")
	}
	return h, nil
}
