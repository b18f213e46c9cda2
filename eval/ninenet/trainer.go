package ninenet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"oxo/games/ultimate"
)

// Example is a position of a game and how it should be judged: what is on each board, seen by the side to move, where
// the next move may be, and the probabilities that the mover wins and that it loses.
type Example struct {
	ids       [9]uint16
	here      uint16
	any       bool
	win, loss float32
}

// NetTrainer teaches a net by gradient descent.
// Its examples go by contents' ids, so that features are looked up and not worked out for each of 512 examples a step.
type NetTrainer struct {
	*contentsIndex
	net      *Net
	rows     *rowTrainer
	turned   [8][]uint16 // by way and id: the id when laid down so
	features [][]uint8   // by id

	weights      []*float32
	batch        [batchSize]*Example
	grads        [halves]gradient
	parts        [halves][]*float32 // of the gradients, by weight
	mean, square []float32          // of the gradient and its square, by weight
	steps        int
}

// NewNetTrainer returns a trainer for a net, which it changes in place; nobody else may use the net meanwhile.
func NewNetTrainer(net *Net) *NetTrainer {
	s := &NetTrainer{contentsIndex: newContentsIndex(), net: net}
	s.rows = newRowTrainer(s.contentsIndex)
	for id := range s.list {
		for way := range s.turned {
			s.turned[way] = append(s.turned[way], s.idWhenTurned(id, way))
		}
		s.features = append(s.features, s.list[id].features(make([]uint8, 0, netFeatures)))
	}
	s.net.eachWeight(func(w *float32) { s.weights = append(s.weights, w) })
	for h := range s.grads {
		s.grads[h].rows = newRowGradient(s.rows)
		s.grads[h].eachWeight(func(w *float32) { s.parts[h] = append(s.parts[h], w) })
	}
	s.mean, s.square = make([]float32, len(s.weights)), make([]float32, len(s.weights))
	return s
}

// NewExample returns the example that in p, which is not over, the mover wins and loses with these probabilities.
func (s *NetTrainer) NewExample(p ultimate.Pos, win, loss float64) Example {
	n := seenByMover(p)
	x := Example{here: n.here, any: n.any, win: float32(win), loss: float32(loss)}
	for b, c := range n.cells {
		x.ids[b] = s.id(c[0], c[1])
		for id := range s.list[:3] {
			if n.closed[b] == s.list[id].closed {
				x.ids[b] = uint16(id)
			}
		}
	}
	return x
}

// eachActiveWeights calls f with the weights, within t, of each feature of x laid down in that way.
func (s *NetTrainer) eachActiveWeights(t *Net, x *Example, way int, f func(weights *[netUnits]float32)) {
	f(&t.Bias)
	if x.any {
		f(&t.Any)
	}
	for b := range 9 {
		id, set := s.turned[way][x.ids[b]], x.here>>b&1
		if s.list[id].closed != 0 {
			set = 0
		}
		in := &t.In[set][layout[way][b]]
		for _, i := range s.features[id] {
			f(&in[i])
		}
	}
}

// drawWeight is how much telling draws counts against telling what a position is worth.
const drawWeight = 0.3

// Ignorant is the loss of a net that knows nothing.
// It gives a worth of 1/2, which costs ln 2 whatever the target, and each of three outcomes a third, which costs ln 3.
const Ignorant = math.Ln2 + drawWeight*1.0986122886681098 // the logarithm of 3

// gradient is what the weights of a net are to be changed by: those that say what
// boards bring to their rows as far as rows say, until [rowTrainer.backpropagateToWeights].
type gradient struct {
	Net
	rows rowGradient
}

// lossAndGradient returns the loss of x, made of cross entropies, and adds its gradient to grad where that is not nil.
// What boards bring to their rows must be worked out. It changes nothing else, so several may learn at once with a
// gradient of their own.
// The loss is that of a worth from 0 to 1, of two outcomes, plus drawWeight times that of win, loss and draw.
func (s *NetTrainer) lossAndGradient(x *Example, grad *gradient) (loss float64) {
	t := s.net
	var sums [8][netUnits]float32
	n := s.nineBoardsOf(x)
	odds := t.OutBias
	for _, w := range t.bigBoardWeights(n) {
		odds[0] += w[0]
		odds[1] += w[1]
	}
	rows := s.rows.addLogOdds(&t.Rows, s.contentsIndex, x, &odds)
	for way := range 8 {
		s.eachActiveWeights(t, x, way, func(w *[netUnits]float32) { addUnits(&sums[way], w) })
		for k, v := range sums[way] {
			odds[0] += t.Out[0][k] * max(0, v)
			odds[1] += t.Out[1][k] * max(0, v)
		}
	}
	win, loss := math.Exp(float64(odds[0])), math.Exp(float64(odds[1]))
	all := win + loss + 1
	win, loss = win/all, loss/all
	// What a position is worth is learned as half a draw more than a win; how likely a draw is counts less.
	worth, target := (1+win-loss)/2, float64(1+x.win-x.loss)/2
	if grad != nil {
		d := [2]float32{
			float32((worth-target)*win/worth + drawWeight*(win-float64(x.win))),
			float32((target-worth)*loss/(1-worth) + drawWeight*(loss-float64(x.loss))),
		}
		grad.OutBias[0] += d[0]
		grad.OutBias[1] += d[1]
		for _, w := range grad.bigBoardWeights(n) {
			w[0] += d[0]
			w[1] += d[1]
		}
		s.rows.accumulateGradient(&t.Rows, &grad.Rows, &grad.rows, s.contentsIndex, x, &rows, d)
		for way := range 8 {
			var back [netUnits]float32
			for k, v := range sums[way] {
				if v > 0 {
					grad.Out[0][k] += d[0] * v
					grad.Out[1][k] += d[1] * v
					back[k] = d[0]*t.Out[0][k] + d[1]*t.Out[1][k]
				}
			}
			s.eachActiveWeights(&grad.Net, x, way, func(w *[netUnits]float32) { addUnits(w, &back) })
		}
	}
	cross := func(target, p float64) float64 { return -target * math.Log(p+1e-12) }
	return cross(target, worth) + cross(1-target, 1-worth) +
		drawWeight*(cross(float64(x.win), win)+cross(float64(x.loss), loss)+cross(float64(1-x.win-x.loss), 1/all))
}

