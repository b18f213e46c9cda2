package oxo_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// leastTested is how many lines of tests a line of a room's product has at least.
const leastTested = 0.5

// testedTogether says in which room the tests of others stand, which need what is above them
// to say anything: a judge needs games that are open, a store of tables a server.
var testedTogether = map[string]string{
	"board/bitset":          "threats",
	"cluster/blob":          "cluster",
	"cluster/broker":        "cluster",
	"cluster/gate":          "cluster",
	"cluster/view":          "cluster",
	"cluster/monitor":       "cluster",
	"cluster/records":       "cluster",
	"cmd/oxo":               "cmd",
	"engine/process":        "engine",
	"eval/ninenet":          "eval",
	"games/*":               "gametest",
	"gametest/cases":        "gametest",
	"judge":                 "lab",
	"lab/internal/certify":  "lab",
	"lab/internal/falling":  "lab",
	"lab/internal/game":     "lab",
	"lab/internal/learners": "lab",
	"lab/internal/nine":     "lab",
	"lab/internal/opened":   "lab",
	"lab/internal/players":  "lab",
	"lab/internal/typed":    "lab",
	"learn/chart":           "learn",
	"learn/exam":            "learn",
	"learn/model":           "learn",
	"learn/option":          "learn",
	"learn/pattern":         "learn",
	"learn/show":            "learn",
	"learn/space":           "learn",
	"pen":                   "lab/picture",
	"prove":                 "prove/verify",
	"prove/certificate":     "prove/verify",
	"prove/moves":           "prove/verify",
	"prove/pairing":         "prove/verify",
	"puzzle":                "lab",
	"search/mcts":           "search",
	"search/proof":          "search",
	"solve/tiers":           "solve",
	"web/jobs":              "web",
	"web/live":              "web",
	"web/puzzles":           "web",
	"web/service":           "web",
}

// lessTested are the rooms that have fewer tests still, and how many each has at least: what is
// here only rises, and the list only gets shorter.
var lessTested = map[string]float64{
	"board":         .45,
	"cmd":           .36,
	"gametest":      .38,
	"lab":           .36,
	"lab/jobs":      .38,
	"lab/picture":   .19,
	"lab/reproduce": .08,
	"prove/verify":  .48,
	"threats":       .38,
}

// TestTested sees that every room has its share of tests. The scripts of the command line are
// its tests.
func TestTested(t *testing.T) {
	product, tests := map[string]int{}, map[string]int{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if file != "." && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "examples" ||
				name == "testdata" && !strings.HasPrefix(file, "cmd")) {
				return filepath.SkipDir
			}
			return nil
		}
		room, _, _ := strings.Cut(path.Dir(filepath.ToSlash(file)), "/testdata")
		if room = roomOf(room); testedTogether[room] != "" {
			room = testedTogether[room]
		}
		count := tests
		switch {
		case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".txtar"):
		case strings.HasSuffix(name, ".go"):
			count = product
		default:
			return nil
		}
		source, err := os.ReadFile(file)
		count[room] += bytes.Count(source, []byte("\n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range slices.Sorted(maps.Keys(product)) {
		share := float64(tests[room]) / float64(product[room])
		least, listed := lessTested[room]
		switch {
		case !listed && share < leastTested:
			t.Errorf("%s has %d lines of tests for %d of product, %.2f: at least %.1f", room, tests[room],
				product[room], share, leastTested)
		case listed && share < least:
			t.Errorf("%s has %.2f lines of tests for one of product, and had %.2f", room, share, least)
		case listed && share >= leastTested+.05:
			t.Errorf("%s has %.2f lines of tests for one of product: take it off the list", room, share)
		}
	}
	if len(product) < 20 {
		t.Errorf("only %d rooms looked at", len(product))
	}
}
