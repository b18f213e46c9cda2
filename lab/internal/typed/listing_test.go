package typed

import (
	"runtime"
	"testing"

	"oxo/lab/internal/game"
)

// eachOffer opens every game that is offered by name.
func eachOffer(t testing.TB, visit func(spec string, g game.Game)) {
	t.Helper()
	l := &game.Lab{Kinds: BuiltIn()}
	for _, k := range l.Games() {
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
		g.Learning().Learners(t.Context())
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
	g, err := (&game.Lab{Kinds: BuiltIn()}).Game(spec)
	if err != nil {
		t.Fatal(err)
	}
	return game.Held(g)
}

// BenchmarkLearners lists what learns a game that was just opened.
func BenchmarkLearners(b *testing.B) {
	for _, spec := range []string{"ttt", "mnk:15,15,5", "mnk:7,6,4+gravity", "mnk:5,4,4+gravity", "meta"} {
		b.Run(spec, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				g, err := (&game.Lab{Kinds: BuiltIn()}).Game(spec)
				if err != nil {
					b.Fatal(err)
				}
				g.Learning().Learners(b.Context())
			}
		})
	}
}
