package search

import (
	"slices"

	"oxo"
)

// answers puts together what a search has found out.
type answers[P oxo.Position[P]] struct{ *run[P] }

// assembleResult puts together what is known. Without lines the first legal move has
// to do.
func (s answers[P]) assembleResult(p P, lines []Line, complete bool) Result {
	r := Result{
		Move:     oxo.NoMove,
		Proven:   s.bounds,
		Nodes:    s.nodes,
		Complete: complete,
	}
	if s.table != nil {
		r.Stored = s.table.Stored()
	}
	if s.depth < toTheEnd {
		r.Depth = s.depth
	}
	if len(lines) == 0 {
		r.Value = s.bounds.Clamp(0)
		if p.Outcome() == oxo.Ongoing && p.Turn() != oxo.Chance {
			r.Move = p.Moves(nil)[0]
			r.PV = []oxo.Move{r.Move}
			r.Lines = []Line{{Move: r.Move, Value: r.Value, PV: r.PV}}
		}
	} else {
		best := lines[0]
		r.Value = best.Value + 0 // no negative zero
		r.Move = best.Move
		if best.Move != oxo.NoMove {
			for _, l := range lines {
				l.Value += 0
				l.PV = s.translateLineFromClasses(p, s.extendLineFromTable(p, l.PV, l.Value))
				r.Lines = append(r.Lines, l)
			}
			r.PV = r.Lines[0].PV
		}
		r.Proven = s.provenInterval(p, r.Value, complete)
	}
	r.Score = p.Turn().Score(r.Value)
	if s.trace != nil && s.o.Leaves && s.err == nil {
		r.Evaluated, r.Pruned, s.err = leavesEvaluatedAndPruned(s.g, p, s.trace, s.depth, s.horizonEstimate)
	}
	return r
}

// provenInterval returns where the value of p lies, given what the search returned for
// it: exactly there if the search looked to the end of every line or the value
// is at a bound; an incomplete search has at least found the value of one move.
func (s answers[P]) provenInterval(p P, v float64, complete bool) oxo.Interval {
	maximize := p.Turn() == oxo.First
	switch {
	case s.decay != 1:
		return s.bounds
	case complete && !s.horizon:
		return oxo.Exactly(v)
	case maximize && v >= s.bounds.Hi || !maximize && v <= s.bounds.Lo:
		return oxo.Exactly(v)
	case complete && (v >= s.bounds.Hi || v <= s.bounds.Lo):
		return oxo.Exactly(v)
	case s.horizon:
		return s.bounds
	case maximize:
		return oxo.Interval{Lo: v, Hi: s.bounds.Hi}
	}
	return oxo.Interval{Lo: s.bounds.Lo, Hi: v}
}

// extendLineFromTable goes on with a line of play that ended at a node answered from memory,
// by the best moves that memory knows for positions of the same value.
func (s answers[P]) extendLineFromTable(p P, pv []oxo.Move, value float64) []oxo.Move {
	if s.fast {
		for _, m := range pv {
			p = p.Play(m)
		}
		return append(pv, s.lineByGameKernel(p, value)...)
	}
	if s.table == nil || s.level != everyPly || s.decay != 1 {
		return pv
	}
	step := func(m oxo.Move) {
		if p = p.Play(m); s.merge {
			p = s.g.Representative(p)
		}
	}
	for _, m := range pv {
		step(m)
	}
	for len(pv) < maxLine && p.Outcome() == oxo.Ongoing {
		e := s.table.find(p)
		if e == nil || e.lo != value || e.hi != value || e.move == oxo.NoMove {
			break
		}
		pv = append(pv, e.move)
		step(e.move)
	}
	return pv
}

// translateLineFromClasses returns a line of play in p's own squares, where the search went
// on in class representatives: each move is replaced by one that leads to the
// same class. It ends where there is none, as representatives are any members of their
// classes once the search has been called off.
func (s answers[P]) translateLineFromClasses(p P, pv []oxo.Move) []oxo.Move {
	if !s.merge || len(pv) == 0 {
		return pv
	}
	line := []oxo.Move{pv[0]}
	p = p.Play(pv[0])
	for _, m := range pv[1:] {
		at := s.g.Representative(p)
		if at.Outcome() != oxo.Ongoing || !slices.Contains(at.Moves(nil), m) {
			return line
		}
		class := s.g.Representative(at.Play(m))
		moves := p.Moves(nil)
		i := slices.IndexFunc(moves, func(own oxo.Move) bool { return s.g.Representative(p.Play(own)) == class })
		if i < 0 {
			return line
		}
		line = append(line, moves[i])
		p = p.Play(moves[i])
	}
	return line
}
