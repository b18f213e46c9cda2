package roam

import (
	"testing"

	"oxo/gametest"
)

func TestConformance(t *testing.T) { gametest.Run(t, New()) }

func TestKind(t *testing.T) { gametest.RunKind(t, Kind) }

func FuzzParse(f *testing.F) { gametest.Fuzz(f, New()) }

// TestReached: just the positions that games lead to are read.
func TestReached(t *testing.T) {
	seen := map[Pos]bool{{}: true}
	for open := []Pos{{}}; len(open) > 0; {
		p := open[0]
		open = open[1:]
		for _, m := range p.Moves(nil) {
			if q := p.Play(m); !seen[q] {
				seen[q] = true
				open = append(open, q)
			}
		}
	}
	g := New()
	read := 0
	for code := range uint64(1 << 19) {
		if p, ok := g.Decode(code); ok {
			read++
			if !seen[p] {
				t.Fatalf("%s is read, and no game leads there", format(p))
			}
		}
	}
	if read != len(seen) {
		t.Errorf("%d positions are read of %d", read, len(seen))
	}
}
