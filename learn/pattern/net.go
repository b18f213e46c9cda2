package pattern

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"oxo"
	"oxo/board"
)

// Net makes a worth between -1, a loss, and 1, a win, of what tuples hold after a side
// has moved. Each row of the tables is a vector; those that stand on the board are added
// up, the sum goes through hidden layers, and the worth is tanh of what comes out.
// Without hidden layers rows are one number each, and the net is a weighted sum of what
// the tuples hold.
//
// Weights are fitted by gradient descent on the cross-entropy of the odds of a win,
// (1 + worth)/2, each step divided by the root of the squares of its weight's gradients
// so far (Duchi, Hazan and Singer, "Adaptive subgradient methods", Journal of Machine
// Learning Research 12, 2011), so that steps fall by themselves. The weights of a row
// have one such sum.
//
// The weights of rows are whole multiples of 2⁻³⁰, so that they add up to the same in
// whatever order, and a sum that was changed row by row is the sum added up anew.
type Net struct {
	tuples *Tuples
	apart  bool  // the sides have rows of their own
	widths []int // of the vectors, then of each hidden layer
	rows   int   // of all tables

	weights []float64 // rows, then what is added to the sum of each side, then each layer
	squares []float64 // of gradients: of each row, then of each weight behind the rows
	changes uint64    // how often weights have been changed

	judge *Judge // of learning
	acts  [][]float64
	errs  [][]float64
	codes []int32
}

// Shape says what a net is made of: whether sides have tables of their own, and how
// many numbers each layer has, vectors first; none is a weighted sum.
type Shape struct {
	Apart  bool
	Layers []int
}

// mostWeights is the most weights of a net: a brain of so many takes 170 MB.
const mostWeights = 8_000_000

// NewNet returns a net that knows nothing; r breaks the tie between its units. It refuses
// one of too many weights.
func NewNet(t *Tuples, shape Shape, r *rand.Rand) (*Net, error) {
	n := unweightedNet(shape, t.Rows)
	n.tuples = t
	if err := n.checkSize(t.Name); err != nil {
		return nil, err
	}
	size := n.weightCount()
	n.weights = make([]float64, size)
	n.squares = make([]float64, n.rows+size-n.rows*n.widths[0])
	for i := range n.squares {
		n.squares[i] = 1
	}
	if n.hidden() {
		n.initWeights(r)
	}
	for k := range n.widths {
		n.acts = append(n.acts, make([]float64, n.widths[k]))
		n.errs = append(n.errs, make([]float64, n.widths[k]))
	}
	n.codes = make([]int32, t.Len())
	n.judge = n.Judge()
	return n, nil
}

// unweightedNet returns a net without weights, for tables of so many rows; with rows twice as many where the sides have
// their own.
func unweightedNet(shape Shape, rows int) *Net {
	n := &Net{apart: shape.Apart, widths: shape.Layers, rows: rows}
	if n.apart {
		n.rows *= 2
	}
	if len(n.widths) == 0 {
		n.widths = []int{1}
	}
	return n
}

// weightCount is the number of a net's weights: a vector for each row and for each side, and in each layer behind them
// a number for each that goes in and one more, for each that comes out.
func (n *Net) weightCount() int {
	size := (n.rows + 2) * n.widths[0]
	if n.hidden() {
		for k, in := range n.widths {
			size += n.outputWidth(k) * (in + 1)
		}
	}
	return size
}

// Bytes returns about how much memory the net takes, with its tuples' tables.
func (n *Net) Bytes() int64 {
	return int64(8*(len(n.weights)+len(n.squares)) + 4*(len(n.tuples.from)+len(n.tuples.row)))
}

// CheckNetSize returns why there is no net of those tuples and that shape, nil where there is one. It
// makes tables only where there may be too many weights.
func CheckNetSize(b *board.Board, kinds string, share Sharing, shape Shape) error {
	t, err := listTuples(b, kinds)
	if err != nil || unweightedNet(shape, t.Codes).checkSize(kinds) == nil {
		return err
	}
	if t, err = NewTuples(b, kinds, share); err != nil {
		return err
	}
	return unweightedNet(shape, t.Rows).checkSize(kinds)
}

