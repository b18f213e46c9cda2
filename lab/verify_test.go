package lab

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"oxo/board"
	"oxo/games/grid"
	"oxo/prove"
	"oxo/prove/certificate"
)

// TestForeignNames: the name that a certificate gives its game is believed only where it
// is that game's; the name of another game is refused, and one of no game is a label.
func TestForeignNames(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 2, Run: 2})
	if err != nil {
		t.Fatal(err)
	}
	l := &Lab{ReadFile: func(path string) ([]byte, error) {
		t.Errorf("the name of a certificate opens %s", path)
		return nil, os.ErrNotExist
	}}
	for name, want := range map[string]string{
		"mnk:3,2,2": "own", "": "label", "x": "label", "my game": "label", "mnk": "label", "mnk:3": "label",
		"torus":       "label",
		"torus:3,3,3": "has 6 squares", "cube:3": "label", "ttt": "has 6 squares", "race:4": "squares and winning sets",
		"ultimate":    "its game is one of squares and winning sets",
		"mnk:19,19,6": "at most 256 squares", "mnk:3,2,2+misere": "means something else", "file:own.json+wild": "label",
		"file:own.json":  "label",
		"tree:three-ply": "squares and winning sets", "\xff\n" + strings.Repeat("name", 100): "label",
	} {
		setup := certificate.Setup{Spec: name, Board: b, Rules: board.Normal}
		r, err := prove.Prove(t.Context(), setup, prove.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := r.Proof.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		v, err := l.VerifyBytes(t.Context(), file.Bytes(), Question{})
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		switch {
		case want != "own" && want != "label":
			if v.OK || v.Named || !strings.Contains(v.Reason, want) ||
				!strings.Contains(v.Reason, "describes another") {
				t.Errorf("%q: %+v", name, v)
			}
			continue
		case !v.OK || v.Named != (want == "own") || !v.Start || v.Position == "" ||
			!strings.Contains(v.Described, "6 squares and 11 winning sets"):
			t.Errorf("%q: %+v", name, v)
		}
		c, err := l.Certificate(t.Context(), bytes.NewReader(file.Bytes()), int64(file.Len()), Question{})
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if got := c.Summary.Game == name; got != v.Named || c.Summary.Named != v.Named || c.Game().Info().Rules == "" ||
			len(c.Summary.Title) > 500 {
			t.Errorf("%q: it is held to be of %q, %q", name, c.Summary.Game, c.Summary.Title)
		}
		if _, err := l.Game(c.Summary.Game); (err == nil) != v.Named {
			t.Errorf("%q: a game of the name %q can be opened: %v", name, c.Summary.Game, err)
		}
		if strings.Contains(c.Game().Info().Rules, "one mark") {
			t.Errorf("%q: %s", name, c.Game().Info().Rules)
		}
		if own, err := l.VerifyBytes(t.Context(), file.Bytes(), Question{Game: "mnk:3,2,2"}); err != nil || !own.OK {
			t.Errorf("%q, asked of mnk:3,2,2: %+v, %v", name, own, err)
		}
	}
}

// forged are certificates of which each is true of a position that its game can't have;
// the file of ttt-after-a1 is about one that it can have, with another side to move.
func forged(t *testing.T) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("testdata/forged/*-*.proof")
	if err != nil || len(paths) != 6 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestForgedStartsSequential: forged certificates are refused with the reason, asked or not, by all
// that reads certificates here.
func TestForgedStartsSequential(t *testing.T) {
	files := forged(t)
	l := &Lab{ReadFile: func(path string) ([]byte, error) { return files[path], nil }}
	for name, data := range files {
		v, err := l.VerifyBytes(t.Context(), data, Question{})
		if err != nil {
			t.Fatal(err)
		}
		if v.OK || v.Unreadable || !strings.Contains(v.Reason, "can't have the position") {
			t.Errorf("%s: %+v", name, v)
		}
		spec := v.Game
		if v, err = l.VerifyBytes(t.Context(), data, Question{Game: spec}); err != nil || v.OK ||
			!strings.Contains(v.Reason, "it is about") {
			t.Errorf("%s, asked of %s: %+v, %v", name, spec, v, err)
		}
		if _, err := l.Certificate(t.Context(), bytes.NewReader(data), int64(len(data)), Question{}); err == nil ||
			!strings.Contains(err.Error(), "refused") {
			t.Errorf("%s: it is read as a certificate: %v", name, err)
		}
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		for _, players := range [][2]string{{"perfect:proof=" + name, "random"}, {"random", "perfect:proof=" + name}} {
			if _, err := g.NewSession(SessionOptions{First: players[0], Second: players[1]}); err == nil ||
				!strings.Contains(err.Error(), "refused") {
				t.Errorf("%s plays: %v", name, err)
			}
		}
	}
}

