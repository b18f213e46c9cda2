package arena

import (
	"context"
	"errors"
	"math"
)

// Rating is a player's strength in a pool: Elo around the pool's mean of 0,
// half its 95 % interval, and how many wins, and as many losses, were added against each other player.
type Rating struct {
	Elo   float64 `json:"rating"`
	Error float64 `json:"error"`
	Added float64 `json:"added,omitempty"`
}

// elo is what one unit of a natural logarithm of odds is worth.
// It is 400/ln 10, about 173.7.
const elo = 400 / math.Ln10

// FitRatings rates a pool of players by the pairs of games between them:
// cross[i][j].Pairs is read where i < j.
//
// The model is that of Bradley and Terry with draws as half points, which is the
// logistic scale of Elo: a player takes 1/(1+10^(−d/400)) of the points against
// one that is d weaker. The ratings are those at which every player's expected
// points are the points it made. The errors come from how far the pairs lie from
// what is expected of them (H. White, "Maximum likelihood estimation of
// misspecified models", 1982), so that they hold whatever share of the games is
// drawn and however the games of a pair depend on each other. Of two players the
// difference is the [Pairs.Elo] of their pairs, and each rating's error half of
// that one's.
//
// Where the pairs leave ratings without bounds, because some players took all
// points from the others or never met them, or without errors, because every pair
// came out as expected, each player has one pair more against the others
// together, half of it won and half of it lost: of n players every two have
// 1/(n−1) games more that the one won, and as many that the other won.
//
// It fails where ctx is done before the ratings are found.
func FitRatings(ctx context.Context, scores [][]Score) ([]Rating, error) {
	n := len(scores)
	for _, row := range scores {
		if len(row) != n {
			return nil, errors.New("fit: the cross table is not square")
		}
	}
	ratings := make([]Rating, n)
	if n < 2 {
		return ratings, nil
	}
	p := newPool(scores)
	bounded, added := p.hasFiniteRatings(), 0.0
	if !bounded {
		added = p.addPriorPairs()
	}
	if err := p.fitStrengths(ctx); err != nil {
		return nil, err
	}
	if bounded && p.totalDeviation() < 1e-9 {
		added = p.addPriorPairs()
		if err := p.fitStrengths(ctx); err != nil {
			return nil, err
		}
	}
	for i, e := range p.errorMargins() {
		ratings[i] = Rating{elo * p.strength[i], elo * e, added}
	}
	return ratings, nil
}

// ratingPool is players and the pairs of games between them.
// Counts are floating point numbers, as pairs that are added are fractions.
type ratingPool struct {
	n        int
	pairs    [][][5]float64 // [i][j][k]: pairs in which i made k half points against j
	strength []float64      // natural logarithms of odds, with mean 0
	inverse  [][]float64    // of the information on the strengths
}

// newPool returns the pool of entrants whose pairs are given by the cross table.
// What is k half points to the one is 4−k to the other.
func newPool(cross [][]Score) *ratingPool {
	p := &ratingPool{n: len(cross), pairs: make([][][5]float64, len(cross)), strength: make([]float64, len(cross))}
	for i := range p.pairs {
		p.pairs[i] = make([][5]float64, p.n)
	}
	for i := range cross {
		for j := i + 1; j < p.n; j++ {
			for k, c := range cross[i][j].Pairs {
				p.pairs[i][j][k], p.pairs[j][i][4-k] = float64(c), float64(c)
			}
		}
	}
	return p
}

// addPriorPairs gives each player one pair more, half won and half lost. It returns how many games those are that a
// player won against each other one.
func (p *ratingPool) addPriorPairs() (games float64) {
	half := 0.5 / float64(p.n-1)
	for i := range p.pairs {
		for j := range p.pairs[i] {
			if i != j {
				p.pairs[i][j][0] += half
				p.pairs[i][j][4] += half
			}
		}
	}
	return 2 * half
}

// pairTotals returns how many pairs i played against j, and the points that it made, of 1 a pair.
func (p *ratingPool) pairTotals(i, j int) (pairs, points float64) {
	for k, c := range p.pairs[i][j] {
		pairs += c
		points += c * float64(k) / 4
	}
	return pairs, points
}

// hasFiniteRatings reports whether the likeliest ratings are finite: from each player a
// chain of points made leads to every other (L. R. Ford, "Solution of a ranking
// problem from binary comparisons", 1957).
func (p *ratingPool) hasFiniteRatings() bool {
	reaches := func(made func(i, j int) float64) bool {
		seen, queue := make([]bool, p.n), []int{0}
		seen[0] = true
		for at := 0; at < len(queue); at++ {
			for j := range p.n {
				if !seen[j] && made(queue[at], j) > 0 {
					seen[j] = true
					queue = append(queue, j)
				}
			}
		}
		return len(queue) == p.n
	}
	return reaches(func(i, j int) float64 { _, share := p.pairTotals(i, j); return share }) &&
		reaches(func(i, j int) float64 { _, share := p.pairTotals(j, i); return share })
}

// expectedShare returns the share of the points that i is expected to make against
// j, if it were that much stronger.
func (p *ratingPool) expectedShare(i, j int, bonus float64) float64 {
	return 1 / (1 + math.Exp(p.strength[j]-p.strength[i]-bonus))
}

