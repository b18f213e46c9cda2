package judge

import (
	"cmp"
	"math"
	"slices"

	"oxo"
	"oxo/prove/certificate"
)

// Known is what is known of a position. The zero value says that the worth is 0: what is known of
// nothing starts from the bounds of the game's payoffs.
type Known struct {
	oxo.Interval // where its worth to First lies

	Source   string     // what narrowed the interval last; empty where nothing did
	Line     []oxo.Move // moves that show it, from the position on
	Plies    int        // to the end under best play, where Timed
	Timed    bool
	Within   int            // the most plies that a win takes, where no more is known; 0 where that is open too
	Endless  bool           // a draw by play that need never end
	Estimate Estimate       // of a worth that is not known exactly
	Holding  *HoldingReason // that shows it; nil where none does
}

// HoldingReason is why the other side of Seat can't win any more.
// By is how the strategy of a checked proof ends. It says nothing where Stealing is true.
type HoldingReason struct {
	Seat     oxo.Seat
	Stealing bool // whatever the other side could win with, Seat could play first
	By       certificate.End
	Pairs    [][2]oxo.Move // of certificate.Pairing: a move in a pair is answered with the other one
	More     bool          // of certificate.Pairing: sets are left that hold no pair, which their potential stops
}

// Estimate is a guess inside an interval.
type Estimate struct {
	Value    float64 // worth to First
	Noise    float64 // the standard error: how far a search with other draws would end, not how far the truth is
	Searched uint64  // positions or simulated games behind it; 0: there is no estimate
}

// fewest is how many simulated games an estimate is from at least: of fewer, chance is all that
// is left.
const fewest = 10

// rounding is what sums of products of chances may be wrong by.
const rounding = 1e-9

// Proven reports whether the worth is known, but for rounding.
func (k *Known) Proven() bool { return k.Hi-k.Lo <= rounding }

// narrow adds what more says. It reports false, and changes nothing, where both can't be true. The
// source, line and holding are those of what narrowed last: what says no more than is known leaves
// them. Two that both know the worth but differ in the plies contradict each other. An estimate is
// moved into the narrower interval, and dropped where that is one value.
func (k *Known) narrow(more Known) (consistent bool) {
	both := oxo.Interval{Lo: max(k.Lo, more.Lo), Hi: min(k.Hi, more.Hi)}
	if both.Lo > both.Hi+rounding {
		return false
	}
	if both.Lo > both.Hi {
		both = k.Interval // which differ by rounding
	}
	if k.Timed && more.Timed && k.Plies != more.Plies && more.Proven() && k.Proven() {
		return false
	}
	// Plies are taken only with the worth that they lead to, and only where none were known: the first ones stay.
	timed := more.Timed && !k.Timed && more.Proven()
	if both.Lo > k.Lo+rounding || both.Hi < k.Hi-rounding || timed {
		k.Interval, k.Source, k.Line, k.Holding = both, more.Source, more.Line, more.Holding
	}
	if timed {
		k.Plies, k.Timed = more.Plies, true
	}
	if more.Within > 0 && more.Proven() && (k.Within == 0 || more.Within < k.Within) {
		k.Within = more.Within
	}
	k.Endless = k.Endless || more.Endless
	if k.Estimate.Value = k.Clamp(k.Estimate.Value); k.Proven() {
		k.Estimate = Estimate{}
	}
	return true
}

// setEstimate replaces the estimate by e, moved into the interval. It does nothing where the worth is known already
// or where e is from no positions.
func (k *Known) setEstimate(e Estimate) {
	if !k.Proven() && e.Searched > 0 {
		e.Value = k.Clamp(e.Value)
		k.Estimate = e
	}
}

// ClampedEstimate is the estimate as it is told: nothing that is estimated is the most or the least that it can be, so
// it stays a hundredth of the interval's width away from both ends.
func (k *Known) ClampedEstimate() float64 {
	if margin := (k.Hi - k.Lo) / 100; !math.IsInf(margin, 0) {
		return max(k.Lo+margin, min(k.Hi-margin, k.Estimate.Value))
	}
	return k.Estimate.Value
}