// checkSize returns an error where the net has too many weights.
func (n *Net) checkSize(tupleNames string) error {
	if n.weightCount() <= mostWeights {
		return nil
	}
	return fmt.Errorf("a net of %d weights, for %d contents of tuples=%s: at most %d can be learned", n.weightCount(),
		n.rows, tupleNames, mostWeights)
}

// hidden reports whether there is a layer behind the sum.
func (n *Net) hidden() bool { return n.widths[0] > 1 || len(n.widths) > 1 }

// outputWidth returns how many numbers come out of layer k, counted from the vectors' sum.
func (n *Net) outputWidth(k int) int {
	if k+1 < len(n.widths) {
		return n.widths[k+1]
	}
	return 1
}

// initWeights draws first weights such that what comes out of each layer is about as large
// as what went in.
func (n *Net) initWeights(r *rand.Rand) {
	draw := func(list []float64, size float64) {
		for i := range list {
			list[i] = size * (2*r.Float64() - 1)
		}
	}
	sums := n.weights[:n.layerOffset(0)]
	draw(sums, math.Sqrt(1/float64(n.tuples.Len())))
	for i, w := range sums {
		sums[i] = wholly(w)
	}
	for k, in := range n.widths {
		w := n.weights[n.layerOffset(k):]
		draw(w[:n.outputWidth(k)*in], math.Sqrt(3/float64(in)))
	}
}

// layerOffset returns where the weights of layer k begin: out rows of one number for each that
// goes in, and then one for each that comes out.
func (n *Net) layerOffset(k int) int {
	at := (n.rows + 2) * n.widths[0]
	for i, in := range n.widths[:k] {
		at += n.outputWidth(i) * (in + 1)
	}
	return at
}

// wholly rounds to a whole multiple of 2⁻³⁰, as a number so much larger has no smaller
// digits.
func wholly(w float64) float64 {
	const large = 3 << 21
	return w + large - large
}

// mostWeight is the most that a weight may come to. Sums of thousands are still exact.
const mostWeight = 1000

// vector returns the weights of a row.
func (n *Net) vector(row int32) []float64 {
	w := n.widths[0]
	return n.weights[int(row)*w : (int(row)+1)*w]
}

// marksAsSeen returns marks, and the squares that they can fall to, as the tables of a seat that has moved see them,
// and where its rows begin. Where both sides have the same rows, marks[0] is that of the seat that has moved.
func (n *Net) marksAsSeen(x, o board.Set, seat oxo.Seat) (marks [3]board.Set, firstRow int32) {
	if g := n.tuples.classes; g != nil {
		x, o, _, _ = g.Canonical(x, o, board.Set{})
	}
	marks = [3]board.Set{x, o, n.tuples.landingSquares(x, o)}
	switch {
	case seat == oxo.First:
	case n.apart:
		firstRow = int32(n.tuples.Rows)
	default:
		marks[0], marks[1] = o, x
	}
	return marks, firstRow
}

// bend is the activation of hidden layers, between -1 and 1; it needs no exponential function, as tanh does.
// bend is the activation, x/(1 + |x|), and slope its derivative where it is y.
func bend(x float64) float64 { return x / (1 + math.Abs(x)) }

func slope(y float64) float64 { y = 1 - math.Abs(y); return y * y }

