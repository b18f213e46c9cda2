package nine

import "math/bits"

// The eight lines of a 3×3 board, cell c at bit c.
var lines = [8]uint64{0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

// The tables over all 512 sets of cells of one board.
var (
	lined = holdsLineTable()       // bit s%64 of word s/64: s holds a line
	count = cellCountTable()       // number of cells of s
	nth   = nthCellTable()         // nth[s][k]: the k-th cell of s in ascending order
	third = completingCellsTable() // the cells that make three in a row with two of s
	held  = lineOccupancyTable()   // bit i: s has a cell of lines[i]; bit 8+i: two or more
)

// linesOfThree are the lines with their cells one by one.
var linesOfThree = cellsOfLines()

// hasLine reports whether the cells hold three in a row.
func hasLine(cells uint64) bool { return lined[cells>>6&7]>>(cells&63)&1 != 0 }

// holdsLineTable returns which sets of cells hold three in a row.
func holdsLineTable() (t [8]uint64) {
	for s := range uint64(512) {
		for _, line := range lines {
			if s&line == line {
				t[s>>6] |= 1 << (s & 63)
			}
		}
	}
	return t
}

// cellCountTable returns how many cells each set has.
func cellCountTable() (t [512]uint8) {
	for s := range t {
		t[s] = uint8(bits.OnesCount(uint(s)))
	}
	return t
}

// nthCellTable has rows of 16 so that an index below 16 needs no bounds check.
func nthCellTable() (t [512][16]uint8) {
	for s := range t {
		for k, rest := 0, uint(s); rest != 0; k, rest = k+1, rest&(rest-1) {
			t[s][k] = uint8(bits.TrailingZeros(rest))
		}
	}
	return t
}

// completingCellsTable returns the cells, none of them in the set, that make three in a row with two of each set.
func completingCellsTable() (t [512]uint16) {
	for s := range t {
		for _, line := range lines {
			if rest := line &^ uint64(s); count[rest] == 1 {
				t[s] |= uint16(rest)
			}
		}
	}
	return t
}

// lineOccupancyTable returns in which lines each set has a cell, and in which two. Lines that the one side has a cell
// of are those that the other can't complete.
func lineOccupancyTable() (t [512]uint16) {
	for s := range t {
		for i, line := range lines {
			switch n := count[uint64(s)&line]; {
			case n >= 2:
				t[s] |= 1<<i | 1<<(8+i)
			case n == 1:
				t[s] |= 1 << i
			}
		}
	}
	return t
}

// cellsOfLines returns the cells of each line.
func cellsOfLines() (t [8]struct {
	set     uint64
	a, b, c uint8
}) {
	for i, line := range lines {
		t[i].set = line
		t[i].a, t[i].b, t[i].c = nth[line][0], nth[line][1], nth[line][2]
	}
	return t
}
