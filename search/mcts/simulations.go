package mcts

import (
	"math"

	"oxo"
)

// Simulations are the first simulations of a search, told as they went. From their paths and results the visits and the
// means follow: a position is visited by every simulation with it on the path, and its mean is that of their results,
// among which the evaluation's word counts as one where there is an evaluation.
type Simulations struct {
	Formula string           `json:"formula" doc:"by which moves are selected: UCT, PUCT or UCT-RAVE"`
	Explore float64          `json:"explore" doc:"the exploration constant C of the formula"`
	Half    float64          `json:"half" doc:"half the range of results, by which the formula divides means"`
	Told    []ToldSimulation `json:"told" doc:"the first ones, in their order"`
	Untold  int              `json:"untold" doc:"later simulations, for which the trace has no room"`
}

// ToldSimulation is one of them, as it is told.
type ToldSimulation struct {
	Path   []Selection `json:"path" doc:"the moves selected, from the root on; none where it ended at the root"`
	Added  *Added      `json:"added,omitempty" doc:"the position at its end, where the tree did not have it before"`
	Ended  Ending      `json:"ended" doc:"how it came to its result: playout, judged, over or proven"`
	Result float64     `json:"result" doc:"payoff to First, which counts at every position on its path"`
	Proven []Proven    `json:"proven,omitempty" doc:"what is proven after it and was not before, the lowest first"`
}

// Ending is how a simulation came to its result.
type Ending string

// The endings.
const (
	playedOut Ending = "playout" // by random moves to the end of the game
	judged    Ending = "judged"  // by the evaluation: the best of the moves
	gameOver  Ending = "over"    // the game is over at its last position
	wasProven Ending = "proven"  // its last position is proven to be worth that
)

// Selection is a move on the path of a simulation.
type Selection struct {
	Move  string  `json:"move"`
	Odds  float64 `json:"odds,omitempty" doc:"of the move, if chance made it"`
	Tried []Tried `json:"tried,omitempty" doc:"the moves with visits before, and the one selected"`
}

// Tried is a move that is compared with others.
type Tried struct {
	Move     string   `json:"move"`
	Visits   uint32   `json:"visits"`
	Mean     float64  `json:"mean" doc:"payoff to First"`
	Score    *float64 `json:"score" doc:"by the formula, to the seat to move; null where nothing is known of the move yet"`
	RuledOut bool     `json:"ruled_out,omitempty" doc:"whether it is proven not to beat what the seat is sure of"`
}

// Added is a position that a simulation adds to the tree.
type Added struct {
	Position string   `json:"position"`
	Turn     string   `json:"turn" doc:"first, second or chance"`
	Judged   *float64 `json:"judged,omitempty" doc:"what the evaluation says of it, the first of its results"`
}

// Proven is what is proven of a position.
type Proven struct {
	Path []string `json:"path" doc:"the moves from the root to it"`
	Lo   float64  `json:"lo" doc:"it is worth at least this to First"`
	Hi   float64  `json:"hi" doc:"it is worth at most this to First"`
}

// setFormula names the formula.
func (t *Simulations) setFormula(judged, rave bool) {
	switch t.Formula = "UCT"; {
	case judged:
		t.Formula = "PUCT"
	case rave:
		t.Formula = "UCT-RAVE"
	}
}

// backUpAndTell backs x up, and tells t of it if there is room.
func (s treeReport[P]) backUpAndTell(t *Trace[P], x *simulation[P]) {
	if t.told >= t.Most {
		t.Simulations.Untold++
		s.backUp(x)
		return
	}
	if t.known == nil {
		t.known = map[uint32]oxo.Interval{}
	}
	told := s.simulationBefore(x)
	s.backUp(x)
	told.Proven = s.newlyProven(t.known, x, told.Path)
	t.told++
	for _, m := range told.Path {
		t.told += len(m.Tried)
	}
	t.Simulations.Told = append(t.Simulations.Told, told)
}

// simulationBefore tells of x, which is at its end but not backed up yet: the tree has the numbers by which its moves
// were selected.
func (s treeReport[P]) simulationBefore(x *simulation[P]) ToldSimulation {
	told := ToldSimulation{Path: []Selection{}, Result: x.result}
	for i, at := range x.path[1:] {
		told.Path = append(told.Path, s.selection(&x.path[i], at.edge))
	}
	last := &x.path[len(x.path)-1]
	e := s.edges.at(last.edge)
	if e.visits == 0 {
		told.Added = &Added{Position: s.g.Format(last.p), Turn: last.p.Turn().String()}
		if s.o.Eval != nil {
			know := s.tally(last.edge)
			mean := know.mean()
			told.Added.Judged = &mean
		}
	}
	switch {
	case last.p.Outcome() != oxo.Ongoing:
		told.Ended = gameOver
	case s.provenInterval(e).Proven():
		told.Ended = wasProven
	case s.o.Eval != nil:
		told.Ended = judged
	default:
		told.Ended = playedOut
	}
	return told
}

// selection tells how the edge was selected at a position.
func (s treeReport[P]) selection(at *visit[P], chosen uint32) Selection {
	e, n := s.edges.at(at.edge), s.nodeAt(at.edge)
	m := Selection{Move: s.g.FormatMove(at.p, *s.moves.at(chosen))}
	if n.turn == oxo.Chance {
		m.Odds = s.g.Odds(at.p, *s.moves.at(chosen))
		return m
	}
	scale, wide := s.scoreFactors(e, n)
	for i, move := range s.movesOf(n) {
		index := n.first + uint32(i)
		c := s.edges.at(index)
		if c.visits == 0 && index != chosen {
			continue
		}
		know := s.tally(index)
		tried := Tried{Move: s.g.FormatMove(at.p, move), Visits: c.visits, Mean: know.mean(),
			RuledOut: index != chosen && s.isDominated(n, c)}
		score := float64(scale*c.worth + wide*c.bonus)
		switch {
		case s.o.RAVE > 0:
			score = s.raveScore(e, n, i)
		case s.o.Eval == nil && c.visits == 0:
			score = math.Inf(1)
		}
		if !math.IsInf(score, 1) {
			tried.Score = &score
		}
		m.Tried = append(m.Tried, tried)
	}
	return m
}

// newlyProven returns what is proven of positions on the path of x, and where dfpn is asked too beside it, that is not
// among what is known to be told, and adds it there.
func (s treeReport[P]) newlyProven(told map[uint32]oxo.Interval, x *simulation[P], path []Selection) (list []Proven) {
	moves := make([]string, 0, len(path)+1)
	for _, m := range path {
		moves = append(moves, m.Move)
	}
	tell := func(edgeIndex uint32, path []string) {
		before, ok := told[edgeIndex]
		if !ok {
			before = s.bounds
		}
		e := s.edges.at(edgeIndex)
		if known := s.provenInterval(e); e.visits > 0 && known != before {
			told[edgeIndex] = known
			list = append(list, Proven{append([]string{}, path...), known.Lo, known.Hi})
		}
	}
	for i := len(x.path) - 1; i >= 0; i-- {
		if n := s.nodeAt(x.path[i].edge); s.prover != nil {
			for c, m := range s.movesOf(n) {
				tell(n.first+uint32(c), append(moves[:i:i], s.g.FormatMove(x.path[i].p, m)))
			}
		}
		tell(x.path[i].edge, moves[:i])
	}
	return list
}
