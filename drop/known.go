package drop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
)

// positionKey keeps what is known of a position and of those that are the same by symmetry.
type positionKey struct{ high, low uint64 }

// scoreBounds are the least and the greatest score that a position can have.
type scoreBounds struct{ low, high int }

// mostKnown is of how many positions bounds are kept: then they begin anew.
const mostKnown = 1 << 16

// Of how many plies after a position that is asked about bounds are kept for SaveBounds, and of how many
// positions at most. A search that goes on needs those that had been finished, and few others.
const (
	trunkPlies = 10
	mostTrunk  = 200_000
)

// positionKey is the same for positions that symmetries of the board carry to each other.
func (s *Solver) positionKey(n node) (k positionKey) {
	k.high, k.low = s.g.classKey(n.own, n.other)
	return k
}

// rememberBounds keeps the bounds of a position that was asked about.
func (s *Solver) rememberBounds(n node, low, high int) {
	s.saving.Lock()
	defer s.saving.Unlock()
	if len(s.known) >= mostKnown {
		clear(s.known)
	}
	s.known[s.positionKey(n)] = scoreBounds{low, high}
}

// rememberNearRootBound keeps what a search against mid returned of a position a few plies after one that was asked
// about.
func (s *Solver) rememberNearRootBound(n node, bound, mid int) {
	k := s.positionKey(n)
	s.saving.Lock()
	defer s.saving.Unlock()
	b, ok := s.trunk[k]
	if !ok {
		if len(s.trunk) >= mostTrunk {
			return
		}
		b = scoreBounds{-worst, worst}
	}
	if bound > mid {
		b.low = max(b.low, bound)
	} else {
		b.high = min(b.high, bound)
	}
	s.trunk[k] = b
}

// reportProgress says how many positions have been searched, with so many that are not counted yet.
func (s *Solver) reportProgress(uncounted uint64) {
	if s.o.Progress != nil {
		s.o.Progress(s.nodes + uncounted)
	}
}

// savedBounds is what SaveBounds writes, as JSON: of each position the two words of its key, and
// its bounds.
type savedBounds struct {
	Game   string      `json:"game"` // its identity
	Keys   [][2]uint64 `json:"keys"`
	Bounds [][2]int    `json:"bounds"`
}

// SaveBounds writes the bounds of the positions that were asked about, and of those a few plies after them, from which
// a solver of the same game goes on.
func (s *Solver) SaveBounds(w io.Writer) error {
	saved := savedBounds{Game: s.game}
	s.saving.Lock()
	defer s.saving.Unlock()
	for _, of := range []map[positionKey]scoreBounds{s.trunk, s.known} {
		for k, b := range of {
			saved.Keys = append(saved.Keys, [2]uint64{k.high, k.low})
			saved.Bounds = append(saved.Bounds, [2]int{b.low, b.high})
		}
	}
	return json.NewEncoder(w).Encode(saved)
}

// LoadBounds reads what SaveBounds wrote. It is believed: only what can't be is refused.
func (s *Solver) LoadBounds(r io.Reader) error {
	var saved savedBounds
	if err := json.NewDecoder(r).Decode(&saved); err != nil {
		return fmt.Errorf("the search to go on from can't be read: %w", err)
	}
	switch {
	case saved.Game != s.game:
		return errors.New("the search to go on from is of another game")
	case len(saved.Keys) != len(saved.Bounds):
		return errors.New("the search to go on from is damaged")
	}
	for i, b := range saved.Bounds {
		if b[0] > b[1] || b[0] < -worst || b[1] > worst {
			return fmt.Errorf("the search to go on from says that a score is from %d to %d", b[0], b[1])
		}
		k := positionKey{saved.Keys[i][0], saved.Keys[i][1]}
		s.trunk[k] = scoreBounds{b[0], b[1]}
	}
	s.resumed = maps.Clone(s.trunk)
	return nil
}
