package lines

// alphabet is what kinds the squares of a board can have, from 0 on, and which pairs of them, for a side and for the
// enemy, there can be. Kind 0 says that the square means nothing to the side.
type alphabet struct {
	kinds int
	pairs []int // ascending, as pairOf has them
}

// newAlphabet returns the alphabet of so many kinds.
func newAlphabet(kinds int, canBe func(own, other int) bool) *alphabet {
	a := &alphabet{kinds: kinds}
	for own := range kinds {
		for other := range kinds {
			if canBe(own, other) {
				a.pairs = append(a.pairs, a.pairOf(uint8(own), uint8(other)))
			}
		}
	}
	return a
}

// pairOf returns the pair of a square's kinds for a side and for the enemy.
func (a *alphabet) pairOf(own, other uint8) int { return int(own)*a.kinds + int(other) }