// forward returns what comes out of the layers for the sum of vectors in acts[0], which
// it bends, before tanh.
func (n *Net) forward(acts [][]float64) float64 {
	if !n.hidden() {
		return acts[0][0]
	}
	at := (n.rows + 2) * n.widths[0]
	for k, in := range n.widths {
		x, out := acts[k], n.outputWidth(k)
		for i, v := range x {
			x[i] = bend(v)
		}
		weights, bias := n.weights[at:at+out*in], n.weights[at+out*in:]
		if k+1 == len(n.widths) {
			return dot(bias[0], weights, x)
		}
		to, j := acts[k+1], 0
		for ; j+4 <= out; j += 4 { // four sums at once: none waits for another
			a, b := weights[j*in:][:len(x)], weights[(j+1)*in:][:len(x)]
			c, d := weights[(j+2)*in:][:len(x)], weights[(j+3)*in:][:len(x)]
			s, t, u, v := bias[j], bias[j+1], bias[j+2], bias[j+3]
			for i, y := range x {
				s, t, u, v = s+a[i]*y, t+b[i]*y, u+c[i]*y, v+d[i]*y
			}
			to[j], to[j+1], to[j+2], to[j+3] = s, t, u, v
		}
		for ; j < out; j++ {
			to[j] = dot(bias[j], weights[j*in:(j+1)*in], x)
		}
		at += out * (in + 1)
	}
	return 0
}

// dot returns sum and the products of weights and x added up.
func dot(sum float64, weights, x []float64) float64 {
	for i, w := range weights {
		sum += w * x[i]
	}
	return sum
}

// Learn takes a step of that size from what the position is thought worth to the seat that has moved to it toward
// target, from -1 to 1. The weights of hidden layers take steps of a tenth of that. Every judge of the net notices
// that it has changed.
func (n *Net) Learn(x, o board.Set, seat oxo.Seat, target, step float64) {
	marks, from := n.marksAsSeen(x, o, seat)
	n.tuples.setCodes(marks, n.codes)
	n.judge.sumVectors(n.codes, from, seat, n.acts[0])
	// The slope of the cross-entropy with what goes into tanh is the difference of the two worths.
	surprise := math.Tanh(n.forward(n.acts)) - target
	if n.hidden() {
		n.backward(surprise, step/10)
	} else {
		n.errs[0][0] = surprise
	}
	width := n.widths[0]
	own := n.errs[0]
	norm := 0.0
	for _, e := range own {
		norm += e * e
	}
	norm /= float64(width)
	each := step / float64(n.tuples.Len())
	for _, code := range n.codes {
		row := n.tuples.row[code]
		if row == none {
			continue
		}
		row += from
		n.squares[row] += norm
		rate := each / math.Sqrt(n.squares[row])
		v := n.vector(row)
		for i, e := range own[:len(v)] {
			v[i] = wholly(v[i] - rate*e)
		}
	}
	bias := (n.rows + int(seat)) * width
	for i, e := range own {
		n.adagradStep(bias+i, e, each)
		n.weights[bias+i] = wholly(n.weights[bias+i])
	}
	n.changes++
}

// adagradStep takes a step of a weight behind the rows against its gradient.
func (n *Net) adagradStep(i int, gradient, step float64) {
	square := &n.squares[n.rows+i-n.rows*n.widths[0]]
	*square += gradient * gradient
	n.weights[i] -= step * gradient / math.Sqrt(*square)
}

// backward leaves in errs[0] how the loss changes with the sum of vectors, and takes the
// layers' steps; acts are bent.
func (n *Net) backward(surprise, step float64) {
	last := []float64{surprise}
	for k := len(n.widths) - 1; k >= 0; k-- {
		in, at := n.widths[k], n.layerOffset(k)
		own := n.errs[k]
		clear(own)
		for j, e := range last {
			for i, v := range n.acts[k] {
				own[i] += e * n.weights[at+j*in+i]
				n.adagradStep(at+j*in+i, e*v, step)
			}
			n.adagradStep(at+len(last)*in+j, e, step)
		}
		for i, v := range n.acts[k] {
			own[i] *= slope(v)
		}
		last = own
	}
}

// Row is what a row of the tables stands for: contents of a tuple, one of those that share it, once a seat has
// moved; of nets whose sides are alike, First. Vector is the net's own, which changes as it learns.
type Row struct {
	Squares, X, O board.Set
	Reach         board.Set // squares without a mark that one can fall to, where the tuple tells them apart
	Seat          oxo.Seat
	Vector        []float64
}

