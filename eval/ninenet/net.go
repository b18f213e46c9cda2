// Package ninenet is the learned net that judges games on nine boards: a [Net] in plain
// form, which a [NetTrainer] teaches, made [Fast] to play.
package ninenet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"

	"oxo"
	"oxo/games/ultimate"
)

// A Net is a learned evaluation of games on nine boards. It sees a position with the eyes of the side to move: each
// board is a set of features of its own and the other side's marks, some features for its being closed, and whether the
// next move may be on it. A layer of hidden units adds up the weights of the features of all boards; the units'
// positive parts, weighted, are the logarithms of the odds of a win and of a loss against a draw, to which what each
// side can still hope for on the big board is added.
//
// Every unit looks at the position in each of the eight ways in which a square can be laid down, with the same weights,
// so that symmetric positions are worth the same.
type Net struct {
	In      [netSets][9][netFeatures][netUnits]float32
	Any     [netUnits]float32 // added where the next move may be on any board
	Bias    [netUnits]float32
	Out     [2][netUnits]float32 // for a win and for a loss of the side to move
	OutBias [2]float32
	Hopes   [netHopes][netHopes][2]float32    // the same, by the hopes of the side to move and of the other side
	Ready   [2][netReady][netHopes][2]float32 // the same, by side, what it is about to win and its hopes
	Rows    rowNet
}

const (
	netUnits    = 8
	netFeatures = 61
	netHopes    = 3 * 4 * 3
	netReady    = 4
	netSets     = 2 // boards that the next move can't be on, and those it may be on
)

// The features of a closed board, after those of open ones.
const (
	ownBoard = 58 + iota
	theirBoard
	deadBoard
)

