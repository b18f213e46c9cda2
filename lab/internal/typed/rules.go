package typed

import (
	"fmt"
	"slices"
	"strings"

	"oxo/games/animal"
)

// rules says in a few sentences how the game is played, X moving first.
func (b *bound[P]) rules() string {
	s := splitSpec(b.Spec)
	switch s.kind {
	case "meta":
		return nineBoards + " The first move is in the centre board. " + oneWinsBoard + " Whoever has won more boards at the end wins."
	case "ultimate":
		text := nineBoards + " The first move is anywhere. "
		if slices.Contains(s.options, "open") {
			text += "Three in a row win a board, in which play goes on until it is full."
		} else {
			text += oneWinsBoard
		}
		if slices.Contains(s.options, "most") {
			return text + " Three boards in a row win the game; without them, more boards do."
		}
		return text + " Three boards in a row win the game; without them it is a draw."
	case "race":
		return "X starts on the left, O on the right. A move takes one's own token one step left or right, or over the other token to the square behind it. " +
			"X wins on reaching the right end, O on reaching the left end."
	case "tree":
		text := "Max and Min choose branches until a leaf is reached. Max wants its value to be large, Min small."
		if b.Odds != nil {
			text += " At chance nodes the branch is drawn."
		}
		return text
	}
	s.options = splitSpec(b.identity).options // a file's own option is not in the spec
	falls := slices.Contains(s.options, "gravity") || b.board != nil && b.board.Below != nil
	return ruleTexts(s.aim(), falls, s.options)
}

const (
	nineBoards   = "Nine small boards make up a large one. The square that is played, as seen in its small board, names the small board for the next move; where that one is closed, any other will do."
	oneWinsBoard = "Three in a row win a small board, which is closed then, as a full one is."
)

// aim says what the sets of a positional game are.
func (s spec) aim() string {
	n, _ := numbers(s.args, strings.Count(s.args, ",")+1) // nil where there is a name too
	switch {
	case s.kind == "cube":
		return fmt.Sprintf("a straight line of %d, in any direction", n[0])
	case s.kind == "animal":
		name, _, _ := strings.Cut(s.args, ",")
		for _, known := range animal.Names {
			if known.Name == name {
				name = known.Cells
			}
		}
		if strings.Contains(name, "/") {
			return fmt.Sprintf("the shape %s (its rows from the top), turned or mirrored", strings.ReplaceAll(name, "/", " / "))
		}
		return fmt.Sprintf("the shape %s, in any direction", name)
	case s.kind == "plane":
		return "all points of a line of the plane"
	case s.kind == "file":
		return "all squares of a winning set"
	}
	aim := fmt.Sprintf("%d in a row, across, down or diagonally", n[2])
	if s.kind == "torus" {
		aim += ", also over the edges"
	}
	if slices.Contains(s.options, "exact") {
		aim += ", and no more than that in the row"
	}
	return aim
}

// ruleTexts says how a positional game with such options is played.
func ruleTexts(aim string, falls bool, options []string) string {
	has := func(word string) bool { return slices.Contains(options, word) }
	text := "X and O take turns and place a mark of their own on an empty square."
	switch {
	case has("wild") || has("order") || has("chaos"):
		text = "Both sides take turns and place X or O, whichever they like, on an empty square."
	case has("notakto"):
		text = "Both sides take turns and place an X on an empty square."
	}
	if falls {
		text += " Marks fall to the lowest free square."
	}
	for _, o := range options {
		if p, ok := strings.CutPrefix(o, "slip="); ok {
			text += fmt.Sprintf(" With probability %s a mark slips to another empty square, drawn at random.", p)
		}
	}
	one, other := "first", "second" // one is Maker, Avoider or Order
	if has("breaker") || has("enforcer") || has("chaos") {
		one, other = other, one
	}
	switch {
	case has("maker") || has("breaker"):
		return text + fmt.Sprintf(" The %s is Maker and wins by owning %s; the %s is Breaker and wins by preventing it.", one, aim, other)
	case has("avoider") || has("enforcer"):
		return text + fmt.Sprintf(" The %s is Avoider and loses by owning %s, and wins if that never happens.", one, aim)
	case has("order") || has("chaos"):
		return text + fmt.Sprintf(" The %s is Order and wins once there is, of one mark, %s, whoever completed it; the %s is Chaos and wins by preventing that.", one, aim, other)
	case has("notakto"):
		return text + fmt.Sprintf(" Whoever completes %s loses.", aim)
	}
	end := "wins"
	if has("misere") {
		end = "loses"
	}
	if has("wild") {
		return text + fmt.Sprintf(" Whoever first completes, of one mark, %s, %s; if nobody does, it is a draw.", aim, end)
	}
	return text + fmt.Sprintf(" Whoever first owns %s, %s; if nobody does, it is a draw.", aim, end)
}
