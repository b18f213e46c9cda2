package game

import (
	"math"
	"time"

	"oxo"
	"oxo/message"
	"oxo/search"
	"oxo/search/mcts"
)

// SearchOptions say how to search, in the words of the command line. Empty
// words stand for none, natural order, and no early stop.
type SearchOptions struct {
	Position  string
	Algorithm string  // with options of its own, as in mcts:rave=300
	Depth     int     // 0 to the end
	Memo      string  // none, level=L or all
	Symmetry  string  // none, first or all
	Order     string  // natural, killers, best, perfect or worst
	Stop      string  // best: stop where the value can't get better
	Deepen    string  // search to depth 1, 2, and so on: yes, no, or empty for the default
	Eval      string  // how to judge positions at the depth limit
	Draw      float64 // what a draw is worth to First, between -1 and 1
	Sims      int
	Time      time.Duration
	MultiPV   int
	Seed      uint64 // what mcts draws from, and a search by lines, for which 0 is 1; the others take none
	Workers   int
	MaxNodes  uint64

	// Trace asks for the search tree as JSON and as an SVG drawing.
	Trace bool
	// TraceNodes is how many of its nodes are kept; 0 is 2,000.
	TraceNodes int
	// Progress is told of the best lines so far.
	Progress func(*SearchResult)
}

// AlgorithmNames lists the names of the search algorithms.
func AlgorithmNames() []string {
	var list []string
	for _, a := range search.Algorithms {
		list = append(list, string(a))
	}
	return list
}

// SearchResult is what a search found.
type SearchResult struct {
	Game      string       `json:"game"`
	Position  string       `json:"position"`
	Algorithm string       `json:"algorithm"`
	Value     *float64     `json:"value" doc:"what the search makes of the payoff to First, an estimate where exact is false; null where it makes nothing of it"` // null where it is the textbook's "?"
	Noise     float64      `json:"noise,omitempty" doc:"standard error of an estimate that is a mean of simulations, as of so many independent ones"`
	Eval      string       `json:"eval,omitempty" doc:"the evaluation behind an estimate; none if empty"`
	Score     *float64     `json:"score,omitempty" doc:"points of the evaluation behind an estimate"` // the points of the evaluation that are behind an estimate
	Result    string       `json:"result,omitempty" doc:"first, second or draw, where that is certain"`
	Exact     bool         `json:"exact" doc:"whether the search itself has found out the value"`
	Complete  bool         `json:"complete"` // false where a limit ended the search
	Stopped   string       `json:"stopped,omitempty" doc:"nodes, memory or time"`
	Move      string       `json:"move" doc:"the best found; empty where there is none"`
	Over      bool         `json:"over,omitempty" doc:"whether the game is over at the position"`
	PV        []string     `json:"pv"`
	Depth     int          `json:"depth"` // plies looked ahead; 0 to the end
	Deepened  bool         `json:"deepened,omitempty" doc:"whether it searched one ply deep, then two, and so on"`
	Nodes     uint64       `json:"nodes" doc:"calls of the recursive function, root included; simulations of mcts"`
	Evaluated []float64    `json:"evaluated,omitempty" doc:"leaves in the order of looking, for trees"`
	Pruned    []float64    `json:"pruned,omitzero" doc:"leaves never looked at, for trees"` // leaves never looked at, for trees: an empty list where there are none
	Stored    int          `json:"stored"`
	Lines     []SearchLine `json:"lines,omitempty" doc:"the best moves, best first"`
	Seconds   float64      `json:"seconds"`

	Numbers *ProofNumbers `json:"numbers,omitempty" doc:"how far proof numbers were that have not decided"`

	Certain *float64 `json:"certain,omitempty" doc:"the payoff to First where it is certain, be it by the search or, as known says, otherwise"`
	// What the house knows for certain of a position whose worth the search leaves open.
	Known    *Known `json:"known,omitempty" doc:"what is certain of the position where the search leaves its worth open"`
	Standing string `json:"standing,omitempty" doc:"the same in words"`

	GivesAway bool     `json:"gives_away,omitempty" doc:"another move than the one found is certainly better"`
	Better    []string `json:"better,omitempty" doc:"the best of those"`

	Said message.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys and arguments, for other languages"`

	Tree      *SearchTree `json:"-"` // nil where none was recorded
	TraceJSON []byte      `json:"-"`
	TraceSVG  []byte      `json:"-"`
}

