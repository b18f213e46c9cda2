package gametest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"oxo"
)

// checkNotation: positions and moves are written in one line of print, and
// reading gives back what was written.
func (k *kit[P]) checkNotation(t testing.TB) {
	for _, p := range k.sample {
		text := k.g.Format(p)
		if text == "" || text != strings.TrimSpace(text) || strings.ContainsFunc(text, unicode.IsControl) {
			t.Fatalf("position text %q: want one line of print", text)
		}
		q, err := k.g.Parse(text)
		if err != nil {
			t.Fatalf("%s was reached by play, but Parse says: %v", text, err)
		}
		if q != p {
			t.Fatalf("%s: read back as %s (%+v, was %+v)", text, k.g.Format(q), q, p)
		}
		// No two moves of a position may have the same name, or a record of a game would mean two.
		seen := map[string]oxo.Move{}
		for _, m := range p.Moves(nil) {
			name := k.g.FormatMove(p, m)
			if name == "" || strings.ContainsFunc(name, unicode.IsSpace) ||
				strings.ContainsFunc(name, unicode.IsControl) {
				t.Fatalf("%s: move %d is written %q, want one word", text, m, name)
			}
			if other, ok := seen[name]; ok {
				t.Fatalf("%s: moves %d and %d are both written %s", text, other, m, name)
			}
			seen[name] = m
			if back, err := k.g.ParseMove(p, name); err != nil || back != m {
				t.Fatalf("%s: move %d is written %s and read back as %d, %v", text, m, name, back, err)
			}
		}
	}
}

// nonsense is no position and no move of any game: nothing at all, signs of other kinds, numbers that are too
// large, and texts that are too long.
var nonsense = []string{"", " ", "?!", "/", "//// x", "zz99", "\x00", "é", "-1 -1", "99999999999999999999",
	strings.Repeat("x", 1000), strings.Repeat("/", 1000)}

// checkRefusal: text that is no position or no legal move is refused without
// a panic, and the refusal of a move names it.
func (k *kit[P]) checkRefusal(t testing.TB) {
	for _, text := range nonsense {
		if p, err := k.parse(t, text); err == nil {
			t.Fatalf("Parse takes %q for %s", text, k.g.Format(p))
		}
	}
	// Texts that are almost right are harder to refuse: spoiled ones, and names of moves that are legal elsewhere.
	names := k.moveNames()
	r := rand.NewPCG(2, 1963)
	for _, p := range k.some(500) {
		for range 4 {
			text := spoil(k.g.Format(p), r)
			if q, err := k.parse(t, text); err == nil {
				if fault := k.parsedFault(q); fault != "" {
					t.Fatalf("Parse takes %q, but then %s", text, fault)
				}
			}
		}
		// What is wrong with a move has to be said of that move, for whoever typed it.
		for _, name := range nonsense {
			m, err := k.parseMove(t, p, name)
			if err == nil {
				t.Fatalf("%s: ParseMove takes %q for move %d", k.g.Format(p), name, m)
			}
			if quoted := fmt.Sprintf("%q", name); !strings.Contains(err.Error(), quoted[1:len(quoted)-1]) &&
				len(name) < 100 {
				t.Fatalf("%s: the refusal of move %q does not name it: %v", k.g.Format(p), name, err)
			}
		}
		// Names of moves from elsewhere in the sample are mostly not legal here.
		for range 8 {
			name := names[below(r, len(names))]
			if m, err := k.parseMove(t, p, name); err == nil && !slices.Contains(p.Moves(nil), m) {
				t.Fatalf("%s: ParseMove takes %s for %d, which is no legal move", k.g.Format(p), name, m)
			}
		}
	}
}

// moveNames returns the names of all moves in the sample, each once, in the order they were met.
func (k *kit[P]) moveNames() []string {
	var names []string
	seen := map[string]bool{}
	for _, p := range k.sample {
		for _, m := range p.Moves(nil) {
			if name := k.g.FormatMove(p, m); !seen[name] {
				seen[name] = true
				names = append(names, name)
			}
		}
	}
	return names
}

// parsedFault says what is wrong with a position that Parse has taken, or "". It need not be one of the sample, but
// its text must lead back to it, and its moves must be in order.
func (k *kit[P]) parsedFault(p P) string {
	text := k.g.Format(p)
	if again, err := k.g.Parse(text); err != nil || again != p {
		return fmt.Sprintf("its own text %q is read as %+v, %v", text, again, err)
	}
	return k.movesFault(p)
}

