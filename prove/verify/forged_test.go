package verify_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/prove/certificate"
)

// bent are the nodes that bend has made, which may be none that can be read.
var bent = map[*certificate.Nodes][]certificate.Node{}

// bend changes one thing in a proof at random and says what.
func bend(t testing.TB, r *rand.Rand, p *certificate.Proof) string {
	c := &p.Claims[r.IntN(len(p.Claims))]
	n := p.Game.Board.N
	moves := n
	if p.Game.Rules.Place == board.Either {
		moves = 2 * n
	}
	switch r.IntN(8) {
	case 0:
		c.Seat = c.Seat.Other()
		return "seat"
	case 1:
		c.Wins = !c.Wins
		return "claim"
	case 2:
		c.Relaxed = !c.Relaxed
		return "relaxed"
	case 3:
		c.Stealing = !c.Stealing
		return "stealing"
	}
	if c.Nodes.Len() == 0 {
		return ""
	}
	nodes, ok := bent[c.Nodes]
	if !ok {
		nodes = nodesOf(t, c.Nodes)
	}
	nodes = slices.Clone(nodes)
	defer func() {
		c.Nodes = certificate.NodesOf(nodes...)
		bent[c.Nodes] = nodes
	}()
	x := &nodes[r.IntN(len(nodes))]
	switch r.IntN(7) {
	case 0:
		x.Square = r.IntN(moves)
		return "move"
	case 1:
		if len(x.Replies) > 0 {
			k := r.IntN(len(x.Replies))
			x.Replies = slices.Delete(slices.Clone(x.Replies), k, k+1)
			return "reply dropped"
		}
	case 2:
		if len(x.Replies) > 0 {
			x.Replies = slices.Clone(x.Replies)
			e := &x.Replies[r.IntN(len(x.Replies))]
			switch r.IntN(3) {
			case 0:
				e.Square = r.IntN(moves)
			case 1:
				e.Perm = r.IntN(len(p.Perms))
			case 2:
				e.Node = r.IntN(len(nodes))
			}
			return "reply changed"
		}
	case 3:
		x.End, x.Perm = certificate.End(r.IntN(6)), r.IntN(len(p.Perms))
		return "end"
	case 4:
		x.Kind = certificate.NodeKind(r.IntN(4))
		return "kind"
	case 5:
		if len(x.Pairs) > 0 {
			x.Pairs = slices.Clone(x.Pairs)
			x.Pairs[r.IntN(len(x.Pairs))][r.IntN(2)] = uint8(r.IntN(n))
			return "pair"
		}
	case 6:
		k := r.IntN(len(p.Perms))
		p.Perms = slices.Clone(p.Perms)
		p.Perms[k] = slices.Clone(p.Perms[k])
		i, j := r.IntN(n), r.IntN(n)
		p.Perms[k][i], p.Perms[k][j] = p.Perms[k][j], p.Perms[k][i]
		return "permutation"
	}
	return ""
}

// clone copies what bend changes in place.
func clone(p *certificate.Proof) *certificate.Proof {
	return &certificate.Proof{Game: p.Game, Perms: p.Perms, Claims: slices.Clone(p.Claims)}
}

// withReplies returns a proof in which a node of a claim has other replies.
func withReplies(t testing.TB, p *certificate.Proof, claim, node int,
	replies []certificate.ReplyNode) *certificate.Proof {
	t.Helper()
	q := clone(p)
	nodes := nodesOf(t, q.Claims[claim].Nodes)
	nodes[node].Replies = replies
	q.Claims[claim].Nodes = certificate.NodesOf(nodes...)
	return q
}

