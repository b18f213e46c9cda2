package solve

import (
	"context"
	"math/big"

	"oxo"
)

// Perft counts the sequences of exactly depth moves from p, by the game's
// kernel where it has one. It stops early with ctx's error.
func Perft[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, depth int) (uint64, error) {
	if !g.Loopy() && depth > g.MaxPlies {
		return 0, nil // no game is that long
	}
	r := perft[P]{ctx: ctx, kernel: g.Perft}
	leaves := r.countLeaves(p, depth)
	return leaves, r.err
}

// The context is looked at between subtrees of at most calmDepth plies, in
// which about calmLeaves moves at most are counted.
const (
	calmDepth  = 6
	calmLeaves = 1 << 20
)

// isSmallSubtree reports whether what lies depth plies below a position with so many
// moves is counted without a look at the context. It takes it that no position
// there has many more moves.
func isSmallSubtree(moves, depth int) bool {
	if depth > calmDepth {
		return false
	}
	leaves := 1
	for range depth {
		leaves *= moves
		if leaves > calmLeaves {
			return false
		}
	}
	return true
}

// perft is a count of lines of play under way.
type perft[P oxo.Position[P]] struct {
	ctx    context.Context
	err    error
	kernel func(p P, depth int) uint64 // nil where there is none
	moves  []oxo.Move                  // one stack for all plies
}

// countLeaves returns the leaves depth plies below p.
func (r *perft[P]) countLeaves(p P, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	base := len(r.moves)
	r.moves = p.Moves(r.moves)
	end := len(r.moves)
	leaves := uint64(end - base)
	if depth > 1 {
		leaves = 0
		quiet := isSmallSubtree(end-base, depth)
		if !quiet {
			r.err = r.ctx.Err()
		}
		if quiet && r.kernel != nil {
			leaves = r.kernel(p, depth)
			end = base
		}
		for i := base; i < end && r.err == nil; i++ {
			leaves += r.countLeaves(p.Play(r.moves[i]), depth-1)
		}
	}
	r.moves = r.moves[:base]
	return leaves
}

// CountAllowedGames counts the games in which only allowed moves are played.
func CountAllowedGames[P oxo.Position[P]](g *oxo.Game[P], allowed func(oxo.Move) bool) *big.Int {
	games := map[P]*big.Int{}
	var count func(p P) *big.Int
	count = func(p P) *big.Int {
		if n, ok := games[p]; ok {
			return n
		}
		n := new(big.Int)
		if p.Outcome() != oxo.Ongoing {
			n.SetInt64(1)
		}
		for _, m := range p.Moves(nil) {
			if allowed(m) {
				n.Add(n, count(p.Play(m)))
			}
		}
		games[p] = n
		return n
	}
	return count(g.Start)
}
