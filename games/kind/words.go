package kind

import (
	"slices"

	"oxo/message"
)

// misereIs says for options that have no meaning with misere what to use
// instead.
var misereIs = [][2]string{
	{"maker", "a Maker who must not own a set is Avoider; use avoider or enforcer"},
	{"breaker", "a Maker who must not own a set is Avoider; use avoider or enforcer"},
	{"avoider", "Avoider who wins by owning a set is Maker; use maker or breaker"},
	{"enforcer", "Avoider who wins by owning a set is Maker; use maker or breaker"},
	{"notakto", "in notakto completing a set loses already"},
	{"order", "one side wants a set and the other none already; swap order and chaos instead"},
	{"chaos", "one side wants a set and the other none already; swap order and chaos instead"},
}

// WithMessageKeys returns the kind with the messages of what it offers, whose keys are their places.
func (k Kind) WithMessageKeys() Kind {
	k.Offers, k.Only = slices.Clone(k.Offers), slices.Clone(k.Only)
	for i := range k.Offers {
		o := &k.Offers[i]
		o.Said = message.Said{"name": {{Key: "game." + o.Spec}}, "shelf": {{Key: "shelf." + o.Shelf}}}
	}
	for i := range k.Only {
		k.Only[i].Said = message.Keyed("about", "player."+k.Only[i].Name)
	}
	if k.Sizes != nil {
		sizes := *k.Sizes
		sizes.Numbers = slices.Clone(sizes.Numbers)
		sizes.Said = message.Keyed("label", "sizes."+k.Name)
		for i := range sizes.Numbers {
			sizes.Numbers[i].Said = message.Keyed("name", "size."+sizes.Numbers[i].Name)
		}
		k.Sizes = &sizes
	}
	return k
}

// Words has the English of what all positional games have in common.
func Words() message.Table { return words }

// words has, for each option, what it means, what it adds to a title, and the
// sentences of the rules.
var words = message.Table{
	"option.misere": "completing a set loses",
	"option.maker": "Maker wins by owning a set, Breaker by preventing it, and there are no draws; Maker moves " +
		"first",
	"option.breaker":     "the same, and Breaker moves first",
	"option.avoider":     "Avoider loses by owning a set, and there are no draws; Avoider moves first",
	"option.enforcer":    "the same, and Enforcer moves first",
	"option.wild":        "either mark may be placed; completing a set of one mark wins",
	"option.wild+misere": "either mark may be placed; completing a set of one mark loses",
	"option.notakto":     "both place X; completing a set loses",
	"option.order": "either mark may be placed; Order wins by any set of one mark, Chaos by preventing it; " +
		"Order moves first",
	"option.chaos":   "the same, and Chaos moves first",
	"option.slip=P":  "a mark lands with probability P on a random other empty square, where there is one",
	"option.gravity": "marks fall to the lowest free square",
	"option.exact":   "longer rows don't count",

	"title.with":        "{title}, {option}",
	"title.own":         "{title}",
	"title.misere":      "misère",
	"title.maker":       "Maker–Breaker, Maker first",
	"title.breaker":     "Maker–Breaker, Breaker first",
	"title.avoider":     "Avoider–Enforcer, Avoider first",
	"title.enforcer":    "Avoider–Enforcer, Enforcer first",
	"title.wild":        "wild",
	"title.wild+misere": "wild misère",
	"title.notakto":     "notakto",
	"title.order":       "Order and Chaos, Order first",
	"title.chaos":       "Order and Chaos, Chaos first",
	"title.gravity":     "marks fall",
	"title.exact":       "longer rows don't count",
	"title.slip":        "a mark slips with probability {p}",

	"place.own":           "X and O take turns and place a mark of their own on an empty square.",
	"place.either":        "Both sides take turns and place X or O, whichever they like, on an empty square.",
	"place.own.stones":    "{first} and {second} take turns and place a stone of their own on an empty crossing.",
	"place.either.stones": "Both sides take turns and place a stone of either colour on an empty crossing.",
	"place.cross.stones":  "Both sides take turns and place a black stone on an empty crossing.",
	"place.own.points":    "X and O take turns and place a mark of their own on an empty point.",
	"place.either.points": "Both sides take turns and place X or O, whichever they like, on an empty point.",
	"place.cross.points":  "Both sides take turns and place an X on an empty point.",
	"place.own.discs":     "{first} and {second} take turns and drop a disc of their own into a column.",
	"place.either.discs":  "Both sides take turns and drop a disc of either colour into a column.",
	"place.cross.discs":   "Both sides take turns and drop a red disc into a column.",
	"side.black":          "Black",
	"side.white":          "White",
	"side.red":            "Red",
	"side.yellow":         "Yellow",
	"side.first":          "First",
	"side.second":         "Second",
	"side.maker":          "Maker",
	"side.breaker":        "Breaker",
	"side.avoider":        "Avoider",
	"side.enforcer":       "Enforcer",
	"side.order":          "Order",
	"side.chaos":          "Chaos",
	"place.cross":         "Both sides take turns and place an X on an empty square.",
	"falls":               "Marks fall to the lowest free square.",
	"falls.discs":         "It falls to the lowest free square.",
	"slips":               "With probability {p} a mark slips to another empty square, drawn at random.",

	"end.normal":          "Whoever first owns {aim}, wins; if nobody does, it is a draw.",
	"end.misere":          "Whoever first owns {aim}, loses; if nobody does, it is a draw.",
	"end.normal.drawless": "Whoever first owns {aim}, wins; somebody always does, so that there are no draws.",
	"end.misere.drawless": "Whoever first owns {aim}, loses; somebody always does, so that there are no draws.",
	"end.wild.drawless": "Whoever first completes, of one mark, {aim}, wins; somebody always does, so that there are " +
		"no draws.",
	"end.wild+misere.drawless": "Whoever first completes, of one mark, {aim}, loses; somebody always does, so that " +
		"there are no draws.",
	"end.maker":       "The first is Maker and wins by owning {aim}; the second is Breaker and wins by preventing it.",
	"end.breaker":     "The second is Maker and wins by owning {aim}; the first is Breaker and wins by preventing it.",
	"end.avoider":     "The first is Avoider and loses by owning {aim}, and wins if that never happens.",
	"end.enforcer":    "The second is Avoider and loses by owning {aim}, and wins if that never happens.",
	"end.wild":        "Whoever first completes, of one mark, {aim}, wins; if nobody does, it is a draw.",
	"end.wild+misere": "Whoever first completes, of one mark, {aim}, loses; if nobody does, it is a draw.",
	"end.notakto":     "Whoever completes {aim} loses.",
	"end.order": "The first is Order and wins once there is, of one mark, {aim}, whoever completed it; " +
		"the second is Chaos and wins by preventing that.",
	"end.chaos": "The second is Order and wins once there is, of one mark, {aim}, whoever completed it; " +
		"the first is Chaos and wins by preventing that.",
}
