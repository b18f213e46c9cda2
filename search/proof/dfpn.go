// Package proof is search by proof numbers, generic over any game of wins, draws
// and losses without chance and circles: [Tree] keeps the tree, [Prover] a
// table of fixed size.
package proof

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"oxo"
)

// Prover answers by proof numbers whether a seat wins, depth first and within a
// table of fixed size. What it found out serves the questions after that.
//
// The attacker is the seat that is asked about; a draw is no win. As for pns a
// node has a proof number and a disproof number. The search goes down to the
// most-proving node and stays below a node until its numbers reach thresholds,
// beyond which the most-proving node is elsewhere; so it needs no tree, but a
// table of what the numbers of the positions were when it left them. It stays
// by a quarter longer than that (1+ε thresholds), as coming back costs more.
//
// A number that plainly would be a sum over a position's moves is here the
// greatest of them and one for each other move that is not decided: a sum counts
// a position once for each way that leads to it, which can put off a proof for
// ever. The first numbers of a position grow with the moves it has, as all of
// them must fail or, where the opponent is to move, be met, and with the square
// of the game's MinMovesToWin, where it tells one.
//
// Sources: Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its
// Applications, doctoral thesis, The University of Tokyo (2002); for the
// thresholds Pawlewicz and Lew, Improving Depth-First PN-Search: 1+ε Trick,
// Computers and Games (2006); for the greatest number instead of the sum Ueda,
// Hashimoto, Hashimoto and Iida, Weak Proof-Number Search, Computers and Games
// (2008); all in the survey of Kishimoto, Winands, Müller and Saito, Game-Tree
// Search Using Proof Numbers: The First Twenty Years, ICGA Journal 35 (2012).
type Prover[P oxo.Position[P]] struct {
	g     *oxo.Game[P]
	table proofTable[P]

	ctx      context.Context
	attacker oxo.Seat
	nodes    uint64
	maxNodes uint64
	pollAt   uint64
	halted   bool
	best     oxo.Move // of the root

	moves []oxo.Move
	kids  []proofKid[P] // of the nodes on the path
	depth int           // of the nodes on the path
}

// proofKid is a position after a move. Of its two numbers least is the one of
// which its parent's is the least, and total the other: where the attacker
// moves the proof and the disproof number, else the other way round.
type proofKid[P any] struct {
	p            P
	hash         uint64
	least, total uint32
	move         oxo.Move
}

// Status is the answer to a question about a position.
type Status uint8

// The verdicts.
const (
	Unknown   Status = iota // a limit came first
	Proven                  // yes
	Disproven               // no
)

// Answer is what a [Prover] found out.
type Answer struct {
	Verdict Status

	// Move is a move that wins or, where the attacker's opponent is to move, one
	// that keeps the attacker from it; where there is none, or none is known, it is
	// the one that is nearest to that.
	Move oxo.Move

	// Proof and Disproof are the proof and the disproof number, 0 where it is
	// done.
	Proof, Disproof uint32

	Nodes uint64 // calls of the recursive function

	Stopped string // which limit came first, where the verdict is unknown
}

// The limits that leave a question open.
const (
	LimitNodes  = "nodes"
	LimitMemory = "memory"
	LimitTime   = "time"
)

// limitOf is which limit ended a context; empty where it was cancelled.
func limitOf(ctx context.Context) string {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, oxo.ErrMemory):
		return LimitMemory
	case errors.Is(cause, context.DeadlineExceeded):
		return LimitTime
	}
	return ""
}

// Opposite is the answer to the opposite question.
func (a Answer) Opposite() Answer {
	if a.Verdict != Unknown {
		a.Verdict = Proven + Disproven - a.Verdict
	}
	a.Proof, a.Disproof = a.Disproof, a.Proof
	return a
}

// infinite is the proof number of what can't be proven, and most the greatest
// that a position has which can. A MinMovesToWin counts as farthest at most.
const (
	infinite = math.MaxUint32
	most     = 1 << 30
	farthest = 100

	defaultBytes = 32 << 20
	pollEvery    = 1024 // nodes between two looks at the context
)

// NewProver returns a prover for g whose table takes at most the given number of
// bytes; 0 is 32 MiB. It refuses games with chance, with payoffs, and those in
// which play can go in circles.
func NewProver[P oxo.Position[P]](g *oxo.Game[P], bytes int) (*Prover[P], error) {
	if err := CheckSuitable(g); err != nil {
		return nil, fmt.Errorf("dfpn on %s: %w", g.Spec, err)
	}
	return &Prover[P]{g: g, table: newProofTable[P](cmp.Or(bytes, defaultBytes))}, nil
}