// Option is a move, and what is known of the position after it: its Plies do not count the move, and its Line
// begins with the reply.
type Option struct {
	Move oxo.Move
	Known

	promise int // how good it looks where nothing is known: more is better
}

// Answer is what is known of a position and of its moves. Worths are to First throughout; its methods
// turn them to the side to move where they compare.
type Answer struct {
	Known
	// Turn is who is to move. Moves are in the order in which the position lists them; there are none where the
	// game is Over.
	Turn    oxo.Seat
	Moves   []Option
	Over    bool
	Hint    int // the move to play, by its place in Moves; -1 where there is none to choose
	LeftOut []LeftOut
	Done    bool // no more answers follow

	whole  oxo.Interval // the bounds of the game's payoffs
	prefer int          // the move that the last search would play; -1 for none
}

// LeftOut is a source that could not answer, and why.
type LeftOut struct {
	Source string
	Err    error
}

// clone returns a copy whose fields and moves may be set without changing a. Lines and holdings are shared by both,
// and nobody writes into them.
func (a *Answer) clone() *Answer {
	own := *a
	own.Moves, own.LeftOut = slices.Clone(a.Moves), slices.Clone(a.LeftOut)
	return &own
}

// allProven reports whether nothing is left to find out, where timed also how long play lasts.
func (a *Answer) allProven(timed bool) bool {
	return a.Proven() && (a.Timed || !timed) &&
		!slices.ContainsFunc(a.Moves, func(o Option) bool { return !o.Proven() || timed && !o.Timed })
}

// Keeps reports whether a move certainly loses nothing: it leads to a worth that is
// at least as good for the mover as anything that the position can be worth.
func (a *Answer) Keeps(i int) bool {
	return a.Turn != oxo.Chance && a.Moves[i].SeenBy(a.Turn).Lo >= a.SeenBy(a.Turn).Hi-rounding
}

// GivesAway reports whether a move certainly loses something: what it leads to is worse for the mover
// than what the position is worth at least. Where the intervals overlap a move may do neither: which of
// the two it does is open.
func (a *Answer) GivesAway(i int) bool {
	return a.Turn != oxo.Chance && a.Moves[i].SeenBy(a.Turn).Hi < a.SeenBy(a.Turn).Lo-rounding
}

// BestMoves returns the moves that certainly keep the position's worth: where it is known how long play lasts, those
// that are known to last as long, if there are any; else none of those that are known to be worse than another. Wins
// come soon and losses and draws late.
func (a *Answer) BestMoves() []int {
	best := a.movesWhere(a.Keeps)
	if !a.Timed {
		return a.withoutWorseLengths(best)
	}
	best = slices.DeleteFunc(best, func(i int) bool { return a.Moves[i].Timed && a.Moves[i].Plies+1 != a.Plies })
	if slices.ContainsFunc(best, a.isTimed) {
		best = slices.DeleteFunc(best, func(i int) bool { return !a.isTimed(i) })
	}
	return best
}

// withoutWorseLengths returns the moves of best without those that certainly win later than others, and without those
// after which the end is shown to come sooner than after others, of which it may be open when it comes.
func (a *Answer) withoutWorseLengths(best []int) []int {
	if len(best) == 0 {
		return nil
	}
	worth := a.SeenBy(a.Turn).Lo
	top := a.pliesAfter(slices.MinFunc(best, func(x, y int) int { return a.compareByLength(worth, x, y) }))
	return slices.DeleteFunc(best, func(i int) bool {
		if worth < 1-rounding {
			return a.pliesAfter(i) < top
		}
		return a.isTimed(i) && a.Moves[i].Plies > top || top == 0 && !a.isTimed(i) // which does not end the game
	})
}

// isTimed reports whether it is known how long play lasts after the move at place i.
func (a *Answer) isTimed(i int) bool { return a.Moves[i].Timed }

// unknownLength is the length of play after a move of which nothing shows how long it is.
const unknownLength = 1 << 20

// pliesAfter is how many plies play lasts at most after a move, the move itself not counted, as far as is known: where
// nothing says so it is unknownLength, which is longer than any.
func (a *Answer) pliesAfter(i int) int {
	switch m := &a.Moves[i]; {
	case m.Timed:
		return m.Plies
	case m.Within > 0:
		return m.Within
	}
	return unknownLength
}

