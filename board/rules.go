package board

import "oxo"

// Placement says which marks a move may place.
type Placement uint8

// The placements.
const (
	Own    Placement = iota // First places X and Second O
	Either                  // either side places either mark
	Cross                   // both sides place X
)

// Rules says what owning a winning set means. The rules of all options are
// rows of one table: see [Normal] and its neighbours.
//
// A game is over as soon as a tested mover's mark completes a set, on the last
// free square too: a completed set counts before a full board does. One move
// may complete several sets at once; that is the same as completing one. Both
// sides can't complete at once, as a move places one mark.
type Rules struct {
	Name  string // the option's words, joined with "+"; empty for the normal game
	Place Placement

	// Tested says whose moves can complete a set. Done is the outcome when
	// that seat's move completes one, Full the outcome when the board is full
	// and no set was completed.
	Tested [2]bool
	Done   [2]oxo.Outcome
	Full   oxo.Outcome

	// Slip is the probability that a mark lands on a random other playable
	// square instead of the one chosen, where there is one. Each move is then
	// followed by a chance move, the landing.
	Slip float64
}

// Counts reports whether sets of such marks, 0 for X and 1 for O, mean anything: those of Breaker and Enforcer don't.
func (r *Rules) Counts(mark int) bool { return r.Place != Own || r.Tested[mark] }

// both has the completed sets of First and of Second count.
var both = [2]bool{true, true}

// The rules of the options. Where a name is a role, the role moves first.
var (
	// Normal: the first to own a set wins; a full board is a draw.
	Normal = Rules{Tested: both, Done: [2]oxo.Outcome{oxo.FirstWins, oxo.SecondWins}, Full: oxo.Drawn}
	// Misere: the first to own a set loses; a full board is a draw.
	Misere = Rules{Name: "misere", Tested: both, Done: [2]oxo.Outcome{oxo.SecondWins, oxo.FirstWins}, Full: oxo.Drawn}
	// Maker wins by owning a set, Breaker when the board is full and Maker
	// does not. Breaker's own sets mean nothing.
	Maker = Rules{Name: "maker", Tested: [2]bool{true, false}, Done: [2]oxo.Outcome{oxo.FirstWins, 0},
		Full: oxo.SecondWins}
	// Breaker is the same game with Breaker moving first.
	Breaker = Rules{Name: "breaker", Tested: [2]bool{false, true}, Done: [2]oxo.Outcome{0, oxo.SecondWins},
		Full: oxo.FirstWins}
	// Avoider loses by owning a set and wins when the board is full and he
	// does not. Enforcer's own sets mean nothing.
	Avoider = Rules{Name: "avoider", Tested: [2]bool{true, false}, Done: [2]oxo.Outcome{oxo.SecondWins, 0},
		Full: oxo.FirstWins}
	// Enforcer is the same game with Enforcer moving first.
	Enforcer = Rules{Name: "enforcer", Tested: [2]bool{false, true}, Done: [2]oxo.Outcome{0, oxo.FirstWins},
		Full: oxo.SecondWins}
	// Wild: either mark may be placed; who completes a set of one mark wins;
	// a full board is a draw.
	Wild = Rules{Name: "wild", Place: Either, Tested: both, Done: [2]oxo.Outcome{oxo.FirstWins, oxo.SecondWins},
		Full: oxo.Drawn}
	// WildMisere: either mark may be placed; who completes a set of one mark
	// loses; a full board is a draw.
	WildMisere = Rules{Name: "wild+misere", Place: Either, Tested: both,
		Done: [2]oxo.Outcome{oxo.SecondWins, oxo.FirstWins}, Full: oxo.Drawn}
	// Notakto: both place X; who completes a set loses. A full board without
	// a set can't be, as every square is an X.
	Notakto = Rules{Name: "notakto", Place: Cross, Tested: both, Done: [2]oxo.Outcome{oxo.SecondWins, oxo.FirstWins},
		Full: oxo.Drawn}
	// Order: either mark may be placed. Order, who moves first, wins as soon
	// as there is a set of one mark, whoever completed it; Chaos wins when
	// the board is full without one.
	Order = Rules{Name: "order", Place: Either, Tested: both, Done: [2]oxo.Outcome{oxo.FirstWins, oxo.FirstWins},
		Full: oxo.SecondWins}
	// Chaos is the same game with Chaos moving first.
	Chaos = Rules{Name: "chaos", Place: Either, Tested: both, Done: [2]oxo.Outcome{oxo.SecondWins, oxo.SecondWins},
		Full: oxo.FirstWins}
)

// AllRules lists the rules that an option can name.
var AllRules = []Rules{Normal, Misere, Maker, Breaker, Avoider, Enforcer, Wild, WildMisere, Notakto, Order, Chaos}

// markPlaced returns the mark (0 for X, 1 for O) that move m of the given seat
// places. Moves carry the mark in bit 8 where there is a choice.
func (r *Rules) markPlaced(m oxo.Move, seat oxo.Seat) int {
	switch r.Place {
	case Own:
		return int(seat)
	case Either:
		return int(m >> markShift)
	}
	return 0
}

// Moves are a square in bits 0–7 and, where either mark may be placed, the
// mark in bit 8.
const (
	markShift  = 8
	squareMask = 1<<markShift - 1
)

// Square returns the square of move m.
func Square(m oxo.Move) int { return int(m & squareMask) }