// nineBoardsOf returns x as a net sees it.
func (s *NetTrainer) nineBoardsOf(x *Example) *nineBoards {
	n := &nineBoards{here: x.here, any: x.any}
	for b, id := range x.ids {
		c := &s.list[id]
		n.cells[b], n.closed[b] = [2]uint16{c.own, c.their}, c.closed
	}
	n.setBigBoardFeatures()
	return n
}

// batchSize is how many examples a step learns from, in halves that are worked on at
// once: always the same ones, so that the net depends on the seed alone.
const batchSize, halves = 512, 2

// TrainStep learns from batchSize examples, drawn by r, by a step of Adam (Kingma and Ba, 2015) of
// that size. It returns the mean loss of the last fresh examples before the step.
// The moments fall by 0.9 and 0.999 a step, and are corrected for having begun at 0, as in the paper.
func (s *NetTrainer) TrainStep(examples []Example, fresh int, learningRate float64, r *rand.Rand) (freshLoss float64) {
	loss := s.MeanLoss(examples[len(examples)-fresh:])
	for i := range s.batch {
		s.batch[i] = &examples[r.IntN(len(examples))]
	}
	var wait sync.WaitGroup
	for h := range halves {
		wait.Go(func() {
			for _, x := range s.batch[h*batchSize/halves : (h+1)*batchSize/halves] {
				s.lossAndGradient(x, &s.grads[h])
			}
			s.rows.backpropagateToWeights(&s.net.Rows, &s.grads[h].Rows, &s.grads[h].rows)
		})
	}
	wait.Wait()
	s.steps++
	c1, c2 := 1-math.Pow(0.9, float64(s.steps)), 1-math.Pow(0.999, float64(s.steps))
	for i, w := range s.weights {
		g := float32(0)
		for h := range halves {
			g += *s.parts[h][i] / batchSize
			*s.parts[h][i] = 0
		}
		s.mean[i] += 0.1 * (g - s.mean[i])
		s.square[i] += 0.001 * (g*g - s.square[i])
		*w -= float32(learningRate * float64(s.mean[i]) / c1 / (math.Sqrt(float64(s.square[i])/c2) + 1e-8))
	}
	return loss
}

// MeanLoss returns the mean loss of examples, at least one, and works out first what boards bring to their rows.
// One goroutine adds up the examples in their order, so that the sum does not depend on the number of cores.
func (s *NetTrainer) MeanLoss(examples []Example) float64 {
	s.rows.computeContributions(&s.net.Rows)
	sum := 0.0
	for i := range examples {
		sum += s.lossAndGradient(&examples[i], nil)
	}
	return sum / float64(len(examples))
}

// Saved is a trainer as text, little-endian numbers of 32 bits: its net, and the means of Adam after so many steps.
type Saved struct {
	Net    []byte `json:"net"`
	Mean   []byte `json:"mean"`
	Square []byte `json:"square"`
	Steps  int    `json:"steps"`
}

// Save returns the trainer as text, with copies of all numbers.
func (s *NetTrainer) Save() Saved {
	return Saved{s.net.Bytes(), floatBytes(s.mean), floatBytes(s.square), s.steps}
}

// floatBytes writes numbers of 32 bits, the least significant byte first, four bytes each.
func floatBytes(list []float32) []byte {
	data, _ := binary.Append(nil, binary.LittleEndian, list) // numbers of a known size
	return data
}

// Restore brings a trainer back. It refuses what no trainer saved, of which it may have taken a part then.
func (s *NetTrainer) Restore(saved Saved) error {
	net, err := ReadNet(bytes.NewReader(saved.Net))
	if err != nil {
		return err
	}
	size := 4 * len(s.weights)
	if len(saved.Mean) != size || len(saved.Square) != size || saved.Steps < 0 {
		return fmt.Errorf("the means of %d weights have %d bytes each", len(s.weights), size)
	}
	*s.net = *net
	s.steps = saved.Steps
	for i := range s.weights {
		s.mean[i] = math.Float32frombits(binary.LittleEndian.Uint32(saved.Mean[4*i:]))
		s.square[i] = math.Float32frombits(binary.LittleEndian.Uint32(saved.Square[4*i:]))
	}
	return s.CheckWeights()
}

// CheckWeights is an error where learning has led to weights that mean nothing.
func (s *NetTrainer) CheckWeights() error {
	for i, w := range s.weights {
		if !(*w > -mostWeight && *w < mostWeight) || !(s.square[i] >= 0 && s.square[i] < math.MaxFloat32) ||
			s.mean[i] != s.mean[i] {
			return errWild
		}
	}
	return nil
}

// NewRandomNet returns a net that knows nothing. Half of its units speak for a win and half for a loss; r makes them
// differ.
func NewRandomNet(r *rand.Rand) *Net {
	t := new(Net)
	t.eachWeight(func(w *float32) { *w = float32(r.NormFloat64() * 0.05) })
	for k := range netUnits {
		sign := float32(2*(k%2) - 1)
		t.Bias[k] = 0.3
		t.Out[0][k], t.Out[1][k] = 0.15*sign, -0.15*sign
	}
	t.Rows.initializeWeights(r)
	t.OutBias = [2]float32{}
	return t
}
