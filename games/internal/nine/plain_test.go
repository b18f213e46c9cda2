package nine

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"oxo"
)

// plain is the slow twin of Pos: the rules as a person would apply them to a
// board drawn on paper.
type plain struct {
	rules  Rules
	cells  [9][9]byte // x, o or .
	owner  [9]byte
	turn   byte
	active int // -1 for any
	result oxo.Outcome
}

func newPlain(r Rules) *plain {
	g := &plain{rules: r, turn: 'x', active: -1}
	if r&Points != 0 {
		g.active = 4
	}
	for b := range 9 {
		g.owner[b] = '.'
		for c := range 9 {
			g.cells[b][c] = '.'
		}
	}
	return g
}

func threeInARow(cells [9]byte, mark byte) bool {
	for _, line := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
		if cells[line[0]-'0'] == mark && cells[line[1]-'0'] == mark && cells[line[2]-'0'] == mark {
			return true
		}
	}
	return false
}

func (g *plain) isClosed(b int) bool {
	return !slices.Contains(g.cells[b][:], '.') || g.rules&Open == 0 && g.owner[b] != '.'
}

func (g *plain) moves() []oxo.Move {
	var moves []oxo.Move
	for b := range 9 {
		for c := range 9 {
			if g.result == oxo.Ongoing && g.cells[b][c] == '.' && !g.isClosed(b) && (g.active < 0 || g.active == b) {
				moves = append(moves, oxo.Move(9*b+c))
			}
		}
	}
	return moves
}

func (g *plain) play(m oxo.Move) {
	b, c := int(m/9), int(m%9)
	g.cells[b][c] = g.turn
	if g.owner[b] == '.' && threeInARow(g.cells[b], g.turn) {
		g.owner[b] = g.turn
	}
	g.turn ^= 'x' ^ 'o'
	g.active = c
	if g.isClosed(c) {
		g.active = -1
	}
	open := 0
	owned := map[byte]int{}
	for b := range 9 {
		owned[g.owner[b]]++
		if !g.isClosed(b) {
			open++
		}
	}
	switch {
	case g.rules&Points == 0 && threeInARow(g.owner, 'x'):
		g.result = oxo.FirstWins
	case g.rules&Points == 0 && threeInARow(g.owner, 'o'):
		g.result = oxo.SecondWins
	case open > 0:
		return
	case g.rules&(Most|Points) != 0 && owned['x'] > owned['o']:
		g.result = oxo.FirstWins
	case g.rules&(Most|Points) != 0 && owned['o'] > owned['x']:
		g.result = oxo.SecondWins
	default:
		g.result = oxo.Drawn
	}
	g.active = -1
}

// agree reports whether the twins describe the same position.
func (g *plain) agree(p Pos) bool {
	if p.Outcome() != g.result || p.Active() != g.active || "xo"[p.Turn()] != g.turn ||
		!slices.Equal(p.Moves(nil), g.moves()) {
		return false
	}
	for b := range 9 {
		if g.owner[b] != markChar(uint64(p.Owned(oxo.First)), uint64(p.Owned(oxo.Second)), b) ||
			g.isClosed(b) != (p.Closed()>>b&1 != 0) {
			return false
		}
		for c := range 9 {
			if g.cells[b][c] != markChar(uint64(p.Cells(oxo.First, b)), uint64(p.Cells(oxo.Second, b)), c) {
				return false
			}
		}
	}
	return true
}

var allRules = []Rules{0, Most, Open, Most | Open, Points, Points | Open}

func TestPlainTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	ends := map[oxo.Outcome]int{}
	for _, rules := range allRules {
		for range 200 {
			p, g := start(rules), newPlain(rules)
			var text []string
			for {
				if !g.agree(p) {
					t.Fatalf("rules %b, after %s: %s; by the slow twin %+v", rules, strings.Join(text, " "), format(p),
						g)
				}
				moves := g.moves()
				if len(moves) == 0 {
					break
				}
				m := moves[r.IntN(len(moves))]
				text = append(text, square(int(m)))
				p = p.Play(m)
				g.play(m)
			}
			ends[p.Outcome()]++
		}
	}
	if len(ends) != 3 {
		t.Errorf("outcomes %v: the games should have ended in all three ways", ends)
	}
}

// TestPlainPerft counts lines by the slow twin, played move by move.
func TestPlainPerft(t *testing.T) {
	var count func(g plain, depth int) uint64
	count = func(g plain, depth int) uint64 {
		if depth == 0 {
			return 1
		}
		var n uint64
		for _, m := range g.moves() {
			next := g
			next.play(m)
			n += count(next, depth-1)
		}
		return n
	}
	for _, rules := range allRules {
		for depth := range 4 {
			if got, want := perft(start(rules), depth), count(*newPlain(rules), depth); got != want {
				t.Errorf("rules %b: perft %d is %d, by the slow twin %d", rules, depth, got, want)
			}
		}
	}
}

// TestSymmetriesAreEight: the eight symmetries are all different and keep the
// lines of a board.
func TestSymmetriesAreEight(t *testing.T) {
	seen := map[[9]uint8]bool{}
	for s, to := range Moved {
		seen[to] = true
		for _, line := range lines {
			if image := uint64(Turned[s][line]); !slices.Contains(lines[:], image) {
				t.Errorf("symmetry %d takes line %09b to %09b", s, line, image)
			}
		}
	}
	if len(seen) != 8 {
		t.Errorf("%d different symmetries, want 8", len(seen))
	}
}

// TestImagesPlayAlike: playing and then moving the board is moving it and
// then playing, for each of the eight symmetries.
func TestImagesPlayAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 50 {
		for p := start(Most); p.Outcome() == oxo.Ongoing; {
			moves := p.Moves(nil)
			m := moves[r.IntN(len(moves))]
			for s, to := range Moved {
				there := oxo.Move(9*uint(to[m/9]) + uint(to[m%9]))
				if got, want := p.image(s).Play(there), p.Play(m).image(s); got != want {
					t.Fatalf("symmetry %d of %s: %s after %s, want %s", s, format(p), format(got), square(int(there)),
						format(want))
				}
			}
			p = p.Play(m)
		}
	}
}
