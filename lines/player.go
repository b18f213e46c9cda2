package lines

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"oxo"
	"oxo/threats"
)

// PlayerOptions say how a player searches. Without any limit it searches until its
// context is done.
type PlayerOptions struct {
	Depth       int           // iterations; 0 for no limit
	Nodes       uint64        // positions a move; 0 for no limit
	Time        time.Duration // for a move; 0 for no limit
	TableBytes  int           // 0 for 32 MiB
	Tuning      Tuning
	JudgeForced bool // whether a move without choice is judged as deep as any other
	// Report is told of the best so far after each iteration.
	Report func(oxo.Choice, []oxo.Move)
}

// defaultTableBytes is the size of the table where none is asked for.
// At 12 bytes an entry that is room for about two million positions.
const defaultTableBytes = 32 << 20

// LinePlayer plays a game of which it sees the marks.
// It keeps the table and the history from move to move, so that a player of many games knows what it saw in each.
type LinePlayer[P oxo.Position[P]] struct {
	x      *searcher
	o      PlayerOptions
	mark   func(p P, square int) int
	random *rand.Rand
	last   found
	lastAt uint64 // the key of the position that last is of
}

// NewPlayer returns a player on a board on which each side places its own mark
// on any empty square, and owning a line wins; marks are read by mark: 0 for
// First's, 1 for Second's, 2 for none. Among moves that it values the same it
// draws from seed.
func NewPlayer[P oxo.Position[P]](
	b threats.Board, mark func(p P, square int) int, o PlayerOptions, seed uint64,
) (*LinePlayer[P], error) {
	x, err := newSearcher(b, cmp.Or(o.TableBytes, defaultTableBytes), o.Tuning)
	if err != nil {
		return nil, err
	}
	return &LinePlayer[P]{x: x, o: o, mark: mark, random: rand.New(rand.NewPCG(seed, 0))}, nil
}

// Limit holds the player to a depth and a number of positions for a move, where
// those are not 0 and it is not held to fewer already.
func (x *LinePlayer[P]) Limit(depth int, nodes uint64) error {
	if depth > 0 && (x.o.Depth == 0 || depth < x.o.Depth) {
		x.o.Depth = depth
	}
	if nodes > 0 && (x.o.Nodes == 0 || nodes < x.o.Nodes) {
		x.o.Nodes = nodes
	}
	return nil
}

// Choose searches p and returns the best move found, within the limits of its options and of ctx; a move is chosen
// however little time there is. It returns an error where the game is over. One goroutine at a time may use a
// player.
func (x *LinePlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	if p.Outcome() != oxo.Ongoing {
		return oxo.Choice{}, fmt.Errorf("no move to choose: the game is over")
	}
	ctx, cancel := oxo.WithTimeLimit(ctx, x.o.Time)
	defer cancel()
	charge := oxo.NewCharge(ctx)
	defer charge.SetBytes(0)
	charge.SetBytes(x.x.table.memoryBytes())
	x.x.setPosition(func(s int) int { return x.mark(p, s) })
	side := int(p.Turn())
	var report func(found)
	if x.o.Report != nil {
		report = func(f found) { x.o.Report(x.toChoice(f), []oxo.Move{oxo.Move(f.square)}) }
	}
	f := x.x.findMove(ctx, side, x.o, x.random, report)
	x.last, x.lastAt = f, x.x.p.Hash(side)
	return x.toChoice(f), nil
}

// Estimate is what the last choice's position is worth to the side to move, from −1 to 1: as Choose scored it where
// that is exact, else the mean of its last two depths, which does not hang on who was to move at the end.
func (x *LinePlayer[P]) Estimate() float64 { return scoreOnUnitScale(x.last.meanOfLastTwoIterations()) }

// Rate estimates the moves that the player chooses from, and all on an empty board, to one depth in so many positions,
// 0 for no limit. After Choose in p all are raised or lowered alike, so that the move chosen, which was searched
// deeper, has its Estimate and the others stand beside it. It returns none where there is nothing to choose.
func (x *LinePlayer[P]) Rate(ctx context.Context, p P, maxNodes uint64) (list []oxo.Choice) {
	charge := oxo.NewCharge(ctx)
	defer charge.SetBytes(0)
	charge.SetBytes(x.x.table.memoryBytes())
	x.x.setPosition(func(s int) int { return x.mark(p, s) })
	side := int(p.Turn())
	rated := x.x.rateMoves(ctx, side, maxNodes)
	shift := 0
	if i := slices.IndexFunc(rated, func(f found) bool { return f.square == x.last.square }); i >= 0 &&
		x.lastAt == x.x.p.Hash(side) {
		shift = x.last.meanOfLastTwoIterations() - rated[i].meanOfLastTwoIterations()
	}
	for _, f := range rated {
		c, v := x.toChoice(f), f.meanOfLastTwoIterations()
		if v < wonBy && v > -wonBy && shift < highest && shift > -highest { // else it is won or lost
			v = max(-highest, min(v+shift, highest))
		}
		c.Score = scoreOnUnitScale(v)
		list = append(list, c)
	}
	return list
}

// toChoice is what a search found as a choice, with the positions that the search has visited up to now.
func (x *LinePlayer[P]) toChoice(f found) oxo.Choice {
	return oxo.Choice{
		Move: oxo.Move(f.square), Score: scoreOnUnitScale(f.value), Scored: true, Depth: f.depth,
		Nodes: x.x.positionsVisited(), Exact: f.exact,
	}
}

// scoreOnUnitScale maps a value to [-1, 1]: wins and losses to the ends, estimates between, where 200 comes to a half.
func scoreOnUnitScale(v int) float64 {
	switch {
	case v >= wonBy:
		return 1
	case v <= -wonBy:
		return -1
	}
	return float64(v) / (math.Abs(float64(v)) + 200)
}

// setPosition takes over a position, mark by mark, as nobody says which moves led to it.
// It takes time in the number of marks, little beside any search.
func (x *searcher) setPosition(mark func(square int) int) {
	p := x.p
	p.reset()
	for s := range p.n {
		if side := mark(s); side != empty {
			p.play(side, s)
		}
	}
}
