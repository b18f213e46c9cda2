package puzzle

import (
	"cmp"

	"oxo/message"
)

// Words has the English of what is said of puzzles.
func Words() message.Table { return words }

// words is its table; those by "tried." are of moves that were tried.
var words = message.Table{
	"thousands": ",",

	"soon":       "at once",
	"soon.plies": "by force in {n} moves, both sides counted",
	"soon.moves": "by force in {n} moves",

	"goal":       "{side} to move.",
	"goal.win":   "{side} to move: win {soon}.",
	"goal.fork":  "{side} to move: make two threats at once, and stay safe.",
	"goal.only":  "{side} to move: one move wins in the end.",
	"goal.block": "{side} to move: block, or lose at once.",
	"goal.save":  "{side} to move: save the draw.",
	"goal.avoid": "{side} to move: complete nothing, and do not lose.",
	"goal.on":    "{side} to move: go on.",
	"goal.wins":  "{side} to move: {n} moves win by force. Find one.",
	"goal.saves": "{side} to move: save the draw. {n} moves do.",
	"goal.twice": "{side} to move: complete nothing, and win.",

	"others.wins":     "No other move wins.",
	"others.draws":    "Every other move loses.",
	"others.fastest":  "No other move wins {soon}.",
	"others.survives": "Every other move loses at once.",

	"one.wins":     "Another move wins.",
	"one.draws":    "Another move saves the draw.",
	"one.fastest":  "Another move wins {soon}, and this one does not.",
	"one.survives": "Another move does not lose at once.",

	"hint.end": "{side} can end the game with this move.",
	"hint.win": "Look for a move after which {other} can't stop everything.",
	"hint.last": "The win takes {n} moves, both sides counted, and {other} makes the last one: count which moves it " +
		"will have left.",
	"hint.fork":  "After the right move {other} could stop one threat, but {side} has a second one.",
	"hint.only":  "Ask of each move what {other} could do against it; one leaves nothing.",
	"hint.block": "See what {other} would win with if it were to move now.",
	"hint.save":  "All moves but one let {other} win. Find what {other} wants to do.",
	"hint.wins":  "Ask of each move what {other} could do against it; after the right ones nothing helps.",
	"hint.saves": "Some moves let {other} win. Find what {other} wants to do.",
	"hint.three": "It is one of {moves}.",
	"hint.among": "One of {moves} is right.",
	"hint.lines": "Look at {squares}: {side} will complete a line with {it}.",
	"hint.stops": "Look at {squares}: {other} threatens to complete a line with {it}.",
	"it":         "it",
	"them":       "them",
	"hint.avoid": "Leave out the moves that end the game against {side}; of the others one does not lose.",
	"hint.twice": "Leave out the moves that end the game against {side}; of the others one wins.",

	"tried.right":       "Right: {move}.",
	"tried.also":        "Right as well: {moves}.",
	"tried.block":       "Every other move loses at once: {other} had {moves}.",
	"tried.even":        "It even wins.",
	"tried.still":       "{other} still wins.",
	"tried.first":       "Not {move}: it makes two threats, but {other} wins first.",
	"tried.first.move":  "Not {move}: it makes two threats, but {other} wins first, by {reply}.",
	"tried.answers":     "Play goes on {line}.",
	"tried.after":       "After {move} play goes on {line}.",
	"tried.line":        "Then {moves}.",
	"tried.reply":       "{other} answers {move}: go on.",
	"tried.last":        "Whatever {other} plays now loses, as {move} does.",
	"tried.won":         "{side} wins.",
	"tried.told":        "It is {move}.",
	"tried.over":        "Not {move}: the game is over then, and {side} has won.",
	"tried.over.draw":   "Not {move}: the game is over then, and drawn.",
	"tried.wrong":       "Not {move}.",
	"tried.known":       "Not {move}: it {verdict}.",
	"tried.known.plies": "Not {move}: it {verdict} moves, both sides counted.",
	"tried.slow":        "{move} {verdict} too, but the soonest win is asked for.",
	"tried.slow.moves":  "{move} {verdict} moves, but the soonest win is asked for.",
	"tried.slow.plies":  "{move} {verdict} moves, both sides counted, but the soonest win is asked for.",
	"tried.later":       "{move} {verdict} too, but later than by two threats at once.",
	"tried.later.moves": "{move} {verdict} moves, later than by two threats at once.",
	"tried.later.plies": "{move} {verdict} moves, both sides counted, later than by two threats at once.",
}

// winLengthMessage says in how many moves of its side a win is to be had, or of both sides where the other one makes
// the last. In all games with puzzles the sides take turns.
func (z *Puzzle) winLengthMessage() message.Message {
	switch {
	case z.Plies == 1:
		return message.Of("soon", nil)
	case z.Plies%2 == 0:
		return message.Of("soon.plies", message.Args{"n": z.Plies})
	}
	return message.Of("soon.moves", message.Args{"n": z.Moves()})
}

// goalKey is what a puzzle asks for, in the keys of its words.
// Its answer is what stands behind the dot of keys that begin with goal or hint.
func (z *Puzzle) goalKey() string {
	switch {
	case len(z.Also) > 0 && z.Unique == Wins:
		return "wins"
	case len(z.Also) > 0:
		return "saves"
	case z.Theme == Avoid && z.Unique == Wins:
		return "twice" // not to complete anything does not do
	case z.Unique == Several:
		return "on" // in how many moves would tell what to look for
	}
	return string(z.Theme)
}

// GoalMessage says what is to be found; side is to move.
// side and other are what the two sides are called: text, or a message.
func (z *Puzzle) GoalMessage(side, other any) message.Message {
	if z.Theme == "" {
		return message.Of("goal", message.Args{"side": side})
	}
	return message.Of("goal."+z.goalKey(), message.Args{"side": side, "other": other, "soon": z.winLengthMessage(),
		"n": 1 + len(z.Also)})
}

// claim is in what way every other move is worse at what is asked for: of a block nobody asks whether it wins later.
func (z *Puzzle) claim() Uniqueness {
	if z.Theme == Block {
		return Survives
	}
	return z.Unique
}

// OthersMessage says in what way every other move is worse. There is none of [Several].
func (z *Puzzle) OthersMessage() message.Message {
	return message.Of("others."+string(z.claim()), message.Args{"soon": z.winLengthMessage()})
}

// OneMessage says in what way one other move is better than the one that was tried.
func (z *Puzzle) OneMessage() message.Message {
	return message.Of("one."+string(cmp.Or(z.claim(), Fastest)), message.Args{"soon": z.winLengthMessage()})
}

// HintMessage says what to look for.
func (z *Puzzle) HintMessage(side, other any) message.Message {
	key := "hint." + z.goalKey()
	if z.Unique == Several {
		key = "hint.win"
	}
	switch {
	case z.Theme == Win && z.Plies == 1:
		key = "hint.end"
	case z.Theme == Win && z.Plies%2 == 0:
		key = "hint.last" // which the other side has to make
	}
	return message.Of(key, message.Args{"side": side, "other": other, "n": z.Plies})
}

// Others is [Puzzle.OthersMessage] as text.
func (z *Puzzle) Others() string { return words.Say(z.OthersMessage()) }
