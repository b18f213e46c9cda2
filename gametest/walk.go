package gametest

import (
	"math/bits"
	"math/rand/v2"

	"oxo"
)

// line is one game as it was played: moves[i] leads from at[i] to at[i+1], so there is one position more than
// moves. The last one is terminal, unless the game was cut off.
type line[P oxo.Position[P]] struct {
	at    []P
	moves []oxo.Move
}

// maxGames bounds the random games that are played for a sample, and
// maxLoopyPlies the length of a game that may never end.
const (
	maxGames      = 300
	maxLoopyPlies = 300
)

// collect plays random games until it has seen enough different positions, or has played maxGames. The sample has
// the positions in the order in which they were met.
func (k *kit[P]) collect(r *rand.PCG) {
	// One ply more than games may have, so that one that is too long is seen.
	limit := k.g.MaxPlies + 1
	if k.g.Loopy() {
		limit = maxLoopyPlies
	}
	seen := map[P]bool{}
	for len(k.games) < maxGames && len(k.sample) < k.positions {
		game := line[P]{at: []P{k.g.Start}}
		for p := k.g.Start; ; {
			k.at = p
			if !seen[p] {
				seen[p] = true
				k.sample = append(k.sample, p)
			}
			moves := p.Moves(nil)
			if len(moves) == 0 || len(game.moves) == limit {
				break
			}
			m := moves[below(r, len(moves))]
			p = p.Play(m)
			game.moves = append(game.moves, m)
			game.at = append(game.at, p)
		}
		k.games = append(k.games, game)
	}
}

// some returns at most n positions of the sample, spread evenly over it, which are not to be changed.
func (k *kit[P]) some(n int) []P {
	if len(k.sample) <= n {
		return k.sample
	}
	some := make([]P, n)
	for i := range some {
		some[i] = k.sample[i*len(k.sample)/n]
	}
	return some
}

// below returns a random number in [0, n), n being at least 1.
func below(r *rand.PCG, n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}

// uniform returns a random number in [0, 1).
func uniform(r *rand.PCG) float64 { return float64(r.Uint64()>>11) / (1 << 53) }

// Perft returns the number of move sequences of exactly the given length from p, by playing them all. Games that
// end sooner are not counted.
func Perft[P oxo.Position[P]](p P, depth int) uint64 {
	n, _ := perft(p, depth, 1<<63, nil)
	return n
}

// perft is Perft that gives up, with false, when it has counted more than
// limit leaves. The moves of the nodes on the path are kept in one stack.
func perft[P oxo.Position[P]](p P, depth int, limit uint64, stack []oxo.Move) (uint64, bool) {
	if depth <= 0 {
		return 1, true
	}
	var n uint64
	base := len(stack)
	stack = p.Moves(stack)
	for _, m := range stack[base:] {
		// The stack is handed down, so that a deeper node appends behind the moves of this one.
		below, ok := perft(p.Play(m), depth-1, limit-n, stack)
		if n += below; !ok || n > limit {
			return n, false
		}
	}
	return n, true
}

// alphaBeta searches p to the end, moves in natural order, and returns its worth to
// First, fail-soft within a window, and the number of nodes, p included; or false
// where chance moves.
func alphaBeta[P oxo.Position[P]](p P, alpha, beta int) (worth int, nodes uint64, ok bool) {
	if out := p.Outcome(); out != oxo.Ongoing {
		return int(out.Value(oxo.First)), 1, true
	}
	if p.Turn() == oxo.Chance {
		return 0, 0, false
	}
	first := p.Turn() == oxo.First
	// Any worth is better than this one, for whom it is to move.
	worth, nodes = 2, 1
	if first {
		worth = -2
	}
	for _, m := range p.Moves(nil) {
		v, n, ok := alphaBeta(p.Play(m), alpha, beta)
		if !ok {
			return 0, 0, false
		}
		nodes += n
		if first {
			worth = max(worth, v)
			alpha = max(alpha, v)
		} else {
			worth = min(worth, v)
			beta = min(beta, v)
		}
		if alpha >= beta {
			break
		}
	}
	return worth, nodes, true
}

// Playout plays random moves from p to the end: uniformly random ones of the
// two seats, and chance's by their odds. It needs a game that ends.
func Playout[P oxo.Position[P]](g *oxo.Game[P], p P, r *rand.PCG) oxo.Outcome {
	var moves []oxo.Move
	for p.Outcome() == oxo.Ongoing {
		moves = p.Moves(moves[:0])
		m := moves[0]
		if p.Turn() == oxo.Chance {
			// Odds may fall short of 1 by rounding: the last move then takes what is left.
			x := uniform(r)
			for _, m = range moves {
				if x -= g.Odds(p, m); x < 0 {
					break
				}
			}
		} else {
			m = moves[below(r, len(moves))]
		}
		p = p.Play(m)
	}
	return p.Outcome()
}