// TestForgedSequential changes proofs and seals them again with a good checksum: nothing
// that is not so is accepted, and few of the changes leave a proof.
func TestForgedSequential(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range seeds {
		p := proven(t, s)
		clear(bent)
		tried, refused := 0, 0
		for range 1000 {
			q := clone(p)
			what := bend(t, r, q)
			for range r.IntN(3) {
				bend(t, r, q)
			}
			if what == "" {
				continue
			}
			tried++
			data := file(t, q)
			whole := sound(t, data)
			if tried%8 == 0 {
				inParts(t, data, 3, whole)
			}
			if !whole.OK {
				refused++
			}
		}
		if refused*2 < tried {
			t.Errorf("%s: only %d of %d forgeries were refused", s.name, refused, tried)
		}
	}
}

// TestDroppedSequential drops each reply in turn: the checker finds the one that is not
// answered, but where another listed reply dominates it.
func TestDroppedSequential(t *testing.T) {
	for _, s := range seeds {
		p := proven(t, s)
		for k := range p.Claims {
			for i, x := range nodesOf(t, p.Claims[k].Nodes) {
				for j := range x.Replies {
					q := withReplies(t, p, k, i, slices.Delete(slices.Clone(x.Replies), j, j+1))
					r := sound(t, file(t, q))
					if r.OK && s.rules.Name != "maker" && !q.Claims[k].Relaxed {
						t.Fatalf("%s: claim %d, node %d without reply %d was accepted", s.name, k, i, j)
					}
				}
			}
		}
	}
}

// TestRedirectedSequential leads a reply to another node to which replies lead before, while
// others still lead to its own: there the answer belongs to another position.
func TestRedirectedSequential(t *testing.T) {
	tried := 0
	for _, s := range seeds {
		p := proven(t, s)
		for k, claim := range p.Claims {
			ways, from := map[int]int{}, map[int]int{} // to a node: how many, and the first
			for i, x := range nodesOf(t, claim.Nodes) {
				for _, e := range x.Replies {
					if ways[e.Node]++; ways[e.Node] == 1 {
						from[e.Node] = i
					}
				}
			}
			for i, x := range nodesOf(t, claim.Nodes) {
				for j, e := range x.Replies {
					for to := i + 1; ways[e.Node] > 1 && from[e.Node] < i && to < claim.Nodes.Len(); to++ {
						if to == e.Node || from[to] >= i {
							continue
						}
						replies := slices.Clone(x.Replies)
						replies[j].Node = to
						q := withReplies(t, p, k, i, replies)
						if tried++; sound(t, file(t, q)).OK {
							t.Fatalf("%s: claim %d, node %d: reply %d may lead to node %d instead of %d", s.name, k, i,
								j, to, e.Node)
						}
					}
				}
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d replies were redirected", tried)
	}
}

// TestRepliesListed: no reply may lead back to its own node, which nobody would look
// at again, or be listed twice.
func TestRepliesListed(t *testing.T) {
	for _, s := range seeds {
		p := proven(t, s)
		for k, claim := range p.Claims {
			for i, x := range nodesOf(t, claim.Nodes) {
				if len(x.Replies) == 0 {
					continue
				}
				replies := slices.Clone(x.Replies)
				replies[0].Node = i
				itself := withReplies(t, p, k, i, replies)
				replies = slices.Clone(x.Replies)
				replies[len(replies)-1] = replies[0]
				twice := withReplies(t, p, k, i, replies)
				for _, q := range []*certificate.Proof{itself, twice}[:min(2, len(replies))] {
					if r := sound(t, file(t, q)); r.OK ||
						!strings.Contains(r.Reason, "listed twice or leading nowhere") {
						t.Fatalf("%s: claim %d, node %d: %v, %q", s.name, k, i, r.OK, r.Reason)
					}
				}
			}
		}
	}
}

// TestOtherGame puts a strategy under another start position.
func TestOtherGame(t *testing.T) {
	p := proven(t, seeds[0])
	q := clone(p)
	q.Game.Marks[oxo.First] = board.SetOf(4)
	q.Game.Turn = oxo.Second
	if sound(t, file(t, q)).OK {
		t.Error("a strategy was accepted for another position")
	}
	q = clone(p)
	q.Game.Rules = board.Misere
	if sound(t, file(t, q)).OK {
		t.Error("a strategy was accepted under other rules")
	}
}
