// Package limit decides what a weighted sum of features can play at all, however it is taught: a player that makes
// the move after which the sum is largest is unbeatable with some weights, which are found, or with none, for which
// there is a certificate, a [Case], that anyone can add up.
//
// Source: Farkas, "Theorie der einfachen Ungleichungen", Journal für die reine und
// angewandte Mathematik 124 (1902): inequalities without a solution have multiples that
// add up to a contradiction.
package limit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"oxo"
	"oxo/learn/space"
)

// Hypothesis is a weighted sum of features of positions, as the seat sees them that has moved to them. Finished
// games are known: a win is preferred to all else, a loss to nothing, and a draw is worth 0. Among moves whose sums
// are equal the player draws lots, so each of them has to be good. Of writes the Size features of a position that
// is not over into x, as seat sees it, which has moved to it.
type Hypothesis struct {
	Space *space.Space // of a whole game
	Size  int          // the number of features
	Of    func(n space.Node, seat oxo.Seat, x []float64)
}

// Answer says whether some weights are unbeatable on seats: they keep what the game is worth to
// each against every reply. Where both are nil it was given up.
type Answer struct {
	Seats   string    `json:"seats"`             // a name in Seats
	Weights []float64 `json:"weights,omitempty"` // whole numbers
	Cases   *Case     `json:"none,omitempty"`    // why there are none
}

// Limits is what weighted sums of a learner's features can play in a game: what a file of certificates holds, to be
// read back and checked.
type Limits struct {
	Game     string   `json:"game"`
	Learner  string   `json:"learner"`
	Features []string `json:"features"`
	Answers  []Answer `json:"answers"`
}

// Seats are those that are asked for, by name: the player has to be unbeatable on each of them with the same
// weights.
var Seats = map[string][]oxo.Seat{"first": {oxo.First}, "second": {oxo.Second}, "both": {oxo.First, oxo.Second}}

// Case is a part of a certificate. Where no position is named, the inequalities of pairs of
// moves, so many times each, add up to 0 > 0; or, if they add up to 0 >= 0, the moves of each are as
// good, and the only case goes on from there. Else the player has a best move in the position,
// and whichever it is the case of that move says why that can't be: Cases[i] is what follows if Moves[i] is best.
// Of moves with the same features after them one is listed.
type Case struct {
	Position string       `json:"position,omitempty"`
	Moves    []string     `json:"moves,omitempty"` // all that keep what the game is worth
	Cases    []*Case      `json:"cases,omitempty"` // of each
	Sum      []Inequality `json:"sum,omitempty"`
}

// Inequality says that the sum is larger after the best move in a position than after another, or at least as
// large, if the other also keeps what the game is worth. It is used Times times, more than 0: a whole number that
// can be too large for 64 bits.
type Inequality struct {
	Position string   `json:"position"`
	Best     string   `json:"best"`
	Than     string   `json:"than"`
	Times    *big.Int `json:"times"`
}

// ErrFractions is of features that are not whole numbers.
var ErrFractions = errors.New("features that are not whole numbers can't be weighed exactly")

// FindUnbeatableWeights looks for weights that are unbeatable on all of the seats, or for why there are none. It gives
// up after some thousands of sets of inequalities, with an answer that has neither; where ctx is done it returns the
// error of ctx. It returns ErrFractions for features that can't be weighed exactly. The caller fills in Seats.
func (h Hypothesis) FindUnbeatableWeights(ctx context.Context, seats []oxo.Seat) (*Answer, error) {
	for most := 10; most <= mostSets; most *= 5 { // what is easy is found at once, either way
		f := &finder{Hypothesis: h, ctx: ctx, seats: seats, left: most, best: map[space.Node][]int{}}
		if w := f.trainPerceptron(most); w != nil {
			return &Answer{Weights: w}, nil
		}
		w, c, err := f.findWeightsOrRefutation()
		if !errors.Is(err, errGivenUp) {
			return &Answer{Weights: w, Cases: c}, err
		}
	}
	return &Answer{}, nil
}

// mostSets is about how many sets of inequalities are looked at, in the last attempt of FindUnbeatableWeights.
const mostSets = 10 * 5 * 5 * 5 * 5

// errGivenUp stops one attempt of a finder; FindUnbeatableWeights then tries again with more sets.
var errGivenUp = errors.New("given up")

// finder splits cases until inequalities have no solution in any, or until weights play well. It serves one
// attempt; best grows and shrinks with the recursion of decide. Moves are edges: their numbers in the order of the
// game's. left is how many more sets of inequalities may be looked at.
type finder struct {
	Hypothesis
	ctx   context.Context
	seats []oxo.Seat
	left  int
	best  map[space.Node][]int // the moves assumed to be best in some positions
	open  []space.Node         // met, and no move assumed
}

