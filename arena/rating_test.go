package arena_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"oxo/arena"
	"oxo/gametest"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v ± %v", what, got, want, tolerance)
	}
}

// By hand: pairs 1, 2, 4, 2, 1 have mean ½ and variance (1·¼ + 2·1/16)·2/10 =
// 0.075; their standard error is √0.0075 = 0.0866, 1.96 of which reach 0.6697,
// that is 122.85 Elo. Pairs 0, 2, 4, 6, 8 have mean 0.75 and variance
// (2·¼ + 4·1/16 + 8·1/16)/20 = 1/16: Elo 400·log₁₀3 = 190.85, standard error
// ¼/√20 = 0.0559, LOS Φ(0.25/0.0559) = Φ(4.472), normalized Elo
// 347.44·0.25/√(1/8) = 245.68 with error 1.96·347.44/√(2·20) = 107.67.
func TestEloByHand(t *testing.T) {
	e := arena.Pairs{1, 2, 4, 2, 1}.Elo()
	near(t, "Elo", e.Elo, 0, 1e-9)
	near(t, "error", e.Error, 122.85, 0.05)
	near(t, "LOS", e.LOS, 0.5, 1e-12)
	near(t, "normalized Elo", e.Normalized, 0, 1e-9)
	e = arena.Pairs{0, 2, 4, 6, 8}.Elo()
	near(t, "Elo", e.Elo, 190.8485, 1e-3)
	near(t, "error", e.Error, (arena.EloFromScore(0.75+0.109567)-arena.EloFromScore(0.75-0.109567))/2, 0.01)
	near(t, "LOS", e.LOS, 0.99999613, 1e-7)
	near(t, "normalized Elo", e.Normalized, 245.68, 0.01)
	near(t, "its error", e.NormalizedError, 107.67, 0.01)
}

func TestEloAtTheEdges(t *testing.T) {
	if e := (arena.Pairs{}).Elo(); e != (arena.Elo{LOS: 0.5}) {
		t.Errorf("no pairs: %+v", e)
	}
	// ten pairs won: (10 + ½)/11 of the points
	e := arena.Pairs{4: 10}.Elo()
	near(t, "Elo of ten won pairs", e.Elo, 400*math.Log10(21), 1e-9)
	for _, p := range []arena.Pairs{{1, 0, 0, 0, 0}, {0, 0, 0, 0, 1}, {0, 0, 7, 0, 0}, {0, 3, 0, 0, 0},
		{0, 0, 0, 0, 1000000}} {
		e := p.Elo()
		for _, x := range []float64{e.Elo, e.Error, e.LOS, e.Normalized, e.NormalizedError} {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%v: %+v", p, e)
			}
		}
		if !(e.Error > 0) || !(0 < e.LOS || p[0]+p[1] > 0) || e.LOS > 1 {
			t.Errorf("%v: %+v", p, e)
		}
	}
	if one, many := (arena.Pairs{2: 1}).Elo().Error, (arena.Pairs{2: 100}).Elo().Error; !(one > 10*many) {
		t.Errorf("a drawn pair says %v, a hundred %v", one, many)
	}
}

func TestScores(t *testing.T) {
	s := arena.Score{Wins: 1, Draws: 2, Losses: 3, Pairs: arena.Pairs{1, 1, 1, 0, 0}}
	sum := s.Add(s)
	if s.Games() != 6 || s.Points() != 2 || sum.Games() != 12 || sum.Pairs != (arena.Pairs{2, 2, 2, 0, 0}) {
		t.Errorf("%+v, %+v", s, sum)
	}
	near(t, "score at 400", arena.ScoreFromElo(400), 10.0/11, 1e-12)
	near(t, "Elo of 10/11", arena.EloFromScore(10.0/11), 400, 1e-9)
}

// pairOf plays a pair between players with that chance of winning and of
// drawing a game, and returns its half points.
func pairOf(r *rand.Rand, win, draw float64) int {
	k := 0
	for range 2 {
		switch x := r.Float64(); {
		case x < win:
			k += 2
		case x < win+draw:
			k++
		}
	}
	return k
}

// chances returns the chances of winning and drawing at an Elo difference
// where that share of games is drawn.
func chances(elo, draws float64) (win, draw float64) {
	return arena.ScoreFromElo(elo) - draws/2, draws
}

// A 95 % interval must hold the true difference about 95 times in 100.
func TestEloErrorsHold(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ elo, draws float64 }{{0, 0.3}, {60, 0.5}, {200, 0.1}} {
		win, draw := chances(c.elo, c.draws)
		held := 0
		const trials = 1000
		for range trials {
			var p arena.Pairs
			for range 200 {
				p[pairOf(r, win, draw)]++
			}
			e := p.Elo()
			if math.Abs(e.Elo-c.elo) <= e.Error {
				held++
			}
		}
		if held < 920 || held > 975 {
			t.Errorf("at %v Elo and %v draws the interval holds %d of %d times", c.elo, c.draws, held, trials)
		}
	}
}