// parse is the game's Parse; a panic fails the test, with the text.
func (k *kit[P]) parse(t testing.TB, text string) (P, error) {
	t.Helper()
	defer reportPanic(t, "Parse", text)
	return k.g.Parse(text)
}

// parseMove is the game's ParseMove; a panic fails the test, with the text.
func (k *kit[P]) parseMove(t testing.TB, p P, text string) (oxo.Move, error) {
	t.Helper()
	defer reportPanic(t, "ParseMove", text)
	return k.g.ParseMove(p, text)
}

// reportPanic, deferred, makes a failure of a panic that names what was asked.
func reportPanic(t testing.TB, what, text string) {
	t.Helper()
	if v := recover(); v != nil {
		t.Fatalf("%s(%q) panics: %v", what, text, v)
	}
}

// spoil returns text with one small accident: a letter lost, doubled, swapped with another one or replaced, or the
// end cut off. The result may be a text that is right again. Letters are bytes, so what is spoiled need not be
// UTF-8. The text must not be empty.
// Each of the six accidents is as likely; of the last, two letters change places.
func spoil(text string, r *rand.PCG) string {
	i := below(r, len(text))
	letter := func() string { return text[below(r, len(text)):][:1] }
	switch below(r, 6) {
	case 0:
		return text[:i] + text[i+1:]
	case 1:
		return text[:i] + text[i:i+1] + text[i:]
	case 2:
		return text[:i] + letter() + text[i+1:]
	case 3:
		return text[:i] + string("xo./-19 \xff"[below(r, 9)]) + text[i+1:]
	case 4:
		return text[:i]
	}
	j := below(r, len(text))
	i, j = min(i, j), max(i, j)
	if i == j {
		return text
	}
	return text[:i] + text[j:j+1] + text[i+1:j] + text[i:i+1] + text[j+1:]
}

// checkEquality: a position is the same by whatever order of moves it was
// reached, that is, positions with the same text are equal.
func (k *kit[P]) checkEquality(t testing.TB) {
	known := map[string]P{}
	// same notes the first position of each text, and fails where a later one is not equal to it.
	same := func(p P) {
		text := k.g.Format(p)
		if q, ok := known[text]; !ok {
			known[text] = p
		} else if q != p {
			t.Fatalf("%s is reached as %+v and as %+v", text, q, p)
		}
	}
	for _, game := range k.games {
		for i := range game.moves {
			same(game.at[i])
			// The first and the third of three moves are mostly by the same side, and can then be exchanged.
			if i >= 2 {
				a, b, c := game.moves[i-2], game.moves[i-1], game.moves[i]
				if p, ok := playAll(game.at[i-2], c, b, a); ok {
					same(p)
				}
			}
			same(game.at[i+1])
		}
	}
}

// playAll plays moves in order, or returns false where one is not legal, with the position that it isn't legal in.
func playAll[P oxo.Position[P]](p P, moves ...oxo.Move) (P, bool) {
	for _, m := range moves {
		if !slices.Contains(p.Moves(nil), m) {
			return p, false
		}
		p = p.Play(m)
	}
	return p, true
}

// Fuzz fuzzes the game's two parsers: what they take must be what the game writes, and a move taken must be legal.
// It begins with positions and moves of a few random games, and with nonsense.
func Fuzz[P oxo.Position[P]](f *testing.F, g *oxo.Game[P]) {
	k := newKit(f, g, Positions(50))
	for _, p := range k.sample {
		name := ""
		if moves := p.Moves(nil); len(moves) > 0 {
			name = g.FormatMove(p, moves[0])
		}
		// Seeds are right, so that the fuzzer changes what is nearly right.
		f.Add(g.Format(p), name)
	}
	for _, text := range nonsense {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, position, move string) {
		p, err := g.Parse(position)
		if err != nil {
			p = g.Start
		} else if fault := k.parsedFault(p); fault != "" {
			t.Fatalf("Parse takes %q, but then %s", position, fault)
		}
		if m, err := g.ParseMove(p, move); err == nil && !slices.Contains(p.Moves(nil), m) {
			t.Fatalf("%s: ParseMove takes %q for %d, which is no legal move", g.Format(p), move, m)
		}
	})
}
