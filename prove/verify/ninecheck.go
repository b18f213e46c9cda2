package verify

import (
	"fmt"
	"slices"
)

// MagicNine begins certificates of games of nine boards.
const MagicNine = "oxo proof 3\n"

// nineGame is a game of nine boards as the checker of levels wants it.
type nineGame struct{ root *Nine }

func (g nineGame) start() Nine                     { return *g.root }
func (g nineGame) full() int                       { return 0 }
func (g nineGame) moves() int                      { return len(g.root.Marks) }
func (g nineGame) turn(p Nine) int                 { return p.Turn }
func (g nineGame) legal(p Nine, sq int) bool       { return p.legal(sq) }
func (g nineGame) play(p Nine, sq int) (Nine, int) { return p.play(sq) }
func (g nineGame) canonicalForm(p Nine) form       { return p.canonicalForm() }
func (g nineGame) position(f form, turn int) Nine  { return g.root.position(f, turn) }
func (g nineGame) costs() (reply, form int)        { return 20, 100 }

// moveName says a move in words, for errors, with boards and cells counted from 1.
func (g nineGame) moveName(sq int) string {
	return fmt.Sprintf("on cell %d of board %d", sq%9+1, sq/9+1)
}

// maxPlies returns how many squares have no mark.
func (g nineGame) maxPlies() (count int) {
	for _, mark := range g.root.Marks {
		if mark == 0 {
			count++
		}
	}
	return count
}

// compareForms orders forms, as lists of numbers.
func (g nineGame) compareForms(a, b form) int {
	return slices.Compare(a[:], b[:])
}

// claimKept reports whether the other side has too few moves left to win. It helps only who claims not to lose.
func (g nineGame) claimKept(p Nine, c *levelClaim, pliesLeft int) (endsWithin int, kept bool) {
	if c.wins {
		return 0, false
	}
	plies := pliesLeft
	if p.Turn != c.seat {
		pliesLeft++ // the other side makes the next of the moves that are left
	}
	return plies, p.marksNeededToWin(uint8(2-c.seat)) > pliesLeft/2
}

// readNine reads the rules and the position, in the order in which a certificate has them, and refuses what can be
// none.
func (r *reader) readNine() (n *Nine, name string, err error) {
	text := make([]byte, r.number(1<<16))
	for k := range text {
		text[k] = byte(r.number(256))
	}
	n = &Nine{Goal: r.number(3), Open: r.bool()}
	for k := range n.Marks {
		n.Marks[k] = uint8(r.number(3))
	}
	for b := range n.Owner {
		n.Owner[b] = uint8(r.number(3))
	}
	n.Active, n.Turn = r.number(10), r.number(2)
	if r.err != nil {
		return n, string(text), r.err
	}
	return n, string(text), n.checkPossible()
}
