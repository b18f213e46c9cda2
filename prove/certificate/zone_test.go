package certificate_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/judge"
	"oxo/prove/certificate"
)

// strategist makes strategies in which nodes stand for several positions, by looking at all games.
type strategist struct {
	*rand.Rand
	game  certificate.Setup
	perms [][]uint8
	seat  oxo.Seat
	wins  bool
	zones int // edges that led to another position than the ones before
	known map[look]bool
}

type marks struct{ own, opp, free board.Set }

type look struct {
	marks
	turn bool
}

func (s *strategist) owns(set board.Set, seat oxo.Seat) bool {
	return s.game.Rules.Tested[seat] && slices.ContainsFunc(s.game.Board.Lines, func(l board.Line) bool {
		return set.Holds(l.Need)
	})
}

func (s *strategist) suits(o oxo.Outcome) bool {
	if s.wins {
		return o == oxo.WinFor(s.seat)
	}
	return o != oxo.WinFor(s.seat.Other())
}

// holds reports whether the claim holds of a position by all play; turn is whether the seat moves.
func (s *strategist) holds(p marks, turn bool) (good bool) {
	switch {
	case s.owns(p.opp, s.seat.Other()):
		return false
	case s.owns(p.own, s.seat):
		return true
	case p.free.Empty():
		return s.suits(s.game.Rules.Full)
	}
	key := look{p, turn}
	if good, ok := s.known[key]; ok {
		return good
	}
	good = !turn
	for sq := range p.free.All() {
		if s.holds(p.after(sq, turn), !turn) == turn {
			good = turn
			break
		}
	}
	s.known[key] = good
	return good
}

func (p marks) after(sq int, own bool) marks {
	p.free = p.free.Without(sq)
	if own {
		p.own = p.own.With(sq)
	} else {
		p.opp = p.opp.With(sq)
	}
	return p
}

// normal returns p without the squares in no line that a side can still own.
func (s *strategist) normal(p marks) marks {
	var live board.Set
	for _, l := range s.game.Board.Lines {
		if s.game.Rules.Tested[s.seat] && p.own.Or(p.free).Holds(l.Need) ||
			s.game.Rules.Tested[s.seat.Other()] && p.opp.Or(p.free).Holds(l.Need) {
			live = live.Or(l.Need)
		}
	}
	return marks{p.own.And(live), p.opp.And(live), p.free.And(live)}
}

// worst returns the position that is no better than either.
func (p marks) worst(q marks) marks {
	own, opp := p.own.Or(p.free).And(q.own.Or(q.free)), p.opp.Or(p.free).Or(q.opp).Or(q.free)
	return marks{own.Minus(opp), opp.Minus(own), own.And(opp)}
}

// strategy returns nodes by layers: each reply joins a node of the next layer where the claim still
// holds in the worst of its positions, or makes one.
func (s *strategist) strategy() (nodes []certificate.Node) {
	g := &s.game
	start := s.normal(marks{free: g.Board.Squares()})
	if start.free.Empty() {
		return nil
	}
	layer := []marks{start}
	for len(layer) > 0 && len(nodes) < 200 {
		var next []marks
		first := len(nodes) + len(layer)
		for _, p := range layer {
			n := certificate.Node{Kind: certificate.Wait}
			if len(nodes) > 0 || g.Turn == s.seat {
				p = s.normal(p)
				n.Kind = certificate.Move
				var good []int
				for sq := range p.free.All() {
					if s.owns(p.own.With(sq), s.seat) {
						n.Kind, n.Line = certificate.Line, []uint8{uint8(sq)}
					}
					if s.holds(p.after(sq, true), false) {
						good = append(good, sq)
					}
				}
				if n.Kind == certificate.Move {
					if len(good) == 0 {
						return nil
					}
					n.Square = good[s.IntN(len(good))]
					p = p.after(n.Square, true)
				}
			}
			for sq := range p.free.All() {
				q := s.normal(p.after(sq, false))
				if n.Kind == certificate.Line || q.free.Empty() && s.suits(g.Rules.Full) {
					continue
				}
				to, perm := s.join(q, &next)
				n.Replies = append(n.Replies, certificate.ReplyNode{Square: sq, Perm: perm, Node: first + to})
			}
			nodes = append(nodes, n)
		}
		layer = next
	}
	return nodes
}

func (s *strategist) join(q marks, next *[]marks) (to, perm int) {
	for range 6 {
		if len(*next) == 0 {
			break
		}
		to, perm := s.IntN(len(*next)), s.IntN(len(s.perms))
		image := marks{mapped(q.own, s.perms[perm]), mapped(q.opp, s.perms[perm]), mapped(q.free, s.perms[perm])}
		both := image.worst((*next)[to])
		if x := s.normal(both); !x.free.Empty() && !s.owns(both.opp, s.seat.Other()) && s.holds(x, true) {
			if image != (*next)[to] {
				s.zones++
			}
			(*next)[to] = both
			return to, perm
		}
	}
	*next = append(*next, q)
	return len(*next) - 1, 0
}

