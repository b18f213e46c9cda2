//go:build soak

package lines

import (
	"encoding/binary"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"oxo/threats"
)

var (
	fitGame    = flag.String("game", "fives", "fives, of 15×15, or cube")
	fitFor     = flag.Duration("for", time.Minute, "how long games are played on all cores")
	fitNodes   = flag.Uint64("nodes", 5000, "positions a move in them")
	fitSeed    = flag.Uint64("seed", 1, "of games and of the fit")
	fitSamples = flag.String("samples", "", "a file of samples: new ones are added, and all are fitted")
	fitFile    = flag.String("net", "", "the file that the net is written to")
)

// sample is a position of a game, by the pairs of its free squares for the side to move, with what a search says that
// it is worth to that side and which of the squares it chose, noSquare for none of them.
type sample struct {
	pair   []uint16
	value  float32
	chosen uint16
}

// fitting is a board whose net is fitted: its games begin with some random marks, from few up to most, on squares that
// are central enough. Where decided is set, it learns from positions too that are won or lost at once.
type fitting struct {
	board     threats.Board
	few, most int
	central   int32
	decided   bool
}

// fittings are those of TestFitNet.
func fittings(t *testing.T) map[string]fitting {
	return map[string]fitting{
		"fives": {board: grid(15, 15, 5), few: 4, most: 9, central: 5},
		"cube":  {board: arenas(t)["cube:4,3"], few: 1, most: 12, decided: true},
	}
}

