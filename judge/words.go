package judge

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"oxo"
	"oxo/message"
	"oxo/prove/certificate"
)

// words has the English of what a judge says.
var words = message.Table{
	"list":      " and ",
	"thousands": ",",

	"over":            "The game is over.",
	"chance":          "Chance acts here: there is no move to choose.",
	"no-hints":        "no hints in games with others",
	"wins":            "{side} wins.",
	"wins.in":         "{side} wins in {plies}.",
	"wins.within":     "{side} wins within {plies}.",
	"draw":            "It is a draw.",
	"draw.endless":    "It is a draw: play need never end.",
	"worth":           "It is worth {v} to {side}.",
	"worth.between":   "It is worth between {lo} and {hi} to {side}.",
	"holds":           "{side} does not lose.",
	"open":            "Who wins is not known for certain.",
	"open.payoff":     "What it is worth is not known for certain.",
	"estimate":        "About {share} % for {side}: an estimate from {n} searched positions.",
	"estimate.payoff": "About {v} to {side}: an estimate from {n} searched positions.",

	"estimate.noise": "About {share} ± {noise} % for {side}: an estimate from {n} simulations, with its " +
		"standard error.",
	"estimate.payoff.noise": "About {v} ± {noise} to {side}: an estimate from {n} simulations, with its standard " +
		"error.",

	"by.end":         "The game ends there.",
	"by.end.line":    "{line} ends the game.",
	"by.end.sets":    "It completes {sets}.",
	"by.reply":       "{line} ends the game.",
	"by.reply.after": "After {first}, {line} ends the game.",
	"by.certificate": "A checked proof shows it.",
	"by.stealing": "By strategy stealing: what {other} could win with, {side} could play first, and an extra mark " +
		"never hurts.",
	"by.solution":  "All that can follow was solved.",
	"by.falling":   "An exact search shows it.",
	"by.threats":   "By threats and the answers to them: {line}.",
	"by.threats.2": "By two threats at once: {line}.",
	"by.threats.0": "By threats that were followed to the end.",
	"by.proof":     "A proof was found and checked.",
	"by.pairs": "A proof was found and checked: {side} answers each mark in a pair with the other square of it: " +
		"{pairs}.",
	"by.potential": "A proof was found and checked: where each open set of {other} counts 2⁻ⁿ, n being the squares " +
		"that it lacks, all together count less than ½, and {side} can keep it so (Erdős and Selfridge).",
	"by.pairs.more": "A proof was found and checked: {side} answers each mark in a pair with the other square of it " +
		"({pairs}); the open sets of {other} that hold no pair count so little together that {side} stops them too " +
		"(Erdős and Selfridge).",
	"by.settled":  "A proof was found and checked: {other} can't own any set any more.",
	"by.mirrored": "A proof was found and checked: {side} answers each mark with its image under a symmetry.",
	"by.numbers":  "A search by proof numbers shows it.",
	"by.search":   "A search shows it.",
	"by.followed": "What follows was looked at to the end: {line}.",

	"which":           "A best move is {move}.",
	"which.wins":      "{move} wins, how soon is not known.",
	"which.within":    "{move} wins within {plies}.",
	"which.only":      "{move} is the only move.",
	"which.must":      "{move} must be played: every other move loses at once.",
	"which.all":       "All moves are equally good; {move} is one.",
	"which.holds":     "{move} keeps what is known; none is known to be better.",
	"which.all.win":   "All moves win, how soon is not known; {move} is one.",
	"which.lost.open": "Every move loses, how soon is not known; {move} is one.",
	"which.lost.may":  "Every move loses; {move} may hold out longest.",
	"which.stops":     "Every move loses; {move} stops what is shown to win after {moves}.",
	"which.lost.all":  "Every move loses, and all of them hold out equally long; {move} is one.",
	"which.longest":   "Every move loses; none holds out longer than {move}.",
	"which.search":    "The search prefers {move}.",
	"which.search.n":  "The search prefers {move}: an estimate from {n} searched positions.",
	"which.estimate":  "{move} may be best: an estimate from {n} searched positions.",
	"which.sure":      "Nothing better than {move} is known.",
	"which.maybe":     "{move} may be best.",
	"which.open":      "Nothing is known against {move}.",

	"also":      "As good: {moves}.",
	"also.wins": "Winning too: {moves}.",
	"zugzwang": "Zugzwang: {side} has to move, and every move gives {other} a winning reply that was not there " +
		"before.",
	"not":      "{move} {verdict}.",
	"not.how":  "{move} {verdict}. {how}",
	"not.line": "{move} {verdict}: {how}", // which begins with a move
	"and-more": "{moves} and {n} more",
	"or":       "{moves} or {last}",
	"and-on":   "{moves} and so on",

	"v.wins":         "wins",
	"v.wins.in":      "wins in {n}",
	"v.wins.within":  "wins within {n}",
	"v.draws":        "draws",
	"v.endless":      "draws, endless",
	"v.loses":        "loses",
	"v.loses.in":     "loses in {n}",
	"v.loses.within": "loses within {n}",
	"v.holds":        "does not lose",
	"v.not-wins":     "does not win",
	"v.worth":        "is worth {v} to {side}",
	"v.between":      "is worth between {lo} and {hi} to {side}",
	"v.about":        "has about {share} % by {n} positions",
	"v.about.payoff": "is worth about {v} to {side} by {n} positions",
	"v.about.noise":  "has about {share} ± {noise} % by {n} simulations",

	"v.about.payoff.noise": "is worth about {v} ± {noise} to {side} by {n} simulations",

	"v.open": "is not known",

	"gave.win":   "It turned a win into {after}.",
	"gave.draw":  "It turned a draw into a loss.",
	"gave.least": "It turned at least a draw into a loss.",
	"gave.worth": "It was worth {after} to {side} where {before} was to be had.",
	"gave.likely": "It probably gave something away, by estimates of two searches: {before} % before, {after} % " +
		"after.",
	"gave.likely.payoff": "It probably gave something away, by estimates of two searches: about {before} to {side} " +
		"before, about {after} after.",
	"gave.between": "between {lo} and {hi}",
	"gave.held":    "a draw",
	"gave.loss":    "a loss",
	"gave.less":    "less",
	"lets":         "{side} could then win{in}.",
	"lets.once":    "{side} could then win at once with {move}.",
	"lets.sets":    "{side} could then win at once with {move}: {sets}.",
	"lets.threats": "{side} could then win by threats: {line}.",
	"lets.double":  "{side} could then make {n} threats at once with {move}: {sets}. Only one can be stopped.",
	"lets.in":      "{side} could then win in {plies}, beginning with {move}.",
	"loses":        "This loses for certain; whether the position was lost already is not known.",
	"stops":        "Not known to lose: {moves}.",
	"better":       "Better: {moves}.",
	"better.line":  "Better: {moves}; play could go {line}.",
	"better.open":  "Which move would have kept it is not known.",
	"plain.stops":  "{move} stops {side}, who could win there at once.",
	"plain.double": "{move} makes {n} threats at once: {sets}. Only one can be stopped.",
	"slower":       "It still wins, but {moves} would win at once.",
	"missed":       "{side} had a certain win: {line}. Whether this move keeps it is not known.",
	"one-ply":      "1 move",
	"plies":        "{n} moves, both sides counted",
	"no-moves":     "No move was made.",
	"unjudged":     "{n} of {all} moves could not be judged for certain.",
	"none-judged":  "Of no move is it certain whether it gave something away.",
	"all-judged":   "Every move was judged for certain.",
	"none-gave":    "No move gave anything away.",
}