func mapped(set board.Set, perm []uint8) (image board.Set) {
	for sq := range set.All() {
		image = image.With(int(perm[sq]))
	}
	return image
}

// newGame draws a game and a claim that may hold of it.
func (s *strategist) newGame(t *testing.T) {
	n := 4 + s.IntN(4)
	var lines [][]int
	for range 2 + s.IntN(6) {
		line := s.Perm(n)[:2+s.IntN(2)]
		slices.Sort(line)
		if !slices.ContainsFunc(lines, func(l []int) bool { return slices.Equal(l, line) }) {
			lines = append(lines, line)
		}
	}
	if s.IntN(3) == 0 {
		n = 9
		lines = [][]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}
	}
	b, err := board.New(n, lines)
	if err != nil {
		t.Fatal(err)
	}
	rules := []board.Rules{board.Normal, board.Maker, board.Breaker}[s.IntN(3)]
	s.game = certificate.Setup{Board: b, Rules: rules, Turn: oxo.Seat(s.IntN(2))}
	s.seat, s.wins, s.known, s.zones = oxo.Seat(s.IntN(2)), s.IntN(2) == 0, map[look]bool{}, 0
	s.perms = [][]uint8{certificate.Identity(n)}
	for range 200 {
		perm := make([]uint8, n)
		for i, j := range s.Perm(n) {
			perm[i] = uint8(j)
		}
		if n == 9 { // a turn of the square, or a reflection and a turn
			perm = [][]uint8{{2, 5, 8, 1, 4, 7, 0, 3, 6}, {2, 1, 0, 5, 4, 3, 8, 7, 6},
				{0, 3, 6, 1, 4, 7, 2, 5, 8}}[s.IntN(3)]
		}
		carries := !slices.ContainsFunc(b.Lines, func(l board.Line) bool {
			return !slices.ContainsFunc(b.Lines, func(m board.Line) bool { return m.Need == mapped(l.Need, perm) })
		})
		if carries && !slices.ContainsFunc(s.perms, func(p []uint8) bool { return slices.Equal(p, perm) }) {
			s.perms = append(s.perms, perm)
		}
	}
}

