package solve_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
	"oxo/games/race"
	"oxo/games/tree"
	"oxo/solve"
)

func ttt(t testing.TB, r board.Rules) *oxo.Game[board.Pos64] {
	t.Helper()
	b, err := grid.New(grid.Shape{Cols: 3, Rows: 3, Run: 3})
	if err != nil {
		t.Fatal(err)
	}
	return board.Game64("ttt+"+r.Name, "ttt", b, r)
}

// written solves g, writes the solution and reads it back.
func written[P oxo.Position[P]](t *testing.T, g *oxo.Game[P]) (solved, read *solve.Solution[P], file []byte) {
	t.Helper()
	s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Write(&out, g.Spec); err != nil {
		t.Fatal(err)
	}
	r, err := solve.Read(bytes.NewReader(out.Bytes()), g, g.Spec)
	if err != nil {
		t.Fatal(err)
	}
	return s, r, out.Bytes()
}

// same checks that two solutions agree on every position below p.
func same[P oxo.Position[P]](t *testing.T, a, b *solve.Solution[P], start P) {
	t.Helper()
	if a.Positions() != b.Positions() || a.Classes() != b.Classes() {
		t.Errorf("%d positions in %d classes, want %d in %d", b.Positions(), b.Classes(), a.Positions(), a.Classes())
	}
	seen := map[P]bool{}
	var visit func(p P)
	visit = func(p P) {
		if seen[p] {
			return
		}
		seen[p] = true
		v, ok := a.At(p)
		w, found := b.At(p)
		if !ok || !found || v != w {
			t.Fatalf("%v: %v and %v", p, v, w)
		}
		for _, m := range p.Moves(nil) {
			visit(p.Play(m))
		}
	}
	visit(start)
}

func TestFile(t *testing.T) {
	for _, r := range board.AllRules {
		g := ttt(t, r)
		s, read, _ := written(t, g)
		same(t, s, read, g.Start)
	}
	slip := board.Normal
	slip.Slip = 0.2
	g := ttt(t, slip)
	s, read, _ := written(t, g)
	same(t, s, read, g.Start)

	loopy, err := race.New(7)
	if err != nil {
		t.Fatal(err)
	}
	ls, lread, _ := written(t, loopy)
	same(t, ls, lread, loopy.Start)

	for _, name := range tree.Builtins() {
		g, _ := tree.Builtin(name)
		s, read, _ := written(t, g)
		same(t, s, read, g.Start)
	}
}

// TestWideTable solves the same game with and without codes for positions.
func TestWideTable(t *testing.T) {
	g := ttt(t, board.Misere)
	coded, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	wide := *g
	wide.Code, wide.Decode = nil, nil
	mapped, err := solve.Solve(context.Background(), &wide, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	same(t, coded, mapped, g.Start)
	if err := mapped.Write(&bytes.Buffer{}, "x"); err == nil {
		t.Error("a solution without codes was written")
	}
	plain := *g
	plain.Canonical = nil
	each, err := solve.Solve(context.Background(), &plain, g.Start, solve.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if each.Positions() != coded.Positions() || each.Classes() == coded.Classes() {
		t.Errorf("%d positions stored without symmetry, %d with it", each.Classes(), coded.Classes())
	}
}

// TestDamage flips every bit and cuts the file at every place.
func TestDamage(t *testing.T) {
	g := ttt(t, board.Normal)
	_, _, file := written(t, g)
	if len(file) > 4000 {
		t.Errorf("the file of 765 classes has %d bytes", len(file))
	}
	for i := range file {
		bad := bytes.Clone(file)
		bad[i] ^= 1 << (i % 8)
		if _, err := solve.Read(bytes.NewReader(bad), g, g.Spec); err == nil {
			t.Fatalf("a file with byte %d changed was read", i)
		}
		if _, err := solve.Read(bytes.NewReader(file[:i]), g, g.Spec); err == nil {
			t.Fatalf("a file cut at byte %d was read", i)
		}
	}
	other := ttt(t, board.Misere)
	if _, err := solve.Read(bytes.NewReader(file), other, other.Spec); err == nil ||
		!strings.Contains(err.Error(), g.Spec) {
		t.Errorf("the file of another game: %v", err)
	}
}

func TestTallyFile(t *testing.T) {
	g := ttt(t, board.Normal)
	tallies, err := solve.TallyGames(context.Background(), g, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := tallies.Write(&out, "g"); err != nil {
		t.Fatal(err)
	}
	read, err := solve.ReadTallies(bytes.NewReader(out.Bytes()), g, "g")
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start
	for p.Outcome() == oxo.Ongoing {
		if tallies.At(p) != read.At(p) {
			t.Errorf("%s: %v and %v", g.Format(p), tallies.At(p), read.At(p))
		}
		p = p.Play(p.Moves(nil)[0])
	}
	if _, err := solve.Read(&out, g, "g"); err == nil {
		t.Error("a table of tallies was read as a solution")
	}
}

func FuzzRead(f *testing.F) {
	g := ttt(f, board.Normal)
	s, err := solve.Solve(context.Background(), g, g.Start, solve.Settings{})
	if err != nil {
		f.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Write(&out, g.Spec); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes())
	f.Add([]byte("oxo table 1\n{}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := solve.Read(bytes.NewReader(data), g, g.Spec); err == nil && !bytes.Equal(data, out.Bytes()) {
			t.Error("a forged file was read")
		}
	})
}
