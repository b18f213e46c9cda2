package search

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/search/mcts"
	"oxo/search/proof"
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
	EvalAll mcts.EvalAll[P]

	// EvalName is what Eval is called, to show; empty without one.
	EvalName string

	// Score returns the points that became an estimate, to show; nil where there were none.
	Score func(estimate float64) float64

	// Kin lets mcts correct Eval by what the search finds out; nil leaves it
	// as it is.
	BiasKeys mcts.BiasKeys[P]

	// Deepen searches to depth 1, 2, … up to Depth, or until nothing is left
	// to judge.
	Deepen bool

	// Memory says which positions are remembered. Level is the ply, counted
	// from the searched position, for OneLevel. Table is where they go; nil
	// takes a new table of at most TableBytes, 0 for 32 MiB. The table of dfpn is
	// of that size.
	Memory     Memory
	Level      int
	Table      *Table[P]
	TableBytes int

	Symmetry Symmetry
	Order    Order

	// Worth is what a position is worth to First, exactly, which the orders Perfect and Worst need. It is not
	// counted as part of the search.
	Worth func(p P) float64

	// Stop ends the search of a node whose value can't get better, because it
	// has reached a bound of the game's payoffs. minimax then leaves its loop
	// early; the algorithms with a window start with the bounds as window.
	// The latter do so anyway where the game has only wins, draws and losses.
	Stop bool

	// Bounds are where all leaves' worths lie; nil takes the game's. The star
	// algorithms prune by them, Stop stops at them. [Unbounded] says that
	// nothing is known, which gives alphabeta the textbook's first window.
	// mcts takes the game's where they are not finite.
	Bounds *oxo.Interval

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
	Trees *mcts.Trees[P]

	mcts.Sampling
}

// Unbounded is all payoffs.
var Unbounded = oxo.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}

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
	Perfect              // the best first by their exact values, [Options.Worth]
	Worst                // the worst first by them
)

func (o Order) String() string {
	return [...]string{"natural", "killers", "best", "perfect", "worst"}[o]
}

// ErrChance is the error of algorithms that don't know chance, of games with some.
var ErrChance = errors.New("the game has chance nodes; use expectiminimax, star1, star2 or mcts")

// ErrOneCore is the error of searches that have one core, where more are asked for.
var ErrOneCore = errors.New("it searches on one core; only mcts uses more")

// OptionError is an error about one option, which the command line and the API call by the same word.
type OptionError struct {
	Option string // such as depth, memo or sims
	Err    error
}

// Error says what is wrong.
func (e *OptionError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *OptionError) Unwrap() error { return e.Err }

// optionErrorf is an error about that option.
func optionErrorf(option, format string, args ...any) error {
	return &OptionError{option, fmt.Errorf(format, args...)}
}

// checkFor refuses options that have no meaning for a on g. Where one of them alone is to blame, the error is an
// [OptionError].
func (o *Options[P]) checkFor(g *oxo.Game[P], a Algorithm, hasTimeLimit bool) error {
	if err := o.Sampling.Check(); err != nil {
		return err
	}
	deep, bounds := a.HasDepth(), o.leafBounds(g)
	switch {
	case g.Odds != nil && !a.HandlesChance():
		return ErrChance
	case o.Depth < 0:
		return optionErrorf("depth", "depth %d: it must be 1 or more", o.Depth)
	case o.Lines < 0:
		return optionErrorf("multipv", "%d best moves: ask for 1 or more", o.Lines)
	case o.Order >= Perfect && o.Worth == nil:
		return optionErrorf("order", "order %s: it needs exact values", o.Order)
	case o.TableBytes < 0:
		return fmt.Errorf("a table of %d bytes: ask for 1 or more", o.TableBytes)
	case a != MCTS && o.Contempt != 0:
		return fmt.Errorf("contempt is for mcts in games of wins, draws and losses without chance")
	case a != MCTS && o.Prove > 0:
		return fmt.Errorf("dfpn beside simulations is for mcts with proven values")
	case o.Memory == OneLevel && o.Level < 0:
		return optionErrorf("memo", "memory level %d: it must be 0 or more", o.Level)
	case !(o.Decay >= 0 && o.Decay <= 1):
		return fmt.Errorf("decay %v: it must lie between 0 and 1", o.Decay)
	case !(bounds.Lo <= bounds.Hi):
		return fmt.Errorf("bounds [%v, %v] hold no value", bounds.Lo, bounds.Hi)
	case deep && g.Loopy() && o.Depth == 0 && !(o.Deepen && (hasTimeLimit || o.MaxNodes > 0)):
		return optionErrorf("depth", "play can go in circles, so the search needs a depth or a clock")
	case a.Proves() && proof.CheckSuitable(g) != nil:
		return proof.CheckSuitable(g)
	case a != MCTS && o.Sims > 0:
		return optionErrorf("sims", "it runs no simulations")
	case a != MCTS && o.Workers > 1:
		return &OptionError{"workers", ErrOneCore}
	case a != MCTS && o.Seed != 0:
		return optionErrorf("seed", "it draws nothing, so it takes no seed")
	case !deep && (o.Depth != 0 || o.Deepen || o.Memory != NoMemory || o.Symmetry != NoSymmetry || o.Order != Natural ||
		o.Stop):
		option, what := o.firstDepthSearchOption()
		return optionErrorf(option, "it takes no %s", what)
	case a == PNS && o.Trace != nil:
		return optionErrorf("trace", "it drops what is proven, so there is no tree to trace or step through; %s",
			treesOf())
	case a == DFPN && o.Trace != nil:
		return optionErrorf("trace", "it keeps a table of positions, so there is no tree to trace or step through; %s",
			treesOf())
	case o.Decay != 0 && a != Minimax && a != Negamax:
		return fmt.Errorf("only the values of minimax and negamax decay")
	case o.Decay != 0 && o.Stop:
		return fmt.Errorf("a value that decays is never the best possible, so the search can't stop at one")
	case a == MCTS:
		return o.mctsOptions(g).Check(g)
	}
	return nil
}

// treesOf names the algorithms that leave a tree to trace.
func treesOf() string {
	list := slices.DeleteFunc(slices.Clone(Algorithms), Algorithm.Proves)
	return fmt.Sprintf("there is one of %s", joinAlgorithms(list))
}

// FirstWindow returns the window that an algorithm begins with at the root: where the leaves' worths lie, if it prunes
// by them or stops at them and they are known, and else [Unbounded].
func (o *Options[P]) FirstWindow(g *oxo.Game[P], a Algorithm) oxo.Interval {
	if o.Stop || a.Windowed() && (g.Payoff == nil || o.Bounds != nil) {
		return o.leafBounds(g)
	}
	return Unbounded
}

// leafBounds returns where the leaves' worths lie.
func (o *Options[P]) leafBounds(g *oxo.Game[P]) oxo.Interval {
	if o.Bounds != nil {
		return *o.Bounds
	}
	lo, hi := g.PayoffBounds()
	return oxo.Interval{Lo: lo, Hi: hi}
}

// firstDepthSearchOption returns the first option that only searches of the tree to a depth take, and what that is.
func (o *Options[P]) firstDepthSearchOption() (option, what string) {
	switch {
	case o.Depth != 0:
		return "depth", "depth"
	case o.Deepen:
		return "deepen", "depth"
	case o.Memory != NoMemory:
		return "memo", "memory of positions"
	case o.Symmetry != NoSymmetry:
		return "symmetry", "symmetry"
	case o.Order != Natural:
		return "order", "order of moves"
	}
	return "stop", "stop at the best value"
}
