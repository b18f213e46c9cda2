package judge

import (
	"context"
	"slices"

	"oxo"
	"oxo/board"
	"oxo/prove/certificate"
)

// Strategies are the positions that checked proofs of a game lead to, symmetric images as one, and
// what each is worth at least or at most. They are filled once and then only read, which several
// goroutines may do.
// The map at has, by the representative of a class, where the worth to First is shown to lie.
type Strategies[P oxo.Position[P]] struct {
	game *oxo.Game[P]
	at   map[P]oxo.Interval

	// Ends are how many marks there are at most, in games that mark a square a ply, when a side has won that
	// is shown to win; 0 where that is not shown. Marks counts those of a position.
	Ends  [2]int
	Marks func(p P) int
}

// mostHeld is how many positions of proofs are held.
const mostHeld = 500_000

// NewStrategies returns a set of strategies that holds no position yet, to be filled by AddProof and AddLowerBound.
func NewStrategies[P oxo.Position[P]](g *oxo.Game[P]) *Strategies[P] {
	return &Strategies[P]{game: g, at: map[P]oxo.Interval{}}
}

// AddProof takes up the positions of a proof that was checked. PositionOf returns the position with these marks
// and the side to move. The positions are those that the claims' strategies reach against every reply
// listed, the root among them, until mostHeld are held. Of a claim without a strategy, or of a game
// in which a side does not place marks of its own, only the root is taken up.
func (s *Strategies[P]) AddProof(p *certificate.Proof, positionOf func(marks [2]board.Set, turn oxo.Seat) (P, error)) {
	root := p.Game
	for i := range p.Claims {
		c := &p.Claims[i]
		if c.Nodes.Len() == 0 || root.Rules.Place != board.Own {
			s.addPosition(p, c, root.Marks, root.Turn, positionOf)
			continue
		}
		w := &strategyWalk[P]{s: s, p: p, c: c, place: positionOf, seen: make([]bool, c.Nodes.Len())}
		w.seen[0] = true
		w.visitNode(0, root.Marks, root.Turn)
		for len(w.todo) > 0 && len(s.at) < mostHeld {
			at := w.todo[len(w.todo)-1]
			w.todo = w.todo[:len(w.todo)-1]
			w.visitNode(at.node, at.marks, c.Seat)
		}
	}
}

// addPosition takes up the position with these marks and this side to move as won, or held, by the claim's side.
func (s *Strategies[P]) addPosition(proof *certificate.Proof, claim *certificate.Claim, marks [2]board.Set,
	turn oxo.Seat, positionOf func([2]board.Set, oxo.Seat) (P, error)) {
	if p, err := positionOf(marks, turn); err == nil { // else one that the game can't have, at the end of a strategy
		s.AddLowerBound(p, claim.Seat, certainlyWins(proof, claim))
	}
}

// certainlyWins reports whether a claim's side wins: by the claim, or as it does not lose a game
// without draws.
func certainlyWins(p *certificate.Proof, c *certificate.Claim) bool {
	return c.Wins || p.Game.Rules.Full != oxo.Drawn
}

// AddLowerBound takes up a position in which a side is shown to win, or else not to lose. It narrows what other
// claims have shown of the same position: a side that does not lose by one and the other that does not
// by another make a draw. Positions at the end of a game are not held.
func (s *Strategies[P]) AddLowerBound(p P, seat oxo.Seat, wins bool) {
	if p.Outcome() != oxo.Ongoing {
		return
	}
	lo, hi := s.game.PayoffBounds()
	class := s.game.Representative(p)
	known, ok := s.at[class]
	if !ok {
		known = oxo.Interval{Lo: lo, Hi: hi}
	}
	s.at[class] = known.WithLeast(seat, scoreLowerBound(wins))
}

// scoreLowerBound is what a side that wins, or else does not lose, gets at least, as it sees it itself.
func scoreLowerBound(wins bool) float64 {
	if wins {
		return 1
	}
	return 0
}

// Interval returns where a position's value is shown to lie, or false where nothing is shown.
func (s *Strategies[P]) Interval(p P) (known oxo.Interval, ok bool) {
	known, ok = s.at[s.game.Representative(p)]
	return known, ok
}

// MaxPliesToWin returns within how many plies the winner is shown to win in a position that is held; 0 where none shows
// it.
func (s *Strategies[P]) MaxPliesToWin(p P, winner oxo.Seat) int {
	if s.Ends[winner] == 0 {
		return 0
	}
	return max(0, s.Ends[winner]-s.Marks(p))
}

// known is what is shown of a position, or false where nothing is.
func (s *Strategies[P]) known(p P) (k Known, ok bool) {
	if k.Interval, ok = s.Interval(p); !ok {
		return k, false
	}
	switch {
	case k.Lo >= 1:
		k.Within = s.MaxPliesToWin(p, oxo.First)
	case k.Hi <= -1:
		k.Within = s.MaxPliesToWin(p, oxo.Second)
	}
	return k, true
}

