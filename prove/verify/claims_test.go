package verify_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/prove/certificate"
)

// TestOneNodeSequential puts claims of a single node, of every kind with every end, on
// positions in the middle of small games: what is accepted is so.
func TestOneNodeSequential(t *testing.T) {
	t.Parallel()
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
		whole := proven(t, s)
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
			if slices.ContainsFunc(g.Board.Lines, func(l board.Line) bool {
				return l.Owned(g.Marks[0]) ||
					l.Owned(g.Marks[1])
			}) {
				continue // over
			}
			free := g.Board.Squares().Minus(g.Marks[0]).Minus(g.Marks[1]).Squares()
			value := ""
			for n := range 100 {
				node := certificate.Node{Kind: certificate.NodeKind(r.IntN(3)), Square: free[r.IntN(len(free))],
					End: certificate.End(r.IntN(5)), Perm: r.IntN(len(p.Perms))}
				if rules.Place == board.Either {
					node.Square += r.IntN(2) * g.Board.N
				}
				switch {
				case node.Kind == certificate.Line:
					node.Line = some(free)
				case node.End == certificate.Open && n%2 == 0:
					node.Threats = [][]uint8{some(free), some(free)}
				case node.End == certificate.Pairing:
					for range r.IntN(3) {
						if pair := some(free); len(pair) > 1 {
							node.Pairs = append(node.Pairs, [2]uint8{pair[0], pair[1]})
						}
					}
				}
				p.Claims = []certificate.Claim{{Seat: oxo.Seat(r.IntN(2)), Wins: n%3 == 0, Relaxed: n%5 == 0,
					Nodes: certificate.NodesOf(node)}}
				c := check(t, file(t, p))
				if !c.OK {
					continue
				}
				if value == "" {
					value = truth(&c.Game)
				}
				if !holds(c.Claim, value) || c.Value != "unknown" && c.Value != value {
					t.Fatalf("%s after %v: %q with the value %q was accepted where the value is %s: %+v", s.name,
						g.Marks, c.Claim, c.Value, value, p.Claims[0])
				}
				accepted++
			}
		}
	}
	if accepted < 200 {
		t.Errorf("only %d claims were accepted", accepted)
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
			node := certificate.Node{Square: sq, End: certificate.Settled}
			r := sound(t, file(t, &certificate.Proof{Game: certificate.Setup{Board: b, Rules: board.Normal,
				Marks: marks},
				Claims: []certificate.Claim{{Nodes: certificate.NodesOf(node)}}}))
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
		r := sound(t, file(t, &certificate.Proof{Game: certificate.Setup{Board: b, Rules: c.rules, Marks: c.marks},
			Claims: []certificate.Claim{{Stealing: true}}}))
		if over := strings.Contains(r.Reason, "over at the start"); r.OK || over != c.over {
			t.Errorf("%s %v: %q", c.rules.Name, c.marks, r.Reason)
		}
	}
}

// TestMirroredSequential claims on small random boards with a symmetry that one side can answer
// every mark with its image: what is accepted is so.
func TestMirroredSequential(t *testing.T) {
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
		node := certificate.Node{Kind: certificate.Wait, End: certificate.Mirrored, Perm: 1}
		turn := seat.Other()
		if free := b.Squares().Minus(marks[0]).Minus(marks[1]); r.IntN(2) == 0 && !free.Empty() {
			node.Kind, node.Square, turn = certificate.Move, free.Squares()[r.IntN(free.Len())], seat
		}
		perms := [][]uint8{same, perm}
		if slices.Equal(same, perm) {
			perms, node.Perm = perms[:1], 0
		}
		claim := certificate.Claim{Seat: seat, Wins: r.IntN(4) == 0, Nodes: certificate.NodesOf(node)}
		c := sound(t, file(t, &certificate.Proof{Game: certificate.Setup{Board: b, Rules: kinds[r.IntN(len(kinds))],
			Marks: marks, Turn: turn}, Perms: perms, Claims: []certificate.Claim{claim}}))
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
		claim certificate.Claim
		holds bool
	}{
		"normal": {shape: square, rules: board.Normal, holds: true},
		"the second begins": {shape: square, rules: board.Normal, turn: oxo.Second,
			claim: certificate.Claim{Seat: oxo.Second}, holds: true},
		"a win":          {shape: square, rules: board.Normal, claim: certificate.Claim{Wins: true}},
		"the other seat": {shape: square, rules: board.Normal, claim: certificate.Claim{Seat: oxo.Second}},
		"marks": {shape: square, rules: board.Normal,
			marks: [2]board.Set{board.SetOf(0), board.SetOf(4)}},
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
		r := sound(t, file(t, &certificate.Proof{Game: certificate.Setup{Board: b, Rules: c.rules, Marks: c.marks,
			Turn: c.turn}, Claims: []certificate.Claim{c.claim}}))
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
		r := check(t, file(t, &certificate.Proof{Game: certificate.Setup{Board: b, Rules: board.Normal},
			Claims: []certificate.Claim{{Seat: oxo.First, Stealing: true}}}))
		if r.OK || !strings.Contains(r.Reason, "winning set 2 is empty or meets its bar") {
			t.Errorf("%v: %v, %q", line, r.OK, r.Reason)
		}
	}
}
