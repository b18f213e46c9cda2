package prove_test

import (
	"bytes"
	"strings"
	"testing"

	"oxo"
	"oxo/prove"
	"oxo/prove/certificate"
)

// inRounds proves a game in rounds of so many searches and returns the result of
// the one that ends it, and all positions that were searched.
func inRounds(t *testing.T, g certificate.Setup, searches int, nodes uint64, all bool) (*prove.Result, uint64) {
	t.Helper()
	var before []string
	total := uint64(0)
	for round := range 100 {
		var found []string
		for place := range searches {
			r := &prove.Round{Place: place, Nodes: nodes << (round / 2)}
			for _, text := range before {
				r.Before = append(r.Before, strings.NewReader(text))
			}
			var out bytes.Buffer
			r.Found = &out
			result, err := prove.Prove(t.Context(), g, prove.Options{Memory: 8 << 20, Round: r, All: all})
			if err != nil {
				t.Fatalf("%s, round %d: %v", g.Spec, round, err)
			}
			total += result.Nodes
			if result.Value != oxo.Ongoing {
				return result, total
			}
			found = append(found, out.String())
		}
		before = append(before, found...)
	}
	t.Fatalf("%s is open after %d positions", g.Spec, total)
	return nil, 0
}

// TestRoundsSequential proves games in rounds of several searches that share what they
// find, compares them with a single search, and has the proofs checked.
func TestRoundsSequential(t *testing.T) {
	for _, spec := range []string{"mnk:4,4,4", "mnk:5,4,4", "mnk:5,5,4", "torus:3,3,3", "mnk:4,4,3+misere",
		"mnk:4,4,4+maker", "mnk:3,3,3+wild", "mnk:4,4,4+gravity"} {
		g := game(t, spec)
		whole, err := prove.Prove(t.Context(), g, prove.Options{Memory: 8 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for searches := 1; searches <= 3; searches++ {
			r, nodes := inRounds(t, g, searches, max(2, whole.Nodes/8), searches == 3)
			if r.Value != whole.Value {
				t.Errorf("%s by %d searches: %v, not %v", spec, searches, r, whole)
			}
			var file bytes.Buffer
			if _, err := r.Proof.WriteTo(&file); err != nil {
				t.Fatal(err)
			}
			if check := check(t, file.Bytes()); !check.OK || check.Value != whole.String() {
				t.Errorf("%s by %d searches: the proof does not hold: %+v", spec, searches, check)
			}
			t.Logf("%s: %d searches, %d positions, alone %d", spec, searches, nodes, whole.Nodes)
		}
	}
}

// TestRoundsRefuse gives a round what is not of it.
func TestRoundsRefuse(t *testing.T) {
	var found bytes.Buffer
	g := game(t, "mnk:5,5,4")
	if r, err := prove.Prove(t.Context(), g,
		prove.Options{Memory: 8 << 20, Round: &prove.Round{Nodes: 100, Found: &found}}); err != nil ||
		r.Value != oxo.Ongoing {
		t.Fatal(r, err)
	}
	for name, text := range map[string]string{"junk": "junk", "nothing": "", "a half": found.String()[:found.Len()/2]} {
		before := &prove.Round{Nodes: 100, Found: &bytes.Buffer{}}
		before.Before = append(before.Before, strings.NewReader(text))
		if r, err := prove.Prove(t.Context(), g, prove.Options{Memory: 8 << 20, Round: before}); err == nil {
			t.Errorf("%s: %v", name, r)
		}
	}
	other := &prove.Round{Nodes: 100}
	other.Before = append(other.Before, &found)
	if r, err := prove.Prove(t.Context(), game(t, "mnk:6,5,4"),
		prove.Options{Memory: 8 << 20, Round: other}); err == nil {
		t.Errorf("another game: %v", r)
	}
}
