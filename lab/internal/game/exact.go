package game

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"time"
)

// BoundsResult sets the bounds on a game's size that follow from its number of squares and from how
// marks are placed beside its true counts. The formulas are those of the textbook: N! games, sums of
// falling factorials for nodes, and 3^N states, each refined by how marks are placed.
type BoundsResult struct {
	Game          string     `json:"game"`
	Squares       int        `json:"squares" doc:"squares of the board"`
	GamesBound    *big.Int   `json:"games_bound" doc:"at least as many as there are games"`
	NodesBound    *big.Int   `json:"nodes_bound" doc:"at least as many as there are nodes"`
	FactorialSum  *big.Int   `json:"factorial_sum" doc:"Σ i!, often printed as a bound, which it is not"`
	StatesBound   *big.Int   `json:"states_bound" doc:"at least as many as there are positions"`
	StatesByPly   []*big.Int `json:"states_by_ply" doc:"the same after each number of plies"`
	StatesAlter   *big.Int   `json:"states_alternating" doc:"the same where the sides have half of the marks each"`
	FullBoards    *big.Int   `json:"full_boards" doc:"the same of full boards: C(N, ⌈N/2⌉)"`                     // the states of a full board with alternating marks: C(N, ⌈N/2⌉); null likewise
	BelowFirst    *big.Int   `json:"below_first" doc:"at least as many as there are nodes below one first move"` // the bound on the nodes below one first move; null where that is not the whole's less one over N
	GamesFormula  string     `json:"games_formula" doc:"of games_bound"`
	NodesFormula  string     `json:"nodes_formula" doc:"of nodes_bound"`
	StatesFormula string     `json:"states_formula" doc:"of states_bound"`

	Games     *big.Int `json:"games" doc:"in truth; null where it was not counted in time"`
	Nodes     *big.Int `json:"nodes" doc:"in truth; null where it was not counted in time"`
	Positions *uint64  `json:"positions"`
	Classes   *uint64  `json:"classes"`
	Textbook  Largest  `json:"largest_by_textbook" doc:"most squares searched to the end at 100·N instructions a node"`
	Measured  Largest  `json:"largest_as_measured" doc:"most squares searched to the end as measured here"`
	NsPerNode float64  `json:"ns_per_node" doc:"nanoseconds that a node of minimax takes here"`
	Seconds   float64  `json:"seconds"`
}

// Largest is the most squares that can be searched to the end in a second, a
// minute and an hour.
type Largest struct {
	Second int `json:"second" doc:"in a second"`
	Minute int `json:"minute" doc:"in a minute"`
	Hour   int `json:"hour" doc:"in an hour"`
}

// CountResult is a census of a game. What could not be counted is null, and Reason says why. Games and
// nodes can be more than 64 bits hold, as there are up to N! games on N squares; positions are counted
// one by one, so that they are fewer.
type CountResult struct {
	Game            string       `json:"game"`
	Games           *big.Int     `json:"games" doc:"sequences of moves to an end"`
	Nodes           *big.Int     `json:"nodes" doc:"nodes of the game tree, the root included"`
	Positions       *uint64      `json:"positions" doc:"positions that can be reached"`
	Classes         *uint64      `json:"classes"`
	Terminal        *ByResult    `json:"terminal" doc:"positions at which the game is over, by result"`
	TerminalClasses *uint64      `json:"terminal_classes" doc:"the same up to symmetry"`
	TerminalBy      *ByResult    `json:"terminal_classes_by_result" doc:"the same up to symmetry, by result"`
	GamesBy         *GamesBy     `json:"games_by_result" doc:"games by result"`
	Nonterminal     *uint64      `json:"nonterminal" doc:"positions at which it goes on"`
	NonterminalCl   *uint64      `json:"nonterminal_classes" doc:"the same up to symmetry"`
	MergedPositions *big.Int     `json:"games_merging_positions" doc:"games, symmetric positions taken as one at each move"`
	MergedSequences *big.Int     `json:"games_merging_sequences" doc:"games, symmetric sequences of moves taken as one"`
	Random          *RandomPlay  `json:"random_play" doc:"how random play against itself ends"`
	Boxes           *Boxes       `json:"matchboxes" doc:"boxes that MENACE needs"`
	ByPly           []PlyCount   `json:"by_ply" doc:"the counts after each number of plies"`
	Symmetries      *big.Int     `json:"symmetries" doc:"order of the group of the game's symmetries"`
	Reason          string       `json:"reason,omitempty" doc:"why what is null was not counted"`
	Estimate        *TreeGuesses `json:"estimate,omitempty" doc:"what random probes say, where it was not counted"`
	MostPositions   *big.Int     `json:"most_positions,omitempty" doc:"where not all was counted, a number that positions do not exceed"`
	MostGames       *big.Int     `json:"most_games,omitempty" doc:"the same of games"`
	Seconds         float64      `json:"seconds"`
}

