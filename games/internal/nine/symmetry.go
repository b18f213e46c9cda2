package nine

// A symmetry moves the boards of the big board and the cells of every board
// alike: one of the eight of the square. Bit 0 of its number mirrors left and
// right, bit 1 top and bottom, and bit 2 then swaps rows and columns.
var (
	Moved  = cellImageTable()    // Moved[s][c]: where symmetry s takes cell c
	Turned = cellSetImageTable() // Turned[s][cells]: where it takes a set of cells
)

// cellImageTable returns where each of the eight symmetries of a square takes each cell.
func cellImageTable() (t [8][9]uint8) {
	for s := range t {
		for c := range t[s] {
			row, col := c/3, c%3
			if s&1 != 0 {
				col = 2 - col
			}
			if s&2 != 0 {
				row = 2 - row
			}
			if s&4 != 0 {
				row, col = col, row
			}
			t[s][c] = uint8(3*row + col)
		}
	}
	return t
}

// cellSetImageTable returns what each symmetry makes of each set of cells.
func cellSetImageTable() (t [8][512]uint16) {
	for s := range t {
		for cells := range t[s] {
			for c, to := range Moved[s] {
				t[s][cells] |= uint16(cells>>c&1) << to
			}
		}
	}
	return t
}

// image returns p moved by symmetry s. The turn, the outcome and the rules stay as they are.
func (p Pos) image(symmetry int) Pos {
	to, cells := &Moved[symmetry], &Turned[symmetry]
	q := Pos{state: p.state &^ (1<<turnAt - 1)}
	for b := range uint(9) {
		x := uint64(cells[boardBits(p.x, p.last, b)&full])
		o := uint64(cells[boardBits(p.o, p.last>>18, b)&full])
		if at := 9 * to[b]; at < 63 {
			q.x |= x << at
			q.o |= o << at
		} else {
			q.last |= x<<(at-63) | o<<(at-63+18)
		}
	}
	// The boards owned by First, those owned by Second and the closed ones lie one after another.
	for at := 0; at <= closedAt; at += 9 {
		q.state |= uint64(cells[p.state>>at&full]) << at
	}
	if a := p.Active(); a >= 0 {
		q.state |= uint64(to[a]+1) << activeAt
	}
	return q
}

// less orders positions, in some fixed way that decides nothing but which image of a class stands for it.
func (p Pos) less(q Pos) bool {
	switch {
	case p.x != q.x:
		return p.x < q.x
	case p.o != q.o:
		return p.o < q.o
	case p.last != q.last:
		return p.last < q.last
	}
	return p.state < q.state
}

// canonical returns the least of p's eight images and the number of different ones: eight, divided by how many
// symmetries leave p as it is.
func canonical(p Pos) (rep Pos, orbitSize uint64) {
	least, fixing := p, uint64(1)
	for s := 1; s < 8; s++ {
		q := p.image(s)
		if q == p {
			fixing++
		}
		if q.less(least) {
			least = q
		}
	}
	return least, 8 / fixing
}
