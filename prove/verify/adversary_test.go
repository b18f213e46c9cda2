package verify_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"oxo/board"
	"oxo/prove/verify"
)

// adversary makes certificates of random games of up to six squares and asks the checker
// about them. Where it refuses one, the adversary mends what the checker names, and where
// it accepts one, it must be true: so it grows strategies that use all that the checker
// takes for granted, on games that have every rule, bars, marks that fall, symmetries and
// marks that are shared.
type adversary struct {
	*rand.Rand
	n      int
	shared bool
	game   []int // the numbers of the game and of the permutations
	perms  int
	claim  []int // seat, wins, stealing, relaxed
	nodes  []*leaf

	asked, accepted int
	seen            func(numbers []int) // is told every certificate, where it is not nil
	ways            map[string]int      // how accepted strategies end
}

// leaf is a node of a strategy.
type leaf struct {
	kind, move, end, perm int
	line                  []int
	pairs                 [][2]int
	lines                 [][]int
	replies               []answer
}

type answer struct {
	move, perm int
	to         *leaf
}

func list(to, squares []int) []int { return append(append(to, len(squares)), squares...) }

// newMirror draws a misère game that a symmetry carries to itself pair by pair, and a claim
// that who answers by it does not lose.
func (a *adversary) newMirror() {
	half := 1 + a.IntN(3)
	a.n, a.shared, a.perms = 2*half, false, 2
	seen := map[string]bool{}
	var needs [][]int
	for range 1 + a.IntN(3) {
		need := a.Perm(a.n)[:1+a.IntN(min(3, a.n))]
		for range 2 {
			slices.Sort(need)
			if !seen[fmt.Sprint(need)] {
				seen[fmt.Sprint(need)] = true
				needs = append(needs, slices.Clone(need))
			}
			for i := range need {
				need[i] ^= 1
			}
		}
	}
	g := []int{0, a.n, len(needs)}
	for _, need := range needs {
		g = list(list(g, need), nil)
	}
	turn := a.IntN(2)
	g = append(g, 0, 1, 2, 1, 1, 3, 0, 0, turn, 2)
	for k := range 2 {
		for sq := range a.n {
			g = append(g, sq^k)
		}
	}
	a.game = g
	a.claim = []int{a.IntN(2), 0, 0, 0}
	x := a.newLeaf()
	x.kind, x.end, x.perm = 2, 4, 1
	if a.claim[0] == turn {
		x.kind = 0
	}
	a.nodes = []*leaf{x}
}

// newGame draws a game and a position of it. One in four is plain: the empty board without
// bars and gravity, by normal rules or those of Maker and Breaker.
func (a *adversary) newGame() {
	plain := a.IntN(4) == 0
	a.n = 1 + a.IntN(6)
	sets := a.IntN(7)
	g := []int{0, a.n, sets}
	for range sets {
		need := a.Perm(a.n)[:1+a.IntN(min(3, a.n))]
		slices.Sort(need)
		var bar []int
		if !plain && a.IntN(3) == 0 {
			for sq := range a.n {
				if !slices.Contains(need, sq) && a.IntN(3) == 0 {
					bar = append(bar, sq)
				}
			}
		}
		g = list(list(g, need), bar)
	}
	if plain || a.IntN(4) > 0 {
		g = append(g, 0)
	} else {
		g = append(g, 1)
		for sq := range a.n {
			g = append(g, a.IntN(sq+1)) // rests on a square before it, or on none
		}
	}
	rules := board.AllRules[a.IntN(len(board.AllRules))]
	if plain {
		rules = []board.Rules{board.Normal, board.Maker, board.Breaker}[a.IntN(3)]
	}
	for seat, tested := range rules.Tested {
		flag, done := 0, int(rules.Done[seat])
		if tested {
			flag = 1
		}
		if !plain && a.IntN(8) == 0 {
			flag, done = a.IntN(2), a.IntN(3)
		}
		g = append(g, flag, done)
	}
	full := int(rules.Full)
	if !plain && a.IntN(8) == 0 {
		full = 1 + a.IntN(3)
	}
	g = append(g, full)
	if a.shared = rules.Place != board.Own; a.shared {
		g = append(g, int(rules.Place-board.Either))
	}
	var marks [2][]int
	for sq := range a.n {
		if k := a.IntN(7); k < 2 && !plain {
			marks[k] = append(marks[k], sq)
		}
	}
	if rules.Place == board.Cross || a.IntN(3) == 0 {
		marks[1] = nil
	}
	if a.IntN(3) == 0 {
		marks[0] = nil
	}
	turn := a.IntN(2)
	g = append(list(list(g, marks[0]), marks[1]), turn)
	a.perms = 1 + a.IntN(3)*a.IntN(2)
	g = append(g, a.perms)
	for k := range a.perms {
		perm := a.Perm(a.n)
		if k == 0 || a.n > 1 && a.IntN(2) == 0 {
			for sq := range perm {
				perm[sq] = sq
			}
			if i, j := a.IntN(a.n), a.IntN(a.n); k > 0 {
				perm[i], perm[j] = j, i
			}
		}
		g = append(g, perm...)
	}
	a.game = g
	a.claim = []int{a.IntN(2), a.IntN(2), 0, a.IntN(6) / 5}
	if a.IntN(10) == 0 {
		a.claim[2] = 1
		if plain {
			a.claim[0], a.claim[1] = turn, 0
		}
	}
	a.nodes = nil
	if a.claim[2] == 0 || a.IntN(8) == 0 {
		a.nodes = []*leaf{a.newLeaf()}
		a.nodes[0].kind = a.IntN(3)
	}
}

