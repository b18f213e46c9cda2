package nine

import (
	"oxo"
	"oxo/board"
	"oxo/games/kind"
	"oxo/message"
)

// Words has the English of what the games on nine boards have in common.
var Words = message.Table{
	"nine.boards": "Nine small boards make up a large one. A move says where the other side goes next: the top left " +
		"square of a small board sends it to the top left board, and so on; " +
		"where that one is closed, any other will do.",
	"nine.closes":         "Three in a row win a small board, which is closed then, as a full one is.",
	"nine.takes":          "It wins board {board}.",
	"nine.sends":          "It sends {side} to board {board}.",
	"nine.sends.takes":    "It sends {side} to board {board}, which {side} can win at once.",
	"nine.anywhere":       "It lets {side} choose the board.",
	"nine.anywhere.takes": "It lets {side} choose the board, and win one at once.",
}

// Opened returns a game on nine boards with that title. Begins, won and wins are the keys of the sentences in its
// rules that say where the first move is, what becomes of won boards, and what wins.
func Opened(g *oxo.Game[Pos], title message.Message, begins, won, wins string) *kind.Opened[Pos] {
	view := kind.GridView(9, 9)
	view.Drawn = kind.Nine
	rules := []message.Message{{Key: "nine.boards"}, {Key: begins}, {Key: won}, {Key: wins}}
	return &kind.Opened[Pos]{Game: g, Title: title, View: view, Rules: rules, Remarks: remarks,
		Turns: turnRulesOf(g.Start.Rules())}
}

// turnRulesOf says what comes of a move by those rules. Three boards in a row end a game as completed sets do, but not
// where boards are only counted.
func turnRulesOf(r Rules) *kind.Turns {
	t := kind.TurnRulesOf(board.Normal, nil)
	if r&Points != 0 {
		t.Done = [2]string{}
	}
	t.Nine = &kind.OnNine{Open: r&Open != 0, Most: r&(Most|Points) != 0}
	return t
}

// Shelf is where the games on nine boards are offered.
const Shelf = "Space and meta"
