// Package search is the textbook's chapter on adversarial search as a working
// room: each algorithm in a file of its own, generic over any game, counted to
// the node, and able to show what it did.
//
// The door is [Search]: a game, a position, an [Algorithm] and [Options] give a
// [Result]. [SearchLoopAware] searches games whose play can go in circles, [Ablate]
// measures what each option is worth, [GameSizeBounds] counts before searching. The
// players of this room choose by the same searches.
//
// Values are payoffs to First, as [oxo.Game.PayoffToFirst] tells them, because only
// they mean something at a chance node: First maximizes, Second minimizes.
// Negamax and pvs, whose point is the other convention, say so.
//
// A node is a call of an algorithm's recursive function, the root's included
// and whether it is answered from memory or not. For mcts it is a simulation,
// for pns a position that entered the tree, for dfpn a call that looks at the
// moves of a position.
package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"oxo"
)

// Algorithm is the name of a search algorithm.
type Algorithm string

// The algorithms.
const (
	Minimax        Algorithm = "minimax"
	Negamax        Algorithm = "negamax"
	AlphaBeta      Algorithm = "alphabeta"
	PVS            Algorithm = "pvs"
	MTDF           Algorithm = "mtdf"
	Expectiminimax Algorithm = "expectiminimax"
	Star1          Algorithm = "star1"
	Star2          Algorithm = "star2"
	MCTS           Algorithm = "mcts"
	PNS            Algorithm = "pns"
	DFPN           Algorithm = "dfpn"
)

// Algorithms lists the algorithms in the order of the chapter.
var Algorithms = []Algorithm{
	Minimax, Negamax, AlphaBeta, PVS, MTDF, Expectiminimax, Star1, Star2, MCTS, PNS, DFPN,
}

// ParseAlgorithm returns the algorithm of that name.
func ParseAlgorithm(name string) (Algorithm, error) {
	if slices.Contains(Algorithms, Algorithm(name)) {
		return Algorithm(name), nil
	}
	return "", fmt.Errorf("no algorithm %q; there are %s", name, joinAlgorithms(Algorithms))
}

// joinAlgorithms names algorithms one after another.
func joinAlgorithms(list []Algorithm) string {
	names := make([]string, len(list))
	for i, a := range list {
		names[i] = string(a)
	}
	return strings.Join(names, ", ")
}

// HandlesChance reports whether a searches games with chance nodes.
func (a Algorithm) HandlesChance() bool {
	return slices.Contains([]Algorithm{Expectiminimax, Star1, Star2, MCTS}, a)
}

// HasDepth reports whether a looks ahead to a depth, or to the end, rather than
// where it pleases.
func (a Algorithm) HasDepth() bool { return a != MCTS && !a.Proves() }

// Proves reports whether a goes by proof numbers.
func (a Algorithm) Proves() bool { return a == PNS || a == DFPN }

// Windowed reports whether a searches with a window of values of interest.
func (a Algorithm) Windowed() bool {
	return slices.Contains([]Algorithm{AlphaBeta, PVS, MTDF, Star1, Star2}, a)
}

// Eval estimates what a position that is not over is worth to First. Its
// values must lie strictly between the game's bounds, so that a value at a
// bound is always the truth.
type Eval[P oxo.Position[P]] func(p P) float64

// Search searches p. It ends by itself or at the first of the node limit, the
// context's deadline and its cancellation; then the result is the best so far
// and says so in [Result.Complete]. An error means that the request has no
// meaning for this game, or that the game panics.
func Search[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, a Algorithm, o Options[P]) (r Result,
	err error) {
	defer oxo.RecoverInto(&err)
	if _, err := ParseAlgorithm(string(a)); err != nil {
		return Result{}, err
	}
	_, clock := ctx.Deadline()
	if err := o.checkFor(g, a, clock); err != nil {
		return Result{}, fmt.Errorf("%s on %s: %w", a, g.Spec, err)
	}
	ctx = oxo.WithPunctualDeadline(ctx)
	switch a {
	case MCTS:
		return searchMCTS(ctx, g, p, &o), nil
	case PNS:
		return searchPNS(ctx, g, p, &o), nil
	case DFPN:
		return searchDFPN(ctx, g, p, &o)
	}
	s := newRun(ctx, g, a, &o)
	defer s.charge.SetBytes(0)
	r = driver[P]{s}.searchFromRoot(p)
	if s.err != nil {
		return Result{}, fmt.Errorf("%s on %s: %w", a, g.Spec, s.err)
	}
	return r, nil
}