// Voice says in words what is known in games of one kind. It returns messages, keys with arguments,
// which a client may put into another language; Say makes English text of them.
type Voice[P oxo.Position[P]] struct {
	Game  *oxo.Game[P]
	Seats [2]any             // what the sides are called: texts, or messages of Words
	Sets  func(p P) []string // names the winning sets that the last move completed; nil where there are none
	Falls bool               // marks fall, and completing a set wins

	Remarks func(p P, m oxo.Move) []message.Message // what a move does beside what is seen; may be nil
	Words   message.Table                           // of the remarks
}

// Words has the English of what a judge says in every game.
func Words() message.Table { return words }

// Say returns messages as text.
func Say(list ...message.Message) string { return words.Say(list...) }

// Say returns messages, and remarks of the game's own, as text.
func (v *Voice[P]) Say(list ...message.Message) string { return v.Words.With(words).Say(list...) }

// SayIn is Say of messages that are the text of a field, of which an object notes them.
func (v *Voice[P]) SayIn(said message.Said, field string, list ...message.Message) string {
	if len(list) > 0 {
		said[field] = list
	}
	return v.Say(list...)
}

// WithoutEstimates returns the messages that say what is certain.
func WithoutEstimates(list []message.Message) []message.Message {
	return slices.DeleteFunc(slices.Clone(list), func(m message.Message) bool {
		return strings.HasPrefix(m.Key, "estimate")
	})
}

