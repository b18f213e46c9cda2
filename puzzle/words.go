package puzzle

import "oxo/message"

// words has the English of what is said of puzzles.
var words = message.Table{
	"thousands": ",",

	"soon":       "at once",
	"soon.plies": "in {n} plies",
	"soon.moves": "in {n} moves",

	"goal":       "{side} to move.",
	"goal.win":   "{side} to move: win {soon}.",
	"goal.fork":  "{side} to move: make two threats at once.",
	"goal.only":  "{side} to move: one move wins in the end.",
	"goal.block": "{side} to move: block or lose.",
	"goal.save":  "{side} to move: save the draw.",
	"goal.avoid": "{side} to move: do not complete it, and do not lose.",

	"solution":     "It is {move}. {others}",
	"tried.right":  "Right: {move}. {others}",
	"tried.ends":   "Not {move}: the game is over then. {others}",
	"tried.other":  "Not {move}. {others}",
	"tried.slower": "Not {move}: it wins too, but not so soon. {standing}",
	"tried.worse":  "Not {move}: after it, {standing}",

	"others.wins":     "No other move wins.",
	"others.draws":    "Every other move loses.",
	"others.fastest":  "No other move wins {soon}.",
	"others.survives": "Every other move loses at once.",

	"hint.end":   "{side} can end the game with this move.",
	"hint.win":   "Look at moves that {other} must answer: the win takes {n} plies.",
	"hint.fork":  "After the right move {other} could stop one threat, but {side} has a second one.",
	"hint.only":  "Ask of each move what {other} could do against it; one leaves nothing.",
	"hint.block": "See what {other} would win with if it were to move now.",
	"hint.save":  "All moves but one let {other} win. Find what {other} wants to do.",
	"hint.avoid": "Leave out the moves that end the game against {side}; of the others one does not lose.",
}

// soonMessage says in how many moves a win is to be had, or in how many plies where the other
// side makes the last one.
func (z *Puzzle) soonMessage() message.Message {
	switch {
	case z.Plies == 1:
		return message.Of("soon", nil)
	case z.Plies%2 == 0:
		return message.Of("soon.plies", message.Args{"n": z.Plies})
	}
	return message.Of("soon.moves", message.Args{"n": z.Moves()})
}

// goalMessage is [Puzzle.Goal] as a message.
func (z *Puzzle) goalMessage(side string) message.Message {
	key := "goal"
	if z.Theme != "" {
		key += "." + string(z.Theme)
	}
	return message.Of(key, message.Args{"side": side, "soon": z.soonMessage()})
}

// othersMessage is [Puzzle.Others] as a message.
func (z *Puzzle) othersMessage() message.Message {
	return message.Of("others."+string(z.Unique), message.Args{"soon": z.soonMessage()})
}

// hintMessage is [Puzzle.Hint] as a message.
func (z *Puzzle) hintMessage(side, other string) message.Message {
	key := "hint." + string(z.Theme)
	if z.Theme == Win && z.Plies == 1 {
		key = "hint.end"
	}
	return message.Of(key, message.Args{"side": side, "other": other, "n": z.Plies})
}

// Goal says what is to be found; side is to move.
func (z *Puzzle) Goal(side string) string { return words.Say(z.goalMessage(side)) }

// Others says in what way every other move is worse.
func (z *Puzzle) Others() string { return words.Say(z.othersMessage()) }

// Solution says the answer.
func (z *Puzzle) Solution() string {
	return words.Say(message.Of("solution", message.Args{"move": z.Answer, "others": z.othersMessage()}))
}

// Attempt is how a move did as an answer.
type Attempt string

// The attempts: it is the answer, it ends the game, it wins later, it is worse in a known way or in another.
const (
	Right  Attempt = "right"
	Ends   Attempt = "ends"
	Slower Attempt = "slower"
	Worse  Attempt = "worse"
	Other  Attempt = "other"
)

// Tried says how a move did; standing is how the game stands after it.
func (z *Puzzle) Tried(v Attempt, move, standing string) string {
	return words.Say(message.Of("tried."+string(v),
		message.Args{"move": move, "others": z.othersMessage(), "standing": standing}))
}

// Hint says in words what to look for.
func (z *Puzzle) Hint(side, other string) string { return words.Say(z.hintMessage(side, other)) }
