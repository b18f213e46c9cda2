package ninenet

import (
	"math"

	"oxo"
	"oxo/games/ultimate"
	"oxo/hash"
)

// Fast is a [Net] made fast: for each board and everything that can be on it the sums of the weights, of all units and
// all eight ways to lay the board down, as numbers of 16 bits, four to a word. Adding words adds four sums at once, as
// no sum leaves its 16 bits: each is held above 0 by an offset, and the weights are scaled so that the units stay below
// maxUnit.
type Fast struct {
	contentsIndex
	shut            [9][]lanes // the sums of a board that the next move can't be on, by id
	opened          [9][]lanes // what is added to them where it may be
	base            [2]lanes   // biases and offsets; [1] where any board may be played on
	rows            *compiledRows
	weights         laneWeights
	units, rowUnits float64 // what 1 stands for in weights times activity, of units and of those of rows
	sets            *rowLookup
	hopes           [netHopes][netHopes][2]float32 // those of the net and its bias
	ready           [2][netReady][netHopes][2]float32
}

const ternaries = 19683 // 3⁹

// contents is what is on a board: a number in base three, or for a closed board its feature.
type contents struct {
	own, their uint16
	closed     uint8
}

// contentsIndex numbers everything that can be on a board. The first three are the closed boards.
type contentsIndex struct {
	list    []contents
	ids     [ternaries]uint16 // of a board's contents, own 1 and their 2 in base three
	ternary [512]uint16       // a set of cells as a number in base three
	states  []uint64          // what contents mean to the big board, by id
}

// newContentsIndex numbers the contents: the three closed boards, then every way to mark an open one that leaves a
// cell free and has no three in a row, in the order of the mover's cells and then the other side's.
func newContentsIndex() *contentsIndex {
	s := &contentsIndex{list: []contents{{closed: ownBoard}, {closed: theirBoard}, {closed: deadBoard}}}
	for cells := range s.ternary {
		for i, power := 0, uint16(1); i < 9; i, power = i+1, 3*power {
			s.ternary[cells] += uint16(cells>>i&1) * power
		}
	}
	for own := range uint16(512) {
		for their := range uint16(512) {
			if own&their == 0 && own|their != 511 && !hasThreeInRow(own) && !hasThreeInRow(their) {
				s.ids[s.ternary[own]+2*s.ternary[their]] = uint16(len(s.list))
				s.list = append(s.list, contents{own: own, their: their})
			}
		}
	}
	s.states = []uint64{1 << bigOwn, 1 << bigTheir, 1 << bigDead}
	for _, x := range s.list[len(s.states):] {
		state := uint64(0)
		if canWinWithOneMark(x.own, x.their) {
			state |= 1 << bigWin
		}
		if canWinWithOneMark(x.their, x.own) {
			state |= 1 << bigLose
		}
		s.states = append(s.states, state)
	}
	return s
}

// id returns the number of an open board's contents, by the cells of the side to move and of the other side.
func (s *contentsIndex) id(own, their uint16) uint16 {
	return s.ids[s.ternary[own&511]+2*s.ternary[their&511]]
}

// idWhenTurned returns the number of what is on a board when it is laid down in that way, 0 to 7.
func (s *contentsIndex) idWhenTurned(id, way int) uint16 {
	x := &s.list[id]
	if x.closed != 0 {
		return uint16(id)
	}
	return s.id(laid[way][x.own], laid[way][x.their])
}

// features returns the features of what is on a board, in buf, which it overwrites.
func (x *contents) features(buf []uint8) []uint8 {
	if x.closed != 0 {
		return append(buf[:0], x.closed)
	}
	return boardFeatures(x.own, x.their, buf[:0])
}

