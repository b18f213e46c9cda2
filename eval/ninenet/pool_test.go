package ninenet

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"oxo"
	"oxo/games/ultimate"
)

// playedOut returns the transcript of a random game, of which every second position is
// judged by how it ended.
func playedOut(g *oxo.Game[ultimate.Pos], r *rand.Rand) (t Transcript, positions []ultimate.Pos) {
	var moves []byte
	p := g.Start
	for p.Outcome() == oxo.Ongoing {
		positions = append(positions, p)
		m := p.Moves(nil)[r.IntN(len(p.Moves(nil)))]
		moves = append(moves, byte(m))
		p = p.Play(m)
	}
	t = NewTranscript(g.Format(g.Start), len(moves))
	copy(t.Moves, moves)
	for i := 0; i < len(moves); i += 2 {
		v := float64(p.Outcome().Value(positions[i].Turn()))
		t.Judge(i, 0.9*v, 0.1)
	}
	return t, positions
}

// TestPoolLessons checks that the examples of a game are its judged positions, as likely won
// and lost as was said but for a 254th.
func TestPoolLessons(t *testing.T) {
	for _, rules := range []ultimate.Rules{0, ultimate.Most, ultimate.Open} {
		g, s := ultimate.New(rules), NewNetTrainer(new(Net))
		game, positions := playedOut(g, rand.New(rand.NewPCG(1, uint64(rules))))
		examples, err := NewPool(g, s).Add(game)
		if err != nil || len(examples) != (len(positions)+1)/2 {
			t.Fatalf("%d examples of %d positions: %v", len(examples), len(positions), err)
		}
		for k, x := range examples {
			p := positions[2*k]
			want := s.NewExample(p, float64(x.win), float64(x.loss))
			if x != want {
				t.Errorf("%s is kept as %v, want %v", g.Format(p), x, want)
			}
			worth := float64(x.win - x.loss)
			if draw := 1 - float64(x.win+x.loss); math.Abs(math.Abs(worth)-0.9) > 1./certain && worth != 0 ||
				math.Abs(draw-0.1) > 1./certain {
				t.Errorf("%s is worth %v and drawn with %v", g.Format(p), worth, draw)
			}
		}
	}
}

// TestTranscriptRounds checks that whatever a position is worth and however likely it is
// drawn, the transcript is one that a pool takes, and says it to a 254th.
func TestTranscriptRounds(t *testing.T) {
	g := ultimate.New(0)
	pool := NewPool(g, NewNetTrainer(new(Net)))
	r := rand.New(rand.NewPCG(2, 3))
	for range 3000 {
		worth := 2*r.Float64() - 1
		if r.IntN(8) == 0 {
			worth = math.Round(worth)
		}
		draw := (1 - math.Abs(worth)) * r.Float64()
		x := NewTranscript(g.Format(g.Start), 1)
		x.Judge(0, worth, draw)
		examples, err := pool.Add(x)
		if err != nil {
			t.Fatalf("worth %v, drawn %v: %v", worth, draw, err)
		}
		if got := float64(examples[0].win - examples[0].loss); math.Abs(got-worth) > 1./certain {
			t.Fatalf("worth %v is kept as %v", worth, got)
		}
	}
}

// TestPoolForgets checks that a pool holds the last games, whole.
func TestPoolForgets(t *testing.T) {
	g := ultimate.New(0)
	p := NewPool(g, NewNetTrainer(new(Net)))
	r := rand.New(rand.NewPCG(4, 5))
	game, _ := playedOut(g, r)
	added := 0
	for added <= mostExamples {
		own, err := p.Add(game)
		if err != nil {
			t.Fatal(err)
		}
		added += len(own)
	}
	last, _ := playedOut(g, r)
	if _, err := p.Add(last); err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, x := range p.Games() {
		for _, w := range x.Win {
			if w != unknown {
				judged++
			}
		}
	}
	if judged != len(p.Examples) || judged > mostExamples || judged < mostExamples*3/4 {
		t.Errorf("%d positions in the games, %d examples", judged, len(p.Examples))
	}
	if games := p.Games(); !reflect.DeepEqual(games[len(games)-1], last) {
		t.Error("the last game is not kept")
	}
}

