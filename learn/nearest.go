package learn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo"
)

// nearest stores examples: each position it has moved to, with the mean of
// how games ended from there. A position that is not stored is worth what the
// nearest stored ones are, the distance being the number of squares that
// differ under the symmetry that makes it least.
type nearest struct {
	greedy
	nearestOptions
	stored  []example
	index   map[Node]int // of a class, in stored
	guesses map[Node]float64
}

type nearestOptions struct {
	count   int
	explore explore
}

// example is a stored position.
type example struct {
	node   Node
	mover  oxo.Seat // who moved to it
	sum    float64  // of worths to the mover
	games  int
	images []picture
}

func readNearest(o *options) any {
	return nearestOptions{
		count:   o.integer("count", "3", 1, 1000, "how many of the nearest examples are asked"),
		explore: readExplore(o, "0.1"),
	}
}

func buildNearest(s *Space, o any, _ *rand.Rand) (*learner, error) {
	if err := s.needsAll("examples"); err != nil {
		return nil, err
	}
	if s.pictures == nil {
		return nil, fmt.Errorf("its positions have no squares to compare")
	}
	n := &nearest{nearestOptions: o.(nearestOptions), index: map[Node]int{}, guesses: map[Node]float64{}}
	n.greedy = greedy{space: s, worth: n, try: n.explore}
	return &learner{n, (*endings)(n), n, n}, nil
}

// worth is the mean of the example, or of the nearest ones.
func (h *nearest) worth(n Node, _ int, child Node) float64 {
	mover := h.space.turn[n]
	if h.space.turn[child] == oxo.Chance {
		return h.space.mean(child, func(n Node) float64 { return h.judge(n, mover) })
	}
	return h.judge(child, mover)
}

func (h *nearest) judge(n Node, mover oxo.Seat) float64 {
	class := h.space.class(n)
	if i, ok := h.index[class]; ok {
		return h.stored[i].mean()
	}
	v, ok := h.guesses[class]
	if !ok {
		v = h.guess(class, mover)
		h.guesses[class] = v
	}
	return v
}

func (e *example) mean() float64 { return e.sum / float64(e.games) }

// guess returns the mean of the nearest examples, all of those at the last
// distance included, each weighted by 1/distance.
func (h *nearest) guess(n Node, mover oxo.Seat) float64 {
	type near struct {
		distance int
		mean     float64
	}
	var list []near
	own := h.space.pictures(n)[0]
	for i := range h.stored {
		if e := &h.stored[i]; e.mover == mover {
			list = append(list, near{own.apart(e.images), e.mean()})
		}
	}
	slices.SortFunc(list, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.mean, b.mean))
	})
	sum, weight := 0.0, 0.0
	for i, e := range list {
		if i >= h.count && e.distance > list[h.count-1].distance {
			break
		}
		sum += e.mean / float64(e.distance)
		weight += 1 / float64(e.distance)
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}

// endings is the critic that teaches each position moved to how the game
// ended.
type endings nearest

func (c *endings) Judge(t *Trace, g Generalizer) {
	c.try.games++
	for i := len(t.Choices) - 1; i >= 0; i-- {
		seat := c.space.turn[t.Nodes[i]]
		if seat == oxo.Chance || !t.Learner[seat] {
			continue
		}
		g.Learn(Example{Node: c.space.after(t, i), Seat: seat, Target: t.worthTo(seat), Rate: 1})
		if t.Choices[i].Explores {
			return
		}
	}
}

// Learn stores the example or adds it to those of its position.
func (h *nearest) Learn(e Example) {
	h.keep(h.space.class(e.Node), e.Seat, e.Target, 1)
}

func (h *nearest) keep(class Node, mover oxo.Seat, sum float64, games int) {
	clear(h.guesses)
	i, ok := h.index[class]
	if !ok {
		i = len(h.stored)
		h.index[class] = i
		h.stored = append(h.stored, example{node: class, mover: mover, images: h.space.pictures(class)})
	}
	h.stored[i].sum += sum
	h.stored[i].games += games
}

type nearestSaved struct {
	Examples []nearestExample `json:"examples"`
	Games    int              `json:"games"`
}

type nearestExample struct {
	Position string   `json:"position"`
	Mover    oxo.Seat `json:"mover"`
	Sum      float64  `json:"sum"`
	Games    int      `json:"games"`
}

func (h *nearest) save() any {
	saved := nearestSaved{Games: h.try.games}
	for _, e := range h.stored {
		saved.Examples = append(saved.Examples, nearestExample{h.space.format(e.node), e.mover, e.sum, e.games})
	}
	return saved
}

func (h *nearest) load(data json.RawMessage) error {
	var saved nearestSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	h.stored, h.try.games = nil, saved.Games
	clear(h.index)
	for _, e := range saved.Examples {
		n, err := h.space.find(e.Position)
		if err != nil {
			return fmt.Errorf("an example of %w", err)
		}
		if e.Games < 1 || e.Mover > oxo.Second {
			return fmt.Errorf("the example of %q is of %d games", e.Position, e.Games)
		}
		h.keep(n, e.Mover, e.Sum, e.Games)
	}
	return nil
}

func (h *nearest) check() error { return nil }
