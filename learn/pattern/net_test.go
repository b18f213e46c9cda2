package pattern

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"oxo"
	"oxo/board"
	"oxo/games/grid"
)

// plainWorth is the slow twin of [Judge.Worth]: every tuple square by square, every
// layer number by number.
func plainWorth(n *Net, on [2]board.Set, seat oxo.Seat) float64 {
	marks, from := n.marksAsSeen(on[0], on[1], seat)
	width := n.widths[0]
	x := make([]float64, width)
	for i := range x {
		x[i] = n.weights[(n.rows+int(seat))*width+i]
	}
	for k, squares := range n.tuples.squares {
		code, digit, counts := 0, 1, [2]int{}
		base := int(n.tuples.base[k])
		for _, square := range squares {
			holds := 0
			for side, set := range marks[:2] {
				if set.Has(square) {
					holds = side + 1
					counts[side]++
				}
			}
			if holds == 0 && base == 4 {
				if under := n.tuples.below[square]; under < 0 || marks[0].Or(marks[1]).Has(under) {
					holds = 3
				}
			}
			code += holds * digit
			digit *= base
		}
		if len(squares) > mostDigits {
			code = counts[0] + counts[1]*(len(squares)+1)
		}
		if row := n.tuples.row[int(n.tuples.from[k])+code]; row != none {
			for i := range x {
				x[i] += n.weights[int(row+from)*width+i]
			}
		}
	}
	if n.hidden() {
		at := (n.rows + 2) * width
		for k := range n.widths {
			y := make([]float64, n.outputWidth(k))
			for j := range y {
				for i, v := range x {
					y[j] += v / (1 + math.Abs(v)) * n.weights[at+j*len(x)+i]
				}
				y[j] += n.weights[at+len(x)*len(y)+j]
			}
			at += (len(x) + 1) * len(y)
			x = y
		}
	}
	return math.Tanh(x[0])
}

// TestJudge: a judge that goes by differences says what all looked up anew says, while
// games go on, leap back, and the net learns in between.
func TestJudge(t *testing.T) {
	for name, b := range boards(t) {
		for kind, n := range nets(t, b) {
			j := n.Judge()
			r := rand.New(rand.NewPCG(1, 1))
			short := 0
			for range 60 {
				marks := draw(b, r.IntN(b.N+1), r)
				for range 4 { // positions a mark or two apart
					for seat := range oxo.Chance {
						near, _ := n.marksAsSeen(marks[0], marks[1], seat)
						b := &j.bases[seat]
						if j.near(b, more(near, b.marks)+more(b.marks, near)) {
							short++
						}
						got, want := j.Worth(marks[0], marks[1], seat), plainWorth(n, marks, seat)
						anew := n.Judge().Worth(marks[0], marks[1], seat)
						if math.Abs(got-want) > 1e-12 || got != anew {
							t.Fatalf("%s, %s, %v: worth %v, want %v", name, kind, marks, got, want)
						}
					}
					i := r.IntN(b.N)
					marks[0], marks[1] = marks[0].Without(i), marks[1].Without(i)
				}
				if r.IntN(10) == 0 {
					n.Learn(marks[0], marks[1], oxo.First, 0.5, 1)
				}
			}
			if short == 0 && kind != "alone" && name != "large" {
				t.Errorf("%s, %s: it never went by a difference", name, kind)
			}
		}
	}
}

// TestGradient: each weight's step is along the derivative of the cross-entropy, taken
// by differences.
func TestGradient(t *testing.T) {
	const target, seat, eps, huge = 0.3, oxo.Second, 1e-5, 1e14
	for name, b := range boards(t) {
		for kind, n := range nets(t, b) {
			marks := draw(b, b.N/2, rand.New(rand.NewPCG(2, 2)))
			loss := func() float64 {
				p, q := (1+plainWorth(n, marks, seat))/2, (1+target)/2
				return -(q*math.Log(p) + (1-q)*math.Log(1-p))
			}
			want := map[int]float64{}
			for _, i := range looked(n, marks, seat) {
				w := n.weights[i]
				n.weights[i] = w + eps
				above := loss()
				n.weights[i] = w - eps
				want[i] = (above - loss()) / (2 * eps)
				n.weights[i] = w
			}
			for i := range n.squares { // so large that this step's gradient adds nothing
				n.squares[i] = huge
			}
			before := append([]float64(nil), n.weights...)
			const step = 1e10
			n.Learn(marks[0], marks[1], seat, target, step)
			for i, want := range want {
				w, rate := n.weights[i], step/math.Sqrt(huge)
				if i < (n.rows+2)*n.widths[0] {
					rate /= float64(n.tuples.Len())
				} else {
					rate /= 10
				}
				if got := (before[i] - w) / rate; math.Abs(got-want) > 1e-6 {
					t.Fatalf("%s, %s, weight %d: gradient %v, by differences %v", name, kind, i, got, want)
				}
			}
		}
	}
}

