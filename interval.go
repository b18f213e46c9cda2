package oxo

// Interval is a closed interval of payoffs to First: where a value is known to
// lie.
type Interval struct{ Lo, Hi float64 }

// Exactly returns the interval of one value.
func Exactly(v float64) Interval { return Interval{v, v} }

// Proven reports whether the interval is a single value.
func (i Interval) Proven() bool { return i.Lo == i.Hi }

// Holds reports whether v is in the interval.
func (i Interval) Holds(v float64) bool { return i.Lo <= v && v <= i.Hi }

// Clamp returns the value in i next to v.
func (i Interval) Clamp(v float64) float64 { return max(i.Lo, min(i.Hi, v)) }

// SeenBy returns the interval of what the seat gets, and of such an interval that of payoffs to
// First.
func (i Interval) SeenBy(seat Seat) Interval {
	if seat == Second {
		return Interval{-i.Hi, -i.Lo}
	}
	return i
}

// WithLeast returns the part of i in which the seat gets at least so much.
func (i Interval) WithLeast(seat Seat, least float64) Interval {
	if seat == First {
		return Interval{max(i.Lo, least), i.Hi}
	}
	return Interval{i.Lo, min(i.Hi, -least)}
}
