package arena_test

import (
	"context"
	"errors"
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
	near(t, "error", e.Error, (arena.FromScore(0.75+0.109567)-arena.FromScore(0.75-0.109567))/2, 0.01)
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
	for _, p := range []arena.Pairs{{1, 0, 0, 0, 0}, {0, 0, 0, 0, 1}, {0, 0, 7, 0, 0}, {0, 3, 0, 0, 0}, {0, 0, 0, 0, 1000000}} {
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
	near(t, "score at 400", arena.ToScore(400), 10.0/11, 1e-12)
	near(t, "Elo of 10/11", arena.FromScore(10.0/11), 400, 1e-9)
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
	return arena.ToScore(elo) - draws/2, draws
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
	s0, s1 := arena.ToScore(0), arena.ToScore(2)
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
	want := climb(arena.ToScore(30)) - climb(arena.ToScore(-10))
	near(t, "LLR", s.LLR(p), want, 1e-3)
}

func TestSPRTKeepsItsErrors(t *testing.T) {
	s := arena.SPRT{Elo0: 0, Elo1: 120, Alpha: 0.1, Beta: 0.1}
	r := rand.New(rand.NewPCG(3, 3))
	run := func(elo float64) arena.Verdict {
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
	for _, s := range []arena.SPRT{{0, 0, .05, .05}, {5, 0, .05, .05}, {0, 5, 0, .05}, {0, 5, .05, .5}, {nan, 5, .05, .05}, {0, math.Inf(1), .05, .05}, {0, 5, nan, .05}} {
		if s.Check() == nil {
			t.Errorf("%+v is accepted", s)
		}
	}
	if err := (arena.SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}).Check(); err != nil {
		t.Error(err)
	}
}

func TestFitOfTwo(t *testing.T) {
	cross := [][]arena.Score{{{}, {Wins: 7000, Draws: 1000, Losses: 2000}}, {{}, {}}}
	got, err := arena.Fit(t.Context(), cross, 1)
	if err != nil {
		t.Fatal(err)
	}
	// of two players, wins to losses are the ratio of their strengths
	near(t, "difference", got[0].Elo-got[1].Elo, 400*math.Log10(3.5), 0.5)
	near(t, "sum", got[0].Elo+got[1].Elo, 0, 1e-9)
	// the ratio's standard error is √(1/7000 + 1/2000), half of it each
	near(t, "error", got[0].Error, 1.96*400/math.Ln10*math.Sqrt(1.0/7000+1.0/2000)/2, 0.5)
}

func TestFitFindsKnownStrengths(t *testing.T) {
	strengths := []float64{-250, -100, 0, 50, 300}
	r := rand.New(rand.NewPCG(4, 4))
	held, total := 0, 0
	for round := range uint64(10) {
		cross := make([][]arena.Score, len(strengths))
		for i := range cross {
			cross[i] = make([]arena.Score, len(strengths))
		}
		for i, a := range strengths {
			for j, b := range strengths[:i] {
				// Davidson's model with ν = 0.8
				x, y := math.Pow(10, b/400), math.Pow(10, a/400)
				tie := 0.8 * math.Sqrt(x*y)
				for range 400 {
					switch u := r.Float64() * (x + y + tie); {
					case u < x:
						cross[j][i].Wins++
					case u < x+y:
						cross[j][i].Losses++
					default:
						cross[j][i].Draws++
					}
				}
			}
		}
		got, err := arena.Fit(t.Context(), cross, round)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range strengths {
			near(t, "rating", got[i].Elo, s, 60)
			total++
			if math.Abs(got[i].Elo-s) <= got[i].Error {
				held++
			}
		}
	}
	if held < total*85/100 {
		t.Errorf("%d of %d ratings lie within their errors", held, total)
	}
}

func TestFitAtTheEdges(t *testing.T) {
	for name, cross := range map[string][][]arena.Score{
		"nobody":      {},
		"one":         {{{}}},
		"no games":    {{{}, {}}, {{}, {}}},
		"all won":     {{{}, {Wins: 50}}, {{}, {}}},
		"all drawn":   {{{}, {Draws: 50}}, {{}, {}}},
		"two islands": {{{}, {Wins: 5, Losses: 1}, {}, {}}, {{}, {}, {}, {}}, {{}, {}, {}, {Draws: 2, Losses: 9}}, {{}, {}, {}, {}}},
	} {
		got, err := arena.Fit(t.Context(), cross, 1)
		if err != nil || len(got) != len(cross) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		for _, r := range got {
			if math.IsNaN(r.Elo) || math.IsInf(r.Elo, 0) || math.IsNaN(r.Error) || math.IsInf(r.Error, 0) {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
	if got, _ := arena.Fit(t.Context(), [][]arena.Score{{{}, {Wins: 50}}, {{}, {}}}, 1); !(got[0].Elo > 100) {
		t.Errorf("fifty games won: %+v", got)
	}
	if _, err := arena.Fit(t.Context(), [][]arena.Score{{{}, {}}}, 1); err == nil {
		t.Error("a table that is not square is accepted")
	}
}

// TestFitEnds: a rating ends with its context, with what has been simulated if
// that is enough.
func TestFitEnds(t *testing.T) {
	cross := [][]arena.Score{{{}, {Wins: 70, Draws: 10, Losses: 20}}, {{}, {}}}
	all := gametest.NewLooks(t.Context(), 1<<30)
	want, err := arena.Fit(all, cross, 1)
	if err != nil {
		t.Fatal(err)
	}
	looks := 1<<30 - all.Left()
	got, err := arena.Fit(gametest.NewLooks(t.Context(), looks/2), cross, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "rating", got[0].Elo, want[0].Elo, 0)
	near(t, "error", got[0].Error, want[0].Error, want[0].Error/4)
	if got[0].Error == want[0].Error {
		t.Error("it did not end before all was simulated")
	}
	for _, looks := range []int{0, 1, looks / 100} {
		if got, err := arena.Fit(gametest.NewLooks(t.Context(), looks), cross, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks: %v, %v", looks, got, err)
		}
	}
}
