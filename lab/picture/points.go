package picture

import (
	"cmp"
	"math"
	"slices"

	"oxo/pen"
)

// mostLines is how many winning sets are drawn at most: more hide the points.
const mostLines = 60

// pointsDrawing draws points and the lines through them. Its unit is the shortest way between
// two points.
// A square's place is the one that the game has for it, else its column and row. Each complete set is drawn once
// more, broader.
func pointsDrawing(b Board) drawing {
	at := make([]pen.Point, len(b.Info.Squares))
	for i, s := range b.Info.Squares {
		at[i] = pen.At(float64(s.Col), float64(s.Row))
		if len(b.Info.Places) == len(at) {
			at[i] = pen.At(b.Info.Places[i][0], b.Info.Places[i][1])
		}
	}
	// Places come in any unit: here they are put into units of the shortest distance, with half a unit around them.
	unit := math.Inf(1)
	low, high := at[0], at[0]
	for i, p := range at {
		for _, q := range at[i+1:] {
			unit = min(unit, far(p, q))
		}
		low = pen.At(min(low.X, p.X), min(low.Y, p.Y))
		high = pen.At(max(high.X, p.X), max(high.Y, p.Y))
	}
	if math.IsInf(unit, 1) || unit == 0 {
		unit = 1
	}
	for i, p := range at {
		at[i] = pen.At((p.X-low.X)/unit+0.5, (p.Y-low.Y)/unit+0.5)
	}
	d := drawing{width: (high.X-low.X)/unit + 1, height: (high.Y-low.Y)/unit + 1}
	// Squares of this size round points that are a unit apart, in whatever direction, don't overlap.
	d.square = func(i int) (x, y, size float64) { return at[i].X, at[i].Y, 0.7 }
	d.draw = func(c *canvas) {
		// The line through a set is told of the other points, as it must not seem to pass through them.
		curve := func(set []int) []pen.Point { return curveThrough(splitPoints(at, set)) }
		if len(b.Info.Lines) <= mostLines {
			for _, set := range b.Info.Lines {
				c.drawLine(curve(set), 0.035, c.strong)
			}
		}
		for _, set := range b.Owned {
			c.drawLine(curve(set), 0.12, c.active)
		}
		marks := b.marks()
		for i, p := range at {
			c.disc(p.X, p.Y, 0.31, c.strong)
			c.disc(p.X, p.Y, 0.285, c.board)
			if marks[i] == '.' {
				c.drawText(p.X, p.Y, 0.2, c.muted, b.Info.Squares[i].Name)
			}
			c.drawMark(marks[i], p.X, p.Y, 0.5, c.x, c.o)
			c.drawPlyNumber(b, i, p.X+0.36, p.Y+0.3, 0.18, c.muted)
			if isLast(b, i) {
				c.disc(p.X+0.24, p.Y-0.24, 0.05, c.ink)
			}
		}
	}
	return d
}

// splitPoints are the points of a set, and the others.
// Both keep the order of at; the set has numbers of points.
func splitPoints(at []pen.Point, set []int) (inSet, others []pen.Point) {
	for i, p := range at {
		if slices.Contains(set, i) {
			inSet = append(inSet, p)
		} else {
			others = append(others, p)
		}
	}
	return inSet, others
}

