package player

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"oxo"
	"oxo/board"
)

// Dense judges moves by a dense neural network whose weights come from a file of somebody
// else's. Its inputs are two numbers a square, 0 or 1: the marks of the side that judges,
// square by square, then those of the other side. A network with one output judges the
// board after a move, for the side that made it, where the game goes on: 1 is won, 0 drawn
// and -1 lost, and a finished board is worth just that. One with an output a square judges
// the moves themselves. It plays the move judged best, and draws among equals.
type Dense[P oxo.Position[P]] struct {
	layers []denseLayer
	tanh   bool // between layers; else a hidden unit is never below 0
}

// denseLayer has a row of weights and a bias for each of its units.
// The weights of unit j begin at j times the number of units before the layer.
type denseLayer struct{ weights, biases []float64 }

// denseHeader is the first line of the file: JSON.
type denseHeader struct {
	Game       string `json:"game"`
	Layers     []int  `json:"layers"`     // units, of the inputs first
	Activation string `json:"activation"` // of hidden layers: relu, which it is where nothing is said, or tanh
}

// The largest networks.
const (
	// They bound the memory and the time that a file of somebody else can ask for.
	mostDenseLayers = 10
	mostDenseUnits  = 4096
)

// ReadDense reads a network for game g: a line of JSON, then for each layer the weights,
// a row for each of its units, and then the biases, as 32-bit floating point numbers,
// little-endian. The error says what is wrong with the file.
// They are kept, and summed up, with 64 bits.
func ReadDense[P oxo.Position[P]](g *oxo.Game[P], data []byte) (*Dense[P], error) {
	view, ok := any(g.Start).(board.Positional)
	if !ok {
		return nil, fmt.Errorf("a dense net sees marks on squares: the kind of %s is no kind.Positional", g.Spec)
	}
	if view.Rules().Place != board.Own {
		return nil, fmt.Errorf("a dense net sees two sides' marks on squares, which %s has not", g.Spec)
	}
	line, rest, found := bytes.Cut(data, []byte("\n"))
	var h denseHeader
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&h); err != nil || !found {
		return nil, fmt.Errorf("a dense net begins with a line of JSON such as %s: %w",
			`{"game": "mnk:3,3,3", "layers": [18, 32, 1]}`, err)
	}
	squares := view.Board().N
	if err := h.check(g.Spec, squares); err != nil {
		return nil, err
	}
	d := &Dense[P]{tanh: h.Activation == "tanh"}
	need := 0
	for i, units := range h.Layers[1:] {
		need += units * (h.Layers[i] + 1)
	}
	if len(rest) != 4*need {
		return nil, fmt.Errorf("layers %v have %d weights and biases, %d bytes: %d bytes follow the first line",
			h.Layers, need, 4*need, len(rest))
	}
	numbers := make([]float64, need)
	for i := range numbers {
		numbers[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:])))
		if math.IsNaN(numbers[i]) || math.IsInf(numbers[i], 0) {
			return nil, fmt.Errorf("weight %d is %v: finite numbers are read", i+1, numbers[i])
		}
	}
	for i, units := range h.Layers[1:] {
		n := units * h.Layers[i]
		d.layers = append(d.layers, denseLayer{numbers[:n], numbers[n : n+units]})
		numbers = numbers[n+units:]
	}
	return d, d.checkOverflow()
}

// checkOverflow refuses a network that can come to what is no finite number: then no move would be judged best. No
// unit is larger than the sum of its weights' and its bias's sizes, times the largest unit before it.
func (d *Dense[P]) checkOverflow() error {
	largest := 1.0 // of the inputs
	for i, layer := range d.layers {
		before := largest
		largest = 0
		for j, bias := range layer.biases {
			sum := math.Abs(bias)
			inputs := len(layer.weights) / len(layer.biases)
			for _, w := range layer.weights[j*inputs:][:inputs] {
				sum += math.Abs(w) * before
			}
			largest = max(largest, sum)
		}
		if math.IsInf(largest, 1) {
			return fmt.Errorf("the units of layer %d can come to more than any finite number", i+1)
		}
		if d.tanh {
			largest = min(largest, 1)
		}
	}
	return nil
}

// check returns what is wrong with a header for the game on so many squares, or nil.
func (h *denseHeader) check(game string, squares int) error {
	last := len(h.Layers) - 1
	switch {
	case h.Game != game:
		return fmt.Errorf("game %q: the net is asked to play %s, and has to say just that", h.Game, game)
	case h.Activation != "" && h.Activation != "relu" && h.Activation != "tanh":
		return fmt.Errorf("activation %q: there are relu and tanh", h.Activation)
	case last < 1 || last > mostDenseLayers:
		return fmt.Errorf("layers %v: 2 to %d numbers of units are read", h.Layers, mostDenseLayers+1)
	case h.Layers[0] != 2*squares:
		return fmt.Errorf("%d inputs: %s has %d squares, which are %d inputs", h.Layers[0], game, squares, 2*squares)
	case h.Layers[last] != 1 && h.Layers[last] != squares:
		return fmt.Errorf("%d outputs: 1 for the board after a move, or %d, one a square", h.Layers[last], squares)
	}
	for _, units := range h.Layers[1:] {
		if units < 1 || units > mostDenseUnits {
			return fmt.Errorf("a layer of %d units: 1 to %d are read", units, mostDenseUnits)
		}
	}
	return nil
}

// Policy spreads over the moves that the network judges best.
// With one output the network is asked once for each legal move after which play
// goes on, with an output a square once in all.
func (d *Dense[P]) Policy(p P, moves []oxo.Move, probs []float64) {
	scores := make([]float64, len(moves))
	if len(d.layers[len(d.layers)-1].biases) == 1 {
		for i, m := range moves {
			next := p.Play(m)
			if o := next.Outcome(); o != oxo.Ongoing {
				scores[i] = float64(o.Value(p.Turn()))
			} else {
				scores[i] = d.networkOutputs(next, p.Turn())[0]
			}
		}
	} else {
		bySquare := d.networkOutputs(p, p.Turn())
		for i, m := range moves {
			scores[i] = bySquare[m]
		}
	}
	spreadOverBest(scores, probs)
}

// networkOutputs returns what the network says of p to a seat.
// It is plain matrix by vector, with one new slice a layer: nets of others are asked for moves, not in a search.
func (d *Dense[P]) networkOutputs(p P, seat oxo.Seat) []float64 {
	view := any(p).(board.Positional)
	own, other := view.Marks()
	if seat == oxo.Second {
		own, other = other, own
	}
	n := view.Board().N
	units := make([]float64, 2*n)
	for s := range n {
		if own.Has(s) {
			units[s] = 1
		}
		if other.Has(s) {
			units[n+s] = 1
		}
	}
	for i, layer := range d.layers {
		next := make([]float64, len(layer.biases))
		for j := range next {
			sum := layer.biases[j]
			for k, u := range units {
				sum += u * layer.weights[j*len(units)+k]
			}
			switch {
			case i == len(d.layers)-1:
			case d.tanh:
				sum = math.Tanh(sum)
			default:
				sum = max(0, sum)
			}
			next[j] = sum
		}
		units = next
	}
	return units
}
