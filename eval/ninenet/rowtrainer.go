package ninenet

import (
	"math/rand/v2"
	"sync"
)

// rowTrainer is what a [NetTrainer] knows of the rows of boards: what each board
// brings to its rows, by set and class, as the net is now.
type rowTrainer struct {
	class   []uint16 // by id
	shares  [][netFeatures]float32
	brought [netSets][][rowUnits]float32
	hidden  [netSets][][rowHidden]float32 // the positive parts of the hidden units
}

// newRowTrainer makes room for what every class brings, and works out the features that a class has, which weights do
// not change.
func newRowTrainer(s *contentsIndex) *rowTrainer {
	of, classes := s.symmetryClasses()
	r := &rowTrainer{class: of}
	for _, x := range classes {
		r.shares = append(r.shares, featureSharesOverTurns(x.own, x.their, x.closed))
	}
	for set := range netSets {
		r.brought[set] = make([][rowUnits]float32, len(r.shares))
		r.hidden[set] = make([][rowHidden]float32, len(r.shares))
	}
	return r
}

// computeContributions works out what boards bring to their rows by t, on two cores.
// It is to be called after each change of the weights, before [rowTrainer.addLogOdds].
func (r *rowTrainer) computeContributions(t *rowNet) {
	var wait sync.WaitGroup
	for set := range netSets {
		wait.Go(func() {
			for class := range r.shares {
				r.brought[set][class], r.hidden[set][class] = t.boardContributionToRows(set, &r.shares[class])
			}
		})
	}
	wait.Wait()
}

// rowGradient is the gradient by what boards bring to their rows.
type rowGradient [netSets][][rowUnits]float32

// newRowGradient returns a gradient of 0 for each set and class of r.
func newRowGradient(r *rowTrainer) (g rowGradient) {
	for set := range g {
		g[set] = make([][rowUnits]float32, len(r.shares))
	}
	return g
}

// backpropagateToWeights adds to grad what g says of the weights of t, and clears g. Many examples share the contents
// of boards, so this is done once a step for each class, and not for each example.
// hidden[i] is 0 where a unit is cut off, which lets no gradient through.
func (r *rowTrainer) backpropagateToWeights(t, grad *rowNet, g *rowGradient) {
	for set := range g {
		for class := range g[set] {
			d := &g[set][class]
			if *d == [rowUnits]float32{} {
				continue
			}
			var hidden [rowHidden]float32
			for i, v := range &r.hidden[set][class] {
				if v > 0 {
					for k, w := range &t.In[set][i] {
						hidden[i] += w * d[k]
						grad.In[set][i][k] += v * d[k]
					}
				}
			}
			for k, v := range d {
				grad.Bias[set][k] += v
			}
			for k, v := range hidden {
				grad.HiddenBias[set][k] += v
			}
			for f, share := range &r.shares[class] {
				if share == 0 {
					continue
				}
				for k, v := range &hidden {
					grad.Hidden[set][f][k] += share * v
				}
				for k, v := range d {
					grad.Direct[set][f][k] += share * v
				}
			}
			*d = [rowUnits]float32{}
		}
	}
}

// setsAndClassesOfBoards returns the set and class of each board of x.
func (r *rowTrainer) setsAndClassesOfBoards(s *contentsIndex, x *Example) (sets, classes [9]uint16) {
	for b, id := range x.ids {
		classes[b] = r.class[id]
		if s.list[id].closed == 0 {
			sets[b] = x.here >> b & 1
		}
	}
	return sets, classes
}

// addLogOdds adds to odds what the rows of x say, by t, and returns their units, also negative ones.
func (r *rowTrainer) addLogOdds(t *rowNet, s *contentsIndex, x *Example, odds *[2]float32) (rows [8][rowUnits]float32) {
	sets, classes := r.setsAndClassesOfBoards(s, x)
	for i, row := range boardsOfRow {
		for _, b := range row {
			for k, v := range &r.brought[sets[b]][classes[b]] {
				rows[i][k] += v
			}
		}
		for k, v := range rows[i] {
			odds[0] += t.Out[0][k] * max(0, v)
			odds[1] += t.Out[1][k] * max(0, v)
		}
	}
	return rows
}

// accumulateGradient adds the gradient to grad and g where that by the odds is d; rows is what addLogOdds returned
// for x.
func (r *rowTrainer) accumulateGradient(t, grad *rowNet, g *rowGradient, s *contentsIndex, x *Example,
	rows *[8][rowUnits]float32, d [2]float32) {
	sets, classes := r.setsAndClassesOfBoards(s, x)
	for i, row := range boardsOfRow {
		var back [rowUnits]float32
		for k, v := range &rows[i] {
			if v > 0 {
				grad.Out[0][k] += d[0] * v
				grad.Out[1][k] += d[1] * v
				back[k] = d[0]*t.Out[0][k] + d[1]*t.Out[1][k]
			}
		}
		for _, b := range row {
			for k, v := range back {
				g[sets[b]][classes[b]][k] += v
			}
		}
	}
}

// initializeWeights sets weights that know nothing and can learn: random ones, so that no two units are alike.
// Weights are normal of deviation 0.2, those of the output a tenth of that.
func (t *rowNet) initializeWeights(r *rand.Rand) {
	t.eachWeight(func(w *float32) { *w = float32(r.NormFloat64() * 0.2) })
	for k := range rowUnits {
		t.Out[0][k], t.Out[1][k] = 0.1*t.Out[0][k], 0.1*t.Out[1][k]
	}
}
