package verify_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/prove/certificate"
)

// FuzzCheck bends what is packed in a file, and packs and seals it again.
func FuzzCheck(f *testing.F) {
	for _, s := range seeds {
		data := file(f, proven(f, s))
		content := unpacked(f, data)
		f.Add(s.rules.Place != board.Own, content)
	}
	f.Fuzz(func(t *testing.T, shared bool, content []byte) {
		data := packed(t, shared, content)
		inParts(t, data, 2, sound(t, data))
		if p, err := certificate.Read(bytes.NewReader(data), int64(len(data)), nil); err == nil {
			p.WriteTo(io.Discard)
			stroll(t, p)
		}
	})
}

// stroll walks through a proof that may be nonsense, which may end in an error:
// for each seat, against the first reply and against the last.
func stroll(t *testing.T, p *certificate.Proof) {
	for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
		for _, last := range []bool{false, true} {
			w, err := certificate.NewWalker(p, seat)
			if err != nil {
				continue
			}
			for moves := 0; err == nil && w.Outcome() == oxo.Ongoing && !w.Legal().Empty(); moves++ {
				if moves > p.Game.Board.N {
					t.Fatal("the walk has more moves than the board squares")
				}
				if w.Turn() == seat {
					_, _, err = w.PlayMove()
					continue
				}
				legal := w.Legal().Squares()
				reply := oxo.Move(legal[0])
				if last {
					reply = oxo.Move(legal[len(legal)-1])
				}
				err = w.PlayReply(reply)
			}
		}
	}
}

// TestReadNonsense: what would lead a walker off the board is refused, and a
// proof of nonsense that can be read can be walked.
func TestReadNonsense(t *testing.T) {
	b, err := board.New(4, [][]int{{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	four := [][]uint8{{0, 1, 2, 3}}
	wait := func(n certificate.Node) []certificate.Node {
		n.Kind = certificate.Wait
		return []certificate.Node{n, {Kind: certificate.Line}}
	}
	either := board.Rules{Name: "either", Place: board.Either, Tested: [2]bool{true, true},
		Done: [2]oxo.Outcome{oxo.FirstWins, oxo.SecondWins}, Full: oxo.Drawn}
	for _, c := range []struct {
		name    string
		rules   board.Rules
		marks   board.Set
		turn    oxo.Seat
		perms   [][]uint8
		nodes   []certificate.Node
		refused bool
	}{
		{"a permutation off the board", board.Normal, board.Set{}, oxo.First, [][]uint8{{0, 1, 2, 9}},
			wait(certificate.Node{}), true},
		{"a permutation that is none", board.Normal, board.Set{}, oxo.First, [][]uint8{{0, 1, 2, 2}},
			wait(certificate.Node{}), true},
		{"a threat off the board", either, board.Set{}, oxo.First, four,
			wait(certificate.Node{Threats: [][]uint8{{200}}}), true},
		{"a line off the board", board.Normal, board.Set{}, oxo.Second, four,
			[]certificate.Node{{Kind: certificate.Line, Line: []uint8{4}}}, true},
		{"a line without moves", board.Normal, board.SetOf(0), oxo.Second, four,
			[]certificate.Node{{Kind: certificate.Line}}, false},
		{"a stand-in that is an O", either, board.Set{}, oxo.First, four,
			wait(certificate.Node{Replies: []certificate.ReplyNode{{Square: 5, Node: 1}}}), false},
	} {
		p := &certificate.Proof{Game: certificate.Setup{Board: b, Rules: c.rules, Turn: c.turn,
			Marks: [2]board.Set{1: c.marks}}, Perms: c.perms,
			Claims: []certificate.Claim{{Seat: oxo.Second, Nodes: certificate.NodesOf(c.nodes...)}}}
		data := file(t, p)
		p, err := certificate.Read(bytes.NewReader(data), int64(len(data)), nil)
		if (err != nil) != c.refused {
			t.Errorf("%s: error %v", c.name, err)
		}
		if err == nil {
			stroll(t, p)
		}
	}
}

// TestReadTooFew: a file whose checksum is right and whose numbers end too soon is said to end there, by both readers.
func TestReadTooFew(t *testing.T) {
	data := packed(t, false, []byte{3, 'a'})
	const ends = "it ends where a number belongs"
	if r := check(t, data); r.OK || r.Reason != "the file is damaged: "+ends {
		t.Errorf("checked: %v, %s", r.OK, r.Reason)
	}
	if _, err := certificate.Read(bytes.NewReader(data), int64(len(data)), nil); err == nil || err.Error() != ends {
		t.Errorf("read: %v", err)
	}
}

// TestPermutationTwice: neither reader takes a permutation that comes twice.
func TestPermutationTwice(t *testing.T) {
	b, err := board.New(4, [][]int{{0, 1}, {2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	one, other := []uint8{0, 1, 2, 3}, []uint8{1, 0, 2, 3}
	for _, perms := range [][][]uint8{{one, other}, {one, other, one}, {one, other, other}} {
		data := file(t, &certificate.Proof{Game: certificate.Setup{Board: b, Rules: board.Normal}, Perms: perms,
			Claims: []certificate.Claim{{Seat: oxo.First, Stealing: true}}})
		r := check(t, data)
		if twice := len(perms) > 2; r.OK == twice || twice != strings.Contains(r.Reason, "twice") {
			t.Errorf("%v: checked: %v, %s", perms, r.OK, r.Reason)
		}
		if _, err := certificate.Read(bytes.NewReader(data), int64(len(data)), nil); (err != nil) != (len(perms) > 2) ||
			err != nil && !strings.Contains(err.Error(), "twice") {
			t.Errorf("%v: read: %v", perms, err)
		}
	}
}

// FuzzFile bends the file itself, which never holds then.
func FuzzFile(f *testing.F) {
	good := map[string]bool{}
	for _, s := range seeds {
		data := file(f, proven(f, s))
		good[string(data)] = true
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if sound(t, data).OK && !good[string(data)] {
			t.Error("a file nobody wrote was accepted")
		}
	})
}
