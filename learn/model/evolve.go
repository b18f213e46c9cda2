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

// evolve is a genetic search over the weights of features: each individual of a population plays some games, the worth
// of which is its fitness; the next generation has the mean of the best quarter, which is the champion and plays in
// earnest, the best individual unchanged, and children of parents that won a tournament, weights mixed and changed.
//
// Against itself an individual plays others of the population, or strangers of random weights, which differ more.
type evolve struct {
	evolveOptions
	greedy
	features   *space.Features
	population [][]float64
	fitness    []float64
	champion   []float64
	playing    [2][]float64 // the weights of each seat in this game
	game       int          // of this generation
	generation int
	rand       *rand.Rand
}

// evolveOptions are the options that readEvolve explains: games is of each individual, loss a factor of lost games.
type evolveOptions struct {
	set      string
	size     int
	games    int
	parents  int
	mutation float64
	ends     string
	loss     float64
	rivals   string
}

// readEvolve returns the [evolveOptions] of a spec; what is out of range is an error of o.
func readEvolve(o *option.Reader) any {
	return evolveOptions{
		set:      readFeatures(o, "threats"),
		size:     o.Integer("size", "20", 2, 10000, "individuals"),
		games:    o.Integer("rounds", "60", 1, 1<<30, "games of each in a generation"),
		parents:  o.Integer("tournament", "3", 1, 10000, "individuals of which the best becomes a parent"),
		mutation: o.Number("mutation", "0.3", 0, 1e6, "standard deviation of the change of a weight"),
		ends:     o.Word("ends", "known", "finished boards: known, or judged by their features", "known", "judged"),
		loss:     o.Number("loss", "20", 0, 1e6, "how many won games a lost one undoes"),
		rivals: o.Word("rivals", "strangers", "whom an individual meets where the learner plays against itself",
			"strangers", "population"),
	}
}

// buildEvolve draws the first population, each weight from a standard normal distribution by r. The first individual is
// the champion until a generation has been bred. Features that the game has not are an error.
func buildEvolve(s *space.Space, o any, r *rand.Rand) (*Learner, error) {
	v := &evolve{evolveOptions: o.(evolveOptions), rand: r}
	var err error
	if v.features, err = s.Features(v.set); err != nil {
		return nil, err
	}
	for range v.size {
		v.population = append(v.population, v.randomWeights())
	}
	v.fitness = make([]float64, v.size)
	v.champion = v.population[0]
	v.greedy = greedy{space: s, worth: v}
	v.seatPlayers()
	return &Learner{v, (*fitnessCritic)(v), v, v}, nil
}

// seatPlayers puts the individual whose turn it is on both seats. Its games follow
// each other, so that where the seats alternate it sits on both alike.
func (v *evolve) seatPlayers() {
	own := v.population[v.game/v.games]
	v.playing = [2][]float64{own, own}
}

// Worth is the weighted sum for the individual that moves.
func (v *evolve) Worth(n space.Node, _ int, child space.Node) float64 {
	seat := v.space.Turn(n)
	if v.space.Turn(child) == oxo.Chance {
		return v.space.ChanceMean(child, func(n space.Node) float64 { return v.boardWorth(n, seat) })
	}
	return v.boardWorth(child, seat)
}

// boardWorth returns what a board is worth to a seat by the weights that play it.
func (v *evolve) boardWorth(n space.Node, seat oxo.Seat) float64 {
	if v.ends == "known" && v.space.Over(n) {
		return finishedWorth(v.space, n, seat)
	}
	return dot(v.playing[seat], v.features.Of(n, seat))
}

// Odds is what the champion plays.
func (v *evolve) Odds(n space.Node, w []float64) {
	playing := v.playing
	v.playing = [2][]float64{v.champion, v.champion}
	v.greedy.Odds(n, w)
	v.playing = playing
}

// fitnessCritic is the critic that credits a game to the individual whose turn it is.
type fitnessCritic evolve

// LearnGame teaches each of the learner's seats the worth of the game, −1 to 1, and seats who plays the next one. After
// the last game of the last individual a generation is bred.
func (c *fitnessCritic) LearnGame(t *Trace, g Generalizer) {
	v := (*evolve)(c)
	if len(t.Nodes) > 0 {
		for seat := range oxo.Chance {
			if t.Learner[seat] {
				g.Learn(Example{Node: t.Nodes[0], Seat: seat, Target: t.worthTo(seat)})
			}
		}
	}
	if v.game++; v.game == v.size*v.games {
		v.breedGeneration()
	}
	v.seatPlayers()
	if t.Learner == [2]bool{true, true} {
		// In self-play a rival sits opposite, on either seat in turn.
		v.playing[v.game%2] = v.drawRival()
	}
}

// drawRival draws whom an individual meets where the learner plays against itself.
func (v *evolve) drawRival() []float64 {
	if v.rivals == "strangers" {
		return v.randomWeights()
	}
	return v.population[v.rand.IntN(v.size)]
}