// pair is two moves of a position, the first of which is its best: what the row of the same place is about.
type pair struct {
	n          space.Node
	best, than int
}

// findWeightsOrRefutation returns weights that are unbeatable, or the case for which there are none under the
// assumptions in best. It tries to solve what is known to be asked, plays with the solution, and where that goes wrong
// assumes each of the moves in turn to be the best in a position on the way.
func (f *finder) findWeightsOrRefutation() (weights []float64, refutation *Case, err error) {
	if f.left--; f.left < 0 {
		return nil, nil, errGivenUp
	}
	if err := f.ctx.Err(); err != nil {
		return nil, nil, err
	}
	rows, pairs, err := f.inequalities()
	if err != nil {
		return nil, nil, err
	}
	// First every other move is taken to be strictly worse: weights without ties are the safest. Only if none
	// fulfil that does it matter which moves may be as good as the best.
	w, times := separate(rows, f.Size, true)
	if times != nil {
		tied := times
		if _, times = separate(rows, f.Size, false); times == nil {
			return f.retryWithTies(pairs, tied)
		}
		return nil, &Case{Sum: f.inequalitySum(pairs, times)}, nil
	}
	// The weights fulfil what was asked so far. If they play well without more being asked, they are the answer.
	n, lost := f.choosePositionToSplit(w)
	if !lost {
		return w, nil, nil
	}
	if n == space.None {
		return nil, nil, errGivenUp
	}
	// Whatever the best move in this position is, it is one of these, so that one case for each leaves nothing out.
	c := &Case{Position: f.Space.Format(n)}
	for _, e := range f.valueKeepingMoves(n) {
		f.best[n] = []int{e}
		w, part, err := f.findWeightsOrRefutation()
		delete(f.best, n)
		if w != nil || err != nil {
			return w, nil, err
		}
		if f.checkCase(part, f.seats, f.assumedBestMoves()) == nil { // it did not take this move
			return nil, part, nil
		}
		c.Moves, c.Cases = append(c.Moves, f.Space.FormatMove(n, e)), append(c.Cases, part)
	}
	return nil, c, nil
}

// retryWithTies goes on where inequalities that are not strict add up to 0 >= 0: the moves of each are as good. It
// decides again with the second move of each among the best, and puts the assumptions back as they were.
func (f *finder) retryWithTies(pairs []pair, multiples []*big.Int) (weights []float64, refutation *Case,
	err error) {
	before := maps.Clone(f.best)
	for k, t := range multiples {
		if p := pairs[k]; t.Sign() > 0 {
			moves := f.best[p.n]
			if moves == nil {
				moves = []int{p.best}
			}
			f.best[p.n] = append(slices.Clone(moves), p.than)
		}
	}
	w, part, err := f.findWeightsOrRefutation()
	f.best = before
	if w != nil || err != nil {
		return w, nil, err
	}
	return nil, &Case{Sum: f.inequalitySum(pairs, multiples), Cases: []*Case{part}}, nil
}

// inequalitySum writes down inequalities that add up to nothing; multiples[k] is how often that of pairs[k] is used,
// and those used 0 times are left out.
func (f *finder) inequalitySum(pairs []pair, multiples []*big.Int) (sum []Inequality) {
	for k, t := range multiples {
		if p := pairs[k]; t.Sign() > 0 {
			sum = append(sum, Inequality{f.Space.Format(p.n), f.Space.FormatMove(p.n, p.best),
				f.Space.FormatMove(p.n, p.than), t})
		}
	}
	return sum
}

// choosePositionToSplit returns the position to split at. It is firstUndecidedOnLosingLine's, or, where the weights
// are wrong in an open position itself, the one of these with the fewest moves to go through, as each move becomes a
// case of its own. lost is false where the weights play well.
func (f *finder) choosePositionToSplit(w []float64) (n space.Node, lost bool) {
	n, lost = f.firstUndecidedOnLosingLine(w)
	fewest := math.MaxInt
	for _, o := range f.open {
		wrong := func(e int) bool { return !f.keeps(f.Space.Turn(o), f.Space.Children(o)[e]) }
		if k := len(f.valueKeepingMoves(o)); lost && k > 0 && k < fewest &&
			slices.ContainsFunc(f.greedyMoves(o, w), wrong) {
			n, fewest = o, k
		}
	}
	return n, lost
}

// assumedBestMoves names the moves assumed to be best, as the checker wants them.
func (f *finder) assumedBestMoves() map[space.Node][]string {
	names := map[space.Node][]string{}
	for n, moves := range f.best {
		for _, e := range moves {
			names[n] = append(names[n], f.Space.FormatMove(n, e))
		}
	}
	return names
}

