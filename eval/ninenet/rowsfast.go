package ninenet

import (
	"math"

	"oxo/games/ultimate"
)

// compiledRows is a [rowNet] made fast: what each board brings to its rows is
// looked up, in lanes of 16 bits as in [Fast].
type compiledRows struct {
	class  []uint16   // by id: which contents it is, however turned
	shut   []rowLanes // by class: what a board brings on which the next move can't be
	opened []rowLanes // what is added to it where the next move may be on the board
	base   rowLanes   // of a row: offsets
	scale  float64    // what sums are multiplied with
}

// bigRows are the sums of the rows of a position. Row r is that of ultimate.Rows[r].
type bigRows = [len(ultimate.Rows)]rowLanes

// What changes about a row of boards after a move.
const (
	played = 1 + iota // the board that was played on
	next              // the board that the next move must be on
	both              // both of them
)

// boardsOfRow are the boards of each row, and whichRows says for a board that was played on and the next one what
// changes about each row, times the bytes of a row.
var (
	boardsOfRow = [...][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}
	whichRows   = rowChangesByMovedBoards()
)

// rowChangesByMovedBoards gives for each row 0, played, next or both, times rowBytes; where one board is both played on
// and next, both of them count, as the two are added.
func rowChangesByMovedBoards() (byPlayedAndNextBoard [9][9][8]uint8) {
	for r, row := range boardsOfRow {
		for _, b := range row {
			for other := range 9 {
				byPlayedAndNextBoard[b][other][r] += played * rowBytes
				byPlayedAndNextBoard[other][b][r] += next * rowBytes
			}
		}
	}
	return byPlayedAndNextBoard
}

// newCompiledRows works out what every board brings to its rows, scaled so that three boards fit into a lane.
// Contents that a turn of the board carries to each other bring the same, so that there is an entry a class, not an id.
func newCompiledRows(t *rowNet, s *contentsIndex) *compiledRows {
	c := new(compiledRows)
	var brought [netSets][][rowUnits]float32 // by class
	of, classes := s.symmetryClasses()
	c.class = of
	for _, x := range classes {
		of := featureSharesOverTurns(x.own, x.their, x.closed)
		for set := range brought {
			from := set
			if x.closed != 0 {
				from = 0
			}
			units, _ := t.boardContributionToRows(from, &of)
			brought[set] = append(brought[set], units)
		}
	}
	greatest, least := 1e-6, [rowUnits]float64{}
	for k := range least {
		for set := range brought {
			for _, v := range brought[set] {
				greatest = max(greatest, math.Abs(float64(v[k])))
				least[k] = min(least[k], float64(v[k]))
			}
		}
	}
	c.scale = (maxUnit - 20) / (3 * greatest)
	var offset [rowUnits]int
	for k, v := range least {
		offset[k] = int(math.Ceil(-v*c.scale)) + 1
		c.base.set(k, zero-3*offset[k])
	}
	pack := func(v *[rowUnits]float32) (l rowLanes) {
		for k, x := range v {
			l.set(k, offset[k]+int(math.Round(float64(x)*c.scale)))
		}
		return l
	}
	for class := range brought[0] {
		shut, open := pack(&brought[0][class]), pack(&brought[1][class])
		for i := range open {
			open[i] -= shut[i]
		}
		c.shut, c.opened = append(c.shut, shut), append(c.opened, open)
	}
	return c
}

// symmetryClasses numbers what can be on a board however it is turned, of has the class by id, and list one of each
// class.
func (s *contentsIndex) symmetryClasses() (of []uint16, list []contents) {
	of = make([]uint16, len(s.list))
	known := make([]bool, len(s.list))
	for id, x := range s.list {
		if known[id] {
			continue
		}
		for way := range laid {
			other := s.idWhenTurned(id, way)
			known[other], of[other] = true, uint16(len(list))
		}
		list = append(list, x)
	}
	return of, list
}

// rowContribution returns what a board brings to its rows, and opens what it brings more
// where the next move may be on it.
func (c *compiledRows) rowContribution(id uint16) *rowLanes { return &c.shut[c.class[id]] }

// openRowContribution returns a difference: open less shut, which may have borrowed across lanes.
func (c *compiledRows) openRowContribution(id uint16) *rowLanes { return &c.opened[c.class[id]] }
