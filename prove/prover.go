package prove

import (
	"context"
	"encoding/gob"
	"errors"

	"oxo"
	"oxo/board/bitset"
	"oxo/prove/certificate"
	"oxo/prove/pairing"
	"oxo/threats"
)

// verdict is what a search has found about its attacker.
type verdict int8

const (
	disproved verdict = -1 // he cannot win
	open      verdict = 0
	proved    verdict = 1 // he wins
)

// task is one question about a game: does seat win? A relaxed task ignores the
// lines of the other side, a narrow one tries only some of the moves of seat, a
// mirrored one only the images of the other side's. Neither "proved" of a relaxed
// task nor "disproved" of a narrow or mirrored one counts.
type task struct {
	seat    oxo.Seat
	relaxed bool
	width   int // 0 for all moves
	defends bool
	mirror  bool
}

// searcher is a search without its type parameters.
// Those parameters are the size of the board and the number of its lines, by which [newSearcher]
// chooses; nobody else implements it.
type searcher interface {
	run(ctx context.Context, budget uint64, workers int) verdict
	bytes() int64
	proofNumbers() (pn, dn uint32, nodes uint64)
	setSearchesBefore(ahead int)
	fillSavedQuestion(to *savedQuestion, leastWork uint32, freshOnly bool)
	addEntrySizesByWork(*[33]int64)
	saveEntries(out *gob.Encoder, leastWork uint32, freshOnly bool) error
	loadEntries(*gob.Decoder, savedQuestion) error
	joinEntries(*gob.Decoder, savedQuestion) error
	extractStrategy(ctx context.Context, perms *permutationList, memory int64,
		nodesOn certificate.Disk) (certificate.Claim, error)
}

// newSearcher returns a search for t on g that takes about the given number of bytes.
// Small boards get small sets, which is most of the speed.
func newSearcher(g *certificate.Setup, t task, bytes int64) (searcher, error) {
	b := threats.FromBoard(g.Board)
	switch n, words := b.Squares, b.Words(); {
	case n <= 64 && words <= 4:
		return newSearch[[1]uint64, [4]uint64](g, b, t, bytes)
	case n <= 64 && words <= 8:
		return newSearch[[1]uint64, [8]uint64](g, b, t, bytes)
	case n <= 64 && words <= 16:
		return newSearch[[1]uint64, [16]uint64](g, b, t, bytes)
	case n <= 128 && words <= 64:
		return newSearch[[2]uint64, [64]uint64](g, b, t, bytes)
	case words <= 256:
		return newSearch[[4]uint64, [256]uint64](g, b, t, bytes)
	default:
		return newSearch[[4]uint64, [1024]uint64](g, b, t, bytes)
	}
}

// newSearch returns the search of one question, with so many bytes for its table.
func newSearch[S bitset.Squares, Q threats.Lines](
	game *certificate.Setup, b threats.Board, t task, bytes int64,
) (searcher, error) {
	g, err := threats.NewGeometry[S, Q](b)
	if err != nil {
		return nil, err
	}
	perms := certificate.Automorphisms(game.Board)
	s := &search[S, Q]{
		searchRules:  newSearchRules(g, game, t, perms),
		symmetry:     newSymmetry[S](g.N, perms),
		table:        newTable[S](bytes),
		task:         t,
		limit:        100_000,
		tries:        4,
		pairingNodes: 100,
	}
	s.initThreatAndPairingSearches()
	if t.relaxed {
		s.tries, s.pairingNodes = 8, 1000
	}
	s.symmetry.computeImages(&s.none, [3]S{})
	s.turn = attacker
	if game.Turn != t.seat {
		s.turn = defender
	}
	s.empty = g.EmptyBoard(s.able)
	s.root = s.empty
	for side, seat := range [2]oxo.Seat{attacker: t.seat, defender: t.seat.Other()} {
		if game.Shared() {
			seat = oxo.Seat(side)
		}
		for i := range game.Marks[seat].All() {
			g.Play(&s.root, side, i)
		}
	}
	s.open = s.root.Free
	s.removeDeadSquares(&s.root)
	return s, nil
}

// initThreatAndPairingSearches gives the search its own searches for threats and pairings.
func (s *search[S, Q]) initThreatAndPairingSearches() {
	s.threats = threats.NewSearch(s.g, logRefuted)
	s.threats.Mode = threats.Useful
	s.slower = threats.NewSlowerSearch(s.threats, logRefuted)
	s.pairings = pairing.New(s.g)
}

// patientPairing is how many nodes a search for a pairing takes where it is worth
// much.
const patientPairing = 10_000

// logRefuted is the size of the table of refuted threats: small enough for a
// cache near the processor, which is worth more than fewer positions.
const logRefuted = 16

// run goes on with the search for budget more positions.
// It may be called again as long as the answer is open, and goes on from the same table.
func (s *search[S, Q]) run(ctx context.Context, budget uint64, workers int) verdict {
	if workers > 1 {
		return s.runTeam(ctx, budget, workers)
	}
	return s.runAlone(ctx, budget)
}

// runAlone searches for so many nodes. The searches of its round that come before it count as under
// way on the best paths, so that it goes other ways.
func (s *search[S, Q]) runAlone(ctx context.Context, budget uint64) verdict {
	s.ctx, s.budget, s.halted = ctx, s.nodes+budget, false
	if s.ahead > 0 {
		s.team = &team{}
		defer func() { s.team = nil }()
		for range s.ahead {
			s.countBestPathAsSearched()
		}
	}
	s.pn, s.dn = s.searchRoot(&s.root, s.turn)
	return verdictOf(s.pn, s.dn)
}

// verdictOf returns what proof numbers of a root say.
func verdictOf(pn, dn uint32) verdict {
	switch {
	case pn == 0:
		return proved
	case dn == 0:
		return disproved
	}
	return open
}

// bytes returns what the tables of the search take.
func (s *search[S, Q]) bytes() int64 {
	return s.table.bytes() + 8*int64(len(s.threats.Refuted)+len(s.slower.Refuted))
}

// proofNumbers returns the numbers of the root as they were found last, and how many positions were
// searched in all.
func (s *search[S, Q]) proofNumbers() (pn, dn uint32, nodes uint64) { return s.pn, s.dn, s.nodes }

// searchRoot searches p, side to move and normalized, until it is decided or the
// limits end it.
// What decides the root without a search is tried first: threats, and a patient look for a pairing
// the first time.
func (s *search[S, Q]) searchRoot(p *threats.State[S, Q], side int) (pn, dn uint32) {
	if side == defender {
		pn, dn, _ = s.evaluateDefenderNode(p)
	} else {
		if !s.plain && s.threats.FindWin(p, attacker, s.limit) {
			return 0, infinite
		}
		pn, dn = s.evaluateAttackerNode(p)
		if s.defends && s.nodes == 0 && s.pairings.FindPairing(p, patientPairing) {
			return infinite, 0
		}
	}
	if pn == 0 || dn == 0 {
		return pn, dn
	}
	key, perm := s.canonical(p, side, &s.none)
	q := *p
	if perm != 0 {
		q = s.permutedState(p, perm)
	}
	if side == attacker {
		return s.searchAttacker(&q, key, infinite, infinite, 0)
	}
	return s.searchDefender(&q, key, infinite, infinite, 0)
}

// errLost is the error of a strategy that can't be written down: the table has forgotten the
// position, and the limits of its searches now come out otherwise.
var errLost = errors.New("a position that was decided could not be decided again")