// TestQuestions asks true certificates for what they show and for what they don't.
func TestQuestions(t *testing.T) {
	l := &Lab{}
	for spec, shown := range map[string]struct{ claims, refused string }{
		"ttt":         {"draw not-lose:first not-lose:second", "first second first<=9"},
		"mnk:4,3,3":   {"first not-lose:first", "second draw not-lose:second first<=9"},
		"ttt+maker":   {"first not-lose:first", "second draw not-lose:second second<=3"},
		"ttt+breaker": {"first not-lose:first", "second draw"},
		"ttt+misere":  {"draw not-lose:second", "first second"},
	} {
		g, err := l.Game(spec)
		if err != nil {
			t.Fatal(err)
		}
		r, err := proofsOf(t, g).Prove(t.Context(), ProveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := r.Proof.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		ask := func(q Question) *Verdict {
			v, err := l.VerifyBytes(t.Context(), file.Bytes(), q)
			if err != nil {
				t.Fatalf("%s %+v: %v", spec, q, err)
			}
			return v
		}
		for claim := range strings.FieldsSeq(shown.claims) {
			if v := ask(Question{Game: spec, Claim: claim}); !v.OK || v.Value != r.Value {
				t.Errorf("%s, %s: %+v", spec, claim, v)
			}
		}
		for claim := range strings.FieldsSeq(shown.refused) {
			if v := ask(Question{Game: spec, Claim: claim}); v.OK ||
				!strings.Contains(v.Reason, "the claim is "+claim) {
				t.Errorf("%s, %s: %+v", spec, claim, v)
			}
		}
		for _, other := range []Question{{Game: "mnk:4,4,3"}, {Game: spec, Position: positionAfterOne(t, g)},
			{Game: spec + "+gravity"}} {
			if v := ask(other); v.OK || v.Unreadable {
				t.Errorf("%s, asked %+v: %+v", spec, other, v)
			}
		}
	}
	for _, q := range []Question{{Claim: "third"}, {Claim: "first<=0"}, {Claim: "draw<=3"}, {Claim: "not-lose:draw"},
		{Game: "mnk:3"}, {Game: "ttt", Position: "xxx"},
		{Position: "x../.../... o"}, {Game: "tree:three-ply"}} {
		if _, err := l.VerifyBytes(t.Context(), nil, q); err == nil {
			t.Errorf("%+v is a question", q)
		}
	}
}

func positionAfterOne(t *testing.T, g Game) string {
	s, err := g.NewSession(SessionOptions{First: Human, Second: Human})
	if err == nil {
		err = s.Move(s.State().Moves[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	return s.State().Position
}

// TestUnreadable: a file that is cut short, changed or something else is no certificate,
// which is another answer than that of one that shows nothing.
func TestUnreadable(t *testing.T) {
	data := forged(t)["mnk_6_6_4-second.proof"]
	changed := bytes.Clone(data)
	changed[100] ^= 1
	for name, file := range map[string][]byte{"empty": nil, "cut": data[:len(data)-1], "changed": changed,
		"text": []byte("oxo proof 1\nand then nothing"), "longer": append(bytes.Clone(data), 0)} {
		v, err := (&Lab{}).VerifyBytes(t.Context(), file, Question{})
		if err != nil || v.OK || !v.Unreadable {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

// TestBomb: 20,000 permutations of a board of 4,095 sets in 68 kB are more work than a file
// of that size may ask for, and are refused before the work is done; and a check ends
// with its context.
func TestBomb(t *testing.T) {
	data, err := os.ReadFile("testdata/forged/bomb.proof")
	if err != nil {
		t.Fatal(err)
	}
	v, err := (&Lab{}).VerifyBytes(t.Context(), data, Question{})
	if err != nil || v.OK || !strings.Contains(v.Reason, "20000 permutations") {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := (&Lab{}).Certificate(t.Context(), bytes.NewReader(data), int64(len(data)), Question{}); err == nil ||
		!strings.HasPrefix(err.Error(), "the certificate was not checked to its end, which is no verdict: more than") {
		t.Errorf("who opens it is told %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if v, err := (&Lab{}).VerifyBytes(ctx, data, Question{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestEveryOptionSequential proves small games by every option, from the start and from
// later positions: the value is that of solve, and the certificate shows it of that game
// and position.
func TestEveryOptionSequential(t *testing.T) {
	l := &Lab{}
	tried := 0
	for _, base := range []string{"ttt", "mnk:4,3,3", "mnk:3,3,2", "mnk:5,2,3", "torus:3,3,3", "cube:2,3",
		"animal:el,3,3", "plane:projective,2"} {
		for _, rules := range board.AllRules {
			for _, more := range []string{"", "+gravity", "+exact", "+gravity+exact"} {
				spec := base + more
				if rules.Name != "" {
					spec += "+" + rules.Name
				}
				g, err := l.Game(spec)
				if err != nil {
					continue // such as a plane in which marks fall
				}
				tried++
				proveLikeSolve(t, l, g)
			}
		}
	}
	if tried < 180 {
		t.Errorf("only %d games", tried)
	}
}

func proveLikeSolve(t *testing.T, l *Lab, g Game) {
	t.Helper()
	spec := g.Info().Spec
	s, err := g.NewSession(SessionOptions{First: "random", Second: "random", Seed: 7})
	if err != nil {
		t.Fatal(err)
	}
	for ply := 0; ply < 4 && !s.Over(); ply++ {
		at := s.State().Position
		solved, err := g.Solving().Solve(t.Context(), SolveOptions{Position: at})
		if err != nil {
			t.Fatalf("%s, %s: %v", spec, at, err)
		}
		r, err := proofsOf(t, g).Prove(t.Context(), ProveOptions{Position: at, Workers: 1, Memory: 8 << 20})
		if err != nil {
			t.Fatalf("%s, %s: %v", spec, at, err)
		}
		if r.Value != solved.Value {
			t.Errorf("%s, %s: prove says %s, solve %s", spec, at, r.Value, solved.Value)
		}
		var file bytes.Buffer
		if _, err := r.Proof.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		v, err := l.VerifyBytes(t.Context(), file.Bytes(), Question{Game: spec, Position: at, Claim: solved.Value})
		if err != nil || !v.OK || v.Position != at {
			t.Errorf("%s, %s: %+v, %v", spec, at, v, err)
		}
		if _, err := s.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func proofsOf(t *testing.T, g Game) Proving {
	t.Helper()
	p, err := g.Proving()
	if err != nil {
		t.Fatal(err)
	}
	return p
}