func (a *adversary) anyMove() int {
	if a.shared && a.IntN(2) == 0 {
		return a.n + a.IntN(a.n)
	}
	return a.IntN(a.n)
}

func (a *adversary) anyLine() []int {
	line := a.Perm(a.n)[:1+a.IntN(min(a.n, 3))]
	line[0] = a.anyMove()
	return line
}

func (a *adversary) newLeaf() *leaf {
	x := &leaf{kind: a.IntN(4) / 3, move: a.anyMove(), line: a.anyLine(), end: a.IntN(8), perm: a.IntN(a.perms)}
	if x.end > 4 {
		x.end = 0
	}
	for range a.IntN(3) {
		if x.end == 1 && a.n > 1 {
			i, j := a.IntN(a.n), a.IntN(a.n)
			x.pairs = append(x.pairs, [2]int{i, j})
		}
	}
	if a.IntN(3) == 0 {
		x.lines = append(x.lines, a.anyLine())
	}
	return x
}

// content writes the certificate as numbers. Edges that lead back make it nonsense.
func (a *adversary) content() []int {
	c := append(slices.Clone(a.game), 1)
	c = append(append(c, a.claim...), len(a.nodes))
	at := map[*leaf]int{}
	for k, x := range a.nodes {
		at[x] = k
	}
	for k, x := range a.nodes {
		c = append(c, x.kind)
		if x.kind == 1 {
			c = list(c, x.line)
			continue
		}
		if x.kind == 0 {
			c = append(c, x.move)
		}
		c = append(c, x.end)
		if x.end == 4 {
			c = append(c, x.perm)
		}
		c = append(c, len(x.pairs))
		for _, pair := range x.pairs {
			c = append(c, pair[0], pair[1])
		}
		c = append(c, len(x.lines))
		for _, line := range x.lines {
			c = list(c, line)
		}
		c = append(c, len(x.replies))
		for _, r := range x.replies {
			c = append(c, r.move, r.perm, max(0, at[r.to]-k))
		}
	}
	return c
}

func encode(numbers []int) []byte {
	var b []byte
	for _, x := range numbers {
		b = binary.AppendUvarint(b, uint64(x))
	}
	return b
}

// ask has a certificate checked, and fails the test where it is accepted and not so.
func (a *adversary) ask(t *testing.T, numbers []int) *verify.Report {
	a.asked++
	if a.seen != nil {
		a.seen(numbers)
	}
	r := verify.CheckContent(a.shared, encode(numbers))
	if !r.OK {
		return r
	}
	a.accepted++
	want := truth(&r.Game)
	for claim := range strings.SplitSeq(r.Claim, ", ") {
		if !holds(claim, want) {
			t.Fatalf("%q was accepted where the value is %s: %v %v", claim, want, a.shared, numbers)
		}
	}
	if r.Value != "unknown" && r.Value != want {
		t.Fatalf("the value %s was accepted where it is %s: %v %v", r.Value, want, a.shared, numbers)
	}
	return r
}

