package space

import (
	"oxo"
	"oxo/games/meta"
)

// NineBoards is a game on nine boards with the positions that nodes stand for, for
// learners that look at these.
type NineBoards struct {
	Game     *oxo.Game[meta.Pos]
	Position func(n Node) meta.Pos
}

// nineBoards returns the game where it is one on nine boards, else nil.
func (a *Graph[P]) nineBoards() *NineBoards {
	g, ok := any(a).(*Graph[meta.Pos])
	if !ok {
		return nil
	}
	return &NineBoards{g.Game, g.Position}
}
