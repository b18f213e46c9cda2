package eval

import (
	"math"

	"oxo"
	"oxo/games/ultimate"
)

// compiled is a [Net] made fast: for each board and everything that can be on it
// the sums of the weights, of all units and all eight ways to lay the board
// down, as numbers of 16 bits, four to a word. Adding words adds four sums at
// once, as no sum leaves its 16 bits: each is held above 0 by an offset, and the
// weights are scaled so that the units stay below maxUnit.
type compiled struct {
	shelf
	shut   [9][]lanes         // the sums of a board that the next move can't be on, by id
	opened [9][]lanes         // what is added to them where it may be
	base   [2]lanes           // biases and offsets; [1] where any board may be played on
	out    [netUnits][2]int64 // weights of the units
	unit   float64            // what 1 in out and in a unit's activity stand for
	rows   *rowSets
	hopes  [netHopes][netHopes][2]float32 // those of the net and its bias
	ready  [2][netReady][netHopes][2]float32
}

const (
	words     = 8 * netUnits / 4
	ternaries = 19683     // 3⁹
	maxUnit   = 1<<13 - 1 // eight of them fit in 16 bits
	zero      = 1 << 15   // what a lane holds for a sum of 0
	maxOut    = 1 << 40   // times 16 bits of activity, eight times: less than 63 bits
)

// lanes are the sums of all units in all ways: that of unit k in way s is lane
// s·netUnits + k, lane i being bits 16·(i%4)… of word i/4.
type lanes [words]uint64

func (v *lanes) set(lane, x int) {
	v[lane/4] |= uint64(x) << (lane % 4 * 16)
}

// contents is what is on a board: a number in base three, or for a closed board
// its feature.
type contents struct {
	own, their uint16
	closed     uint8
}

// shelf numbers everything that can be on a board. The first three are the
// closed boards.
type shelf struct {
	list    []contents
	ids     [ternaries]uint16 // of a board's contents, own 1 and their 2 in base three
	ternary [512]uint16       // a set of cells as a number in base three
	states  []uint64          // what contents mean to the big board, by id
}

func newShelf() *shelf {
	s := &shelf{list: []contents{{closed: ownBoard}, {closed: theirBoard}, {closed: deadBoard}}}
	for cells := range s.ternary {
		for i, power := 0, uint16(1); i < 9; i, power = i+1, 3*power {
			s.ternary[cells] += uint16(cells>>i&1) * power
		}
	}
	for own := range uint16(512) {
		for their := range uint16(512) {
			if own&their == 0 && own|their != 511 && !rowIn(own) && !rowIn(their) {
				s.ids[s.ternary[own]+2*s.ternary[their]] = uint16(len(s.list))
				s.list = append(s.list, contents{own: own, their: their})
			}
		}
	}
	s.states = []uint64{1 << bigOwn, 1 << bigTheir, 1 << bigDead}
	for _, x := range s.list[len(s.states):] {
		state := uint64(0)
		if canWin(x.own, x.their) {
			state |= 1 << bigWin
		}
		if canWin(x.their, x.own) {
			state |= 1 << bigLose
		}
		s.states = append(s.states, state)
	}
	return s
}

// id returns the number of an open board's contents.
func (s *shelf) id(own, their uint16) uint16 {
	return s.ids[s.ternary[own&511]+2*s.ternary[their&511]]
}

// laid returns the number of what is on a board when it is laid down in that
// way.
func (s *shelf) laid(id, way int) uint16 {
	x := &s.list[id]
	if x.closed != 0 {
		return uint16(id)
	}
	return s.id(laid[way][x.own], laid[way][x.their])
}

// features returns the features of what is on a board, in buf.
func (x *contents) features(buf []uint8) []uint8 {
	if x.closed != 0 {
		return append(buf[:0], x.closed)
	}
	return boardFeatures(x.own, x.their, buf[:0])
}

