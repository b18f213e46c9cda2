// Package mcts is Monte Carlo tree search by UCT and PUCT with proven values,
// generic over any game, chance included. [Search] is the door; [Trees] carry
// what it found out from one search to the next.
package mcts

import (
	"fmt"
	"math"

	"oxo"
	"oxo/search/proof"
)

// Options say how to search. The zero value plays random games.
type Options[P oxo.Position[P]] struct {
	// With Eval positions are judged instead of playing random games from them,
	// all moves of a position at once by EvalAll where that is not nil. Its values
	// lie strictly between the bounds.
	Eval    func(p P) float64
	EvalAll EvalAll[P]

	// Kin lets Eval be corrected by what the search finds out; nil leaves it as
	// it is.
	BiasKeys BiasKeys[P]

	// Bounds are where all leaves' worths lie; they are finite.
	Bounds oxo.Interval

	// Lines is how many of the best moves to value; 0 is 1.
	Lines int

	// MaxNodes is the most simulations to run, 0 for no limit.
	MaxNodes uint64

	// Progress is told of the best so far at most a hundred times, or every
	// 50,000 simulations where their number is not limited.
	Progress func(Summary)

	// Trees keeps the trees for the next search, which goes on from what they
	// know of its position; nil keeps nothing.
	Trees *Trees[P]

	// Trace is told of the most visited positions of the tree, which one worker
	// then grows; nil asks for none.
	Trace *Trace[P]

	Sampling
}

// EvalAll estimates at once what the positions after several moves of p are
// worth to First: values[i] becomes that of after[i], the position after
// moves[i], where that is not over. A draw counts draw to First, where the
// evaluation tells draws from even chances.
type EvalAll[P oxo.Position[P]] func(p P, moves []oxo.Move, after []P, draw float64, values []float32)

// Sampling are the options that say how simulations run.
type Sampling struct {
	// Sims is how many simulations to run; 0 is 100,000, or no limit where
	// the context has a deadline. The search is over before that if the
	// value is proven.
	Sims int
	// Seed is what the simulations draw from: the same seed, simulations and
	// workers give the same result, except when a proof ends one of several
	// workers early.
	Seed uint64
	// Workers is how many cores to use; 0 is 1. With random games each grows a
	// tree of its own, and their counts at the root are added up; with an
	// evaluation all work on one tree, which is the same for any number of
	// them from 2 on.
	Workers int
	// TreeBytes is the most memory the trees take together, 0 for 256 MiB or what the
	// work's budget has room for.
	// Full trees stop growing; simulations go on from their leaves.
	TreeBytes int
	// Explore is UCT's constant C for results scaled to [-1, 1]; 0 is √2. With
	// an evaluation it is PUCT's, which grows with a position's visits; 0 is
	// then 0.35.
	Explore float64
	// Temperature says how much more likely a move is tried for what the
	// evaluation says of it: e times for so much more, of results scaled to
	// [-1, 1]. 0 is 0.15.
	Temperature float64
	// Contempt is how much less a draw counts to the side that searches than
	// half a win, of results scaled to [-1, 1]: against a weaker opponent it
	// goes for positions that are not yet drawn. A proven draw still says that
	// it is one. It lies between -1 and 1 and is for games of wins, draws and
	// losses without chance.
	Contempt float64
	// RAVE is the number of simulations at which a move's own mean and its
	// all-moves-as-first mean weigh the same; 0 leaves the latter out.
	RAVE float64
	// Forget makes a player start every search anew, where it would keep its
	// trees: with an evaluation.
	Forget bool
	// NoProof switches proven values off, which leaves plain UCT.
	NoProof bool
	// Prove asks dfpn about the positions that many simulations go through,
	// whether a seat wins there, each time with as many nodes as Prove times
	// its simulations are worth: three nodes count as a simulation in Sims and
	// in [Summary.Sims]. 0 asks nothing. It is for games that dfpn is for.
	Prove float64
}

// mostProve is the most that [Sampling.Prove] can be.
const mostProve = 1000

// Check refuses options that have no meaning.
func (o *Sampling) Check() error {
	switch {
	case o.Sims < 0:
		return fmt.Errorf("%d simulations: ask for 1 or more", o.Sims)
	case o.Workers < 0:
		return fmt.Errorf("%d workers: ask for 1 or more", o.Workers)
	case o.TreeBytes < 0:
		return fmt.Errorf("trees of %d bytes: ask for 1 or more", o.TreeBytes)
	case !(o.Explore >= 0 && o.RAVE >= 0):
		return fmt.Errorf("exploration %v and RAVE %v: neither can be less than 0", o.Explore, o.RAVE)
	case !(o.Temperature >= 0):
		return fmt.Errorf("temperature %v: it can't be less than 0", o.Temperature)
	case !(o.Contempt > -1 && o.Contempt < 1):
		return fmt.Errorf("contempt %v: it must lie between -1 and 1", o.Contempt)
	case !(o.Prove >= 0 && o.Prove <= mostProve):
		return fmt.Errorf("dfpn %v beside simulations: it lies between 0 and %d", o.Prove, mostProve)
	}
	return nil
}

// Check refuses options that have no meaning for g.
func (o *Options[P]) Check(g *oxo.Game[P]) error {
	switch {
	case o.Contempt != 0 && (g.Odds != nil || g.Payoff != nil):
		return fmt.Errorf("contempt is for mcts in games of wins, draws and losses without chance")
	case o.RAVE > 0 && (o.Eval != nil || o.Trees != nil):
		return fmt.Errorf("all-moves-as-first values come from random games, those of one search: they go with no " +
			"evaluation and no kept trees")
	case o.Prove > 0 && o.NoProof:
		return fmt.Errorf("dfpn beside simulations is for mcts with proven values")
	case o.Prove > 0 && proof.CheckSuitable(g) != nil:
		return fmt.Errorf("dfpn beside simulations: %w", proof.CheckSuitable(g))
	}
	return o.Sampling.Check()
}

// Summary is what a search found out: what the position is worth to First, as
// the simulations have it, and where that is proven to lie.
type Summary struct {
	Value    float64
	Noise    float64 // standard error of Value, by [StandardError]; 0 where it is proven
	Proven   oxo.Interval
	Lines    []Line // the best moves, best first; none where there is nothing to choose
	Sims     uint64 // simulations, and what proofs beside them cost
	Stored   int    // edges of the trees
	Complete bool   // the search ended by itself, not at a limit
}

// Line is one of the best moves and what it is worth to First.
type Line struct {
	Move   oxo.Move
	Value  float64
	Noise  float64    // standard error of Value, by [StandardError]; 0 where it is proven
	PV     []oxo.Move // starts with Move
	Visits uint64     // simulations through Move
}

// StandardError is the standard error of the mean of so many results, as wide as they may be between the bounds. With
// the mean given, results differ most where each is one of the two ends; the standard deviation is that of such a
// draw, and the error is it over √n. Two more results, one of each end, are added to the mean (Laplace's rule of
// succession): that all were alike is no certainty. It is of independent results: simulations, which look for the
// better moves, have drifted where they have looked too little.
func StandardError(mean float64, n uint64, bounds oxo.Interval) float64 {
	span := (bounds.Hi - bounds.Lo) / 2
	// x is the mean, with the two results added, as a number from −1 to 1 between the bounds.
	x := 0.0
	if span > 0 {
		x = (mean - bounds.Lo - span) / span * float64(n) / float64(n+2)
	}
	return span * math.Sqrt(max(0, 1-x*x)/float64(max(n, 1)))
}