// Stored returns the number of positions in the table.
func (s *Prover[P]) Stored() int { return s.table.stored }

// Age lets what was found out so far give way to what comes.
func (s *Prover[P]) Age() { s.table.age++ }

// KnownNumbers returns the proof and the disproof number of p for that attacker, as
// far as the table knows them; else 0 and 0.
func (s *Prover[P]) KnownNumbers(p P, attacker oxo.Seat) (pn, dn uint32) {
	if e := s.table.find(&p, s.table.hash.Of(&p), attacker); e != nil {
		return e.pn, e.dn
	}
	return 0, 0
}

// CheckSuitable refuses games that proof numbers have nothing to say about.
func CheckSuitable[P oxo.Position[P]](g *oxo.Game[P]) error {
	switch {
	case g.Odds != nil:
		return fmt.Errorf("the game has chance nodes; use expectiminimax, star1, star2 or mcts")
	case g.Loopy():
		return fmt.Errorf("play can go in circles, where proof numbers prove nothing; give minimax a depth")
	case g.Payoff != nil:
		return fmt.Errorf("proof numbers tell wins, draws and losses, and this game has payoffs")
	}
	return nil
}

// Prove asks whether attacker wins from p. It gives up after maxNodes nodes,
// where that is not 0, and when ctx is done.
func (s *Prover[P]) Prove(ctx context.Context, p P, attacker oxo.Seat, maxNodes uint64) Answer {
	s.ctx, s.attacker, s.nodes, s.halted, s.best = oxo.WithPunctualDeadline(ctx), attacker, 0, false, oxo.NoMove
	if s.maxNodes = maxNodes; maxNodes == 0 {
		s.maxNodes = math.MaxUint64
	}
	s.pollAt = 0
	s.kids, s.depth = s.kids[:0], 0
	charge := oxo.NewCharge(ctx)
	charge.SetBytes(s.table.bytes())
	defer charge.SetBytes(0)
	var a Answer
	if out := p.Outcome(); out != oxo.Ongoing {
		a.Proof, a.Disproof = numbersOfDecided(out == oxo.WinFor(attacker))
	} else if h := s.table.hash.Of(&p); p.Turn() == attacker {
		a.Proof, a.Disproof = s.searchToThresholds(p, h, infinite, infinite, true)
	} else {
		a.Disproof, a.Proof = s.searchToThresholds(p, h, infinite, infinite, true)
	}
	a.Nodes, a.Move = s.nodes, s.best
	switch {
	case a.Proof == 0:
		a.Verdict = Proven
	case a.Disproof == 0:
		a.Verdict = Disproven
	case s.nodes >= s.maxNodes:
		a.Stopped = LimitNodes
	default:
		a.Stopped = limitOf(s.ctx)
	}
	s.ctx = nil
	return a
}

// numbersOfDecided returns the numbers of what is decided.
func numbersOfDecided(won bool) (pn, dn uint32) {
	if won {
		return 0, infinite
	}
	return infinite, 0
}

// searchToThresholds searches p, which is ongoing, until one of its numbers reaches its
// threshold or a limit is met: least, which is the least of its moves', or total.
func (s *Prover[P]) searchToThresholds(p P, hash uint64, leastThreshold, totalThreshold uint32,
	root bool) (least, total uint32) {
	s.countNode()
	began := s.nodes
	attacks := p.Turn() == s.attacker
	first := len(s.kids)
	s.appendKids(p, attacks)
	s.depth++
	best := first
	for {
		var second, open uint32
		best, second, open, total = s.combineKidNumbers(first)
		least = s.kids[best].least
		switch {
		case least == 0:
			total = infinite
		case least == infinite:
			total = 0
		}
		if least >= leastThreshold || total >= totalThreshold || s.halted {
			break
		}
		if s.refreshKidFromTable(best, attacks) {
			continue
		}
		q, key := s.kids[best].p, s.kids[best].hash
		near, far := uint32(min(uint64(leastThreshold), uint64(second)+1+uint64(second)/4)), totalThreshold-(open-1)
		if attacks == (q.Turn() == s.attacker) {
			near, far = s.searchToThresholds(q, key, near, far, false)
		} else {
			far, near = s.searchToThresholds(q, key, far, near, false)
		}
		s.kids[best].least, s.kids[best].total = near, far
	}
	s.depth--
	if root {
		s.best = s.kids[best].move
	}
	s.kids = s.kids[:first]
	pn, dn := least, total
	if !attacks {
		pn, dn = total, least
	}
	s.table.store(p, hash, s.attacker, pn, dn, s.nodes-began+1)
	return least, total
}

