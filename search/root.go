package search

import (
	"cmp"
	"math"
	"slices"

	"oxo"
)

// driver runs a search from its root: iterations, the root's own loop, and what to
// do where there is no move to choose.
type driver[P oxo.Position[P]] struct{ *run[P] }

// searchFromRoot runs the iterations and puts the result together.
func (s driver[P]) searchFromRoot(p P) Result {
	switch {
	case p.Outcome() != oxo.Ongoing || p.Turn() == oxo.Chance:
		return s.resultWithoutMoves(p)
	case !s.o.Deepen:
		s.searchToDepth(p, cmp.Or(s.o.Depth, toTheEnd), nil)
		return answers[P](s).assembleResult(p, s.lines, !s.halted)
	}
	var lines []Line
	for depth := 1; ; depth++ {
		s.searchToDepth(p, depth, lines)
		if s.halted {
			break
		}
		lines = slices.Clone(s.lines)
		r := answers[P](s).assembleResult(p, lines, true)
		if !s.horizon || r.Exact() && s.o.Lines <= 1 || depth == s.o.Depth {
			return r
		}
		if s.o.Progress != nil {
			s.o.Progress(r)
		}
	}
	if lines == nil {
		lines = s.lines
	} else {
		s.depth--
		s.horizon = true
	}
	return answers[P](s).assembleResult(p, lines, false)
}

// searchToDepth searches to the given depth and leaves the best moves in s.lines.
// lastLines are the best moves of the last iteration.
func (s driver[P]) searchToDepth(p P, depth int, lastLines []Line) {
	s.depth, s.horizon = depth, false
	s.pv.growToDepth(s.maxLineLength(depth))
	s.lines = s.lines[:0]
	guess := s.bounds.Clamp(0)
	s.first = oxo.NoMove
	if len(lastLines) > 0 {
		s.first = lastLines[0].Move
		guess = lastLines[0].Value
		if s.o.Order == Best {
			s.order.tryFirst(lastLines[0].PV)
		}
	}
	if s.trace != nil {
		s.trace.restart()
	}
	if s.a != MTDF {
		s.searchRootMoves(p, depth, s.window.Lo, s.window.Hi)
		return
	}
	s.want = 1
	var best []Line
	s.excluded = s.excluded[:0]
	for range max(1, s.o.Lines) {
		s.mtdf(p, depth, guess)
		if s.halted || len(s.lines) == 0 {
			break
		}
		best = append(best, s.lines[0])
		s.excluded = append(s.excluded, s.lines[0].Move)
	}
	s.lines = best
}

// maxLineLength returns how long a line of play can get in a search to the given depth.
func (s driver[P]) maxLineLength(depth int) int {
	if s.g.Loopy() {
		return depth
	}
	return min(depth, s.g.MaxPlies)
}

// searchRootMoves is the algorithm at the root: its loop keeps the best moves with their
// lines of play. The window closes in on the last of the lines asked for, so
// that all of them get exact values. It returns the value of the best.
func (s driver[P]) searchRootMoves(p P, depth int, alpha, beta float64) (best float64) {
	s.nodes++
	if s.limitReached() {
		return 0
	}
	s.last, s.hint = oxo.NoMove, s.first
	if s.trace != nil {
		s.trace.enterNode(p, s.last, alpha, beta)
	}
	s.pv.clearLine(0)
	turn := p.Turn()
	maximize := turn == oxo.First
	a, b := alpha, beta
	f := s.pushRootMoves(p, turn, depth)
	for i := f.first; i < f.last; i++ {
		m := s.moves[i]
		s.last = m
		q := p.Play(m)
		if s.o.Symmetry != NoSymmetry && s.g.Canonical != nil {
			c, again := s.classRepresentative(f, q)
			if again {
				continue
			}
			if s.merge {
				q = c
			}
		}
		if slices.Contains(s.excluded, m) {
			continue
		}
		v := s.decay * s.rootChildValue(q, depth-1, a, b, maximize)
		if s.halted {
			break
		}

		s.pv.prependMove(0, m)
		s.insertBestLine(Line{Move: m, Value: v, PV: s.pv.lineFrom(0)}, maximize)
		if len(s.lines) == s.want {
			if last := s.lines[s.want-1].Value; maximize {
				a = max(alpha, last)
			} else {
				b = min(beta, last)
			}
		}
		if a >= b {
			s.recordCutoff(turn, f, i, depth)
			break
		}
	}
	if s.halted || len(s.lines) == 0 {
		return 0
	}
	line := s.lines[0]
	s.storeAndTraceValue(p, depth, alpha, beta, line.Value, line.Move)
	s.popMoves(f)
	return line.Value
}

// rootChildValue returns the value of q, a child of the root. The scouting algorithms
// ask with a null window first whether it is better than the best so far.
func (s driver[P]) rootChildValue(q P, depth int, alpha, beta float64, maximize bool) float64 {
	m := s.last
	if s.scout && len(s.lines) == s.want {
		low, high := alpha, justAbove(alpha)
		if !maximize {
			low, high = justBelow(beta), beta
		}
		if v := s.value(q, depth, low, high); s.halted || v <= alpha || v >= beta {
			return v
		}
		s.last = m
	}
	return s.value(q, depth, alpha, beta)
}

// pushRootMoves is pushMoves for the root: it starts from empty stacks, and shuffles
// where asked to, but for the best move of the last iteration.
func (s driver[P]) pushRootMoves(p P, turn oxo.Seat, depth int) frame {
	s.moves, s.kids = s.moves[:0], s.kids[:0]
	f := s.pushMoves(p, turn, depth)
	moves := s.moves[f.first:f.last]
	if s.o.Shuffle != nil {
		s.o.Shuffle.Shuffle(len(moves), func(i, j int) { moves[i], moves[j] = moves[j], moves[i] })
		if i := slices.Index(moves, s.first); i > 0 {
			moves[0], moves[i] = moves[i], moves[0]
		}
	}
	return f
}

// insertBestLine puts a line behind those that are as good, and keeps as many as are wanted.
func (s driver[P]) insertBestLine(l Line, maximize bool) {
	at := len(s.lines)
	for at > 0 && s.isBetter(l.Value, s.lines[at-1].Value, maximize) {
		at--
	}
	if at < s.want {
		s.lines = slices.Insert(s.lines, at, l)
		s.lines = s.lines[:min(s.want, len(s.lines))]
	}
}

// resultWithoutMoves is search where there is no move to choose: the game is over or
// chance moves.
func (s driver[P]) resultWithoutMoves(p P) Result {
	s.depth = cmp.Or(s.o.Depth, toTheEnd)
	s.pv.growToDepth(s.maxLineLength(s.depth))
	s.last = oxo.NoMove
	v := s.value(p, s.depth, math.Inf(-1), math.Inf(1))
	if s.halted {
		return answers[P](s).assembleResult(p, nil, false)
	}
	return answers[P](s).assembleResult(p, []Line{{Move: oxo.NoMove, Value: v}}, true)
}
