package typed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"oxo"
	"oxo/judge"
	"oxo/lines"
	"oxo/player"
	"oxo/search"
	"oxo/solve"
)

// The levels are opponents for people, who ask for an easy game or a hard one
// and not for an algorithm. Each plays every game, and the same seed plays the same game:
//
//   - Level 5 plays what the judge calls best: exactly where the game is soon solved, where a
//     checked proof or a book holds the position, where marks fall and a search ends; else by
//     the strongest search.
//   - Level 4 asks a judge that carries nothing: it sees exactly only what is near the end.
//   - Levels 1 to 3 are level 4 that slips: with a probability of its own for each game it plays
//     as a beginner would. From level 2 on a win in one move is never missed.
//
// A beginner draws a move, the better-looking ones with more probability: by marks in lines on
// large boards, elsewhere by how random games end.
const topLevel = 5

// level is how a level plays in a game.
type level struct {
	number int
	slips  float64 // the probability that a move is a beginner's
}

// openLevel opens the player of a level.
func openLevel[P oxo.Position[P]](b *bound[P], args string) (maker[P], error) {
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > topLevel {
		return nil, fmt.Errorf("level %q: a whole number from 1, a beginner, to %d, the strongest, is needed, as in "+
			"level:3", args, topLevel)
	}
	return b.playLevel(level{n, slipsOf(b.Spec, n)})
}

// playLevel returns the player of a level: in a game that is soon solved a policy, which
// exams can grade exactly.
func (b *bound[P]) playLevel(l level) (maker[P], error) {
	if s := b.soonSolved(); s != nil {
		f := &solvedLevel[P]{b: b, level: l, perfect: &player.Perfect[P]{Solution: s}}
		if l.slips > 0 {
			f.worths = b.randomWorths()
		}
		return fromPolicy[P](f), nil
	}
	beginner := b.beginner()
	return func(r *rand.Rand) (oxo.Player[P], error) {
		return &asking[P]{b: b, level: l, random: r, beginner: beginner(r), judge: b.playing(l.number)}, nil
	}, nil
}

// soonClasses is how many classes of positions a game may have to be solved before the first
// move, for which a person waits: a fraction of a second.
const soonClasses = 100_000

// soonSolved returns the solution of the whole game, or nil where it has too many positions.
func (b *bound[P]) soonSolved() *solve.Solution[P] {
	if b.startClasses() > hopeless*soonClasses {
		return nil
	}
	b.whole.quick.Do(func() {
		s, err := b.solution(context.Background(), b.Start, solve.Options{Limit: soonClasses})
		if err == nil {
			b.whole.soon = s
			b.whole.solution.CompareAndSwap(nil, s)
		}
	})
	return b.whole.soon
}

// solvedLevel is a level in a game that is solved: perfect play, but for slips.
type solvedLevel[P oxo.Position[P]] struct {
	b *bound[P]
	level
	perfect *player.Perfect[P]
	worths  func(p P) float64 // of random games from there, to First
}

// Policy spreads over the best moves, and by the slips over what a beginner would draw.
func (f *solvedLevel[P]) Policy(p P, moves []oxo.Move, w []float64) {
	if f.number > 1 && takesWin(f.b.Game, p, moves, w) {
		return
	}
	f.perfect.Policy(p, moves, w)
	if f.slips == 0 {
		return
	}
	drawn, sum := make([]float64, len(w)), 0.0
	lo, hi := f.b.Bounds()
	for i, m := range moves {
		v := f.worths(p.Play(m))
		drawn[i] = math.Exp(naive * p.Turn().Score(v) * 2 / max(hi-lo, 1e-9))
		sum += drawn[i]
	}
	for i := range w {
		w[i] = (1-f.slips)*w[i] + f.slips*drawn[i]/sum
	}
}

// naive is by how much, as a power of e, a beginner in a solved game prefers a move after
// which random games are won to one after which they are drawn.
const naive = 3

// takesWin spreads over the moves that win at once, and reports whether there are any.
func takesWin[P oxo.Position[P]](g *oxo.Game[P], p P, moves []oxo.Move, w []float64) bool {
	if p.Turn() == oxo.Chance || g.WinsNow != nil && !g.WinsNow(p) {
		return false
	}
	_, top := g.Bounds()
	if p.Turn() == oxo.Second {
		low, _ := g.Bounds()
		top = -low
	}
	n := 0.0
	for i, m := range moves {
		w[i] = 0
		if q := p.Play(m); q.Outcome() != oxo.Ongoing && p.Turn().Score(g.Worth(q)) >= top {
			w[i] = 1
			n++
		}
	}
	for i := range w {
		w[i] /= max(n, 1)
	}
	return n > 0
}

