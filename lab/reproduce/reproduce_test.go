package reproduce

import (
	"context"
	"encoding/json"
	"flag"
	"maps"
	"math"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"oxo/lab"
)

var update = flag.Bool("update", false, "write the figures that come out to testdata/figures.json")

// goldenFile has the figures of every item's columns but the printed one.
const goldenFile = "testdata/figures.json"

func golden(t *testing.T) map[string]map[string]Figures {
	t.Helper()
	data, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]Figures{}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// check runs the items that take so many seconds and compares every figure with
// what is known to come out.
func check(t *testing.T, from, to float64) {
	want := golden(t)
	l := &lab.Lab{Kinds: lab.BuiltIn()}
	for _, f := range ListItems() {
		if f.Seconds < from || f.Seconds >= to {
			continue
		}
		t.Run(f.ID, func(t *testing.T) {
			r, err := Run(t.Context(), l, f.ID, true)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]Figures{}
			for name, c := range map[string]*Column{"published": r.Published, "mended": r.Mended,
				"measured": r.Measured} {
				if c != nil {
					got[name] = c.Figures
				}
			}
			if *update {
				want[f.ID] = got
				return
			}
			if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want[f.ID]))) {
				t.Fatalf("columns %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want[f.ID])))
			}
			for column, figures := range got {
				compare(t, column, figures, want[f.ID][column])
			}
		})
	}
	if *update {
		data, err := json.MarshalIndent(want, "", "\t")
		if err == nil {
			err = os.WriteFile(goldenFile, append(data, '\n'), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// compare holds figures to be what they were, but for the last digits of sums that
// machines round differently.
func compare(t *testing.T, column string, got, want Figures) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d figures, want %d", column, len(got), len(want))
	}
	near := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(1, math.Abs(x), math.Abs(y)) }
	for i, f := range got {
		if w := want[i]; f.Name != w.Name || f.Text != w.Text || !near(f.Value, w.Value) || !near(f.Error, w.Error) {
			t.Errorf("%s: %s %v, want %s %v", column, f.Name, f, w.Name, w)
		}
	}
}

// slow is how many seconds an item takes whose figures are checked by the soak alone.
const slow = 3

// TestFiguresSequential checks the exact figures of the items that take little time.
func TestFiguresSequential(t *testing.T) { check(t, 0, slow) }

// TestItems: every item has a name of its own, says where its claim is printed and
// what, is put to the test in some way, and is among the figures that are known.
func TestItems(t *testing.T) {
	known := golden(t)
	seen, idle := map[string]bool{}, map[string]bool{}
	for by := range workers {
		idle[by] = true
	}
	for _, d := range loadClaims().Documents {
		if d.Title == "" || len(d.Items) == 0 {
			t.Errorf("document %q has title %q and %d items", d.Key, d.Title, len(d.Items))
		}
		for _, i := range d.Items {
			switch {
			case seen[i.ID]:
				t.Errorf("%s: twice", i.ID)
			case !strings.HasPrefix(i.ID, d.Key+"-"):
				t.Errorf("%s: its name does not begin with that of its document, %s", i.ID, d.Key)
			case i.Section == "" || i.Claim == "" || len(i.Printed) == 0:
				t.Errorf("%s: it does not say what is printed, and where", i.ID)
			case i.Seconds <= 0:
				t.Errorf("%s: it does not say how long it takes", i.ID)
			case i.Published == nil && i.Mended == nil && i.Measured == nil:
				t.Errorf("%s: it is not put to the test", i.ID)
			case i.Mended != nil && i.Why == "":
				t.Errorf("%s: something is mended, and it does not say what", i.ID)
			}
			for _, s := range slices.Concat(i.Published, i.Mended, i.Measured) {
				idle[s.By] = false
				for _, group := range s.Show {
					if loadClaims().Groups[group] == nil && s.By != "curve" {
						t.Errorf("%s: no figures are called %q", i.ID, group)
					}
				}
			}
			if _, ok := known[i.ID]; !ok {
				t.Errorf("%s: its figures are not in %s", i.ID, goldenFile)
			}
			seen[i.ID] = true
			delete(known, i.ID)
		}
	}
	for by, none := range idle {
		if none || workers[by] == nil {
			t.Errorf("worker %q: idle %v, known %v", by, none, workers[by] != nil)
		}
	}
	if len(seen) < 60 {
		t.Errorf("%d items, want at least 60", len(seen))
	}
	for id := range known {
		t.Errorf("%s has figures and is no item", id)
	}
}

// TestRefusals: an unknown item is refused by name, a long one until it is asked for.
func TestRefusals(t *testing.T) {
	l := &lab.Lab{Kinds: lab.BuiltIn()}
	if _, err := Run(t.Context(), l, "quiz-box", false); err == nil || !strings.Contains(err.Error(), `"quiz-box"`) ||
		!strings.Contains(err.Error(), "quiz-boxes") {
		t.Errorf("an unknown item: %v", err)
	}
	long := item{ID: "long", Seconds: Longest + 1,
		Measured: []step{{Figures: [][2]string{{"x", "1"}}}}}
	if _, err := long.run(t.Context(), l, long.facts(document{}), false); err == nil ||
		!strings.Contains(err.Error(), "--long") {
		t.Errorf("a long item: %v", err)
	}
	if r, err := long.run(t.Context(), l, long.facts(document{}), true); err != nil ||
		r.Measured.Figures[0].Value != 1 {
		t.Errorf("a long item that is asked for: %v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(done, l, "course-minimax", false); err == nil {
		t.Error("an item runs where its context is done")
	}
}

// TestReadFigures: what claims.json can say of a result, and what it can't.
func TestReadFigures(t *testing.T) {
	two, result := 2, struct {
		N, None *int
		Big     *big.Int
		List    []struct{ X float64 }
		Words   []string
		Empty   string
		Leaves  []float64
	}{Big: big.NewInt(9), List: make([]struct{ X float64 }, 3), Words: []string{"a", "b"}}
	result.N, result.List[1].X = &two, 0.5
	for path, want := range map[string]string{"N": "2", "None": "?", "Big": "9", "List.1.X": "0.5", "List.len": "3",
		"Words": "a b", "Leaves": "none", "1 + N * Big / List.1.X": "54", "N ^ 3 - 1": "7"} {
		got, err := readFigures(&result, [][2]string{{"x", path}})
		if err != nil || len(got) != 1 || got[0].String() != want {
			t.Errorf("%s: %v, %v, want %s", path, got, err, want)
		}
	}
	if got, err := readFigures(&result, [][2]string{{"x", "Empty"}}); err != nil || len(got) != 0 {
		t.Errorf("no words: %v, %v", got, err)
	}
	for _, path := range []string{"M", "N.X", "List.3.X", "List.one", "N % 2", "None + M", "List.1"} {
		if got, err := readFigures(&result, [][2]string{{"x", path}}); err == nil {
			t.Errorf("%s: %v", path, got)
		}
	}
}
