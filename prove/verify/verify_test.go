package verify_test

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/prove"
	"oxo/prove/verify"
)

// seed is a small game whose proof the tests bend.
type seed struct {
	name  string
	shape grid.Shape
	rules board.Rules
	marks [2]board.Set
}

var seeds = []seed{
	{"3,3,3", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Normal, [2]board.Set{}},
	{"3,3,3+misere", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Misere, [2]board.Set{}},
	{"4,2,2+misere", grid.Shape{Cols: 4, Rows: 2, Run: 2}, board.Misere, [2]board.Set{}},
	{"3,3,3+maker", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Maker, [2]board.Set{}},
	{"3,3,3+gravity", grid.Shape{Cols: 3, Rows: 3, Run: 3, Gravity: true}, board.Normal, [2]board.Set{}},
	{"3,3,2+exact", grid.Shape{Cols: 3, Rows: 3, Run: 2, Exact: true}, board.Normal, [2]board.Set{}},
	{"3,3,3+wild", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Wild, [2]board.Set{}},
	{"3,2,2+wild+misere", grid.Shape{Cols: 3, Rows: 2, Run: 2}, board.WildMisere, [2]board.Set{}},
	{"3,3,3+notakto", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Notakto, [2]board.Set{}},
	{"3,2,3+chaos", grid.Shape{Cols: 3, Rows: 2, Run: 3}, board.Chaos, [2]board.Set{}},
	{"3,3,3 corners", grid.Shape{Cols: 3, Rows: 3, Run: 3}, board.Normal, [2]board.Set{board.SetOf(0), board.SetOf(1)}},
}

// certificate proves the seed's game and returns the proof.
func certificate(t testing.TB, s seed) *prove.Proof {
	t.Helper()
	b, err := grid.New(s.shape)
	if err != nil {
		t.Fatal(err)
	}
	r, err := prove.Prove(context.Background(), prove.Game{Spec: s.name, Board: b, Rules: s.rules, Marks: s.marks}, prove.Options{Memory: 8 << 20})
	if err != nil || r.Proof == nil {
		t.Fatalf("%s: %v, %v", s.name, r, err)
	}
	return r.Proof
}

func file(t testing.TB, p *prove.Proof) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// truth returns the value of a game by looking at all of it, as the checker
// names it. The board must be small.
func truth(g *verify.Game) string {
	type key struct {
		marks [2]board.Set
		turn  int
	}
	known := map[key]int{}
	var value func(k key) int // 1 First wins, 2 Second wins, 3 draw
	value = func(k key) int {
		if v, ok := known[k]; ok {
			return v
		}
		free := g.Board.Squares().Minus(k.marks[0]).Minus(k.marks[1])
		best := 0
		kinds := [][]int{{k.turn}, {0, 1}, {0}}[g.Place] // of marks
		for move := range len(kinds) * g.Board.N {
			sq, mark := move%g.Board.N, kinds[move/g.Board.N]
			if !free.Has(sq) {
				continue
			}
			if g.Board.Below != nil && g.Board.Below[sq] >= 0 && free.Has(g.Board.Below[sq]) {
				continue
			}
			next := key{k.marks, 1 - k.turn}
			next.marks[mark] = next.marks[mark].With(sq)
			v := 0
			for _, line := range g.Board.Lines {
				if g.Tested[k.turn] && line.Owned(next.marks[mark]) {
					v = g.Done[k.turn]
				}
			}
			if v == 0 {
				v = value(next)
			}
			if v == 1+k.turn || best == 0 || best == 2-k.turn && v == 3 {
				best = v
			}
		}
		if best == 0 {
			best = g.Full
		}
		known[k] = best
		return best
	}
	return [...]string{"", "first", "second", "draw"}[value(key{g.Marks, g.Turn})]
}

// holds reports whether a claim holds in a game of that value.
func holds(claim, value string) bool {
	seat, what, _ := strings.Cut(claim, " ")
	return value == seat || value == "draw" && what != "wins"
}

