package show

import (
	"fmt"
	"math"
	"strconv"

	"oxo/learn/regress"
	"oxo/message"
)

// words has what learners say of themselves, in English; {name} is replaced by the argument of that name. Of what
// is counted each has a text for one and a text for more.
var words = message.Table{
	"thousands": ",",

	"brain.box": "1 box", "brain.boxes": "{n} boxes",
	"brain.bead": "1 bead", "brain.beads": "{n} beads",
	"brain.weight": "1 weight", "brain.weights": "{n} weights",
	"brain.ply": "1 ply", "brain.plies": "{n} plies",
	"brain.step": "1 step", "brain.steps": "{n} steps",
	"brain.individual": "1 individual", "brain.individuals": "{n} individuals",
	"brain.example": "1 example", "brain.examples": "{n} examples",
	"brain.rule": "1 rule", "brain.rules": "{n} rules",

	"brain.of.first":  "{boxes} of the first player with {beads}",
	"brain.of.second": "{boxes} of the second player with {beads}",
	"brain.empty":     "1 box is empty",
	"brain.empties":   "{n} boxes are empty",
	"brain.rare": "rare={share}: in earnest a move with fewer than {share} times the beads of the box's fullest " +
		"move is not drawn",
	"brain.linear":      "{weights} of the features {set}; a win is worth {win}",
	"brain.leaves":      "{weights} of the features {set} at leaves {plies} ahead; {steps} refused",
	"brain.evolve":      "the best of {individuals} in generation {generation}",
	"brain.evolve.none": "no generation is over, so that games have chosen none yet: one takes {games} games",
	"brain.tree":        "{rules}, of {examples}; a win is worth {win}",
	"brain.worth":       "A board is worth {worth} (of {n}).",
	"brain.worth.where": "A board is worth {worth} where {where} (of {n}).",
	"brain.and":         "{one}, {other}",
	"brain.between":     "{feature} is more than {low} and at most {high}",
	"brain.above":       "{feature} is more than {low}",
	"brain.at.most":     "{feature} is at most {high}",
	"brain.positions":   "{n} positions have a worth, to the side that moved to them",
	"brain.moves":       "{n} moves have a worth",
	"brain.net": "{tuples} tuples of squares ({kinds}), {contents} contents with a row of their own; " +
		"above 0 is good for who has just moved",
	"brain.net.layers": "a row is {numbers} numbers, and layers are of {layers}; with each row " +
		"stands by how much it would change the worth if it were alone on the board",
	"brain.nine": "a net over nine boards, of {weights} weights; below, what to the side to move positions " +
		"are worth that have nothing else on them",
	"brain.nine.random": "games are played by searches of {n} simulations by random games",
	"brain.nine.net": "games are played by searches of {n} simulations by the net as it was up to {games} " +
		"games before",
	"brain.nine.loss": "mean loss of the last games before they were learned from: {loss} ({ignorant} knows nothing)",
}

// Words returns the texts of summaries in English, by key, as a table of the caller's own.
func Words() message.Table { return words.With() }

// CountMessage is the message of so many: that of the key one where n is 1, else that of the key more, also where n is
// 0. Both keys are without their "brain." in front.
func CountMessage[N int | int32](n N, one, more string) message.Message {
	if n == 1 {
		return message.Of("brain."+one, nil)
	}
	return message.Of("brain."+more, message.Args{"n": int(n)})
}

// ruleMessage says what boards are worth, and which: as many conditions as the rule asks, each after the one before
// joined by a comma. Limits are written as they are, the worth to one decimal.
// Of a feature asked several times the tree gives one range, so a condition has a lower limit, an upper one or
// both.
func ruleMessage(r regress.Rule) message.Message {
	said := message.Args{"worth": strconv.FormatFloat(r.Worth, 'f', 1, 64), "n": r.Seen}
	for _, q := range r.Asked {
		key := "brain.between"
		if math.IsInf(q.High, 1) {
			key = "brain.above"
		} else if math.IsInf(q.Low, -1) {
			key = "brain.at.most"
		}
		one := message.Of(key, message.Args{"feature": q.Feature, "low": fmt.Sprint(q.Low), "high": fmt.Sprint(q.High)})
		if before, ok := said["where"]; ok {
			one = message.Of("brain.and", message.Args{"one": before, "other": one})
		}
		said["where"] = one
	}
	if len(r.Asked) == 0 {
		return message.Of("brain.worth", said)
	}
	return message.Of("brain.worth.where", said)
}

// Decimals is a number with four decimals, as an argument of a message.
func Decimals(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }
