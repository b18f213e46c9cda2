package cmd

// meanings says what fields mean that have the same name and meaning in several results. What
// is of one field alone stands at the field, in its tag doc.
var meanings = map[string]string{
	"game":      "the game's spec",
	"sampled":   "by a sample of positions that the exact solver judges; null where there is none",
	"position":  "the position that was asked about",
	"seconds":   "how long it took",
	"nodes":     "nodes that were searched or counted",
	"seed":      "what all draws come from",
	"player":    "the player's spec",
	"names":     "the names of the rows: players' specs, or constants",
	"games":     "how many games",
	"wins":      "games won",
	"draws":     "games drawn",
	"losses":    "games lost",
	"move":      "a move, as oxo help positions has it; empty where there is none",
	"pv":        "the play that is expected, the move first",
	"depth":     "plies looked ahead; 0 to the end",
	"stored":    "positions held in memory",
	"positions": "positions",
	"classes":   "positions up to symmetry",
	"algorithm": "the name of the search",
	"complete":  "false where a limit ended it",
	"reason":    "why something was not done",
	"name":      "the name of it",
	"exam":      "the exam afterwards; null where the game has too many positions",
	"expected":  "the payoff expected, in games with chance, instead of a value",
	"moves":     "the moves in order, each with what is known of it",

	"first":  "that the first player wins, or of the first player",
	"second": "that the second player wins, or of the second player",
	"draw":   "that nobody wins",
	"ply":    "after so many plies, or the number of the ply from 1",

	"exploitability": "what it gives away against the worst reply, over perfect play",
}
