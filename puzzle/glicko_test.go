package puzzle

import (
	"math"
	"testing"
)

// TestGlicko is the worked example of Glickman's paper: 1500 ± 200 plays 1400, 1550 and
// 1700, wins, loses and loses.
func TestGlicko(t *testing.T) {
	got := Rating{1500, 200, 0.06}.AfterGames([]Scored{
		{Rating{1400, 30, 0.06}, 1}, {Rating{1550, 100, 0.06}, 0}, {Rating{1700, 300, 0.06}, 0}})
	want := Rating{1464.06, 151.52, 0.05999}
	if math.Abs(got.Rating-want.Rating) > 0.01 || math.Abs(got.Deviation-want.Deviation) > 0.01 ||
		math.Abs(got.Volatility-want.Volatility) > 0.00001 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestGlickoMoves says what must hold of any rating: who solves rises, who does not falls,
// hard puzzles count for more, and only rest makes a rating less certain.
func TestGlickoMoves(t *testing.T) {
	hard, easy := Rating{2200, 100, 0.06}, Rating{900, 100, 0.06}
	for _, r := range []Rating{Unrated(), {2600, 60, 0.06}, {400, 350, 0.1}} {
		won, lost := r.AfterGames([]Scored{{hard, 1}}), r.AfterGames([]Scored{{hard, 0}})
		if won.Rating <= r.Rating || lost.Rating >= r.Rating || won.Rating <= r.AfterGames([]Scored{{easy, 1}}).Rating {
			t.Errorf("%+v: %+v, %+v", r, won, lost)
		}
		if won.Deviation > math.Hypot(r.Deviation, scale*won.Volatility)+1e-9 {
			t.Errorf("%+v: less certain after a game: %+v", r, won)
		}
		if rest := r.AfterGames(nil); rest.Rating != r.Rating || rest.Deviation < r.Deviation || rest.Deviation > 350 {
			t.Errorf("%+v: after a rest %+v", r, rest)
		}
	}
}

// TestVolatility: the root that is found is one, also where the result is a great surprise.
func TestVolatility(t *testing.T) {
	for _, delta := range []float64{-0.5, 0.01, 1, 6, -9} {
		sigma, phi, v := 0.06, 1.1, 1.8
		s := newVolatility(sigma, phi, v, delta)
		x, a := math.Log(s*s), math.Log(sigma*sigma)
		d := phi*phi + v + s*s
		if f := s*s*(delta*delta-d)/(2*d*d) - (x-a)/(constraint*constraint); math.Abs(f) > 1e-4 {
			t.Errorf("delta %v: f(%v) is %v", delta, s, f)
		}
	}
}
