package lines

import (
	"math/rand/v2"
	"testing"
)

// owns reports by definition whether side owns a line.
func owns(b Board, mark []uint8, side int) bool {
next:
	for l, need := range b.Need {
		for _, s := range need {
			if mark[s] != uint8(side) {
				continue next
			}
		}
		if b.Bar != nil {
			for _, s := range b.Bar[l] {
				if mark[s] == uint8(side) {
					continue next
				}
			}
		}
		return true
	}
	return false
}

// completions returns by definition the squares on which side would complete
// a line.
func completions(b Board, mark []uint8, side int) []int {
	var list []int
	for s := range mark {
		if mark[s] == empty {
			mark[s] = uint8(side)
			if owns(b, mark, side) {
				list = append(list, s)
			}
			mark[s] = empty
		}
	}
	return list
}

// slowFours reports whether side, to move, wins at once or by continuous
// threats: the slow twin of fours.
func slowFours(b Board, mark []uint8, side int) bool {
	if len(completions(b, mark, side)) > 0 {
		return true
	}
	enemy := completions(b, mark, side^1)
	if len(enemy) > 1 {
		return false
	}
	for s := range mark {
		if mark[s] != empty || len(enemy) == 1 && s != enemy[0] {
			continue
		}
		mark[s] = uint8(side)
		ends := completions(b, mark, side)
		won := len(ends) > 1
		if len(ends) == 1 {
			mark[ends[0]] = uint8(side ^ 1)
			won = slowFours(b, mark, side)
			mark[ends[0]] = empty
		}
		mark[s] = empty
		if won {
			return true
		}
	}
	return false
}

// scatter plays random marks, more of them near each other than far, without a
// line owned.
func scatter(p *state, b Board, r *rand.Rand, marks int) {
	p.reset()
	for i := 0; i < marks; {
		s := r.IntN(p.n)
		if p.mark[s] != empty {
			continue
		}
		p.play(i&1, s)
		if owns(b, p.mark, i&1) {
			p.undo(i&1, s)
			return
		}
		i++
	}
}

// TestFours compares the search for continuous threats with its slow twin, and
// checks that the line it finds wins and that only replies in its zone can
// disturb it.
func TestFours(t *testing.T) {
	for name, b := range map[string]Board{"grid": grid(6, 6, 4), "exact": exactGrid(6, 6, 4), "odd": odd()} {
		t.Run(name, func(t *testing.T) {
			p := mustState(t, b)
			f := newFours(p, 12)
			f.thorough = true
			r := rand.New(rand.NewPCG(5, 6))
			wins, deep := 0, 0
			for range 400 {
				scatter(p, b, r, 2+r.IntN(p.n/2))
				side := r.IntN(2)
				got := f.win(side, 1<<40)
				if want := slowFours(b, p.mark, side); got != want {
					t.Fatalf("%v, want %v: side %d of %v", got, want, side, p.mark)
				}
				if !got {
					continue
				}
				wins++
				line, zone := append([]int(nil), f.line...), f.zone
				if len(line) > 2 {
					deep++
				}
				for s := range p.n {
					if p.mark[s] != empty || zone.has(s) {
						continue
					}
					p.play(side^1, s)
					if !owns(b, p.mark, side^1) && !slowFours(b, p.mark, side) {
						t.Fatalf("a reply on %d, outside the zone, disturbs the win of side %d by %v: %v", s, side, line, p.mark)
					}
					p.undo(side^1, s)
				}
			}
			if wins < 40 || deep < 2 {
				t.Errorf("only %d wins, %d of them deep", wins, deep)
			}
		})
	}
}
