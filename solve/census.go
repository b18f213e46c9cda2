package solve

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"oxo"
)

// Tally counts things by how the game ended. A census stops before positions are more than 64 bits hold.
type Tally = Counts[uint64]

// Counts are numbers of things by how the game ended.
type Counts[N uint64 | float64] struct{ First, Second, Draw N }

// add counts n things with that outcome.
func (t *Counts[N]) add(o oxo.Outcome, n N) {
	switch o {
	case oxo.FirstWins:
		t.First += n
	case oxo.SecondWins:
		t.Second += n
	default:
		t.Draw += n
	}
}

// Total returns the number of all.
func (t Counts[N]) Total() N { return t.First + t.Second + t.Draw }

// Ply is the part of a census that belongs to one ply.
type Ply struct {
	Nodes           *big.Int // sequences of moves that lead here
	Games           *big.Int // those that end here
	Positions       uint64
	Classes         uint64 // positions up to symmetry
	Terminal        Tally
	TerminalClasses Tally
	Forced          uint64 // classes that are not terminal and have one move only
}

// Census counts a game's positions and the ways to play it. A count that is
// nil, or a ply that is missing, is not known.
type Census struct {
	Complete bool
	Why      string // what stopped the census, where it is not complete

	Plies           []Ply // complete plies from the start; nil where play can go in circles
	Nodes           *big.Int
	Games           *big.Int
	GamesFor        [3]*big.Int // games that First wins, Second wins, and draws
	Positions       uint64
	Classes         uint64
	Terminal        Tally
	TerminalClasses Tally

	// MergedGames counts games when symmetric positions are taken as one at
	// every move.
	MergedGames *big.Int

	// Random is the chance that First wins, that Second wins, and of a draw,
	// when every move is drawn with equal probability. RandomExact says the
	// same in fractions, where at each ply all positions have equally many
	// moves; else it is nil.
	Random      [3]float64
	RandomExact []*big.Rat
	// RandomPayoff is the mean payoff to First in such play.
	RandomPayoff float64

	// Boxes are the classes in which the seat has a choice of moves: the
	// matchboxes of a MENACE that plays that seat.
	Boxes [2]uint64
}

// TakeCensus takes the census of g, ply by ply, one representative of each class at a time. It stops when
// ctx is done, when a ply has more than maxClasses classes (0: no limit), or when positions are more than 64
// bits hold; the counts of complete plies are then all that is known. Members of a class are counted by its
// size, which follows from the group of symmetries; sequences of moves are counted by dynamic programming
// over classes, in numbers of fixed width.
func TakeCensus[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], maxClasses int) *Census {
	if g.Loopy() {
		return countLoopyGame(ctx, g, maxClasses)
	}
	c := &Census{Nodes: new(big.Int), Games: new(big.Int), MergedGames: new(big.Int)}
	for i := range c.GamesFor {
		c.GamesFor[i] = new(big.Int)
	}
	run := newCensusRun(g.WithCancelableCanonical(ctx))
	run.charge = oxo.NewCharge(ctx)
	defer run.charge.SetBytes(0)
	for tier := run.startTier(); len(tier.positions) > 0; {
		plies := len(c.Plies)
		next, err := run.countTier(ctx, c, tier, maxClasses)
		if ctx.Err() != nil && len(c.Plies) > plies { // whose last forms are not to be relied on
			c.Plies = c.Plies[:plies]
			err = c.outOfTime()
		}
		if err != nil {
			c.Why = err.Error()
			c.Nodes, c.Games, c.MergedGames, c.GamesFor = nil, nil, nil, [3]*big.Int{}
			return c
		}
		tier = next
	}
	c.Complete = true
	c.RandomExact = run.exactOutcomeOdds()
	for i, f := range c.RandomExact {
		c.Random[i], _ = f.Float64() // without the rounding errors of many sums
	}
	return c
}

// outOfTime says at which ply the census ends before it is complete.
func (c *Census) outOfTime() error {
	return fmt.Errorf("out of time or memory at ply %d", len(c.Plies))
}

// tier is one ply of the census: its classes and what is known of each. Only two tiers are in memory
// at a time.
type tier[P oxo.Position[P]] struct {
	positions []P
	paths     bigCounters // sequences of moves to members of the class
	merged    bigCounters // sequences of classes
	chance    []float64   // probability of the class in random play
}

