package board

// Again64 and Again256 build a position again from its marks alone.

func Again64(p Pos64) Pos64 {
	x, o := p.Marks()
	q := p.t.fromMarks64(x, o)
	if p.Turn() != q.Turn() {
		q = q.WithPending(p.Pending())
	}
	return q
}

func Again256(p Pos256) Pos256 {
	x, o := p.Marks()
	q := p.t.fromMarks256(x, o)
	if p.Turn() != q.Turn() {
		q = q.WithPending(p.Pending())
	}
	return q
}

// SlowNodes is the generic twin of [Pos64.Nodes].
func (p Pos64) SlowNodes() uint64 { return p.nodes() }

// Unreachable is why marks on the board of p can't be reached.
func (p Pos64) Unreachable(x, o Set) error { return p.t.checkReachable(x, o) }
