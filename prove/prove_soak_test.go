//go:build soak

package prove_test

import (
	"flag"
	"strconv"
	"strings"
	"testing"

	"oxo/prove"
)

// TestAllCases proves all public cases.
func TestAllCases(t *testing.T) {
	cases(t, 309, func(string, int) bool { return true })
}

var mostMemory = flag.Int("memory", 4, "rows that are proved with more gigabytes are left out; 14 takes all")

// TestTable proves the rows of the table in docs/data/proofs.md.
func TestTable(t *testing.T) {
	rows := table(t)
	for _, row := range rows {
		opt := prove.Options{All: strings.Contains(row[2], "--all")}
		if _, size, ok := strings.Cut(row[2], "--memory "); ok {
			gigabytes, err := strconv.Atoi(strings.TrimSuffix(size, "GB"))
			if err != nil {
				t.Fatalf("%s%s: %v", row[1], row[2], err)
			}
			if gigabytes > *mostMemory {
				continue
			}
			opt.Memory = int64(gigabytes) << 30
		}
		climb(t, []rung{{row[1], row[3]}}, opt)
	}
}

// TestTwoWorkers proves with two searches at once.
func TestTwoWorkers(t *testing.T) {
	climb(t, []rung{{"qubic", "first"}, {"mnk:7,7,5", "draw"}, {"mnk:8,4,4", "draw"}},
		prove.Options{Workers: 2, Alone: 1})
}