// With pairs won or lost only, the mean leaves nothing open, and the ratio is
// that of the binomial distribution: won·ln(s₁/s₀) + lost·ln((1−s₁)/(1−s₀)).
func TestLLRByHand(t *testing.T) {
	s := arena.SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05}
	s1 := 1 / (1 + math.Pow(10, -0.125))
	for _, won := range []int{60, 1, 99} {
		lost := 100 - won
		want := float64(won)*math.Log(s1/0.5) + float64(lost)*math.Log((1-s1)/0.5)
		near(t, "LLR", s.LLR(arena.Pairs{0: lost, 4: won}), want, 1e-3)
	}
	lower, upper := s.Bounds()
	near(t, "lower bound", lower, -2.9444, 1e-4)
	near(t, "upper bound", upper, 2.9444, 1e-4)
	near(t, "LLR without pairs", s.LLR(arena.Pairs{}), 0, 0)
}

// For small differences the ratio approaches that of normal distributions with
// the sample's variance: n(s₁−s₀)(2x̄−s₀−s₁)/2σ².
func TestLLRNearNormal(t *testing.T) {
	s := arena.SPRT{Elo0: 0, Elo1: 2, Alpha: 0.05, Beta: 0.05}
	p := arena.Pairs{500, 2400, 4100, 2450, 550}
	mean, variance := p.Stats()
	s0, s1 := arena.ScoreFromElo(0), arena.ScoreFromElo(2)
	want := float64(p.Count()) * (s1 - s0) * (2*mean - s0 - s1) / (2 * variance)
	near(t, "LLR", s.LLR(p), want, 0.01*math.Abs(want))
}

// The likeliest distributions can be told from the LLR alone: no other
// distribution with the mean of Elo1 may be likelier. The slow twin walks
// uphill in random directions that keep sum and mean.
func TestLLRIsTheMaximum(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	p := arena.Pairs{7, 30, 41, 35, 9}
	logLikelihood := func(q [5]float64) float64 {
		sum := 0.0
		for k, c := range p {
			if q[k] <= 0 {
				return math.Inf(-1)
			}
			sum += float64(c) * math.Log(q[k])
		}
		return sum
	}
	climb := func(mean float64) float64 {
		// start: a binomial distribution of four quarter points
		var q [5]float64
		for k, binomial := range []float64{1, 4, 6, 4, 1} {
			q[k] = binomial * math.Pow(mean, float64(k)) * math.Pow(1-mean, float64(4-k))
		}
		best, step := logLikelihood(q), 0.1
		for step > 1e-7 {
			better := false
			for range 60 {
				a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
				// any three, then two that restore sum and mean
				d := [5]float64{a, b, c}
				sum, moment := a+b+c, b+2*c
				d[4] = 3*sum - moment
				d[3] = -sum - d[4]
				next := q
				for k := range next {
					next[k] += step * d[k] / 10
				}
				if l := logLikelihood(next); l > best {
					q, best, better = next, l, true
				}
			}
			if !better {
				step /= 2
			}
		}
		return best
	}
	s := arena.SPRT{Elo0: -10, Elo1: 30, Alpha: 0.05, Beta: 0.05}
	want := climb(arena.ScoreFromElo(30)) - climb(arena.ScoreFromElo(-10))
	near(t, "LLR", s.LLR(p), want, 1e-3)
}

func TestSPRTKeepsItsErrors(t *testing.T) {
	s := arena.SPRT{Elo0: 0, Elo1: 120, Alpha: 0.1, Beta: 0.1}
	r := rand.New(rand.NewPCG(3, 3))
	run := func(elo float64) arena.Decision {
		win, draw := chances(elo, 0.3)
		var p arena.Pairs
		for {
			p[pairOf(r, win, draw)]++
			if _, v := s.Decide(p); v != arena.Undecided && p.Count() >= 5 {
				return v
			}
		}
	}
	wrong0, wrong1 := 0, 0
	const trials = 200
	for range trials {
		if run(0) != arena.AcceptElo0 {
			wrong0++
		}
		if run(120) != arena.AcceptElo1 {
			wrong1++
		}
	}
	if wrong0 > 34 || wrong1 > 34 || wrong0+wrong1 == 0 {
		t.Errorf("of %d tests each %d and %d are wrong; about 20 may be", trials, wrong0, wrong1)
	}
}