// ByResult counts things by who won.
type ByResult struct {
	First  uint64 `json:"first"`
	Second uint64 `json:"second"`
	Draw   uint64 `json:"draw"`
}

// GamesBy counts games by who won.
type GamesBy struct {
	First  *big.Int `json:"first"`
	Second *big.Int `json:"second"`
	Draw   *big.Int `json:"draw"`
}

// RandomPlay is how games between two random players end: as probabilities,
// and as fractions where they are known.
type RandomPlay struct {
	First  float64   `json:"first"`
	Second float64   `json:"second"`
	Draw   float64   `json:"draw"`
	Exact  *ExactPer `json:"exact,omitempty" doc:"the same as fractions"`
	Payoff *float64  `json:"payoff,omitempty" doc:"the mean payoff to the first player, where games have payoffs of their own"`
}

// ExactPer is a distribution over results in fractions.
type ExactPer struct {
	First  string `json:"first"`
	Second string `json:"second"`
	Draw   string `json:"draw"`
}

// Boxes are the classes of positions in which a seat has a choice: the
// matchboxes a MENACE needs to play it. Forced are the classes with one move.
type Boxes struct {
	First        uint64 `json:"first" doc:"to move first"`
	Second       uint64 `json:"second" doc:"to move second"`
	FirstForced  uint64 `json:"first_forced" doc:"besides, with one move alone, to move first"`
	SecondForced uint64 `json:"second_forced" doc:"besides, with one move alone, to move second"`
}

// PlyCount is the census of one ply.
type PlyCount struct {
	Ply             int      `json:"ply"`
	Nodes           *big.Int `json:"nodes"`
	Games           *big.Int `json:"games" doc:"games that end here"`
	Positions       uint64   `json:"positions"`
	Classes         uint64   `json:"classes"`
	Terminal        ByResult `json:"terminal" doc:"positions at which the game is over, by result"`
	TerminalClasses ByResult `json:"terminal_classes" doc:"the same up to symmetry"`
}

// TreeGuesses are estimates of the size of the game tree from random probes.
type TreeGuesses struct {
	Nodes  Large `json:"nodes"`
	Games  Large `json:"games"`
	Probes int   `json:"probes" doc:"games that were tried at random"`

	NodesError Large `json:"nodes_error" doc:"the standard error of nodes"`
	GamesError Large `json:"games_error" doc:"the standard error of games"`
}

// Large is a number that may be too large for a float64. In JSON it is a number
// of six digits.
type Large struct{ *big.Float }

// MarshalJSON writes the number.
func (l Large) MarshalJSON() ([]byte, error) { return l.Append(nil, 'g', 6), nil }

// PerftResult counts the leaves of the game tree at a depth.
type PerftResult struct {
	Game    string  `json:"game"`
	Depth   int     `json:"depth"`
	Leaves  uint64  `json:"leaves" doc:"sequences of exactly that many moves"`
	Seconds float64 `json:"seconds"`
}

// SolveResult is a position's exact worth.
type SolveResult struct {
	Game     string `json:"game"`
	Position string `json:"position" doc:"the position that was solved"`

	// Value is first, second or draw; it is left out where Expected, the
	// payoff to First, takes its place.
	Value      string   `json:"value,omitempty" doc:"first, second or draw"`
	Expected   *float64 `json:"expected,omitempty"`
	Remoteness *int     `json:"remoteness" doc:"plies to the end when the winner hurries and the loser delays; null where there is no end"`

	// Bounds are the least and the most plies to the end, where no more is known of them.
	Bounds *[2]int `json:"remoteness_bounds,omitempty" doc:"the least and the most that remoteness can be, where a proof tells no more; null for no most"`

	Best      []string  `json:"best" doc:"all optimal moves"` // null where the best moves are not known
	Keeps     []string  `json:"keeps,omitempty" doc:"where the best moves are not known, moves that the judge knows to keep the value"`
	Moves     []Worth   `json:"moves" doc:"what each move is worth, at a chance node each outcome; where others is over 0, what those are worth that were looked at"`
	Others    int       `json:"others,omitempty" doc:"legal moves that are not in moves: only a win was looked for, and they are not best"`
	Method    string    `json:"method,omitempty" doc:"the way taken: table, retrograde, tiers, drop, deepening or proof"`
	Positions uint64    `json:"positions" doc:"positions that were solved or searched"`
	Classes   int       `json:"classes" doc:"positions stored, one for each class where symmetry is used"`
	Estimate  *Estimate `json:"estimate,omitempty" doc:"what the way was expected to take, said before it began"`
	Seconds   float64   `json:"seconds"`
}

// ReplyMap is a board of the map of optimal play of a seat: the seat's move, and in the square
// of each reply the board that follows it.
type ReplyMap struct {
	Position string // after the seat's move
	Move     int    // the square of that move, or -1
	Replies  map[int]*ReplyMap
}

