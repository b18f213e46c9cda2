// Package spsa tunes constants by trials between players: simultaneous perturbation stochastic
// approximation.
//
// In each iteration some trials move all constants a step up or down at random, the player
// with them plays the one with the opposite steps, and the constants move towards the winners
// (J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
// gradient approximation", 1992). The gains fall as Spall advises (1998): by k^0.602 and
// k^0.101.
package spsa

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
)

// Constant is a number to tune.
type Constant struct {
	Name  string  `json:"name"`
	Start float64 `json:"start"`
	Min   float64 `json:"min"`
	Max   float64 `json:"max"`
	Step  float64 `json:"step"` // how far trials go up and down at first; 0 for a tenth of the range

	// Whole says that the constant takes whole numbers alone: trials and the result are
	// rounded to such.
	Whole bool `json:"whole,omitempty"`
}

// FillAndCheck fills in the step and refuses a constant that makes no sense.
func (c *Constant) FillAndCheck() error {
	c.Step = cmp.Or(c.Step, (c.Max-c.Min)/10)
	switch {
	case !(c.Min < c.Max) || math.IsInf(c.Max-c.Min, 0):
		return fmt.Errorf("constant %q: it lies between %g and %g; give a smaller and a larger number", c.Name, c.Min,
			c.Max)
	case !(c.Min <= c.Start && c.Start <= c.Max):
		return fmt.Errorf("constant %q: its start %g does not lie between %g and %g", c.Name, c.Start, c.Min, c.Max)
	case !(0 < c.Step && c.Step <= c.Max-c.Min):
		return fmt.Errorf("constant %q: a step of %g", c.Name, c.Step)
	}
	return nil
}

// leastWhole is the least step of a constant of whole numbers: with less both sides of a trial
// may come to the same number.
const leastWhole = 0.75

// SetWhole lets a constant take whole numbers alone.
func (c *Constant) SetWhole() {
	c.Whole = true
	c.Min, c.Max, c.Step = math.Ceil(c.Min), math.Floor(c.Max), max(c.Step, leastWhole)
}

func (c *Constant) clamp(x float64) float64 { return min(max(x, c.Min), c.Max) }

// nearestAllowed returns the value nearest to x that the constant may have.
func (c *Constant) nearestAllowed(x float64) float64 {
	if c.Whole {
		x = math.Round(x)
	}
	return c.clamp(x)
}

// Tuning is how constants are tuned.
type Tuning struct {
	Constants  []Constant
	Iterations int
	Trials     int     // in an iteration
	Rate       float64 // how many steps a trial won by all games moves a constant at first
	Seed       uint64
}

// Start returns the constants at the start.
func (t *Tuning) Start() []float64 {
	at := make([]float64, len(t.Constants))
	for i, c := range t.Constants {
		at[i] = c.Start
	}
	return at
}

// DrawDirections returns the directions of a trial, each 1 up or −1 down, and a seed for its games.
func (t *Tuning) DrawDirections(iteration, trial int) (directions []float64, gamesSeed uint64) {
	r := rand.New(rand.NewPCG(t.Seed, uint64(iteration)<<32|uint64(trial)))
	directions = make([]float64, len(t.Constants))
	for i := range directions {
		directions[i] = float64(r.IntN(2))*2 - 1
	}
	return directions, r.Uint64()
}

// TrialConstants returns the two sets of constants that play each other in a trial from at.
func (t *Tuning) TrialConstants(at []float64, iteration, trial int) (one, other []float64) {
	steps, _ := t.DrawDirections(iteration, trial)
	for i, c := range t.Constants {
		width := c.Step * perturbation(iteration)
		if c.Whole {
			width = max(width, leastWhole)
		}
		width *= steps[i]
		one = append(one, c.nearestAllowed(at[i]+width))
		other = append(other, c.nearestAllowed(at[i]-width))
	}
	return one, other
}

// perturbation is Spall's c_k over c, and gain his a_k over a with the stability
// constant a tenth of the iterations.
func perturbation(k int) float64 { return math.Pow(float64(k+1), -0.101) }

// gain returns the size of step k beside that of the first: it falls with the exponent 0.602 of
// Spall (IEEE Transactions on Aerospace and Electronic Systems 34, 1998), after a tenth of the
// iterations.
func (t *Tuning) gain(k int) float64 {
	steady := 0.1 * float64(t.Iterations)
	return math.Pow((1+steady)/(1+steady+float64(k)), 0.602)
}

// UpdatedConstants returns the constants after an iteration from at, in which the first set of each trial
// won so much: from −1, all games lost, to 1.
func (t *Tuning) UpdatedConstants(at []float64, iteration int, won []float64) []float64 {
	move := make([]float64, len(at))
	for trial, w := range won {
		steps, _ := t.DrawDirections(iteration, trial)
		for i := range move {
			move[i] += w * steps[i] / float64(len(won))
		}
	}
	after := make([]float64, len(at))
	for i, c := range t.Constants {
		after[i] = c.clamp(at[i] + t.Rate*t.gain(iteration)/perturbation(iteration)*c.Step*move[i])
	}
	return after
}

// MeanOfLastQuarter returns the mean of the last quarter of the path, which is less noisy than its end
// (Polyak and Juditsky 1992).
func (t *Tuning) MeanOfLastQuarter(path [][]float64) []float64 {
	last := path[len(path)-(len(path)+3)/4:]
	mean := make([]float64, len(t.Constants))
	for _, at := range last {
		for i, x := range at {
			mean[i] += x / float64(len(last))
		}
	}
	for i, c := range t.Constants {
		mean[i] = c.nearestAllowed(mean[i])
	}
	return mean
}
