//go:build soak

package eval

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"oxo"
	"oxo/games/ultimate"
	"oxo/search"
)

var growMost = flag.Bool("most", false, "let TestGrow grow the net of ultimate+most, from that of Ultimate")

var growDir = flag.String("grow", "",
	"the folder in which TestGrow grows the net of Ultimate; what is there already is not made again")

// stage is a generation: games that the last net plays with itself, and
// the net that learns from them and those of two generations before.
type stage struct {
	games, sims int
	trust       float64 // λ: how far what came after counts rather than what the search said
	epochs      int
}

// recipe is how ultimate.net is grown. The first games are played by random
// playouts.
var recipe = []stage{
	{10000, 300, 0.95, 6},
	{8000, 100, 0.8, 5},
	{10000, 150, 0.8, 5},
	{12000, 200, 0.8, 5},
	{12000, 300, 0.7, 5},
	{13000, 250, 0.7, 4},
	{24000, 500, 0.7, 8},
	{9000, 500, 0.7, 3},
	{14000, 800, 0.7, 12},
}

// mostRecipe is how most.net is grown, from ultimate.net.
var mostRecipe = []stage{
	{12000, 150, 0.95, 4},
	{12000, 250, 0.8, 4},
	{14000, 400, 0.7, 5},
}

// TestGrow grows a net: the whole recipe with -grow, else two small
// generations, which must learn something and come out the same again:
//
//	go test -tags soak -timeout 3h -run TestGrow ./eval -grow DIR
func TestGrow(t *testing.T) {
	if *growMost {
		net, err := ReadNet(bytes.NewReader(ultimateNet))
		if err != nil {
			t.Fatal(err)
		}
		grow(t, *growDir, ultimate.Most, net, mostRecipe)
		return
	}
	if *growDir != "" {
		grow(t, *growDir, 0, nil, recipe)
		return
	}
	small := []stage{{1500, 100, 0.95, 4}, {600, 50, 0.8, 4}}
	once := grow(t, t.TempDir(), 0, nil, small)
	if again := grow(t, t.TempDir(), 0, nil, small); !bytes.Equal(once, again) {
		t.Error("the same recipe gives another net")
	}
}

// grow carries out the stages, from net or from one that knows nothing where that
// is nil, and returns the last net. One game of twenty is
// held out to see what has been learned.
func grow(t *testing.T, dir string, rules ultimate.Rules, net *Net, stages []stage) []byte {
	t.Helper()
	var c *compiled // net made fast
	var data []byte
	var all [][]lesson // by stage; those of a game are together
	for i, s := range stages {
		path := filepath.Join(dir, fmt.Sprintf("%d.net", i))
		if net != nil {
			c = newCompiled(net)
		}
		known, err := os.ReadFile(path)
		if err == nil && (i+1 == len(stages) || exists(filepath.Join(dir, fmt.Sprintf("%d.net", i+1)))) && i+
			3 < len(stages) {
			all = append(all, nil)
		} else {
			all = append(all, playLessons(s, rules, c, uint64(i+1)))
		}
		if err == nil {
			data = known
		} else {
			r := rand.New(rand.NewPCG(uint64(i+1), 0))
			if net == nil {
				net = newNet(r)
			}
			var taught, held []lesson
			for _, lessons := range all[max(0, i-2):] {
				cut := len(lessons) / 20
				held = append(held, lessons[:cut]...)
				taught = append(taught, lessons[cut:]...)
			}
			school := newSchool(net)
			loss := school.teach(taught, s.epochs, 0.003, r)
			check := school.loss(held)
			t.Logf("generation %d: %d positions, loss %.4f, of those held out %.4f", i, len(taught), loss, check)
			if !(check < math.Ln2+drawWeight*math.Log(3)-0.005) {
				t.Errorf("generation %d: a loss of %v is that of a coin", i, check)
			}
			var file bytes.Buffer
			if err := net.Write(&file); err != nil {
				t.Fatal(err)
			}
			data = file.Bytes()
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if net, err = ReadNet(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// playLessons plays the games of a stage, on all cores; each has a seed of its
// own.
func playLessons(s stage, rules ultimate.Rules, net *compiled, seed uint64) []lesson {
	games := make([][]lesson, s.games)
	const players = 2
	var wait sync.WaitGroup
	for w := range players {
		wait.Go(func() {
			shelf := newShelf()
			for i := w; i < len(games); i += players {
				games[i] = playLesson(shelf, s, rules, net, rand.New(rand.NewPCG(seed, uint64(i))))
			}
		})
	}
	wait.Wait()
	return slices.Concat(games...)
}

// playLesson plays a game: up to eleven random moves, then what a short search
// says, but for one move of twelve, which is random again.
//
// What a position is worth follows from the end by TD(λ): it is partly what the
// search said of it and partly what the position after it was worth, unless a
// random move led there. So does how likely it is drawn, of which the search
// says nothing, but the net does.
func playLesson(shelf *shelf, s stage, rules ultimate.Rules, net *compiled, r *rand.Rand) []lesson {
	g := ultimate.New(rules)
	var judge Named[ultimate.Pos]
	if net != nil {
		judge = netEvaluation(func() *compiled { return net }, 0)
	}
	p := g.Start
	for range r.IntN(12) {
		if q := p.Play(anyMove(p, r)); q.Outcome() == oxo.Ongoing {
			p = q
		}
	}
	var lessons []lesson
	var values []float64 // to First, by the search
	var draws []float64  // how likely, by the net
	var turns []oxo.Seat
	var random []bool // whether the move was
	end := 0.0
	for {
		if out := p.Outcome(); out != oxo.Ongoing {
			end = float64(out.Value(oxo.First))
			break
		}
		o := search.Options[ultimate.Pos]{Eval: judge.Judge, EvalAll: judge.JudgeAll}
		o.Sims, o.Seed, o.TreeBytes = s.sims, r.Uint64(), 16<<20
		found, err := search.Search(context.Background(), g, p, search.MCTS, o)
		if err != nil {
			panic(err) // the options are our own
		}
		lessons = append(lessons, newLesson(shelf, p))
		if net != nil {
			draws = append(draws, net.judge(p, 1)-net.judge(p, 0))
		}
		values, turns, random = append(values, found.Value), append(turns, p.Turn()), append(random, r.IntN(12) == 0)
		if found.Exact() {
			end = found.Value
			break
		}
		m := found.Move
		if random[len(random)-1] {
			m = anyMove(p, r)
		}
		p = p.Play(m)
	}
	next, draw := end, 1-math.Abs(end)
	for i := len(lessons) - 1; i >= 0; i-- {
		trust := s.trust
		if random[i] {
			trust = 0
		}
		next = (1-trust)*values[i] + trust*next
		if net != nil {
			draw = (1-trust)*draws[i] + trust*draw
		}
		v, d := next, min(draw, 1-math.Abs(next))
		if turns[i] == oxo.Second {
			v = -v
		}
		lessons[i].win, lessons[i].loss = float32((1+v-d)/2), float32((1-v-d)/2)
	}
	return lessons
}

func anyMove(p ultimate.Pos, r *rand.Rand) oxo.Move {
	moves := p.Moves(nil)
	return moves[r.IntN(len(moves))]
}

func newLesson(s *shelf, p ultimate.Pos) lesson {
	n := seenByMover(p)
	x := lesson{here: n.here, any: n.any}
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