// proof returns the strategy as a file that was checked, nil where it does not hold.
func (s *strategist) proof(t *testing.T, nodes []certificate.Node) (p *certificate.Proof, zones int) {
	p = &certificate.Proof{Game: s.game, Perms: s.perms,
		Claims: []certificate.Claim{{Seat: s.seat, Wins: s.wins, Nodes: certificate.NodesOf(nodes...)}}}
	var file bytes.Buffer
	if _, err := p.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	r := check(t, file.Bytes())
	if !r.OK {
		return nil, 0
	}
	p, err := certificate.Read(bytes.NewReader(file.Bytes()), int64(file.Len()), nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, r.Zones
}

// vary leaves out replies and ends nodes by pairs where the checker allows it.
func (s *strategist) vary(t *testing.T, nodes []certificate.Node) []certificate.Node {
	for range 12 {
		other := slices.Clone(nodes)
		at := s.IntN(len(other))
		n := &other[at]
		switch k := s.IntN(3); {
		case n.Kind == certificate.Line:
			continue
		case k == 0 && len(n.Replies) > 0:
			i := s.IntN(len(n.Replies))
			n.Replies = slices.Delete(slices.Clone(n.Replies), i, i+1)
		case k == 1:
			n.End = certificate.Pairing
			squares := s.Perm(s.game.Board.N)
			for i := range s.IntN(len(squares)/2 + 1) {
				n.Pairs = append(n.Pairs, [2]uint8{uint8(squares[2*i]), uint8(squares[2*i+1])})
			}
			n.Replies = slices.Clone(n.Replies) // which are no edges, so may name any later node
			for i := range n.Replies {
				n.Replies[i].Node = len(other) - 1 - s.IntN(len(other)-1-at)
			}
		default:
			if s.game.Rules.Tested[s.seat] {
				squares := s.Perm(s.game.Board.N)
				n.Threats = append(slices.Clone(n.Threats), []uint8{uint8(squares[0]), uint8(squares[1])})
				if len(n.Replies) > 0 {
					i := s.IntN(len(n.Replies))
					n.Replies = slices.Delete(slices.Clone(n.Replies), i, i+1)
				}
			}
		}
		if p, _ := s.proof(t, other); p != nil {
			nodes = other
		}
	}
	return nodes
}

// playAll plays all replies after those of a path, and returns the number of games.
func playAll(t *testing.T, p *certificate.Proof, path []oxo.Move) (games int) {
	c := &p.Claims[0]
	w, err := certificate.NewWalker(p, c.Seat)
	if err != nil {
		t.Fatal(err)
	}
	for k := 0; ; {
		switch o := w.Outcome(); {
		case o == oxo.WinFor(c.Seat), o != oxo.Ongoing && !c.Wins && o != oxo.WinFor(c.Seat.Other()):
			return 1
		case o != oxo.Ongoing:
			t.Fatalf("%v, wins %v: %v after the replies %v on %v, %v: %+v", c.Seat, c.Wins, o, path, p.Game.Board.Lines,
				p.Game.Rules, nodesOf(t, c.Nodes))
		}
		if w.Turn() == c.Seat {
			if _, _, err := w.PlayMove(); err != nil {
				t.Fatalf("%v after the replies %v: %v: %+v", c.Seat, path, err, nodesOf(t, c.Nodes))
			}
			continue
		}
		if k == len(path) {
			break
		}
		if err := w.PlayReply(path[k]); err != nil {
			t.Fatal(err)
		}
		k++
	}
	for sq := range w.Legal().All() {
		games += playAll(t, p, append(slices.Clone(path), oxo.Move(sq)))
	}
	return games
}

// checkTold looks whether the claim holds of each position that the judge takes from a proof.
func (s *strategist) checkTold(t *testing.T, p *certificate.Proof) (told int) {
	judge.NewStrategies[board.Pos64](nil).AddProof(p, func(m [2]board.Set, turn oxo.Seat) (board.Pos64, error) {
		x := marks{m[s.seat], m[s.seat.Other()], s.game.Board.Squares().Minus(m[0]).Minus(m[1])}
		over := s.owns(x.own, s.seat) || s.owns(x.opp, s.seat.Other())
		if told++; !over && !s.holds(x, turn == s.seat) {
			t.Fatalf("%v, wins %v: told of %v, %v to move: %+v", s.seat, s.wins, m, turn, nodesOf(t, p.Claims[0].Nodes))
		}
		return board.Pos64{}, errors.New("recorded")
	})
	return told
}

// TestWalkZonesSequential plays all replies against strategies whose nodes stand for several positions, with
// further moves below.
func TestWalkZonesSequential(t *testing.T) {
	s := &strategist{Rand: rand.New(rand.NewPCG(41, 3))}
	proofs, games, above, told := 0, 0, 0, 0
	for range 1500 {
		s.newGame(t)
		nodes := s.strategy()
		if nodes == nil || s.zones == 0 {
			continue
		}
		p, _ := s.proof(t, nodes)
		if p == nil {
			continue
		}
		p, zones := s.proof(t, s.vary(t, nodes))
		if zones == 0 {
			continue
		}
		proofs++
		games += playAll(t, p, nil)
		told += s.checkTold(t, p)
		below := nodesOf(t, p.Claims[0].Nodes)[1:]
		if slices.ContainsFunc(below, func(n certificate.Node) bool { return len(n.Replies) > 0 }) {
			above++
		}
	}
	t.Logf("%d proofs with zones, %d with moves below, %d games, %d positions told", proofs, above, games, told)
	if proofs < 200 || above < 100 || games < 5000 || told < 2000 {
		t.Error("too few to tell")
	}
}

// TestToldOfEnds: replies that a file lists where pairs end play are no edges, and the judge follows
// none.
func TestToldOfEnds(t *testing.T) {
	b, err := board.New(6, [][]int{{0, 1}, {2, 3}, {4, 5}})
	if err != nil {
		t.Fatal(err)
	}
	move := func(square int, pairs ...[2]uint8) certificate.Node {
		return certificate.Node{Square: square, End: certificate.Pairing, Pairs: pairs}
	}
	nodes := []certificate.Node{
		{Kind: certificate.Wait, Replies: []certificate.ReplyNode{{0, 0, 1}, {1, 0, 2}, {2, 1, 1}, {3, 1, 2}, {4, 2, 1},
			{5, 2, 2}}},
		{Square: 1, Replies: []certificate.ReplyNode{{2, 0, 3}, {3, 0, 4}, {4, 0, 5}, {5, 0, 6}}},
		move(0, [2]uint8{2, 3}, [2]uint8{4, 5}),
		move(3, [2]uint8{4, 5}), move(2, [2]uint8{4, 5}), move(5, [2]uint8{2, 3}), move(4, [2]uint8{2, 3}),
	}
	nodes[2].Replies = []certificate.ReplyNode{{2, 0, 5}} // where node 5 lets 3 win
	s := &strategist{game: certificate.Setup{Board: b, Rules: board.Normal}, seat: oxo.Second, known: map[look]bool{},
		perms: [][]uint8{{0, 1, 2, 3, 4, 5}, {2, 3, 0, 1, 4, 5}, {4, 5, 2, 3, 0, 1}}}
	p, _ := s.proof(t, nodes)
	if p == nil {
		t.Fatal("the certificate does not hold")
	}
	if playAll(t, p, nil) == 0 || s.checkTold(t, p) < 8 {
		t.Error("too few to tell")
	}
}