// keeps reports whether the child of a position is worth to seat, which moves to it, at least what the whole game
// is worth. The tolerance is for worths that are sums of probabilities.
func (f *finder) keeps(seat oxo.Seat, child space.Node) bool {
	return space.Sign(seat)*(f.Space.Value(child)-f.Space.Value(f.Space.Start)) > -1e-9
}

// valueKeepingMoves lists the moves of n that keep what the game is worth, one of those after which the features are
// the same. A move that wins at once is made without looking at the others, so it is the only one then.
func (f *finder) valueKeepingMoves(n space.Node) (edges []int) {
	seat := f.Space.Turn(n)
	for e, c := range f.Space.Children(n) {
		if f.Space.Over(c) && f.Space.WorthTo(c, seat) > 0 {
			return []int{e}
		}
		if f.keeps(seat, c) && !slices.ContainsFunc(edges, func(other int) bool { return f.alike(n, e, other) }) {
			edges = append(edges, e)
		}
	}
	return edges
}

// alike reports whether the features after two moves of n are the same, so that no weights tell them apart.
func (f *finder) alike(n space.Node, e, other int) bool {
	children, seat := f.Space.Children(n), f.Space.Turn(n)
	return slices.Equal(f.features(children[e], seat), f.features(children[other], seat))
}

// trainPerceptron plays against every reply, and where it gives away what the game is worth moves weights toward the
// move that they like best of those that keep it, as a perceptron does. It returns weights that are unbeatable, nil
// where it has found none after so many rounds; that proves nothing, but where there are some it is often quicker
// than splitting cases.
func (f *finder) trainPerceptron(rounds int) []float64 {
	w := make([]float64, f.Size)
	for range rounds {
		faults := 0
		for _, seat := range f.seats {
			f.walkUnavoidable(seat, func(n space.Node) []int {
				moves, children := f.greedyMoves(n, w), f.Space.Children(n)
				bad := slices.IndexFunc(moves, func(e int) bool { return !f.keeps(seat, children[e]) })
				if bad < 0 {
					return moves
				}
				faults++
				best, most := -1, 0.0
				for _, e := range f.valueKeepingMoves(n) {
					if v := f.weightedSum(children[e], seat, w); best < 0 || v > most {
						best, most = e, v
					}
				}
				than := f.features(children[moves[bad]], seat)
				for i, x := range f.features(children[best], seat) {
					w[i] += x - than[i]
				}
				// It goes on from the better move, so that one round meets what comes after it too.
				return []int{best}
			})
		}
		if faults == 0 {
			return w
		}
	}
	return nil
}

// weightedSum is what weights make of a position that seat has moved to. A won or lost game is so far from 0 that no
// weights of other positions come near it.
func (f *finder) weightedSum(n space.Node, seat oxo.Seat, w []float64) float64 {
	if f.Space.Over(n) {
		return 1e300 * f.Space.WorthTo(n, seat)
	}
	v := 0.0
	for i, x := range f.features(n, seat) {
		v += w[i] * x
	}
	return v
}

// inequalities lists what the assumed best moves, and those that have no alternative, ask of the weights in the
// positions that the player can't avoid. pairs[k] is what rows[k] says; rows that repeat another are left out. It
// sets open to the positions where nothing is assumed, beyond which it does not look.
func (f *finder) inequalities() (rows []row, pairs []pair, err error) {
	seen := map[string]bool{}
	f.open = f.open[:0]
	for _, seat := range f.seats {
		f.walkUnavoidable(seat, func(n space.Node) []int {
			// Where several moves keep the worth and none is assumed, nothing is known to be asked.
			moves := f.valueKeepingMoves(n)
			if best, ok := f.best[n]; ok {
				moves = slices.Clone(best)
			} else if len(moves) != 1 {
				f.open = append(f.open, n)
				return nil
			}
			add := func(best, than int, tied bool) {
				r, whole := f.featureDifference(f.Space.Children(n)[best], f.Space.Children(n)[than], seat)
				if !whole {
					err = ErrFractions
				}
				r.strict, r.tied = !f.keeps(seat, f.Space.Children(n)[than]), tied
				if key := fmt.Sprint(r); !seen[key] {
					seen[key] = true
					rows, pairs = append(rows, r), append(pairs, pair{n, best, than})
				}
			}
			children := f.Space.Children(n)
			if c := children[moves[0]]; f.Space.Over(c) && f.Space.WorthTo(c, seat) != 0 {
				return moves // a move that ends the game so is made or left without weights
			}
			for e, c := range children {
				switch {
				case f.Space.Over(c) && f.Space.WorthTo(c, seat) != 0, e == moves[0]:
				case slices.Contains(moves, e):
					add(moves[0], e, true)
					add(e, moves[0], true)
				default:
					add(moves[0], e, false)
				}
			}
			// Moves with the features of the best one are made as often as it, so play goes on after them as well.
			for e := range f.Space.Children(n) {
				if !slices.Contains(moves, e) && f.alike(n, e, moves[0]) {
					moves = append(moves, e)
				}
			}
			return moves
		})
	}
	return rows, pairs, err
}