// compareByLength orders moves that lead to the same worth v for the mover: wins come soon, all else
// late.
func (a *Answer) compareByLength(worth float64, x, y int) int {
	if worth >= 1-rounding {
		return cmp.Compare(a.pliesAfter(x), a.pliesAfter(y))
	}
	return cmp.Compare(a.pliesAfter(y), a.pliesAfter(x))
}

// propagateBounds makes the position's interval follow from its moves', and theirs from its. It
// reports false where they contradict one another. It is the minimax rule on intervals: the position
// is worth at least the most that a move is worth at least, and at most the most that a move is worth
// at most; and no move is worth more to the mover than the position. The move that shows each bound
// gives its line and its source; of several, the one whose play ends as the mover wants, soon in a win
// and late otherwise.
func (a *Answer) propagateBounds(odds func(i int) float64) (consistent bool) {
	if len(a.Moves) == 0 {
		return true
	}
	if a.Turn == oxo.Chance {
		return a.averageChanceBounds(odds)
	}
	// best is the move that shows the lower bound and most what it is worth at least; at is the move that shows the
	// upper bound, top. Both bounds are as the mover sees them.
	best, most := 0, math.Inf(-1)
	top, at := math.Inf(-1), 0
	for i := range a.Moves {
		own := a.Moves[i].SeenBy(a.Turn)
		if own.Lo > most || own.Lo == most && own.Hi == most && a.compareByLength(most, i, best) < 0 {
			best, most = i, own.Lo
		}
		if own.Hi > top || own.Hi == top && own.Lo == top && a.compareByLength(top, i, at) < 0 {
			at, top = i, own.Hi
		}
	}
	// show narrows the position's interval to lo and hi, as the mover sees them, by the move at place i, whose line
	// with the move before it becomes the position's.
	show := func(i int, lo, hi float64) bool {
		k := Known{Interval: oxo.Interval{Lo: lo, Hi: hi}.SeenBy(a.Turn), Source: a.Moves[i].Source,
			Endless: a.Moves[i].Endless && a.Moves[i].Proven()}
		k.Endless = k.Endless && k.Proven()
		if most := a.pliesAfter(i); math.Abs(lo) >= 1-rounding && most < unknownLength {
			k.Within = most + 1
		}
		k.Line = append([]oxo.Move{a.Moves[i].Move}, a.Moves[i].Line...)
		if k.Plies, k.Timed = a.remoteness(lo); k.Timed {
			k.Timed = k.Proven()
		}
		return a.narrow(k)
	}
	whole := a.whole.SeenBy(a.Turn)
	if !show(at, whole.Lo, top) || !show(best, most, max(most, min(top, whole.Hi))) {
		return false
	}
	// A move may be worth as little as it likes, but no more than the position.
	own := a.SeenBy(a.Turn)
	for i := range a.Moves {
		k := Known{Interval: oxo.Interval{Lo: whole.Lo, Hi: own.Hi}.SeenBy(a.Turn), Source: a.Source}
		if !a.Moves[i].narrow(k) {
			return false
		}
	}
	return true
}

// remoteness returns the plies to the end of a position worth v to the mover, where those of its moves
// say so: the winner hurries, the loser and both in a draw delay. A win needs one move whose plies are
// known, and any that wins at once is the shortest; a draw or a loss needs them of every move that
// keeps the worth, as the longest is played.
func (a *Answer) remoteness(worth float64) (plies int, known bool) {
	win := worth >= 1-rounding
	// No win is sooner than one at once, whatever is known of the other moves.
	for i := range a.Moves {
		m := &a.Moves[i]
		own := m.SeenBy(a.Turn)
		if win && m.Timed && m.Plies == 0 && own.Lo >= worth-rounding {
			return 1, true
		}
	}
	for i := range a.Moves {
		m := &a.Moves[i]
		own := m.SeenBy(a.Turn)
		switch {
		case own.Hi < worth-rounding:
			continue // which is not chosen
		case !m.Timed:
			return 0, false
		case !known, win && m.Plies+1 < plies, !win && m.Plies+1 > plies:
			plies, known = m.Plies+1, true
		}
	}
	return plies, known
}

