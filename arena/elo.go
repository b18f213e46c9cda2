package arena

import "math"

// Pairs counts pairs of games from one opening with seats swapped by what the
// first-named player scored in both together: Pairs[k] pairs gave k half
// points, 0 to 4. Games of a pair depend on each other, pairs don't; so errors
// must come from pairs.
type Pairs [5]int

// Score counts games from one player's side, and the pairs among them that are
// complete.
type Score struct {
	Wins   int   `json:"wins"`
	Draws  int   `json:"draws"`
	Losses int   `json:"losses"`
	Pairs  Pairs `json:"pairs" doc:"pairs of games by the first player's points: 0, ½, 1, 1½, 2"`
	// Paid is nil where games pay for nothing but who wins.
	Paid *float64 `json:"paid,omitempty" doc:"what all games together paid it, where they have payoffs of their own"`
}

// sumOf returns a plus sign times b, as far as there are such numbers; neither is changed.
func sumOf(a, b *float64, sign float64) *float64 {
	if b == nil {
		return a
	}
	sum := sign * *b
	if a != nil {
		sum += *a
	}
	return &sum
}

// MeanPaid returns what a game paid the first player on average, if games have payoffs of their own.
func (s Score) MeanPaid() (mean float64, pays bool) {
	if s.Paid == nil || s.Games() == 0 {
		return 0, false
	}
	return *s.Paid / float64(s.Games()), true
}

// Games returns how many games were played.
func (s Score) Games() int { return s.Wins + s.Draws + s.Losses }

// Points returns a point for a win and half of one for a draw.
func (s Score) Points() float64 { return float64(s.Wins) + float64(s.Draws)/2 }

// Add returns the sum of two scores. Pairs are added too, so that both scores must be one player's
// against the same opponents.
func (s Score) Add(t Score) Score {
	s.Wins += t.Wins
	s.Draws += t.Draws
	s.Losses += t.Losses
	s.Paid = sumOf(s.Paid, t.Paid, 1)
	for k := range s.Pairs {
		s.Pairs[k] += t.Pairs[k]
	}
	return s
}

// Count returns the number of pairs.
func (p Pairs) Count() int { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Stats returns the mean score of a game, from 0 to 1, and the variance of a
// pair's mean score. Without pairs the mean is ½ and the variance 0.
func (p Pairs) Stats() (mean, variance float64) {
	n := float64(p.Count())
	if n == 0 {
		return 0.5, 0
	}
	for k, c := range p {
		mean += float64(c) * float64(k) / 4 / n
	}
	for k, c := range p {
		d := float64(k)/4 - mean
		variance += float64(c) * d * d / n
	}
	return mean, variance
}

// z95 is the 97.5 % point of the normal distribution.
const z95 = 1.959963984540054

// Elo is the difference in strength of two players, measured.
type Elo struct {
	Elo   float64 `json:"elo" doc:"of the first over the second"`
	Error float64 `json:"elo_error" doc:"half of the 95 % interval"`
	LOS   float64 `json:"los" doc:"likelihood of superiority"` // likelihood of superiority, from 0 to 1

	// Normalized is the normalized Elo and NormalizedError half its 95 %
	// interval: mean over standard deviation of a game, scaled to agree with
	// Elo where there are no draws and the players are equal.
	Normalized      float64 `json:"nelo" doc:"normalized Elo"`
	NormalizedError float64 `json:"nelo_error" doc:"half of its 95 % interval"`
}

// nElo is the factor of normalized Elo.
// It is 800/ln 10, about 347.4.
const nElo = 800 / math.Ln10

// Elo measures the difference of the players on the logistic scale, on which
// 400 points are odds of 10 to 1. The errors come from the variance between
// pairs. Where every pair had the same score, half a pair of either extreme is
// counted besides, so that all is finite and few pairs are never certain.
// Without pairs nothing is known: all is 0 and LOS ½.
func (p Pairs) Elo() Elo {
	if p.Count() == 0 {
		return Elo{LOS: 0.5}
	}
	n := float64(p.Count())
	mean, variance := p.Stats()
	if variance == 0 {
		d := mean - 0.5
		mean = (n*mean + 0.5) / (n + 1)
		variance = 0.25/(n+1) + d*d*n/(n+1)/(n+1)
		n++
	}
	deviation := math.Sqrt(variance / n)
	edge := 1 / (8 * n) // half of the smallest difference a pair can make
	low, high := max(mean-z95*deviation, edge), min(mean+z95*deviation, 1-edge)
	game := math.Sqrt(2 * variance)
	return Elo{
		Elo:             EloFromScore(mean),
		Error:           (EloFromScore(high) - EloFromScore(low)) / 2,
		LOS:             normalCDF((mean - 0.5) / deviation),
		Normalized:      nElo * (mean - 0.5) / game,
		NormalizedError: z95 * nElo * deviation / game,
	}
}

// EloFromScore returns the Elo difference at which the mean score is s, which
// must lie between 0 and 1.
func EloFromScore(s float64) float64 { return 400 * math.Log10(s/(1-s)) }

// ScoreFromElo returns the mean score at an Elo difference.
func ScoreFromElo(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// normalCDF is the standard normal distribution function.
func normalCDF(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
