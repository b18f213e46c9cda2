package search

import (
	"math"
	"math/big"
)

// Placing says how marks get onto the squares. The zero value is that each side
// places its own.
type Placing struct {
	Either bool // a side may place either mark
	Same   bool // both sides place the same mark
	Slips  bool // a chance move follows each move: it lands the mark on any free square
}

// marksToChooseFrom returns how many marks a side chooses from.
func (p Placing) marksToChooseFrom() int64 {
	if p.Either {
		return 2
	}
	return 1
}

// SizeBounds are the bounds on generalized tic-tac-toe with a given number of
// squares that hold whatever the winning sets are (Russell and Norvig, chapter
// on adversarial search, the exercise on generalized tic-tac-toe). All are
// exact. The formulas are those of the zero [Placing]; where either mark may be
// placed each move counts twice, and where marks slip each is two moves.
type SizeBounds struct {
	Squares int

	// Games is N!, the ways to fill the board: a bound on the games played.
	Games *big.Int

	// Nodes is Σ N!/(N−i)! for i from 0 to N: the sequences of i moves, so a
	// bound on the nodes of the game tree.
	Nodes *big.Int

	// FactorialSum is Σ i! for i from 1 to N, which is sometimes printed for
	// Nodes. It is not a bound: 409,113 for 3×3, whose tree has 549,946.
	FactorialSum *big.Int

	// States is 3^N: every square empty, X or O. It is 2^N where both sides
	// place the same mark, and has N·3^(N−1) more for each mark that can be
	// about to land.
	States *big.Int

	// ByPly are the states after i moves: N!/(⌈i/2⌉! ⌊i/2⌋! (N−i)!) where X has
	// half the marks, rounded up. Positions is their sum.
	ByPly     []*big.Int
	Positions *big.Int

	// GamesFormula, NodesFormula and StatesFormula say what was worked out.
	GamesFormula, NodesFormula, StatesFormula string
}

// MaxBoundSquares is the largest board that GameSizeBounds counts: that of games/wide.
const MaxBoundSquares = 448

// GameSizeBounds returns the bounds for so many squares, from 0 to MaxBoundSquares.
func GameSizeBounds(squares int, p Placing) SizeBounds {
	squares = max(0, min(squares, MaxBoundSquares))
	c := SizeBounds{Squares: squares, FactorialSum: new(big.Int), States: new(big.Int), Positions: new(big.Int)}
	c.Games, c.Nodes = moveSequenceCounts(squares, p)
	for i := 1; i <= squares; i++ {
		c.FactorialSum.Add(c.FactorialSum, new(big.Int).MulRange(1, int64(i)))
	}
	for i := 0; i <= squares; i++ {
		placements := new(big.Int).Binomial(int64(squares), int64(i))
		marked := new(big.Int).Lsh(placements, uint(i)) // X or O on each of them
		if p.Same {
			marked = placements
		}
		reached := marked
		if !p.Either && !p.Same {
			reached = new(big.Int).Binomial(int64(i), int64(i/2))
			reached.Mul(reached, placements)
		}
		c.ByPly = append(c.ByPly, reached)
		c.States.Add(c.States, marked)
		if p.Slips && i < squares {
			landings := big.NewInt(int64(squares-i) * p.marksToChooseFrom())
			c.ByPly = append(c.ByPly, new(big.Int).Mul(reached, landings))
			c.States.Add(c.States, landings.Mul(landings, marked))
		}
	}
	for _, states := range c.ByPly {
		c.Positions.Add(c.Positions, states)
	}
	c.GamesFormula, c.NodesFormula, c.StatesFormula = p.boundFormulas()
	return c
}

// boundFormulas returns the formulas of the bounds on games, nodes and states.
func (p Placing) boundFormulas() (games, nodes, states string) {
	games, nodes, states = "N!", "Σ N!/(N−i)!", "3^N"
	landing, more := "(1+N−i)", "N·3^(N−1)"
	if p.Slips {
		games, nodes = "(N!)²", "Σ (N!/(N−i)!)²"
	}
	switch {
	case p.Either:
		games, nodes = games+"·2^N", nodes+"·2^i"
		landing, more = "(1+2(N−i))", "2N·3^(N−1)"
	case p.Same:
		states, more = "2^N", "N·2^(N−1)"
	}
	if p.Slips {
		nodes, states = nodes+"·"+landing, states+" + "+more
	}
	return games, nodes, states
}

// moveSequenceCounts returns the number of sequences of moves that fill so many squares, and
// of those of any length.
func moveSequenceCounts(squares int, p Placing) (filling, anyLength *big.Int) {
	filling, anyLength = big.NewInt(1), big.NewInt(1)
	for left := int64(squares); left > 0; left-- {
		filling.Mul(filling, big.NewInt(left*p.marksToChooseFrom()))
		anyLength.Add(anyLength, filling)
		if p.Slips {
			filling.Mul(filling, big.NewInt(left))
			anyLength.Add(anyLength, filling)
		}
	}
	return filling, anyLength
}

// LargestSearchable returns the largest number of squares, at most MaxBoundSquares, whose
// bound on the nodes can be searched in the given time where a node takes perNode
// seconds on n squares.
func LargestSearchable(p Placing, seconds float64, perNode func(squares int) float64) (squares int) {
	best := 0
	for n := 1; n <= MaxBoundSquares; n++ {
		each := perNode(n)
		if math.IsNaN(each) || math.IsNaN(seconds) || math.IsInf(each, 0) {
			break
		}
		_, nodes := moveSequenceCounts(n, p)
		need := new(big.Float).SetInt(nodes)
		if need.Mul(need, big.NewFloat(each)).Cmp(big.NewFloat(seconds)) > 0 {
			break
		}
		best = n
	}
	return best
}