// sound fails the test where the checker accepts what is not so.
func sound(t *testing.T, data []byte) *verify.Result {
	t.Helper()
	r := verify.Check(bytes.NewReader(data))
	if r.OK == (r.Reason != "") {
		t.Fatalf("ok %v with the reason %q", r.OK, r.Reason)
	}
	if !r.OK || r.Game.Board.N > 9 {
		return r
	}
	want := truth(&r.Game)
	for _, claim := range strings.Split(r.Claim, ", ") {
		if !holds(claim, want) {
			t.Fatalf("%q was accepted where the value is %s", claim, want)
		}
	}
	if r.Value != "unknown" && r.Value != want {
		t.Fatalf("the value %s was accepted where it is %s", r.Value, want)
	}
	return r
}

func TestCheck(t *testing.T) {
	for _, s := range seeds {
		p := certificate(t, s)
		r := sound(t, file(t, p))
		if !r.OK || r.Value == "unknown" || r.Game.Spec != s.name || r.Game.Board.N != p.Game.Board.N || r.Nodes == 0 {
			t.Errorf("%s: %+v", s.name, r)
		}
	}
}

// TestEveryByte flips bits of every byte of a file, cuts it everywhere and adds to it.
func TestEveryByte(t *testing.T) {
	for _, s := range seeds {
		data := file(t, certificate(t, s))
		for i := range data {
			for bit := i % 4; bit < 8; bit += 4 {
				bent := slices.Clone(data)
				bent[i] ^= 1 << bit
				if sound(t, bent).OK {
					t.Fatalf("%s: bit %d of byte %d of %d flipped, and accepted", s.name, bit, i, len(data))
				}
			}
			if sound(t, data[:i]).OK {
				t.Fatalf("%s: the first %d bytes of %d were accepted", s.name, i, len(data))
			}
		}
		if sound(t, append(slices.Clone(data), 0)).OK {
			t.Fatalf("%s: a byte too many was accepted", s.name)
		}
	}
}

// bend changes one thing in a proof at random and says what.
func bend(r *rand.Rand, p *prove.Proof) string {
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
	if len(c.Nodes) == 0 {
		return ""
	}
	x := &c.Nodes[r.IntN(len(c.Nodes))]
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
				e.Node = r.IntN(len(c.Nodes))
			}
			return "reply changed"
		}
	case 3:
		x.End, x.Perm = prove.End(r.IntN(6)), r.IntN(len(p.Perms))
		return "end"
	case 4:
		x.Kind = prove.Kind(r.IntN(4))
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
func clone(p *prove.Proof) *prove.Proof {
	q := *p
	q.Claims = slices.Clone(p.Claims)
	for k := range q.Claims {
		q.Claims[k].Nodes = slices.Clone(q.Claims[k].Nodes)
	}
	return &q
}

// TestForged changes proofs and seals them again with a good checksum: nothing
// that is not so is accepted, and few of the changes leave a proof.
func TestForged(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range seeds {
		p := certificate(t, s)
		tried, refused := 0, 0
		for range 1000 {
			q := clone(p)
			what := bend(r, q)
			for range r.IntN(3) {
				bend(r, q)
			}
			if what == "" {
				continue
			}
			tried++
			if !sound(t, sealed(t, q)).OK {
				refused++
			}
		}
		if refused*2 < tried {
			t.Errorf("%s: only %d of %d forgeries were refused", s.name, refused, tried)
		}
	}
}

// sealed writes a proof that may be nonsense.
func sealed(t testing.TB, p *prove.Proof) []byte {
	t.Helper()
	for k := range p.Claims {
		for i := range p.Claims[k].Nodes {
			for _, e := range p.Claims[k].Nodes[i].Replies {
				if e.Node <= i {
					return []byte("a reply that leads back cannot be written")
				}
			}
		}
	}
	return file(t, p)
}

