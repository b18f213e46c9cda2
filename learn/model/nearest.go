package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/learn/option"
	"oxo/learn/space"
)

// nearestModel stores examples: each position it has moved to, with the mean of how games ended from there. A position
// that is not stored is worth what the nearestModel stored ones are, the distance being the number of squares that
// differ under the symmetry that makes it least.
type nearestModel struct {
	nearestOptions
	space   *space.Space
	stored  []storedExample
	index   map[space.Node]int // of a class, in stored
	guesses map[space.Node]float64
}

// nearestOptions are what a spec says of it.
type nearestOptions struct {
	benchOptions
	count int
}

// storedExample is a stored position.
type storedExample struct {
	node   space.Node
	mover  oxo.Seat // who moved to it
	sum    float64  // of worths to the mover
	games  int
	images []space.Picture
}

// readNearest leaves out option states: boards after moves are judged.
func readNearest(o *option.Reader) any {
	n := nearestOptions{benchOptions: benchOptions{judges: reached, graded: 1, gamma: 1, factor: 1}}
	n.count = o.Integer("count", "3", 1, 1000, "how many of the nearest examples are asked")
	n.explore = readExploreOptions(o, "0.5")
	n.readTargetOptions(o, "search", "0", false)
	n.readTries(o, "skip")
	return n
}

// buildNearest begins without examples. It takes a space of all positions, in which squares can be compared.
func buildNearest(s *space.Space, open any, _ *rand.Rand) (*Learner, error) {
	if err := s.RequireComplete("examples"); err != nil {
		return nil, err
	}
	if s.Pictures == nil {
		return nil, ErrNoSquares
	}
	o := open.(nearestOptions)
	return newValueLearner(s, o.benchOptions, &nearestModel{nearestOptions: o, space: s, index: map[space.Node]int{},
		guesses: map[space.Node]float64{}}), nil
}

// value is the mean of the example, or of the nearest ones.
func (h *nearestModel) value(n space.Node, _ int32, mover oxo.Seat) float64 {
	class := h.space.Class(n)
	if i, ok := h.index[class]; ok {
		return h.stored[i].mean()
	}
	v, ok := h.guesses[class]
	if !ok {
		v = h.weightedGuess(class, mover)
		h.guesses[class] = v
	}
	return v
}

func (e *storedExample) mean() float64 { return e.sum / float64(e.games) }

// neighbour is an example, so many squares apart from a position.
type neighbour struct {
	*storedExample
	distance int
}

// nearestExamples returns the nearest examples to n, all of those at the last distance
// included; of one that is stored, itself.
func (h *nearestModel) nearestExamples(n space.Node, mover oxo.Seat) []neighbour {
	if i, ok := h.index[n]; ok {
		return []neighbour{{&h.stored[i], 0}}
	}
	var list []neighbour
	own := h.space.Pictures(n)[0]
	for i := range h.stored {
		if e := &h.stored[i]; e.mover == mover {
			list = append(list, neighbour{e, own.DistanceToNearest(e.images)})
		}
	}
	slices.SortFunc(list, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.mean(), b.mean()))
	})
	end := min(h.count, len(list))
	for end < len(list) && list[end].distance == list[h.count-1].distance {
		end++
	}
	return list[:end]
}

// weightedGuess returns the mean of the nearest examples, each weighted by 1/distance. None of the examples is the
// position itself, so that no distance is 0. Without examples the guess is 0.
func (h *nearestModel) weightedGuess(n space.Node, mover oxo.Seat) float64 {
	sum, weight := 0.0, 0.0
	for _, e := range h.nearestExamples(n, mover) {
		sum += e.mean() / float64(e.distance)
		weight += 1 / float64(e.distance)
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}

// mostNeighbours is how many neighbours of a position are listed at most.
const mostNeighbours = 12

// Look adds the examples that each move's worth is taken from.
func (h *nearestModel) Look(n space.Node, moves []Looked) {
	for e, c := range h.space.Children(n) {
		if h.space.Over(c) {
			continue
		}
		list := h.nearestExamples(h.space.Class(c), h.space.Turn(n))
		for _, x := range list[:min(mostNeighbours, len(list))] {
			moves[e].Near = append(moves[e].Near, Near{h.space.Format(x.node), x.distance, x.mean()})
		}
	}
}

// Learn stores the example or adds it to those of its position.
func (h *nearestModel) Learn(e Example) { h.addExample(h.space.Class(e.Node), e.Seat, e.Target, 1) }
func (h *nearestModel) finishGame(int)  {}

// addExample adds what games came to from positions of a class.
func (h *nearestModel) addExample(class space.Node, mover oxo.Seat, sum float64, games int) {
	clear(h.guesses)
	i, ok := h.index[class]
	if !ok {
		i = len(h.stored)
		h.index[class] = i
		h.stored = append(h.stored, storedExample{node: class, mover: mover, images: h.space.Pictures(class)})
	}
	h.stored[i].sum += sum
	h.stored[i].games += games
}

// nearestSaved is the model in a brain; Games counts all that it was taught by.
type nearestSaved struct {
	Examples []nearestExample `json:"examples"`
	Games    int              `json:"games"`
}

// nearestExample is a [storedExample] in a brain: Sum is of Games worths, each to the mover.
type nearestExample struct {
	Position string   `json:"position"`
	Mover    oxo.Seat `json:"mover"`
	Sum      float64  `json:"sum"`
	Games    int      `json:"games"`
}

// save lists the examples in the order in which they were met.
func (h *nearestModel) save(games int) any {
	saved := nearestSaved{Games: games}
	for _, e := range h.stored {
		saved.Examples = append(saved.Examples, nearestExample{h.space.Format(e.node), e.mover, e.sum, e.games})
	}
	return saved
}

// restore refuses positions that the space has not, and examples of no game or without a finite worth.
func (h *nearestModel) restore(data json.RawMessage) (games int, err error) {
	var saved nearestSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return 0, err
	}
	h.stored = nil
	clear(h.index)
	for _, e := range saved.Examples {
		n, err := h.space.Find(e.Position)
		if err != nil {
			return 0, fmt.Errorf("an example of %w", err)
		}
		if e.Games < 1 || e.Mover > oxo.Second || !Finite([]float64{e.Sum}) {
			return 0, fmt.Errorf("the example of %q is of %d games and %v", e.Position, e.Games, e.Sum)
		}
		h.addExample(n, e.Mover, e.Sum, e.Games)
	}
	return saved.Games, nil
}

func (h *nearestModel) Check() error { return nil }

// Bytes is an estimate: 72 for an example, 64 for each of its images, 32 for a guess.
func (h *nearestModel) Bytes() int64 {
	size := 0
	for _, e := range h.stored {
		size += 72 + len(e.images)*64
	}
	return int64(size + 32*len(h.guesses))
}
