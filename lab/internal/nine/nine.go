// Package nine puts games of nine boards before the prover by moves, the writer of certificates
// and their checker, each of which has its own idea of a position.
package nine

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"

	"oxo"
	"oxo/games/ultimate"
	"oxo/prove/certificate"
	"oxo/prove/moves"
	"oxo/prove/verify"
)

// Game is a game of nine boards with what proofs ask of it.
type Game = moves.Provable[ultimate.Pos]

// NewProvableGame returns what proofs ask of a game of nine boards. The form is canonical under the symmetries of the
// square that turn all nine boards and the squares of each alike. Needs is a lower bound on the marks that a seat
// still has to place for its win; it is only had where nothing but a row of boards wins. Gains says that the move
// won a small board.
func NewProvableGame(g *oxo.Game[ultimate.Pos]) *Game {
	// row says that only three boards in a row win.
	row := CertificatePosition(g.Start).Goal == certificate.Row
	return &Game{
		Game: g,
		Form: func(p ultimate.Pos) (string, int) {
			form, symmetry := CertificatePosition(p).CanonicalForm()
			return string(form[:]), symmetry
		},
		Turn: func(symmetry int, m oxo.Move) oxo.Move {
			return oxo.Move(certificate.TurnSquare(symmetry, uint8(m)))
		},
		Needs: func(p ultimate.Pos, seat oxo.Seat) int {
			if !row {
				return 0 // the number of boards wins, too
			}
			return g.MinMovesToWin(p, seat)
		},
		Played: func(p ultimate.Pos) (moves int) {
			for seat := range 2 {
				for b := range 9 {
					moves += bits.OnesCount(uint(p.Cells(oxo.Seat(seat), b)))
				}
			}
			return moves
		},
		Gains: func(p, q ultimate.Pos) bool { return p.Owned(p.Turn()) != q.Owned(p.Turn()) },
	}
}

// CertificatePosition returns a position of nine boards as certificates have it. It has no side to move: the setup that
// it is put into says that.
func CertificatePosition(p ultimate.Pos) *certificate.Nine {
	n := &certificate.Nine{Open: p.Rules()&ultimate.Open != 0, Active: uint8(p.Active() + 1)}
	// Without Most, the one rule beside Open is Points, by which boards are counted and no row ends the game.
	switch r := p.Rules(); {
	case r&ultimate.Most != 0:
		n.Goal = certificate.RowOrMost
	case r&^ultimate.Open != 0:
		n.Goal = certificate.Most
	}
	for seat := range uint8(2) {
		owned := p.Owned(oxo.Seat(seat))
		for b := range 9 {
			if owned>>b&1 != 0 {
				n.Owner[b] = 1 + seat
			}
			cells := p.Cells(oxo.Seat(seat), b)
			for c := range 9 {
				if cells>>c&1 != 0 {
					n.Marks[9*b+c] = 1 + seat
				}
			}
		}
	}
	return n
}

// CheckerSetup returns a position of nine boards as the checker sees it, which has types of its own, so that it shares
// no code with the writer of certificates.
func CheckerSetup(g *certificate.Setup) *verify.Setup {
	n := g.Nine
	return &verify.Setup{Spec: g.Spec, Nine: &verify.Nine{Goal: int(n.Goal), Open: n.Open, Marks: n.Marks,
		Owner: n.Owner, Active: int(n.Active), Turn: int(g.Turn)}}
}

// PositionText writes a position of nine boards as its game reads it: nine rows from the top, the side to move, the
// active board, and the owners where won boards stay open. Boards and squares are numbered by row from the top left;
// the text's rows run through three boards each. What the text says need not be a position that the game can have.
func PositionText(n *verify.Nine) string {
	mark := func(who uint8) byte { return ".xo"[who] }
	var text strings.Builder
	for row := range 9 {
		if row > 0 {
			text.WriteByte('/')
		}
		for column := range 9 {
			text.WriteByte(mark(n.Marks[9*(row/3*3+column/3)+row%3*3+column%3]))
		}
	}
	// The active board is counted from 1, and 0 is any that is not closed.
	active := byte('-')
	if n.Active > 0 {
		// Active is at most 9, as there are nine boards.
		active = byte('0' + n.Active)
	}
	fmt.Fprintf(&text, " %c %c", "xo"[n.Turn], active)
	if n.Open {
		text.WriteByte(' ')
		for _, owner := range n.Owner {
			text.WriteByte(mark(owner))
		}
	}
	return text.String()
}

// GameSpec returns the spec of the game of nine boards of these rules. The error is of rules that a certificate can
// state and no game here has.
func GameSpec(n *verify.Nine) (string, error) {
	spec := "ultimate"
	switch certificate.NineGoal(n.Goal) {
	case certificate.RowOrMost:
		spec += "+most"
	case certificate.Most:
		if spec = "meta"; n.Open {
			return "", errors.New("its game of nine boards counts them and leaves won ones open: there is none such")
		}
	}
	if n.Open {
		spec += "+open"
	}
	return spec, nil
}

// DescribePosition says in words what game of nine boards a file describes, and which position: what wins, how many
// marks there are and who is to move.
func DescribePosition(n *verify.Nine) string {
	wins := map[certificate.NineGoal]string{certificate.Row: "three in a row win",
		certificate.RowOrMost: "three in a row win, else more", certificate.Most: "more win"}
	text := "nine boards of which " + wins[certificate.NineGoal(n.Goal)]
	if n.Open {
		text += ", won ones stay open"
	}
	count := 0
	for _, mark := range n.Marks {
		if mark != 0 {
			count++
		}
	}
	return fmt.Sprintf("%s, %d marks, the %v side to move", text, count, oxo.Seat(n.Turn))
}
