package arena

import (
	"fmt"
	"math"
)

// SPRT is Wald's sequential test of two hypotheses about an Elo difference on
// the logistic scale, Elo0 and Elo1 > Elo0. Alpha is the accepted probability
// of accepting Elo1 where Elo0 is true, and Beta that of the opposite mistake.
type SPRT struct {
	Elo0, Elo1  float64
	Alpha, Beta float64
}

// Decision is what a sequential test says.
type Decision int

// The verdicts.
const (
	Undecided Decision = iota
	AcceptElo0
	AcceptElo1
)

// String names the hypothesis that a decision accepts.
func (v Decision) String() string {
	return [...]string{"undecided", "elo0 accepted", "elo1 accepted"}[v]
}

// maxElo is how far a hypothesis may lie from 0: at twice that a score can't be
// told from 1.
const maxElo = 3000

// Check refuses a test that makes no sense.
func (s SPRT) Check() error {
	switch {
	case !(s.Elo0 < s.Elo1):
		return fmt.Errorf("sprt: elo0 is %g and elo1 %g; elo0 must be the smaller one", s.Elo0, s.Elo1)
	case s.Elo0 < -maxElo || s.Elo1 > maxElo:
		return fmt.Errorf("sprt: elo0 is %g and elo1 %g; they must lie between -%d and %d", s.Elo0, s.Elo1, maxElo,
			maxElo)
	case !(0 < s.Alpha && s.Alpha < 0.5):
		return fmt.Errorf("sprt: alpha is %g; it must lie between 0 and 0.5", s.Alpha)
	case !(0 < s.Beta && s.Beta < 0.5):
		return fmt.Errorf("sprt: beta is %g; it must lie between 0 and 0.5", s.Beta)
	}
	return nil
}

// Bounds returns the log-likelihood ratios at which the test ends: at or below
// lower Elo0 is accepted, at or above upper Elo1.
// They are Wald's: ln(β/(1−α)) and ln((1−β)/α).
func (s SPRT) Bounds() (lower, upper float64) {
	return math.Log(s.Beta / (1 - s.Alpha)), math.Log((1 - s.Beta) / s.Alpha)
}

// LLR returns the logarithm of how much more likely the pairs are under Elo1
// than under Elo0. Each hypothesis fixes only the mean score; of all
// distributions over the five scores of a pair that have this mean, the one is
// taken under which the pairs are most likely (M. Van den Bergh, "The
// generalized sequential probability ratio test", 2019; Owen's empirical
// likelihood). Scores that have not come up count as a thousandth of a pair.
func (s SPRT) LLR(p Pairs) float64 {
	if p.Count() == 0 {
		return 0
	}
	var n float64
	var q [5]float64
	for k, c := range p {
		q[k] = max(float64(c), 1e-3)
		n += q[k]
	}
	for k := range q {
		q[k] /= n
	}
	q0 := likeliestDistributionWithMean(q, ScoreFromElo(s.Elo0))
	q1 := likeliestDistributionWithMean(q, ScoreFromElo(s.Elo1))
	sum := 0.0
	for k := range q {
		sum += q[k] * math.Log(q1[k]/q0[k])
	}
	return n * sum
}

// Decide returns the log-likelihood ratio and what follows from it.
func (s SPRT) Decide(p Pairs) (llr float64, v Decision) {
	llr = s.LLR(p)
	switch lower, upper := s.Bounds(); {
	case llr <= lower:
		return llr, AcceptElo0
	case llr >= upper:
		return llr, AcceptElo1
	}
	return llr, Undecided
}

// likeliestDistributionWithMean returns the distribution over the scores 0, ¼, … 1 with the given
// mean, strictly between 0 and 1, under which observations distributed as q
// are most likely: qₖ/(1 + θ(aₖ − mean)) for the θ that gives the mean. The
// left side of its equation falls with θ, so θ is found by halving.
// θ lies strictly between −1/(1−mean) and 1/mean, where every probability is positive.
func likeliestDistributionWithMean(q [5]float64, mean float64) [5]float64 {
	slope := func(theta float64) float64 {
		sum := 0.0
		for k := range q {
			d := float64(k)/4 - mean
			sum += q[k] * d / (1 + theta*d)
		}
		return sum
	}
	theta := halve(-1/(1-mean), 1/mean, 200, func(theta float64) bool { return slope(theta) > 0 })
	for k := range q {
		q[k] /= 1 + theta*(float64(k)/4-mean)
	}
	return q
}
