package meta

import (
	"math/bits"
	"sync"

	"oxo"
)

// Features returns Weger's six features of p for a seat, each the difference
// of its own count and the opponent's:
//
//	0  boards won
//	1  pieces on the centre cells of active boards
//	2  pieces on the corner cells of active boards
//	3  pieces on the side cells of active boards
//	4  blocks: lines with two marks of the other side and one of one's own,
//	   on any board
//	5  potentials: lines with two marks of one's own and an empty cell, on
//	   active boards
//
// An active board is one that is neither won nor full.
func Features(p Pos, seat oxo.Seat) [6]int32 {
	t := boardFeatures()
	var sum uint64
	for b := range 9 {
		x, o := p.Cells(oxo.First, b), p.Cells(oxo.Second, b)
		sum += t.of[t.index[x&511]+2*t.index[o&511]]
	}
	var phi [6]int32
	for i := range phi {
		phi[i] = int32(sum>>(8*i)&255) - 9*bias
		if seat == oxo.Second {
			phi[i] = -phi[i]
		}
	}
	return phi
}

// bias makes the features of one board, which lie in -8…8, positive.
const bias = 8

// featureTable holds the features of each of the 3⁹ fillings of one board, for First,
// as six bytes with a bias, so that nine of them can be added as one number.
// A filling's index is written in base 3, cell c at place c, First's marks as
// 1 and Second's as 2; index[s] is that of First's marks on the cells s.
type featureTable struct {
	of    [19683]uint64
	index [512]uint16
}

var boardFeatures = sync.OnceValue(func() *featureTable {
	t := new(featureTable)
	place := uint16(1)
	for c := range 9 {
		for s := range t.index {
			if s>>c&1 != 0 {
				t.index[s] += place
			}
		}
		place *= 3
	}
	for x := range uint(512) {
		for o := range uint(512) {
			if x&o == 0 {
				t.of[t.index[x]+2*t.index[o]] = packFeatures(x, o)
			}
		}
	}
	return t
})

var lines = [8]uint{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

const (
	centre  = 1 << 4
	corners = 1<<0 | 1<<2 | 1<<6 | 1<<8
	sides   = 1<<1 | 1<<3 | 1<<5 | 1<<7
)

// packFeatures returns the features of a board with First on the cells x and Second on
// the cells o.
func packFeatures(x, o uint) uint64 {
	var phi [6]int
	wonX, wonO := 0, 0
	for _, line := range lines {
		switch inX, inO := bits.OnesCount(x&line), bits.OnesCount(o&line); {
		case inX == 3:
			wonX = 1
		case inO == 3:
			wonO = 1
		case inX == 1 && inO == 2:
			phi[4]++
		case inX == 2 && inO == 1:
			phi[4]--
		case inX == 2:
			phi[5]++
		case inO == 2:
			phi[5]--
		}
	}
	phi[0] = wonX - wonO
	if wonX+wonO > 0 || x|o == 511 {
		phi[5] = 0
	} else {
		for i, cells := range [3]uint{centre, corners, sides} {
			phi[1+i] = bits.OnesCount(x&cells) - bits.OnesCount(o&cells)
		}
	}
	var packed uint64
	for i, v := range phi {
		packed |= uint64(v+bias) << (8 * i)
	}
	return packed
}
