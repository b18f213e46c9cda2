package tiers

// Table returns the table of a slice of a tier.
func (v *Values) Table(marks, index int) ([]byte, error) { return v.load(marks, index) }