func newCompiled(t *Net) *compiled {
	c := &compiled{shelf: *newShelf(), rows: newRowSets(), hopes: t.Hopes, ready: t.Ready}
	for i := range c.hopes {
		for k := range c.hopes[i] {
			c.hopes[i][k][0] += t.OutBias[0]
			c.hopes[i][k][1] += t.OutBias[1]
		}
	}
	sums := newContentSums(t, c.list)
	scale := sums.scale(t)
	greatest := float32(1e-6)
	for k := range c.out {
		greatest = max(greatest, t.Out[0][k], -t.Out[0][k], t.Out[1][k], -t.Out[1][k])
	}
	for k := range c.out {
		for end := range c.out[k] {
			c.out[k][end] = int64(math.Round(float64(t.Out[end][k]) / float64(greatest) * maxOut))
		}
	}
	c.unit = float64(greatest) / maxOut / scale
	offset := sums.offsets(scale)
	for k := range netUnits {
		whole := zero
		for b := range 9 {
			whole -= offset[b][k]
		}
		bias := math.Round(float64(t.Bias[k]) * scale)
		for s := range 8 {
			c.base[0].set(s*netUnits+k, whole+int(bias))
			c.base[1].set(s*netUnits+k, whole+int(bias+math.Round(float64(t.Any[k])*scale)))
		}
	}
	packed := sums.pack(scale, offset)
	for b := range c.shut {
		c.shut[b], c.opened[b] = make([]lanes, len(c.list)), make([]lanes, len(c.list))
	}
	for id := range c.list {
		for s := range 8 {
			laid := c.laid(id, s)
			for b := range c.shut {
				at := layout[s][b]
				for i, shut := range packed[0][at][laid] {
					c.shut[b][id][s*len(unitWords{})+i] = shut
					c.opened[b][id][s*len(unitWords{})+i] = packed[1][at][laid][i] - shut
				}
			}
		}
	}
	return c
}

// unitWords are the lanes of all units in one way.
type unitWords [netUnits / 4]uint64

func rowIn(cells uint16) bool {
	for _, row := range rowsOf3 {
		if row&^cells == 0 {
			return true
		}
	}
	return false
}

// contentSums are the sums of the weights of a board, by set, board and id.
type contentSums struct {
	of [netSets][9][][netUnits]float32
}

func newContentSums(t *Net, list []contents) *contentSums {
	r := new(contentSums)
	var buf [netFeatures]uint8
	for set := range r.of {
		for b := range r.of[set] {
			r.of[set][b] = make([][netUnits]float32, len(list))
			for id, x := range list {
				for _, f := range x.features(buf[:]) {
					// Whether the next move may be on a closed board says
					// nothing.
					from := set
					if x.closed != 0 {
						from = 0
					}
					addTo(&r.of[set][b][id], &t.In[from][b][f])
				}
			}
		}
	}
	return r
}

// scale returns what to multiply weights with so that no unit exceeds maxUnit.
func (r *contentSums) scale(t *Net) float64 {
	most := 1e-6
	for k := range netUnits {
		sum := math.Abs(float64(t.Bias[k])) + math.Abs(float64(t.Any[k]))
		for b := range 9 {
			greatest := 0.0
			for set := range netSets {
				for _, v := range r.of[set][b] {
					greatest = max(greatest, math.Abs(float64(v[k])))
				}
			}
			sum += greatest
		}
		most = max(most, sum)
	}
	return (maxUnit - 20) / most // less what rounding may add
}

// offsets returns for each board and unit what to add to a sum so that none is
// below 0.
func (r *contentSums) offsets(scale float64) (offset [9][netUnits]int) {
	for b := range offset {
		var least [netUnits]float32
		for set := range r.of {
			for _, sum := range r.of[set][b] {
				for k, v := range sum {
					least[k] = min(least[k], v)
				}
			}
		}
		for k, v := range least {
			offset[b][k] = int(math.Ceil(-float64(v)*scale)) + 1
		}
	}
	return offset
}

// pack rounds the sums and packs those of all units into words.
func (r *contentSums) pack(scale float64, offset [9][netUnits]int) (packed [netSets][9][]unitWords) {
	for set := range r.of {
		for b := range r.of[set] {
			packed[set][b] = make([]unitWords, len(r.of[set][b]))
			for id, sum := range r.of[set][b] {
				for k, v := range sum {
					x := offset[b][k] + int(math.Round(float64(v)*scale))
					packed[set][b][id][k/4] |= uint64(x) << (k % 4 * 16)
				}
			}
		}
	}
	return packed
}

// judge returns what p, which is not over, is worth to First, where a draw
// counts draw.
func (c *compiled) judge(p ultimate.Pos, draw float64) float64 {
	me := p.Turn()
	here, free := playable(p)
	sum := c.base[free]
	var big bigBoard
	for b := range 9 {
		id := c.on(p, me, b)
		sum.add(&c.shut[b][id])
		if here>>b&1 != 0 {
			sum.add(&c.opened[b][id])
		}
		big.put(b, c.states[id])
	}
	bias, _ := c.bigOdds(big, here)
	win, loss := c.odds(add3(&sum, &none, &none), bias)
	return worth(me, win, loss, draw)
}