// boardFeatures appends the features of a board that is not closed to buf: own and their are the cells that the side to
// move and the other side have marked.
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
		for l, row := range ultimate.Rows {
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

// bigBoardHopeClass says how a side stands on the big board, in which it owns some boards and others are barred to it,
// as the other side's or nobody's: how many rows without a barred board have two of its boards, 0, 1 or more, one
// of them, 0 to 3 or more, and none, 0, 1 or 2, or more. It is a number below netHopes.
func bigBoardHopeClass(ownBoards, barredBoards uint16) (class uint8) {
	var rows [4]uint8
	for _, row := range ultimate.Rows {
		if row&barredBoards == 0 {
			rows[bits.OnesCount16(row&ownBoards)]++
		}
	}
	return min(rows[2], 2)*12 + min(rows[1], 3)*3 + min((rows[0]+1)/2, 2)
}

// almostWonRows returns how many rows of boards a side is about to complete, 0, 1, or 2 for more: it owns two of the
// three and can win the third, which is not barred, by a single mark. It returns winsNow if the side is to move and may
// move there, here being the boards that it may move on.
func almostWonRows(ownBoards, barredBoards, winnable, here uint16) (count uint8) {
	n := uint8(0)
	for _, row := range ultimate.Rows {
		if third := row &^ ownBoards; row&barredBoards == 0 && bits.OnesCount16(third) == 1 && third&winnable != 0 {
			if third&here != 0 {
				return winsNow
			}
			n++
		}
	}
	return min(n, 2)
}

// winsNow is what almostWonRows returns of a side that can win the game at once.
const winsNow = 3

// canWinWithOneMark reports whether one more mark completes a row of own on a board.
func canWinWithOneMark(own, their uint16) bool {
	for _, row := range ultimate.Rows {
		if row&their == 0 && bits.OnesCount16(row&own) == 2 {
			return true
		}
	}
	return false
}

// nineBoards is a position as a net sees it.
type nineBoards struct {
	cells  [9][2]uint16 // own and their marks, on each board
	closed [9]uint8     // 0, or the feature of a closed board
	here   uint16       // the boards that the next move may be on
	any    bool         // the next move may be on any board
	hopes  [2]uint8     // of the side to move, and of the other side
	ready  [2]uint8     // what they are about to win
}

// seenByMover returns p with the eyes of the side to move.
// A board that is closed keeps no cells: only whose it is counts then.
func seenByMover(p ultimate.Pos) nineBoards {
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
	n.setBigBoardFeatures()
	return n
}

// setBigBoardFeatures sets what n says of the big board, hopes and ready, from cells, closed and here. The other
// side does not move next, so what it is about to win counts alike wherever the next move is.
func (n *nineBoards) setBigBoardFeatures() {
	var closed [deadBoard + 1]uint16 // the boards that are so
	var winnable [2]uint16
	for b := range uint16(9) {
		closed[n.closed[b]] |= 1 << b
		if x := n.cells[b]; n.closed[b] == 0 {
			for side := range winnable {
				if canWinWithOneMark(x[side], x[1-side]) {
					winnable[side] |= 1 << b
				}
			}
		}
	}
	own, their, dead := closed[ownBoard], closed[theirBoard], closed[deadBoard]
	n.hopes = [2]uint8{bigBoardHopeClass(own, their|dead), bigBoardHopeClass(their, own|dead)}
	n.ready = [2]uint8{almostWonRows(own, their|dead, winnable[0], n.here), almostWonRows(their, own|dead, winnable[1],
		0)}
}

// The eight ways to lay down a square: layout[s][c] is where cell c comes to
// lie, and laid[s][cells] where a set of cells does.
var layout, laid = ultimate.Moved, ultimate.Turned

// hiddenUnitSums adds up the weights of the features of n, laid down in that way, for each hidden unit, before negative
// sums are cut off. A closed board takes the weights of set 0 wherever the next move may be.
func (t *Net) hiddenUnitSums(n *nineBoards, way int) (sum [netUnits]float32) {
	sum = t.Bias
	if n.any {
		addUnits(&sum, &t.Any)
	}
	var buf [netFeatures]uint8
	for b := range 9 {
		in := &t.In[n.here>>b&1][layout[way][b]]
		if n.closed[b] != 0 {
			addUnits(&sum, &t.In[0][layout[way][b]][n.closed[b]])
			continue
		}
		for _, f := range boardFeatures(laid[way][n.cells[b][0]], laid[way][n.cells[b][1]], buf[:0]) {
			addUnits(&sum, &in[f])
		}
	}
	return sum
}

// bigBoardWeights returns the weights of what n says of the big board, those of t itself, for a win and for a loss.
func (t *Net) bigBoardWeights(n *nineBoards) [3]*[2]float32 {
	return [3]*[2]float32{
		&t.Hopes[n.hopes[0]][n.hopes[1]],
		&t.Ready[0][n.ready[0]][n.hopes[0]],
		&t.Ready[1][n.ready[1]][n.hopes[1]],
	}
}

// addUnits adds v to sum, unit by unit.
func addUnits(sum, v *[netUnits]float32) {
	for k := range sum {
		sum[k] += v[k]
	}
}

// logOdds returns the logarithms of the odds that the side to move wins, and that it loses, against a draw. It is
// linear in the positive parts of eight times netUnits hidden units, in the rows and in the classes of the big board;
// of a draw the logarithm of the odds is 0.
func (t *Net) logOdds(n *nineBoards) (win, loss float64) {
	win, loss = float64(t.OutBias[0]), float64(t.OutBias[1])
	for _, v := range t.bigBoardWeights(n) {
		win += float64(v[0])
		loss += float64(v[1])
	}
	rowsWin, rowsLoss := t.Rows.logOdds(n)
	win += rowsWin
	loss += rowsLoss
	for s := range 8 {
		for k, v := range t.hiddenUnitSums(n, s) {
			win += float64(t.Out[0][k] * max(0, v))
			loss += float64(t.Out[1][k] * max(0, v))
		}
	}
	return win, loss
}

// Judge returns what p, which is not over, is worth to First, from -1 to 1, where a draw counts draw. It is the
// slow and plain form of what the evaluation "net" does.
func (t *Net) Judge(p ultimate.Pos, draw float64) float64 {
	n := seenByMover(p)
	win, loss := t.logOdds(&n)
	return worthFromLogOdds(p.Turn(), win, loss, draw)
}

// worthFromLogOdds turns the mover's odds against a draw, which counts draw to First, into
// a worth to First, within (-1, 1).
func worthFromLogOdds(turn oxo.Seat, win, loss, draw float64) (worthToFirst float64) {
	if turn == oxo.Second {
		win, loss = loss, win
	}
	w, l := fastExp(clampLogOdds(win)), fastExp(clampLogOdds(loss))
	return (w - l + draw) / (w + l + 1)
}

// clampLogOdds returns the number from -maxOdds to maxOdds next to x: by branches,
// which are hardly ever taken, as min and max look for what is no number.
func clampLogOdds(x float64) float64 {
	if x > maxOdds {
		return maxOdds
	}
	if x < -maxOdds {
		return -maxOdds
	}
	return x
}

// fastExp returns e to the x, for x from -maxOdds to maxOdds, to one part in 5,000, at half the cost of [math.Exp]: a
// power of two, made of its bits, times a polynomial that is 2 to the rest. The bits of a float64 above the 52 of its
// fraction are its exponent plus 1023, which makes the power of two.
func fastExp(x float64) float64 {
	x = x*math.Log2E + 1023
	whole := int64(x)
	rest := x - float64(whole)
	return math.Float64frombits(uint64(whole)<<52) * (1 + rest*(0.6958+rest*(0.2251+0.0791*rest)))
}

// maxOdds is the most that a logarithm of odds counts: e¹² to 1 is as good as certain.
const maxOdds = 12

// Bytes returns the net in binary form, which [ReadNet] reads.
func (t *Net) Bytes() []byte {
	data, _ := binary.Append(nil, binary.LittleEndian, t) // numbers of a known size
	return data
}

// ReadNet reads a net, to the end of r. It refuses another size, and a weight that is not a small number.
func ReadNet(r io.Reader) (*Net, error) {
	t := new(Net)
	if err := binary.Read(r, binary.LittleEndian, t); err != nil {
		return nil, fmt.Errorf("a net has %d bytes: %w", binary.Size(t), err)
	}
	if n, _ := r.Read(make([]byte, 1)); n > 0 {
		return nil, fmt.Errorf("a net has %d bytes, and there are more", binary.Size(t))
	}
	sound := true
	t.eachWeight(func(w *float32) { sound = sound && *w > -mostWeight && *w < mostWeight })
	if !sound {
		return nil, errWild
	}
	return t, nil
}

// mostWeight is more than a weight comes to.
const mostWeight = 1000

// errWild is the error of a net with a weight that no training ends at: a file of something else, or steps too large.
var errWild = fmt.Errorf("a weight of the net is not a number between -%d and %[1]d", mostWeight)

// eachWeight calls f, which may change it, with every weight, always in the same order: that of the means of a
// [NetTrainer]. Adam's means are slices in this order, so that a change of it would mix those of saved trainers up.
func (t *Net) eachWeight(f func(w *float32)) {
	for s := range t.In {
		for b := range t.In[s] {
			for i := range t.In[s][b] {
				for k := range t.In[s][b][i] {
					f(&t.In[s][b][i][k])
				}
			}
		}
	}
	for _, v := range []*[netUnits]float32{&t.Any, &t.Bias, &t.Out[0], &t.Out[1]} {
		for k := range v {
			f(&v[k])
		}
	}
	f(&t.OutBias[0])
	f(&t.OutBias[1])
	for i := range t.Hopes {
		for k := range t.Hopes[i] {
			f(&t.Hopes[i][k][0])
			f(&t.Hopes[i][k][1])
		}
	}
	for side := range t.Ready {
		for i := range t.Ready[side] {
			for k := range t.Ready[side][i] {
				f(&t.Ready[side][i][k][0])
				f(&t.Ready[side][i][k][1])
			}
		}
	}
	t.Rows.eachWeight(f)
}
