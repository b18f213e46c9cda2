package board

import (
	"math/bits"

	"oxo"
)

// kernelSquares is the most free squares that the alpha-beta kernel searches
// without coming back for a look at the clock.
const kernelSquares = 9

// alphabeta64 is the kernel of [oxo.Game.AlphaBeta] for small boards on which
// each side places its own mark and nothing falls or slips.
func alphabeta64(p Pos64, alpha, beta int) (worthToFirst int, nodes uint64, searched bool) {
	t := p.t
	if p.info&outcomeMask != 0 || bits.OnesCount64(t.full64&^(p.x|p.o)) > kernelSquares {
		return 0, 0, false
	}
	seat := p.info >> turnShift & 1
	if seat == 0 {
		worthToFirst, nodes = t.alphabeta(p.x, p.o, seat, alpha, beta)
		return worthToFirst, nodes, true
	}
	worthToFirst, nodes = t.alphabeta(p.o, p.x, seat, -beta, -alpha)
	return -worthToFirst, nodes, true
}

// minimax64 is the kernel of [oxo.Game.Minimax] for the same boards.
func minimax64(p Pos64) (worthToFirst int, nodes uint64, searched bool) {
	if p.info&outcomeMask != 0 || bits.OnesCount64(p.t.full64&^(p.x|p.o)) > kernelSquares {
		return 0, 0, false
	}
	mine, theirs, seat := p.marksByMover()
	worthToFirst, nodes = p.t.minimax(mine, theirs, seat)
	return worthToFirst * (1 - 2*int(seat)), nodes, true
}

// minimax returns the same as alphabeta, without a window, so that every node is visited.
func (t *gameData) minimax(mine, theirs, seat uint64) (best int, nodes uint64) {
	best, nodes = -2, 1
	free := t.full64 &^ (mine | theirs)
	for e := free; e != 0; e &= e - 1 {
		own := mine | e&-e
		switch {
		case t.rules.Tested[seat] && t.won[own>>6]>>(own&63)&1 != 0:
			best = max(best, int(t.rules.Done[seat].Value(oxo.Seat(seat))))
			nodes++
		case free&(free-1) == 0:
			best = max(best, int(t.rules.Full.Value(oxo.Seat(seat))))
			nodes++
		default:
			v, n := t.minimax(theirs, own, seat^1)
			best = max(best, -v)
			nodes += n
		}
	}
	return best, nodes
}

// alphabeta returns the worth of a position that is not over to the seat to
// move, who has mine: fail-soft, within a window in the same terms.
func (t *gameData) alphabeta(mine, theirs, seat uint64, alpha, beta int) (best int, nodes uint64) {
	best, nodes = -2, 1
	free := t.full64 &^ (mine | theirs)
	for e := free; e != 0; e &= e - 1 {
		own := mine | e&-e
		var v int
		switch {
		case t.rules.Tested[seat] && t.won[own>>6]>>(own&63)&1 != 0:
			v = int(t.rules.Done[seat].Value(oxo.Seat(seat)))
			nodes++
		case free&(free-1) == 0:
			v = int(t.rules.Full.Value(oxo.Seat(seat)))
			nodes++
		default:
			var n uint64
			v, n = t.alphabeta(theirs, own, seat^1, -beta, -alpha)
			v = -v
			nodes += n
		}
		if v > best {
			best = v
			if alpha = max(alpha, v); alpha >= beta {
				break
			}
		}
	}
	return best, nodes
}
