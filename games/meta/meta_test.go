package meta_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"oxo"
	"oxo/games/meta"
	"oxo/gametest"
)

func TestConformance(t *testing.T) { gametest.Run(t, meta.New()) }

func FuzzParse(f *testing.F) { gametest.Fuzz(f, meta.New()) }

// slowFeatures is the slow twin of Features: it reads the position's text, and
// counts for one seat and for the other.
func slowFeatures(g *oxo.Game[meta.Pos], p meta.Pos, seat oxo.Seat) [6]int32 {
	rows := strings.Split(strings.Fields(g.Format(p))[0], "/")
	own, enemy := byte('x'), byte('o')
	if seat == oxo.Second {
		own, enemy = enemy, own
	}
	var phi [6]int32
	for b := range 9 {
		var cells [9]byte
		for c := range cells {
			cells[c] = rows[b/3*3+c/3][b%3*3+c%3]
		}
		mine, theirs := slowCounts(cells, own, enemy), slowCounts(cells, enemy, own)
		for i := range phi {
			if active := mine[0]+theirs[0] == 0 && strings.Contains(string(cells[:]), "."); active || i == 0 || i == 4 {
				phi[i] += mine[i] - theirs[i]
			}
		}
	}
	return phi
}

// slowCounts counts one side's features on one board, active or not.
func slowCounts(cells [9]byte, own, enemy byte) (n [6]int32) {
	for _, line := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
		filled := string([]byte{cells[line[0]-'0'], cells[line[1]-'0'], cells[line[2]-'0']})
		mine, theirs, empty := strings.Count(filled, string(own)), strings.Count(filled, string(enemy)),
			strings.Count(filled, ".")
		switch {
		case mine == 3:
			n[0] = 1
		case mine == 1 && theirs == 2:
			n[4]++
		case mine == 2 && empty == 1:
			n[5]++
		}
	}
	for c, mark := range cells {
		if mark != own {
			continue
		}
		switch c {
		case 4:
			n[1]++
		case 0, 2, 6, 8:
			n[2]++
		default:
			n[3]++
		}
	}
	return n
}

func TestFeatures(t *testing.T) {
	g := meta.New()
	r := rand.New(rand.NewPCG(1, 1))
	largest := [6]int32{}
	for range 200 {
		for p := g.Start; ; {
			for _, seat := range []oxo.Seat{oxo.First, oxo.Second} {
				got, want := meta.Features(p, seat), slowFeatures(g, p, seat)
				if got != want {
					t.Fatalf("%s: features of %v %v, want %v", g.Format(p), seat, got, want)
				}
				for i, v := range got {
					largest[i] = max(largest[i], v)
				}
			}
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			p = p.Play(moves[r.IntN(len(moves))])
		}
	}
	for i, v := range largest {
		if v < 2 {
			t.Errorf("feature %d never exceeds %d: the games do not try it", i, v)
		}
	}
}

// TestFeaturesByHand: two positions counted on paper. In the first o has two
// in a column of the centre board and x three centres; then o wins that board,
// and its pieces no longer count.
func TestFeaturesByHand(t *testing.T) {
	g := meta.New()
	p := g.Start
	for _, c := range []struct {
		moves string
		want  [6]int32
	}{
		{"e5 e4 e2 d5 b5 d6", [6]int32{0, 3, -1, -2, 0, -1}},
		{"b8 d4", [6]int32{-1, 3, 0, 0, 0, 0}},
	} {
		for text := range strings.FieldsSeq(c.moves) {
			m, err := g.ParseMove(p, text)
			if err != nil {
				t.Fatal(err)
			}
			p = p.Play(m)
		}
		if got := meta.Features(p, oxo.First); got != c.want {
			t.Errorf("%s: features %v, want %v", g.Format(p), got, c.want)
		}
	}
}

// TestPoints: the winner is whoever has more boards, three in a row or not.
func TestPoints(t *testing.T) {
	g := meta.New()
	r := rand.New(rand.NewPCG(2, 2))
	ends := map[oxo.Outcome]int{}
	for range 300 {
		p := g.Start
		for p.Outcome() == oxo.Ongoing {
			moves := p.Moves(nil)
			p = p.Play(moves[r.IntN(len(moves))])
		}
		points := slowFeatures(g, p, oxo.First)[0]
		want := oxo.Drawn
		if points > 0 {
			want = oxo.FirstWins
		} else if points < 0 {
			want = oxo.SecondWins
		}
		if p.Outcome() != want || p.Closed() != 511 {
			t.Fatalf("%s: %v with %d points more for first, want %v", g.Format(p), p.Outcome(), points, want)
		}
		ends[want]++
	}
	if len(ends) != 3 {
		t.Errorf("ends %v: want some of each kind", ends)
	}
}
