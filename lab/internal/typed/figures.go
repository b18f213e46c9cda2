package typed

// slipsOf returns the probability that a level slips in a game.
func slipsOf(spec string, n int) float64 { return [...]float64{0, 1, .6, .3, .1, 0}[n] }