// censusRun is a census under way.
type censusRun[P oxo.Position[P]] struct {
	game      *oxo.Game[P]
	limbs     int
	ways      *big.Rat    // 1 / product of the numbers of moves so far; nil if they differ
	fractionP [3]*big.Rat // summed over plies
	moves     []oxo.Move
	charge    oxo.Charge
}

// newCensusRun returns the census of a game, with room for its largest number of lines of play. The
// width is that of MaxMoves to the power of MaxPlies.
func newCensusRun[P oxo.Position[P]](g *oxo.Game[P]) *censusRun[P] {
	most := new(big.Int).Exp(big.NewInt(int64(max(2, g.MaxMoves))), big.NewInt(int64(g.MaxPlies)), nil)
	r := &censusRun[P]{game: g, limbs: most.BitLen()/64 + 1, ways: big.NewRat(1, 1)}
	for i := range r.fractionP {
		r.fractionP[i] = new(big.Rat)
	}
	return r
}

// startTier returns the tier of the start alone.
func (r *censusRun[P]) startTier() *tier[P] {
	t := &tier[P]{positions: []P{r.game.Representative(r.game.Start)}, chance: []float64{1},
		paths: newCounters(r.limbs, 1), merged: newCounters(r.limbs, 1)}
	t.paths.words[0], t.merged.words[0] = 1, 1
	return t
}

// bytesEach returns how much memory a class takes in a tier.
func (r *censusRun[P]) bytesEach() int64 {
	return int64(unsafe.Sizeof(r.game.Start)) + 8 + 2*8*int64(r.limbs)
}

// countTier adds the tier to the census and returns the next one. The children of a class are merged by
// their own classes, so that each is looked at once in its tier.
func (r *censusRun[P]) countTier(ctx context.Context, c *Census, t *tier[P], maxClasses int) (*tier[P], error) {
	next := &nextTier[P]{
		tier:  tier[P]{paths: newCounters(r.limbs, 0), merged: newCounters(r.limbs, 0)},
		index: newTable[P, int32](r.game), limit: maxClasses,
	}
	ply, ended := Ply{Nodes: new(big.Int), Games: new(big.Int)}, newEndings(c.Random)
	boxes, payoff, uniform := c.Boxes, c.RandomPayoff, -1
	var full error // of the next tier
	for i, p := range t.positions {
		if i%1024 == 0 {
			r.charge.SetBytes(next.index.bytes() + int64(len(t.positions)+cap(next.positions))*r.bytesEach())
		}
		if ctx.Err() != nil {
			return nil, c.outOfTime()
		}
		size, err := addClass(r.game, p, &ply.Positions, c.Positions)
		if err != nil {
			return nil, fmt.Errorf("%w at ply %d", err, len(c.Plies))
		}
		ply.Classes++
		paths := t.paths.bigInt(i)
		ply.Nodes.Add(ply.Nodes, paths)
		if o := p.Outcome(); o != oxo.Ongoing {
			ply.Terminal.add(o, size)
			ply.TerminalClasses.add(o, 1)
			ply.Games.Add(ply.Games, paths)
			ended.add(o, paths, t.merged.bigInt(i), t.chance[i])
			payoff += t.chance[i] * r.game.PayoffToFirst(p)
			continue
		}
		turn := p.Turn()
		r.moves = p.Moves(r.moves[:0])
		if err := r.game.OngoingFault(p, len(r.moves), len(c.Plies)); err != nil {
			return nil, err
		}
		if uniform == -1 {
			uniform = len(r.moves)
		}
		if uniform != len(r.moves) || turn == oxo.Chance {
			uniform = 0
		}
		if len(r.moves) == 1 {
			ply.Forced++
		} else if turn != oxo.Chance {
			boxes[turn]++
		}
		if full == nil && !r.addChildren(next, p, t, i) { // this ply is counted to its end all the same
			full = fmt.Errorf("more than %d classes at ply %d", maxClasses, len(c.Plies)+1)
		}
	}
	c.Boxes, c.RandomPayoff = boxes, payoff
	c.addPly(ply, &ended)
	r.addExactOdds(&ended, uniform)
	return &next.tier, full
}

// addChildren adds the classes that the moves in class i of a tier lead to. It reports whether there was room.
func (r *censusRun[P]) addChildren(next *nextTier[P], p P, t *tier[P], i int) (fits bool) {
	turn := p.Turn()
	for _, m := range r.moves {
		odds := 1 / float64(len(r.moves))
		if turn == oxo.Chance {
			odds = r.game.Odds(p, m)
		}
		if !next.addChild(r.game.Representative(p.Play(m)), t, i, odds) {
			return false
		}
	}
	return true
}

