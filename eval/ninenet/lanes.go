package ninenet

import "math"

// lanes are the sums of all units in all ways: that of unit k in way s is lane
// s·netUnits + k, lane i being bits 16·(i%4)… of word i/4.
type lanes [8 * netUnits / 4]uint64

// rowLanes are the units of a row of boards, unit k being lane k.
type rowLanes [rowUnits / 4]uint64

const (
	maxUnit   = 1<<13 - 1 // eight of them fit in 16 bits
	zero      = 1 << 15   // what a lane holds for a sum of 0
	maxWeight = 1<<15 - 1 // what weights add up to: times an activity of 16 bits they fit in 32
)

// set puts x, from 0 to 65,535, into a lane that holds 0.
func (v *lanes) set(lane, x int) { v[lane/4] |= uint64(x) << (lane % 4 * 16) }

func (v *rowLanes) set(lane, x int) { v[lane/4] |= uint64(x) << (lane % 4 * 16) }

// add adds all four lanes of each word at once. Only what the sums come to in the end must fit into the lanes: a
// difference that is added on the way may borrow from the next lane.
func (v *lanes) add(w *lanes) {
	for i := range v {
		v[i] += w[i]
	}
}

// add adds four lanes of each word at once, as for [lanes].
func (v *rowLanes) add(w *rowLanes) {
	for i := range v {
		v[i] += w[i]
	}
}

// Zeros, for what a position has nothing of, as when no board has been played on. They are only read.
var (
	none    lanes
	noUnits rowLanes
)

// laneWeights are the weights of the units, for a win and for a loss, as whole numbers that quantizeWeights makes.
type laneWeights struct {
	units [2][netUnits]int32
	rows  [2][rowUnits]int32
}

// laneParts is what the lanes of a position are made of.
type laneParts struct {
	units [3]*lanes // their sum
	rows  *bigRows  // but with this in place of that, as whichRows says:
	is    *rowLanes // what the board that was played on brings to its rows,
	was   *rowLanes // and brought;
	on    *rowLanes // what the board that the next move must be on brings more
	which *[8]uint8
}

// weighUnitsPortably sets odds to the sums of the units' activity, weighted for a
// win and for a loss, and to those of the activity of the units of rows.
func weighUnitsPortably(p *laneParts, w *laneWeights, odds *[4]int32) {
	*odds = [4]int32{}
	var units [netUnits / 4]uint64
	for i := range p.units[0] {
		units[i%len(units)] += clampNegativeLanes(p.units[0][i] + p.units[1][i] + p.units[2][i])
	}
	for i, v := range units {
		for k := range 4 {
			active := int32(v >> (16 * k) & 0xFFFF)
			odds[0] += w.units[0][4*i+k] * active
			odds[1] += w.units[1][4*i+k] * active
		}
	}
	for i := range p.is {
		var changes [4]uint64
		changes[played] = p.is[i] - p.was[i]
		changes[next] = p.on[i]
		changes[both] = changes[played] + changes[next]
		sum := uint64(0)
		for r := range p.rows {
			sum += clampNegativeLanes(p.rows[r][i] + changes[p.which[r]/rowBytes])
		}
		for k := range 4 {
			active := int32(sum >> (16 * k) & 0xFFFF)
			odds[2] += w.rows[0][4*i+k] * active
			odds[3] += w.rows[1][4*i+k] * active
		}
	}
}

// rowBytes is how many bytes the lanes of a row take, two for each unit: the step of whichRows.
const rowBytes = rowUnits * 2

// boardSums are what the boards of a position bring to the units and to their rows.
type boardSums struct {
	units [9]*lanes
	rows  [9]*rowLanes
}

// addBoardSumsPortably adds what the boards bring to the units and to their rows.
func addBoardSumsPortably(s *boardSums, units *lanes, rows *bigRows) {
	for _, v := range s.units {
		units.add(v)
	}
	for r, row := range boardsOfRow {
		for _, b := range row {
			rows[r].add(s.rows[b])
		}
	}
}

// clampNegativeLanes sets the lanes below 0 to 0 and takes the offset off the others, all four at once: a lane whose
// highest bit is set holds a sum of at least 0, which its other bits are.
func clampNegativeLanes(v uint64) uint64 {
	const ones = 0x0001_0001_0001_0001
	above := v >> 15 & ones
	return v & (above<<15 - above)
}

// quantizeWeights sets the whole numbers that stand for the weights of units, for a win and for a loss, and returns
// what 1 stands for. Their absolute values add up to at most maxWeight, so that no sum of products leaves 32 bits.
func quantizeWeights(win, loss []int32, weights *[2][]float32) (unit float64) {
	most := 1e-6
	for _, list := range weights {
		sum := 0.0
		for _, v := range list {
			sum += math.Abs(float64(v))
		}
		most = max(most, sum)
	}
	scale := (maxWeight - float64(len(win))) / most // less what rounding may add
	for end, whole := range [2][]int32{win, loss} {
		for k, v := range weights[end] {
			whole[k] = int32(math.Round(float64(v) * scale))
		}
	}
	return 1 / scale
}