func TestSPRTRefusesNonsense(t *testing.T) {
	nan := math.NaN()
	for _, s := range []arena.SPRT{{0, 0, .05, .05}, {5, 0, .05, .05}, {0, 5, 0, .05}, {0, 5, .05, .5},
		{nan, 5, .05, .05}, {0, math.Inf(1), .05, .05}, {0, 5, nan, .05}} {
		if s.Check() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	if err := (arena.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}).Check(); err != nil {
		t.Error(err)
	}
}

// fit rates a pool of which the pairs of i against j, i before j, are given.
func fit(t *testing.T, n int, pairs map[[2]int]arena.Pairs) []arena.Rating {
	t.Helper()
	cross := make([][]arena.Score, n)
	for i := range cross {
		cross[i] = make([]arena.Score, n)
	}
	for at, p := range pairs {
		cross[at[0]][at[1]].Pairs = p
	}
	got, err := arena.FitRatings(t.Context(), cross)
	if err != nil || len(got) != n {
		t.Fatal(got, err)
	}
	return got
}

// TestFitOfTwo: a tournament of two is a match, whatever share of the games is
// drawn and however the games of a pair depend on each other.
func TestFitOfTwo(t *testing.T) {
	for _, p := range []arena.Pairs{
		{1, 2, 4, 2, 1}, {0, 2, 4, 6, 8}, {1, 0, 31, 8, 60}, {0, 10, 500, 90, 0}, {300, 0, 0, 0, 500}, {3, 0, 0, 0, 0},
		{0, 0, 0, 0, 10}, {0, 0, 100, 0, 0}, {0, 0, 0, 7, 0}, {0, 0, 0, 1, 100000}, {0, 0, 1, 0, 0},
	} {
		got, want := fit(t, 2, map[[2]int]arena.Pairs{{0, 1}: p}), p.Elo()
		near(t, fmt.Sprint(p, ": difference"), got[0].Elo-got[1].Elo, want.Elo, 1e-6)
		near(t, fmt.Sprint(p, ": sum"), got[0].Elo+got[1].Elo, 0, 1e-6)
		near(t, fmt.Sprint(p, ": error"), got[0].Error+got[1].Error, want.Error, 1e-6)
	}
}

// TestFitMeetsThePoints: at the ratings every player's expected points are those
// it made, in pools and gauntlets, of players that are close and far apart.
func TestFitMeetsThePoints(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for round := range 200 {
		n := 2 + r.IntN(6)
		pairs := map[[2]int]arena.Pairs{}
		made := make([]float64, n)
		far := []int{1, 3, 300}[round%3]
		for i := range n {
			for j := i + 1; j < n && (i == 0 || round%2 == 0); j++ {
				p := arena.Pairs{1 + r.IntN(9), r.IntN(9), r.IntN(9 * far), r.IntN(9), 1 + r.IntN(9*far*far)}
				pairs[[2]int{i, j}] = p
				mean, _ := p.Stats()
				made[i] += mean * float64(p.Count())
				made[j] += (1 - mean) * float64(p.Count())
			}
		}
		got := fit(t, n, pairs)
		for at, p := range pairs {
			share := arena.ScoreFromElo(got[at[0]].Elo-got[at[1]].Elo) * float64(p.Count())
			made[at[0]] -= share
			made[at[1]] -= float64(p.Count()) - share
		}
		sum := 0.0
		for i, left := range made {
			near(t, "points left over", left, 0, 1e-4)
			if sum += got[i].Elo; !(got[i].Error > 0) {
				t.Errorf("%v: %+v", pairs, got)
			}
		}
		near(t, "sum", sum, 0, 1e-6)
	}
}

// TestFitSaysWhatItAdded: where a player has won all its games, or two parts of a pool have never met, the ratings
// are those at which the points are met together with 1/(n−1) of a win and of a loss between every two.
func TestFitSaysWhatItAdded(t *testing.T) {
	mixed := arena.Pairs{1, 2, 3, 2, 5}
	for _, pairs := range []map[[2]int]arena.Pairs{
		{{0, 1}: {4: 5}, {0, 2}: {4: 5}, {0, 3}: {4: 5}, {1, 2}: mixed, {1, 3}: mixed, {2, 3}: mixed},
		{{0, 1}: mixed, {2, 3}: mixed},
		{{0, 1}: {2: 3}, {0, 2}: {2: 3}, {0, 3}: {2: 3}},
	} {
		got, made := fit(t, 4, pairs), make([]float64, 4)
		for i := range got {
			near(t, "added", got[i].Added, 1.0/3, 1e-12)
			for j := range i {
				p := pairs[[2]int{j, i}]
				mean, _ := p.Stats()
				count := float64(p.Count())
				games := 2 * (count + got[i].Added)
				points := 2*count*mean + got[i].Added - games*arena.ScoreFromElo(got[j].Elo-got[i].Elo)
				made[j] += points
				made[i] -= points
			}
		}
		for i, left := range made {
			near(t, fmt.Sprint(pairs, ": points left over of ", i), left, 0, 1e-4)
		}
	}
	for _, r := range fit(t, 3, map[[2]int]arena.Pairs{{0, 1}: mixed, {0, 2}: mixed, {1, 2}: mixed}) {
		near(t, "added where all is finite", r.Added, 0, 0)
	}
}

