package model

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"oxo"
	"oxo/eval/ninenet"
	"oxo/games/meta"
	"oxo/games/ultimate"
	"oxo/learn/space"
)

// builtNine returns the net of a game on nine boards that begins early to play its own games.
func builtNine(t *testing.T, s *space.Space) *nine {
	t.Helper()
	n := built(t, s, "net").Memory.(*nine)
	n.first, n.every = 60, 30
	return n
}

// playNine plays a game of a learner with itself.
func playNine(n *nine, r *rand.Rand) *Trace {
	s := n.space
	n.Snapshot()
	t := &Trace{Nodes: []space.Node{s.Start}, Learner: [2]bool{true, true}}
	for !s.Over(t.End()) {
		c := n.Choose(t.End(), r)
		t.Nodes, t.Choices = append(t.Nodes, s.Children(t.End())[c.Edge]), append(t.Choices, c)
	}
	t.Outcome, t.Worth = s.Outcome(t.End()), s.WorthTo(t.End(), oxo.First)
	return t
}

// TestNineLearns trains the net of each game on nine boards for a while: it must come to know
// more than nothing of games that it has not learned from, by games that it played itself at
// last, and what is saved must go on to the same net.
func TestNineLearns(t *testing.T) {
	for _, g := range []*oxo.Game[meta.Pos]{ultimate.New(0), ultimate.New(ultimate.Most | ultimate.Open), meta.New()} {
		s := space.NewLazyGraph(g).Space
		n, r := builtNine(t, s), rand.New(rand.NewPCG(3, 4))
		for range 110 {
			n.LearnGame(playNine(n, r), n)
		}
		if n.plays == nil || !(n.surprise < ninenet.Ignorant-0.01) {
			t.Errorf("%s: games surprise by %v, and they would what knows nothing by %v", g.Spec, n.surprise,
				ninenet.Ignorant)
		}
		if err := n.Check(); err != nil {
			t.Error(err)
		}
		data, err := json.Marshal(n.Save())
		if err != nil {
			t.Fatal(err)
		}
		again := builtNine(t, s)
		if err := again.Load(data); err != nil {
			t.Fatal(err)
		}
		for _, l := range []*nine{n, again} {
			r := rand.New(rand.NewPCG(5, 6))
			for range 2 {
				l.LearnGame(playNine(l, r), l)
			}
		}
		if !reflect.DeepEqual(n.Save(), again.Save()) {
			t.Errorf("%s: a learner that was saved learns otherwise", g.Spec)
		}
	}
}

// TestNineReturns checks by hand what the positions of a game should be judged to be: λ parts
// how it went on and the rest what the search said, but nothing of what came after a move that
// was tried out or a position whose worth was certain.
func TestNineReturns(t *testing.T) {
	s := space.NewLazyGraph(ultimate.New(0)).Space
	n := builtNine(t, s)
	n.lambda, n.plays = 0.5, ninenet.Learned()
	line := &Trace{Nodes: []space.Node{s.Start}, Worth: 1}
	for i, x := range []struct {
		worth, draw     float64
		exact, explores bool
	}{{0.4, 0, false, false}, {-0.2, 0, false, true}, {0, 0.5, false, false}, {1, 0, true, false},
		{0.1, 0, false, false}} {
		at := line.End()
		n.thought = append(n.thought, thought{at, x.worth, x.draw, x.exact})
		line.Nodes = append(line.Nodes, s.Children(at)[i])
		line.Choices = append(line.Choices, Choice{Edge: int32(i), Explores: x.explores, Leaf: space.None})
	}
	g := n.judgedTranscript(line)
	// To First, from the end: the last by half of 1 and of 0.1; the fourth is certain; the third
	// half of 1 and of 0; of what came after the second nothing counts; the first by half of -0.2 and of 0.4.
	for i, want := range []float64{0.1, -0.2, 0.5, 1, 0.55} {
		got := float64(int(g.Win[i])-int(g.Loss[i])) / 254 * space.Sign(s.Turn(line.Nodes[i]))
		if d := got - want; d > 0.005 || d < -0.005 {
			t.Errorf("position %d is worth %v, want %v", i+1, got, want)
		}
	}
	if draw := 1 - float64(int(g.Win[2])+int(g.Loss[2]))/254; draw < 0.24 || draw > 0.26 {
		t.Errorf("the third position is drawn with %v, want half of 0.5 and of 0", draw)
	}
	n.thought = n.thought[1:2] // the others are those of an opponent
	if g = n.judgedTranscript(line); g.Win[0] != 255 || g.Win[1] == 255 || g.Win[4] != 255 {
		t.Errorf("positions are judged that were not thought about: %v", g.Win)
	}
}

// TestNineRefuses checks options and brains that mean nothing on nine boards.
func TestNineRefuses(t *testing.T) {
	s := space.NewLazyGraph(ultimate.New(0)).Space
	for _, text := range []string{"net:layers=32", "net:tuples=lines", "net:epsilon=0.1,share=none"} {
		if err := spec(t, text).CheckLearnable(s); err == nil || !strings.Contains(err.Error(), "unknown option") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := spec(t, "net:eta=2,fall=100,lambda=0.5,epsilon=0.1").CheckLearnable(s); err != nil {
		t.Error(err)
	}
	n := built(t, s, "net").Memory
	saved, err := json.Marshal(n.Save())
	if err != nil || n.Load(saved) != nil {
		t.Fatalf("a brain that was saved is refused: %v", err)
	}
	for name, text := range map[string]string{
		"no net":  `{}`,
		"a word":  `{"school": "x"}`,
		"no list": `[]`,
		"games":   string(bytes.Replace(saved, []byte(`"games":0`), []byte(`"games":-1000000`), 1)),
	} {
		if n.Load(json.RawMessage(text)) == nil {
			t.Errorf("%s: a brain is accepted", name)
		}
	}
}

// TestNineDiverges checks that steps that are far too large are noticed, and by which option.
func TestNineDiverges(t *testing.T) {
	s := space.NewLazyGraph(ultimate.New(0)).Space
	n := built(t, s, "net:eta=1000").Memory.(*nine)
	r := rand.New(rand.NewPCG(7, 8))
	for range 400 {
		n.LearnGame(playNine(n, r), n)
		if err := n.Check(); err != nil {
			if !strings.Contains(err.Error(), "eta=1000") {
				t.Error(err)
			}
			return
		}
	}
	t.Error("steps a thousand times too large go unnoticed")
}
