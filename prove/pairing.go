package prove

import "math/bits"

// potential returns the Erdős–Selfridge sum of p: 2^−need over the lines the
// attacker can still own. With the attacker to move the defender can keep him
// from every line where it is below 1/2, with the defender to move where it is
// below 1 (Erdős and Selfridge 1973).
func (g *geometry[S, Q]) potential(p *state[S, Q]) float64 {
	sum, worth := 0.0, 1.0
	for n := 1; n <= g.longest; n++ {
		worth /= 2
		lines := 0
		for i := range g.words {
			lines += bits.OnesCount64(g.needing(p, attacker, n, i))
		}
		sum += worth * float64(lines)
	}
	return sum
}

// pairings looks for pairing strategies: disjoint pairs of free squares such
// that every line the attacker can still own holds both squares of some pair.
// The defender answers a move in a pair with the other square of it, and no
// line is ever owned. One pair may serve several lines.
type pairings[S squares, Q lineWords] struct {
	g     *geometry[S, Q]
	lines [][]S // for each depth, the free squares of the lines not served yet
	pairs [][2]int
	nodes int
	limit int // of nodes in a search
}

// How many nodes a search for a pairing may take: inside the proof-number
// search, and where it is worth more.
const (
	quickPairing   = 100
	patientPairing = 10_000
)

// find reports whether a pairing was found for p, the attacker to move, within
// so many nodes. On success a.pairs holds it.
func (a *pairings[S, Q]) find(p *state[S, Q], limit int) bool {
	g := a.g
	a.limit = limit
	a.pairs, a.nodes = a.pairs[:0], 0
	if len(a.lines) == 0 {
		a.lines = make([][]S, g.n/2+2)
	}
	list := a.lines[0][:0]
	for i := range g.words {
		for lines := ^p.lines[attacker][i]; lines != 0; lines &= lines - 1 {
			s := and(g.need[i<<6+bits.TrailingZeros64(lines)], p.free)
			if empty(rest(s)) {
				return false
			}
			list = append(list, s)
		}
	}
	a.lines[0] = list
	return 2*a.least(list) <= count(p.free) && a.serve(0, p.free)
}

// least returns a number of pairs that serving all the lines takes at least:
// lines that share no two squares need a pair each.
func (a *pairings[S, Q]) least(list []S) int {
	alone := a.lines[len(a.lines)-1][:0]
next:
	for _, line := range list {
		for _, other := range alone {
			if both := and(line, other); !empty(both) && !empty(rest(both)) {
				continue next
			}
		}
		alone = append(alone, line)
	}
	a.lines[len(a.lines)-1] = alone
	return len(alone)
}

// serve finds pairs for a.lines[depth] among the unpaired squares. It settles
// the line with the fewest of them first, and tries the pair that serves the
// most lines first.
func (a *pairings[S, Q]) serve(depth int, unpaired S) bool {
	list := a.lines[depth]
	if len(list) == 0 {
		return true
	}
	if a.nodes++; a.nodes > a.limit {
		return false
	}
	var tight S
	fewest := 1 << 30
	for _, line := range list {
		s := and(line, unpaired)
		if n := count(s); n < fewest {
			if n < 2 {
				return false
			}
			tight, fewest = s, n
		}
	}
	var options [64]struct{ x, y, served int }
	n := 0
	for s := tight; !empty(s); s = rest(s) {
		x := first(s)
		for u := rest(s); !empty(u) && n < len(options); u = rest(u) {
			y := first(u)
			served := 0
			for _, line := range list {
				if has(line, x) && has(line, y) {
					served++
				}
			}
			options[n].x, options[n].y, options[n].served = x, y, served
			n++
		}
	}
	for ; n > 0; n-- {
		best := 0
		for k := 1; k < n; k++ {
			if options[k].served > options[best].served {
				best = k
			}
		}
		x, y := options[best].x, options[best].y
		copy(options[best:n-1], options[best+1:n])
		left := a.lines[depth+1][:0]
		for _, line := range list {
			if !has(line, x) || !has(line, y) {
				left = append(left, line)
			}
		}
		a.lines[depth+1] = left
		a.pairs = append(a.pairs, [2]int{x, y})
		if a.serve(depth+1, without(without(unpaired, x), y)) {
			return true
		}
		a.pairs = a.pairs[:len(a.pairs)-1]
		if a.nodes > a.limit {
			return false
		}
	}
	return false
}
