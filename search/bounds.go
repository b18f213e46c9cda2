package search

import (
	"math"
	"math/big"
)

// Counts are the bounds on generalized tic-tac-toe with a given number of
// squares that hold whatever the winning sets are (Russell and Norvig, chapter
// on adversarial search, the exercise on generalized tic-tac-toe). All are
// exact.
type Counts struct {
	Squares int

	// Games is N!, the ways to fill the board: a bound on the games played.
	Games *big.Int

	// Nodes is Σ N!/(N−i)! for i from 0 to N: the sequences of i moves, so a
	// bound on the nodes of the game tree.
	Nodes *big.Int

	// FactorialSum is Σ i! for i from 1 to N, which is sometimes printed for
	// Nodes. It is not a bound: 409,113 for 3×3, whose tree has 549,946.
	FactorialSum *big.Int

	// States is 3^N: every square empty, X or O.
	States *big.Int

	// ByPly are the states with i marks, of which X has half, rounded up:
	// N!/(⌈i/2⌉! ⌊i/2⌋! (N−i)!). Positions is their sum.
	ByPly     []*big.Int
	Positions *big.Int
}

// MaxBoundSquares is the largest board that NodeBounds counts.
const MaxBoundSquares = 256

// NodeBounds returns the bounds for n squares, 0 ≤ n ≤ MaxBoundSquares.
func NodeBounds(n int) Counts {
	n = max(0, min(n, MaxBoundSquares))
	c := Counts{
		Squares:      n,
		Games:        factorial(n),
		Nodes:        sequences(n),
		FactorialSum: new(big.Int),
		States:       new(big.Int).Exp(big.NewInt(3), big.NewInt(int64(n)), nil),
		Positions:    new(big.Int),
	}
	for i := 1; i <= n; i++ {
		c.FactorialSum.Add(c.FactorialSum, factorial(i))
	}
	for i := 0; i <= n; i++ {
		states := new(big.Int).Binomial(int64(n), int64(i))
		states.Mul(states, new(big.Int).Binomial(int64(i), int64(i/2)))
		c.ByPly = append(c.ByPly, states)
		c.Positions.Add(c.Positions, states)
	}
	return c
}

// sequences returns Σ n!/(n−i)! for i from 0 to n.
func sequences(n int) *big.Int {
	sum, term := big.NewInt(1), big.NewInt(1)
	for left := n; left > 0; left-- {
		term.Mul(term, big.NewInt(int64(left)))
		sum.Add(sum, term)
	}
	return sum
}

func factorial(n int) *big.Int { return new(big.Int).MulRange(1, int64(n)) }

// LargestByInstructions returns the largest number of squares whose bound on
// the nodes can be searched in the given time by the textbook's arithmetic: a
// node takes perSquare instructions for each square (100 in the textbook), and
// the machine runs perSecond instructions a second (2·10⁹).
func LargestByInstructions(seconds, perSquare, perSecond float64) int {
	return largest(seconds, func(n int) float64 { return perSquare * float64(n) / perSecond })
}

// LargestByNode returns the largest number of squares whose bound on the nodes
// can be searched in the given time where a node takes secondsPerNode, as
// measured.
func LargestByNode(seconds, secondsPerNode float64) int {
	return largest(seconds, func(int) float64 { return secondsPerNode })
}

// largest returns the largest board of at most MaxBoundSquares squares all of
// whose nodes fit into the given time.
func largest(seconds float64, perNode func(n int) float64) int {
	best := 0
	for n := 1; n <= MaxBoundSquares; n++ {
		each := perNode(n)
		if math.IsNaN(each) || math.IsNaN(seconds) || math.IsInf(each, 0) {
			break
		}
		need := new(big.Float).SetInt(sequences(n))
		if need.Mul(need, big.NewFloat(each)).Cmp(big.NewFloat(seconds)) > 0 {
			break
		}
		best = n
	}
	return best
}
