package learn

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"

	"oxo"
)

// table is the learner of Schroeder's answer to Ruby Quiz 11 (2004), mended:
// a worth for every position, which starts at 0. After a game the positions
// are walked backwards, and the worth of each is moved toward the outcome by a
// factor of 1, 1/2, 1/4, …
//
// A position is worth what it is to the side that has just moved, so that one
// table serves both seats without mixing signs; each position is learned once
// a game; and a move never tried counts 0 like any other.
type table struct {
	greedy
	tableOptions
	slot  []int32 // where a node's worth is kept: that of its class
	value []float64
}

type tableOptions struct {
	reward  [3]float64 // of a loss, draw and win
	factor  float64
	both    bool
	classes bool
	cut     bool
	explore explore
}

func readTable(o *options) any {
	t := tableOptions{}
	t.reward[2] = o.number("win", "100", -1e6, 1e6, "what a won game is worth")
	t.reward[1] = o.number("draw", "0", -1e6, 1e6, "a drawn one")
	t.reward[0] = o.number("loss", "-1000", -1e6, 1e6, "a lost one")
	t.factor = o.number("factor", "0.5", 0, 1, "what the step is multiplied by for each position further back")
	t.explore = readExplore(o, "0.05")
	t.both = o.word("learn", "own", "whose positions are learned: own, or both sides'", "own", "both") == "both"
	t.classes = o.word("merge", "none", "what symmetry merges: none, or positions of a class", "none", "classes") == "classes"
	t.cut = o.word("tries", "learn", "positions before a move that was tried out: learn or skip", "learn", "skip") == "skip"
	return t
}

func buildTable(s *Space, o any, _ *rand.Rand) (*learner, error) {
	if err := s.needsAll("a worth"); err != nil {
		return nil, err
	}
	t := &table{tableOptions: o.(tableOptions), value: make([]float64, s.Len()), slot: s.slots(o.(tableOptions).classes)}
	t.greedy = greedy{space: s, worth: t, try: t.explore}
	return &learner{t, (*outcomes)(t), t, t}, nil
}

// slots returns each node itself or the representative of its class.
func (s *Space) slots(classes bool) []int32 {
	slot := make([]int32, s.Len())
	for n := range slot {
		slot[n] = int32(n)
		if classes {
			slot[n] = int32(s.class(Node(n)))
		}
	}
	return slot
}

func (t *table) worth(_ Node, _ int, child Node) float64 { return t.value[t.slot[child]] }

// Choose is greedy's, without a call for each move.
func (t *table) Choose(n Node, r *rand.Rand) Choice {
	children := t.space.children(n)
	if epsilon := t.try.now(); epsilon > 0 && r.Float64() < epsilon {
		return Choice{Edge: int32(r.IntN(len(children))), Explores: true, Leaf: None}
	}
	best, count, first := math.Inf(-1), 0, 0
	for e, c := range children {
		switch v := t.value[t.slot[c]]; {
		case v > best:
			best, count, first = v, 1, e
		case v == best:
			count++
		}
	}
	if count == 1 {
		return Choice{Edge: int32(first), Leaf: None}
	}
	k := r.IntN(count)
	for e, c := range children[first:] {
		if t.value[t.slot[c]] == best {
			if k--; k < 0 {
				return Choice{Edge: int32(first + e), Leaf: None}
			}
		}
	}
	return Choice{Edge: int32(first), Leaf: None}
}

// outcomes is the critic that walks a game backwards.
type outcomes table

func (c *outcomes) Judge(t *Trace, g Generalizer) {
	c.try.games++
	rate := [2]float64{1, 1}
	for i := len(t.Choices) - 1; i >= 0; i-- {
		seat := c.space.turn[t.Nodes[i]]
		if seat == oxo.Chance || !t.Learner[seat] && !c.both {
			continue
		}
		g.Learn(Example{Node: t.Nodes[i+1], Seat: seat, Target: c.reward[1+t.Outcome.Value(seat)], Rate: rate[seat]})
		rate[seat] *= c.factor
		if c.cut && t.Choices[i].Explores {
			return
		}
	}
}

// Learn moves the worth of a position toward the target.
func (t *table) Learn(e Example) {
	v := &t.value[t.slot[e.Node]]
	*v = (1-e.Rate)**v + e.Rate*e.Target
}

type tableSaved struct {
	Worth map[string]float64 `json:"worth"`
	Games int                `json:"games"`
}

func (t *table) save() any {
	saved := tableSaved{map[string]float64{}, t.try.games}
	for n, v := range t.value {
		if v != 0 {
			saved.Worth[t.space.format(Node(n))] = v
		}
	}
	return saved
}

func (t *table) load(data json.RawMessage) error {
	var saved tableSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	clear(t.value)
	for text, v := range saved.Worth {
		n, err := t.space.find(text)
		if err != nil {
			return fmt.Errorf("a worth of %w", err)
		}
		t.value[n] = v
	}
	t.try.games = saved.Games
	return nil
}

func (t *table) check() error { return nil }
