package prove

import (
	"math/bits"

	"oxo"
	"oxo/board"
	"oxo/board/bitset"
	"oxo/prove/certificate"
	"oxo/threats"
)

// searchRules say what moves do and mean for the two sides of a search.
type searchRules[S bitset.Squares, Q threats.Lines] struct {
	g        *threats.Geometry[S, Q]
	able     [2]bool // which sides can complete a line
	good     [2]bool // whether that wins for the side
	place    board.Placement
	full     bool    // whether the attacker wins when the board is full
	monotone bool    // an extra mark never hurts its owner
	overlap  bool    // two lines share two squares or more
	mirror   []uint8 // the symmetry by which the attacker answers, or nil
	plain    bool    // no threats, zones or pairings: rules where they don't hold
}

// newSearchRules returns what a search has to know of a game's rules.
func newSearchRules[S bitset.Squares, Q threats.Lines](
	g *threats.Geometry[S, Q], game *certificate.Setup, t task, perms [][]uint8,
) searchRules[S, Q] {
	r := searchRules[S, Q]{
		g:        g,
		plain:    !game.IsPositional(),
		monotone: game.Monotone(),
		place:    game.Rules.Place,
		full:     game.Rules.Full == oxo.WinFor(t.seat),
		overlap:  hasOverlappingLines(game.Board),
	}
	if t.mirror {
		r.mirror = mirrorSymmetry(game, t.seat, perms)
	}
	for side, seat := range [2]oxo.Seat{attacker: t.seat, defender: t.seat.Other()} {
		r.able[side] = game.Rules.Tested[seat]
		r.good[side] = game.CompletionWins(seat)
	}
	if t.relaxed {
		r.able[defender] = false
	}
	if game.Shared() {
		r.able[1] = r.place == board.Either // of O
	}
	return r
}

// hasOverlappingLines reports whether two lines share two squares or more.
func hasOverlappingLines(b *board.Board) bool {
	for k, line := range b.Lines {
		for _, other := range b.Lines[:k] {
			if line.Need.And(other.Need).Len() > 1 {
				return true
			}
		}
	}
	return false
}

// playMove makes the move of side that is numbered move, see [certificate.Setup.Shared]. In games
// of shared marks the lines of a state are not the attacker's and the
// defender's but those of X and of O.
func (r *searchRules[S, Q]) playMove(p *threats.State[S, Q], side, move int) {
	if r.place == board.Own {
		r.g.Play(p, side, move)
		return
	}
	r.g.Play(p, move/r.g.N, move%r.g.N)
}

// appendMoves appends the moves on the given squares.
func (r *searchRules[S, Q]) appendMoves(squares S, kids []child) []child {
	for ; !bitset.Empty(squares); squares = bitset.Rest(squares) {
		sq := bitset.First(squares)
		kids = append(kids, child{sq: int16(sq)})
		if r.place == board.Either {
			kids = append(kids, child{sq: int16(sq + r.g.N)})
		}
	}
	return kids
}

// completesLine reports whether a move of side completes a line.
func (r *searchRules[S, Q]) completesLine(p *threats.State[S, Q], side, move int) bool {
	if r.place != board.Own {
		side = move / r.g.N
	}
	return bitset.Has(r.g.Completions(p, side), move%r.g.N)
}

// removeDeadSquares takes squares out of play that lie in no line a side can still
// own. A mark there changes nothing, and to have to move there is never better
// than any other move; the rules must be such that an extra mark never hurts.
func (r *searchRules[S, Q]) removeDeadSquares(p *threats.State[S, Q]) {
	if !r.monotone {
		return
	}
	live := r.g.LiveSquares(p)
	for side := range p.Marks {
		for idle := bitset.Minus(p.Marks[side], live); !bitset.Empty(idle); idle = bitset.Rest(idle) {
			sq := bitset.First(idle)
			p.Hash ^= r.g.Key[side][sq] ^ r.g.Key[threats.Out][sq]
		}
		p.Marks[side] = bitset.And(p.Marks[side], live)
	}
	for idle := bitset.Minus(p.Free, live); !bitset.Empty(idle); idle = bitset.Rest(idle) {
		p.Hash ^= r.g.Key[threats.Out][bitset.First(idle)]
	}
	p.Free = bitset.And(p.Free, live)
}

// undominatedMoves returns the squares of moves that no other is at least as good
// as. Where the defender owns no lines, a square is as good as another for
// either side when it lies in every open line that the other lies in.
func (r *searchRules[S, Q]) undominatedMoves(p *threats.State[S, Q], moves S) S {
	if r.able[defender] || !r.monotone {
		return moves
	}
	g, w := r.g, r.g.Words
	kept := moves
	for left := moves; !bitset.Empty(left); left = bitset.Rest(left) {
		a := bitset.First(left)
		// Only squares on one of a's lines can dominate it.
		others := bitset.Without(kept, a)
		for i, lines := range g.Through[a*w : a*w+w] {
			for lines &^= g.DeadLines(p, attacker, i); lines != 0 && !bitset.Empty(others); lines &= lines - 1 {
				others = bitset.And(others, g.Need[i<<6+bits.TrailingZeros64(lines)])
			}
		}
		if !bitset.Empty(others) {
			kept = bitset.Without(kept, a)
		}
	}
	return kept
}

// rankAttackerMoves scores moves by the lines through their squares that are still open,
// those with more marks higher, the attacker's before the enemy's.
func (r *searchRules[S, Q]) rankAttackerMoves(p *threats.State[S, Q], kids []child) {
	g := r.g
	for n := 1; n <= g.Longest; n++ {
		weight := int32(1) << (2 * min(g.Longest-n, 10))
		for i := range g.Words {
			own, enemy := g.LinesNeeding(p, attacker, n, i), g.LinesNeeding(p, defender, n, i)
			if own|enemy == 0 {
				continue
			}
			for k := range kids {
				lines := g.Through[int(kids[k].sq)%g.N*g.Words+i]
				kids[k].rank += weight * (2*ones(lines&own) + ones(lines&enemy))
			}
		}
	}
}

func ones(x uint64) int32 { return int32(bits.OnesCount64(x)) }