// TestOneNode puts claims of a single node, of every kind with every end, on
// positions in the middle of small games: what is accepted is so.
func TestOneNode(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	some := func(free []int) []uint8 {
		var squares []uint8
		for range 1 + r.IntN(3) {
			squares = append(squares, uint8(free[r.IntN(len(free))]))
		}
		return squares
	}
	accepted := 0
	for _, s := range seeds {
		whole := certificate(t, s)
		for range 20 {
			p := clone(whole)
			g, rules := &p.Game, p.Game.Rules
			g.Marks, g.Turn = [2]board.Set{}, oxo.Seat(r.IntN(2))
			for _, sq := range r.Perm(g.Board.N)[:g.Board.N/2+r.IntN((g.Board.N+1)/2)] {
				if mark := r.IntN(2); rules.Place != board.Cross {
					g.Marks[mark] = g.Marks[mark].With(sq)
				} else {
					g.Marks[0] = g.Marks[0].With(sq)
				}
			}
			if slices.ContainsFunc(g.Board.Lines, func(l board.Line) bool { return l.Owned(g.Marks[0]) || l.Owned(g.Marks[1]) }) {
				continue // over
			}
			free := g.Board.Squares().Minus(g.Marks[0]).Minus(g.Marks[1]).Squares()
			value := ""
			for n := range 100 {
				node := prove.Node{Kind: prove.Kind(r.IntN(3)), Square: free[r.IntN(len(free))], End: prove.End(r.IntN(5)), Perm: r.IntN(len(p.Perms))}
				if rules.Place == board.Either {
					node.Square += r.IntN(2) * g.Board.N
				}
				switch {
				case node.Kind == prove.Line:
					node.Line = some(free)
				case node.End == prove.Open && n%2 == 0:
					node.Threats = [][]uint8{some(free), some(free)}
				case node.End == prove.Pairing:
					for range r.IntN(3) {
						if pair := some(free); len(pair) > 1 {
							node.Pairs = append(node.Pairs, [2]uint8{pair[0], pair[1]})
						}
					}
				}
				p.Claims = []prove.Claim{{Seat: oxo.Seat(r.IntN(2)), Wins: n%3 == 0, Relaxed: n%5 == 0, Nodes: []prove.Node{node}}}
				c := verify.Check(bytes.NewReader(file(t, p)))
				if !c.OK {
					continue
				}
				if value == "" {
					value = truth(&c.Game)
				}
				if !holds(c.Claim, value) || c.Value != "unknown" && c.Value != value {
					t.Fatalf("%s after %v: %q with the value %q was accepted where the value is %s: %+v", s.name, g.Marks, c.Claim, c.Value, value, p.Claims[0])
				}
				accepted++
			}
		}
	}
	if accepted < 200 {
		t.Errorf("only %d claims were accepted", accepted)
	}
}

// TestDropped drops each reply in turn: the checker finds the one that is not
// answered, but where another listed reply dominates it.
func TestDropped(t *testing.T) {
	for _, s := range seeds {
		p := certificate(t, s)
		for k := range p.Claims {
			for i := range p.Claims[k].Nodes {
				for j := range p.Claims[k].Nodes[i].Replies {
					q := clone(p)
					x := &q.Claims[k].Nodes[i]
					x.Replies = slices.Delete(slices.Clone(x.Replies), j, j+1)
					r := sound(t, file(t, q))
					if r.OK && s.rules.Name != "maker" && !q.Claims[k].Relaxed {
						t.Fatalf("%s: claim %d, node %d without reply %d was accepted", s.name, k, i, j)
					}
				}
			}
		}
	}
}

