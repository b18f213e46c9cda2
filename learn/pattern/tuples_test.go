package pattern

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
)

func image(g []int, s board.Set) board.Set {
	var t board.Set
	for i := range s.All() {
		t = t.With(g[i])
	}
	return t
}

// TestInvariant: a position and its image under an automorphism are worth the same.
func TestInvariant(t *testing.T) {
	for name, b := range boards(t) {
		for kind, n := range nets(t, b) {
			r := rand.New(rand.NewPCG(1, 2))
			j := n.Judge()
			for range 60 {
				marks := draw(b, r.IntN(b.N+1), r)
				for _, g := range b.Group().Generators() {
					for seat := range oxo.Chance {
						v := j.Worth(marks[0], marks[1], seat)
						w := j.Worth(image(g, marks[0]), image(g, marks[1]), seat)
						if v != w {
							t.Fatalf("%s, %s, %v: worth %v, its image %v", name, kind, marks, v, w)
						}
					}
				}
			}
		}
	}
}

// all lists the automorphisms that generators make.
func all(n int, generators [][]int) [][]int {
	one := make([]int, n)
	for i := range one {
		one[i] = i
	}
	list := [][]int{one}
	for k := 0; k < len(list); k++ {
		for _, g := range generators {
			next := make([]int, n)
			for i, j := range list[k] {
				next[i] = g[j]
			}
			if !slices.ContainsFunc(list, func(h []int) bool { return slices.Equal(h, next) }) {
				list = append(list, next)
			}
		}
	}
	return list
}

// TestOrbits: two contents have the same row where an automorphism carries one to the
// other, and only there.
func TestOrbitsSequentialSequential(t *testing.T) {
	for name, b := range boards(t) {
		if !b.Group().Order().IsInt64() || b.Group().Order().Int64() > 200 {
			continue
		}
		group := all(b.N, b.Group().Generators())
		kinds := "lines+pairs"
		if b.Below != nil {
			kinds += "+reach"
		}
		tuples, err := NewTuples(b, kinds, Orbits)
		if err != nil {
			t.Fatal(err)
		}
		type contents struct {
			base               int32
			tuple, x, o, reach board.Set
		}
		least := func(c contents) contents {
			best := c
			for _, g := range group {
				d := contents{c.base, image(g, c.tuple), image(g, c.x), image(g, c.o), image(g, c.reach)}
				if cmp.Or(d.tuple.Compare(best.tuple), d.x.Compare(best.x), d.o.Compare(best.o),
					d.reach.Compare(best.reach)) < 0 {
					best = d
				}
			}
			return best
		}
		rows := map[contents]int32{}
		classes := map[int32]contents{}
		for k, squares := range tuples.squares {
			for code := range tuples.codeCount(k) {
				c := contents{base: tuples.base[k], tuple: board.SetOf(squares...)}
				for i, square := range squares {
					switch tuples.digit(k, code, i) {
					case 1:
						c.x = c.x.With(square)
					case 2:
						c.o = c.o.With(square)
					case 3:
						c.reach = c.reach.With(square)
					}
				}
				row := tuples.row[tuples.from[k]+code]
				if row == none {
					if b.Below == nil && code != 0 {
						t.Fatalf("%s: %v has no row", name, c)
					}
					continue
				}
				class := least(c)
				if other, ok := rows[class]; ok && other != row {
					t.Fatalf("%s: %v has rows %d and %d", name, class, row, other)
				}
				if other, ok := classes[row]; ok && other != class {
					t.Fatalf("%s: row %d is of %v and of %v", name, row, class, other)
				}
				rows[class], classes[row] = row, class
			}
		}
		if len(rows) != tuples.Rows {
			t.Errorf("%s: %d rows, want %d", name, tuples.Rows, len(rows))
		}
	}
}

// TestKinds: how many tuples and rows there are, counted by hand.
func TestKinds(t *testing.T) {
	list := boards(t)
	for _, c := range []struct {
		board, kinds string
		share        Sharing
		tuples, rows int
	}{
		{"3x3", "squares", Alone, 9, 18},
		{"3x3", "squares", Orbits, 9, 6},            // corner, side, centre
		{"3x3", "lines", Alone, 8, 8 * 26},          // all but the empty one
		{"3x3", "lines", Orbits, 8, 3 * 17},         // edge, middle, diagonal: 18 contents up to reversal, one empty
		{"torus", "squares", Orbits, 16, 2},         // any to any
		{"falls", "reach", Alone, 14, 10*63 + 4*21}, // none above what is empty, on upright lines
		{"large", "lines", Alone, 3, 2*65 + 80},     // ten squares: counts of up to ten marks, 66 with none
	} {
		tuples, err := NewTuples(list[c.board], c.kinds, c.share)
		if err != nil {
			t.Fatal(err)
		}
		if tuples.Len() != c.tuples || tuples.Rows != c.rows {
			t.Errorf("%s of %s: %d tuples, %d rows, want %d and %d", c.kinds, c.board, tuples.Len(), tuples.Rows,
				c.tuples, c.rows)
		}
	}
}

// TestTranslates: on a large board all rows of five in a direction share one table, and
// with those that the group carries to each other two tables are left: straight and
// diagonal.
func TestTranslates(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 9, Rows: 9, Run: 5})
	if err != nil {
		t.Fatal(err)
	}
	own := 2 * (243 + 27 - 2) / 2 // contents up to reversal, but the empty one, of two tables
	for share, want := range map[Sharing]int{Translates: own, Alone: len(b.Lines) * 242} {
		tuples, err := NewTuples(b, "lines", share)
		if err != nil {
			t.Fatal(err)
		}
		if tuples.Rows != want {
			t.Errorf("%d rows, want %d", tuples.Rows, want)
		}
	}
}

func TestRefusedKinds(t *testing.T) {
	list := boards(t)
	for kinds, want := range map[string]string{
		"rows":   `"rows" is no kind of tuple; there are usual, lines, reach, below, pairs, squares`,
		"":       "no kind",
		"lines+": "no kind",
		"below":  "marks don't fall",
		"reach":  "marks don't fall",
	} {
		if _, err := NewTuples(list["3x3"], kinds, Orbits); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", kinds, err, want)
		}
	}
	b, err := grid.New(grid.Shape{Cols: 16, Rows: 16, Run: 4})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewTuples(b, "pairs", Orbits); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("error %v, want one of too many contents", err)
	}
}

// FuzzKinds: any text makes tuples or an error.
func FuzzKinds(f *testing.F) {
	for _, text := range []string{"usual", "lines+pairs", "below+squares", "+", "lines+lines"} {
		f.Add(text)
	}
	b := boards(f)["falls"]
	f.Fuzz(func(t *testing.T, text string) {
		if tuples, err := NewTuples(b, text, Orbits); err == nil && tuples.Rows == 0 {
			t.Errorf("%q makes no rows", text)
		}
	})
}
