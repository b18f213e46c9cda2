package typed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"oxo"
	"oxo/engine"
	"oxo/player"
	"oxo/search"
)

// The levels are opponents for people, who ask for an easy game or a hard one
// and not for an algorithm. Each plays every game:
//
//   - Levels 1 and 2 draw their move, the better ones with more probability
//     (a softmax), so that their mistakes are among plausible moves. Level 2 takes
//     every win in one move, and hardly ever lets one happen.
//   - Levels 3 and 4 look ahead by searching, with limits in positions or simulated
//     games, never in time: the same seed plays the same game.
//   - Level 5 plays exactly where the game is solved at once, or where marks fall the
//     position in half a second, and elsewhere does what is strongest there in a second.
//
// What a move is worth comes from counts of lines where alphabeta goes by those,
// and elsewhere from simulated games, of which there is a tree in every game.
const topLevel = 5

// openLevel opens the player of a level.
func openLevel[P oxo.Position[P]](b *bound[P], args string) (maker[P], error) {
	n, err := strconv.Atoi(args)
	switch {
	case err != nil || n < 1 || n > topLevel:
		return nil, fmt.Errorf("level %q: a whole number from 1, a beginner, to %d, the strongest, is needed, as in "+
			"level:3", args, topLevel)
	case n == topLevel:
		return strongest(b)
	case b.byLines():
		return levelByLines(b, n)
	}
	return levelBySims(b, n)
}

// strongest returns what plays best with about a second for a move.
func strongest[P oxo.Position[P]](b *bound[P]) (maker[P], error) {
	if s := b.quicklySolved(); s != nil {
		return fromPolicy[P](&player.Perfect[P]{Solution: s}), nil
	}
	search := "mcts"
	if b.racesForLines() {
		search = "alphabeta"
	}
	if b.falls() != nil {
		return b.player(search + ":time=900ms")
	}
	other, err := b.player(search + ":time=450ms")
	if err != nil {
		return nil, err
	}
	return func(r *rand.Rand) (oxo.Player[P], error) {
		p, err := other(r)
		return &hurried[P]{fallingPlayer[P]{b: b, rand: r}, 450 * time.Millisecond, p}, err
	}, nil
}

// levelByLines returns a level below the strongest on a large board where owning
// a line wins.
func levelByLines[P oxo.Position[P]](b *bound[P], n int) (maker[P], error) {
	switch n {
	case 1:
		return fromPolicy[P](byRows[P]{b, 1.5, false}), nil
	case 2:
		return fromPolicy[P](byRows[P]{b, 3, true}), nil
	case 3:
		m, err := b.player("alphabeta:depth=2,without=fours")
		if err != nil {
			return nil, err
		}
		return func(r *rand.Rand) (oxo.Player[P], error) {
			careful, err := m(r)
			return &slipping[P]{careful, player.Play[P](byRows[P]{b, 3, true}, r), r}, err
		}, nil
	}
	return b.player("alphabeta:depth=4,nodes=200000,without=fours")
}

// byRows draws a square by what the lines through it are worth: ten times as much
// for each mark more in a line, half as much where it is the opponent's line that
// is blocked. Squares are drawn in proportion to a power of that, which is a
// softmax of its logarithm.
type byRows[P oxo.Position[P]] struct {
	b     *bound[P]
	power float64
	sees  bool // takes every win in one move, else blocks one
}

