package arena

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
)

// Rating is a player's strength in a pool: Elo around the pool's mean of 0,
// and half its 95 % interval.
type Rating struct {
	Elo   float64 `json:"rating"`
	Error float64 `json:"error"`
}

// simulations is how many pools are played to find the errors, and fewest how
// many of them have to do where time is up.
const (
	simulations = 400
	fewest      = 10
)

// Fit rates a pool of players. cross[i][j] is the score of player i against
// player j; it is read where i < j.
//
// The model is that of Bradley and Terry with draws after Davidson ("On
// extending the Bradley–Terry model to accommodate ties", 1970): for strengths
// a and b, winning, losing and drawing are as a : b : ν√(ab), with one ν for
// the pool. The likeliest strengths are found by minorization (D. R. Hunter,
// "MM algorithms for generalized Bradley–Terry models", 2004). Each player has
// half a win and half a loss more, against a player of mean strength; that
// keeps ratings finite where somebody lost or won everything and where groups
// never met.
//
// The errors come from simulation: the pool is played again many times by
// the fitted model, from the seed, and rated each time. Where ctx is done before
// that, the errors come from the pools that were played; where those are fewer
// than ten, the error of ctx is returned.
func Fit(ctx context.Context, cross [][]Score, seed uint64) ([]Rating, error) {
	n := len(cross)
	for _, row := range cross {
		if len(row) != n {
			return nil, errors.New("fit: the cross table is not square")
		}
	}
	m := model{strength: make([]float64, n), tie: 1}
	for i := range m.strength {
		m.strength[i] = 1
	}
	if err := m.fit(ctx, cross, 1e-7); err != nil {
		return nil, err
	}
	ratings := make([]Rating, n)
	for i, elo := range m.ratings() {
		ratings[i].Elo = elo
	}
	r := rand.New(rand.NewPCG(seed, 5))
	squares := make([]float64, n)
	played := 0
	for ; played < simulations; played++ {
		again := model{strength: append([]float64(nil), m.strength...), tie: m.tie}
		err := again.fit(ctx, m.simulate(cross, r), 1e-4)
		if err != nil && played < fewest {
			return nil, err
		}
		if err != nil {
			break
		}
		for i, elo := range again.ratings() {
			d := elo - ratings[i].Elo
			squares[i] += d * d
		}
	}
	for i := range ratings {
		ratings[i].Error = z95 * math.Sqrt(squares[i]/float64(played))
	}
	return ratings, nil
}

// model is a fitted pool.
type model struct {
	strength []float64
	tie      float64 // Davidson's ν
}

// ratings returns the strengths as Elo with mean 0.
func (m *model) ratings() []float64 {
	elo := make([]float64, len(m.strength))
	mean := 0.0
	for i, s := range m.strength {
		elo[i] = 400 * math.Log10(s)
		mean += elo[i] / float64(len(elo))
	}
	for i := range elo {
		elo[i] -= mean
	}
	return elo
}

// odds returns the probabilities that i beats j and that they draw.
func (m *model) odds(i, j int) (win, draw float64) {
	a, b := m.strength[i], m.strength[j]
	t := m.tie * math.Sqrt(a*b)
	return a / (a + b + t), t / (a + b + t)
}

// fit moves the strengths and ν to where the scores are likeliest, until no
// step changes a logarithm by more than the tolerance, or ctx is done.
func (m *model) fit(ctx context.Context, cross [][]Score, tolerance float64) error {
	n := len(m.strength)
	draws := 0
	for i := range n {
		for j := i + 1; j < n; j++ {
			draws += cross[i][j].Draws
		}
	}
	if draws == 0 {
		m.tie = 0
	}
	points, weight := make([]float64, n), make([]float64, n)
	for range 10_000 {
		if err := ctx.Err(); err != nil {
			return err
		}
		ties := 0.0 // drawn games expected, over ν
		for i := range n {
			points[i], weight[i] = 0.5, 1/(m.strength[i]+1)
		}
		for i := range n {
			for j := i + 1; j < n; j++ {
				s := cross[i][j]
				games := float64(s.Games())
				if games == 0 {
					continue
				}
				a, b := m.strength[i], m.strength[j]
				root := math.Sqrt(a * b)
				all := a + b + m.tie*root
				points[i] += s.Points()
				points[j] += games - s.Points()
				weight[i] += games * (1 + m.tie*root/(2*a)) / all
				weight[j] += games * (1 + m.tie*root/(2*b)) / all
				ties += games * root / all
			}
		}
		change := 0.0
		for i := range n {
			next := points[i] / weight[i]
			change = max(change, math.Abs(math.Log(next/m.strength[i])))
			m.strength[i] = next
		}
		if draws > 0 {
			next := float64(draws) / ties
			change = max(change, math.Abs(math.Log(next/m.tie)))
			m.tie = next
		}
		if change < tolerance {
			break
		}
	}
	return nil
}

// simulate plays as many games between each two as there were.
func (m *model) simulate(cross [][]Score, r *rand.Rand) [][]Score {
	n := len(cross)
	again := make([][]Score, n)
	for i := range again {
		again[i] = make([]Score, n)
		for j := i + 1; j < n; j++ {
			win, draw := m.odds(i, j)
			s := &again[i][j]
			for range cross[i][j].Games() {
				switch x := r.Float64(); {
				case x < win:
					s.Wins++
				case x < win+draw:
					s.Draws++
				default:
					s.Losses++
				}
			}
		}
	}
	return again
}