// fitStrengths finds the strengths at which all players make the points expected of them,
// by Newton's method with steps of at most 1, within which it converges.
// A step takes time in the cube of the number of players.
func (p *ratingPool) fitStrengths(ctx context.Context) error {
	missing := make([]float64, p.n)
	for range 1000 {
		if err := ctx.Err(); err != nil {
			return err
		}
		information := make([][]float64, p.n)
		for i := range p.n {
			information[i] = make([]float64, p.n)
			missing[i] = 0
			own := 0.0
			for j := range p.n {
				count, share := p.pairTotals(i, j)
				s := p.expectedShare(i, j, 0)
				missing[i] += share - count*s
				own += count * s * (1 - s)
				information[i][j] = 1/float64(p.n) - count*s*(1-s) // the first holds the mean
			}
			information[i][i] = own + 1/float64(p.n)
		}
		if !invert(information) {
			return errors.New("fit: the ratings can't be told apart")
		}
		steps, longest := make([]float64, p.n), 0.0
		for i := range steps {
			for j, x := range missing {
				steps[i] += information[i][j] * x
			}
			longest = max(longest, math.Abs(steps[i]))
		}
		for i, x := range steps {
			p.strength[i] += x / max(1, longest)
		}
		if longest < 1e-9 {
			p.inverse = information
			return nil
		}
	}
	return errors.New("fit: the ratings do not converge")
}

// invert inverts a symmetric matrix in place by Gauss and Jordan's elimination.
// It returns false where the matrix is not positive definite, and so no other
// order of rows is ever needed.
func invert(a [][]float64) bool {
	for k, pivot := range a {
		d := pivot[k]
		if !(d > 0) {
			return false
		}
		pivot[k] = 1
		for j := range pivot {
			pivot[j] /= d
		}
		for i, row := range a {
			if i == k {
				continue
			}
			x := row[k]
			row[k] = 0
			for j := range row {
				row[j] -= x * pivot[j]
			}
		}
	}
	return true
}

// squaredDeviation returns how far the pairs between i and j lie from what is expected of i,
// squared and summed.
func (p *ratingPool) squaredDeviation(i, j int) (sum float64) {
	s := p.expectedShare(i, j, 0)
	for k, c := range p.pairs[i][j] {
		d := float64(k)/4 - s
		sum += c * d * d
	}
	return sum
}

// totalDeviation is how far all pairs lie from what is expected.
func (p *ratingPool) totalDeviation() (sum float64) {
	for i := range p.n {
		for j := range i {
			sum += p.squaredDeviation(i, j)
		}
	}
	return sum
}

// errorMargins returns half the 95 % intervals of the strengths. Like that of a match,
// an interval is one of a player's share of the points against the others, put
// on the scale of strengths.
// Strengths come as natural logarithms of odds, and FitRatings turns them into Elo.
func (p *ratingPool) errorMargins() []float64 {
	off := make([][]float64, p.n)
	for i := range off {
		off[i] = make([]float64, i)
		for j := range off[i] {
			off[i][j] = p.squaredDeviation(i, j)
		}
	}
	others := float64(p.n) / float64(p.n-1) // a step from the mean is so many from the others
	list := make([]float64, p.n)
	for i := range list {
		variance := 0.0
		for j := range p.n {
			for k := range j {
				d := p.inverse[i][j] - p.inverse[i][k]
				variance += off[j][k] * d * d
			}
		}
		games, slope := 0.0, 0.0 // pairs, and what a step is worth in them
		for j := range p.n {
			count, _ := p.pairTotals(i, j)
			s := p.expectedShare(i, j, 0)
			games += count
			slope += count * s * (1 - s)
		}
		slope /= games
		mean, deviation := p.expectedTotalShare(i, 0), math.Sqrt(variance)*others*slope
		edge := 1 / (8 * games) // half of the smallest difference a pair can make
		low, high := p.gainNeededFor(i, max(mean-z95*deviation, edge)), p.gainNeededFor(i, min(mean+z95*deviation,
			1-edge))
		list[i] = (high - low) / 2 / others
	}
	return list
}

// expectedTotalShare is the share of its points that i is expected to make, if it were that
// much stronger.
func (p *ratingPool) expectedTotalShare(i int, bonus float64) float64 {
	points, games := 0.0, 0.0
	for j := range p.n {
		count, _ := p.pairTotals(i, j)
		points += count * p.expectedShare(i, j, bonus)
		games += count
	}
	return points / games
}

// gainNeededFor returns how much stronger i would have to be for that share.
// It halves an interval of natural logarithms of odds, 80 times: what is left of it is less than a
// float64 tells apart there, and its ends are beyond any share that games can show.
func (p *ratingPool) gainNeededFor(i int, share float64) float64 {
	return halve(-100, 100, 80, func(gain float64) bool { return p.expectedTotalShare(i, gain) < share })
}

// halve narrows an interval by half, at most so often, to where isBelow ceases to hold, and returns its middle.
func halve(low, high float64, times int, isBelow func(x float64) bool) float64 {
	for range times {
		middle := (low + high) / 2
		if middle <= low || middle >= high {
			break
		}
		if isBelow(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