// strategyWalk is one claim's walk. Every node is visited once, with the marks by which it was reached
// first, which bounds the walk by the size of the proof.
// Seen is by node; todo is a stack of nodes that were seen and are still to be visited.
type strategyWalk[P oxo.Position[P]] struct {
	s     *Strategies[P]
	p     *certificate.Proof
	c     *certificate.Claim
	place func([2]board.Set, oxo.Seat) (P, error)
	seen  []bool
	todo  []pendingNode
}

// pendingNode is a node to visit and the marks by which it was reached, by the node's own numbers of squares.
type pendingNode struct {
	node  int
	marks [2]board.Set
}

// visitNode takes up a node, whose marks are by its own numbers of squares, and where its
// replies lead. A node that stands for several positions comes with the marks of one of them,
// in which its moves and replies hold as long as their squares are free.
func (w *strategyWalk[P]) visitNode(node int, marks [2]board.Set, turn oxo.Seat) {
	w.s.addPosition(w.p, w.c, marks, turn, w.place)
	n, err := w.c.Nodes.At(node)
	if err != nil {
		return // so of it nothing is told
	}
	own, other := w.c.Seat, w.c.Seat.Other()
	switch {
	case turn != own:
	case marks[0].Or(marks[1]).Has(n.Square):
		return // the node stands for positions in which the side has fewer marks
	case n.Kind == certificate.Move:
		marks[own] = marks[own].With(n.Square)
		w.s.addPosition(w.p, w.c, marks, other, w.place)
	default:
		return // a line of threats, which is found again
	}
	if n.End != certificate.Open {
		return // what replies are listed lead nowhere
	}
	for _, r := range n.Replies {
		if w.seen[r.Node] || r.Square >= w.p.Game.Board.N {
			continue
		}
		w.seen[r.Node] = true
		if marks[0].Or(marks[1]).Has(r.Square) {
			continue
		}
		next := marks
		next[other] = next[other].With(r.Square)
		// The next node has numbers of squares of its own, into which the reply's permutation turns these.
		for seat := range next {
			next[seat] = next[seat].Image(w.p.Perms[r.Perm])
		}
		w.todo = append(w.todo, pendingNode{r.Node, next})
	}
}

// FromCertificates tells of positions that checked proofs hold; ready returns them, or nil where they
// are not at hand within the time. Nothing is searched: a position is looked up by its class, and so
// is each of those after its moves. A position that is not held costs nothing of the nodes.
func FromCertificates[P oxo.Position[P]](share float64, ready func(ctx context.Context) (*Strategies[P],
	error)) Source[P] {
	return Source[P]{Name: Certificate, Share: share, Ask: func(ctx context.Context, q *Query[P]) (bool, error) {
		q.unused = true
		s, err := ready(ctx)
		if s == nil || err != nil {
			return err == nil, err
		}
		if len(s.at) == 0 {
			return true, nil
		}
		if k, ok := s.known(q.Pos); ok {
			q.TellPosition(k)
		}
		for i, p := range q.After {
			if k, ok := s.known(p); ok {
				q.TellMove(i, k)
			}
		}
		return true, nil
	}}
}

// ByStrategyStealing tells that who moves first does not lose, in games where both sides want the same, all
// moves are free and an extra mark never hurts (see docs/proofs.md). It tells of the start position
// only: whoever moves second can't have a winning strategy there, as the first could play it himself,
// one mark ahead.
func ByStrategyStealing[P oxo.Position[P]]() Source[P] {
	return Source[P]{Name: Proof, Ask: func(_ context.Context, q *Query[P]) (bool, error) {
		if turn := q.Pos.Turn(); q.Pos == q.Game.Start {
			k := Known{Interval: q.answer.whole, Holding: &HoldingReason{Seat: turn, Stealing: true}}
			if turn == oxo.First {
				k.Lo = 0
			} else {
				k.Hi = 0
			}
			q.TellPosition(k)
		}
		return true, nil
	}}
}

// FindProof looks for a proof of what a position is worth in at most so many nodes, 0 for no limit; nil where it finds
// none.
type FindProof[P oxo.Position[P]] = func(ctx context.Context, p P, nodes uint64) (*certificate.Proof, error)

// ByNewProof tells what a proof found now shows, which find returns together with the first move of
// the strategy of a side that is to move and wins; nil where it finds nothing. Of the positions after the moves
// that are open it tells, in time, what needs no search, and where the worth is known what a short one shows. It is
// done only where the worth is known then: with more nodes find may find more.
func ByNewProof[P oxo.Position[P]](share float64, find FindProof[P]) Source[P] {
	return Source[P]{Name: Proof, Share: share, Ask: func(ctx context.Context, q *Query[P]) (bool, error) {
		_, inTime := ctx.Deadline()
		// Moves are looked at only in time, and only where more is asked than the position's worth or a move.
		moves := inTime && !q.Worth && !q.Choice
		if moves {
			// One node each shows what needs no search. This takes at most half of the time.
			half, cancel := splitDeadline(ctx, 2)
			_, err := q.proveMoves(half, find, 1)
			cancel()
			if err != nil {
				return true, err
			}
		}
		if !q.answer.Proven() {
			err := q.provePosition(ctx, find, q.Nodes)
			if err != nil || !q.answer.Proven() {
				return false, err
			}
		}
		for nodes := uint64(shortProof); moves && nodes <= longestProof; nodes *= 4 {
			if all, err := q.proveMoves(ctx, find, nodes); !all || err != nil {
				return false, err
			}
		}
		return true, nil
	}}
}

