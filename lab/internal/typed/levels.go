package typed

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"oxo"
	"oxo/judge"
	"oxo/lines"
	"oxo/player"
	"oxo/solve"
)

// The levels are opponents for people, who ask for an easy game or a hard one
// and not for an algorithm. Each plays every game, and the same seed plays the same game:
//
//   - Level 5 plays what the judge calls best: exactly where the game is soon solved, where a
//     checked proof or a book holds the position, where marks fall and a search ends; else by
//     the strongest search.
//   - Level 4 asks a judge that carries nothing: it sees exactly only what is near the end.
//   - Levels 2 to 4 slip: with a probability of its own for each game a move is a beginner's.
//   - Level 1 is the beginner: it takes a win in one move, often lets none happen, and else
//     moves anywhere.
const topLevel = 5

// level is how a level plays in a game.
type level struct {
	number int
	slips  float64 // the probability that a move is a beginner's
}

// openLevel opens the player of a level.
func openLevel[P oxo.Position[P]](b *typedGame[P], args string) (maker[P], error) {
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > topLevel {
		return nil, fmt.Errorf("level %q: a whole number from 1, a beginner, to %d, the strongest, is needed, as in "+
			"level:3", args, topLevel)
	}
	return b.playLevel(level{n, slipsOf(b.Spec, n)})
}

// playLevel returns the player of a level: in a game that is soon solved a policy, which
// exams can grade exactly.
func (b *typedGame[P]) playLevel(l level) (maker[P], error) {
	if s := b.soonSolved(); s != nil {
		f := &solvedLevel[P]{b: b, level: l, perfect: &player.Perfect[P]{Solution: s}}
		return fromPolicy[P](f), nil
	}
	if l.slips == 1 {
		return fromPolicy[P](beginner[P]{b.Game}), nil
	}
	return func(r *rand.Rand) (oxo.Player[P], error) {
		return &asking[P]{b: b, level: l, random: r, beginner: player.NewDrawing[P](beginner[P]{b.Game}, r),
			judge: b.playing(l.number)}, nil
	}, nil
}

// soonClasses is how many classes of positions a game may have to be solved before the first
// move, for which a person waits: a fraction of a second.
const soonClasses = 100_000

// soonSolved returns the solution of the whole game, or nil where it has too many positions.
func (b *typedGame[P]) soonSolved() *solve.Solution[P] {
	if b.guessStartClasses() > hopeless*soonClasses {
		return nil
	}
	b.whole.quick.Do(func() {
		s, err := b.solveFrom(context.Background(), b.Start, solve.Options{Limit: soonClasses})
		if err == nil {
			b.whole.soon = s
			b.whole.solution.CompareAndSwap(nil, s)
		}
	})
	return b.whole.soon
}

// solvedLevel is a level in a game that is solved: perfect play, but for slips.
type solvedLevel[P oxo.Position[P]] struct {
	b *typedGame[P]
	level
	perfect *player.Perfect[P]
}

// Policy spreads over the best moves, and by the slips over what a beginner would draw.
func (f *solvedLevel[P]) Policy(p P, moves []oxo.Move, w []float64) {
	f.perfect.Policy(p, moves, w)
	if f.slips == 0 {
		return
	}
	slip := make([]float64, len(w))
	beginner[P]{f.b.Game}.Policy(p, moves, slip)
	for i := range w {
		w[i] = (1-f.slips)*w[i] + f.slips*slip[i]
	}
}

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

// asking is a level in a game that is too large to solve: it asks a judge of its own.
type asking[P oxo.Position[P]] struct {
	b *typedGame[P]
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
func (b *typedGame[P]) levelNodes(n, moves int) uint64 {
	nodes := lineNodes
	if !b.searchesByLines() {
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
func (b *typedGame[P]) playing(n int) *judge.Judge[P] {
	j := &judge.Judge[P]{Game: b.Game, Sources: []judge.Source[P]{judge.EndingMoves[P](), judge.EndingReplies[P]()}}
	solved := judge.FromSolution(.25, func(ctx context.Context, p P, nodes uint64) (*solve.Solution[P], error) {
		return b.solutionHolding(ctx, p, nodes, quickClasses)
	})
	if n < topLevel {
		j.Sources = append(j.Sources, solved)
	} else {
		j.Sources = append(j.Sources, judge.FromCertificates(.001, b.knownStrategies), solved)
		if !b.searchesByLines() {
			j.Sources = append(j.Sources, judge.ByThreats(.1, b.view.Falls, b.withThreatFinder))
		}
		if b.ensureDropSolver() == nil {
			j.Sources = append(j.Sources, judge.FromBook(b.bookVerdict), judge.ByDropSearch(.001, b.keptFalling()))
		}
	}
	var choose func(ctx context.Context, p P, nodes, seed uint64) (judge.Chosen, error)
	if b.searchesByLines() {
		choose = b.keptLines(n < topLevel)
	}
	j.Sources = append(j.Sources, judge.ByStrongestSearch(choose, b.mctsOptions))
	return j
}

// keptLines returns a search by lines that remembers from move to move; plain, it does not look
// for wins by fours.
func (b *typedGame[P]) keptLines(plain bool) func(ctx context.Context, p P, nodes, seed uint64) (judge.Chosen, error) {
	var x oxo.Player[P]
	return func(ctx context.Context, p P, nodes, seed uint64) (c judge.Chosen, err error) {
		if x == nil {
			o := lines.Options{Nodes: nodes, TableBytes: int(min(64*nodes, 32<<20))}
			o.Tuning.NoFours = plain
			if x, err = newLinesPlayer(b, o, seed); err != nil {
				return c, err
			}
		}
		return chosenBy(ctx, x, p)
	}
}

// beginner takes a win in one move; most times it makes a move after which the other side has
// none, where there is one; and else it moves anywhere.
type beginner[P oxo.Position[P]] struct{ game *oxo.Game[P] }

// careful is how often a beginner looks whether the other side could win at once.
const careful = .6

// Policy spreads so.
func (f beginner[P]) Policy(p P, moves []oxo.Move, w []float64) {
	careless(f.game, careful, p, moves, w)
}

// careless spreads over all moves, with a probability over those that are safe for a ply, and
// over none but wins where there are any.
func careless[P oxo.Position[P]](g *oxo.Game[P], careful float64, p P, moves []oxo.Move, w []float64) {
	if takesWin(g, p, moves, w) {
		return
	}
	safe, n := make([]bool, len(moves)), 0
	var replies []oxo.Move
	var scratch []float64
	for i, m := range moves {
		q := p.Play(m)
		replies = q.Moves(replies[:0])
		scratch = slices.Grow(scratch[:0], len(replies))[:len(replies)]
		if q.Outcome() == oxo.Ongoing && (q.Turn() == p.Turn() || !takesWin(g, q, replies, scratch)) {
			safe[i] = true
			n++
		}
	}
	if n == 0 {
		careful = 0
	}
	for i := range w {
		w[i] = (1 - careful) / float64(len(w))
		if safe[i] {
			w[i] += careful / float64(n)
		}
	}
}