// TestFitFindsKnownStrengths: a 95 % interval holds the true rating about 95
// times in 100, where half of the games are drawn, and also where the opening
// decides most of them, so that the games of a pair are far from independent.
func TestFitFindsKnownStrengths(t *testing.T) {
	strengths := []float64{-250, -100, 0, 50, 300}
	r := rand.New(rand.NewPCG(4, 4))
	for _, opening := range []bool{false, true} {
		held, total := 0, 0
		for range 100 {
			pairs := map[[2]int]arena.Pairs{}
			for i, a := range strengths {
				for j := i + 1; j < len(strengths); j++ {
					share := arena.ScoreFromElo(a - strengths[j])
					var p arena.Pairs
					for range 200 {
						drawn := min(share, 1-share)
						switch {
						case !opening:
							p[pairOf(r, share-drawn/2, drawn)]++
						case r.Float64() < drawn: // whoever has the better seat wins
							p[2]++
						case r.Float64() < (share-drawn/2)/(1-drawn):
							p[4]++
						default:
							p[0]++
						}
					}
					pairs[[2]int{i, j}] = p
				}
			}
			for i, x := range fit(t, len(strengths), pairs) {
				total++
				if math.Abs(x.Elo-strengths[i]) <= x.Error {
					held++
				}
			}
		}
		if held < total*92/100 || held > total*98/100 {
			t.Errorf("openings that decide: %v; %d of %d ratings lie within their errors", opening, held, total)
		}
	}
}

func TestFitAtTheEdges(t *testing.T) {
	for name, pairs := range map[string]map[[2]int]arena.Pairs{
		"no games":     {},
		"all won":      {{0, 1}: {4: 50}, {0, 2}: {4: 50}, {1, 2}: {4: 50}, {2, 3}: {4: 50}},
		"all drawn":    {{0, 1}: {2: 50}, {0, 2}: {2: 50}, {1, 2}: {2: 50}, {2, 3}: {2: 50}},
		"two islands":  {{0, 1}: {0: 5, 4: 1}, {2, 3}: {0: 2, 2: 9}},
		"one unbeaten": {{0, 1}: {4: 1}, {0, 2}: {4: 1}, {0, 3}: {4: 1}, {1, 2}: {1, 2, 3, 4, 5}, {2, 3}: {2: 1, 3: 1}},
		"a million":    {{0, 1}: {3: 1, 4: 1000000}, {1, 2}: {3: 1, 4: 1000000}, {2, 3}: {3: 1, 4: 1000000}},
	} {
		for i, r := range fit(t, 4, pairs) {
			if math.IsNaN(r.Elo) || math.Abs(r.Elo) > 10_000 || !(r.Error > 0) || math.IsInf(r.Error, 0) {
				t.Errorf("%s: player %d: %+v", name, i+1, r)
			}
			if name != "all drawn" && name != "no games" {
				continue
			}
			near(t, name, r.Elo, 0, 1e-6)
		}
	}
	if got := fit(t, 2, map[[2]int]arena.Pairs{{0, 1}: {4: 25}}); !(got[0].Elo > 100) {
		t.Errorf("fifty games won: %+v", got)
	}
	for n := range 2 {
		fit(t, n, nil)
	}
	if _, err := arena.FitRatings(t.Context(), [][]arena.Score{{{}, {}}}); err == nil {
		t.Error("a table that is not square is accepted")
	}
	worse := [][]arena.Score{{{}, {Pairs: arena.Pairs{2: -5}}}, {{}, {}}}
	if got, err := arena.FitRatings(t.Context(), worse); err == nil {
		t.Errorf("less than no pairs: %v", got)
	}
}

// TestFitEnds: a rating ends with its context.
func TestFitEnds(t *testing.T) {
	cross := [][]arena.Score{{{}, {Pairs: arena.Pairs{10, 0, 10, 0, 30}}}, {{}, {}}}
	for looks := range 3 {
		if got, err := arena.FitRatings(gametest.NewLooks(t.Context(), looks), cross); !errors.Is(err,
			context.Canceled) {
			t.Errorf("after %d looks: %v, %v", looks, got, err)
		}
	}
}
