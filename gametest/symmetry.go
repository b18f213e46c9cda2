package gametest

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"testing"

	"oxo"
)

// checkSymmetry: the representative of a class stands for itself, has the same
// class size, and the same future up to symmetry.
func (k *kit[P]) checkSymmetry(t testing.TB) {
	for _, p := range k.some(300) {
		c, size := k.g.Canonical(p)
		if c2, size2 := k.g.Canonical(c); c2 != c || size2 != size {
			t.Fatalf("%s: its representative %s (class of %d) has the representative %s (class of %d)",
				k.g.Format(p), k.g.Format(c), size, k.g.Format(c2), size2)
		}
		// The size of an orbit divides the order of the group.
		if size == 0 || new(big.Int).Mod(k.g.Symmetries, new(big.Int).SetUint64(size)).Sign() != 0 {
			t.Fatalf("%s: class of %d, which does not divide the %v symmetries", k.g.Format(p), size, k.g.Symmetries)
		}
		if c == p {
			continue
		}
		if fault := k.differ(p, c); fault != "" {
			t.Fatalf("%s and its representative %s differ: %s", k.g.Format(p), k.g.Format(c), fault)
		}
	}
	k.checkSymmetries(t)
}

// checkSymmetries: the sizes of classes, of which each divides the number of symmetries, show no smaller number that
// all of them divide, such as where a position that no symmetry keeps has one member for each; unless the game
// says that no position shows them all.
func (k *kit[P]) checkSymmetries(t testing.TB) {
	least := big.NewInt(1) // the least common multiple
	for _, p := range k.sample {
		_, n := k.g.Canonical(p)
		size := new(big.Int).SetUint64(n)
		common := new(big.Int).GCD(nil, nil, least, size)
		least.Mul(least, size.Quo(size, common))
	}
	if !k.hidden && k.g.Symmetries.Cmp(least) > 0 {
		t.Fatalf("Symmetries is %v, but the classes of %d positions show %v: where every position is kept by "+
			"a symmetry, say HiddenSymmetries", k.g.Symmetries, len(k.sample), least)
	}
}

// class is a class of positions that one ply can lead to, and how likely chance is to do so, in units of 10⁻¹²;
// whole numbers, so that rounding makes no two odds differ.
type class[P oxo.Position[P]] struct {
	rep  P
	odds float64
}

// differ says where the futures of two positions differ, looking two plies ahead, or "". Positions of one class
// must not differ.
func (k *kit[P]) differ(p, q P) string {
	switch {
	case p.Outcome() != q.Outcome():
		return fmt.Sprintf("outcomes %v and %v", p.Outcome(), q.Outcome())
	case p.Turn() != q.Turn():
		return fmt.Sprintf("turns of %v and %v", p.Turn(), q.Turn())
	case p.Outcome() != oxo.Ongoing && k.g.PayoffToFirst(p) != k.g.PayoffToFirst(q):
		return fmt.Sprintf("payoffs %v and %v", k.g.PayoffToFirst(p), k.g.PayoffToFirst(q))
	case Perft(p, 1) != Perft(q, 1):
		return fmt.Sprintf("%d moves and %d", Perft(p, 1), Perft(q, 1))
	case !maps.Equal(k.nextClasses(p), k.nextClasses(q)):
		return "their moves lead to different classes"
	case Perft(p, 2) != Perft(q, 2):
		return fmt.Sprintf("%d sequences of two moves and %d", Perft(p, 2), Perft(q, 2))
	}
	return ""
}

// nextClasses counts the classes of the positions after p, with the odds of chance. A class is counted once for
// each move that leads to it.
func (k *kit[P]) nextClasses(p P) map[class[P]]int {
	next := map[class[P]]int{}
	for _, m := range p.Moves(nil) {
		c := class[P]{rep: k.g.Representative(p.Play(m))}
		if p.Turn() == oxo.Chance {
			c.odds = math.Round(k.g.Odds(p, m) * 1e12)
		}
		next[c]++
	}
	return next
}

// maxEnumerated bounds the positions that checkClasses looks at.
const maxEnumerated = 3000

// checkClasses: all positions that can be reached within some number of plies
// are whole classes, as a symmetry keeps the start and the distance from it;
// so each class has as many of them as Canonical says.
func (k *kit[P]) checkClasses(t testing.TB) {
	members, sizes := map[P]uint64{}, map[P]uint64{}
	for _, p := range k.reached() {
		c, size := k.g.Canonical(p)
		if other, ok := sizes[c]; ok && other != size {
			t.Fatalf("%s: class of %d, but another member says %d", k.g.Format(p), size, other)
		}
		sizes[c] = size
		members[c]++
	}
	// All members of a class were reached, so they are as many as it has.
	for c, size := range sizes {
		if members[c] != size {
			t.Fatalf("%s: class of %d, but %d positions have it as representative", k.g.Format(c), size, members[c])
		}
	}
}

// reached returns all positions at distances 0, 1, 2, … from the start, up to the last distance that keeps within
// maxEnumerated, 1 at least. They come in the order of their distance.
func (k *kit[P]) reached() []P {
	seen := map[P]bool{k.g.Start: true}
	all := []P{k.g.Start}
	for from := 0; from < len(all); {
		// all[from:end] are the positions at one distance; what they lead to for the first time is one ply further.
		end := len(all)
		for _, p := range all[from:end] {
			for _, m := range p.Moves(nil) {
				if q := p.Play(m); !seen[q] {
					seen[q] = true
					all = append(all, q)
				}
			}
			if len(all) > maxEnumerated && from > 0 {
				return all[:end]
			}
		}
		from = end
	}
	return all
}
