package ninenet

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"oxo"
	"oxo/games/ultimate"
)

// someExamples returns examples that random games end as they do.
func someExamples(s *NetTrainer, games int) (examples []Example) {
	var game []ultimate.Pos
	r := rand.New(rand.NewPCG(5, 6))
	for i := range games {
		game = game[:0]
		p := ultimate.New([]ultimate.Rules{0, ultimate.Most, ultimate.Open}[i%3]).Start
		for ; p.Outcome() == oxo.Ongoing; p = p.Play(p.Moves(nil)[r.IntN(len(p.Moves(nil)))]) {
			game = append(game, p)
		}
		for _, q := range game {
			v := float64(p.Outcome().Value(q.Turn()))
			examples = append(examples, s.NewExample(q, (1+v)/2*0.9, (1-v)/2*0.9))
		}
	}
	return examples
}

// TestSchoolGradientSequential compares the gradient of the loss with differences; and a trainer sees positions as its
// net does. Where a unit is about to fall silent there is
// no gradient, so that a few may be off.
func TestSchoolGradientSequential(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	net := NewRandomNet(r)
	s := NewNetTrainer(net)
	examples := someExamples(s, 3)
	x := &examples[len(examples)/2]
	s.rows.computeContributions(&net.Rows)
	grad := &s.grads[0]
	s.lossAndGradient(x, grad)
	s.rows.backpropagateToWeights(&net.Rows, &grad.Rows, &grad.rows)
	p := ultimate.New(0).Start.Play(40).Play(36)
	plain, shown := seenByMover(p), s.NewExample(p, 0, 0)
	if got := s.nineBoardsOf(&shown); *got != plain {
		t.Errorf("a trainer sees %v, its net %v", got, plain)
	}
	const by = 1e-3
	var apart []float64
	for _, i := range r.Perm(len(s.weights))[:1200] {
		if *s.parts[0][i] == 0 && i%20 != 0 {
			continue
		}
		was := *s.weights[i]
		var loss [2]float64
		for k, d := range []float32{-by, by} {
			*s.weights[i] = was + d
			loss[k] = s.MeanLoss(examples[len(examples)/2 : len(examples)/2+1])
		}
		*s.weights[i] = was
		apart = append(apart, math.Abs((loss[1]-loss[0])/(2*by)-float64(*s.parts[0][i])))
	}
	slices.Sort(apart)
	if k := len(apart) * 95 / 100; len(apart) < 200 || apart[k] > 1e-3 {
		t.Errorf("one of twenty of %d gradients is %v from the differences", len(apart), apart[k])
	}
}

// TestSchoolLearns checks that a trainer's loss on games that it has not learned from falls
// below that of a coin, and that what is saved goes on to the same net.
func TestSchoolLearns(t *testing.T) {
	once, r := NewNetTrainer(NewRandomNet(rand.New(rand.NewPCG(1, 2)))), rand.New(rand.NewPCG(3, 4))
	examples := someExamples(once, 120)
	held, taught := examples[:len(examples)/5], examples[len(examples)/5:]
	before := once.MeanLoss(held)
	for range 40 {
		once.TrainStep(taught, 40, 0.003, r)
	}
	if after := once.MeanLoss(held); !(after < before-0.05) {
		t.Errorf("a loss of %v became %v", before, after)
	}
	again := NewNetTrainer(new(Net))
	if err := again.Restore(once.Save()); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*NetTrainer{once, again} {
		s.TrainStep(taught, 40, 0.003, rand.New(rand.NewPCG(7, 8)))
	}
	if !reflect.DeepEqual(once.Save(), again.Save()) {
		t.Error("a trainer that was saved learns otherwise")
	}
	saved := once.Save()
	saved.Mean = saved.Mean[4:]
	if err := again.Restore(saved); err == nil {
		t.Error("a trainer without all its means is accepted")
	}
	for i := range 4 {
		saved.Square[i] = 0xFF
	}
	saved.Mean = once.Save().Mean
	if err := again.Restore(saved); err == nil {
		t.Error("a trainer with a mean that is no number is accepted")
	}
}

// TestSchoolLoss compares the loss of examples with that worked out from what the net says of
// their positions, and checks that what knows nothing has the loss that is said of it.
func TestSchoolLoss(t *testing.T) {
	shipped, err := ReadNet(bytes.NewReader(ultimateNet))
	if err != nil {
		t.Fatal(err)
	}
	s, knowsNothing := NewNetTrainer(shipped), NewNetTrainer(new(Net))
	cross := func(target, p float64) float64 { return -target * math.Log(p) }
	r := rand.New(rand.NewPCG(2, 2))
	walk(2, func(g *oxo.Game[ultimate.Pos], p ultimate.Pos) {
		win := r.Float64()
		loss := (1 - win) * r.Float64()
		n := seenByMover(p)
		a, b := shipped.logOdds(&n)
		all := math.Exp(a) + math.Exp(b) + 1
		w, l := math.Exp(a)/all, math.Exp(b)/all
		target, worth := (1+win-loss)/2, (1+w-l)/2
		want := cross(target, worth) + cross(1-target, 1-worth) +
			drawWeight*(cross(win, w)+cross(loss, l)+cross(1-win-loss, 1/all))
		examples := []Example{s.NewExample(p, win, loss)}
		if got := s.MeanLoss(examples); math.Abs(got-want) > 1e-3*(1+want) {
			t.Fatalf("%s: a loss of %v, want %v", g.Format(p), got, want)
		}
		if got := knowsNothing.MeanLoss(examples); math.Abs(got-Ignorant) > 1e-6 {
			t.Fatalf("%s: what knows nothing has a loss of %v, not %v", g.Format(p), got, Ignorant)
		}
	})
}
