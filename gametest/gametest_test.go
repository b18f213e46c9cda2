package gametest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"oxo"
)

func TestRun(t *testing.T) {
	Run(t, newToy(none), Fresh(func(p toy) toy { return toy{x: p.x, o: p.o, turn: p.turn} }))
}

func FuzzToy(f *testing.F) { Fuzz(f, newToy(none)) }

// recorder stands in for a test and keeps what it is failed with.
type recorder struct {
	testing.TB
	failed string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatalf(format string, args ...any) {
	r.failed = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// failure runs f and returns what it fails the test with, or "".
func failure(t *testing.T, f func(testing.TB)) string {
	r := &recorder{TB: t}
	done := make(chan bool)
	go func() {
		defer close(done)
		f(r)
	}()
	<-done
	return r.failed
}

// TestBroken: each check fails on a game that breaks what it checks, and says
// what is wrong.
func TestBroken(t *testing.T) {
	for _, c := range []struct {
		check string
		says  string
		fault fault
		spoil func(g *oxo.Game[toy])
	}{
		{check: "facts", says: "title", spoil: func(g *oxo.Game[toy]) { g.Title = "" }},
		{check: "facts", says: "MaxMoves 0", spoil: func(g *oxo.Game[toy]) { g.MaxMoves = 0 }},
		{check: "facts", says: "MaxPlies -1", spoil: func(g *oxo.Game[toy]) { g.MaxPlies = -1 }},
		{check: "facts", says: "are needed", spoil: func(g *oxo.Game[toy]) { g.FormatMove = nil }},
		{check: "facts", says: "the identity", spoil: func(g *oxo.Game[toy]) { g.Symmetries = nil }},
		{check: "facts", says: "the identity", spoil: func(g *oxo.Game[toy]) { g.Symmetries = new(big.Int) }},
		{check: "facts", says: "go together", spoil: func(g *oxo.Game[toy]) { g.Decode = nil }},
		{check: "facts", says: "already first", spoil: func(g *oxo.Game[toy]) { g.Start = toy{x: 3} }},

		{check: "moves", says: "not ascending", fault: descends},
		{check: "moves", says: "not ascending", fault: repeats, spoil: func(g *oxo.Game[toy]) { g.MaxMoves = 6 }},
		{check: "moves", says: "NoMove", fault: offersNoMove, spoil: func(g *oxo.Game[toy]) { g.MaxMoves = 6 }},
		{check: "moves", says: "appended to", fault: overwrites},
		{check: "moves", says: "without moves", fault: stalls},
		{check: "moves", says: "with moves", fault: goesOn},
		{check: "moves", says: "unknown outcome", fault: strangeEnd},
		{check: "moves", says: "unknown seat", fault: strangeSeat},
		{check: "moves", says: "MaxMoves is 4", spoil: func(g *oxo.Game[toy]) { g.MaxMoves = 4 }},

		{check: "play", says: "and then to", fault: wavers},
		{check: "play", says: "changed it", fault: touchesMoves},
		{check: "play", says: "changed it", fault: touchesResult},

		{check: "length", says: "has to be 0 where play can go in circles", fault: comesBack},
		{check: "length", says: "MaxPlies = 5", spoil: func(g *oxo.Game[toy]) { g.MaxPlies = 5 }},

		{check: "chance", says: "no Odds", spoil: func(g *oxo.Game[toy]) { g.Odds = nil }},
		{check: "chance", says: "sum to 1.2",
			spoil: func(g *oxo.Game[toy]) { g.Odds = func(toy, oxo.Move) float64 { return 0.6 } }},
		{check: "chance", says: "are -1",
			spoil: func(g *oxo.Game[toy]) { g.Odds = func(p toy, m oxo.Move) float64 { return 3*float64(m) - 1 } }},
		{check: "chance", says: "are NaN",
			spoil: func(g *oxo.Game[toy]) { g.Odds = func(toy, oxo.Move) float64 { return math.NaN() } }},

		{check: "payoff", says: "not within", spoil: func(g *oxo.Game[toy]) { g.MaxPayoff = 1 }},
		{check: "payoff", says: "from 3 to 2", spoil: func(g *oxo.Game[toy]) { g.MinPayoff = 3 }},
		{check: "payoff", says: "+Inf", spoil: func(g *oxo.Game[toy]) { g.MaxPayoff = math.Inf(1) }},
		{check: "payoff", says: "NaN",
			spoil: func(g *oxo.Game[toy]) { g.Payoff = func(toy) float64 { return math.NaN() } }},
		{check: "payoff", says: "but the outcome is",
			spoil: func(g *oxo.Game[toy]) { g.Payoff = func(toy) float64 { return 1 } }},

		{check: "notation", says: "one line of print",
			spoil: func(g *oxo.Game[toy]) { g.Format = func(toy) string { return "" } }},
		{check: "notation", says: "one line of print",
			spoil: func(g *oxo.Game[toy]) { g.Format = func(p toy) string { return formatToy(p) + "\n" } }},
		{check: "notation", says: "but Parse says",
			spoil: func(g *oxo.Game[toy]) { g.Parse = func(string) (toy, error) { return toy{}, errToy } }},
		{check: "notation", says: "read back as",
			spoil: func(g *oxo.Game[toy]) { g.Parse = func(string) (toy, error) { return toy{}, nil } }},
		{check: "notation", says: "one word",
			spoil: func(g *oxo.Game[toy]) {
				g.FormatMove = func(p toy,
					m oxo.Move) string {
					return fmt.Sprint("to ", m)
				}
			}},
		{check: "notation", says: "are both written", spoil: func(g *oxo.Game[toy]) {
			g.FormatMove = func(p toy, m oxo.Move) string { return fmt.Sprint(m / 2) }
			g.ParseMove = func(p toy, text string) (oxo.Move, error) { return p.Moves(nil)[0], nil }
		}},
		{check: "notation", says: "and read back as 0",
			spoil: func(g *oxo.Game[toy]) { g.ParseMove = func(toy, string) (oxo.Move, error) { return 0, nil } }},

		{check: "refusal", says: "Parse takes",
			spoil: func(g *oxo.Game[toy]) { g.Parse = func(string) (toy, error) { return g.Start, nil } }},
		{check: "refusal", says: "Parse(\"\") panics",
			spoil: func(g *oxo.Game[toy]) { g.Parse = func(text string) (toy, error) { return parseToy(text[:7]) } }},
		{check: "refusal", says: "going on without moves", fault: stalls},
		{check: "refusal", says: "its own text",
			spoil: func(g *oxo.Game[toy]) { g.Format = func(p toy) string { return formatToy(p.mirror()) } }},
		{check: "refusal", says: "ParseMove takes \"\" for move 3",
			spoil: func(g *oxo.Game[toy]) { g.ParseMove = func(toy, string) (oxo.Move, error) { return 3, nil } }},
		{check: "refusal", says: "does not name it",
			spoil: func(g *oxo.Game[toy]) { g.ParseMove = func(toy, string) (oxo.Move, error) { return 0, errToy } }},
		{check: "refusal", says: "ParseMove(\"\") panics", spoil: func(g *oxo.Game[toy]) {
			g.ParseMove = func(p toy, text string) (oxo.Move, error) { return oxo.Move(text[0] - '1'), nil }
		}},
		{check: "refusal", says: "which is no legal move", spoil: func(g *oxo.Game[toy]) {
			g.ParseMove = func(p toy, text string) (oxo.Move, error) {
				if len(text) == 1 && text[0] >= '1' && text[0] <= '5' {
					return oxo.Move(text[0] - '1'), nil
				}
				return oxo.NoMove, fmt.Errorf("move %q", text)
			}
		}},

		{check: "equality", says: "is reached as", fault: remembers},

		{check: "symmetry", says: "Symmetries is 4, but the classes of", spoil: func(g *oxo.Game[toy]) {
			g.Symmetries = big.NewInt(4)
		}},
		{check: "symmetry", says: "has the representative",
			spoil: func(g *oxo.Game[toy]) { g.Canonical = func(p toy) (toy, uint64) { return p.mirror(), 2 } }},
		{check: "symmetry", says: "class of 3",
			spoil: func(g *oxo.Game[toy]) { g.Canonical = func(p toy) (toy, uint64) { return p, 3 } }},
		{check: "symmetry", says: "class of 0",
			spoil: func(g *oxo.Game[toy]) { g.Canonical = func(p toy) (toy, uint64) { return p, 0 } }},
		{check: "symmetry", says: "turns of",
			spoil: func(g *oxo.Game[toy]) { g.Canonical = func(p toy) (toy, uint64) { return g.Start, 1 } }},
		{check: "symmetry", says: "lead to different classes", spoil: func(g *oxo.Game[toy]) {
			g.Canonical = func(p toy) (toy, uint64) {
				if q := p.mirror(); q.x < p.x && q.x&p.o == 0 { // x alone in the mirror
					p.x = q.x
				}
				return p, 1
			}
		}},

		{check: "classes", says: "2 positions have it", spoil: func(g *oxo.Game[toy]) {
			canonical := g.Canonical
			g.Canonical = func(p toy) (toy, uint64) { c, _ := canonical(p); return c, 1 }
		}},
		{check: "classes", says: "1 positions have it",
			spoil: func(g *oxo.Game[toy]) { g.Canonical = func(p toy) (toy, uint64) { return p, 2 } }},
		{check: "classes", says: "another member", spoil: func(g *oxo.Game[toy]) {
			canonical := g.Canonical
			g.Canonical = func(p toy) (toy, uint64) {
				c, size := canonical(p)
				if c != p {
					size = 1
				}
				return c, size
			}
		}},

		{check: "code", says: "is decoded to",
			spoil: func(g *oxo.Game[toy]) { g.Code = func(p toy) uint64 { return uint64(p.x) } }},
		{check: "code", says: "whose code is", spoil: func(g *oxo.Game[toy]) {
			decode := g.Decode
			g.Decode = func(code uint64) (toy, bool) { return decode(code & (1<<12 - 1)) }
		}},
		{check: "code", says: "panics", spoil: func(g *oxo.Game[toy]) {
			decode, known := g.Decode, [1 << 12]bool{}
			g.Decode = func(code uint64) (toy, bool) {
				known[code] = true
				return decode(code)
			}
		}},

		{check: "perft", says: "perft 1 is 1",
			spoil: func(g *oxo.Game[toy]) { g.Perft = func(toy, int) uint64 { return 1 } }},
		{check: "perft", says: "by playing all moves 0", spoil: func(g *oxo.Game[toy]) {
			g.Perft = func(p toy, depth int) uint64 { return max(1, Perft(p, depth)) } // counts games that ended before
		}},

		{check: "playout", says: "ends *",
			spoil: func(g *oxo.Game[toy]) { g.Playout = func(toy, *rand.PCG) oxo.Outcome { return oxo.Ongoing } }},
		{check: "playout", says: "chi-square", spoil: func(g *oxo.Game[toy]) { // takes odds for even
			g.Playout = func(p toy, r *rand.PCG) oxo.Outcome {
				for p.Outcome() == oxo.Ongoing {
					moves := p.Moves(nil)
					p = p.Play(moves[below(r, len(moves))])
				}
				return p.Outcome()
			}
		}},
		{check: "playout", says: "chi-square", spoil: func(g *oxo.Game[toy]) { // always the first move
			g.Playout = func(p toy, r *rand.PCG) oxo.Outcome {
				for p.Outcome() == oxo.Ongoing {
					p = p.Play(p.Moves(nil)[0])
				}
				return p.Outcome()
			}
		}},

		{check: "alpha-beta", says: "moves of chance", spoil: func(g *oxo.Game[toy]) {
			g.AlphaBeta = func(toy, int, int) (int, uint64, bool) { return 0, 1, true }
		}},
		{check: "alpha-beta", says: "nodes, move by move", spoil: func(g *oxo.Game[toy]) { // counts no ends
			g.AlphaBeta = func(p toy, alpha, beta int) (int, uint64, bool) {
				worth, _, ok := alphaBeta(p, alpha, beta)
				return worth, 1, ok
			}
		}},
		// within the window, fail-hard
		{check: "alpha-beta", says: "alpha-beta is worth", spoil: func(g *oxo.Game[toy]) {
			g.AlphaBeta = func(p toy, alpha, beta int) (int, uint64, bool) {
				worth, nodes, ok := alphaBeta(p, alpha, beta)
				return min(max(worth, alpha), beta), nodes, ok
			}
		}},

		{check: "minimax", says: "minimax is worth", spoil: func(g *oxo.Game[toy]) {
			g.Minimax = func(p toy) (int, uint64, bool) {
				worth, nodes, ok := minimax(p)
				return -2 * worth, nodes + 1, ok
			}
		}},

		{check: "wins now", says: "WinsNow is true",
			spoil: func(g *oxo.Game[toy]) { g.WinsNow = func(toy) bool { return true } }},
		{check: "wins now", says: "WinsNow is false",
			spoil: func(g *oxo.Game[toy]) { g.WinsNow = func(toy) bool { return false } }},

		{check: "outlook", says: "first is 3 moves, but it can win with", spoil: func(g *oxo.Game[toy]) {
			g.MinMovesToWin = func(_ toy, seat oxo.Seat) int { return 3 - 2*int(seat) }
		}},
		{check: "outlook", says: "second is 1048576 moves", spoil: func(g *oxo.Game[toy]) {
			g.MinMovesToWin = func(_ toy, seat oxo.Seat) int { return int(seat) * oxo.Never }
		}},
	} {
		g := newToy(c.fault)
		if c.spoil != nil {
			c.spoil(g)
		}
		k := newKit(t, g)
		if got := run(t, k, c.check); !strings.Contains(got, c.says) {
			t.Errorf("check %s of a broken game gives %q, want something about %q", c.check, got, c.says)
		}
	}
}

// run runs the check of the given name and returns what it fails with.
func run(t *testing.T, k *kit[toy], name string) string {
	for _, c := range k.checks() {
		if c.name == name {
			return failure(t, c.run)
		}
	}
	t.Fatalf("no check %q", name)
	return ""
}

// TestPanics: of a game that panics it is told in which position, by which move, and no other test is lost.
func TestPanics(t *testing.T) {
	got := failure(t, func(tb testing.TB) { newKit(tb, newToy(panics)) })
	if !strings.Contains(got, "Play(") || !strings.Contains(got, "of the position") {
		t.Errorf("of a Play that panics is said %q", got)
	}
	g := newToy(none)
	k := newKit(t, g)
	g.FormatMove = func(toy, oxo.Move) string { panic("no name") }
	got = failure(t, func(tb testing.TB) { k.guard(tb, check{"notation", k.checkNotation}) })
	if !strings.HasPrefix(got, "FormatMove(0) of the position ..... ?: panic: no name") {
		t.Errorf("of a FormatMove that panics is said %q", got)
	}
	g.Parse = nil
	if missing(g) == "" || missing[toy](nil) == "" {
		t.Error("a game without Parse is looked at further")
	}
}

func TestFreshIsCompared(t *testing.T) {
	k := newKit(t, newToy(none), Fresh(func(p toy) toy { return toy{} }))
	if got := run(t, k, "fresh"); !strings.Contains(got, "made afresh") {
		t.Errorf("a wrong Fresh gives %q", got)
	}
}

func TestFreshOfAnotherGame(t *testing.T) {
	got := failure(t, func(tb testing.TB) {
		newKit(tb, newToy(none), func(s *settings) { s.fresh = func(p string) string { return p } })
	})
	if !strings.Contains(got, "another game") {
		t.Errorf("Fresh of another game gives %q", got)
	}
}

// TestPlainGame: without what a game need not have, nothing fails.
func TestPlainGame(t *testing.T) {
	g := newToy(none)
	g.Payoff, g.Canonical, g.Code, g.Decode, g.Perft, g.Playout = nil, nil, nil, nil, nil, nil
	g.AlphaBeta, g.WinsNow, g.MinMovesToWin = nil, nil, nil
	g.Minimax = nil
	Run(t, g)
}

func TestPerftFiles(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"game toy\n2 10\n", ""},
		{"game toy\nposition .x... o\n1 4\n# the end\n", ""},
		{"game toy\n2 11\n", "perft 2 is 10 by the kernel, want 11"},
		{"game toy\nposition xx... x\n1 0\n", "cannot be reached"},
		{"game other\n2 11\n", "no line counts for toy"},
		{"game toy\n", "no line counts for toy"},
		{"2 10\n", "want a game line first"},
		{"game toy\n2\n", `line 2 "2"`},
		{"game toy\n-1 2\n", `line 2 "-1 2"`},
		{"game toy\n1 2 3\n", `line 2 "1 2 3"`},
		{"game\n1 2\n", `line 1 "game"`},
		{"game toy\nposition\n", `line 2 "position"`},
	} {
		k := newKit(t, newToy(none))
		k.perftDir = t.TempDir()
		if err := os.WriteFile(filepath.Join(k.perftDir, "a.perft"), []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		got := run(t, k, "perft files")
		if (c.says == "") != (got == "") || !strings.Contains(got, c.says) {
			t.Errorf("%q gives %q, want something about %q", c.text, got, c.says)
		}
	}
	k := newKit(t, newToy(none), WithoutPerftFile())
	if got := run(t, k, "perft files"); got != "" {
		t.Errorf("WithoutPerftFile gives %q", got)
	}
	g := newToy(none)
	g.Perft = nil
	k = newKit(t, g)
	if got := run(t, k, "perft files"); got != "" {
		t.Errorf("counting by playing all moves gives %q", got)
	}
}

func FuzzReadPerft(f *testing.F) {
	f.Add("game toy\n2 10\nposition .x... o\n1 4\n")
	f.Add("1 2")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := readPerft(strings.NewReader(text))
		if err != nil && all != nil {
			t.Errorf("%q gives both counts and %v", text, err)
		}
		for _, c := range all {
			if c.Spec == "" || len(c.Depths) != len(c.Leaves) {
				t.Errorf("%q gives %+v", text, c)
			}
		}
	})
}

// TestOddsAreExact: chance begins, so random play of the toy has odds that
// lie between those of its two halves.
func TestOddsAreExact(t *testing.T) {
	k := newKit(t, newToy(none))
	start, ok := k.odds(k.g.Start, 2000)
	first, _ := k.odds(toy{turn: oxo.First}, 2000)
	second, _ := k.odds(toy{turn: oxo.Second}, 2000)
	if !ok || first[oxo.FirstWins] != second[oxo.SecondWins] {
		t.Errorf("odds %v and %v are no mirror images", first, second)
	}
	for out := range start {
		if want := first[out]/4 + second[out]*3/4; math.Abs(start[out]-want) > 1e-12 {
			t.Errorf("%v: odds %v, want %v", oxo.Outcome(out), start[out], want)
		}
	}
	if _, ok := k.odds(k.g.Start, 10); ok {
		t.Error("odds over more than 10 positions were worked out within 10")
	}
}