// TestRedirected leads a reply to another node to which replies lead before, while
// others still lead to its own: there the answer belongs to another position.
func TestRedirected(t *testing.T) {
	tried := 0
	for _, s := range seeds {
		p := certificate(t, s)
		for k, claim := range p.Claims {
			ways, from := map[int]int{}, map[int]int{} // to a node: how many, and the first
			for i, x := range claim.Nodes {
				for _, e := range x.Replies {
					if ways[e.Node]++; ways[e.Node] == 1 {
						from[e.Node] = i
					}
				}
			}
			for i, x := range claim.Nodes {
				for j, e := range x.Replies {
					for to := i + 1; ways[e.Node] > 1 && from[e.Node] < i && to < len(claim.Nodes); to++ {
						if to == e.Node || from[to] >= i {
							continue
						}
						q := clone(p)
						replies := slices.Clone(x.Replies)
						replies[j].Node = to
						q.Claims[k].Nodes[i].Replies = replies
						if tried++; sound(t, file(t, q)).OK {
							t.Fatalf("%s: claim %d, node %d: reply %d may lead to node %d instead of %d", s.name, k, i, j, to, e.Node)
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
		p := certificate(t, s)
		for k, claim := range p.Claims {
			for i, x := range claim.Nodes {
				if len(x.Replies) == 0 {
					continue
				}
				itself, twice := clone(p), clone(p)
				replies := slices.Clone(x.Replies)
				replies[0].Node = i
				itself.Claims[k].Nodes[i].Replies = replies
				replies = slices.Clone(x.Replies)
				replies[len(replies)-1] = replies[0]
				twice.Claims[k].Nodes[i].Replies = replies
				for _, q := range []*prove.Proof{itself, twice}[:min(2, len(replies))] {
					if r := sound(t, file(t, q)); r.OK || !strings.Contains(r.Reason, "listed twice or leading nowhere") {
						t.Fatalf("%s: claim %d, node %d: %v, %q", s.name, k, i, r.OK, r.Reason)
					}
				}
			}
		}
	}
}

// TestFloating: where marks fall, a strategy moves only to where one can lie.
func TestFloating(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3, Gravity: true})
	if err != nil {
		t.Fatal(err)
	}
	for sq := range b.N {
		for mark := range b.N {
			var marks [2]board.Set
			if mark != sq {
				marks[oxo.Second] = board.SetOf(mark)
			}
			r := sound(t, file(t, &prove.Proof{Game: prove.Game{Board: b, Rules: board.Normal, Marks: marks},
				Claims: []prove.Claim{{Nodes: []prove.Node{{Square: sq, End: prove.Settled}}}}}))
			under := b.Below[sq]
			lies := under < 0 || marks[oxo.Second].Has(under)
			if r.OK || lies == strings.Contains(r.Reason, "is not legal") {
				t.Errorf("a mark on %s above %v: %q", b.Names[sq], marks, r.Reason)
			}
		}
	}
}

// TestOver: a position in which a side owns a set whose marks count is over, and
// nothing can be claimed of it.
func TestOver(t *testing.T) {
	row, rest := board.SetOf(0, 1, 2), board.SetOf(3, 4, 7)
	for _, c := range []struct {
		rules board.Rules
		marks [2]board.Set
		over  bool
	}{
		{board.Normal, [2]board.Set{row, rest}, true},
		{board.Normal, [2]board.Set{rest, row}, true},
		{board.Normal, [2]board.Set{rest, board.SetOf(0, 1)}, false},
		{board.Misere, [2]board.Set{rest, row}, true},
		{board.Maker, [2]board.Set{row, rest}, true},
		{board.Maker, [2]board.Set{rest, row}, false},
		{board.Wild, [2]board.Set{rest, row}, true},
		{board.Notakto, [2]board.Set{row, {}}, true},
	} {
		b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
		if err != nil {
			t.Fatal(err)
		}
		r := sound(t, file(t, &prove.Proof{Game: prove.Game{Board: b, Rules: c.rules, Marks: c.marks}, Claims: []prove.Claim{{Stealing: true}}}))
		if over := strings.Contains(r.Reason, "over at the start"); r.OK || over != c.over {
			t.Errorf("%s %v: %q", c.rules.Name, c.marks, r.Reason)
		}
	}
}

// TestMirrored claims on small random boards with a symmetry that one side can answer
// every mark with its image: what is accepted is so.
func TestMirrored(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	kinds := []board.Rules{board.Misere, board.Misere, board.Avoider, board.Enforcer, board.Normal, board.Maker}
	accepted, refused := 0, 0
	for range 4000 {
		n := 3 + r.IntN(5)
		perm, same := make([]uint8, n), make([]uint8, n)
		order := r.Perm(n)
		for i := range n {
			perm[i], same[i] = uint8(i), uint8(i)
		}
		turns := r.IntN(6) == 0
		if turns { // of order three
			perm[order[0]], perm[order[1]], perm[order[2]] = uint8(order[1]), uint8(order[2]), uint8(order[0])
		} else {
			for i := 0; i+1 < n-r.IntN(3); i += 2 {
				perm[order[i]], perm[order[i+1]] = uint8(order[i+1]), uint8(order[i])
			}
		}
		seen := map[board.Set]bool{}
		var lines [][]int
		add := func(line board.Set) {
			if !seen[line] {
				seen[line] = true
				lines = append(lines, line.Squares())
			}
		}
		for range 1 + r.IntN(4) {
			line := r.Perm(n)[:2+r.IntN(min(3, n-1))]
			for range 3 {
				add(board.SetOf(line...))
				for i, sq := range line {
					line[i] = int(perm[sq])
				}
			}
		}
		b, err := board.New(n, lines)
		if err != nil {
			t.Fatal(err)
		}
		seat := oxo.Seat(r.IntN(2))
		var marks [2]board.Set
		for i, to := range perm {
			switch {
			case marks[0].Has(i) || marks[1].Has(i) || r.IntN(4) > 0:
			case int(to) == i:
				marks[seat] = marks[seat].With(i)
			default:
				marks[seat], marks[seat.Other()] = marks[seat].With(i), marks[seat.Other()].With(int(to))
			}
		}
		if sq := r.IntN(n); r.IntN(4) == 0 { // no longer alike
			marks[0], marks[1] = marks[0].Without(sq), marks[1].Without(sq)
			if side := r.IntN(3); side < 2 {
				marks[side] = marks[side].With(sq)
			}
		}
		node := prove.Node{Kind: prove.Wait, End: prove.Mirrored, Perm: 1}
		turn := seat.Other()
		if free := b.Squares().Minus(marks[0]).Minus(marks[1]); r.IntN(2) == 0 && !free.Empty() {
			node.Kind, node.Square, turn = prove.Move, free.Squares()[r.IntN(free.Len())], seat
		}
		claim := prove.Claim{Seat: seat, Wins: r.IntN(4) == 0, Nodes: []prove.Node{node}}
		perms := [][]uint8{same, perm}
		if slices.Equal(same, perm) {
			perms, claim.Nodes[0].Perm = perms[:1], 0
		}
		c := sound(t, file(t, &prove.Proof{Game: prove.Game{Board: b, Rules: kinds[r.IntN(len(kinds))], Marks: marks, Turn: turn}, Perms: perms, Claims: []prove.Claim{claim}}))
		if c.OK {
			if accepted++; turns {
				t.Fatalf("answers by %v, which is not its own inverse, were accepted", perm)
			}
		} else if strings.Contains(c.Reason, "mirrored answers do not hold") {
			refused++
		}
	}
	if accepted < 50 || refused < 100 {
		t.Errorf("%d claims were accepted, %d refused", accepted, refused)
	}
}

// TestOtherGame puts a strategy under another start position.
func TestOtherGame(t *testing.T) {
	p := certificate(t, seeds[0])
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

// FuzzCheck bends what is packed in a file, and packs and seals it again.
func FuzzCheck(f *testing.F) {
	for _, s := range seeds {
		data := file(f, certificate(f, s))
		content, err := io.ReadAll(flate.NewReader(bytes.NewReader(data[len(verify.Magic) : len(data)-sha256.Size])))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(s.rules.Place != board.Own, content)
	}
	f.Fuzz(func(t *testing.T, shared bool, content []byte) {
		b := bytes.NewBufferString(verify.Magic)
		if shared {
			b = bytes.NewBufferString(verify.MagicShared)
		}
		packer, err := flate.NewWriter(b, flate.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		packer.Write(content)
		packer.Close()
		digest := sha256.Sum256(b.Bytes())
		b.Write(digest[:])
		sound(t, b.Bytes())
		if p, err := prove.Read(b.Bytes()); err == nil {
			p.WriteTo(io.Discard)
			stroll(t, p)
		}
	})
}

// stroll walks through a proof that may be nonsense, which may end in an error:
// for each seat, against the first reply and against the last.
func stroll(t *testing.T, p *prove.Proof) {
	for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
		for _, last := range []bool{false, true} {
			w, err := prove.NewWalker(p, seat)
			if err != nil {
				continue
			}
			for moves := 0; err == nil && w.Outcome() == oxo.Ongoing && !w.Legal().Empty(); moves++ {
				if moves > p.Game.Board.N {
					t.Fatal("the walk has more moves than the board squares")
				}
				if w.Turn() == seat {
					_, _, err = w.Play()
					continue
				}
				legal := w.Legal().Squares()
				reply := oxo.Move(legal[0])
				if last {
					reply = oxo.Move(legal[len(legal)-1])
				}
				err = w.Reply(reply)
			}
		}
	}
}

// TestReadNonsense: what would lead a walker off the board is refused, and a
// proof of nonsense that can be read can be walked.
func TestReadNonsense(t *testing.T) {
	b, err := board.New(4, [][]int{{0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	four := [][]uint8{{0, 1, 2, 3}}
	wait := func(n prove.Node) []prove.Node {
		n.Kind = prove.Wait
		return []prove.Node{n, {Kind: prove.Line}}
	}
	either := board.Rules{Name: "either", Place: board.Either, Tested: [2]bool{true, true},
		Done: [2]oxo.Outcome{oxo.FirstWins, oxo.SecondWins}, Full: oxo.Drawn}
	for _, c := range []struct {
		name    string
		rules   board.Rules
		marks   board.Set
		turn    oxo.Seat
		perms   [][]uint8
		nodes   []prove.Node
		refused bool
	}{
		{"a permutation off the board", board.Normal, board.Set{}, oxo.First, [][]uint8{{0, 1, 2, 9}}, wait(prove.Node{}), true},
		{"a permutation that is none", board.Normal, board.Set{}, oxo.First, [][]uint8{{0, 1, 2, 2}}, wait(prove.Node{}), true},
		{"a threat off the board", either, board.Set{}, oxo.First, four, wait(prove.Node{Threats: [][]uint8{{200}}}), true},
		{"a line off the board", board.Normal, board.Set{}, oxo.Second, four, []prove.Node{{Kind: prove.Line, Line: []uint8{4}}}, true},
		{"a line without moves", board.Normal, board.SetOf(0), oxo.Second, four, []prove.Node{{Kind: prove.Line}}, false},
		{"a stand-in that is an O", either, board.Set{}, oxo.First, four,
			wait(prove.Node{Replies: []prove.ReplyNode{{Square: 5, Node: 1}}}), false},
	} {
		p := &prove.Proof{Game: prove.Game{Board: b, Rules: c.rules, Turn: c.turn, Marks: [2]board.Set{1: c.marks}}, Perms: c.perms,
			Claims: []prove.Claim{{Seat: oxo.Second, Nodes: c.nodes}}}
		p, err := prove.Read(sealed(t, p))
		if (err != nil) != c.refused {
			t.Errorf("%s: error %v", c.name, err)
		}
		if err == nil {
			stroll(t, p)
		}
	}
}

// TestStealing: that the first player need not lose because an extra mark cannot
// hurt is taken for that claim alone, and where each of its conditions holds.
func TestStealing(t *testing.T) {
	square := grid.Shape{Cols: 3, Rows: 3, Run: 3}
	falls, exact := square, square
	falls.Gravity, exact.Exact, exact.Run = true, true, 2
	full := func(out oxo.Outcome) board.Rules {
		r := board.Normal
		r.Full = out
		return r
	}
	for name, c := range map[string]struct {
		shape grid.Shape
		rules board.Rules
		marks [2]board.Set
		turn  oxo.Seat
		claim prove.Claim
		holds bool
	}{
		"normal":               {shape: square, rules: board.Normal, holds: true},
		"the second begins":    {shape: square, rules: board.Normal, turn: oxo.Second, claim: prove.Claim{Seat: oxo.Second}, holds: true},
		"a win":                {shape: square, rules: board.Normal, claim: prove.Claim{Wins: true}},
		"the other seat":       {shape: square, rules: board.Normal, claim: prove.Claim{Seat: oxo.Second}},
		"marks":                {shape: square, rules: board.Normal, marks: [2]board.Set{board.SetOf(0), board.SetOf(4)}},
		"a mark":               {shape: square, rules: board.Normal, marks: [2]board.Set{1: board.SetOf(4)}},
		"gravity":              {shape: falls, rules: board.Normal},
		"rows too long":        {shape: exact, rules: board.Normal},
		"misere":               {shape: square, rules: board.Misere},
		"one that cannot win":  {shape: square, rules: board.Breaker},
		"the other that can't": {shape: square, rules: board.Maker},
		"a full board lost":    {shape: square, rules: full(oxo.SecondWins)},
		"a full board won":     {shape: square, rules: full(oxo.FirstWins)},
		"shared marks":         {shape: square, rules: board.Wild},
		"one kind of mark":     {shape: square, rules: board.Notakto},
	} {
		b, err := grid.New(c.shape)
		if err != nil {
			t.Fatal(err)
		}
		c.claim.Stealing = true
		r := sound(t, file(t, &prove.Proof{Game: prove.Game{Board: b, Rules: c.rules, Marks: c.marks, Turn: c.turn}, Claims: []prove.Claim{c.claim}}))
		if r.OK != c.holds || !c.holds && !strings.Contains(r.Reason, "strategy stealing") {
			t.Errorf("%s: %v, %q", name, r.OK, r.Reason)
		}
	}
}

// TestSetsThatAreNone: a game whose winning set is empty, or meets the squares that
// bar it, is refused.
func TestSetsThatAreNone(t *testing.T) {
	for _, line := range []board.Line{{}, {Need: board.SetOf(0, 1), Bar: board.SetOf(1)}} {
		b, err := board.New(4, [][]int{{0, 1}, {2, 3}})
		if err != nil {
			t.Fatal(err)
		}
		b.Lines[1] = line
		r := verify.Check(bytes.NewReader(file(t, &prove.Proof{Game: prove.Game{Board: b, Rules: board.Normal},
			Claims: []prove.Claim{{Seat: oxo.First, Stealing: true}}})))
		if r.OK || !strings.Contains(r.Reason, "winning set 2 is empty or meets its bar") {
			t.Errorf("%v: %v, %q", line, r.OK, r.Reason)
		}
	}
}

// TestPermutationTwice: neither reader takes a permutation that comes twice.
func TestPermutationTwice(t *testing.T) {
	b, err := board.New(4, [][]int{{0, 1}, {2, 3}})
	if err != nil {
		t.Fatal(err)
	}
	one, other := []uint8{0, 1, 2, 3}, []uint8{1, 0, 2, 3}
	for _, perms := range [][][]uint8{{one, other}, {one, other, one}, {one, other, other}} {
		data := file(t, &prove.Proof{Game: prove.Game{Board: b, Rules: board.Normal}, Perms: perms,
			Claims: []prove.Claim{{Seat: oxo.First, Stealing: true}}})
		r := verify.Check(bytes.NewReader(data))
		if twice := len(perms) > 2; r.OK == twice || twice != strings.Contains(r.Reason, "twice") {
			t.Errorf("%v: checked: %v, %s", perms, r.OK, r.Reason)
		}
		if _, err := prove.Read(data); (err != nil) != (len(perms) > 2) || err != nil && !strings.Contains(err.Error(), "twice") {
			t.Errorf("%v: read: %v", perms, err)
		}
	}
}

// FuzzFile bends the file itself, which never holds then.
func FuzzFile(f *testing.F) {
	good := map[string]bool{}
	for _, s := range seeds {
		data := file(f, certificate(f, s))
		good[string(data)] = true
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if sound(t, data).OK && !good[string(data)] {
			t.Error("a file nobody wrote was accepted")
		}
	})
}
