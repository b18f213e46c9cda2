package board

import (
	"math/bits"

	"oxo"
)

// perft64 counts the leaves at exactly depth plies. The last ply is counted,
// not played.
func perft64(p Pos64, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	if p.info&outcomeMask != 0 {
		return 0
	}
	squares := p.playable()
	marks := uint64(1)
	if p.t.rules.Place == Either && p.Turn() != oxo.Chance {
		marks = 2
	}
	if depth == 1 {
		return marks * uint64(bits.OnesCount64(squares))
	}
	base := oxo.Move(0)
	if p.Turn() == oxo.Chance {
		base = p.Pending() &^ squareMask
	}
	leaves := uint64(0)
	for e := squares; e != 0; e &= e - 1 {
		m := base | oxo.Move(bits.TrailingZeros64(e))
		leaves += perft64(p.Play(m), depth-1)
		if marks == 2 {
			leaves += perft64(p.Play(m|1<<markShift), depth-1)
		}
	}
	return leaves
}

// Nodes returns the number of nodes of the game tree below p, p included,
// walking all of it. It is meant for games in which each side places its own
// mark and nothing falls or slips; other games are walked move by move.
func (p Pos64) Nodes() uint64 {
	t := p.t
	if t.rules.Place != Own || t.slips || t.falls || t.won == nil {
		return p.nodes()
	}
	if p.info&outcomeMask != 0 {
		return 1
	}
	seat := p.info >> turnShift & 1
	mine, theirs := p.x, p.o
	if seat == 1 {
		mine, theirs = theirs, mine
	}
	return t.nodes(mine, theirs, seat)
}

// nodes is the generic walk that [Pos64.Nodes] is compared with.
func (p Pos64) nodes() uint64 {
	n := uint64(1)
	for _, m := range p.Moves(nil) {
		n += p.Play(m).nodes()
	}
	return n
}

// nodes counts the nodes below a position in which the side to move has mine
// and the game goes on.
func (t *gameData) nodes(mine, theirs, seat uint64) uint64 {
	n := uint64(1)
	free := t.full64 &^ (mine | theirs)
	for e := free; e != 0; e &= e - 1 {
		own := mine | e&-e
		if t.rules.Tested[seat] && t.won[own>>6]>>(own&63)&1 != 0 || e == free && e&(e-1) == 0 {
			n++
			continue
		}
		n += t.nodes(theirs, own, seat^1)
	}
	return n
}