// mend changes what the checker found wrong. It reports false where it can't.
func (a *adversary) mend(reason string) bool {
	at := strings.Index(reason, "node ")
	if at < 0 {
		return false
	}
	k := 0
	if _, err := fmt.Sscanf(reason[at:], "node %d:", &k); err != nil || k >= len(a.nodes) {
		return false
	}
	x := a.nodes[k]
	_, after, _ := strings.Cut(reason[at:], ": ")
	reply, named := strings.CutPrefix(after, "the reply ")
	switch {
	case strings.HasPrefix(after, "the wrong side"):
		x.kind = 2 - x.kind
		if x.kind == 1 {
			x.kind = 2
		}
	case strings.HasPrefix(after, "nothing leads there"):
		a.nodes = slices.Delete(a.nodes, k, k+1)
		return len(a.nodes) > 0
	case named && strings.HasSuffix(reply, "has no answer"):
		name, _, _ := strings.Cut(reply, " ")
		move := 0
		if mark, sq, ok := strings.Cut(name, "@"); ok {
			if name = sq; mark == "o" {
				move = a.n
			}
		}
		sq, err := strconv.Atoi(name)
		if err != nil {
			return false
		}
		move += sq - 1
		if a.IntN(4) == 0 {
			x.lines = append(x.lines, a.anyLine())
			return len(x.lines) < 6
		}
		reply := answer{move, a.IntN(a.perms) * a.IntN(2), a.newLeaf()}
		if later := a.nodes[k+1:]; len(x.replies) > 0 && a.IntN(3) == 0 {
			like := x.replies[a.IntN(len(x.replies))]
			reply.perm, reply.to = like.perm, like.to
		} else if len(later) > 0 && a.IntN(3) == 0 {
			reply.to = later[a.IntN(len(later))]
		} else {
			a.nodes = append(a.nodes, reply.to)
		}
		x.replies = append(x.replies, reply)
	case named && len(x.replies) > 0:
		i := a.IntN(len(x.replies))
		x.replies = slices.Delete(x.replies, i, i+1)
	default:
		kind := x.kind
		*x = *a.newLeaf()
		if kind == 2 {
			x.kind = 2
		}
	}
	return len(a.nodes) < 40
}

// run asks about so many certificates.
func (a *adversary) run(t *testing.T, many int) {
	for a.asked < many {
		if a.IntN(10) == 0 {
			a.newMirror()
		} else {
			a.newGame()
		}
		for range 60 {
			numbers := a.content()
			r := a.ask(t, numbers)
			if !r.OK && !a.mend(r.Reason) {
				break
			}
			if !r.OK {
				continue
			}
			a.note(r)
			for range 20 { // one number of it is another
				bent := slices.Clone(numbers)
				i := a.IntN(len(bent))
				bent[i] = max(0, bent[i]+a.IntN(5)-2)
				a.ask(t, bent)
			}
			if len(a.nodes) == 0 {
				break
			}
			*a.nodes[a.IntN(len(a.nodes))] = *a.newLeaf()
		}
	}
}

// note counts what the strategy just accepted is made of.
func (a *adversary) note(r *verify.Report) {
	if r.Zones > 0 {
		a.ways["zone"]++
	}
	if len(a.nodes) == 0 {
		a.ways["stealing"]++
	}
	if len(a.nodes) > 3 {
		a.ways["more than three nodes"]++
	}
	for _, x := range a.nodes {
		if x.kind == 1 {
			a.ways["line"]++
		} else {
			a.ways[[]string{"open", "pairs", "potential", "settled", "mirror"}[x.end]]++
		}
	}
}

func newAdversary(seed uint64) *adversary {
	return &adversary{Rand: rand.New(rand.NewPCG(seed, 11)), ways: map[string]int{}}
}

// TestAdversarySequential asks about 200,000 certificates; TestTenMillion about more.
func TestAdversarySequential(t *testing.T) {
	t.Parallel()
	a := newAdversary(1)
	a.run(t, 1_000_000)
	t.Logf("%d accepted: %v", a.accepted, a.ways)
	for _, way := range []string{"stealing", "line", "open", "pairs", "potential", "settled", "mirror", "zone",
		"more than three nodes"} {
		if a.ways[way] < 5 {
			t.Errorf("only %d accepted strategies with %s", a.ways[way], way)
		}
	}
}
