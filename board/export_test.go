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

// Nodes returns the number of nodes of the game tree below p, p included, as the kernels of
// minimax and alpha-beta walk it: it measures what a node takes. It is meant for games in which
// each side places its own mark and nothing falls or slips.
func (p Pos64) Nodes() uint64 {
	t := p.t
	if t.rules.Place != Own || t.slips || t.falls || t.won == nil {
		return p.SlowNodes()
	}
	if p.info&outcomeMask != 0 {
		return 1
	}
	seat := p.info >> turnShift & 1
	mine, theirs := p.x, p.o
	if seat == 1 {
		mine, theirs = theirs, mine
	}
	return t.nodes(mine, theirs, seat)
}

// SlowNodes is the generic walk that [Pos64.Nodes] is compared with.
func (p Pos64) SlowNodes() uint64 {
	n := uint64(1)
	for _, m := range p.Moves(nil) {
		n += p.Play(m).SlowNodes()
	}
	return n
}

// nodes counts the nodes below a position in which the side to move has mine
// and the game goes on.
func (t *gameData) nodes(mine, theirs, seat uint64) uint64 {
	n := uint64(1)
	free := t.full64 &^ (mine | theirs)
	for e := free; e != 0; e &= e - 1 {
		own := mine | e&-e
		if t.rules.Tested[seat] && t.won[own>>6]>>(own&63)&1 != 0 || e == free && e&(e-1) == 0 {
			n++
			continue
		}
		n += t.nodes(theirs, own, seat^1)
	}
	return n
}

// Unreachable is why marks on the board of p can't be reached.
func (p Pos64) Unreachable(x, o Set) error { return p.t.checkReachable(x, o) }
