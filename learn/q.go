package learn

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"oxo"
)

// qTable is tabular Q-learning (Watkins, "Learning from delayed rewards",
// Cambridge 1989): a worth for every move in every position, moved toward what
// the best move at one's next turn is thought to be worth.
type qTable struct {
	greedy
	qOptions
	slot  []int32 // where the worth of an edge is kept
	value []float64
}

type qOptions struct {
	reward  [3]float64
	alpha   float64
	gamma   float64
	initial float64
	other   bool
	forward bool
	classes bool
	explore explore
}

func readQ(o *options) any {
	q := qOptions{}
	q.reward[2] = o.number("win", "1", -1e6, 1e6, "what a won game is worth")
	q.reward[1] = o.number("draw", "0", -1e6, 1e6, "a drawn one")
	q.reward[0] = o.number("loss", "-1", -1e6, 1e6, "a lost one")
	q.alpha = o.number("alpha", "0.3", 0, 1, "α, the size of a step")
	q.gamma = o.number("gamma", "1", 0, 1, "γ, what a turn's delay leaves of a worth")
	q.initial = o.number("initial", "0", -1e6, 1e6, "the worth of a move not yet tried")
	q.explore = readExplore(o, "0.1")
	q.other = o.word("next", "own", "whose best next move a move is judged by: one's own, after the reply that came, or the other side's (minimax-Q)", "own", "other") == "other"
	q.forward = o.word("order", "forward", "the order in which a game's moves are learned", "forward", "backward") == "forward"
	q.classes = o.word("merge", "none", "what symmetry merges: none, or positions of a class", "none", "classes") == "classes"
	return q
}

func buildQ(s *Space, o any, _ *rand.Rand) (*learner, error) {
	if err := s.needsAll("a worth of every move"); err != nil {
		return nil, err
	}
	q := &qTable{qOptions: o.(qOptions), value: make([]float64, len(s.child)), slot: make([]int32, len(s.child))}
	for i := range q.value {
		q.value[i] = q.initial
	}
	for n := range s.Len() {
		node := Node(n)
		for e, c := range s.children(node) {
			q.slot[int(s.span[n].from)+e] = s.span[n].from + int32(e)
			if q.classes {
				holder := s.class(node)
				q.slot[int(s.span[n].from)+e] = s.span[holder].from + int32(s.edgeTo(holder, s.class(c)))
			}
		}
	}
	q.greedy = greedy{space: s, worth: q, try: q.explore}
	return &learner{q, (*bellman)(q), q, q}, nil
}

func (q *qTable) at(n Node, e int) *float64 { return &q.value[q.slot[int(q.space.span[n].from)+e]] }

func (q *qTable) worth(n Node, e int, _ Node) float64 { return *q.at(n, e) }

// bellman is the critic: a move should be worth what the best move at the
// seat's next turn is.
type bellman qTable

func (c *bellman) Judge(t *Trace, g Generalizer) {
	c.try.games++
	for i := range t.Choices {
		if !c.forward {
			i = len(t.Choices) - 1 - i
		}
		seat := c.space.turn[t.Nodes[i]]
		if seat == oxo.Chance || !t.Learner[seat] && !c.other {
			continue
		}
		g.Learn(Example{Node: t.Nodes[i], Edge: t.Choices[i].Edge, Seat: seat, Target: c.target(t, i, seat)})
	}
}

func (c *bellman) target(t *Trace, i int, seat oxo.Seat) float64 {
	for _, n := range t.Nodes[i+1:] {
		turn := c.space.turn[n]
		if c.space.over(n) || turn == oxo.Chance || (turn == seat) == c.other {
			continue
		}
		best, _ := c.best(n, c.space.children(n))
		if c.other {
			best = -best
		}
		return c.gamma * best
	}
	return c.reward[1+t.Outcome.Value(seat)]
}

// Learn moves the worth of a move toward the target.
func (q *qTable) Learn(e Example) {
	v := q.at(e.Node, int(e.Edge))
	*v += q.alpha * (e.Target - *v)
}

type qSaved struct {
	Worth map[string][]float64 `json:"worth"` // of a position's moves, in their order
	Games int                  `json:"games"`
}

func (q *qTable) save() any {
	saved := qSaved{map[string][]float64{}, q.try.games}
	for n, at := range q.space.span {
		own := q.value[at.from:at.to]
		for _, v := range own {
			if v != q.initial {
				saved.Worth[q.space.format(Node(n))] = own
				break
			}
		}
	}
	return saved
}

func (q *qTable) load(data json.RawMessage) error {
	var saved qSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	for i := range q.value {
		q.value[i] = q.initial
	}
	for text, worths := range saved.Worth {
		n, err := q.space.find(text)
		if err != nil {
			return fmt.Errorf("a worth of moves in %w", err)
		}
		at := q.space.span[n]
		if len(worths) != int(at.to-at.from) {
			return fmt.Errorf("%q has %d moves, not %d", text, at.to-at.from, len(worths))
		}
		copy(q.value[at.from:at.to], worths)
	}
	q.try.games = saved.Games
	return nil
}

func (q *qTable) check() error { return nil }
