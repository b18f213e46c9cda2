package typed

import (
	"testing"

	"oxo"
	"oxo/arena"
	"oxo/judge"
	"oxo/lab/internal/game"
)

// reviewGames has the judge review so many games of a kind between players, and compares what it
// says of their last plies with the truth, where that is soon found: no move that keeps the worth
// is a certain mistake. It counts the moves that lose something for certain, and those of them that
// the review found.
func reviewGames(t *testing.T, spec string, games int, nodes uint64) reviewCount {
	g := openKind(t, spec)
	var n reviewCount
	for seed := range games {
		pair := [][2]string{{"level:2", "random"}, {"random", "level:3"}, {"level:2", "level:2"}}[seed%3]
		s, err := g.NewSession(game.SessionOptions{First: pair[0], Second: pair[1], Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		for !s.Over() && len(s.Record().Moves) < 300 {
			if _, err := s.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		record := s.Record()
		r, err := g.Judging().ReviewGame(t.Context(), record, game.JudgeOptions{Nodes: nodes}, nil)
		if err != nil {
			t.Fatal(err)
		}
		n.games++
		g.(interface {
			compareReview(t *testing.T, record oxo.Record, r *game.Review, n *reviewCount)
		}).compareReview(t, record, r, &n)
	}
	t.Logf("| `%s` | %d | %d | %d | %d | %d of %d | %d |", spec, n.games, n.moves, n.unjudged, n.compared, n.found,
		n.lost, n.likely)
	return n
}

// reviewCount counts moves of games that were reviewed.
type reviewCount struct {
	games, moves, unjudged int
	compared               int // moves compared with the truth
	lost, found            int // moves that lose something, and those that the review says certainly do
	likely                 int // moves that keep all and are called likely mistakes
}

// compared is how many plies of the end of a game are compared with the truth.
const compared = 12

func (f typedGame[P]) compareReview(t *testing.T, record oxo.Record, r *game.Review, n *reviewCount) {
	positions, _, err := arena.Replay(f.b.Game, &arena.Sheet{Record: record})
	if err != nil {
		t.Fatal(err)
	}
	words := f.b.Words.With(judge.Words())
	checkSaid(t, words, r)
	var truth func(P) (float64, bool)
	for i := range r.Moves {
		j := &r.Moves[i]
		checkSaid(t, words, j)
		n.moves++
		if !j.Certain {
			n.unjudged++
		}
		if i < len(r.Moves)-compared || positions[i].Turn() == oxo.Chance {
			continue
		}
		if truth == nil {
			if truth = f.truthFrom(t, positions[i]); truth == nil {
				continue
			}
		}
		before, known := truth(positions[i])
		after, also := truth(positions[i+1])
		if !known || !also {
			truth = nil
			continue
		}
		n.compared++
		lost := positions[i].Turn().Score(after) < positions[i].Turn().Score(before)-1e-9
		if lost {
			n.lost++
		}
		switch {
		case j.Certain && j.Gave != lost:
			t.Errorf("%s %v: ply %d gave %v for certain, from %g to %g", f.b.Spec, record.Moves, j.Ply, j.Gave, before,
				after)
		case j.Certain && lost:
			n.found++
		case lost:
			t.Logf("%s: %s by ply %d lost something, from %g to %g: said %+v", f.b.Spec,
				f.b.Format(positions[i]), j.Ply, before, after, *j)
		case j.Gave && !lost:
			n.likely++
		}
	}
}

// TestReviewGames reviews some games of every kind: with little work nine of ten losses are found.
func TestReviewGames(t *testing.T) {
	t.Parallel()
	var all reviewCount
	for _, spec := range []string{"ttt", "ttt+wild", "ttt+misere", "ttt+order", "ttt+slip=0.2", "mnk:5,5,4",
		"mnk:4,4,3+notakto", "mnk:7,6,4+gravity", "torus:4,4,4", "cube:3,3", "plane:affine,4", "race:4", "ultimate",
		"meta"} {
		t.Run(spec, func(t *testing.T) {
			n := reviewGames(t, spec, 3, 1000)
			all.found, all.lost = all.found+n.found, all.lost+n.lost
		})
	}
	if t.Logf("%d of %d moves that lose something were found", all.found, all.lost); all.found*10 < all.lost*9 {
		t.Error("which are too few")
	}
}