// randomWorths returns what random games from a position are worth to First on average, of a
// game that is small and ends; each position is worked out once.
func (b *bound[P]) randomWorths() func(p P) float64 {
	if b.Loopy() {
		return func(p P) float64 { return 0 }
	}
	return b.knowing.random.of(b.Game)
}

// asking is a level in a game that is too large to solve: it asks a judge of its own.
type asking[P oxo.Position[P]] struct {
	b *bound[P]
	level
	random   *rand.Rand
	judge    *judge.Judge[P]
	beginner oxo.Player[P]
	most     uint64 // positions a move; 0 for as many as the level has
}

// Limit holds the player to a number of positions for a move.
func (x *asking[P]) Limit(depth int, nodes uint64) error {
	if depth > 0 {
		return errors.New("a level has no depth to stop at; limit its nodes or its time")
	}
	x.most = nodes
	return nil
}

// Choose slips, or plays the best move that the judge of the level sees.
func (x *asking[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return oxo.Choice{Move: oxo.NoMove}, errors.New("the game is over: there is no move to choose")
	}
	if slip := x.random.Float64() < x.slips; slip {
		w := make([]float64, len(moves))
		if x.number > 1 && takesWin(x.b.Game, p, moves, w) {
			return oxo.Choice{Move: drawn(moves, w, x.random), Exact: true}, nil
		}
		return x.beginner.Choose(ctx, p)
	}
	nodes := x.b.levelNodes(x.number, len(moves))
	if x.most > 0 {
		nodes = min(nodes, x.most)
	}
	a, err := x.judge.Ask(ctx, p, judge.Budget{Nodes: nodes, Choice: true, Seed: x.random.Uint64() >> 1}, nil, nil)
	if a.Hint < 0 {
		return oxo.Choice{Move: oxo.NoMove}, err
	}
	c := oxo.Choice{Move: a.Moves[a.Hint].Move, Nodes: nodes}
	if best := a.Best(); len(best) > 0 {
		c.Move, c.Exact = a.Moves[best[x.random.IntN(len(best))]].Move, true
	}
	return c, nil
}

// drawn draws a move by its probability.
func drawn(moves []oxo.Move, w []float64, r *rand.Rand) oxo.Move {
	at := r.Float64()
	for i := range w {
		if at -= w[i]; at < 0 {
			return moves[i]
		}
	}
	return moves[len(moves)-1]
}

// How many positions a move of a level takes: of a search by lines, and of simulated games, where
// the plies of all of them, played by a kernel or by the rules, may be so many.
const (
	lineNodes   = 40_000
	simulations = 30_000
	kernelPlies = 4_000_000
	rulePlies   = 400_000
	below       = 8 // so many times fewer below the strongest level
)

// levelNodes is how many positions a level looks at in one of so many moves.
func (b *bound[P]) levelNodes(n, moves int) uint64 {
	nodes := lineNodes
	if !b.byLines() {
		plies := rulePlies
		if b.Playout != nil {
			plies = kernelPlies
		}
		nodes = min(simulations, plies/max(b.MaxPlies, 50))
	}
	if n < topLevel {
		nodes /= below
	}
	return uint64(max(nodes, 2*moves+b.MaxMoves/8)) // all moves are tried, however long the games
}

// playing returns the judge of a level's player, which keeps a memory of its own.
func (b *bound[P]) playing(n int) *judge.Judge[P] {
	j := &judge.Judge[P]{Game: b.Game, Sources: []judge.Source[P]{judge.Ends[P](), judge.Replies[P]()}}
	solved := judge.Solved(.25, func(ctx context.Context, p P, nodes uint64) (*solve.Solution[P], error) {
		return b.solvedHere(ctx, p, nodes, quickClasses)
	})
	if n < topLevel {
		j.Sources = append(j.Sources, solved)
	} else {
		j.Sources = append(j.Sources, judge.Certified(.001, b.carried), solved)
		if !b.byLines() {
			j.Sources = append(j.Sources, judge.ByThreats[P](.1, b.useFinder))
		}
		if b.falls() == nil {
			j.Sources = append(j.Sources, judge.Booked(b.booked), judge.Falls(.001, b.keptFalling()))
		}
	}
	var choose func(ctx context.Context, p P, nodes, seed uint64) (judge.Chosen, error)
	if b.byLines() {
		choose = b.keptLines(n < topLevel)
	}
	j.Sources = append(j.Sources, judge.Searching(choose, b.guesser))
	return j
}

