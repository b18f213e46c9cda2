package players

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"oxo"
	"oxo/judge"
	"oxo/lab/internal/falling"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/lines"
	"oxo/player"
)

// Level is how a level plays in a game.
// Number is from 1, a beginner, to game.TopLevel.
type Level struct {
	Number int
	Slips  float64 // the probability that a move, or a stretch of moves, is a beginner's
}

// openLevelPlayer opens the player of a level.
// How often it slips depends on the game, for those in which that was measured.
func openLevelPlayer[P oxo.Position[P]](b *opened.TypedGame[P], args string) (playerMaker[P], error) {
	n, err := strconv.Atoi(args)
	if err != nil || n < 1 || n > game.TopLevel {
		return nil, fmt.Errorf("level %q: a whole number from 1, a beginner, to %d, the strongest, is needed, as in "+
			"level:3", args, game.TopLevel)
	}
	return OpenLevelWithSlips(b, Level{n, game.SlipProbability(b.Spec, n)})
}

// OpenLevelWithSlips returns the player of a level: in a game that is soon solved a policy, which exams can
// grade exactly. Tests that measure levels call it with slips of their own.
func OpenLevelWithSlips[P oxo.Position[P]](b *opened.TypedGame[P], l Level) (playerMaker[P], error) {
	if s := b.SolveWholeIfSmall(); s != nil {
		f := &solvedLevelPolicy[P]{b: b, Level: l, perfect: &player.Perfect[P]{Solution: s}}
		return fromPolicy[P](f), nil
	}
	if l.Slips == 1 {
		return fromPolicy[P](Beginner[P]{b.Game, careful}), nil
	}
	return func(r *rand.Rand) (oxo.Player[P], error) {
		return &levelPlayer[P]{b: b, Level: l, random: r,
			beginner: player.NewSamplingPlayer[P](Beginner[P]{b.Game, careful}, r), judge: newLevelJudge(b)}, nil
	}, nil
}

// solvedLevelPolicy is a level in a game that is solved: perfect play, but for slips.
type solvedLevelPolicy[P oxo.Position[P]] struct {
	b *opened.TypedGame[P]
	Level
	perfect *player.Perfect[P]
}

// Policy spreads over the best moves, and by the slips over what a beginner would draw.
// A slip may hit a best move too. The weights sum to 1.
func (f *solvedLevelPolicy[P]) Policy(p P, moves []oxo.Move, w []float64) {
	f.perfect.Policy(p, moves, w)
	if f.Slips == 0 {
		return
	}
	slip := make([]float64, len(w))
	Beginner[P]{f.b.Game, careful}.Policy(p, moves, slip)
	for i := range w {
		w[i] = (1-f.Slips)*w[i] + f.Slips*slip[i]
	}
}

// spreadOverWins spreads over the moves that win at once, and reports whether there are any. A win is a move
// to an end that is worth as much as any end of the game is to the mover.
// Where it reports none, weights have no meaning.
func spreadOverWins[P oxo.Position[P]](g *oxo.Game[P], p P, moves []oxo.Move, weights []float64) (winsNow bool) {
	if p.Turn() == oxo.Chance || g.WinsNow != nil && !g.WinsNow(p) {
		return false
	}
	_, top := g.PayoffBounds()
	if p.Turn() == oxo.Second {
		low, _ := g.PayoffBounds()
		top = -low
	}
	n := 0.0
	for i, m := range moves {
		weights[i] = 0
		if q := p.Play(m); q.Outcome() != oxo.Ongoing && p.Turn().Score(g.PayoffToFirst(q)) >= top {
			weights[i] = 1
			n++
		}
	}
	for i := range weights {
		weights[i] /= max(n, 1)
	}
	return n > 0
}

// levelPlayer is a level in a game that is too large to solve: it asks a judge of its own. It belongs to
// one game: its judge and search remember from move to move.
// slipping says whether the stretch that began last is a beginner's, and made how many moves of its own it has made.
type levelPlayer[P oxo.Position[P]] struct {
	b *opened.TypedGame[P]
	Level
	random   *rand.Rand
	judge    *judge.Judge[P]
	beginner oxo.Player[P]
	most     uint64 // positions a move; 0 for as many as the level has
	made     int    // moves
	slipping bool
}

// stretch is for how many moves of its own a level slips or does not. In long games it is several: by
// single moves two levels would slip about as often as is usual for them in each game, and one that
// slips a little less than another would win nearly all.
func stretch[P oxo.Position[P]](b *opened.TypedGame[P]) int {
	const plies, most = 13, 6 // by both sides, for one move; moves
	return min(max(b.MaxPlies/plies, 1), most)
}

// Limit holds the player to a number of positions for a move.
// nodes is 0 for as many as the level has, and can't give it more.
func (x *levelPlayer[P]) Limit(depth int, nodes uint64) error {
	if depth > 0 {
		return errors.New("a level has no depth to stop at; limit its nodes or its time")
	}
	x.most = nodes
	return nil
}

