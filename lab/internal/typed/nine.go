package typed

import (
	"oxo"
	"oxo/board"
	"oxo/games/ultimate"
	"oxo/prove/certificate"
	"oxo/prove/moves"
)

// nineBoards is what proofs ask of a game of nine boards.
func nineBoards(g *oxo.Game[ultimate.Pos]) *moves.Game[ultimate.Pos] {
	row := certificateOf(g.Start).Goal == certificate.Row
	return &moves.Game[ultimate.Pos]{
		Game: g,
		Form: func(p ultimate.Pos) (string, int) {
			form, symmetry := certificateOf(p).Form()
			return string(form[:]), symmetry
		},
		Turn: func(symmetry int, m oxo.Move) oxo.Move {
			return oxo.Move(certificate.TurnSquare(symmetry, uint8(m)))
		},
		Needs: func(p ultimate.Pos, seat oxo.Seat) int {
			if !row {
				return 0 // the number of boards wins, too
			}
			return g.Outlook(p, seat)
		},
		Gains: func(p, q ultimate.Pos) bool { return p.Owned(p.Turn()) != q.Owned(p.Turn()) },
	}
}

// certificateOf returns a position of nine boards as certificates have it.
func certificateOf(p ultimate.Pos) *certificate.Nine {
	n := &certificate.Nine{Open: p.Rules()&ultimate.Open != 0, Active: uint8(p.Active() + 1)}
	switch r := p.Rules(); {
	case r&ultimate.Most != 0:
		n.Goal = certificate.RowOrMost
	case r&^(ultimate.Most|ultimate.Open) != 0:
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

var _ = board.Own