// walkUnavoidable visits each position in which seat is to move if it plays the moves that visit returns, whatever the
// other side does. Each is visited once, nearest to the start first.
func (f *finder) walkUnavoidable(seat oxo.Seat, visit func(n space.Node) (edges []int)) {
	queue, seen := []space.Node{f.Space.Start}, map[space.Node]bool{}
	for len(queue) > 0 {
		n := queue[0]
		if queue = queue[1:]; seen[n] || f.Space.Over(n) {
			continue
		}
		seen[n] = true
		children := f.Space.Children(n)
		if f.Space.Turn(n) != seat {
			queue = append(queue, children...)
			continue
		}
		for _, e := range visit(n) {
			queue = append(queue, children[e])
		}
	}
}

// features are those of a position that seat has moved to, in a new slice; all 0 for a game that is over.
func (f *finder) features(n space.Node, seat oxo.Seat) []float64 {
	x := make([]float64, f.Size)
	if !f.Space.Over(n) {
		f.Of(n, seat, x)
	}
	return x
}

// featureDifference returns by how much each feature of one node is more than another's to a seat that has moved to
// them, and whether all are whole numbers. Where they are not, the row is of no use.
func (f *finder) featureDifference(best, than space.Node, seat oxo.Seat) (r row, integral bool) {
	x, y := f.features(best, seat), f.features(than, seat)
	r.of = make([]int64, f.Size)
	integral = true
	for i := range x {
		r.of[i] = int64(x[i] - y[i])
		integral = integral && float64(r.of[i]) == x[i]-y[i]
	}
	return r, integral
}

// greedyMoves lists the moves whose sum is largest, all of them where several are equal. Equal is meant exactly,
// without a tolerance.
func (f *finder) greedyMoves(n space.Node, w []float64) (edges []int) {
	seat, best := f.Space.Turn(n), 0.0
	for e, c := range f.Space.Children(n) {
		v := f.weightedSum(c, seat, w)
		if edges == nil || v > best {
			edges, best = edges[:0], v
		}
		if v == best {
			edges = append(edges, e)
		}
	}
	return edges
}

// firstUndecidedOnLosingLine reports whether weights lose what the game is worth, and if so the first position on the
// way in which no best move is assumed yet; space.None where every position on the way has one.
func (f *finder) firstUndecidedOnLosingLine(w []float64) (open space.Node, lost bool) {
	for _, seat := range f.seats {
		// from holds, for every position met so far, the first one on the way to it in which a best move may still
		// be assumed.
		from := map[space.Node]space.Node{} // the open position on the way to it
		open = space.None
		f.walkUnavoidable(seat, func(n space.Node) []int {
			moves, keeping := f.greedyMoves(n, w), f.valueKeepingMoves(n)
			first, ok := from[n]
			if _, assumed := f.best[n]; !ok && !assumed && len(keeping) > 1 {
				first, ok = n, true
			}
			for _, e := range moves {
				c := f.Space.Children(n)[e]
				if !lost && !f.keeps(seat, c) {
					lost = true
					if ok {
						open = first
					}
				}
				if f.Space.Over(c) || !ok {
					continue
				}
				for _, next := range f.Space.Children(c) {
					if _, known := from[next]; !known {
						from[next] = first
					}
				}
			}
			return moves
		})
		if lost {
			return open, true
		}
	}
	return space.None, false
}

// GreedyPolicy is the player that goes by weights, in all positions of the space: moves of the largest sum share the
// probability in equal parts, others have none.
func (h Hypothesis) GreedyPolicy(w []float64) space.Mix {
	f := &finder{Hypothesis: h}
	m := make(space.Mix, h.Space.EdgeCount())
	for n := range space.Node(h.Space.Len()) {
		if h.Space.Over(n) {
			continue
		}
		from, _ := h.Space.Edges(n)
		moves := f.greedyMoves(n, w)
		for _, e := range moves {
			m[int(from)+e] = 1 / float64(len(moves))
		}
	}
	return m
}

// Count returns the inequalities of a case and of all its cases, and how many leaves it has: cases with none below.
func (c *Case) Count() (inequalities, leaves int) {
	if inequalities = len(c.Sum); len(c.Cases) == 0 {
		leaves = 1
	}
	for _, part := range c.Cases {
		i, l := part.Count()
		inequalities, leaves = inequalities+i, leaves+l
	}
	return inequalities, leaves
}