// averageChanceBounds is propagateBounds of a position in which chance acts. The position's worth is the mean of
// the moves' by their odds, and so are its bounds. Nothing follows from it for the moves.
func (a *Answer) averageChanceBounds(odds func(i int) float64) (consistent bool) {
	var k Known
	// from is the last move of which a source is named: that source stands for all of them.
	from := 0
	for i := range a.Moves {
		k.Lo += odds(i) * a.Moves[i].Lo
		k.Hi += odds(i) * a.Moves[i].Hi
		if a.Moves[i].Source != "" {
			from = i
		}
	}
	k.Source = a.Moves[from].Source
	return a.narrow(k)
}

// chooseHint picks the move to play: one that is certainly best, else of those that may be best the
// one that the search prefers, else the one of the best estimate. Of several that are certainly
// best it takes the one that ends as wanted, then the one that stops most of what wins for the
// other side. A preferred move yields only to one that is surely better than all that is expected
// of it.
func (a *Answer) chooseHint() {
	a.Hint = -1
	if a.Turn == oxo.Chance || len(a.Moves) == 0 {
		return
	}
	if best := a.BestMoves(); len(best) > 0 {
		worth := a.SeenBy(a.Turn).Lo
		stops := a.countWinningReplies()
		a.Hint = slices.MinFunc(best, func(x, y int) int {
			return cmp.Or(a.compareByLength(worth, x, y), cmp.Compare(stops[a.Moves[y].Move], stops[a.Moves[x].Move]),
				a.compareByPromise(x, y))
		})
		return
	}
	most := math.Inf(-1)
	holds := a.movesKeepingBound()
	// A bad move certainly gives something away, leads to the worst where others may not, or does not keep for
	// certain what another move keeps.
	bad := func(i int) bool {
		return a.GivesAway(i) || a.leadsToWorst(i) || len(holds) > 0 && !slices.Contains(holds, i)
	}
	if i := a.prefer; i >= 0 && !bad(i) {
		a.Hint, most = i, a.expectedScore(i)
	}
	preferred := a.Hint >= 0
	for i := range a.Moves {
		if bad(i) {
			continue
		}
		v := a.expectedScore(i)
		if preferred {
			v = a.Moves[i].SeenBy(a.Turn).Lo // which an estimate does not overrule
		}
		if a.Hint < 0 || v > most+rounding || !preferred && v > most-rounding && a.compareByPromise(i, a.Hint) < 0 {
			a.Hint, most = i, v
		}
	}
	// Where all moves are bad, the first stands for them.
	a.Hint = max(a.Hint, 0)
}

// compareByPromise orders moves of which the same is known: the one that a search prefers first, then those that
// look better.
func (a *Answer) compareByPromise(x, y int) int {
	switch a.prefer {
	case x:
		return -1
	case y:
		return 1
	}
	return cmp.Compare(a.Moves[y].promise, a.Moves[x].promise)
}

// movesKeepingBound returns the moves that certainly keep what the side to move is certain of, where that is more than
// nothing; none where no move is known to.
func (a *Answer) movesKeepingBound() (moves []int) {
	least := a.SeenBy(a.Turn).Lo
	if least <= a.whole.SeenBy(a.Turn).Lo+rounding {
		return nil
	}
	return a.movesWhere(func(i int) bool { return a.Moves[i].SeenBy(a.Turn).Lo >= least-rounding })
}

// movesWhere returns the places of the moves of which that holds.
func (a *Answer) movesWhere(holds func(i int) bool) (places []int) {
	for i := range a.Moves {
		if holds(i) {
			places = append(places, i)
		}
	}
	return places
}

// countWinningReplies counts, by the move that wins for the other side after a move as far as is shown, how many moves
// it wins after.
func (a *Answer) countWinningReplies() map[oxo.Move]int {
	stops := map[oxo.Move]int{}
	for i := range a.Moves {
		if reply := a.winningReply(i); reply != oxo.NoMove {
			stops[reply]++
		}
	}
	return stops
}