// Compile returns a net made fast. It works out all tables, for 11,096 contents of each board, so it is done once a
// net; the net may be changed afterwards.
// The tables take 128 bytes for each of two sets, nine boards and 11,096 contents: 26 MB.
func Compile(t *Net) *Fast {
	c := &Fast{contentsIndex: *newContentsIndex(), sets: newRowLookup(), hopes: t.Hopes, ready: t.Ready}
	c.rows = newCompiledRows(&t.Rows, &c.contentsIndex)
	for i := range c.hopes {
		for k := range c.hopes[i] {
			c.hopes[i][k][0] += t.OutBias[0]
			c.hopes[i][k][1] += t.OutBias[1]
		}
	}
	// Whatever is on the boards, no sum of weights may leave its lane, so the weights are scaled by the largest sum
	// there can be.
	sums := newContentSums(t, c.list)
	scale := sums.quantizationScale(t)
	w := &c.weights
	c.units = quantizeWeights(w.units[0][:], w.units[1][:], &[2][]float32{t.Out[0][:], t.Out[1][:]}) / scale
	c.rowUnits = quantizeWeights(w.rows[0][:], w.rows[1][:],
		&[2][]float32{t.Rows.Out[0][:], t.Rows.Out[1][:]}) / c.rows.scale
	// Each board's sums are lifted by an offset, so that no lane holds less than 0 and a carry never runs into the
	// next; the base takes all offsets off again.
	offset := sums.laneOffsets(scale)
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
	packed := sums.packIntoWords(scale, offset)
	tables := make([]lanes, 2*len(c.shut)*len(c.list))
	hash.AdviseHugePages(tables)
	for b := range c.shut {
		c.shut[b], tables = tables[:len(c.list)], tables[len(c.list):]
		c.opened[b], tables = tables[:len(c.list)], tables[len(c.list):]
	}
	// Way s puts another board at each place, with what is on it turned likewise.
	for id := range c.list {
		for s := range 8 {
			laid := c.idWhenTurned(id, s)
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

// hasThreeInRow reports whether a set of cells, of nine bits, holds one of the eight rows.
func hasThreeInRow(cells uint16) bool {
	for _, row := range ultimate.Rows {
		if row&^cells == 0 {
			return true
		}
	}
	return false
}

// contentSums are the sums of the weights of a board, by set, board and id, of the board as it lies, not turned.
// Set 0 is of boards that the next move can't be on, set 1 of those that it may be on.
type contentSums struct {
	of [netSets][9][][netUnits]float32
}

// newContentSums adds up the weights of t for everything in list, in the order of ids, on each of the nine boards.
func newContentSums(t *Net, list []contents) *contentSums {
	r := new(contentSums)
	var buf [netFeatures]uint8
	for set := range r.of {
		for b := range r.of[set] {
			r.of[set][b] = make([][netUnits]float32, len(list))
			for id, x := range list {
				for _, f := range x.features(buf[:]) {
					// Whether the next move may be on a closed board says nothing.
					from := set
					if x.closed != 0 {
						from = 0
					}
					addUnits(&r.of[set][b][id], &t.In[from][b][f])
				}
			}
		}
	}
	return r
}

// quantizationScale returns what to multiply weights with so that no unit exceeds maxUnit, either way, in any position.
func (r *contentSums) quantizationScale(t *Net) float64 {
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

// laneOffsets returns for each board and unit what to add to a sum so that none is below 0.
func (r *contentSums) laneOffsets(scale float64) (offset [9][netUnits]int) {
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

// packIntoWords rounds the sums, adds the offsets, and packs those of all units into words, the first in the lowest
// bits.
func (r *contentSums) packIntoWords(scale float64, offset [9][netUnits]int) (packed [netSets][9][]unitWords) {
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

// Judge returns what p, which is not over, is worth to First, where a draw counts draw: what [Net.Judge] returns
// but for rounding. Several may judge by one net at once.
func (c *Fast) Judge(p ultimate.Pos, draw float64) float64 {
	me := p.Turn()
	ids, big := c.contentsOf(p, me)
	var s siblingSums
	c.sumBoards(&ids, &s)
	a, here, free := p.Active(), uint16(1<<9-1), 1
	if a < 0 {
		c.addSumsWhereAnyBoardIsOpen(&ids, &s)
	} else {
		here, free = 1<<a, 0
	}
	parts := laneParts{units: [3]*lanes{&s.all, &c.base[free], &none}, rows: &s.rows, is: &noUnits, was: &noUnits,
		on: &noUnits, which: &whichRows[0][0]}
	if a >= 0 {
		parts.units[2], parts.on, parts.which = &c.opened[a][ids[a]], c.rows.openRowContribution(ids[a]),
			&whichRows[a][a]
	}
	bias, _ := c.bigBoardLogOdds(big, here)
	win, loss := c.logOdds(&parts, bias)
	return worthFromLogOdds(me, win, loss, draw)
}

// contentsOf returns the ids of all boards, and the big board, as me sees them.
func (c *Fast) contentsOf(p ultimate.Pos, me oxo.Seat) (ids [9]uint16, big bigBoard) {
	for b := range ids {
		ids[b] = c.contentsID(p, me, b)
		big.put(b, c.states[ids[b]])
	}
	return ids, big
}

// contentsID returns the id of what is on board b, seen by side me.
func (c *Fast) contentsID(p ultimate.Pos, me oxo.Seat, b int) uint16 {
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

// siblingSums are what the positions after the moves of one share, either those in which the
// next move must be on one board or those in which it may be on any.
// JudgeAll keeps two of them at most, and takes the played board out anew only when moves go on to another board.
type siblingSums struct {
	all    lanes   // what the boards bring to the units before the move
	rows   bigRows // and to their rows
	board  int     // the board of the last move
	others lanes   // what the others bring to the units
	was    rowLanes
}

// sumBoards sets what boards with those contents bring where the next move may be on none of them.
func (c *Fast) sumBoards(ids *[9]uint16, s *siblingSums) {
	var brought boardSums
	for b, id := range ids {
		brought.units[b], brought.rows[b] = &c.shut[b][id], c.rows.rowContribution(id)
	}
	s.all = lanes{}
	for r := range s.rows {
		s.rows[r] = c.rows.base
	}
	addBoardSums(&brought, &s.all, &s.rows)
	s.board = -1
}

// addSumsWhereAnyBoardIsOpen adds what boards bring more where the next move may be on any. It comes after sumBoards.
func (c *Fast) addSumsWhereAnyBoardIsOpen(ids *[9]uint16, s *siblingSums) {
	var more boardSums
	for b, id := range ids {
		more.units[b], more.rows[b] = &c.opened[b][id], c.rows.openRowContribution(id)
	}
	addBoardSums(&more, &s.all, &s.rows)
	s.board = -1
}

// removeBoard sets what there is without board b, whose contents are no longer id; free is 1 where the next move
// may be on any board, and 0 where it must be on one.
func (c *Fast) removeBoard(s *siblingSums, b int, id uint16, free int) {
	s.board, s.was = b, *c.rows.rowContribution(id)
	for k, v := range &c.shut[b][id] {
		s.others[k] = s.all[k] + c.base[free][k] - v
	}
	if free == 1 {
		s.was.add(c.rows.openRowContribution(id))
		for k, v := range &c.opened[b][id] {
			s.others[k] -= v
		}
	}
}

// JudgeAll judges the positions after each of the moves of p, those that are not over: after[i] is the one after
// moves[i], and values[i] becomes its worth to First. They differ in two boards at most, so that the sums of the
// others need adding up only once. Moves on the same board are best given together.
func (c *Fast) JudgeAll(p ultimate.Pos, moves []oxo.Move, after []ultimate.Pos, draw float64, values []float32) {
	me := p.Turn() ^ 1 // whose turn it is after the move
	ids, big := c.contentsOf(p, me)
	var kinds [2]siblingSums
	c.sumBoards(&ids, &kinds[0])
	known := false // kinds[1]
	bias, anywhere := c.bigBoardLogOdds(big, 0)
	for i, m := range moves {
		q := after[i]
		if q.Outcome() != oxo.Ongoing {
			continue
		}
		b, a := int(m)/9, q.Active()
		now := c.contentsID(q, me, b)
		// Where any board is open each brings that already, so the one played on stands in for the next.
		here, free := uint16(1)<<(a&15), 0
		if a < 0 {
			a, here, free = b, 1<<9-1, 1
			if !known {
				kinds[1], known = kinds[0], true
				c.addSumsWhereAnyBoardIsOpen(&ids, &kinds[1])
			}
		}
		s := &kinds[free]
		if b != s.board {
			c.removeBoard(s, b, ids[b], free)
		}
		next := ids[a]
		if a == b {
			next = now
		}
		parts := laneParts{
			units: [3]*lanes{&s.others, &c.shut[b][now], &c.opened[a][next]},
			rows:  &s.rows,
			is:    c.rows.rowContribution(now),
			was:   &s.was,
			on:    c.rows.openRowContribution(next),
			which: &whichRows[b][a],
		}
		// The odds of the big board are worked out again only where the move changes what they go by.
		bigNow, biasNow := big, bias
		bigNow.change(b, c.states[ids[b]], c.states[now])
		if bigNow != big || !anywhere {
			biasNow, _ = c.bigBoardLogOdds(bigNow, here)
		}
		win, loss := c.logOdds(&parts, biasNow)
		values[i] = float32(worthFromLogOdds(me, win, loss, draw))
	}
}

// logOdds returns the logarithms of the mover's odds of a win and of a loss, given the odds that the big board gives.
func (c *Fast) logOdds(p *laneParts, big [2]float32) (win, loss float64) {
	var odds [4]int32
	weighUnits(p, &c.weights, &odds)
	return float64(big[0]) + float64(odds[0])*c.units + float64(odds[2])*c.rowUnits,
		float64(big[1]) + float64(odds[1])*c.units + float64(odds[3])*c.rowUnits
}