// errTooMany says that positions can't be counted in 64 bits.
var errTooMany = errors.New("more positions than 64 bits hold")

// addClass adds the number of positions in p's class to a sum, to which before may still be added, and returns it.
func addClass[P oxo.Position[P]](g *oxo.Game[P], p P, sum *uint64, before uint64) (size uint64, err error) {
	size = 1
	if g.Canonical != nil {
		_, size = g.Canonical(p)
	}
	all, carry := bits.Add64(*sum, size, 0)
	_, more := bits.Add64(all, before, 0)
	if size == 0 || carry+more != 0 {
		return 0, errTooMany
	}
	*sum = all
	return size, nil
}

// endings is the games that end at a ply.
type endings struct {
	games  [3]*big.Int // won by First, by Second, drawn
	merged *big.Int
	random [3]float64 // the probability of each result, with all moves equally likely, up to this ply
}

// newEndings returns that no game has ended yet.
func newEndings(random [3]float64) endings {
	return endings{
		games:  [3]*big.Int{new(big.Int), new(big.Int), new(big.Int)},
		merged: new(big.Int), random: random,
	}
}

// add counts the games that end in one class with a result.
func (e *endings) add(o oxo.Outcome, paths, merged *big.Int, chance float64) {
	k := int(o - oxo.FirstWins)
	e.merged.Add(e.merged, merged)
	e.games[k].Add(e.games[k], paths)
	e.random[k] += chance
}

// addPly counts a ply.
func (c *Census) addPly(ply Ply, e *endings) {
	c.Plies = append(c.Plies, ply)
	c.Positions += ply.Positions
	c.Classes += ply.Classes
	c.Terminal = c.Terminal.plus(ply.Terminal)
	c.TerminalClasses = c.TerminalClasses.plus(ply.TerminalClasses)
	c.Nodes.Add(c.Nodes, ply.Nodes)
	c.Games.Add(c.Games, ply.Games)
	c.MergedGames.Add(c.MergedGames, e.merged)
	c.Random = e.random
	for k, n := range e.games {
		c.GamesFor[k].Add(c.GamesFor[k], n)
	}
}

// addExactOdds adds to the exact probabilities of the results, as long as all positions of each ply so
// far had equally many moves: uniform is how many here, 0 where they differ. Then each sequence of
// moves has the same probability, the product of one over the numbers of moves.
func (r *censusRun[P]) addExactOdds(e *endings, uniform int) {
	if r.ways == nil {
		return
	}
	for k, n := range e.games {
		part := new(big.Rat).SetInt(n)
		r.fractionP[k].Add(r.fractionP[k], part.Mul(part, r.ways))
	}
	switch {
	case uniform == 0:
		r.ways = nil
	case uniform > 0:
		r.ways.Mul(r.ways, big.NewRat(1, int64(uniform)))
	}
}

// nextTier is the tier after one while its classes are found.
type nextTier[P oxo.Position[P]] struct {
	tier[P]
	index  *valueTable[P, int32]
	limit  int     // classes at most, 0 for any number
	seenBy []int32 // for each class, the last one of the tier before that leads to it
}

// addChild notes a move from class i of a tier, which random play makes with the odds. It
// reports whether there was room.
func (f *nextTier[P]) addChild(child P, t *tier[P], from int, odds float64) (fits bool) {
	j, ok := f.index.get(child)
	if !ok {
		j = int32(len(f.positions))
		if f.limit > 0 && int(j) >= f.limit {
			return false
		}
		f.index.put(child, j)
		f.positions = append(f.positions, child)
		f.chance = append(f.chance, 0)
		f.paths.appendZero()
		f.merged.appendZero()
		f.seenBy = append(f.seenBy, -1)
	}
	f.paths.add(int(j), &t.paths, from)
	if f.seenBy[j] != int32(from) {
		f.seenBy[j] = int32(from)
		f.merged.add(int(j), &t.merged, from)
	}
	f.chance[j] += t.chance[from] * odds
	return true
}

// exactOutcomeOdds returns how random play ends in fractions, nil where they are not known.
func (r *censusRun[P]) exactOutcomeOdds() []*big.Rat {
	if r.ways == nil {
		return nil
	}
	return r.fractionP[:]
}

// plus returns the sum of both.
func (t Counts[N]) plus(u Counts[N]) Counts[N] {
	return Counts[N]{t.First + u.First, t.Second + u.Second, t.Draw + u.Draw}
}