// SearchTree is the recorded tree of a search, once for each depth that was searched to, and how many nodes there was
// no room for.
type SearchTree struct {
	Passes      []*TraceNode
	Omitted     int          // without the branches that were cut
	Simulations *Simulations // of mcts
}

// What a recorded tree consists of.
type (
	TraceNode      = search.TraceNode
	Simulations    = mcts.Simulations
	ToldSimulation = mcts.ToldSimulation
	TriedMove      = mcts.Tried
)

// Estimate is the value where the search has not found it out; nil where it has, or makes nothing of it.
func (r *SearchResult) Estimate() *float64 {
	if r.Exact {
		return nil
	}
	return r.Value
}

// ProofNumbers say how far a search by proof numbers was with a question when it stopped.
type ProofNumbers struct {
	Winner   string `json:"winner" enum:"first,second" doc:"the side of which it asked whether it wins"`
	Proof    uint32 `json:"proof" doc:"the proof number: about how many positions are still to be proved for a yes"`
	Disproof uint32 `json:"disproof" doc:"the disproof number: the same for a no"`
}

// SearchLine is one of the best moves.
type SearchLine struct {
	Move   string   `json:"move"`
	Value  float64  `json:"value" doc:"what the search makes of its payoff to First"`
	Noise  float64  `json:"noise,omitempty" doc:"its standard error, of a mean of simulations; none where it is proven"`
	Score  *float64 `json:"score,omitempty" doc:"points of the evaluation behind an estimate"`
	PV     []string `json:"pv"`
	Visits uint64   `json:"visits,omitempty" doc:"simulations through the move"`
	Known  *Known   `json:"known,omitempty" doc:"what is certain of the position after it"`
}

// AblateOptions bound the searches of an ablation.
type AblateOptions struct {
	Position string
	Depth    int
	Eval     string
	Stop     string
	Deepen   bool                            // to depth 1, 2, and so on
	MaxNodes uint64                          // for each row; 0 for DefaultAblateNodes
	Begin    func(row AblateRow, at, of int) // of each row before it is searched
}

// DefaultAblateNodes is where a row of an ablation is given up.
const DefaultAblateNodes = 50_000_000

// AblateResult is what each combination of algorithm, memory, symmetry and
// order costs.
type AblateResult struct {
	Game     string      `json:"game"`
	Position string      `json:"position"`
	Depth    int         `json:"depth"` // 0 to the end
	Stop     string      `json:"stop" doc:"none, best or open"`
	Deepened bool        `json:"deepened,omitempty" doc:"whether it searched one ply deep, then two, and so on"`
	Alpha    *float64    `json:"alpha" doc:"where the first window of the algorithms that have one begins; null where it is open"`
	Beta     *float64    `json:"beta" doc:"where it ends; null where it is open"`
	Rows     []AblateRow `json:"rows" doc:"one for each way of searching, those left out that were not begun when it was stopped"`
	Of       int         `json:"of" doc:"how many ways of searching there are"`
	Seconds  float64     `json:"seconds"`
}

// SetWindow says which window the algorithms that have one began with.
func (r *AblateResult) SetWindow(window oxo.Interval) {
	if !math.IsInf(window.Lo, 0) {
		r.Alpha = &window.Lo
	}
	if !math.IsInf(window.Hi, 0) {
		r.Beta = &window.Hi
	}
}

// AblateRow is the cost of one combination. Ratio is the nodes over those of
// plain minimax; it is null where either was given up.
type AblateRow struct {
	Algorithm string   `json:"algorithm"`
	Memory    string   `json:"memory" doc:"what is remembered"`
	Symmetry  string   `json:"symmetry" doc:"which symmetric moves are searched once"`
	Order     string   `json:"order" doc:"the order of moves"`
	Nodes     uint64   `json:"nodes"`
	Stored    int      `json:"stored"`
	Seconds   float64  `json:"seconds"`
	Value     *float64 `json:"value" doc:"payoff to First; null where it was given up"`
	Ratio     *float64 `json:"ratio" doc:"nodes over those of plain minimax"`
	Complete  bool     `json:"complete"`
}
