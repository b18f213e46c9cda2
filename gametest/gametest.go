// Package gametest is the conformance kit: every game's test calls [Run],
// which plays random games from fixed seeds and proves that what the game says
// of itself holds, and that its optional kernels give the generic answer.
//
//	func TestConformance(t *testing.T) {
//		gametest.Run(t, ultimate.New(0))
//	}
//
// [RunKind] does so for what a game's kind says. Not compared with anything are Symmetries of a game without Canonical,
// Title, and whether all symmetries were found.
//
// Known line counts come from the files testdata/*.perft of the package under
// test, whose format [readPerft] describes; each game needs at least one, or
// says [WithoutPerftFile]. [Fuzz] is the body of a fuzz test of the game's two
// parsers. [Perft], [Playout], [alphaBeta] and [winsNow] are the slow twins of the kernels.
package gametest

import (
	"math/rand/v2"
	"testing"

	"oxo"
)

// Run checks game g, each property in a subtest of its own.
func Run[P oxo.Position[P]](t *testing.T, g *oxo.Game[P], opts ...RunOption) {
	t.Helper()
	if fault := missing(g); fault != "" {
		t.Fatalf("%s", fault)
	}
	k := newKit(t, g, opts...)
	for _, c := range k.checks() {
		t.Run(c.name, func(t *testing.T) { k.guard(t, c) })
	}
}

// RunOption changes how [Run] checks a game.
type RunOption func(*settings)

// settings are what options of Run change.
// The zero value is not what Run goes by: newKit fills in the usual ones.
type settings struct {
	// positions is about how many different positions are looked at; fresh is a func(P) P for the game's own type,
	// nil where there is none.
	positions int
	perftDir  string // empty: no perft file is expected
	fresh     any    // func(P) P
	hidden    bool   // no position shows all symmetries
}

// Positions makes Run look at about n different positions instead of 1,500.
func Positions(n int) RunOption { return func(s *settings) { s.positions = n } }

// WithoutPerftFile says that no known line counts are on file for the game.
func WithoutPerftFile() RunOption { return func(s *settings) { s.perftDir = "" } }

// HiddenSymmetries says that each position is kept by some symmetry, so that no class has as many as there are.
func HiddenSymmetries() RunOption { return func(s *settings) { s.hidden = true } }

// Fresh gives Run a function that builds a position again from its bare
// essentials, with nothing kept up move by move; it must return an equal one.
func Fresh[P oxo.Position[P]](f func(P) P) RunOption { return func(s *settings) { s.fresh = f } }

// kit is a game, and a sample of its positions that the checks look at. Its games are random ones from the start;
// checks only read them.
type kit[P oxo.Position[P]] struct {
	settings
	g      *oxo.Game[P]
	fresh  func(P) P
	games  []line[P]
	sample []P // the different positions of games
	at     P   // the position that collect plays from
}

// check is a property of a game and the test of it, which fails with the first position that lacks it. A check of
// what the game does not have passes.
type check struct {
	name string
	run  func(testing.TB)
}

// checks lists the checks in the order in which they are made.
func (k *kit[P]) checks() []check {
	g := k.g
	return []check{
		{"facts", k.checkFacts},
		{"moves", k.checkMoves},
		{"play", k.checkPlay},
		{"length", where(!g.Loopy(), k.checkLength)},
		{"chance", k.checkChance},
		{"payoff", where(g.Payoff != nil, k.checkPayoff)},
		{"notation", k.checkNotation},
		{"refusal", k.checkRefusal},
		{"equality", k.checkEquality},
		{"symmetry", where(g.Canonical != nil, k.checkSymmetry)},
		{"classes", where(g.Canonical != nil, k.checkClasses)},
		{"code", where(g.Code != nil && g.Decode != nil, k.checkCode)},
		{"fresh", where(k.fresh != nil, k.checkFresh)},
		{"perft", where(g.Perft != nil, k.checkPerft)},
		{"perft files", where(k.perftDir != "", k.checkPerftFiles)},
		{"playout", where(g.Playout != nil, k.checkPlayout)},
		{"alpha-beta", where(g.AlphaBeta != nil, k.checkAlphaBeta)},
		{"minimax", where(g.Minimax != nil, k.checkMinimax)},
		{"wins now", where(g.WinsNow != nil, k.checkWinsNow)},
		{"outlook", where(g.MinMovesToWin != nil, k.checkMinMovesToWin)},
	}
}

// where returns a check, or one that passes where the game has not what it is of.
func where(has bool, run func(testing.TB)) func(testing.TB) {
	if has {
		return run
	}
	return func(testing.TB) {}
}

// newKit draws the games and positions that all checks look at, by a seed that is always the same, so that a
// failure comes again. It looks at 1,500 positions and at perft files in testdata, unless the options say
// otherwise.
func newKit[P oxo.Position[P]](t testing.TB, g *oxo.Game[P], opts ...RunOption) *kit[P] {
	t.Helper()
	k := &kit[P]{g: g, settings: settings{positions: 1500, perftDir: "testdata"}}
	for _, o := range opts {
		o(&k.settings)
	}
	// An option does not know the type of the game's positions, so that is looked at here.
	if k.settings.fresh != nil {
		f, ok := k.settings.fresh.(func(P) P)
		if !ok {
			t.Fatalf("Fresh is given a %T, which is for another game than %s", k.settings.fresh, g.Spec)
		}
		k.fresh = f
	}
	if fault := panicOf(func() { k.collect(rand.NewPCG(1, 1963)) }); fault != "" {
		t.Fatalf("%s", k.culprit(fault))
	}
	return k
}
