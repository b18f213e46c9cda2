package search

import (
	"oxo"
	"oxo/search/mcts"
)

// Result is what a search found out.
type Result struct {
	// Value is what the position is worth to First, Score what it is worth to
	// the seat to move. At a chance node they are the same.
	Value, Score float64

	// Noise is the standard error of Value where that is a mean of simulations, else 0.
	Noise float64

	// Proven is where the value is known to lie. It is a single value where
	// the search reached the truth, and the bounds of the game's payoffs
	// where it knows nothing.
	Proven oxo.Interval

	// Move is the best move, and PV the line of play expected after it, Move
	// included. Move is NoMove where there is nothing to choose: in terminal
	// positions and at chance nodes.
	Move oxo.Move
	PV   []oxo.Move

	// Lines are the best moves, best first, as many as were asked for.
	Lines []Line

	Nodes  uint64 // see the package comment
	Stored int    // positions held in memory: table entries, or nodes of the tree of mcts and pns
	Depth  int    // plies looked ahead in the last complete iteration; 0 to the end

	// Evaluated are the leaves in the order in which they were first looked
	// at, Pruned those never looked at, where [Options.Leaves] asked.
	Evaluated, Pruned []Leaf

	// Numbers are how far a search by proof numbers was with what it asked when it stopped without an answer; nil
	// where it answered. Move is then the nearest to what its seat wants, which is no good move for that.
	Numbers *ProofNumbers

	// Stopped is which limit such a search stopped at: nodes, memory or time.
	Stopped string

	// Complete says that the search ended by itself, not at a limit.
	Complete bool
}

// Exact reports whether Value is the truth.
func (r *Result) Exact() bool { return r.Proven.Proven() }

// StandardError is that of the mean of so many simulations: see [mcts.StandardError].
func StandardError(mean float64, n uint64, bounds oxo.Interval) float64 {
	return mcts.StandardError(mean, n, bounds)
}

// Line is one of the best moves and what it is worth to First.
type Line = mcts.Line

// ProofNumbers are the proof and the disproof number of whether a seat wins.
type ProofNumbers struct {
	Winner          oxo.Seat
	Proof, Disproof uint32
}

// Leaf is a leaf of the whole tree below the searched position: a terminal
// position, or one at the depth limit. Number counts the leaves from 1 in
// natural order.
type Leaf struct {
	Number int
	Value  float64 // worth to First
}
