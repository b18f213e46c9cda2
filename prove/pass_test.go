package prove

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/prove/certificate"
	"oxo/prove/verify"
	"oxo/threats"
)

// keeps reports whether the defender keeps the attacker, to move, from every line, by looking at
// all games.
func keeps(b *board.Board, marks [2]board.Set, known map[[2]board.Set]bool) bool {
	if v, ok := known[marks]; ok {
		return v
	}
	free := b.Squares().Minus(marks[0]).Minus(marks[1])
	kept := true
	for sq := range free.All() {
		mine := marks[attacker].With(sq)
		held := !slices.ContainsFunc(b.Lines, func(l board.Line) bool { return mine.Holds(l.Need) })
		if left := free.Without(sq); held && !left.Empty() {
			held = false
			for answer := range left.All() {
				if held = keeps(b, [2]board.Set{mine, marks[defender].With(answer)}, known); held {
					break
				}
			}
		}
		if kept = held; !kept {
			break
		}
	}
	known[marks] = kept
	return kept
}

// TestPass: with the attacker's marks on all squares outside the zone of a refutation of a pass,
// the defender's move there still keeps him from every line.
func TestPass(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 4, Rows: 4, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	g := certificate.Setup{Board: b, Rules: board.Normal}
	made, err := newSearch[[1]uint64, [4]uint64](&g, threats.FromBoard(b), task{relaxed: true, defends: true},
		LeastMemory)
	if err != nil {
		t.Fatal(err)
	}
	s := made.(*search[[1]uint64, [4]uint64])
	r, known := rand.New(rand.NewPCG(17, 18)), map[[2]board.Set]bool{}
	refuted, answered := 0, 0
	for range 2000 {
		p, marks := s.g.EmptyBoard(s.able), [2]board.Set{}
		for _, sq := range r.Perm(b.N)[:4+r.IntN(8)] {
			side := r.IntN(2)
			with := marks[side].With(sq)
			if slices.ContainsFunc(b.Lines, func(l board.Line) bool { return with.Holds(l.Need) }) {
				continue
			}
			marks[side] = with
			s.g.Play(&p, side, sq)
		}
		s.forEachPassRefutation(&p, func(found refutation[[1]uint64]) bool {
			refuted++
			worst := [2]board.Set{marks[0], marks[1].With(found.move)}
			for sq := range b.Squares().Minus(marks[0]).Minus(marks[1]).All() {
				if found.zone[0]>>sq&1 == 0 {
					answered++
					worst[attacker] = worst[attacker].With(sq)
				}
			}
			if !keeps(b, worst, known) {
				t.Fatalf("%v and %v, %+v: the attacker owns a line", marks[0], marks[1], found)
			}
			return true
		})
	}
	if refuted < 200 || answered < 200 {
		t.Errorf("%d refutations that answer %d moves: too few to tell", refuted, answered)
	}
}

// TestZonesUsed has nodes of a proof answer several positions.
func TestZonesUsed(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 7, Rows: 6, Run: 5})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Prove(t.Context(), certificate.Setup{Spec: "mnk:7,6,5", Board: b, Rules: board.Normal}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := r.Proof.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	v, err := verify.Check(t.Context(), bytes.NewReader(file.Bytes()), int64(file.Len()), verify.Question{},
		verify.Limits{})
	if err != nil || !v.OK || v.Value != "draw" || v.Zones < 10 {
		t.Errorf("%+v, %v: at least 10 nodes were to answer several positions", v, err)
	}
	playAnyReplies(t, r.Proof, oxo.Second)
}

// playAnyReplies plays games by a proof against replies at random, none of which is lost.
func playAnyReplies(t *testing.T, p *certificate.Proof, seat oxo.Seat) {
	t.Helper()
	r := rand.New(rand.NewPCG(19, 20))
	for range 500 {
		w, err := certificate.NewWalker(p, seat)
		if err != nil {
			t.Fatal(err)
		}
		for w.Outcome() == oxo.Ongoing {
			if w.Turn() == seat {
				_, _, err = w.PlayMove()
			} else {
				legal := w.Legal().Squares()
				err = w.PlayReply(oxo.Move(legal[r.IntN(len(legal))]))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if w.Outcome() == oxo.WinFor(seat.Other()) {
			t.Fatalf("lost with the marks %v", w.Marks())
		}
	}
}
