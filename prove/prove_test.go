package prove_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"oxo"
	"oxo/board"
	"oxo/games/animal"
	"oxo/games/cube"
	"oxo/games/grid"
	"oxo/games/plane"
	public "oxo/gametest/cases"
	"oxo/prove"
	"oxo/prove/certificate"
	"oxo/prove/verify"
)

// game makes the game of a spec, for the kinds used in these tests.
func game(t testing.TB, spec string) certificate.Setup {
	t.Helper()
	words := strings.Split(strings.NewReplacer("ttt", "mnk:3,3,3", "qubic", "cube:4,3", "plane:affine,", "affine:",
		"plane:projective,", "projective:").Replace(spec), "+")
	kind, args, _ := strings.Cut(words[0], ":")
	g := certificate.Setup{Spec: spec, Rules: board.Normal}
	shape := grid.Shape{}
	var name string
	var n, d int
	var err error
	for _, word := range words[1:] {
		switch word {
		case "exact":
			shape.Exact = true
		case "gravity":
			shape.Gravity = true
		default:
			found := false
			if g.Rules.Name != "" {
				word = g.Rules.Name + "+" + word // such as wild+misere
			}
			for _, r := range board.AllRules {
				if r.Name == word {
					g.Rules, found = r, true
				}
			}
			if !found {
				t.Fatalf("no option %q", word)
			}
		}
	}
	scan := func(format string, to ...any) {
		if _, err := fmt.Sscanf(args, format, to...); err != nil {
			t.Fatalf("%s: %v", spec, err)
		}
	}
	switch kind {
	case "mnk", "torus":
		shape.Torus = kind == "torus"
		scan("%d,%d,%d", &shape.Cols, &shape.Rows, &shape.Run)
		g.Board, err = grid.New(shape)
	case "cube":
		scan("%d,%d", &n, &d)
		g.Board, err = cube.New(n, d, shape.Gravity)
	case "animal":
		name, args, _ = strings.Cut(args, ",")
		scan("%d,%d", &n, &d)
		g.Board, err = animal.New(name, n, d, shape.Gravity)
	case "affine", "projective":
		scan("%d", &n)
		if g.Board, err = plane.Affine(n); kind == "projective" {
			g.Board, err = plane.Projective(n)
		}
	default:
		t.Fatalf("no kind %q", kind)
	}
	if err != nil {
		t.Fatalf("%s: %v", spec, err)
	}
	return g
}

