package threats

// slowTo looks for a win by so many slow threats in all modes of the twin.
func (f *Finder) slowTo(side, depth int) (sq int, cut bool) {
	return f.boardFinder.(interface {
		slowTo(side, depth int) (int, bool)
	}).slowTo(side, depth)
}

func (x *sizedFinder[S, Q]) slowTo(side, depth int) (sq int, cut bool) {
	x.fast.Mode = Every
	x.slower.setLimitAndPromises(x.at(), 1<<40)
	if x.slower.searchWin(x.at(), 0, side, depth) {
		return x.slower.Move, x.slower.cut
	}
	return -1, x.slower.cut
}

// deeply reports whether a first move of threats of both speeds wins.
func (b *plain) deeply(side, s int) bool {
	for depth := range slowDepth {
		b.tries = 1 << 40
		if b.keeps(side, s) || b.slowly(side, s, depth) {
			return true
		}
	}
	return false
}
