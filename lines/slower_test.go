package lines

import (
	"math/rand/v2"
	"testing"
)

// slowSlower reports by definition whether side, to move, wins by so many
// threats of both speeds: the slow twin of slower.
func slowSlower(b Board, mark []uint8, side, depth int) bool {
	if slowFours(b, mark, side) {
		return true
	}
	enemy := completions(b, mark, side^1)
	if depth == 0 || len(enemy) > 1 {
		return false
	}
	var makers [64]bool
	for rest := 2; rest <= 3; rest++ {
		for _, s := range missing(b, mark, side, rest) {
			makers[s] = true
		}
	}
	for s := range mark {
		if mark[s] != empty || len(enemy) == 1 && s != enemy[0] || len(enemy) == 0 && !makers[s] {
			continue
		}
		mark[s] = uint8(side)
		won := slowAttack(b, mark, side, depth-1+len(enemy))
		mark[s] = empty
		if won {
			return true
		}
	}
	return false
}

// slowAttack reports whether side has just made a threat that wins against
// every reply.
func slowAttack(b Board, mark []uint8, side, depth int) bool {
	replies := completions(b, mark, side)
	if len(replies) == 0 {
		if !slowFours(b, mark, side) {
			return false
		}
		for s := range mark {
			if mark[s] == empty {
				replies = append(replies, s)
			}
		}
	}
	for _, s := range replies {
		mark[s] = uint8(side ^ 1)
		won := !owns(b, mark, side^1) && slowSlower(b, mark, side, depth)
		mark[s] = empty
		if !won {
			return false
		}
	}
	return true
}

// TestSlower compares the search for slow threats with its slow twin.
func TestSlower(t *testing.T) {
	for name, b := range map[string]Board{"grid": grid(5, 5, 4), "exact": exactGrid(5, 5, 4)} {
		t.Run(name, func(t *testing.T) {
			p := mustState(t, b)
			x := newSlower(p, newFours(p, 12), 12)
			x.fast.thorough = true
			r := rand.New(rand.NewPCG(7, 8))
			wins, others := 0, 0
			for range 200 {
				scatter(p, b, r, p.n/4+r.IntN(p.n/2))
				side, depth := r.IntN(2), 2
				if x.fast.win(side, 1<<40) {
					continue
				}
				x.stop, x.cut = x.nodes+1<<40, false
				hash := p.hash
				got := x.search(side, depth)
				if p.hash != hash || len(x.squares) != 0 {
					t.Fatal("the position was not put back")
				}
				if want := slowSlower(b, p.mark, side, depth); got != want || x.cut {
					t.Fatalf("%v, want %v: side %d of %v", got, want, side, p.mark)
				}
				if !got {
					others++
					continue
				}
				wins++
				p.mark[x.move] = uint8(side)
				if !owns(b, p.mark, side) && !slowAttack(b, p.mark, side, depth) {
					t.Fatalf("%d does not win for side %d of %v", x.move, side, p.mark)
				}
				p.mark[x.move] = empty
			}
			if wins < 3 || others < 3 {
				t.Errorf("%d wins and %d others: too few of a kind to tell", wins, others)
			}
		})
	}
}