// far is the distance of two points.
func far(a, b pen.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// collinearEnds returns the two ends of points that lie on one line, and whether they do.
// The ends are ordered by x, then by y. Of no points it is false; one alone is both ends. A point that is off the
// line by a thousandth of a unit, at most, is on it.
func collinearEnds(points []pen.Point) (a, b pen.Point, collinear bool) {
	sorted := slices.SortedFunc(slices.Values(points), func(p, q pen.Point) int {
		if p.X != q.X {
			return cmp.Compare(p.X, q.X)
		}
		return cmp.Compare(p.Y, q.Y)
	})
	if len(sorted) == 0 {
		return a, b, false
	}
	a, b = sorted[0], sorted[len(sorted)-1]
	for _, p := range points {
		if math.Abs((b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X)) > 1e-3*far(a, b) {
			return a, b, false
		}
	}
	return a, b, true
}

// curveThrough is the line through a winning set between points: straight where it is, bent
// where a straight line would pass through a point of no concern to it, a ring where its points
// are all as far apart, else a curve.
// Points of the set can come in any order. What is returned is a path to be drawn as it is, in short straight pieces
// where it bends.
func curveThrough(set, pointsToAvoid []pen.Point) []pen.Point {
	if len(set) < 2 {
		return set
	}
	if a, b, ok := collinearEnds(set); ok {
		length := far(a, b)
		// A point lies between the ends where the way over it is no longer than the straight one.
		between := func(p pen.Point) bool { return far(a, p)+far(p, b) < length*1.001+1e-6 }
		if !slices.ContainsFunc(pointsToAvoid, between) {
			return []pen.Point{a, b}
		}
		if len(set) == 2 {
			const bow = 0.18 / 2 // how far off the straight line the middle lies
			m := pen.At((a.X+b.X)/2-(b.Y-a.Y)*bow, (a.Y+b.Y)/2+(b.X-a.X)*bow)
			return smoothCurve([]pen.Point{a, m, b}, false)
		}
		nearer := func(p, q pen.Point) int { return cmp.Compare(far(a, p), far(a, q)) }
		return smoothCurve(slices.SortedFunc(slices.Values(set), nearer), false)
	}
	way := orderByShortestPath(set)
	// A set whose way has steps all alike, the one back to its beginning too, is a ring.
	back := far(way[0], way[len(way)-1])
	least, most := back, back
	for i := range way[1:] {
		step := far(way[i], way[i+1])
		least, most = min(least, step), max(most, step)
	}
	return smoothCurve(way, len(set) > 6 || most < 1.1*least)
}

// orderByShortestPath orders points so that the way through them is short: the shortest of all for a few,
// around their middle for more than six.
// The way is not closed. Six points have 720 orders, of which those that are too long already are given up.
func orderByShortestPath(set []pen.Point) []pen.Point {
	if len(set) > 6 {
		var middle pen.Point
		for _, p := range set {
			middle.X, middle.Y = middle.X+p.X/float64(len(set)), middle.Y+p.Y/float64(len(set))
		}
		turn := func(p pen.Point) float64 { return math.Atan2(p.Y-middle.Y, p.X-middle.X) }
		return slices.SortedFunc(slices.Values(set), func(p, q pen.Point) int { return cmp.Compare(turn(p), turn(q)) })
	}
	var best []pen.Point
	least := math.Inf(1)
	var visit func(way, rest []pen.Point, length float64)
	visit = func(way, rest []pen.Point, length float64) {
		if length >= least {
			return
		}
		if len(rest) == 0 {
			best, least = slices.Clone(way), length
		}
		for i, p := range rest {
			step := 0.0
			if len(way) > 0 {
				step = far(way[len(way)-1], p)
			}
			// Each call has lists of its own, so that none changes another's.
			visit(append(slices.Clip(way), p), slices.Delete(slices.Clone(rest), i, i+1), length+step)
		}
	}
	visit(nil, set, 0)
	return best
}

// smoothCurve is the curve through points, a ring if closed (Catmull and Rom, "A class of local
// interpolating splines", 1974).
// Each piece between two points is a cubic Bézier curve, whose handles p and q lie along the chord of the neighbours.
// Way has at least one point.
func smoothCurve(way []pen.Point, closed bool) []pen.Point {
	const pieces = 12 // of the curve between two points
	n := len(way)
	// at is the point i: around a ring, and beyond the ends of an open way the end.
	at := func(i int) pen.Point {
		if closed {
			return way[(i+n)%n]
		}
		return way[max(0, min(n-1, i))]
	}
	// Of a ring the handles are as long as those of a circle through a regular polygon.
	tight, steps := 6.0, n-1
	if closed {
		tight = 1.5 * math.Sin(2*math.Pi/float64(n)) / math.Tan(math.Pi/(2*float64(n)))
		steps = n
	}
	curve := []pen.Point{way[0]}
	for i := range steps {
		a, b, c, e := at(i-1), at(i), at(i+1), at(i+2)
		p := pen.At(b.X+(c.X-a.X)/tight, b.Y+(c.Y-a.Y)/tight)
		q := pen.At(c.X-(e.X-b.X)/tight, c.Y-(e.Y-b.Y)/tight)
		for k := 1; k <= pieces; k++ {
			t := float64(k) / pieces
			u := 1 - t
			curve = append(curve, pen.At(u*u*u*b.X+3*u*u*t*p.X+3*u*t*t*q.X+t*t*t*c.X,
				u*u*u*b.Y+3*u*u*t*p.Y+3*u*t*t*q.Y+t*t*t*c.Y))
		}
	}
	return curve
}