// NoHints says that the judge is not asked in games with others.
func NoHints() message.Message { return message.Of("no-hints", nil) }

// side is what the side s, which is First or Second, is called, as an argument of messages.
func (v *Voice[P]) side(s oxo.Seat) any { return v.Seats[s] }

// pliesMessage counts plies, in words that everybody knows.
func pliesMessage(n int) message.Message {
	if n == 1 {
		return message.Of("one-ply", nil)
	}
	return message.Of("plies", message.Args{"n": n})
}

// signs turns formatted numbers into print: the minus sign for a hyphen, and ∞.
var signs = strings.NewReplacer("-", "−", "+Inf", "∞", "Inf", "∞")

// number writes a number in at most four digits. Adding 0 turns a negative zero into 0.
func number(x float64) string { return signs.Replace(fmt.Sprintf("%.4g", x+0)) }

// formatEstimate writes an estimate of a worth as finely as what is certain asks for: rounded to a hundredth of
// the power of ten in the interval's width.
func formatEstimate(k *Known) string {
	x, width := k.ClampedEstimate(), k.Hi-k.Lo
	if math.IsInf(width, 0) {
		return number(x)
	}
	fine := math.Pow10(max(0, 2-int(math.Floor(math.Log10(width)))))
	return signs.Replace(strconv.FormatFloat(math.Round(x*fine)/fine+0, 'f', -1, 64))
}

// sharePercent is an estimated worth to the seat in percent of the points that are to be had; nothing that
// is estimated is all or none of them.
func (v *Voice[P]) sharePercent(worth float64, seat oxo.Seat) int {
	return max(1, min(99, int(math.Round((seat.Score(worth)+1)*50))))
}

// LineNames writes moves that follow one another from p.
func (v *Voice[P]) LineNames(p P, line []oxo.Move) []string {
	names := []string{}
	for _, m := range line {
		names = append(names, v.Game.FormatMove(p, m))
		if p = p.Play(m); p.Outcome() != oxo.Ongoing {
			break
		}
	}
	return names
}

// lineText writes moves that follow one another from p, and says where play goes on after them.
func (v *Voice[P]) lineText(p P, line []oxo.Move) any {
	text := strings.Join(v.LineNames(p, line), ", ")
	if len(line) == 0 || v.lineEndsGame(p, line) {
		return text
	}
	return message.Of("and-on", message.Args{"moves": text})
}

// lineEndsGame reports whether the game ends within a line from p.
func (v *Voice[P]) lineEndsGame(p P, line []oxo.Move) bool {
	for _, m := range line {
		if p.Outcome() == oxo.Ongoing {
			p = p.Play(m)
		}
	}
	return p.Outcome() != oxo.Ongoing
}

// ExplainWorth says what the position is worth and what shows it, of a game that is over how it ended.
func (v *Voice[P]) ExplainWorth(p P, a *Answer) []message.Message {
	if a.Over {
		return append([]message.Message{message.Of("over", nil)}, v.WorthMessages(p, a)...)
	}
	return v.ongoingWorth(p, a, true)
}

// WorthMessages says what the position is worth, or was when the game ended in it, without what shows it.
func (v *Voice[P]) WorthMessages(p P, a *Answer) []message.Message {
	if a.Over {
		k := a.Known
		k.Timed = false
		return []message.Message{v.worthMessage(&k, a)}
	}
	return v.ongoingWorth(p, a, false)
}

// ongoingWorth is ExplainWorth of a game that goes on, with the reason or without it.
func (v *Voice[P]) ongoingWorth(p P, a *Answer, withReason bool) []message.Message {
	list := []message.Message{v.worthMessage(&a.Known, a)}
	if withReason && a.Source != "" {
		if m, ok := v.reasonMessage(p, &a.Known); ok {
			list = append(list, m)
		}
	}
	if v.Falls && a.Turn != oxo.Chance && a.SeenBy(a.Turn).Hi <= -1 {
		list = append(list, v.zugzwangMessage(p)...)
	}
	if a.Estimate.Searched > 0 {
		list = append(list, v.sayEstimate(&a.Known, "estimate", oxo.First))
	}
	return list
}

// timingKeySuffix says by the end of a message's key how well it is known when a win comes.
func (k *Known) timingKeySuffix() string {
	switch {
	case k.Timed:
		return ".in"
	case k.Within > 0:
		return ".within"
	}
	return ""
}

