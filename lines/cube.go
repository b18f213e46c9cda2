package lines

// On a cube of four squares a side, and boards like it, the lines through a square share no other squares, and its kind
// for a side is how many of them have each rest. Those of rest 1 are not counted, as a search estimates nothing where
// there are any.

// cubeLines are on how many lines squares of a cube can be: those of its edges and faces, and those of its corners and
// its heart.
var cubeLines = [2]int{4, 7}

// isCube reports whether all lines have four squares, no two share two, and each square is on as many as one of a cube.
func (g *geometry) isCube() bool {
	for l := range g.lines {
		if g.length[l] != 4 {
			return false
		}
	}
	for s := range g.n {
		through := g.through[g.throughAt[s]:g.throughAt[s+1]]
		if len(through) != cubeLines[0] && len(through) != cubeLines[1] {
			return false
		}
		for i, l := range through {
			for _, m := range through[:i] {
				if g.shareOtherSquare(int(l), int(m), s) {
					return false
				}
			}
		}
	}
	return !g.barred
}

// lineCounts are which of cubeLines a square is on, and how many of them have rest 2, 3 and 4 for a side.
type lineCounts struct{ rich, two, three, four int }

// cubeKinds are the kinds of cubes, in any order but the first, which has no lines, and cubeKind tells them by code.
var cubeKinds, cubeKind = func() (list []lineCounts, kind [2][1 << (3 * (packedRests - 1))]uint8) {
	list = append(list, lineCounts{})
	for rich, lines := range cubeLines {
		for code := range kind[rich] {
			c := lineCounts{rich, code & 7, code >> 3 & 7, code >> 6}
			if code > 0 && c.two+c.three+c.four <= lines {
				kind[rich][code] = uint8(len(list))
				list = append(list, c)
			}
		}
	}
	return list, kind
}()

// cubes are the kinds of cubes. What is empty for one side is so for the other.
var cubes = newAlphabet(len(cubeKinds), func(own, other int) bool {
	a, b := cubeKinds[own], cubeKinds[other]
	return a.four == b.four && (a.rich == b.rich || own == 0 || other == 0) &&
		a.two+a.three+a.four+b.two+b.three <= cubeLines[max(a.rich, b.rich)]
})

// kindByCounts returns the kind of a free square of a cube for a side.
func (p *state) kindByCounts(side, square int) uint8 {
	rich := 0
	if int(p.throughAt[square+1]-p.throughAt[square]) > cubeLines[0] {
		rich = 1
	}
	return cubeKind[rich][p.code[side][square]>>3&(1<<(3*(packedRests-1))-1)]
}