// TestFitNet fits a net anew: the search plays games with itself from random openings, and a net is fitted
// to what it says, by Adam (Kingma and Ba 2015): the estimate to values, the order to choices. Every other position is
// followed by one after a random move among the twenty most promising, so that the net knows what search asks it. A
// tenth of the samples, the last, is kept apart; there the net must beat a guess that knows nothing.
func TestFitNet(t *testing.T) {
	with, ok := fittings(t)[*fitGame]
	if !ok {
		t.Fatalf("-game %s is not known", *fitGame)
	}
	kinds := mustState(t, with.board).net.alphabet
	data := readSamples(t, *fitSamples)
	var mu sync.Mutex
	var wg sync.WaitGroup
	end := time.Now().Add(*fitFor)
	for core := range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			x := mustSearcher(t, with.board, defaultTableBytes, Tuning{})
			r := rand.New(rand.NewPCG(*fitSeed, uint64(core)))
			for time.Now().Before(end) {
				list := playForSamples(t, x, with, r)
				mu.Lock()
				data = append(data, list...)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	writeSamples(t, *fitSamples, data)
	r := rand.New(rand.NewPCG(*fitSeed, 0))
	kept := len(data) * 9 / 10
	f := newFit(kinds, r)
	for epoch := range fitEpochs {
		f.pass(data[:kept], epoch, r)
	}
	loss, guess := f.loss(data[kept:])
	t.Logf("%d samples: loss %.5f on those kept apart, %.5f of the mean", len(data), loss, guess)
	if loss >= guess {
		t.Error("the net tells nothing")
	}
	if *fitFile != "" {
		if err := os.WriteFile(*fitFile, f.file(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// playForSamples plays one game and returns what there is to learn from it.
func playForSamples(t *testing.T, x *searcher, with fitting, r *rand.Rand) (list []sample) {
	p := x.p
	p.reset()
	side := sideX
	for marks := with.few + r.IntN(with.most-with.few+1); p.n-p.empty < marks && p.count[side][1] == 0; {
		if s := r.IntN(p.n); p.mark[s] == empty && p.central[s] >= with.central {
			p.play(side, s)
			side ^= 1
		}
	}
	search := func(side int) found {
		f := x.findMove(t.Context(), side, PlayerOptions{Nodes: *fitNodes}, r, nil)
		if must, _ := p.Completion(side ^ 1); must < 0 && (with.decided || !f.finally) {
			// Else nobody asks for an estimate.
			list = append(list, x.sampleOf(side, f))
		}
		return f
	}
	for p.empty > 1 && p.anyLineOpen() {
		if s, _ := p.Completion(side); s >= 0 {
			break
		}
		if s := x.randomPromisingMove(side, 20, r); r.IntN(2) == 0 {
			p.play(side, s)
			if won, _ := p.Completion(side ^ 1); won < 0 {
				search(side ^ 1)
			}
			p.undo(side, s)
		}
		f := search(side)
		if f.value >= wonBy || f.value <= -wonBy {
			break
		}
		p.play(side, f.square)
		side ^= 1
	}
	return list
}

// randomPromisingMove returns one of the most promising moves.
func (x *searcher) randomPromisingMove(side, most int, r *rand.Rand) int {
	x.moves = x.moves[:0]
	x.killers[0] = [2]uint16{noSquare, noSquare}
	x.appendScoredMoves(side, 0, noSquare, nil)
	slices.SortStableFunc(x.moves, func(a, b move) int { return int(b.score - a.score) })
	return int(x.moves[r.IntN(min(len(x.moves), most))].square)
}

// sampleOf returns the position as a sample, with what a search has found there.
func (x *searcher) sampleOf(side int, f found) sample {
	p := x.p
	p.updateKinds()
	s := sample{value: float32(f.meanOfLastTwoIterations()), chosen: noSquare}
	for q := range p.n {
		if pair := p.net.pairOf(p.kind[side][q], p.kind[side^1][q]); pair != 0 {
			if q == f.square {
				s.chosen = uint16(len(s.pair))
			}
			s.pair = append(s.pair, uint16(pair))
		}
	}
	return s
}

// readSamples returns what writeSamples wrote, nothing where there is no file.
func readSamples(t *testing.T, name string) (list []sample) {
	b, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for len(b) > 0 {
		s := sample{make([]uint16, binary.LittleEndian.Uint16(b)),
			math.Float32frombits(binary.LittleEndian.Uint32(b[2:])), binary.LittleEndian.Uint16(b[6:])}
		for i := range s.pair {
			s.pair[i] = binary.LittleEndian.Uint16(b[8+2*i:])
		}
		b, list = b[8+2*len(s.pair):], append(list, s)
	}
	return list
}

// writeSamples writes samples: of each the number of pairs, the value, the choice and the pairs, little-endian.
func writeSamples(t *testing.T, name string, list []sample) {
	if name == "" {
		return
	}
	var b []byte
	for _, s := range list {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(s.pair)))
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s.value))
		b = binary.LittleEndian.AppendUint16(b, s.chosen)
		for _, pair := range s.pair {
			b = binary.LittleEndian.AppendUint16(b, pair)
		}
	}
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Of the fit: passes over the samples, samples a step, the longest step, and by how much of a step weights shrink.
const (
	fitEpochs = 16
	fitBatch  = 64
	fitRate   = 0.002
	fitDecay  = 0.08
)

// weights are numbers with the moments of their gradients.
type weights struct{ w, grad, mean, square []float64 }

func newWeights(n int) weights {
	return weights{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
}

// step moves weight i against its gradient.
func (p weights) step(i int, rate float64) {
	g := p.grad[i]
	p.grad[i] = 0
	p.mean[i] += 0.1 * (g - p.mean[i])
	p.square[i] += 0.001 * (g*g - p.square[i])
	p.w[i] -= rate * (p.mean[i]/(math.Sqrt(p.square[i])+1e-6) + fitDecay*p.w[i])
}

// fit is a net in full numbers: one point of value is 1/200.
type fit struct {
	*alphabet
	number, vector, first, out, order weights
	onMove                            weights
	steps                             int
	sum, back                         [2 * netWidth]float64 // the sums of a position and their gradients
}

func newFit(a *alphabet, r *rand.Rand) *fit {
	pairs := a.kinds * a.kinds
	f := &fit{alphabet: a, number: newWeights(pairs), vector: newWeights(pairs * netWidth), first: newWeights(netWidth),
		out: newWeights(2 * netWidth), order: newWeights(pairs), onMove: newWeights(1)}
	for i := netWidth; i < len(f.vector.w); i++ { // pair 0 stays at nothing
		f.vector.w[i] = r.NormFloat64() * 0.02
	}
	for i := range f.first.w {
		f.first.w[i] = 0.3
	}
	for i := range f.out.w {
		f.out.w[i] = r.NormFloat64() * 0.1
	}
	return f
}

// swapped is the pair with the sides exchanged.
func (a *alphabet) swapped(pair uint16) int { return int(pair)%a.kinds*a.kinds + int(pair)/a.kinds }

// chance is the chance of the side to move by the net.
func (f *fit) chance(s sample) float64 {
	copy(f.sum[:netWidth], f.first.w)
	copy(f.sum[netWidth:], f.first.w)
	z := f.onMove.w[0]
	for _, pair := range s.pair {
		z += f.number.w[pair]
		own, other := f.vector.w[int(pair)*netWidth:][:netWidth], f.vector.w[f.swapped(pair)*netWidth:][:netWidth]
		for i := range own {
			f.sum[i] += own[i]
			f.sum[netWidth+i] += other[i]
		}
	}
	for i, v := range f.sum {
		z += min(max(v, 0), 1) * f.out.w[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// target is the chance that a search says.
func (s sample) target() float64 { return max(0.02, min(1/(1+math.Exp(-float64(s.value)/200)), 0.98)) }

// learn adds a sample to the gradients of cross entropy, and the weights that it touches to touched.
func (f *fit) learn(s sample, touched map[int]bool) {
	dz := (f.chance(s) - s.target()) / fitBatch
	f.onMove.grad[0] += dz
	for i, v := range f.sum {
		f.out.grad[i] += dz * min(max(v, 0), 1)
		if f.back[i] = dz * f.out.w[i]; v < 0 || v > 1 {
			f.back[i] *= 0.01 // what is cut learns a little, so that it can come back
		}
		f.first.grad[i%netWidth] += f.back[i]
	}
	most, total := math.Inf(-1), 0.0
	for _, pair := range s.pair {
		touched[int(pair)], touched[f.swapped(pair)] = true, true
		f.number.grad[pair] += dz
		own, other := f.vector.grad[int(pair)*netWidth:][:netWidth], f.vector.grad[f.swapped(pair)*netWidth:][:netWidth]
		for i := range own {
			own[i] += f.back[i]
			other[i] += f.back[netWidth+i]
		}
		most = max(most, f.order.w[pair])
	}
	if s.chosen == noSquare {
		return
	}
	for _, pair := range s.pair {
		total += math.Exp(f.order.w[pair] - most)
	}
	for _, pair := range s.pair {
		f.order.grad[pair] += math.Exp(f.order.w[pair]-most) / total / fitBatch
	}
	f.order.grad[s.pair[s.chosen]] -= 1.0 / fitBatch
}

// pass goes through the samples once, in any order, with steps that become shorter to the end of the last pass.
func (f *fit) pass(data []sample, epoch int, r *rand.Rand) {
	order := r.Perm(len(data))
	for at := 0; at < len(order); at += fitBatch {
		touched := map[int]bool{}
		for _, i := range order[at:min(at+fitBatch, len(order))] {
			f.learn(data[i], touched)
		}
		done := (float64(epoch) + float64(at)/float64(len(order))) / fitEpochs
		rate := fitRate * (1 + math.Cos(math.Pi*done)) / 2
		for pair := range touched {
			f.number.step(pair, 2*rate)
			f.order.step(pair, 10*rate)
			for i := range netWidth {
				f.vector.step(pair*netWidth+i, rate)
			}
		}
		for _, dense := range []weights{f.first, f.out, f.onMove} {
			for i := range dense.w {
				dense.step(i, rate)
			}
		}
	}
}

// loss returns the mean squares by which chances of the net, and their mean, miss what searches say.
func (f *fit) loss(data []sample) (loss, guess float64) {
	mean := 0.0
	for _, s := range data {
		mean += s.target() / float64(len(data))
	}
	for _, s := range data {
		loss += math.Pow(f.chance(s)-s.target(), 2) / float64(len(data))
		guess += math.Pow(s.target()-mean, 2) / float64(len(data))
	}
	return loss, guess
}

// file returns the net as readNet reads it.
func (f *fit) file() (b []byte) {
	add := func(scale float64, numbers ...float64) {
		for _, w := range numbers {
			v := max(-math.MaxInt16, min(math.Round(w*scale), math.MaxInt16))
			b = binary.LittleEndian.AppendUint16(b, uint16(int16(v)))
		}
	}
	const points = 200 * netEighth
	for _, pair := range f.pairs {
		add(points, f.number.w[pair])
	}
	for _, pair := range f.pairs {
		add(netOne, f.vector.w[pair*netWidth:][:netWidth]...)
	}
	add(netOne, f.first.w...)
	add(points, f.out.w...)
	add(points, f.onMove.w...)
	for _, pair := range f.pairs {
		add(200, f.order.w[pair])
	}
	return b
}
