package ninenet

import (
	"math/rand/v2"
	"testing"
)

// TestStanding compares what the fast form of a net says of the big board with
// the plain one, for every way to own and bar boards.
func TestStanding(t *testing.T) {
	rows := newRowLookup()
	r := rand.New(rand.NewPCG(7, 8))
	var seen [netHopes]bool
	var about [netReady]int
	for own := range uint16(512) {
		for barred := range uint16(512) {
			if own&barred != 0 || hasThreeInRow(own) {
				continue
			}
			winnable := uint16(r.IntN(512)) &^ (own | barred)
			here := uint16(r.IntN(512))
			hope, now := rows.hopesAndAlmostWonRows(own, barred, winnable, here)
			h, n := bigBoardHopeClass(own, barred), almostWonRows(own, barred, winnable, here)
			if hope != h || now != n {
				t.Fatalf("own %b, barred %b, winnable %b, here %b: hopes %d and %d, plainly %d and %d", own, barred,
					winnable, here, hope, now, h, n)
			}
			seen[hope] = true
			about[now]++
		}
	}
	for now, n := range about {
		if n == 0 {
			t.Errorf("nothing is ready in way %d", now)
		}
	}
	for _, hope := range []uint8{0, 3*3 + 2, bigBoardHopeClass(1|2, 0)} {
		if !seen[hope] {
			t.Errorf("hopes %d were not met", hope)
		}
	}
}

// TestBigBoardByHand checks hopes and what is ready on boards worked out by
// hand. Boards are numbered row by row from the top left.
func TestBigBoardByHand(t *testing.T) {
	const topLeft, top, topRight, centre, bottom, bottomRight = 1 << 0, 1 << 1, 1 << 2, 1 << 4, 1 << 7, 1 << 8
	for _, c := range []struct {
		name                        string
		own, barred, winnable, here uint16
		two, one, none, ready       uint8
	}{
		{"nothing played", 0, 0, 511, 511, 0, 0, 2, 0},
		{"centre", centre, 0, 511, 511, 0, 3, 2, 0},
		// The top row has two; the left and middle columns and a diagonal have one.
		{"two in the top row", topLeft | top, 0, 0, 511, 1, 3, 2, 0},
		{"ready", topLeft | top, 0, topRight, centre, 1, 3, 2, 1},
		{"now", topLeft | top, 0, topRight, topRight, 1, 3, 2, winsNow},
		{"barred", topLeft | top, topRight | centre, topRight, 511, 0, 1, 1, 0},
		// The column through the centre and a diagonal.
		{"two ready", topLeft | top | centre, topRight, bottom | bottomRight, 0, 2, 2, 1, 2},
		{"no hope", 0, 511, 0, 0, 0, 0, 0, 0},
	} {
		if got, want := bigBoardHopeClass(c.own, c.barred), c.two*12+c.one*3+c.none; got != want {
			t.Errorf("%s: hopes %d, want %d", c.name, got, want)
		}
		if got := almostWonRows(c.own, c.barred, c.winnable, c.here); got != c.ready {
			t.Errorf("%s: ready %d, want %d", c.name, got, c.ready)
		}
	}
}
