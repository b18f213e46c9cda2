package ninenet

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"oxo"
	"oxo/games/ultimate"
)

// nets returns the nets of Ultimate and one of random weights.
func nets(t *testing.T) (list []*Net) {
	t.Helper()
	for _, data := range [][]byte{ultimateNet, mostNet} {
		shipped, err := ReadNet(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, shipped)
	}
	r := rand.New(rand.NewPCG(1, 2))
	wild := new(Net)
	wild.eachWeight(func(w *float32) { *w = float32(r.NormFloat64() * 0.05) })
	return append(list, wild)
}

// walk plays random games of Ultimate, by each of its rules, and calls f with
// every position that is not over.
func walk(games int, f func(g *oxo.Game[ultimate.Pos], p ultimate.Pos)) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range games {
		g := ultimate.New([]ultimate.Rules{0, ultimate.Most, ultimate.Open}[i%3])
		for p := g.Start; p.Outcome() == oxo.Ongoing; {
			f(g, p)
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
}

// TestNetFastSequential compares the fast form of a net with the plain one, position by
// position, and the judgement of all moves at once with that of each.
func TestNetFastSequential(t *testing.T) {
	for i, net := range nets(t) {
		fast := Compile(net)
		furthest, seen := 0.0, 0.0
		walk(15, func(g *oxo.Game[ultimate.Pos], p ultimate.Pos) {
			draw := []float64{-0.4, 0, 0.3}[p.Closed()%3]
			plain, quick := net.Judge(p, draw), fast.Judge(p, draw)
			furthest, seen = max(furthest, math.Abs(plain-quick)), max(seen, math.Abs(plain))
			if !(quick > -1 && quick < 1) {
				t.Fatalf("net %d: %s is worth %v", i, g.Format(p), quick)
			}
			moves := p.Moves(nil)
			after, values := make([]ultimate.Pos, len(moves)), make([]float32, len(moves))
			for i, m := range moves {
				after[i] = p.Play(m)
			}
			fast.JudgeAll(p, moves, after, draw, values)
			for k, q := range after {
				if q.Outcome() == oxo.Ongoing && values[k] != float32(fast.Judge(q, draw)) {
					t.Fatalf("net %d: %s is worth %v by itself, %v among its siblings", i, g.Format(q),
						fast.Judge(q, draw), values[k])
				}
			}
		})
		if furthest > 0.02 || seen < 0.1 {
			t.Errorf("net %d: the fast form is up to %v from the plain one, whose greatest is %v", i, furthest, seen)
		}
	}
}

// TestNetFairSequential checks that positions of one class are worth the same to the
// bit, and that a net sees the same with either side to move.
func TestNetFairSequential(t *testing.T) {
	for i, net := range nets(t) {
		fast := Compile(net)
		walk(9, func(g *oxo.Game[ultimate.Pos], p ultimate.Pos) {
			const draw = -0.2
			if v, class := fast.Judge(p, draw), fast.Judge(g.Representative(p), draw); v != class {
				t.Fatalf("net %d: %s is worth %v, and %v in another light", i, g.Format(p), v, class)
			}
		})
		a, b := worthFromLogOdds(oxo.First, 0.7, -0.2, 0.1), worthFromLogOdds(oxo.Second, 0.7, -0.2, -0.1)
		if a != -b || a <= 0 {
			t.Errorf("the same odds are worth %v to one side and %v to the other", a, -b)
		}
	}
}

// TestNetExtremesSequential checks that weights of any size leave every lane within its 16
// bits: the fast form follows the plain one with weights a thousand times as
// large, as the scale goes down with them.
func TestNetExtremesSequential(t *testing.T) {
	for _, size := range []float32{1e-3, 900} {
		r := rand.New(rand.NewPCG(5, 6))
		net := new(Net)
		net.eachWeight(func(w *float32) { *w = size * float32(2*r.Float64()-1) })
		fast := Compile(net)
		agree, all := 0, 0
		walk(3, func(g *oxo.Game[ultimate.Pos], p ultimate.Pos) {
			all++
			if math.Abs(net.Judge(p, 0)-fast.Judge(p, 0)) < 0.05 {
				agree++
			}
		})
		if agree < all*9/10 {
			t.Errorf("weights up to %v: the forms agree on %d of %d positions", size, agree, all)
		}
	}
}

// TestBoardFeatures checks the features of boards worked out by hand. Cells are
// numbered row by row from the top left.
func TestBoardFeatures(t *testing.T) {
	for _, c := range []struct {
		name       string
		own, their uint16
		want       []uint8
	}{
		{"empty", 0, 0, nil},
		{"centre", 1 << 4, 0, []uint8{4, 37, 40, 42, 43}},
		// Two in the top row win at 2; the others lie on lines of one.
		{"two and one", 1<<0 | 1<<1, 1 << 4, []uint8{0, 1, 9 + 4, 18 + 2, 39, 52, 44 + 1, 44 + 7}},
		// A fork: x at 0, 2 and 6 wins at 1, 3 and 4.
		{"fork", 1<<0 | 1<<2 | 1<<6, 0, []uint8{0, 2, 6, 18 + 1, 18 + 3, 18 + 4, 36 + 2, 36 + 5, 36 + 6, 52, 53}},
		// Theirs has a mark in each of our lines, and we have one in each of theirs.
		{"dead", 1<<0 | 1<<2 | 1<<4 | 1<<7, 1<<1 | 1<<3 | 1<<6 | 1<<8 | 1<<5,
			[]uint8{0, 2, 4, 7, 10, 12, 14, 15, 17, 56, 57}},
	} {
		got := boardFeatures(c.own, c.their, nil)
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: features %v, want %v", c.name, got, c.want)
		}
	}
}

