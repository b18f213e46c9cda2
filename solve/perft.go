package solve

import (
	"context"
	"math/big"

	"oxo"
)

// Perft counts the sequences of exactly depth moves from p, by the game's
// kernel where it has one. It stops early with ctx's error.
func Perft[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, depth int) (uint64, error) {
	if g.Perft != nil {
		return perftKernel(ctx, g, p, depth)
	}
	r := perft[P]{ctx: ctx}
	leaves := r.count(p, depth)
	return leaves, r.err
}

// kernelDepth is how deep a kernel counts between two looks at the context.
const kernelDepth = 6

func perftKernel[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, depth int) (uint64, error) {
	if depth <= kernelDepth {
		return g.Perft(p, depth), ctx.Err()
	}
	leaves := uint64(0)
	for _, m := range p.Moves(nil) {
		n, err := perftKernel(ctx, g, p.Play(m), depth-1)
		if err != nil {
			return 0, err
		}
		leaves += n
	}
	return leaves, nil
}

type perft[P oxo.Position[P]] struct {
	ctx   context.Context
	err   error
	moves []oxo.Move // one stack for all plies
}

func (r *perft[P]) count(p P, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	base := len(r.moves)
	r.moves = p.Moves(r.moves)
	end := len(r.moves)
	leaves := uint64(end - base)
	if depth > 1 {
		if depth >= kernelDepth && r.err == nil {
			r.err = r.ctx.Err()
		}
		leaves = 0
		for i := base; i < end && r.err == nil; i++ {
			leaves += r.count(p.Play(r.moves[i]), depth-1)
		}
	}
	r.moves = r.moves[:base]
	return leaves
}

// GamesWithin counts the games in which only allowed moves are played.
func GamesWithin[P oxo.Position[P]](g *oxo.Game[P], allowed func(oxo.Move) bool) *big.Int {
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