// keptLines returns a search by lines that remembers from move to move; plain, it does not look
// for wins by fours.
func (b *bound[P]) keptLines(plain bool) func(ctx context.Context, p P, nodes, seed uint64) (judge.Chosen, error) {
	var x oxo.Player[P]
	return func(ctx context.Context, p P, nodes, seed uint64) (c judge.Chosen, err error) {
		if x == nil {
			o := lines.Options{Nodes: nodes, TableBytes: int(min(64*nodes, 32<<20))}
			o.Tuning.NoFours = plain
			if x, err = newLines(b, o, seed); err != nil {
				return c, err
			}
		}
		return chosenBy(ctx, x, p)
	}
}

// beginner returns the players of beginners.
func (b *bound[P]) beginner() func(r *rand.Rand) oxo.Player[P] {
	if b.byLines() {
		return func(r *rand.Rand) oxo.Player[P] { return player.Play[P](byRows[P]{b, 1.5}, r) }
	}
	return func(r *rand.Rand) oxo.Player[P] { return &bySims[P]{b, r} }
}

// byRows draws a square by what the lines through it are worth: ten times as much
// for each mark more in a line, half as much where it is the opponent's line that
// is blocked. Squares are drawn in proportion to a power of that, which is a
// softmax of its logarithm.
type byRows[P oxo.Position[P]] struct {
	b     *bound[P]
	power float64
}

// Policy spreads over the empty squares.
func (f byRows[P]) Policy(p P, moves []oxo.Move, w []float64) {
	const own, enemy = 10_000, 5_000 // what the last square of a line is worth
	worth := make([]float64, len(f.b.view.Squares))
	for i, line := range f.b.lines {
		var marks [3]int // of First, of Second, none
		for _, s := range line {
			marks[f.b.mark(p, s)]++
		}
		side, first := p.Turn(), own
		if marks[side] == 0 && marks[side.Other()] > 0 {
			side, first = side.Other(), enemy
		}
		if marks[side.Other()] > 0 || f.barred(p, i, side) {
			continue
		}
		for _, s := range line {
			worth[s] += float64(first) * math.Pow10(1-marks[2])
		}
	}
	sum := 0.0
	for i, m := range moves {
		w[i] = math.Pow(worth[m]+1, f.power)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
}

// barred reports whether the side can't own that line any more, because the row
// would be too long.
func (f byRows[P]) barred(p P, line int, side oxo.Seat) bool {
	if f.b.bars == nil {
		return false
	}
	for _, s := range f.b.bars[line] {
		if f.b.mark(p, s) == int(side) {
			return true
		}
	}
	return false
}

// bySims draws a move in proportion to a power of its share of a few simulated games, which a
// tree search that does not see what is certain gives to the better-looking ones.
type bySims[P oxo.Position[P]] struct {
	b      *bound[P]
	random *rand.Rand
}

// How many games a beginner imagines for each move, and the power of a move's share of them.
const (
	imagined = 5
	lean     = 1.5
)

func (x *bySims[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	n := len(p.Moves(nil))
	var o search.Options[P]
	o.Seed, o.Lines, o.NoProof, o.Workers = x.random.Uint64(), n, true, 1
	o.Sims = int(max(uint64(2*n+x.b.MaxMoves/8), min(uint64(imagined*n), x.b.levelNodes(topLevel, n))))
	r, err := search.Search(ctx, x.b.Game, p, search.MCTS, o)
	if err != nil {
		return oxo.Choice{Move: oxo.NoMove}, err
	}
	c := oxo.Choice{Move: r.Move, Nodes: r.Nodes}
	moves, w := make([]oxo.Move, len(r.Lines)), make([]float64, len(r.Lines))
	sum := 0.0
	for i, l := range r.Lines {
		moves[i], w[i] = l.Move, math.Pow(float64(l.Visits), lean)
		sum += w[i]
	}
	if sum > 0 {
		for i := range w {
			w[i] /= sum
		}
		c.Move = drawn(moves, w, x.random)
	}
	return c, nil
}
