package oxo_test

import (
	"math"
	"testing"

	"oxo"
)

// TestInterval checks what an interval holds, which value in it is next to
// others, and when it is a single one.
func TestInterval(t *testing.T) {
	in := oxo.Interval{Lo: -0.5, Hi: 2}
	for _, c := range []struct {
		v, next float64
	}{{math.Inf(-1), -0.5}, {-0.5, -0.5}, {0, 0}, {2, 2}, {2.5, 2}} {
		if got := in.Clamp(c.v); got != c.next || in.Holds(c.v) != (c.v == c.next) {
			t.Errorf("%v: next to it %v, in it %v", c.v, got, in.Holds(c.v))
		}
	}
	if one := oxo.Exactly(0.3); in.Proven() || !one.Proven() || !one.Holds(0.3) {
		t.Errorf("%v is proven: %v, %v: %v", in, in.Proven(), one, one.Proven())
	}
}

// TestSeatScore turns payoffs to First into each seat's; no draw is -0.
func TestSeatScore(t *testing.T) {
	for seat, want := range map[oxo.Seat]float64{oxo.First: 0.5, oxo.Second: -0.5, oxo.Chance: 0.5} {
		if got := seat.Score(0.5); got != want {
			t.Errorf("0.5 to First is %v to %v, not %v", got, seat, want)
		}
		if math.Signbit(seat.Score(0)) {
			t.Errorf("a draw is -0 to %v", seat)
		}
	}
	if oxo.First.Sign() != 1 || oxo.Second.Sign() != -1 {
		t.Errorf("signs %v and %v", oxo.First.Sign(), oxo.Second.Sign())
	}
}