// worthMessage says what the interval of a position means: who wins, who does not lose, that it is a draw or open,
// or, where payoffs or chance count, the numbers. Of a it reads only the game's bounds.
func (v *Voice[P]) worthMessage(k *Known, a *Answer) message.Message {
	side := func(s oxo.Seat) message.Args {
		plies := k.Plies
		if !k.Timed {
			plies = k.Within
		}
		return message.Args{"side": v.side(s), "plies": pliesMessage(plies)}
	}
	if !pliesMatter(v.Game) {
		switch {
		case k.Proven():
			return message.Of("worth", message.Args{"v": number(k.Lo), "side": v.side(oxo.First)})
		case k.Lo > a.whole.Lo+rounding || k.Hi < a.whole.Hi-rounding:
			return message.Of("worth.between",
				message.Args{"lo": number(k.Lo), "hi": number(k.Hi), "side": v.side(oxo.First)})
		}
		return message.Of("open.payoff", nil)
	}
	in := k.timingKeySuffix()
	switch {
	case k.Lo >= 1:
		return message.Of("wins"+in, side(oxo.First))
	case k.Hi <= -1:
		return message.Of("wins"+in, side(oxo.Second))
	case k.Proven() && k.Endless && !k.Timed:
		return message.Of("draw.endless", nil)
	case k.Proven():
		return message.Of("draw", nil)
	case k.Lo >= 0:
		return message.Of("holds", side(oxo.First))
	case k.Hi <= 0:
		return message.Of("holds", side(oxo.Second))
	}
	return message.Of("open", nil)
}

// sayEstimate says an estimate by the message of that key: in percent of the points for a seat, or, by a key that goes
// on with .payoff, as a payoff to First. Where it has a standard error that is said too, by a key that ends in .noise.
func (v *Voice[P]) sayEstimate(k *Known, key string, seat oxo.Seat) message.Message {
	e := k.Estimate
	args := message.Args{"side": v.side(oxo.First), "n": e.Searched}
	if pliesMatter(v.Game) {
		args["share"], args["noise"] = v.sharePercent(e.Value, seat), int(math.Ceil(50*e.Noise))
	} else {
		key += ".payoff"
		args["v"], args["noise"] = formatEstimate(k), strconv.FormatFloat(e.Noise, 'g', 2, 64)
	}
	if e.Noise == 0 {
		delete(args, "noise")
	} else {
		key += ".noise"
	}
	return message.Of(key, args)
}

// reasonMessage says what shows what is known of p. Its key is by. and the source's name, with a
// suffix where the line or the completed sets say more. It reports false where nothing shows it.
func (v *Voice[P]) reasonMessage(p P, k *Known) (message.Message, bool) {
	if k.Source == "" {
		return message.Message{}, false
	}
	key := "by." + k.Source
	line := v.LineNames(p, k.Line)
	args := message.Args{"line": v.lineText(p, k.Line)}
	if h := k.Holding; h != nil {
		return v.holdingReasonMessage(p, h), true
	}
	switch {
	// Where a move ends the game it is named; where the game is over in p itself, the sets that ended it.
	case (k.Source == End || k.Source == Reply) && len(line) > 2: // carried from later in a game
		key = "by.followed"
	case k.Source == End && len(line) == 1:
		key += ".line"
	case k.Source == End:
		if sets := v.completedSetNames(p); len(sets) > 0 {
			key, args["sets"] = key+".sets", message.List(sets)
		}
	case k.Source == Reply && len(line) == 2:
		key, args["first"], args["line"] = key+".after", line[0], line[1]
	case k.Source == Threats && len(line) <= 1:
		key += ".0"
	case k.Source == Threats && len(line) <= 3 && v.lineEndsGame(p, k.Line): // with its first move or without
		key += ".2"
	case k.Source == Reply && len(line) == 0:
		return message.Message{}, false
	}
	return message.Of(key, args), true
}

// holdingReasonMessage says why a side can't win any more.
func (v *Voice[P]) holdingReasonMessage(p P, h *HoldingReason) message.Message {
	args := message.Args{"side": v.side(h.Seat), "other": v.side(h.Seat.Other())}
	if h.Stealing {
		return message.Of("by.stealing", args)
	}
	switch h.By {
	case certificate.Pairing:
		var pairs []string
		for _, pair := range h.Pairs {
			pairs = append(pairs, v.Game.FormatMove(p, pair[0])+"–"+v.Game.FormatMove(p, pair[1]))
		}
		if len(pairs) == 0 {
			return message.Of("by.settled", args)
		}
		args["pairs"] = strings.Join(pairs, ", ")
		if h.More {
			return message.Of("by.pairs.more", args)
		}
		return message.Of("by.pairs", args)
	case certificate.Potential:
		return message.Of("by.potential", args)
	case certificate.Mirrored:
		return message.Of("by.mirrored", args)
	}
	return message.Of("by.settled", args)
}

