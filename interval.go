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