// Worth is what the position after a move is worth.
type Worth struct {
	Move       string   `json:"move"`
	Value      string   `json:"value,omitempty" doc:"first, second or draw"`
	Expected   *float64 `json:"expected,omitempty"`
	Remoteness *int     `json:"remoteness" doc:"plies to the end after the move"`
	Best       bool     `json:"best" doc:"whether it is optimal"`
}

// GamesBelow is how the games below a position end, all sequences of moves counted alike.
type GamesBelow struct {
	Move   string  `json:"move"`
	First  float64 `json:"first"`
	Second float64 `json:"second"`
	Draw   float64 `json:"draw"`
}

// TierMemory is the most that a part by tiers takes unless told otherwise.
const TierMemory = 256 << 20

// SolveOptions say what to solve and how far.
type SolveOptions struct {
	Position string    // empty for the start
	Out      io.Writer // where to write the strong solution; nil for nowhere
	Strong   bool      // values of all positions are wanted, for a file
	Memory   int64     // about the most bytes to take; 0 for UsualMemory
	Method   string    // the way to take; empty chooses one
	Parts    bool      // whoever asks can carry out work in parts, as tiers are
	Workers  int       // searches side by side, where a way has several; 0 is one for each core

	// Resume is what save wrote in an earlier Solve with the same options. Keep is told
	// how far the work is; where save is not nil, it writes what Resume goes on from.
	Resume io.Reader
	Keep   func(g Going, save func(io.Writer) error)
}

// Going says how far a solution is.
// The numbers are those of the way under way; a way that was tried before it is over.
type Going struct {
	Method    string
	Positions uint64
	Of        float64       // positions expected, a guess; 0 where there is none
	Took      time.Duration // by this way so far
}

// UsualMemory is about the most bytes that a solution takes unless told otherwise.
const UsualMemory = 1 << 30

// The ways to solve.
const (
	ByTable      = "table"      // all positions below, each worked out once, in memory
	ByRetrograde = "retrograde" // the same from the ends back, where play can go in circles
	ByTiers      = "tiers"      // all positions by numbers of marks, a slice at a time
	ByDrop       = "drop"       // search where marks fall
	ByDeepening  = "deepening"  // search for a win in one ply, in two, and so on
	ByProof      = "proof"      // proof numbers, for the value; bounds of the distance
)

// Estimate is what a way is expected to take.
type Estimate struct {
	Seconds *float64 `json:"cpu_seconds" doc:"processor seconds of one core; null where that can't be told"`
	Bytes   int64    `json:"bytes" doc:"bytes of memory at most"`
}

// Rounded returns the estimate with as many digits as it is good for. That is two significant digits.
func (e Estimate) Rounded() Estimate {
	digits := func(x float64) float64 {
		rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 1, 64), 64) // which was just written
		return rounded
	}
	if e.Seconds != nil {
		seconds := digits(*e.Seconds)
		e.Seconds = &seconds
	}
	e.Bytes = int64(digits(float64(e.Bytes)))
	return e
}

// Plan is how a position is solved: the way that is expected to give the answer, and
// what it takes.
type Plan struct {
	Method   string
	Estimate Estimate
	First    string   // a way that is tried before, empty for none
	Then     string   // a way that is tried where Method finds far more than was guessed, empty for none
	Steps    []string // all ways, in the order in which they are tried
}

// AboutNumber writes a guessed number, at least 0, to one digit: "about 7", "about 20,000", "about 4 million",
// "about 2·10^12". From 10^15 on, where guesses by random games are out by powers of ten, it is "over 10^15".
func AboutNumber(x float64) string {
	switch {
	case x >= 1e15:
		return "over 10^15"
	case x < 1:
		return "less than 1"
	}
	return "about " + roundToOneDigit(x)
}

// roundToOneDigit writes a number of at least 1 rounded to its first digit.
func roundToOneDigit(x float64) string {
	power := math.Floor(math.Log10(x))
	digit := math.Round(x / math.Pow(10, power))
	if digit == 10 {
		digit, power = 1, power+1
	}
	switch n := int(digit * math.Pow(10, power)); {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 1_000_000:
		return fmt.Sprintf("%d,000", n/1000)
	case n < 1_000_000_000:
		return fmt.Sprintf("%d million", n/1_000_000)
	}
	return fmt.Sprintf("%.0f·10^%.0f", digit, power)
}

// AboutBytes is AboutNumber of a size in bytes, in kB, MB, GB or TB.
func AboutBytes(x float64) string {
	units := []string{"kB", "MB", "GB"}
	for _, unit := range units {
		if x /= 1 << 10; x < 1000 {
			return AboutNumber(x) + " " + unit
		}
	}
	return AboutNumber(x/(1<<10)) + " TB"
}