// playable returns the boards that the next move may be on, and 1 if that is
// any.
func playable(p ultimate.Pos) (here uint16, free int) {
	if a := p.Active(); a >= 0 {
		return 1 << a, 0
	}
	return 1<<9 - 1, 1
}

// on returns the id of what is on board b, seen by side me.
func (c *compiled) on(p ultimate.Pos, me oxo.Seat, b int) uint16 {
	switch {
	case p.Owned(me)>>b&1 != 0:
		return 0
	case p.Owned(me^1)>>b&1 != 0:
		return 1
	case p.Closed()>>b&1 != 0:
		return 2
	}
	return c.id(p.Cells(me, b), p.Cells(me^1, b))
}

// judgeAll judges the positions after each of the moves of p, those that are
// not over. They differ in two boards at most, so that the sums of the others
// need adding up only once. Moves on the same board are best given together.
func (c *compiled) judgeAll(p ultimate.Pos, moves []oxo.Move, after []ultimate.Pos, draw float64, values []float32) {
	me := p.Turn() ^ 1 // whose turn it is after the move
	var ids [9]uint16
	var all lanes // the sums where no board may be played on
	var big bigBoard
	for b := range 9 {
		ids[b] = c.on(p, me, b)
		big.put(b, c.states[ids[b]])
		all.add(&c.shut[b][ids[b]])
	}
	bias, anywhere := c.bigOdds(big, 0)
	board, free := -1, -1       // the board of the last move, and of the last after which any may be played on
	var others, unlimited lanes // the sums without those boards
	for i, m := range moves {
		q := after[i]
		if q.Outcome() != oxo.Ongoing {
			continue
		}
		b, a := int(m)/9, q.Active()
		now := c.on(q, me, b)
		var without, on *lanes
		if a < 0 {
			if b != free {
				free = b
				was := &c.shut[b][ids[b]]
				for k := range unlimited {
					unlimited[k] = all[k] + c.base[1][k] - was[k]
				}
				for other := range 9 {
					if other != b {
						unlimited.add(&c.opened[other][ids[other]])
					}
				}
			}
			without, on = &unlimited, &c.opened[b][now]
		} else {
			if b != board {
				board = b
				was := &c.shut[b][ids[b]]
				for k := range others {
					others[k] = all[k] + c.base[0][k] - was[k]
				}
			}
			without, on = &others, &c.opened[a][ids[a]]
			if a == b {
				on = &c.opened[b][now]
			}
		}
		bigNow := big
		bigNow.change(b, c.states[ids[b]], c.states[now])
		biasNow := bias
		if bigNow != big || !anywhere {
			here, _ := playable(q)
			biasNow, _ = c.bigOdds(bigNow, here)
		}
		win, loss := c.odds(add3(without, &c.shut[b][now], on), biasNow)
		values[i] = float32(worth(me, win, loss, draw))
	}
}

func (v *lanes) add(w *lanes) {
	for i := range v {
		v[i] += w[i]
	}
}

var none lanes

// activity is the sum of each unit's positive parts over all ways, four units to
// a word.
type activity [netUnits / 4]uint64

// add3 returns the activity that three sums together give.
func add3(x, y, z *lanes) activity {
	var low, high uint64
	for i := 0; i < words; i += 2 {
		low += positive(x[i] + y[i] + z[i])
		high += positive(x[i+1] + y[i+1] + z[i+1])
	}
	return activity{low, high}
}

// positive sets the lanes below 0 to 0 and takes the offset off the others.
func positive(v uint64) uint64 {
	const ones = 0x0001_0001_0001_0001
	above := v >> 15 & ones
	return v & (above<<15 - above)
}

// odds returns the logarithms of the mover's odds of a win and of a loss, given
// the units' activity and the odds that the big board gives.
func (c *compiled) odds(a activity, big [2]float32) (win, loss float64) {
	var sum [2]int64
	for i, v := range a {
		out := (*[4][2]int64)(c.out[4*i:])
		v0, v1, v2, v3 := int64(v&0xFFFF), int64(v>>16&0xFFFF), int64(v>>32&0xFFFF), int64(v>>48)
		sum[0] += out[0][0]*v0 + out[1][0]*v1 + out[2][0]*v2 + out[3][0]*v3
		sum[1] += out[0][1]*v0 + out[1][1]*v1 + out[2][1]*v2 + out[3][1]*v3
	}
	return float64(big[0]) + float64(sum[0])*c.unit, float64(big[1]) + float64(sum[1])*c.unit
}
