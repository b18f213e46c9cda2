package puzzle

import "math"

// Rating is how well somebody solves, or how hard a puzzle is, by the Glicko-2 system
// (Mark Glickman, Example of the Glicko-2 system, 2012).
// Rating and Deviation are on the scale of Elo, where somebody new has 1500 and 350; Volatility is how much the
// rating is expected to change between periods.
type Rating struct {
	Rating     float64 `json:"rating" minimum:"0" maximum:"4000"`
	Deviation  float64 `json:"deviation" minimum:"0" maximum:"350"`
	Volatility float64 `json:"volatility" minimum:"0" maximum:"0.1"`
}

// Unrated is the rating of somebody of whom nothing is known.
// Values are those that the paper begins with.
func Unrated() Rating { return Rating{1500, 350, 0.06} }

// scale turns ratings into the system's own scale, and the constraint says how much a
// volatility may change.
const (
	scale      = 173.7178
	constraint = 0.5
	converged  = 1e-6
)

// Scored is a game's opponent and its result: 1 won, 0.5 drawn, 0 lost.
type Scored struct {
	Against Rating
	Score   float64
}

// AfterGames returns the rating after one period with these games. Without games only the deviation grows.
// The steps are those of the paper: v is the variance of the rating by these games alone, inverse its
// inverse, and gain the sum of what was scored above expectation.
// r itself is not changed.
func (r Rating) AfterGames(games []Scored) Rating {
	mu, phi := (r.Rating-Unrated().Rating)/scale, r.Deviation/scale
	inverse, gain := 0.0, 0.0
	for _, s := range games {
		other, deviation := (s.Against.Rating-Unrated().Rating)/scale, s.Against.Deviation/scale
		g := 1 / math.Sqrt(1+3*deviation*deviation/(math.Pi*math.Pi))
		e := 1 / (1 + math.Exp(-g*(mu-other)))
		inverse += g * g * e * (1 - e)
		gain += g * (s.Score - e)
	}
	if inverse == 0 {
		r.Deviation = math.Min(scale*math.Hypot(phi, r.Volatility), Unrated().Deviation)
		return r
	}
	v := 1 / inverse
	r.Volatility = newVolatility(r.Volatility, phi, v, v*gain)
	wide := math.Hypot(phi, r.Volatility)
	phi = 1 / math.Sqrt(1/(wide*wide)+inverse)
	r.Rating, r.Deviation = scale*(mu+phi*phi*gain)+Unrated().Rating, scale*phi
	return r
}

// newVolatility is step 5: the root of f by the Illinois algorithm. It is the only step without a closed
// form; it ends once the interval is narrower than converged.
// sigma is the volatility before, phi the deviation on the system's own scale, v the variance by the games and delta
// the improvement that they estimate.
func newVolatility(sigma, phi, v, delta float64) float64 {
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		e := math.Exp(x)
		d := phi*phi + v + e
		return e*(delta*delta-d)/(2*d*d) - (x-a)/(constraint*constraint)
	}
	low, high := a, math.Log(delta*delta-phi*phi-v)
	if delta*delta <= phi*phi+v {
		k := 1.0
		for f(a-k*constraint) < 0 {
			k++
		}
		high = a - k*constraint
	}
	atLow, atHigh := f(low), f(high)
	for math.Abs(high-low) > converged {
		mid := low + (low-high)*atLow/(atHigh-atLow)
		at := f(mid)
		if at*atHigh <= 0 {
			low, atLow = high, atHigh
		} else {
			atLow /= 2
		}
		high, atHigh = mid, at
	}
	return math.Exp(low / 2)
}