// TestPoolLoad checks that games come back from text with their examples, and that what is no
// game is refused.
func TestPoolLoad(t *testing.T) {
	g, s := ultimate.New(ultimate.Open), NewNetTrainer(new(Net))
	p, r := NewPool(g, s), rand.New(rand.NewPCG(6, 7))
	for range 3 {
		game, _ := playedOut(g, r)
		if _, err := p.Add(game); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(p.Games())
	if err != nil {
		t.Fatal(err)
	}
	read := func() (games []Transcript) {
		if err := json.Unmarshal(data, &games); err != nil {
			t.Fatal(err)
		}
		return games
	}
	again := NewPool(g, s)
	if err := again.ReplaceGames(read()); err != nil || !reflect.DeepEqual(again.Examples, p.Examples) {
		t.Errorf("the games come back with other examples: %v", err)
	}
	for name, spoil := range map[string]func(x *Transcript){
		"no start":          func(x *Transcript) { x.Start = "nowhere" },
		"a move twice":      func(x *Transcript) { x.Moves[1] = x.Moves[0] },
		"a move nowhere":    func(x *Transcript) { x.Moves[0] = 200 },
		"one move too many": func(x *Transcript) { x.Moves = append(x.Moves, 0) },
		"a loss too few":    func(x *Transcript) { x.Loss = x.Loss[1:] },
		"won and lost":      func(x *Transcript) { x.Win[0], x.Loss[0] = certain, certain },
		"moves after the end": func(x *Transcript) {
			x.Moves, x.Win, x.Loss = twice(x.Moves), twice(x.Win), twice(x.Loss)
		},
	} {
		games := read()
		spoil(&games[1])
		if again.ReplaceGames(games) == nil {
			t.Errorf("%s: a game is accepted", name)
		}
	}
}

func twice(list []byte) []byte { return append(list, list...) }

// TestSchoolFair checks that a net that has learned judges positions of one class, and those
// of either side, alike.
func TestSchoolFair(t *testing.T) {
	net := NewRandomNet(rand.New(rand.NewPCG(8, 9)))
	s, r := NewNetTrainer(net), rand.New(rand.NewPCG(1, 1))
	examples := someExamples(s, 30)
	for range 5 {
		s.TrainStep(examples, 40, 0.003, r)
	}
	fast := Compile(net)
	walk(3, func(g *oxo.Game[ultimate.Pos], p ultimate.Pos) {
		if plain, quick := net.Judge(p, 0), fast.Judge(p, 0); math.Abs(plain-quick) > 0.02 {
			t.Fatalf("%s is worth %v plainly, %v fast", g.Format(p), plain, quick)
		}
		if v, class := fast.Judge(p, 0), fast.Judge(g.Representative(p), 0); v != class {
			t.Fatalf("%s is worth %v, its class %v", g.Format(p), v, class)
		}
	})
}

// FuzzPoolLoad checks that a pool takes any text as games or refuses it, and that what it
// takes can be learned from.
func FuzzPoolLoad(f *testing.F) {
	g, s := ultimate.New(0), NewNetTrainer(NewRandomNet(rand.New(rand.NewPCG(1, 2))))
	game, _ := playedOut(g, rand.New(rand.NewPCG(3, 4)))
	data, err := json.Marshal([]Transcript{game})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`[{"start": "", "moves": "AAAA", "win": "AAAA", "loss": "AAAA"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var games []Transcript
		p := NewPool(g, s)
		if json.Unmarshal(data, &games) != nil || p.ReplaceGames(games) != nil || len(p.Examples) == 0 {
			return
		}
		if loss := s.MeanLoss(p.Examples); !(loss >= 0 && loss < math.Inf(1)) {
			t.Errorf("a loss of %v", loss)
		}
	})
}
