package search_test

import (
	"context"
	_ "embed"
	"math/rand/v2"
	"strings"
	"testing"

	"oxo"
	"oxo/games/ultimate"
	"oxo/search"
	"oxo/search/proof"
)

// ultimateWins are positions of Ultimate in which the side to move wins: of games
// between the net and plain UCT, the earliest of each that alpha-beta valued
// with 400,000 nodes.
//
//go:embed testdata/ultimate-wins.txt
var ultimateWins string

// winningPositions returns each so-manieth of them.
func winningPositions(t *testing.T, g *oxo.Game[ultimate.Pos], each int) []ultimate.Pos {
	t.Helper()
	var list []ultimate.Pos
	i := 0
	for position := range strings.Lines(ultimateWins) {
		if i++; i%each != 0 {
			continue
		}
		p, err := g.Parse(strings.TrimSpace(position))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// TestUltimateWinsByProofNumbersSequential proves each of the wins and counts the nodes,
// which docs/search.md tells:
//
//	go test -run TestUltimateWinsByProofNumbersSequential -v ./search
func TestUltimateWinsByProofNumbersSequential(t *testing.T) {
	for _, c := range []struct {
		name              string
		minMoves, winsNow bool
		average, most     uint64
	}{
		{"both", true, true, 1500, 25_000},
		{"WinsNow alone", false, true, 3500, 100_000},
	} {
		g := ultimate.New(0)
		if !c.minMoves {
			g.MinMovesToWin = nil
		}
		positions := winningPositions(t, g, 1)
		nodes, greatest := uint64(0), uint64(0)
		for _, p := range positions {
			s := newProver(t, g, 0)
			a := s.Prove(t.Context(), p, p.Turn(), c.most)
			if a.Verdict != proof.Proven || a.Proof != 0 || a.Disproof == 0 {
				t.Errorf("%s: %s: %+v; the side to move wins", c.name, g.Format(p), a)
			}
			nodes, greatest = nodes+a.Nodes, max(greatest, a.Nodes)
		}
		n := uint64(len(positions))
		t.Logf("%s: %d wins proven with %d nodes on average, %d at most", c.name, n, nodes/n, greatest)
		if nodes > n*c.average {
			t.Errorf("%s: %d nodes on average, want at most %d", c.name, nodes/n, c.average)
		}
	}
}

func newProver[P oxo.Position[P]](t testing.TB, g *oxo.Game[P], bytes int) *proof.Prover[P] {
	t.Helper()
	s, err := proof.NewProver(g, bytes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// lateUltimate returns a random position of g near its end, and its value by
// alpha-beta.
func lateUltimate(t *testing.T, r *rand.Rand, g *oxo.Game[ultimate.Pos]) (ultimate.Pos, float64) {
	t.Helper()
	for {
		p := randomPosition(r, g, 44+r.IntN(14))
		o := search.Options[ultimate.Pos]{Memory: search.Everything, TableBytes: 1 << 20, Order: search.Killers,
			MaxNodes: 20_000}
		if v := find(t, g, p, search.AlphaBeta, o); v.Exact() && v.Complete {
			return p, v.Value
		}
	}
}

// TestProverDifferentialSequential compares verdicts about both seats with alpha-beta, with
// and without what the game tells, in a table with room and in one without, which
// may leave a few questions open, and with one prover for all questions.
func TestProverDifferentialSequential(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, rules := range []ultimate.Rules{0, ultimate.Open, ultimate.Most} {
		told := ultimate.New(rules)
		plain := ultimate.New(rules)
		plain.WinsNow, plain.MinMovesToWin, plain.Perft = nil, nil, nil
		const forgetful = 1
		provers := []*proof.Prover[ultimate.Pos]{
			newProver(t, told, 0), forgetful: newProver(t, told, 1<<12), newProver(t, plain, 1<<20),
		}
		asked, open := 0, 0
		verdicts := map[proof.Status]int{}
		for range 40 * effort {
			p, value := lateUltimate(t, r, told)
			for seat := oxo.First; seat <= oxo.Second; seat++ {
				want := proof.Disproven
				if value == float64(oxo.WinFor(seat).Value(oxo.First)) {
					want = proof.Proven
				}
				verdicts[want]++
				for i, s := range provers {
					a := s.Prove(t.Context(), p, seat, 200_000)
					if asked++; i == forgetful && a.Verdict == proof.Unknown {
						open++
						continue
					}
					if a.Verdict != want {
						t.Fatalf("%s %s: prover %d says %+v of %v, who gets %v", told.Spec, told.Format(p), i, a, seat,
							value)
					}
					// The move of who gets what it wants must keep it.
					if (seat == p.Turn()) == (want == proof.Proven) {
						q := p.Play(a.Move)
						if next := s.Prove(t.Context(), q, seat, 200_000); next.Verdict != want &&
							(i != forgetful || next.Verdict != proof.Unknown) {
							t.Fatalf("%s %s: prover %d, after its move %s: %+v of %v, want %v", told.Spec,
								told.Format(p), i, told.FormatMove(p, a.Move), next, seat, want)
						}
					}
				}
			}
		}
		if open > asked/100 {
			t.Errorf("%s: %d of %d questions are left open", told.Spec, open, asked)
		}
		if verdicts[proof.Proven] < 10 || verdicts[proof.Disproven] < 10 {
			t.Errorf("%s: verdicts %v: too few of one kind", told.Spec, verdicts)
		}
	}
}

// TestProverLimits checks that a question ends at its limit of nodes and with its
// context, and that asking again goes on from there.
func TestProverLimits(t *testing.T) {
	g := ultimate.New(0)
	s := newProver(t, g, 0)
	if a := s.Prove(t.Context(), g.Start, oxo.First, 300); a.Verdict != proof.Unknown || a.Nodes != 300 ||
		a.Proof == 0 || a.Disproof == 0 {
		t.Errorf("after 300 nodes: %+v", a)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if a := s.Prove(done, g.Start, oxo.Second, 0); a.Verdict != proof.Unknown || a.Nodes > 1 || a.Move == oxo.NoMove {
		t.Errorf("without time: %+v", a)
	}
	p := winningPositions(t, g, 1)[0]
	whole := newProver(t, g, 0).Prove(t.Context(), p, p.Turn(), 0)
	steps := uint64(0)
	for i := 0; ; i++ {
		a := s.Prove(t.Context(), p, p.Turn(), 100)
		if steps += a.Nodes; a.Verdict == proof.Proven {
			break
		}
		if steps > 10*whole.Nodes {
			t.Fatalf("not proven in %d steps of 100 nodes; at once it takes %d nodes", i, whole.Nodes)
		}
	}
	if a := s.Prove(t.Context(), p, p.Turn(), 100); a.Verdict != proof.Proven || a.Nodes > 1 {
		t.Errorf("asked again: %+v", a)
	}
	over, err := mnk(t, 3, 3, 3).Parse("xxx/oo./... o")
	if err != nil {
		t.Fatal(err)
	}
	if a := newProver(t, mnk(t, 3, 3, 3), 0).Prove(t.Context(), over, oxo.First, 0); a.Verdict != proof.Proven ||
		a.Move != oxo.NoMove || a.Nodes != 0 {
		t.Errorf("a game that is won: %+v", a)
	}
}

// TestProverAllocates checks that a question allocates nothing once the memory
// has grown.
func TestProverAllocates(t *testing.T) {
	g := ultimate.New(0)
	p := winningPositions(t, g, 1)[0]
	s := newProver(t, g, 1<<18)
	ask := func() {
		s.Prove(context.Background(), p, p.Turn().Other(), 20_000)
		s.Prove(context.Background(), g.Start, oxo.First, 2000)
	}
	for range 3 {
		ask()
	}
	if n := testing.AllocsPerRun(3, ask); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestProverRefusals(t *testing.T) {
	for _, c := range []struct{ tree, says string }{{"chance", "chance nodes"}, {"three-ply", "payoffs"}} {
		if _, err := proof.NewProver(builtin(t, c.tree), 0); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("tree:%s: %v, want something about %s", c.tree, err, c.says)
		}
	}
	g := mnk(t, 3, 3, 3)
	g.MaxPlies = 0
	if _, err := proof.NewProver(g, 0); err == nil || !strings.Contains(err.Error(), "circles") {
		t.Errorf("a game with circles: %v", err)
	}
}

// TestDFPNLimits checks that both questions of a search share its nodes, and that
// it takes little memory where it is given little.
func TestDFPNLimits(t *testing.T) {
	g := mnk(t, 3, 3, 3)
	full := find(t, g, g.Start, search.DFPN, boardOptions{})
	if full.Value != 0 || !full.Exact() || !full.Complete {
		t.Fatalf("empty 3×3: %+v", full)
	}
	for _, nodes := range []uint64{1, full.Nodes / 2, full.Nodes - 1} {
		r := find(t, g, g.Start, search.DFPN, boardOptions{MaxNodes: nodes})
		if r.Nodes > nodes || r.Exact() || r.Complete {
			t.Errorf("within %d nodes: %+v", nodes, r)
		}
		checkPlayable(t, g, r)
	}
	small := find(t, g, g.Start, search.DFPN, boardOptions{TableBytes: 4096})
	if small.Value != 0 || !small.Exact() || small.Stored > 4096/16 || small.Nodes <= full.Nodes {
		t.Errorf("in 4096 bytes: %+v; with room %d nodes", small, full.Nodes)
	}
}
