package search

import (
	"fmt"
	"math"
	"math/rand/v2"

	"oxo"
)

// Options say how to search. The zero value searches to the end, remembers
// nothing, and takes moves in their natural order.
type Options[P oxo.Position[P]] struct {
	// Depth is how many plies to look ahead, chance's included; 0 looks to
	// the end. Positions at that depth are judged by Eval; without one they
	// count 0, or the bound next to 0. With Eval mcts judges positions instead
	// of playing random games from them, all moves of a position at once by
	// EvalAll where that is not nil.
	Depth   int
	Eval    Eval[P]
	EvalAll EvalAll[P]

	// Kin lets mcts correct Eval by what the search finds out; nil leaves it
	// as it is.
	Kin Kin[P]

	// Deepen searches to depth 1, 2, … up to Depth, or until nothing is left
	// to judge.
	Deepen bool

	// Memory says which positions are remembered. Level is the ply, counted
	// from the searched position, for OneLevel. Table is where they go; nil
	// takes a new table of TableBytes, 0 for up to 32 MiB. The table of dfpn is
	// of that size too.
	Memory     Memory
	Level      int
	Table      *Table[P]
	TableBytes int

	Symmetry Symmetry
	Order    Order

	// Stop ends the search of a node whose value can't get better, because it
	// has reached a bound of the game's payoffs. minimax then leaves its loop
	// early; the algorithms with a window start with the bounds as window.
	// The latter do so anyway where the game has only wins, draws and losses.
	Stop bool

	// Bounds are where all leaves' worths lie; nil takes the game's. The star
	// algorithms prune by them, Stop stops at them. [Unbounded] says that
	// nothing is known, which gives alphabeta the textbook's first window.
	// mcts takes the game's where they are not finite.
	Bounds *Interval

	// Decay is what minimax and negamax multiply a value by for each ply
	// between it and the root, so that quick wins and slow losses come first.
	// 0 is 1, no decay.
	Decay float64

	// Lines is how many of the best moves to value exactly; 0 is 1.
	Lines int

	// MaxNodes is the most nodes to visit, 0 for no limit.
	MaxNodes uint64

	// Shuffle tries the root's moves in random order, which makes the move
	// chosen a uniformly random one of the best. nil keeps the order.
	Shuffle *rand.Rand

	// Trace records the search tree; nil records nothing. Leaves asks for
	// [Result.Evaluated] and [Result.Pruned], for small trees.
	Trace  *Tracer[P]
	Leaves bool

	// Progress is told of the best so far: after each iteration of Deepen;
	// during mcts at most a hundred times, or every 50,000 simulations where
	// their number is not limited.
	Progress func(Result)

	// Trees keeps the trees of mcts for the next search, which goes on from
	// what they know of its position; nil keeps nothing.
	Trees *Trees[P]

	Sampling
}

// Sampling are the options of mcts.
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
	// TreeBytes is the most memory the trees take together, 0 for 256 MiB.
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
	// in [Result.Nodes]. 0 asks nothing. It is for games that dfpn is for.
	Prove float64
}

// Interval is a closed interval of payoffs to First.
type Interval struct{ Lo, Hi float64 }

// Unbounded is all payoffs.
var Unbounded = Interval{math.Inf(-1), math.Inf(1)}

// holds reports whether v is in the interval.
func (i Interval) holds(v float64) bool { return i.Lo <= v && v <= i.Hi }

// Proven reports whether the interval is a single value.
func (i Interval) Proven() bool { return i.Lo == i.Hi }

// clamp returns the value in i next to v.
func (i Interval) clamp(v float64) float64 { return max(i.Lo, min(i.Hi, v)) }

// Memory says which positions' values are remembered.
type Memory uint8

// The memories.
const (
	NoMemory   Memory = iota
	OneLevel          // positions at one ply: the teaching program's level 5
	Everything        // every position that has moves, in a [Table]
)

func (m Memory) String() string { return [...]string{"none", "level", "all"}[m] }

// Symmetry says which positions of one class ([oxo.Game.Canonical]) are
// searched as one.
type Symmetry uint8

// The symmetries. Of siblings in one class only the first is searched. With
// AllMoves the search then goes on in the representative of the class, so that
// memory is shared by the class.
const (
	NoSymmetry Symmetry = iota
	FirstMove           // the root's moves only
	AllMoves            // every node's moves
)

func (s Symmetry) String() string { return [...]string{"none", "first", "all"}[s] }

// Order says in which order moves are tried.
type Order uint8

// The orders. Where an order is not Natural, chance nodes are taken by falling
// probability.
const (
	Natural Order = iota // as the game lists them
	Killers              // killer moves of the same ply, then the history heuristic
	Best                 // the best move known from memory or the last iteration, then as Killers
)

func (o Order) String() string { return [...]string{"natural", "killers", "best"}[o] }