// TestNetFile checks that a net is written and read again, and that files which
// are none are refused.
func TestNetFile(t *testing.T) {
	for _, net := range nets(t) {
		whole := net.Bytes()
		again, err := ReadNet(bytes.NewReader(whole))
		if err != nil || *again != *net {
			t.Errorf("the net comes back changed, or not at all: %v", err)
		}
		if _, err := ReadNet(bytes.NewReader(whole[:len(whole)-1])); err == nil {
			t.Error("half a net is accepted")
		}
		if _, err := ReadNet(bytes.NewReader(append(whole, 0))); err == nil {
			t.Error("a net with something behind it is accepted")
		}
		copy(whole, []byte{0, 0, 0xC0, 0x7F}) // not a number
		if _, err := ReadNet(bytes.NewReader(whole)); err == nil {
			t.Error("a weight that is no number is accepted")
		}
	}
}

// TestBiasKeys checks which positions have keys in common: in the first way those with the same
// boards closed and the same one to move on, in the second those with the same
// marks on the board played on and the one to move on.
func TestBiasKeys(t *testing.T) {
	g := ultimate.New(0)
	after := func(moves ...oxo.Move) (kin [2]uint32) {
		p := g.Start
		for _, m := range moves {
			q := p.Play(m)
			kin = BiasKeys(p, m, q)
			p = q
		}
		return kin
	}
	for _, c := range []struct {
		name string
		a, b []oxo.Move // board·9 + cell
		kin  [2]bool
	}{
		{"the same position in another order", []oxo.Move{4*9 + 3, 3*9 + 4, 4*9 + 5, 5*9 + 2},
			[]oxo.Move{4*9 + 5, 5*9 + 4, 4*9 + 3, 3*9 + 2}, [2]bool{true, false}},
		{"marks elsewhere", []oxo.Move{0*9 + 1, 1*9 + 2, 2*9 + 3, 3*9 + 8},
			[]oxo.Move{5*9 + 1, 1*9 + 2, 2*9 + 3, 3*9 + 8}, [2]bool{true, true}},
		{"another mark on the board played on", []oxo.Move{3*9 + 1, 1*9 + 2, 2*9 + 3, 3*9 + 8},
			[]oxo.Move{5*9 + 1, 1*9 + 2, 2*9 + 3, 3*9 + 8}, [2]bool{true, false}},
		{"another mark on the board to move on", []oxo.Move{8*9 + 1, 1*9 + 2, 2*9 + 3, 3*9 + 8},
			[]oxo.Move{5*9 + 1, 1*9 + 2, 2*9 + 3, 3*9 + 8}, [2]bool{true, false}},
		{"another board to move on", []oxo.Move{0*9 + 1}, []oxo.Move{0*9 + 2}, [2]bool{}},
		{"the other side to move", []oxo.Move{0*9 + 1, 1*9 + 2}, []oxo.Move{1*9 + 2}, [2]bool{}},
	} {
		a, b := after(c.a...), after(c.b...)
		if kin := [2]bool{a[0] == b[0], a[1] == b[1]}; kin != c.kin {
			t.Errorf("%s: kin %v, want %v", c.name, kin, c.kin)
		}
	}
}

func FuzzReadNet(f *testing.F) {
	f.Add(ultimateNet)
	f.Add([]byte("net"))
	start := ultimate.New(0).Start
	f.Fuzz(func(t *testing.T, data []byte) {
		net, err := ReadNet(bytes.NewReader(data))
		if err != nil {
			return
		}
		if v := net.Judge(start, 0); !(v > -1 && v < 1) {
			t.Errorf("the start is worth %v", v)
		}
	})
}

// TestSays checks that the shipped nets say of simple positions what any player would.
func TestSays(t *testing.T) {
	for i, net := range nets(t)[:2] {
		says := map[string]float64{}
		for _, s := range net.JudgeSamples() {
			says[s.On] = s.Worth
		}
		for _, pair := range [][2]string{
			{"the centre board won", "nothing"}, {"nothing", "the centre board lost"},
			{"two boards of a row won", "the centre board won"},
			{"a corner board won", "a corner board closed without a row"},
			{"two boards of a row won", "two boards of a row lost"},
		} {
			if better, worse := says[pair[0]], says[pair[1]]; !(better > worse) {
				t.Errorf("net %d: %s is worth %v, %s %v", i, pair[0], better, pair[1], worse)
			}
		}
	}
}
