package typed

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/games/ultimate"
	"oxo/search"
)

// TestReviewByProof compares what is said of the last moves of random games that
// are too large to solve with alpha-beta, and checks that the first ones are not
// taken for settled.
// TestReviewEnds: a review that is called off is none.
func TestReviewEnds(t *testing.T) {
	g, err := (&Lab{}).Game("mnk:9,9,5")
	if err != nil {
		t.Fatal(err)
	}
	s := &arena.Sheet{Record: oxo.Record{Game: "mnk:9,9,5", Moves: []string{"e5", "b8", "e4"}, Result: "*"}}
	off, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	if list, err := g.Records().Review(off, s, time.Hour); !errors.Is(err, context.DeadlineExceeded) || len(list) != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestReviewByProof(t *testing.T) {
	g, err := (&Lab{}).Game("ultimate")
	if err != nil {
		t.Fatal(err)
	}
	b := g.(*bound[ultimate.Pos])
	if j, ok := (records[ultimate.Pos]{b}).byProof(t.Context(), b.Start, 20*time.Millisecond); ok {
		t.Errorf("the start is settled: %+v", j)
	}
	r := rand.New(rand.NewPCG(1, 2))
	gave := 0
	for range 5 {
		positions, moves := []ultimate.Pos{b.Start}, []oxo.Move{}
		for p := b.Start; p.Outcome() == oxo.Ongoing; positions = append(positions, p) {
			legal := p.Moves(nil)
			moves = append(moves, legal[r.IntN(len(legal))])
			p = p.Play(moves[len(moves)-1])
		}
		for i := len(moves) - 10; i < len(moves); i++ {
			p, next := positions[i], positions[i+1]
			// So much time that a slow machine makes no difference.
			before, err := (records[ultimate.Pos]{b}).estimate(t.Context(), p, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			after, err := (records[ultimate.Pos]{b}).estimate(t.Context(), next, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				p ultimate.Pos
				j judged
			}{{p, before}, {next, after}} {
				want, err := search.Search(context.Background(), b.Game, c.p, search.AlphaBeta, search.Options[ultimate.Pos]{Memory: search.Everything})
				if err != nil {
					t.Fatal(err)
				}
				if !c.j.exact || c.j.worth != want.Value || c.j.value != leaning(want.Value) {
					t.Errorf("%s: %+v, want %v", b.Format(c.p), c.j, want.Value)
				}
			}
			if (records[ultimate.Pos]{b}).gave(p.Turn(), before, after) {
				if gave++; len(before.best) != 1 || before.best[0] == b.FormatMove(p, moves[i]) {
					t.Errorf("%s: better than %s is %v", b.Format(p), b.FormatMove(p, moves[i]), before.best)
				}
			}
		}
	}
	if gave == 0 {
		t.Error("no random move gave anything away")
	}
}