// mostProve is the most that [Sampling.Prove] can be.
const mostProve = 1000

// check refuses options that have no meaning for a on g.
func (o *Options[P]) check(g *oxo.Game[P], a Algorithm, clock bool) error {
	deep := a.HasDepth()
	bounds := o.bounds(g)
	switch {
	case g.Odds != nil && !a.HandlesChance():
		return fmt.Errorf("the game has chance nodes; use expectiminimax, star1, star2 or mcts")
	case o.Depth < 0:
		return fmt.Errorf("depth %d: it must be 1 or more", o.Depth)
	case o.Lines < 0:
		return fmt.Errorf("%d best moves: ask for 1 or more", o.Lines)
	case o.Sims < 0:
		return fmt.Errorf("%d simulations: ask for 1 or more", o.Sims)
	case o.Workers < 0:
		return fmt.Errorf("%d workers: ask for 1 or more", o.Workers)
	case o.TableBytes < 0:
		return fmt.Errorf("a table of %d bytes: ask for 1 or more", o.TableBytes)
	case o.TreeBytes < 0:
		return fmt.Errorf("trees of %d bytes: ask for 1 or more", o.TreeBytes)
	case !(o.Explore >= 0 && o.RAVE >= 0):
		return fmt.Errorf("exploration %v and RAVE %v: neither can be less than 0", o.Explore, o.RAVE)
	case !(o.Temperature >= 0):
		return fmt.Errorf("temperature %v: it can't be less than 0", o.Temperature)
	case !(o.Contempt > -1 && o.Contempt < 1):
		return fmt.Errorf("contempt %v: it must lie between -1 and 1", o.Contempt)
	case o.Contempt != 0 && (a != MCTS || g.Odds != nil || g.Payoff != nil):
		return fmt.Errorf("contempt is for mcts in games of wins, draws and losses without chance")
	case a == MCTS && o.RAVE > 0 && (o.Eval != nil || o.Trees != nil):
		return fmt.Errorf("all-moves-as-first values come from random games, those of one search: they go with no evaluation and no kept trees")
	case !(o.Prove >= 0 && o.Prove <= mostProve):
		return fmt.Errorf("dfpn %v beside simulations: it lies between 0 and %d", o.Prove, mostProve)
	case o.Prove > 0 && (a != MCTS || o.NoProof):
		return fmt.Errorf("dfpn beside simulations is for mcts with proven values")
	case o.Prove > 0 && provable(g) != nil:
		return fmt.Errorf("dfpn beside simulations: %w", provable(g))
	case o.Memory == OneLevel && o.Level < 0:
		return fmt.Errorf("memory level %d: it must be 0 or more", o.Level)
	case !(o.Decay >= 0 && o.Decay <= 1):
		return fmt.Errorf("decay %v: it must lie between 0 and 1", o.Decay)
	case !(bounds.Lo <= bounds.Hi):
		return fmt.Errorf("bounds [%v, %v] hold no value", bounds.Lo, bounds.Hi)
	case deep && g.Loopy() && o.Depth == 0 && !(o.Deepen && (clock || o.MaxNodes > 0)):
		return fmt.Errorf("play can go in circles, so the search needs a depth or a clock")
	case a.proves() && provable(g) != nil:
		return provable(g)
	case a != MCTS && o.Sims > 0:
		return fmt.Errorf("it runs no simulations")
	case !deep && (o.Depth != 0 || o.Deepen || o.Memory != NoMemory || o.Symmetry != NoSymmetry || o.Order != Natural || o.Stop):
		return fmt.Errorf("it takes no %s", o.ofTrees())
	case a == PNS && o.Trace != nil:
		return fmt.Errorf("it drops what is proven, so there is no tree to trace")
	case a == DFPN && o.Trace != nil:
		return fmt.Errorf("it keeps a table of positions, so there is no tree to trace")
	case o.Decay != 0 && a != Minimax && a != Negamax:
		return fmt.Errorf("only the values of minimax and negamax decay")
	case o.Decay != 0 && o.Stop:
		return fmt.Errorf("a value that decays is never the best possible, so the search can't stop at one")
	}
	return nil
}

// bounds returns where the leaves' worths lie.
func (o *Options[P]) bounds(g *oxo.Game[P]) Interval {
	if o.Bounds != nil {
		return *o.Bounds
	}
	lo, hi := g.Bounds()
	return Interval{lo, hi}
}

// ofTrees names the first option that only searches of the tree to a depth take.
func (o *Options[P]) ofTrees() string {
	switch {
	case o.Depth != 0 || o.Deepen:
		return "depth"
	case o.Memory != NoMemory:
		return "memory of positions"
	case o.Symmetry != NoSymmetry:
		return "symmetry"
	case o.Order != Natural:
		return "order of moves"
	}
	return "stop at the best value"
}