// randomWeights returns a weight for each feature, drawn from a standard normal distribution.
func (v *evolve) randomWeights() []float64 {
	w := make([]float64, len(v.features.Names))
	for i := range w {
		w[i] = v.rand.NormFloat64()
	}
	return w
}

// Learn adds to the fitness of the individual whose game it is. What the game brings to a rival doesn't count: the more
// games were drawn for it, the more that would be.
func (v *evolve) Learn(e Example) {
	if i := v.game / v.games; &v.population[i][0] == &v.playing[e.Seat][0] {
		if e.Target < 0 {
			e.Target *= v.loss
		}
		v.fitness[i] += e.Target
	}
}

// breedGeneration makes the next generation.
func (v *evolve) breedGeneration() {
	order := make([]int, v.size)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v.fitness[j], v.fitness[i]) })
	parent := func() []float64 {
		best := v.size
		for range v.parents {
			best = min(best, v.rand.IntN(v.size))
		}
		return v.population[order[best]]
	}
	mean, best := make([]float64, len(v.champion)), max(1, v.size/4)
	for _, i := range order[:best] {
		for k, w := range v.population[i] {
			mean[k] += w / float64(best)
		}
	}
	next := [][]float64{mean, slices.Clone(v.population[order[0]])}
	for len(next) < v.size {
		a, b := parent(), parent()
		child := make([]float64, len(a))
		for i := range child {
			child[i] = a[i]
			if v.rand.IntN(2) == 0 {
				child[i] = b[i]
			}
			child[i] += v.mutation * v.rand.NormFloat64()
		}
		next = append(next, child)
	}
	v.population, v.champion = next, next[0]
	clear(v.fitness)
	v.game = 0
	v.generation++
}

// evolveSaved is an evolve in a brain. Weights are in the order of Features, Playing are numbers of individuals.
type evolveSaved struct {
	Features   []string    `json:"features"`
	Population [][]float64 `json:"population"`
	Fitness    []float64   `json:"fitness"`
	Playing    [2]int      `json:"playing"`            // -1 for a stranger
	Stranger   []float64   `json:"stranger,omitempty"` // its weights
	Game       int         `json:"game"`
	Generation int         `json:"generation"`
}

// Save has the weights of a stranger that sits in the game under way, as it is none of the population.
func (v *evolve) Save() any {
	saved := evolveSaved{Features: v.features.Names, Population: v.population, Fitness: v.fitness, Game: v.game,
		Generation: v.generation}
	for seat, w := range v.playing {
		saved.Playing[seat] = -1
		for i, own := range v.population {
			if &own[0] == &w[0] {
				saved.Playing[seat] = i
			}
		}
		if saved.Playing[seat] < 0 {
			saved.Stranger = w
		}
	}
	return saved
}

// Load refuses other features, another size of population, and a game or an individual that there is not.
func (v *evolve) Load(data json.RawMessage) error {
	var saved evolveSaved
	if err := json.Unmarshal(data, &saved); err != nil {
		return err
	}
	if !slices.Equal(saved.Features, v.features.Names) || len(saved.Population) != v.size ||
		len(saved.Fitness) != v.size {
		return fmt.Errorf("its population has another size or other features")
	}
	if saved.Game < 0 || saved.Game >= v.size*v.games {
		return fmt.Errorf("a generation has the games 0 to %d, and no game %d", v.size*v.games-1, saved.Game)
	}
	strangers := 0
	for _, i := range saved.Playing {
		if i == -1 {
			strangers++
		}
	}
	if strangers > 1 || strangers == 1 && len(saved.Stranger) != len(v.features.Names) {
		return fmt.Errorf("a stranger has %d weights, not %d", len(saved.Stranger), len(v.features.Names))
	}
	for _, w := range saved.Population {
		if len(w) != len(v.features.Names) {
			return fmt.Errorf("an individual has %d weights, not %d", len(w), len(v.features.Names))
		}
	}
	v.population, v.fitness, v.game, v.generation = saved.Population, saved.Fitness, saved.Game, saved.Generation
	for seat, i := range saved.Playing {
		if i == -1 {
			v.playing[seat] = saved.Stranger
			continue
		}
		if i < 0 || i >= v.size {
			return fmt.Errorf("there is no individual %d", i)
		}
		v.playing[seat] = v.population[i]
	}
	v.champion = v.population[0]
	return nil
}

// Check is an error where a weight of the population, or of who plays now, has run off to infinity.
func (v *evolve) Check() error {
	for _, w := range slices.Concat(v.population, v.playing[:]) {
		if err := checkWeights(w, fmt.Sprintf("mutation=%v is too large", v.mutation)); err != nil {
			return err
		}
	}
	return nil
}

func (v *evolve) Bytes() int64 { return int64(8 * len(v.population) * len(v.champion)) }
