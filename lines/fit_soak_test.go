//go:build soak

package lines

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

var (
	fitGames = flag.Int("games", 3000, "games that weights are fitted to")
	fitNodes = flag.Uint64("nodes", 5000, "positions a move in them")
	fitFile  = flag.String("weights", "", "the file that the weights are written to; they are printed else")
)

// sample is a quiet position of a game, by the kinds of its free squares, and the chance of the side to move by a
// search.
type sample struct {
	count  map[int]float64 // squares of each kind for the side to move, and from kinds on for the other
	chance float64
}

// choice is the kinds of all squares, for the side to move and for the other, and which of them it chose.
type choice struct {
	own, other []uint8
	chosen     int
}

// TestFitWeights fits weights.go anew: it plays games of the search with itself on 15×15 from random openings, and fits
// by logistic regression (AdaGrad, one weight a kind) what a position is worth to what the search says of it, and the
// order of moves to its choices. A tenth of the samples is kept apart; there the fit must beat a guess that knows
// nothing but who is to move.
func TestFitWeights(t *testing.T) {
	x := mustSearcher(t, grid(15, 15, 5), defaultTableBytes, Tuning{})
	r := rand.New(rand.NewPCG(1, 1))
	var samples []sample
	var choices []choice
	for range *fitGames {
		s, c := fitGame(t, x, r)
		samples, choices = append(samples, s...), append(choices, c...)
	}
	worth, loss, guess := fitWorth(samples, r)
	order := fitOrder(choices, r)
	t.Logf("%d positions, %d choices: loss %.4f on those kept apart, %.4f without kinds", len(samples), len(choices),
		loss, guess)
	if loss >= guess {
		t.Error("kinds tell nothing")
	}
	var out strings.Builder
	fmt.Fprintf(&out, weightsHead, *fitGames, *fitNodes)
	fmt.Fprintf(&out, "const onMove = %.0f\n", worth[2*kinds]*200)
	for i, name := range []string{"mover", "waiter", "pull", "push"} {
		fmt.Fprintf(&out, "\nvar %s = [kinds]int32{", name)
		for k, w := range append(worth[:2*kinds:2*kinds], order...)[i*kinds : (i+1)*kinds] {
			if k%levels == 0 {
				out.WriteString("\n\t")
			} else {
				out.WriteByte(' ')
			}
			fmt.Fprintf(&out, "%.0f,", w*200)
		}
		out.WriteString("\n}\n")
	}
	if *fitFile == "" {
		t.Log(out.String())
	} else if err := os.WriteFile(*fitFile, []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

const weightsHead = `package lines

// What kinds are worth in an estimate, 200 for odds of e to one: of free squares for the side to move and for the
// side that waits, fitted to values of searches; and how early their squares are tried, for the own and the enemy's
// kind, fitted to choices in games. onMove is what being to move is worth. TestFitWeights (soak) writes this file, by
// -games %d -nodes %d.
`

// fitGame plays one game and returns what there is to learn from it.
func fitGame(t *testing.T, x *searcher, r *rand.Rand) (samples []sample, choices []choice) {
	p := x.p
	marks := map[int]int{}
	for len(marks) < 4+r.IntN(5) {
		if s := (3+r.IntN(9))*15 + 3 + r.IntN(9); marks[s] == 0 {
			marks[s] = 1 + len(marks)&1
		}
	}
	side := len(marks) & 1
	x.setPosition(func(s int) int { return (marks[s] + 2) % 3 })
	for ; p.empty > 0 && p.anyLineOpen(); side ^= 1 {
		if s, _ := p.Completion(side); s >= 0 {
			break
		}
		must, _ := p.Completion(side ^ 1)
		f := x.findMove(t.Context(), side, PlayerOptions{Nodes: *fitNodes}, r, nil)
		if p.updateDirtyPatternKinds(); must < 0 && !f.finally { // else nobody asks for an estimate
			chance := 1 / (1 + math.Exp(-float64(f.meanOfLastTwoIterations())/200))
			s, c := sample{map[int]float64{}, max(0.02, min(chance, 0.98))}, choice{chosen: -1}
			for q := range p.n {
				own, other := p.kind[side][q], p.kind[side^1][q]
				if p.mark[q] != empty || own|other == 0 {
					continue
				}
				s.count[int(own)]++
				s.count[kinds+int(other)]++
				if q == f.square {
					c.chosen = len(c.own)
				}
				c.own, c.other = append(c.own, own), append(c.other, other)
			}
			samples = append(samples, s)
			if c.chosen >= 0 {
				choices = append(choices, c)
			}
		}
		p.play(side, f.square)
	}
	return samples, choices
}

// descent is a weight vector with the sums of squares by which AdaGrad (Duchi, Hazan and Singer 2011) scales its steps.
type descent struct{ weights, squares []float64 }

func newDescent(n int) descent { return descent{make([]float64, n), make([]float64, n)} }

// step moves one weight against a gradient, which draws it to 0 a little too.
func (d descent) step(k int, gradient, rate float64) {
	gradient += 1e-4 * d.weights[k]
	d.squares[k] += gradient * gradient
	d.weights[k] -= rate * gradient / math.Sqrt(d.squares[k]+1e-6)
}

// fitWorth returns the weights of kinds for either side and of being to move, and what is lost on a tenth of the
// samples kept apart, by them and by the mean chance.
func fitWorth(samples []sample, r *rand.Rand) (weights []float64, loss, guess float64) {
	d := newDescent(2*kinds + 1)
	delta := func(s sample) float64 {
		z := d.weights[2*kinds]
		for k, n := range s.count {
			z += d.weights[k] * n
		}
		return 1/(1+math.Exp(-z)) - s.chance
	}
	for epoch := range 60 {
		for _, i := range r.Perm(len(samples)) {
			if i%10 == 0 {
				continue
			}
			by, rate := delta(samples[i]), 0.05
			if epoch > 40 {
				rate = 0.01
			}
			for k, n := range samples[i].count {
				if k%kinds != 0 {
					d.step(k, by*n, rate)
				}
			}
			d.step(2*kinds, by, rate)
		}
	}
	mean := 0.0
	for _, s := range samples {
		mean += s.chance / float64(len(samples))
	}
	for i := 0; i < len(samples); i += 10 {
		loss += math.Pow(delta(samples[i]), 2)
		guess += math.Pow(samples[i].chance-mean, 2)
	}
	return d.weights, loss, guess
}

// fitOrder returns the weights of kinds for either side by which the chosen moves are likely.
func fitOrder(choices []choice, r *rand.Rand) []float64 {
	d := newDescent(2 * kinds)
	for epoch := range 15 {
		for _, i := range r.Perm(len(choices)) {
			c := choices[i]
			likely, sum := make([]float64, len(c.own)), 0.0
			for k := range likely {
				likely[k] = math.Exp(d.weights[c.own[k]] + d.weights[kinds+int(c.other[k])])
				sum += likely[k]
			}
			gradient := [2 * kinds]float64{}
			for k := range likely {
				by := likely[k] / sum
				if k == c.chosen {
					by--
				}
				gradient[c.own[k]] += by
				gradient[kinds+int(c.other[k])] += by
			}
			for k, by := range gradient {
				if by != 0 {
					d.step(k, by, map[bool]float64{true: 0.02, false: 0.1}[epoch > 10])
				}
			}
		}
	}
	return d.weights
}