// Policy spreads over the empty squares.
func (f byRows[P]) Policy(p P, moves []oxo.Move, w []float64) {
	const own, enemy = 10_000, 5_000 // what the last square of a line is worth
	worth := make([]float64, len(f.b.view.Squares))
	urgent := make([]int, len(worth)) // 2 where a win is to be taken, 1 where one is to be blocked
	most := 0
	for i, line := range f.b.lines {
		var marks [3]int // of First, of Second, none
		for _, s := range line {
			marks[f.b.mark(p, s)]++
		}
		side, first, urgency := p.Turn(), own, 2
		if marks[side] == 0 && marks[side.Other()] > 0 {
			side, first, urgency = side.Other(), enemy, 1
		}
		if marks[side.Other()] > 0 || f.barred(p, i, side) {
			continue
		}
		if !f.sees || marks[2] > 1 {
			urgency = 0
		}
		most = max(most, urgency)
		for _, s := range line {
			worth[s] += float64(first) * math.Pow10(1-marks[2])
			urgent[s] = max(urgent[s], urgency)
		}
	}
	sum := 0.0
	for i, m := range moves {
		w[i] = 0
		if urgent[m] == most {
			w[i] = math.Pow(worth[m]+1, f.power)
		}
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

// slipping is a player that now and then plays as another one would.
type slipping[P oxo.Position[P]] struct {
	careful, careless oxo.Player[P]
	random            *rand.Rand
}

// Limit holds the careful player to the limits; the other one looks no further
// than the position.
func (x *slipping[P]) Limit(depth int, nodes uint64) error {
	if l, ok := x.careful.(engine.Limiter); ok {
		return l.Limit(depth, nodes)
	}
	return nil
}

// slips is how many moves lie between two slips, about.
const slips = 8

func (x *slipping[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	if x.random.IntN(slips) == 0 {
		return x.careless.Choose(ctx, p)
	}
	return x.careful.Choose(ctx, p)
}

// simulated says how a level goes by simulated games.
type simulated struct {
	each  int     // games for each move, as far as that doesn't take long
	power float64 // of a move's share of the games, in proportion to which it is drawn
}

var simulatedLevels = [topLevel]simulated{
	1: {each: 5, power: 1.5},
	2: {each: 25, power: 2},
	3: {each: 100, power: 4},
	4: {each: 1000, power: 8},
}

// A search of so many plies of simulated games takes about a second: played by a
// kernel, or by the rules.
const (
	kernelPlies = 8_000_000
	rulePlies   = 500_000
)

// levelBySims returns a level below the strongest in any other game. Only level 4
// goes by what was learned of a game, where a position that is judged tells as much
// as ten simulated games: with it a few are too strong for the levels below.
func levelBySims[P oxo.Position[P]](b *bound[P], n int) (maker[P], error) {
	x := &bySims[P]{b: b, simulated: simulatedLevels[n]}
	x.options.NoProof = n == 1 // who doesn't see what is certain misses wins and blocks
	if n == topLevel-1 {
		if err := b.setEval(&x.options, search.MCTS, "", true); err != nil {
			return nil, err
		}
		if x.options.Eval != nil {
			x.each /= 10
		}
	}
	return func(r *rand.Rand) (oxo.Player[P], error) {
		own := *x
		own.random = r
		return &own, nil
	}, nil
}

// bySims draws a move in proportion to a power of its share of simulated games,
// which a tree search gives to the better ones; what is proven it plays at once.
type bySims[P oxo.Position[P]] struct {
	simulated
	b       *bound[P]
	options search.Options[P]
	random  *rand.Rand
	most    uint64 // simulated games for a move; 0 for no limit
}

// Limit holds the player to a number of simulated games for a move.
func (x *bySims[P]) Limit(depth int, nodes uint64) error {
	if depth > 0 {
		return errors.New("a level that goes by simulated games has no depth to stop at; limit its nodes or its time")
	}
	x.most = nodes
	return nil
}

func (x *bySims[P]) Choose(ctx context.Context, p P) (oxo.Choice, error) {
	n := len(p.Moves(nil))
	o := x.options
	o.Seed, o.Lines = x.random.Uint64(), n
	plies := rulePlies
	if x.b.Playout != nil {
		plies = kernelPlies
	}
	// All moves are tried, however long the games: none that wins at once is missed.
	o.Sims = max(2*n+x.b.MaxMoves/8, min(x.each*n, plies/max(x.b.MaxPlies, 100)))
	if x.most > 0 {
		o.Sims = int(min(uint64(o.Sims), x.most))
	}
	r, err := search.Search(ctx, x.b.Game, p, search.MCTS, o)
	if err == nil && r.Move == oxo.NoMove {
		err = errors.New("the game is over: there is no move to choose")
	}
	if err != nil {
		return oxo.Choice{Move: oxo.NoMove}, err
	}
	c := oxo.Choice{Move: r.Move, Nodes: r.Nodes, Exact: r.Exact()}
	if c.Exact {
		return c, nil
	}
	w := make([]float64, len(r.Lines))
	sum := 0.0
	for i, l := range r.Lines {
		w[i] = math.Pow(float64(l.Visits)/float64(o.Sims), x.power)
		sum += w[i]
	}
	at := x.random.Float64() * sum
	for i, l := range r.Lines {
		if at -= w[i]; at < 0 {
			c.Move = l.Move
			break
		}
	}
	return c, nil
}
