package typed

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"oxo/lab/internal/game"
	"oxo/message"
)

// eachOffer opens every game that is offered by name.
func eachOffer(t testing.TB, visit func(spec string, g game.Game)) {
	t.Helper()
	l := &game.Lab{Kinds: BuiltInKinds()}
	for _, k := range l.ListKinds() {
		for _, o := range k.Offers {
			g, err := l.Game(o.Spec)
			if err != nil {
				t.Fatal(err)
			}
			visit(o.Spec, g)
		}
	}
}

// TestListingKeepsNothing: to say what learns a game, and against whom, solves and enumerates
// nothing of it, so that next to no memory is kept and little is asked for.
func TestListingKeepsNothing(t *testing.T) {
	const most, mostKept = 100 << 20, 256 << 10 // bytes; an enumeration of 3 in a row on 4×3 keeps 20 MB
	eachOffer(t, func(spec string, g game.Game) {
		var before, asked, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		g.Learning().LearnerCatalogue()
		runtime.ReadMemStats(&asked)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if n := asked.TotalAlloc - before.TotalAlloc; n > most {
			t.Errorf("%s: listing its learners takes %d bytes", spec, n)
		}
		if n := int64(after.HeapAlloc) - int64(before.HeapAlloc); n > mostKept {
			t.Errorf("%s: listing its learners keeps %d bytes", spec, n)
		}
		if n := game.Held(g) - heldAtFirst(t, spec); n > 0 {
			t.Errorf("%s: listing its learners makes the game hold %d bytes", spec, n)
		}
	})
}

// heldAtFirst is what a game holds that was just opened.
func heldAtFirst(t *testing.T, spec string) int64 {
	t.Helper()
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return game.Held(g)
}

// saidByKey checks that why a game is turned down has a message with a text.
func saidByKey(t *testing.T, refused string, said message.Said) {
	t.Helper()
	if list := said["refused"]; len(list) != 1 || game.RefusalWords()[list[0].Key] == "" {
		t.Errorf("%q has no message: %v", refused, said)
	}
}

// TestOfferedPlayers: in every game that is offered, a player that is offered opens and makes a
// legal move, and one that is not is refused for the reason that is given.
func TestOfferedPlayers(t *testing.T) {
	t.Parallel()
	refused := 0
	eachOffer(t, func(spec string, g game.Game) {
		for _, o := range g.Contesting().Offered() {
			s, err := g.NewSession(game.SessionOptions{First: o.Spec, Second: o.Spec, Seed: 1})
			switch {
			case o.Refused != "":
				refused++
				if err == nil || err.Error() != o.Refused {
					t.Errorf("%s of %s is said to be refused because %q: %v", o.Spec, spec, o.Refused, err)
				}
				saidByKey(t, o.Refused, o.Said)
				continue
			case err != nil:
				t.Errorf("%s of %s is offered: %v", o.Spec, spec, err)
				continue
			}
			// those that think for a time take it; they make their moves in other tests
			if thinks := strings.Contains(o.Spec, "time=") || strings.HasPrefix(o.Spec, "level:"); !thinks {
				for s.State().Turn == "chance" && err == nil {
					_, err = s.Step(t.Context())
				}
				legal := s.State().Moves
				if move, fault := s.Step(t.Context()); err != nil || fault != nil || !slices.Contains(legal, move) {
					t.Errorf("%s of %s plays %q of %v: %v", o.Spec, spec, move, legal, errors.Join(err, fault))
				}
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	if refused < 20 {
		t.Errorf("only %d players are refused", refused)
	}
}

// BenchmarkLearners lists what learns a game that was just opened.
func BenchmarkLearners(b *testing.B) {
	for _, spec := range []string{"ttt", "mnk:15,15,5", "mnk:7,6,4+gravity", "mnk:5,4,4+gravity", "meta"} {
		b.Run(spec, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game(spec)
				if err != nil {
					b.Fatal(err)
				}
				g.Learning().LearnerCatalogue()
			}
		})
	}
}
