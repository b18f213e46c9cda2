package typed

import (
	"sync"

	"oxo"
)

// randomWorth is what random games are worth on average, to First, by class of position. It is
// for games that end and have few positions.
type randomWorth[P oxo.Position[P]] struct {
	mu sync.Mutex
	by map[P]float64
}

// of returns what looks up a position.
func (r *randomWorth[P]) of(g *oxo.Game[P]) func(p P) float64 {
	return func(p P) float64 {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.by == nil {
			r.by = map[P]float64{}
		}
		return r.worth(g, p)
	}
}

func (r *randomWorth[P]) worth(g *oxo.Game[P], p P) float64 {
	if p.Outcome() != oxo.Ongoing {
		return g.Worth(p)
	}
	p = g.Class(p)
	if v, ok := r.by[p]; ok {
		return v
	}
	moves := p.Moves(nil)
	v := 0.0
	for _, m := range moves {
		odds := 1 / float64(len(moves))
		if p.Turn() == oxo.Chance {
			odds = g.Odds(p, m)
		}
		v += odds * r.worth(g, p.Play(m))
	}
	r.by[p] = v
	return v
}