// countNode counts a node and looks at the limits.
func (s *Prover[P]) countNode() {
	s.nodes++
	if s.nodes >= s.maxNodes {
		s.halted = true
	}
	if s.nodes >= s.pollAt {
		s.pollAt = s.nodes + pollEvery
		s.halted = s.halted || s.ctx.Err() != nil
	}
}

// combineKidNumbers returns which of the kids from first on has the least number, the least of
// the others, how many are not decided, and their total.
func (s *Prover[P]) combineKidNumbers(first int) (leastKid int, secondLeast, undecided, total uint32) {
	leastKid, secondLeast = first, infinite
	kids := s.kids[first:]
	for i := range kids {
		k := &kids[i]
		if k.total != 0 {
			undecided++
			total = max(total, k.total)
		}
		if i == 0 {
			continue
		}
		if b := &s.kids[leastKid]; k.least < b.least || k.least == b.least && k.total < b.total {
			secondLeast = b.least
			leastKid = first + i
		} else {
			secondLeast = min(secondLeast, k.least)
		}
	}
	return leastKid, secondLeast, undecided, min(total+undecided-1, most)
}

// appendKids appends the positions after the moves of p to s.kids; only one of them
// where that decides p.
func (s *Prover[P]) appendKids(p P, attackerMoves bool) {
	s.moves = s.g.OngoingMoves(p, s.moves[:0])
	if s.depth >= s.g.MaxPlies {
		panic(s.g.OngoingFault(p, len(s.moves), s.depth))
	}
	first := len(s.kids)
	for i := range s.moves {
		m := s.moves[i]
		q := p.Play(m)
		h := s.table.hash.Of(&q)
		least, total := s.initialNumbers(q, h)
		if !attackerMoves {
			least, total = total, least
		}
		if least == 0 {
			s.kids = s.kids[:first]
		}
		s.kids = append(s.kids, proofKid[P]{q, h, least, total, m})
		if least == 0 {
			return
		}
	}
}

// initialNumbers returns the numbers of p, whose hash is h, without searching it.
func (s *Prover[P]) initialNumbers(p P, h uint64) (pn, dn uint32) {
	if out := p.Outcome(); out != oxo.Ongoing {
		return numbersOfDecided(out == oxo.WinFor(s.attacker))
	}
	if s.g.WinsNow != nil && s.g.WinsNow(p) {
		return numbersOfDecided(p.Turn() == s.attacker)
	}
	if e := s.table.find(&p, h, s.attacker); e != nil {
		return e.pn, e.dn
	}
	far := 1
	if s.g.MinMovesToWin != nil {
		if far = s.g.MinMovesToWin(p, s.attacker); far >= oxo.Never {
			return numbersOfDecided(false)
		}
		far = max(1, min(far, farthest))
	}
	weight := uint32(far * far)
	count := s.countMoves(p)
	if p.Turn() == s.attacker {
		return weight, count
	}
	return max(1, weight*(2+count)/4), 1
}

// countMoves returns how many moves p has.
func (s *Prover[P]) countMoves(p P) uint32 {
	if s.g.Perft != nil {
		return uint32(s.g.Perft(p, 1))
	}
	n := len(s.moves)
	s.moves = p.Moves(s.moves)
	count := len(s.moves) - n
	s.moves = s.moves[:n]
	return uint32(count)
}

// refreshKidFromTable brings a kid up to date with the table, where another way to it may
// have led on, and reports whether that changed it.
func (s *Prover[P]) refreshKidFromTable(kid int, attackerMoves bool) (changed bool) {
	k := &s.kids[kid]
	e := s.table.find(&k.p, k.hash, s.attacker)
	if e == nil {
		return false
	}
	least, total := e.pn, e.dn
	if !attackerMoves {
		least, total = total, least
	}
	if k.least == least && k.total == total {
		return false
	}
	k.least, k.total = least, total
	return true
}
