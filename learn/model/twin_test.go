package model_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/learn"
	"oxo/learn/space"
)

// slowMenace is the slow twin of menace: boxes and beads in maps, looked up by
// position, as one would keep them on a shelf.
type slowMenace struct {
	g     *oxo.Game[board.Pos64]
	boxes map[board.Pos64]map[board.Pos64]int // class → class after the move → beads
}

func (m *slowMenace) box(p board.Pos64, ply int) map[board.Pos64]int {
	class := m.g.Representative(p)
	if m.boxes[class] == nil {
		m.boxes[class] = map[board.Pos64]int{}
		for _, move := range class.Moves(nil) {
			m.boxes[class][m.g.Representative(class.Play(move))] = 4 - ply/2
		}
	}
	return m.boxes[class]
}

// colours lists the classes that the box's beads lead to, in the order of the
// class representative's moves.
func (m *slowMenace) colours(p board.Pos64) []board.Pos64 {
	class := m.g.Representative(p)
	var list []board.Pos64
	seen := map[board.Pos64]bool{}
	for _, move := range class.Moves(nil) {
		if c := m.g.Representative(class.Play(move)); !seen[c] {
			seen[c] = true
			list = append(list, c)
		}
	}
	return list
}

// choose draws a bead; it returns no move where the box is empty.
func (m *slowMenace) choose(p board.Pos64, ply int, r *rand.Rand) oxo.Move {
	moves := p.Moves(nil)
	if len(moves) == 1 {
		return moves[0]
	}
	box := m.box(p, ply)
	total := 0
	for _, n := range box {
		total += n
	}
	if total == 0 {
		return oxo.NoMove
	}
	x := int(r.Uint64() >> 33 * uint64(total) >> 31)
	for _, c := range m.colours(p) {
		if x -= box[c]; x < 0 {
			for _, move := range moves {
				if m.g.Representative(p.Play(move)) == c {
					return move
				}
			}
		}
	}
	panic("no bead")
}

// TestMenaceTwin: after every game of 2,000 the boxes of both hold the same.
func TestMenaceTwin(t *testing.T) {
	a := ttt(t)
	random := learn.NewMixOpponent(a.Space, examiner(t, a).Random())
	fast, err := learn.New(a.Space, spec(t, "menace:as=michie"), learn.Plan{Against: "test"}, random, 7)
	if err != nil {
		t.Fatal(err)
	}
	slow := &slowMenace{a.Game, map[board.Pos64]map[board.Pos64]int{}}
	r := rand.New(rand.NewPCG(7, 3))
	for game := range 2000 {
		if err := fast.PlayAndLearn(context.Background()); err != nil {
			t.Fatal(err)
		}
		slow.play(t, a, oxo.Seat(game%2), random, r)
	}
	used := 0
	for _, shown := range fast.Show(1000).Boxes {
		p, err := a.Game.Parse(shown.Position)
		if err != nil {
			t.Fatal(err)
		}
		box := slow.boxes[p]
		if box == nil {
			continue
		}
		used++
		for k, c := range slow.colours(p) {
			if got := shown.Beads[k].Beads; got != box[c] {
				t.Fatalf("box %s colour %d: %d beads, the twin has %d", shown.Position, k, got, box[c])
			}
		}
	}
	if used < 100 {
		t.Errorf("only %d boxes were ever opened", used)
	}
}

// play plays and learns from one game.
func (m *slowMenace) play(t *testing.T, a *space.Graph[board.Pos64], seat oxo.Seat, opponent *learn.MixOpponent,
	r *rand.Rand) {
	type used struct{ box, colour board.Pos64 }
	var boxes []used
	p, outcome := m.g.Start, oxo.Ongoing
	for ply := 0; outcome == oxo.Ongoing; ply++ {
		moves := p.Moves(nil)
		if p.Turn() != seat {
			e, _ := opponent.Choose(node(t, a, p), r)
			p = p.Play(moves[e])
		} else {
			move := m.choose(p, ply, r)
			if move == oxo.NoMove {
				outcome = oxo.WinFor(seat.Other())
				break
			}
			if len(moves) > 1 {
				boxes = append(boxes, used{m.g.Representative(p), m.g.Representative(p.Play(move))})
			}
			p = p.Play(move)
		}
		outcome = p.Outcome()
	}
	change := map[oxo.Value]int{oxo.Win: 3, oxo.Draw: 1, oxo.Loss: -1}[outcome.Value(seat)]
	for _, u := range boxes {
		m.boxes[u.box][u.colour] = max(0, m.boxes[u.box][u.colour]+change)
	}
}

// TestTableTwin: the table learner against its slow twin, a map of positions.
func TestTableTwin(t *testing.T) {
	a := ttt(t)
	perfect := learn.NewMixOpponent(a.Space, space.UniformOverBest(a.Space))
	fast, err := learn.New(a.Space, spec(t, "table:epsilon=0.1,draw=0,learn=own,tries=learn,merge=none"),
		learn.Plan{Against: "test"}, perfect, 9)
	if err != nil {
		t.Fatal(err)
	}
	values := map[board.Pos64]float64{}
	r := rand.New(rand.NewPCG(9, 3))
	for game := range 3000 {
		if err := fast.PlayAndLearn(context.Background()); err != nil {
			t.Fatal(err)
		}
		seat := oxo.Seat(game % 2)
		var made []board.Pos64
		p := a.Game.Start
		for p.Outcome() == oxo.Ongoing {
			moves := p.Moves(nil)
			if p.Turn() != seat {
				e, _ := perfect.Choose(node(t, a, p), r)
				p = p.Play(moves[e])
				continue
			}
			p = slowGreedy(p, moves, values, r)
			made = append(made, p)
		}
		target := map[oxo.Value]float64{oxo.Win: 100, oxo.Draw: 0, oxo.Loss: -1000}[p.Outcome().Value(seat)]
		rate := 1.0
		for i := len(made) - 1; i >= 0; i-- {
			values[made[i]] = (1-rate)*values[made[i]] + rate*target
			rate /= 2
		}
	}
	maps.DeleteFunc(values, func(_ board.Pos64, v float64) bool { return v == 0 })
	learned := map[board.Pos64]float64{}
	for _, v := range fast.Show(a.Len()).Positions {
		p, err := a.Game.Parse(v.Position)
		if err != nil {
			t.Fatal(err)
		}
		learned[p] = v.Worth
	}
	if len(learned) < 500 || !maps.Equal(learned, values) {
		t.Errorf("%d values learned, the twin has %d, or they differ", len(learned), len(values))
	}
}

func slowGreedy(p board.Pos64, moves []oxo.Move, values map[board.Pos64]float64, r *rand.Rand) board.Pos64 {
	if r.Float64() < 0.1 {
		return p.Play(moves[r.IntN(len(moves))])
	}
	var best []board.Pos64
	for _, m := range moves {
		q := p.Play(m)
		if len(best) == 0 || values[q] > values[best[0]] {
			best = best[:0]
		} else if values[q] < values[best[0]] {
			continue
		}
		best = append(best, q)
	}
	if len(best) == 1 {
		return best[0]
	}
	return best[r.IntN(len(best))]
}
