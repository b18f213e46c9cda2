package prove

import (
	"context"
	"sync/atomic"

	"oxo"
)

// team is what searches of the same question share, beside their table: how
// many of them are below each position, so that they spread out (virtual
// proof numbers, Kaneko 2010).
// Positions are counted by a part of their keys alone: two that share a place only keep searches
// apart more than they need be.
type team struct {
	below [1 << 16]atomic.Int32 // by key
	done  atomic.Bool           // one of them has decided the question
}

// virtualNumber returns the number of a child as a search that looks for work should
// see it: higher where others are at work.
// Each of them adds a quarter of the number and one. What is decided stays so.
func (s *search[S, Q]) virtualNumber(key uint64, number uint32) uint32 {
	if s.team == nil || number == 0 {
		return number
	}
	others := uint32(s.team.below[key%uint64(len(s.team.below))].Load())
	return min(number+others*(number/4+1), infinite)
}

// countSearchesBelow notes that the search goes below a position, or comes back.
func (s *search[S, Q]) countSearchesBelow(key uint64, delta int32) {
	if s.team != nil {
		s.team.below[key%uint64(len(s.team.below))].Add(delta)
	}
}

// refreshChild takes over what others have found about a child, and reports whether
// that changed its numbers.
// Numbers that less work went into than into those at hand are passed over.
func (s *search[S, Q]) refreshChild(c *child) (changed bool) {
	if s.team == nil {
		return false
	}
	e, ok := s.table.probe(c.key)
	if !ok || e.pn == c.pn && e.dn == c.dn || e.work <= c.work {
		return false
	}
	c.pn, c.dn, c.work = e.pn, e.dn, e.work
	return true
}

// fork returns a search of the same question that shares the table.
// All that changes during a search is the fork's own, but for the table, whose places are locked.
func (s *search[S, Q]) fork() *search[S, Q] {
	t := *s
	t.initThreatAndPairingSearches()
	y := *s.symmetry
	y.sums = make([]uint64, len(y.perms))
	t.symmetry = &y
	t.kids, t.near = nil, images[S]{}
	t.nodes = 0
	return &t
}

// runTeam goes on with the search with several workers for budget more
// positions in all.
// Each gets an equal share of it. The first that decides the question stops the others.
func (s *search[S, Q]) runTeam(ctx context.Context, budget uint64, workers int) verdict {
	for len(s.helpers) < workers-1 {
		s.helpers = append(s.helpers, s.fork())
	}
	t := &team{}
	crew := append([]*search[S, Q]{s}, s.helpers...)
	found := make([]verdict, len(crew))
	var wait oxo.Group
	for k, member := range crew {
		member.team = t
		wait.Go(func() {
			if found[k] = member.runAlone(ctx, budget/uint64(len(crew))); found[k] != open {
				t.done.Store(true)
			}
		})
	}
	wait.Wait()
	s.team = nil
	for k, member := range crew {
		if k > 0 {
			s.nodes += member.nodes
			member.nodes = 0
		}
		if found[k] != open {
			s.pn, s.dn = member.pn, member.dn
		}
	}
	return verdictOf(s.pn, s.dn)
}