// Table lists the rows, in the order of their numbers. A row that several contents share is shown by the first of
// them.
func (n *Net) Table() []Row {
	t := n.tuples
	list := make([]Row, n.rows)
	for k, squares := range t.squares {
		for code := range t.codeCount(k) {
			row := t.row[t.from[k]+code]
			if row == none || list[row].Vector != nil {
				continue
			}
			r := Row{Squares: board.SetOf(squares...)}
			marks := t.marksOfCode(k, code)
			r.X, r.O, r.Reach = marks[0], marks[1], marks[2]
			for at := row; int(at) < n.rows; at += int32(t.Rows) {
				list[at], list[at].Vector = r, n.vector(at)
				r.Seat++
			}
		}
	}
	return list
}

// CountRows sets x to how often each row, and what is added to the sum of each side, stands in a position
// that seat has moved to.
func (n *Net) CountRows(first, second board.Set, seat oxo.Seat, x []float64) {
	clear(x)
	marks, from := n.marksAsSeen(first, second, seat)
	n.tuples.setCodes(marks, n.codes)
	for _, code := range n.codes {
		if row := n.tuples.row[code]; row != none {
			x[from+row]++
		}
	}
	x[n.rows+int(seat)] = 1
}

// WorthAlone returns what a row would say if nothing else were on the board: by how much the worth
// to the row's seat differs from that of an empty board.
func (n *Net) WorthAlone(r Row) float64 {
	worth := func(vector []float64) float64 {
		sum := n.acts[0]
		copy(sum, n.vector(int32(n.rows)+int32(r.Seat)))
		if vector != nil {
			addVector(sum, vector)
		}
		return math.Tanh(n.forward(n.acts))
	}
	return worth(r.Vector) - worth(nil)
}

// Check returns an error where a weight is not a number any more, or absurdly large.
func (n *Net) Check() error {
	if slices.ContainsFunc(n.weights, func(w float64) bool { return !(math.Abs(w) < mostWeight) }) {
		return errors.New("the weights have run off to infinity")
	}
	return nil
}

// Saved is a net as it is kept: its weights and the squares of their gradients, each
// eight bytes, the least significant first (IEEE 754).
type Saved struct {
	Rows    int    `json:"rows"` // of all tables
	Weights []byte `json:"weights"`
	Squares []byte `json:"squares"`
}

// Save returns what Load brings back.
func (n *Net) Save() Saved { return Saved{n.rows, packFloats(n.weights), packFloats(n.squares)} }

// Load brings back a net of the same tuples and shape. It refuses another and numbers
// that are none.
func (n *Net) Load(s Saved) error {
	if s.Rows != n.rows {
		return fmt.Errorf("its tables have %d rows, not %d", s.Rows, n.rows)
	}
	weights, squares := make([]float64, len(n.weights)), make([]float64, len(n.squares))
	if err := unpackFloats(s.Weights, weights, "weights", -mostWeight, mostWeight); err != nil {
		return err
	}
	if err := unpackFloats(s.Squares, squares, "squares of gradients", 1, 1e300); err != nil {
		return err
	}
	for i, w := range weights[:n.layerOffset(0)] {
		weights[i] = wholly(w)
	}
	n.weights, n.squares = weights, squares
	n.changes++
	return nil
}

// packFloats writes numbers as eight bytes each.
func packFloats(list []float64) []byte {
	data := make([]byte, 0, 8*len(list))
	for _, x := range list {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}

// unpackFloats reads as many numbers as list has, each within those bounds.
func unpackFloats(data []byte, list []float64, what string, least, most float64) error {
	if len(data) != 8*len(list) {
		return fmt.Errorf("it has %d bytes of %s, not %d", len(data), what, 8*len(list))
	}
	for i := range list {
		list[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
		if !(list[i] >= least && list[i] <= most) {
			return fmt.Errorf("number %d of its %s is %v", i+1, what, list[i])
		}
	}
	return nil
}