// Choose slips, or plays the best move that the judge sees. Whether it slips is drawn once for a
// stretch of moves. Among moves that are certainly best it draws one; else it takes the judge's hint.
func (x *levelPlayer[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	moves := p.Moves(nil)
	if len(moves) == 0 {
		return oxo.Choice{Move: oxo.NoMove}, errors.New("the game is over: there is no move to choose")
	}
	if x.made%stretch(x.b) == 0 {
		x.slipping = x.random.Float64() < x.Slips
	}
	if x.made++; x.slipping {
		return x.beginner.Choose(ctx, p)
	}
	nodes := nodesPerLevelMove(x.b, len(moves))
	if x.most > 0 {
		nodes = min(nodes, x.most)
	}
	a, err := x.judge.Ask(ctx, p, judge.Budget{Nodes: nodes, Choice: true, Seed: x.random.Uint64() >> 1}, nil, nil)
	if a.Hint < 0 {
		return oxo.Choice{Move: oxo.NoMove}, err
	}
	c := oxo.Choice{Move: a.Moves[a.Hint].Move, Nodes: nodes}
	if best := a.BestMoves(); len(best) > 0 {
		c.Move, c.Exact = a.Moves[best[x.random.IntN(len(best))]].Move, true
	}
	return c, nil
}

// How many positions a move takes: of a search by lines, and of simulated games, where the plies of
// all of them, played by a kernel or by the rules, may be so many. They are for what is exact; the
// search that guesses where nothing is has a part of them.
const (
	lineNodes   = 40_000
	simulations = 30_000
	kernelPlies = 4_000_000
	rulePlies   = 400_000
	guessing    = 8 // the search has an eighth
)

// nodesPerLevelMove is how many positions a level looks at in one of so many moves.
// A level keeps to positions and not to time, so that it plays the same on any machine.
func nodesPerLevelMove[P oxo.Position[P]](b *opened.TypedGame[P], moves int) uint64 {
	nodes := lineNodes
	if !b.SearchesByLines() {
		plies := rulePlies
		if b.Playout != nil {
			plies = kernelPlies
		}
		nodes = min(simulations, plies/max(b.MaxPlies, 50))
	}
	return uint64(max(nodes, guessing*(2*moves+b.MaxMoves/8))) // all moves are tried, however long the games
}

// newLevelJudge returns the judge of a level's player, which keeps a memory of its own. The sources are
// fewer than those of [GameJudge], as a move takes few positions; the search that guesses comes last.
func newLevelJudge[P oxo.Position[P]](b *opened.TypedGame[P]) *judge.Judge[P] {
	j := newJudge(b, judge.FromCertificates(.001, b.KnownStrategies), solutionSource(b, .25, quickClasses))
	var choose func(ctx context.Context, p P, nodes, seed uint64) (judge.Chosen, error)
	if b.SearchesByLines() {
		choose = rememberingLineSearch(b)
	} else {
		j.Sources = append(j.Sources, judge.ByThreats(.1, b.View.Falls, b.WithThreatFinder))
	}
	if s, err := b.Drops(); err == nil {
		j.Sources = append(j.Sources, judge.FromBook(falling.BookVerdictLookup[P](s)),
			judge.ByDropSearch(.001, falling.PlayerVerdictFinder(s, b.Start)))
	}
	guess := judge.ByStrongestSearch(choose, mctsOptionsFunc(b))
	guess.Share = 1. / guessing
	j.Sources = append(j.Sources, guess)
	return j
}

// rememberingLineSearch returns a search by lines that remembers from move to move. The first call fixes the seed
// and the size of the table.
func rememberingLineSearch[P oxo.Position[P]](b *opened.TypedGame[P]) func(ctx context.Context, p P, nodes,
	seed uint64) (judge.Chosen, error) {
	var x oxo.Player[P]
	return func(ctx context.Context, p P, nodes, seed uint64) (c judge.Chosen, err error) {
		if x == nil {
			// The table has 64 bytes for each position of a move, and at most 32 MiB.
			o := lines.PlayerOptions{Nodes: nodes, TableBytes: int(min(64*nodes, 32<<20))}
			if x, err = NewLinesPlayer(b, o, seed); err != nil {
				return c, err
			}
		}
		return chosenBy(ctx, x, p)
	}
}

// careful is how often a beginner looks whether the other side could win at once.
const careful = .6

// Beginner takes a win in one move; mostly it makes a move after which the other side has
// none, where there is one; and else it moves anywhere.
type Beginner[P oxo.Position[P]] struct {
	Rules   *oxo.Game[P]
	Careful float64 // the probability that it looks whether the other side could win at once
}

// Policy spreads over all moves, with a probability over those that are safe for a ply, and
// over none but wins where there are any.
// A move is safe where play goes on after it and the other side can't win at once, or is not to move.
func (f Beginner[P]) Policy(p P, moves []oxo.Move, w []float64) {
	if spreadOverWins(f.Rules, p, moves, w) {
		return
	}
	safe, n := make([]bool, len(moves)), 0
	var replies []oxo.Move
	var scratch []float64
	for i, m := range moves {
		q := p.Play(m)
		replies = q.Moves(replies[:0])
		scratch = slices.Grow(scratch[:0], len(replies))[:len(replies)]
		if q.Outcome() == oxo.Ongoing && (q.Turn() == p.Turn() || !spreadOverWins(f.Rules, q, replies, scratch)) {
			safe[i] = true
			n++
		}
	}
	// Without a safe move there is nothing to be careful about: all moves are alike.
	careful := f.Careful
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