// countLoopyGame counts the positions of a game in which play can go in circles,
// and so has no end of games.
func countLoopyGame[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], maxClasses int) *Census {
	c := &Census{Why: "play can go in circles, so there is no end of games"}
	g = g.WithCancelableCanonical(ctx)
	charge := oxo.NewCharge(ctx)
	defer charge.SetBytes(0)
	seen := newTable[P, struct{}](g)
	todo := []P{g.Representative(g.Start)}
	seen.put(todo[0], struct{}{})
	var moves []oxo.Move
	for ; len(todo) > 0; todo = todo[1:] {
		charge.SetBytes(seen.bytes() + int64(cap(todo))*int64(unsafe.Sizeof(todo[0])))
		if ctx.Err() != nil || maxClasses > 0 && seen.len() > maxClasses {
			return &Census{Why: "out of time or room"}
		}
		p := todo[0]
		size, err := addClass(g, p, &c.Positions, 0)
		if err != nil {
			return &Census{Why: err.Error()}
		}
		c.Classes++
		if o := p.Outcome(); o != oxo.Ongoing {
			c.Terminal.add(o, size)
			c.TerminalClasses.add(o, 1)
		}
		moves = p.Moves(moves[:0])
		if turn := p.Turn(); len(moves) > 1 && turn != oxo.Chance {
			c.Boxes[turn]++
		}
		for _, m := range moves {
			child := g.Representative(p.Play(m))
			if _, ok := seen.get(child); !ok {
				seen.put(child, struct{}{})
				todo = append(todo, child)
			}
		}
	}
	c.Complete = true
	return c
}

// EstimateTreeSize estimates the number of nodes of the game tree and of games by
// random probes (Knuth, Mathematics of Computation 29, 1975): each probe plays
// random moves and multiplies the numbers of moves it had. It refuses games in
// which play can go in circles, and fewer than two probes.
func EstimateTreeSize[P oxo.Position[P]](g *oxo.Game[P], probes int, seed uint64) (nodes, games Guess, err error) {
	if g.Loopy() {
		return nodes, games, errors.New("play can go in circles")
	}
	if probes < 2 {
		return nodes, games, fmt.Errorf("%d probes have no standard error: at least 2 are needed", probes)
	}
	allNodes, allGames := newSample(), newSample()
	r := rand.New(rand.NewPCG(seed, 0))
	one := big.NewFloat(1)
	var choices big.Float
	var moves []oxo.Move
	for range probes {
		weight := new(big.Float).Copy(one)
		p := g.Start
		seen := new(big.Float).Copy(one)
		for plies := 0; p.Outcome() == oxo.Ongoing; plies++ {
			moves = p.Moves(moves[:0])
			if err := g.OngoingFault(p, len(moves), plies); err != nil {
				return nodes, games, err
			}
			weight.Mul(weight, choices.SetInt64(int64(len(moves))))
			seen.Add(seen, weight)
			p = p.Play(moves[r.IntN(len(moves))])
		}
		allNodes.add(seen)
		allGames.add(weight)
	}
	return allNodes.guess(), allGames.guess(), nil
}

// Guess is the mean of a sample and its standard error. Both can be too large for a float64.
type Guess struct{ Mean, Error *big.Float }

// sample sums up numbers and their squares.
type sample struct {
	n            int64
	sum, squares *big.Float
}

// newSample returns the sample without numbers. It has digits enough for what squares have in common.
func newSample() *sample {
	return &sample{sum: new(big.Float).SetPrec(256), squares: new(big.Float).SetPrec(256)}
}

// add counts x and its square; x is not kept.
func (s *sample) add(x *big.Float) {
	s.n++
	s.sum.Add(s.sum, x)
	s.squares.Add(s.squares, new(big.Float).SetPrec(256).Mul(x, x))
}

// guess returns the mean of two numbers or more; what rounding leaves below 0 of the variance is 0.
func (s *sample) guess() Guess {
	n := new(big.Float).SetInt64(s.n)
	mean := new(big.Float).Quo(s.sum, n)
	variance := new(big.Float).Quo(s.squares, n)
	variance.Sub(variance, new(big.Float).Mul(mean, mean))
	if variance.Quo(variance, n.SetInt64(s.n-1)); variance.Sign() < 0 {
		variance.SetInt64(0)
	}
	return Guess{mean, variance.Sqrt(variance)}
}
