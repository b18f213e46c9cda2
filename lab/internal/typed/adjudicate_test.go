package typed

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"oxo"
	"oxo/arena"
	"oxo/lab/internal/game"
)

// adjudicated are games in which a position of a random game is often decided before its end.
var adjudicated = []string{"ttt", "mnk:4,4,4+misere", "mnk:5,5,4", "mnk:15,15,5", "mnk:5,5,4+maker", "ttt+wild",
	"mnk:5,5,4+order", "mnk:7,6,4+gravity", "torus:5,5,4", "cube:3,3", "qubic", "ultimate", "race:5"}

// TestAdjudicator: what ends a game of a match is so, as far as enumeration or alpha-beta can tell,
// and depends on the position alone.
func TestAdjudicator(t *testing.T) {
	for _, spec := range adjudicated {
		g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			g.(interface{ compareAdjudication(t *testing.T) }).compareAdjudication(t)
		})
	}
}

func (f typedGame[P]) compareAdjudication(t *testing.T) {
	b := f.b
	ask, err := contesting[P]{b}.adjudicateFunc()
	if err != nil {
		t.Fatal(err)
	}
	type answer struct {
		value oxo.Outcome
		known bool
	}
	var positions []P
	var answers []answer
	known, compared := 0, 0
	r := rand.New(rand.NewPCG(30, 7))
	for range 12 {
		p := wanderedTo(b.Game, r)
		var a answer
		if a.value, a.known = ask(p); a.known {
			known++
		}
		positions, answers = append(positions, p), append(answers, a)
		truth := f.truthFrom(t, p)
		if !a.known || truth == nil {
			continue
		}
		if v, ok := truth(p); ok {
			compared++
			if a.value != oxo.Value(v).Outcome(oxo.First) {
				t.Errorf("%s: %v, but it is worth %g", b.Format(p), a.value, v)
			}
		}
	}
	for i := len(positions) - 1; i >= 0; i-- {
		if v, ok := ask(positions[i]); ok != answers[i].known || ok && v != answers[i].value {
			t.Errorf("%s: %v %v, and before %+v", b.Format(positions[i]), v, ok, answers[i])
		}
	}
	if t.Logf("%d known, %d compared", known, compared); compared == 0 {
		t.Error("nothing could be compared")
	}
}

// TestAdjudicatedMatch: with the same seed the same games are played, whatever was asked before, and
// they end sooner than without adjudication.
func TestAdjudicatedMatch(t *testing.T) {
	for _, spec := range []string{"mnk:7,7,5", "ultimate", "mnk:7,6,4+gravity"} {
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			first, plain := matchPlies(t, spec, true, false), matchPlies(t, spec, false, false)
			if again := matchPlies(t, spec, true, true); !reflect.DeepEqual(again, first) {
				t.Errorf("%v plies, then from the same seed %v", first, again)
			}
			sum := func(list []int) (all int) {
				for _, n := range list {
					all += n
				}
				return all
			}
			if sum(first) >= sum(plain) {
				t.Errorf("%v plies with adjudication, %v without", first, plain)
			}
		})
	}
}

// matchPlies plays a match and returns the length of each game. Before says that the judge of the game is
// asked about positions first.
func matchPlies(t *testing.T, spec string, adjudge, before bool) (plies []int) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	if before {
		g.(interface {
			askMany(t *testing.T, positions int, nodes uint64) asked
		}).askMany(t, 3, 500)
	}
	games, err := g.Contesting().NewContest(game.ContestOptions{Players: []string{"level:2", "random"}, Games: 4,
		Seed: 3, Adjudge: adjudge})
	if err != nil {
		t.Fatal(err)
	}
	journal := &arena.MemoryFile{}
	if _, err := games.Play(t.Context(), game.Range{}, journal, nil); err != nil {
		t.Fatal(err)
	}
	sheets, err := arena.JournalSheets(journal.Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sheets {
		plies = append(plies, len(s.Moves))
	}
	return plies
}