// provePosition tells of the position what find shows in so many nodes, 0 for no limit.
func (q *Query[P]) provePosition(ctx context.Context, find FindProof[P], nodes uint64) error {
	if q.answer.Proven() {
		return nil
	}
	p, err := find(ctx, q.Pos, nodes)
	if p == nil || err != nil {
		return err
	}
	known := Known{Interval: q.answer.whole}
	for i := range p.Claims { // strategy stealing first, which alone shows no draw
		c := &p.Claims[i]
		one := q.knownFromClaim(p, c)
		known.narrow(one)
		q.TellPosition(one)
	}
	q.tellProofMove(p, known)
	q.PublishFindings()
	return nil
}

// knownFromClaim says what a claim shows of the position that a proof is of.
func (q *Query[P]) knownFromClaim(p *certificate.Proof, c *certificate.Claim) Known {
	return Known{Interval: q.answer.whole.WithLeast(c.Seat, scoreLowerBound(certainlyWins(p, c))),
		Holding: holdingReason(p, c, certificate.Wait)}
}

// In how many positions a proof of the position after a move is looked for at first, and at last.
const (
	shortProof   = 20_000
	longestProof = 64 * shortProof
)

// proveMoves tells of the positions after open moves what find shows in so many nodes, and reports whether it had time
// for all. Of each it asks once, as more time shows no more.
func (q *Query[P]) proveMoves(ctx context.Context, find FindProof[P], nodes uint64) (inTime bool, err error) {
	defer q.PublishFindings()
	for _, i := range q.unprovenMoves(false) {
		if q.looked[i] >= nodes || q.After[i].Outcome() != oxo.Ongoing {
			continue
		}
		p, err := find(ctx, q.After[i], nodes)
		if ctx.Err() != nil {
			return false, nil // the next round looks again
		}
		if q.looked[i] = nodes; err != nil {
			return true, err
		}
		for k := 0; p != nil && k < len(p.Claims); k++ {
			q.TellMove(i, q.knownFromClaim(p, &p.Claims[k]))
		}
	}
	return true, nil
}

// holdingReason returns why the other side can't win any more once a claim's strategy, whose
// first node is of that kind, has begun; nil where play goes on.
func holdingReason(p *certificate.Proof, claim *certificate.Claim, firstNode certificate.NodeKind) *HoldingReason {
	if claim.Stealing && firstNode == certificate.Wait {
		return &HoldingReason{Seat: claim.Seat, Stealing: true}
	}
	if claim.Nodes.Len() == 0 {
		return nil
	}
	n, err := claim.Nodes.At(0)
	if err != nil || n.Kind != firstNode || n.End == certificate.Open {
		return nil
	}
	h := &HoldingReason{Seat: claim.Seat, By: n.End}
	for _, pair := range n.Pairs {
		h.Pairs = append(h.Pairs, [2]oxo.Move{oxo.Move(pair[0]), oxo.Move(pair[1])})
	}
	own := p.Game.Marks[claim.Seat]
	if firstNode == certificate.Move {
		own = own.With(n.Square)
	}
	h.More = n.End == certificate.Pairing && slices.ContainsFunc(p.Game.Board.Lines, func(l board.Line) bool {
		return !l.Need.Meets(own) && !slices.ContainsFunc(n.Pairs, func(pair [2]uint8) bool {
			return l.Need.Has(int(pair[0])) && l.Need.Has(int(pair[1]))
		})
	})
	return h
}

// tellProofMove tells of the first move of a proof's strategy for the side to move. The move keeps
// what the proof shows for the side to move; nothing is told where the proof's strategy promises it
// less than the claims together show.
func (q *Query[P]) tellProofMove(proof *certificate.Proof, known Known) {
	w, err := certificate.NewWalker(proof, q.Pos.Turn())
	if err != nil {
		return // strategy stealing has no move
	}
	m, _, err := w.Move()
	i := q.moveIndex(m)
	if err != nil || i < 0 {
		return
	}
	k := Known{Interval: q.answer.whole}
	for i := range proof.Claims {
		if proof.Claims[i].Seat == q.Pos.Turn() {
			k.Holding = holdingReason(proof, &proof.Claims[i], certificate.Move)
		}
	}
	if q.Pos.Turn() == oxo.First {
		k.Lo = known.Lo
	} else {
		k.Hi = known.Hi
	}
	if (w.Wins() || proof.Game.Rules.Full != oxo.Drawn) == (known.SeenBy(q.Pos.Turn()).Lo > 0) {
		q.TellMove(i, k)
	}
}
