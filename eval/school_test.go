//go:build soak

package eval

import (
	"math"
	"math/rand/v2"
	"sync"
)

// lesson is a position of a game: what is on each board, seen by the side to
// move, where the next move may be, and the probability that the mover wins.
type lesson struct {
	ids    [9]uint16
	here   uint16
	any    bool
	target float32
}

// school teaches a net by gradient descent.
type school struct {
	*shelf
	net      *Net
	turned   [8][]uint16 // by way and id: the id when laid down so
	features [][]uint8   // by id
}

func newSchool(net *Net) *school {
	s := &school{shelf: newShelf(), net: net}
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

// learn returns the loss of x, the cross entropy, and adds its gradient to
// grad where that is not nil.
func (s *school) learn(x *lesson, grad *Net) float64 {
	t := s.net
	var sums [8][netUnits]float32
	score := float64(t.OutBias)
	for way := range 8 {
		s.inputs(t, x, way, func(w *[netUnits]float32) { addTo(&sums[way], w) })
		for k, v := range sums[way] {
			score += float64(t.Out[k] * max(0, v))
		}
	}
	y, target := 1/(1+math.Exp(-score)), float64(x.target)
	if grad != nil {
		d := float32(y - target)
		grad.OutBias += d
		for way := range 8 {
			var back [netUnits]float32
			for k, v := range sums[way] {
				if v > 0 {
					grad.Out[k] += d * v
					back[k] = d * t.Out[k]
				}
			}
			s.inputs(grad, x, way, func(w *[netUnits]float32) { addTo(w, &back) })
		}
	}
	return -target*math.Log(y+1e-12) - (1-target)*math.Log(1-y+1e-12)
}

// teach goes through the lessons so many times, in random order and batches of
// 128, by Adam (Kingma and Ba, 2015) with a falling rate. The halves of a batch
// are worked on at once, always the same ones, so that the net depends on the
// seed alone. It returns the mean loss of the last time.
func (s *school) teach(lessons []lesson, epochs int, rate float64, r *rand.Rand) (loss float64) {
	const batch, halves = 128, 2
	var grads [halves]Net
	var weights []*float32
	var parts [halves][]*float32
	s.net.each(func(w *float32) { weights = append(weights, w) })
	for h := range grads {
		grads[h].each(func(w *float32) { parts[h] = append(parts[h], w) })
	}
	mean, square := make([]float64, len(weights)), make([]float64, len(weights))
	step, steps := 0.0, float64(epochs*(len(lessons)/batch))
	for range epochs {
		r.Shuffle(len(lessons), func(i, j int) { lessons[i], lessons[j] = lessons[j], lessons[i] })
		loss = 0
		for at := 0; at+batch <= len(lessons); at += batch {
			var losses [halves]float64
			var wait sync.WaitGroup
			for h := range halves {
				wait.Go(func() {
					for i := at + h*batch/halves; i < at+(h+1)*batch/halves; i++ {
						losses[h] += s.learn(&lessons[i], &grads[h])
					}
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
	for k := range t.Out {
		t.Bias[k] = 0.3
		t.Out[k] = 0.3 * float32(2*(k%2)-1)
	}
	t.OutBias = 0
	return t
}
