//go:build soak

package eval

import (
	"math"
	"math/rand/v2"
	"sync"
)

// lesson is a position of a game: what is on each board, seen by the side to
// move, where the next move may be, and the probabilities that the mover wins
// and that it loses.
type lesson struct {
	ids       [9]uint16
	here      uint16
	any       bool
	win, loss float32
}

// school teaches a net by gradient descent.
type school struct {
	*shelf
	net      *Net
	rows     *rowSchool
	turned   [8][]uint16 // by way and id: the id when laid down so
	features [][]uint8   // by id
}

func newSchool(net *Net) *school {
	s := &school{shelf: newShelf(), net: net}
	s.rows = newRowSchool(s.shelf)
	for id := range s.list {
		for way := range s.turned {
			s.turned[way] = append(s.turned[way], s.laid(id, way))
		}
		s.features = append(s.features, s.list[id].features(make([]uint8, 0, netFeatures)))
	}
	return s
}

// inputs calls f with the weights, within t, of each feature of x laid down in
// that way.
func (s *school) inputs(t *Net, x *lesson, way int, f func(*[netUnits]float32)) {
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

// drawWeight is how much telling draws counts against telling what a position
// is worth.
const drawWeight = 0.3

// gradient is what the weights of a net are to be changed by: those that say what
// boards bring to their rows as far as rows say, until [rowSchool.back].
type gradient struct {
	Net
	rows rowGrad
}

// learn returns the loss of x, made of cross entropies, and adds its gradient to
// grad where that is not nil. What boards bring to their rows must be worked out.
func (s *school) learn(x *lesson, grad *gradient) float64 {
	t := s.net
	var sums [8][netUnits]float32
	n := s.seen(x)
	odds := t.OutBias
	for _, w := range t.bigBoardWeights(n) {
		odds[0] += w[0]
		odds[1] += w[1]
	}
	rows := s.rows.odds(&t.Rows, s.shelf, x, &odds)
	for way := range 8 {
		s.inputs(t, x, way, func(w *[netUnits]float32) { addTo(&sums[way], w) })
		for k, v := range sums[way] {
			odds[0] += t.Out[0][k] * max(0, v)
			odds[1] += t.Out[1][k] * max(0, v)
		}
	}
	win, loss := math.Exp(float64(odds[0])), math.Exp(float64(odds[1]))
	all := win + loss + 1
	win, loss = win/all, loss/all
	// What a position is worth is learned as half a draw more than a win; how
	// likely a draw is counts less.
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
		s.rows.learn(&t.Rows, &grad.Rows, &grad.rows, s.shelf, x, &rows, d)
		for way := range 8 {
			var back [netUnits]float32
			for k, v := range sums[way] {
				if v > 0 {
					grad.Out[0][k] += d[0] * v
					grad.Out[1][k] += d[1] * v
					back[k] = d[0]*t.Out[0][k] + d[1]*t.Out[1][k]
				}
			}
			s.inputs(&grad.Net, x, way, func(w *[netUnits]float32) { addTo(w, &back) })
		}
	}
	cross := func(target, p float64) float64 { return -target * math.Log(p+1e-12) }
	return cross(target, worth) + cross(1-target, 1-worth) +
		drawWeight*(cross(float64(x.win), win)+cross(float64(x.loss), loss)+cross(float64(1-x.win-x.loss), 1/all))
}

// seen returns x as a net sees it.
func (s *school) seen(x *lesson) *nineBoards {
	n := &nineBoards{here: x.here, any: x.any}
	for b, id := range x.ids {
		c := &s.list[id]
		n.cells[b], n.closed[b] = [2]uint16{c.own, c.their}, c.closed
	}
	n.setBigBoardFeatures()
	return n
}

// teach goes through the lessons so many times, in random order and batches of
// 512, by Adam (Kingma and Ba, 2015) with a falling rate. The halves of a batch
// are worked on at once, always the same ones, so that the net depends on the
// seed alone. It returns the mean loss of the last time.
func (s *school) teach(lessons []lesson, epochs int, rate float64, r *rand.Rand) (loss float64) {
	const batch, halves = 512, 2
	var grads [halves]gradient
	var weights []*float32
	var parts [halves][]*float32
	s.net.each(func(w *float32) { weights = append(weights, w) })
	for h := range grads {
		grads[h].rows = newRowGrad(s.rows)
		grads[h].each(func(w *float32) { parts[h] = append(parts[h], w) })
	}
	mean, square := make([]float64, len(weights)), make([]float64, len(weights))
	step, steps := 0.0, float64(epochs*(len(lessons)/batch))
	for range epochs {
		r.Shuffle(len(lessons), func(i, j int) { lessons[i], lessons[j] = lessons[j], lessons[i] })
		loss = 0
		for at := 0; at+batch <= len(lessons); at += batch {
			s.rows.bring(&s.net.Rows)
			var losses [halves]float64
			var wait sync.WaitGroup
			for h := range halves {
				wait.Go(func() {
					for i := at + h*batch/halves; i < at+(h+1)*batch/halves; i++ {
						losses[h] += s.learn(&lessons[i], &grads[h])
					}
					s.rows.back(&s.net.Rows, &grads[h].Rows, &grads[h].rows)
				})
			}
			wait.Wait()
			loss += losses[0] + losses[1]
			step++
			now := rate * (1 - 0.97*step/steps)
			c1, c2 := 1-math.Pow(0.9, step), 1-math.Pow(0.999, step)
			for i, w := range weights {
				g := 0.0
				for h := range halves {
					g += float64(*parts[h][i]) / batch
					*parts[h][i] = 0
				}
				mean[i] += 0.1 * (g - mean[i])
				square[i] += 0.001 * (g*g - square[i])
				*w -= float32(now * mean[i] / c1 / (math.Sqrt(square[i]/c2) + 1e-8))
			}
		}
	}
	return loss / float64(len(lessons)/batch*batch)
}

// loss returns the mean loss of the lessons.
func (s *school) loss(lessons []lesson) float64 {
	s.rows.bring(&s.net.Rows)
	sum := 0.0
	for i := range lessons {
		sum += s.learn(&lessons[i], nil)
	}
	return sum / float64(len(lessons))
}

// newNet returns a net that knows nothing.
func newNet(r *rand.Rand) *Net {
	t := new(Net)
	t.each(func(w *float32) { *w = float32(r.NormFloat64() * 0.05) })
	for k := range netUnits {
		sign := float32(2*(k%2) - 1)
		t.Bias[k] = 0.3
		t.Out[0][k], t.Out[1][k] = 0.15*sign, -0.15*sign
	}
	t.Rows.begin(r)
	t.OutBias = [2]float32{}
	return t
}