// MoveVerdict says what a move is worth to its mover. A move's plies count the move itself, so they are
// one more than those of the position after it. Worths in payoffs are to First, all others to the
// mover.
func (v *Voice[P]) MoveVerdict(a *Answer, i int) message.Message {
	k := &a.Moves[i].Known
	turn := a.Turn
	if !pliesMatter(v.Game) || turn == oxo.Chance {
		switch {
		case k.Proven():
			return message.Of("v.worth", message.Args{"v": number(k.Lo), "side": v.side(oxo.First)})
		case k.Estimate.Searched > 0:
			return v.sayEstimate(k, "v.about", turn)
		case k.Lo > a.whole.Lo+rounding || k.Hi < a.whole.Hi-rounding:
			return message.Of("v.between", message.Args{"lo": number(k.Lo), "hi": number(k.Hi),
				"side": v.side(oxo.First)})
		}
		return message.Of("v.open", nil)
	}
	own := k.SeenBy(turn)
	args := message.Args{"n": k.Plies + 1}
	in := k.timingKeySuffix()
	if in == ".within" {
		args["n"] = k.Within + 1
	}
	switch {
	case own.Lo >= 1:
		return message.Of("v.wins"+in, args)
	case own.Hi <= -1:
		return message.Of("v.loses"+in, args)
	case k.Proven() && k.Endless && !k.Timed:
		return message.Of("v.endless", nil)
	case k.Proven():
		return message.Of("v.draws", nil)
	case k.Estimate.Searched > 0:
		return v.sayEstimate(k, "v.about", turn)
	case own.Lo >= 0:
		return message.Of("v.holds", nil)
	case own.Hi <= 0:
		return message.Of("v.not-wins", nil)
	}
	return message.Of("v.open", nil)
}

// ShortVerdict is the verdict for a small square, and shade its class: good, even, bad, or none. What is
// known is +n, −n or =, with the plies n where known, or the payoff; an estimate is a percentage or
// ~payoff; ≥ and ≤ are at least and at most a draw; ? is open. An estimate is even that is no
// farther from the middle than 7.5 % of the width between the bounds of the payoffs; where ends have payoffs of their
// own, all are none.
func (v *Voice[P]) ShortVerdict(a *Answer, i int) (text, shade string) {
	k := &a.Moves[i].Known
	seat := a.Turn
	own := k.SeenBy(seat)
	shade = "none"
	switch mid := (a.whole.Lo + a.whole.Hi) / 2; {
	case v.Game.Payoff != nil: // nothing in the middle parts what is good from what is bad
	case k.Proven():
		shade = shadeOf(own.Lo - seat.Score(mid))
	case k.Estimate.Searched > 0 && math.Abs(k.Estimate.Value-mid) > (a.whole.Hi-a.whole.Lo)*0.075:
		shade = shadeOf(seat.Score(k.Estimate.Value - mid))
	case k.Estimate.Searched > 0:
		shade = "even"
	}
	n := ""
	if k.Timed {
		n = fmt.Sprint(k.Plies + 1)
	}
	switch {
	case !pliesMatter(v.Game) && k.Proven():
		return number(k.Lo), shade
	case k.Proven():
		return map[string]string{"good": "+" + n, "bad": "−" + n, "even": "="}[shade], shade
	case k.Estimate.Searched > 0 && !pliesMatter(v.Game):
		return "~" + formatEstimate(k), shade
	case k.Estimate.Searched > 0:
		return fmt.Sprint(v.sharePercent(k.Estimate.Value, seat)), shade
	case pliesMatter(v.Game) && own.Lo >= 0:
		return "≥", shade
	case pliesMatter(v.Game) && own.Hi <= 0:
		return "≤", shade
	}
	return "?", shade
}

// shadeOf names the class of a worth to the mover that is measured from the middle between the game's bounds.
func shadeOf(v float64) string {
	switch {
	case v > rounding:
		return "good"
	case v < -rounding:
		return "bad"
	}
	return "even"
}