// winningReply returns the move with which the other side wins after a move, as far as is shown, else NoMove.
func (a *Answer) winningReply(i int) oxo.Move {
	o := &a.Moves[i]
	if len(o.Line) == 0 || a.Turn == oxo.Chance || o.SeenBy(a.Turn).Hi > -1+rounding {
		return oxo.NoMove
	}
	return o.Line[0]
}

// expectedScore is what the mover may expect of a move: by an estimate, else what is sure. It is the
// mover's own score: higher is better, whoever is to move.
func (a *Answer) expectedScore(i int) float64 {
	if e := a.Moves[i].Estimate; e.Searched > 0 {
		return a.Turn.Score(e.Value)
	}
	return a.Moves[i].SeenBy(a.Turn).Lo
}

// withConsistentEstimates is the answer as it is told. The hint is the best move as far as anybody knows: what is
// expected of it is expected of the position, and no move that was searched less looks better. Where
// the hint's own worth was not estimated, no other's is.
func (a *Answer) withConsistentEstimates() *Answer {
	own := a.clone()
	if a.Hint < 0 {
		return own
	}
	h := &own.Moves[a.Hint].Known
	if e := &h.Estimate; e.Searched > 0 {
		if !a.Proven() { // else that the hint keeps it is a guess, however sure the position is
			e.Value = h.Clamp(a.Clamp(e.Value))
		}
		e.Value = h.ClampedEstimate()
		own.setEstimate(*e)
	}
	if own.Proven() && h.Proven() && h.Source == own.Source && len(h.Line) > 0 && (!own.Timed ||
		len(h.Line)+1 == len(own.Line)) {
		own.Line = append([]oxo.Move{a.Moves[a.Hint].Move}, h.Line...) // for one that begins with another move
	}
	most := own.expectedScore(a.Hint)
	for i := range own.Moves {
		switch k := &own.Moves[i].Known; {
		case i == a.Hint || k.Estimate.Searched == 0:
		case h.Estimate.Searched == 0 && !h.Proven():
			k.Estimate = Estimate{}
		case own.expectedScore(i) > most:
			k.Estimate.Value = k.Clamp(a.Turn.Score(most))
		}
	}
	return own
}

// leadsToWorst reports whether a move leads to the worst that there is, where another may not.
// GivesAway says nothing of such a move where the position may be lost already; this does.
func (a *Answer) leadsToWorst(i int) bool {
	worst := a.whole.SeenBy(a.Turn).Lo
	return a.Moves[i].SeenBy(a.Turn).Hi <= worst+rounding && a.SeenBy(a.Turn).Hi > worst+rounding
}

// CompareMoves orders moves, best first: those that certainly keep the position's worth, quick wins before
// slow ones, then by what may be expected of them, and those of which nothing is known before those
// that lose. The hint is first. It compares places in Moves, and fits slices.SortFunc.
func (a *Answer) CompareMoves(x, y int) int {
	// rank returns the keys by which moves are ordered, each ascending: the class, from the hint to moves that
	// lose; the worth to the mover, negated so that high ones come first; and the plies, negated unless the move
	// wins.
	rank := func(i int) (class int, v, plies float64) {
		m := &a.Moves[i]
		own := m.SeenBy(a.Turn)
		class = 1
		switch {
		case i == a.Hint:
			class = -1
		case a.Keeps(i):
			class = 0
		case a.GivesAway(i) || a.leadsToWorst(i):
			class = 3
		case (a.Estimate.Searched > 0 || a.Proven()) && m.Interval == a.whole && m.Estimate.Searched == 0:
			class = 2
		}
		v = own.Lo
		if m.Estimate.Searched > 0 {
			v = a.Turn.Score(m.Estimate.Value)
		} else if !m.Proven() {
			v = (own.Lo + own.Hi) / 2
		}
		if m.Proven() {
			if plies = float64(a.pliesAfter(i)); own.Lo < 1 {
				plies = -plies
			}
		}
		return class, -v, plies
	}
	xc, xv, xp := rank(x)
	yc, yv, yp := rank(y)
	return cmp.Or(cmp.Compare(xc, yc), cmp.Compare(xv, yv), cmp.Compare(xp, yp))
}

// Bounds returns where the worths to First of all positions of the game lie.
func (a *Answer) Bounds() oxo.Interval { return a.whole }
