package eval

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"oxo"
	"oxo/games/ultimate"
)

// A Net is a learned evaluation of games on nine boards. It sees a position
// with the eyes of the side to move: each board is a set of features of its own
// and the other side's marks, some features for its being closed, and whether
// the next move may be on it. A layer of hidden units adds up the weights of the
// features of all boards; the units' positive parts, weighted, are the
// logarithm of the odds of winning.
//
// Every unit looks at the position in each of the eight ways in which a square
// can be laid down, with the same weights, so that symmetric positions are
// worth the same.
type Net struct {
	In      [netSets][9][netFeatures][netUnits]float32
	Any     [netUnits]float32 // added where the next move may be on any board
	Bias    [netUnits]float32
	Out     [netUnits]float32
	OutBias float32
}

const (
	netUnits    = 8
	netFeatures = 61
	netSets     = 2 // boards that the next move can't be on, and those it may be on
)

// The features of a closed board, after those of open ones.
const (
	ownBoard = 58 + iota
	theirBoard
	deadBoard
)

// boardFeatures appends the features of a board that is not closed to buf: own
// and their are the cells that the side to move and the other side have
// marked.
//
//	0  own marks, by cell            36 lines with one own mark and nothing else
//	9  their marks                   44 lines with one mark of theirs
//	18 cells that win it for us      52 one cell or more, two or more win it for us
//	27 cells that win it for them    54 the same for them
//	                                 56 no line is left for us, for them
func boardFeatures(own, their uint16, buf []uint8) []uint8 {
	for side, cells := range [2]uint16{own, their} {
		other := own ^ their ^ cells
		wins, open := uint16(0), false
		for l, row := range rowsOf3 {
			if row&other != 0 {
				continue
			}
			open = true
			switch bits.OnesCount16(row & cells) {
			case 1:
				buf = append(buf, uint8(36+8*side+l))
			case 2:
				wins |= row &^ cells
			}
		}
		for c := range 9 {
			if cells>>c&1 != 0 {
				buf = append(buf, uint8(9*side+c))
			}
			if wins>>c&1 != 0 {
				buf = append(buf, uint8(18+9*side+c))
			}
		}
		if wins != 0 {
			buf = append(buf, uint8(52+2*side))
		}
		if wins&(wins-1) != 0 {
			buf = append(buf, uint8(53+2*side))
		}
		if !open {
			buf = append(buf, uint8(56+side))
		}
	}
	return buf
}

// nineBoards is a position as a net sees it.
type nineBoards struct {
	cells  [9][2]uint16 // own and their marks, on each board
	closed [9]uint8     // 0, or the feature of a closed board
	here   uint16       // the boards that the next move may be on
	any    bool         // the next move may be on any board
}

// seen returns p with the eyes of the side to move.
func seen(p ultimate.Pos) nineBoards {
	me := p.Turn()
	them := me.Other()
	n := nineBoards{here: 1<<9 - 1, any: true}
	if a := p.Active(); a >= 0 {
		n.here, n.any = 1<<a, false
	}
	for b := range 9 {
		switch bit := uint16(1) << b; {
		case p.Owned(me)&bit != 0:
			n.closed[b] = ownBoard
		case p.Owned(them)&bit != 0:
			n.closed[b] = theirBoard
		case p.Closed()&bit != 0:
			n.closed[b] = deadBoard
		default:
			n.cells[b] = [2]uint16{p.Cells(me, b), p.Cells(them, b)}
		}
	}
	return n
}

// The eight ways to lay down a square: layout[s][c] is where cell c comes to
// lie, and laid[s][cells] where a set of cells does.
var layout, laid = ultimate.Moved, ultimate.Turned

// sums adds up the weights of the features of n, laid down in way s, for each
// hidden unit.
func (t *Net) sums(n *nineBoards, s int) (sum [netUnits]float32) {
	sum = t.Bias
	if n.any {
		addTo(&sum, &t.Any)
	}
	var buf [netFeatures]uint8
	for b := range 9 {
		in := &t.In[n.here>>b&1][layout[s][b]]
		if n.closed[b] != 0 {
			addTo(&sum, &t.In[0][layout[s][b]][n.closed[b]])
			continue
		}
		for _, f := range boardFeatures(laid[s][n.cells[b][0]], laid[s][n.cells[b][1]], buf[:0]) {
			addTo(&sum, &in[f])
		}
	}
	return sum
}

func addTo(sum, v *[netUnits]float32) {
	for k := range sum {
		sum[k] += v[k]
	}
}

// odds returns the logarithm of the odds that the side to move wins.
func (t *Net) odds(n *nineBoards) float64 {
	score := float64(t.OutBias)
	for s := range 8 {
		for k, v := range t.sums(n, s) {
			score += float64(t.Out[k] * max(0, v))
		}
	}
	return score
}

// Judge returns what p, which is not over, is worth to First. It is the slow
// and plain form of what the evaluation "net" does.
func (t *Net) Judge(p ultimate.Pos) float64 {
	n := seen(p)
	return worth(p.Turn(), t.odds(&n))
}

// worth turns the mover's odds into a worth to First, within (-1, 1).
func worth(turn oxo.Seat, odds float64) float64 {
	v := math.Tanh(max(-maxOdds, min(maxOdds, odds)) / 2)
	if turn == oxo.Second {
		return -v
	}
	return v
}

const maxOdds = 12

// Write writes the net in binary form, which [ReadNet] reads.
func (t *Net) Write(w io.Writer) error { return binary.Write(w, binary.LittleEndian, t) }

// ReadNet reads a net. It refuses one with a weight that is not a small number.
func ReadNet(r io.Reader) (*Net, error) {
	t := new(Net)
	if err := binary.Read(r, binary.LittleEndian, t); err != nil {
		return nil, fmt.Errorf("a net has %d bytes: %w", binary.Size(t), err)
	}
	if n, _ := r.Read(make([]byte, 1)); n > 0 {
		return nil, fmt.Errorf("a net has %d bytes, and there are more", binary.Size(t))
	}
	sound := true
	t.each(func(w *float32) { sound = sound && *w > -1000 && *w < 1000 })
	if !sound {
		return nil, errors.New("a weight of the net is not a number between -1000 and 1000")
	}
	return t, nil
}

// each calls f with every weight, in the order of the file.
func (t *Net) each(f func(w *float32)) {
	for s := range t.In {
		for b := range t.In[s] {
			for i := range t.In[s][b] {
				for k := range t.In[s][b][i] {
					f(&t.In[s][b][i][k])
				}
			}
		}
	}
	for _, v := range []*[netUnits]float32{&t.Any, &t.Bias, &t.Out} {
		for k := range v {
			f(&v[k])
		}
	}
	f(&t.OutBias)
}
