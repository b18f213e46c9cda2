package search

import (
	"math"

	"oxo"
)

// chanceChild is what is known of a child of a chance node.
type chanceChild struct {
	odds  float64
	known oxo.Interval // its value lies here
	after oxo.Interval // the children after it add this much to the mean
}

// star is what makes Star1 and Star2 of alphabeta: it returns the expected worth
// v of a chance node to First if alpha < v < beta. Else it fails soft: r ≤ alpha
// means v ≤ r, r ≥ beta means v ≥ r. The node is left as soon as the values found
// so far, and the bounds of the payoffs for the children to come, put its mean
// outside the window; so it prunes only if the payoffs are bounded. Moves that
// can't happen are left out.
//
// Star2 probes first: before it searches the children it looks at one move of
// each, which bounds the child's value from the side of its mover and often
// settles the chance node at once.
//
// Source: Ballard, The *-Minimax Search Procedure for Trees Containing Chance
// Nodes, Artificial Intelligence 21 (1983); Hauk, Buro and Schaeffer, Rediscovering
// *-Minimax Search, Computers and Games (2004).
func (s *run[P]) star(p P, depth int, alpha, beta float64) float64 {
	f := s.pushMoves(p, oxo.Chance, depth)
	base := len(s.chances)
	for i := f.first; i < f.last; i++ {
		s.chances = append(s.chances, chanceChild{odds: s.g.Odds(p, s.moves[i]), known: s.bounds})
	}
	if s.o.Order != Natural {
		sortByFallingOdds(s.moves[f.first:f.last], s.chances[base:])
	}
	v, settled := 0.0, false
	if s.a == Star2 && !math.IsInf(s.bounds.Lo, 0) && !math.IsInf(s.bounds.Hi, 0) {
		v, settled = s.probeChildren(p, f, base, depth, alpha, beta)
	}
	if !settled && !s.halted {
		v = s.meanOfChildren(p, f, base, depth, alpha, beta)
	}
	s.chances = s.chances[:base]
	if s.halted {
		return 0
	}
	if s.watched {
		s.storeAndTraceValue(p, depth, alpha, beta, v, oxo.NoMove)
	}
	s.popMoves(f)
	return v
}

// meanOfChildren searches the children of p one by one. The window of a child is where
// its value would leave the mean between alpha and beta if the children after
// it turned out as well, or as badly, as can be.
func (s *run[P]) meanOfChildren(p P, f frame, base, depth int, alpha, beta float64) float64 {
	s.boundSumsOfLaterChildren(base)
	sum := 0.0
	for i := f.first; i < f.last; i++ {
		c := s.chances[base+i-f.first]
		if c.odds == 0 {
			s.traceSkippedMoves(i, i+1)
			continue
		}
		a := (alpha - sum - c.after.Hi) / c.odds
		b := (beta - sum - c.after.Lo) / c.odds
		var v float64
		switch {
		case a >= c.known.Hi:
			v = c.known.Hi
			s.traceSkippedMoves(i, i+1)
		case b <= c.known.Lo, c.known.Proven():
			v = c.known.Lo
			s.traceSkippedMoves(i, i+1)
		default:
			q, _ := s.childAfter(f, p, s.moves[i])
			v = s.alphabeta(q, depth-1, max(a, c.known.Lo), min(b, c.known.Hi))
		}
		if s.halted {
			return 0
		}
		if v <= a {
			s.traceSkippedMoves(i+1, f.last)
			return sum + c.odds*v + c.after.Hi
		}
		if v >= b {
			s.traceSkippedMoves(i+1, f.last)
			return sum + c.odds*v + c.after.Lo
		}
		sum += c.odds * v
	}
	return sum
}

// boundSumsOfLaterChildren sets what the children after each child add to the mean.
func (s *run[P]) boundSumsOfLaterChildren(base int) {
	var after oxo.Interval
	for i := len(s.chances) - 1; i >= base; i-- {
		c := &s.chances[i]
		c.after = after
		if c.odds > 0 {
			after.Lo += c.odds * c.known.Lo
			after.Hi += c.odds * c.known.Hi
		}
	}
}

// probeChildren probes each child of p, which narrows where it is known to lie. It
// reports whether that puts the mean outside the window, with the bound.
func (s *run[P]) probeChildren(p P, f frame, base, depth int, alpha, beta float64) (mean float64, settled bool) {
	var sum oxo.Interval
	for _, c := range s.chances[base:] {
		sum.Lo += c.odds * c.known.Lo
		sum.Hi += c.odds * c.known.Hi
	}
	for i := f.first; i < f.last; i++ {
		c := s.chances[base+i-f.first]
		if c.odds == 0 {
			continue
		}
		rest := oxo.Interval{Lo: sum.Lo - c.odds*c.known.Lo, Hi: sum.Hi - c.odds*c.known.Hi}
		a := max((alpha-rest.Hi)/c.odds, c.known.Lo)
		b := min((beta-rest.Lo)/c.odds, c.known.Hi)
		if a < b {
			q, _ := s.childAfter(f, p, s.moves[i])
			c.known = s.probeFirstMove(q, depth-1, a, b)
		}
		if s.halted {
			return 0, true
		}
		s.chances[base+i-f.first] = c
		sum = oxo.Interval{Lo: rest.Lo + c.odds*c.known.Lo, Hi: rest.Hi + c.odds*c.known.Hi}
		if sum.Lo >= beta {
			s.traceSkippedMoves(i+1, f.last)
			return sum.Lo, true
		}
		if sum.Hi <= alpha {
			s.traceSkippedMoves(i+1, f.last)
			return sum.Hi, true
		}
	}
	return 0, false
}

// probeFirstMove looks at the first move of q only and returns where that puts its
// value. Chance's nodes are not probed.
func (s *run[P]) probeFirstMove(q P, depth int, alpha, beta float64) oxo.Interval {
	known := s.bounds
	turn := q.Turn()
	if turn == oxo.Chance && q.Outcome() == oxo.Ongoing {
		return known
	}
	v, done := s.enterNode(q, depth, alpha, beta)
	atLeast, atMost := v > alpha, v < beta
	if !done {
		f := s.pushMoves(q, turn, depth)
		next, _ := s.childAfter(f, q, s.moves[f.first])
		v = s.alphabeta(next, depth-1, alpha, beta)
		atLeast = v > alpha && turn == oxo.First
		atMost = v < beta && turn == oxo.Second
		if s.halted {
			return known
		}
		s.traceSkippedMoves(f.first+1, f.last)
		s.popMoves(f)
		if s.trace != nil {
			s.trace.endProbed(v)
		}
	}
	if atLeast {
		known.Lo = max(known.Lo, v)
	}
	if atMost {
		known.Hi = min(known.Hi, v)
	}
	return known
}

// sortByFallingOdds sorts chance's moves by falling odds.
func sortByFallingOdds(moves []oxo.Move, children []chanceChild) {
	for i := 1; i < len(moves); i++ {
		for j := i; j > 0 && children[j].odds > children[j-1].odds; j-- {
			children[j], children[j-1] = children[j-1], children[j]
			moves[j], moves[j-1] = moves[j-1], moves[j]
		}
	}
}