// looked lists the weights that a position is judged by, and some others.
func looked(n *Net, marks [2]board.Set, seat oxo.Seat) []int {
	width := n.widths[0]
	var list []int
	row := func(row int32) {
		for i := range width {
			list = append(list, int(row)*width+i)
		}
	}
	seen, from := n.marksAsSeen(marks[0], marks[1], seat)
	codes := make([]int32, n.tuples.Len())
	n.tuples.setCodes(seen, codes)
	for _, code := range codes[:min(200, len(codes))] {
		if at := n.tuples.row[code]; at != none {
			row(from + at)
		}
	}
	for at := range min(50, n.rows) {
		row(int32(at))
	}
	for i := n.rows * width; i < len(n.weights); i++ {
		list = append(list, i)
	}
	return list
}

// TestLearns: an example that is taught again and again is believed.
func TestLearns(t *testing.T) {
	for name, b := range boards(t) {
		for kind, n := range nets(t, b) {
			marks := draw(b, 4, rand.New(rand.NewPCG(3, 3)))
			for range 1000 {
				n.Learn(marks[0], marks[1], oxo.First, -0.7, 1)
			}
			if v := n.Judge().Worth(marks[0], marks[1], oxo.First); math.Abs(v+0.7) > 0.05 {
				t.Errorf("%s, %s: worth %v", name, kind, v)
			}
		}
	}
}

// TestSave: a net that was saved and loaded is the same, and learns the same.
func TestSave(t *testing.T) {
	b := boards(t)["3x3"]
	for kind, n := range nets(t, b) {
		marks := draw(b, 4, rand.New(rand.NewPCG(4, 4)))
		n.Learn(marks[0], marks[1], oxo.First, 1, 1)
		twin, err := NewNet(n.tuples, Shape{n.apart, layersOf(n)}, rand.New(rand.NewPCG(9, 9)))
		if err != nil {
			t.Fatal(err)
		}
		if err := twin.Load(n.Save()); err != nil {
			t.Fatal(err)
		}
		for _, m := range []*Net{n, twin} {
			m.Learn(marks[0], marks[1], oxo.First, -1, 1)
		}
		a, c := n.Judge().Worth(marks[0], marks[1], oxo.First), twin.Judge().Worth(marks[0], marks[1], oxo.First)
		if a != c {
			t.Errorf("%s: worth %v, of the one that was loaded %v", kind, a, c)
		}
	}
}

func layersOf(n *Net) []int {
	if n.hidden() {
		return n.widths
	}
	return nil
}

// TestLoadRefuses: nets of another size and numbers that are none are refused, and
// leave the net as it was.
func TestLoadRefuses(t *testing.T) {
	n := nets(t, boards(t)["3x3"])["usual"]
	for want, spoil := range map[string]func(s *Saved){
		"rows, not":                  func(s *Saved) { s.Rows++ },
		"bytes of weights":           func(s *Saved) { s.Weights = s.Weights[:len(s.Weights)-1] },
		"of its weights is NaN":      func(s *Saved) { copy(s.Weights, packFloats([]float64{math.NaN()})) },
		"weights is +Inf":            func(s *Saved) { copy(s.Weights, packFloats([]float64{math.Inf(1)})) },
		"gradients is 0":             func(s *Saved) { copy(s.Squares, packFloats([]float64{0})) },
		"gradients is NaN":           func(s *Saved) { copy(s.Squares, packFloats([]float64{math.NaN()})) },
		"bytes of squares":           func(s *Saved) { s.Squares = nil },
		"number 2 of its weights is": func(s *Saved) { copy(s.Weights, packFloats([]float64{0, -1e7})) },
	} {
		before := n.weights[0]
		s := n.Save()
		spoil(&s)
		if err := n.Load(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if n.weights[0] != before {
			t.Errorf("%s: the net has changed", want)
		}
	}
}

func TestCheck(t *testing.T) {
	n := nets(t, boards(t)["3x3"])["usual"]
	if err := n.Check(); err != nil {
		t.Error(err)
	}
	for _, w := range []float64{math.NaN(), math.Inf(-1), 1e7} {
		if n.weights[3] = w; n.Check() == nil {
			t.Errorf("a weight of %v passes", w)
		}
	}
}

func TestTooLarge(t *testing.T) {
	b, err := grid.New(grid.Shape{Cols: 19, Rows: 13, Run: 5})
	if err != nil {
		t.Fatal(err)
	}
	tuples, err := NewTuples(b, "lines", Orbits)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	if _, err := NewNet(tuples, Shape{true, []int{256}}, r); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("error %v, want one of too many weights", err)
	}
}