// check checks what a certificate says of itself.
func check(t testing.TB, data []byte) *verify.Report {
	t.Helper()
	r, err := verify.Check(t.Context(), bytes.NewReader(data), int64(len(data)), verify.Question{}, verify.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// prove proves g and has the certificate checked.
func proveAndCheck(t testing.TB, g certificate.Setup, opt prove.Options) *prove.Result {
	t.Helper()
	r, err := prove.Prove(context.Background(), g, opt)
	if err != nil {
		t.Fatalf("%s: %v", g.Spec, err)
	}
	if r.Proof == nil {
		return r
	}
	var file bytes.Buffer
	if _, err := r.Proof.WriteTo(&file); err != nil {
		t.Fatalf("%s: %v", g.Spec, err)
	}
	size, began := file.Len(), time.Now()
	checked := check(t, file.Bytes())
	if !checked.OK {
		t.Errorf("%s, %v: the certificate does not hold: %s", g.Spec, r, checked.Reason)
	}
	if checked.Value != r.String() {
		t.Errorf("%s: %v, but the certificate shows %s (%s)", g.Spec, r, checked.Value, checked.Claim)
	}
	t.Logf("%-22s %-7v %8.3f s %8d nodes, proof %6d nodes %8d bytes, checked in %.3f s (%d replies)",
		g.Spec, r, r.Seconds, r.Nodes, r.ProofNodes, size, time.Since(began).Seconds(), checked.Checks)
	return r
}

// TestCasesSequential proves the public cases but for the misère games on many squares,
// which take longer: see TestAllCases.
func TestCasesSequential(t *testing.T) {
	cases(t, 272, func(option string, squares int) bool { return !strings.Contains(option, "misere") || squares <= 10 })
}

// cases proves those of the public cases that wanted takes, so many.
func cases(t *testing.T, many int, wanted func(option string, squares int) bool) {
	asked := 0
	for _, c := range public.Read(t, "../board/testdata/positional.json") {
		if !wanted(c.Option, c.Squares) {
			continue
		}
		g := certificate.Setup{Spec: "file:" + c.ID}
		g.Board, g.Rules = c.Game(t)
		asked++
		if r := proveAndCheck(t, g, prove.Options{Memory: 24 << 20}); r.String() != c.Value {
			t.Errorf("%s: %v, want %s", c.ID, r, c.Value)
		}
	}
	if asked != many {
		t.Errorf("%d cases, want %d", asked, many)
	}
}

// rung is a game with its known value.
type rung struct{ spec, value string }

// climb proves every rung and has its certificate checked.
func climb(t *testing.T, rungs []rung, opt prove.Options) {
	for _, c := range rungs {
		t.Run(c.spec, func(t *testing.T) {
			if r := proveAndCheck(t, game(t, c.spec), opt); r.String() != c.value {
				t.Errorf("%v, want %s", r, c.value)
			}
		})
	}
}

// TestLadderSequential proves small games whose values are known: see docs/proofs.md.
func TestLadderSequential(t *testing.T) {
	climb(t, []rung{
		{"mnk:3,3,3", "draw"}, {"mnk:4,3,3", "first"}, {"mnk:4,4,3", "first"}, {"mnk:4,4,4", "draw"},
		{"mnk:5,4,4", "draw"}, {"mnk:5,5,4", "draw"}, {"mnk:6,5,4", "first"}, {"mnk:6,6,4", "first"},
		{"mnk:5,5,5", "draw"}, {"mnk:6,5,5", "draw"}, {"mnk:6,6,5", "draw"}, {"mnk:6,6,6", "draw"},
		{"mnk:7,7,6", "draw"}, {"mnk:7,6,5", "draw"}, {"mnk:7,7,4", "first"}, {"mnk:8,5,4", "first"},
		{"mnk:22,3,3", "first"}, {"mnk:6,6,4+exact", "first"}, {"mnk:6,6,5+exact", "draw"}, {"mnk:5,4,4+exact", "draw"},
		{"mnk:5,5,4+exact", "draw"}, {"mnk:6,4,4+exact", "draw"}, {"mnk:7,6,5+exact", "draw"},
		{"mnk:6,6,5+exact+maker", "second"},
		{"cube:3,3", "first"}, {"cube:3,2+misere", "draw"},
		{"torus:3,3,3", "first"}, {"torus:4,4,4", "draw"}, {"torus:4,4,3", "first"}, {"torus:4,5,4", "first"},
		{"torus:5,5,4", "first"}, {"torus:5,5,5", "draw"}, {"torus:6,6,4", "first"},
		{"affine:2", "first"}, {"affine:3", "first"}, {"affine:4", "first"},
		{"projective:2", "first"}, {"projective:3", "draw"}, {"projective:4", "draw"},
		{"animal:domino,2,2", "first"}, {"animal:el,3,3", "first"}, {"animal:tippy,3,3", "first"},
		{"animal:tic,4,4", "first"}, {"animal:tic,3,3", "draw"}, {"animal:elly,4,4", "first"},
		{"animal:elly,3,3", "draw"}, {"animal:knobby,5,5", "first"}, {"animal:knobby,4,4", "draw"},
		{"animal:fatty,5,5", "draw"}, {"animal:snaky,7,7", "draw"}, {"animal:snaky,8,8", "draw"},
		{"mnk:3,3,3+maker", "first"}, {"mnk:3,3,3+breaker", "first"}, {"mnk:4,4,4+maker", "second"},
		{"mnk:5,5,4+maker", "first"}, {"mnk:3,3,3+misere", "draw"},
		{"mnk:4,4,4+gravity", "draw"}, {"mnk:4,4,3+gravity", "first"},
		{"mnk:3,3,3+wild", "first"}, {"mnk:3,3,3+wild+misere", "draw"}, {"mnk:3,3,3+notakto", "first"},
		{"mnk:4,4,3+wild", "second"}, {"mnk:3,3,3+order", "first"}, {"mnk:4,3,3+chaos", "second"},
	}, prove.Options{Memory: 12 << 20})
}

// TestSim proves the game of Sim: who first has a triangle of his own loses, on
// the fifteen edges between six points.
func TestSim(t *testing.T) {
	edge := map[[2]int]int{}
	for a := range 6 {
		for b := a + 1; b < 6; b++ {
			edge[[2]int{a, b}] = len(edge)
		}
	}
	var triangles [][]int
	for a := range 6 {
		for b := a + 1; b < 6; b++ {
			for c := b + 1; c < 6; c++ {
				triangles = append(triangles, []int{edge[[2]int{a, b}], edge[[2]int{a, c}], edge[[2]int{b, c}]})
			}
		}
	}
	b, err := board.New(15, triangles)
	if err != nil {
		t.Fatal(err)
	}
	if r := proveAndCheck(t, certificate.Setup{Spec: "sim", Board: b, Rules: board.Misere},
		prove.Options{Memory: 12 << 20}); r.String() != "second" {
		t.Errorf("%v, want second", r)
	}
}

// TestMirrored shows without a search that in misère games one side does not
// lose: the second on cubes of even length, the first on those of odd length.
func TestMirrored(t *testing.T) {
	for spec, seat := range map[string]oxo.Seat{
		"cube:4,3+misere": oxo.Second, "cube:5,3+misere": oxo.First, "cube:6,3+misere": oxo.Second,
		"mnk:6,6,4+misere": oxo.Second, "mnk:5,5,5+misere": oxo.First, "mnk:6,5,4+gravity+misere": oxo.Second,
	} {
		r := proveAndCheck(t, game(t, spec), prove.Options{Nodes: 1, Memory: 8 << 20})
		if r.String() != "unknown" || !r.Holds[seat] || r.Holds[seat.Other()] || r.ProofNodes != 1 {
			t.Errorf("%s: %v, holds %v, %d positions", spec, r, r.Holds, r.ProofNodes)
		}
	}
	// The lines of four through the middle of 5×5 are not their own images.
	if r := proveAndCheck(t, game(t, "mnk:5,5,4+misere"), prove.Options{Nodes: 1, Memory: 8 << 20}); r.Holds[0] ||
		r.Holds[1] {
		t.Errorf("mnk:5,5,4+misere: holds %v", r.Holds)
	}
}

// TestNumber: a number that nothing can show is no figure.
func TestNumber(t *testing.T) {
	for n, want := range map[prove.Number]string{0: "0", 1<<30 - 1: "1073741823", 1 << 30: "∞", 1<<32 - 1: "∞"} {
		if got := n.String(); got != want {
			t.Errorf("%d is %s, want %s", uint32(n), got, want)
		}
	}
}
