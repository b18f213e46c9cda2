package verify

import (
	"cmp"
	"fmt"
	"slices"

	"oxo/board"
)

// MagicColumns begins certificates of games of columns.
const MagicColumns = "oxo proof 4\n"

// columnGame is a positional game on columns of squares, which are filled from the foot up, as the
// checker of levels wants it; where marks don't fall each square is a column. A move has the number of
// the foot of its column.
type columnGame struct {
	*Setup
	perms   [][]uint8
	columns [][]int // by the foot's number, from the foot up; nil at squares that are no foot
}

// columnPos is a position of columns.
type columnPos struct {
	marks [2]board.Set // of First and Second
	toAct int
}

// newColumnGame returns a game whose squares are columns, or why they are none. The caller sets perms.
func newColumnGame(of *Setup) (*columnGame, error) {
	b := of.Board
	g := &columnGame{Setup: of, columns: make([][]int, b.N)}
	above := make([]int, b.N)
	for i := range above {
		above[i] = -1
	}
	for i, under := range b.Below {
		if under < 0 {
			continue
		}
		if above[under] >= 0 {
			return nil, fmt.Errorf("two squares rest on square %s, so there are no columns", b.Names[under])
		}
		above[under] = i
	}
	for foot := range b.N {
		if b.Below != nil && b.Below[foot] >= 0 {
			continue
		}
		for i := foot; i >= 0; i = above[i] {
			g.columns[foot] = append(g.columns[foot], i)
		}
	}
	return g, nil
}

// The methods below are those of a leveledGame; moves, full and plies are explained there.
func (g *columnGame) start() columnPos         { return columnPos{g.Marks, g.Turn} }
func (g *columnGame) full() int                { return g.Full }
func (g *columnGame) moves() int               { return g.Board.N }
func (g *columnGame) turn(p columnPos) int     { return p.toAct }
func (g *columnGame) moveName(foot int) string { return "in the column of " + g.Board.Names[foot] }
func (g *columnGame) maxPlies() int            { return g.free(g.start()).Len() }

// free returns the squares without a mark, whether or not one can fall there.
func (g *columnGame) free(p columnPos) board.Set {
	return g.Board.Squares().Minus(p.marks[0]).Minus(p.marks[1])
}

// costs counts the winning sets through the squares of a reply and of the answers to it, and each image of
// the position.
func (g *columnGame) costs() (reply, form int) {
	return 16 + len(g.Board.Lines)/2 + len(g.perms)*(1+g.Board.N/8), 170
}

// lowestFreeSquare returns the lowest free square of a column, -1 where there is none, or where foot is no foot.
func (g *columnGame) lowestFreeSquare(p columnPos, foot int) int {
	taken := p.marks[0].Or(p.marks[1])
	if k := slices.IndexFunc(g.columns[foot], func(i int) bool { return !taken.Has(i) }); k >= 0 {
		return g.columns[foot][k]
	}
	return -1
}

func (g *columnGame) legal(p columnPos, foot int) bool { return g.lowestFreeSquare(p, foot) >= 0 }

// play marks the lowest free square of a column for the side to act, and returns how the game stands then: the
// outcome, or 0 where it goes on.
func (g *columnGame) play(p columnPos, foot int) (columnPos, int) {
	sq, who := g.lowestFreeSquare(p, foot), p.toAct
	p.marks[who] = p.marks[who].With(sq)
	p.toAct = 1 - who
	switch {
	case g.completes(p.marks[who], sq, who):
		return p, g.Done[who]
	case g.free(p).Empty():
		return p, g.Full
	}
	return p, 0
}

// compareForms compares forms as lists of what the squares hold: nothing, a mark of First, one of Second.
func (g *columnGame) compareForms(a, b [2]board.Set) int {
	differ := a[0].Minus(b[0]).Or(b[0].Minus(a[0])).Or(a[1].Minus(b[1])).Or(b[1].Minus(a[1]))
	if differ.Empty() {
		return 0
	}
	i := differ.First()
	return cmp.Compare(squareContent(a, i), squareContent(b, i))
}

// squareContent returns 0 for a free square, 1 for one of First's, 2 for one of Second's.
func squareContent(marks [2]board.Set, i int) int {
	switch {
	case marks[0].Has(i):
		return 1
	case marks[1].Has(i):
		return 2
	}
	return 0
}

// canonicalForm returns the least of the images of a position, the position itself among them, as compareForms compares
// them.
func (g *columnGame) canonicalForm(p columnPos) [2]board.Set {
	least := p.marks
	for _, perm := range g.perms {
		if f := [2]board.Set{permuted(p.marks[0], perm), permuted(p.marks[1], perm)}; g.compareForms(f, least) < 0 {
			least = f
		}
	}
	return least
}

// position returns the position of a form, which has all but whose turn it is.
func (g *columnGame) position(f [2]board.Set, turn int) columnPos { return columnPos{f, turn} }

// claimKept reports whether the side of the claim can complete a set that keeps it, or keeps it by following. The
// first is asked where this side is to move, the second where the other is.
func (g *columnGame) claimKept(p columnPos, c *levelClaim, pliesLeft int) (endsWithin int, kept bool) {
	if p.toAct != c.seat {
		endsWithin, kept = g.keepsByFollowUp(p, c)
		return endsWithin, kept && (!c.wins || endsWithin <= pliesLeft)
	}
	if !g.Tested[c.seat] || !c.keepsClaim(g.Done[c.seat]) {
		return 0, false
	}
	for foot := range g.columns {
		if sq := g.lowestFreeSquare(p, foot); sq >= 0 && g.completes(p.marks[c.seat].With(sq), sq, c.seat) {
			return 1, true
		}
	}
	return 0, false
}

// keepsByFollowUp reports whether the seat keeps the claim, its opponent to move, by answering
// each mark with one right above it, and within how many plies the game is over.
//
// Where every column has an even number of free squares it can do so to the end: then it has the
// second, fourth … of them from below, its opponent the first, third ….
//
// One column may have an odd number, if among its second, fourth … free squares is one on which the
// seat completes a set, that holds besides only marks it has and such squares of the column below.
// When the other columns are full the opponent has to mark the squares below that one, and the seat
// gets there; until then the two have what is said above, and from this column no more than the squares
// up to that one. (After Allis, A Knowledge-based Approach of Connect-Four, 1988: follow-up
// and zugzwang.)
func (g *columnGame) keepsByFollowUp(p columnPos, c *levelClaim) (endsWithin int, kept bool) {
	if g.Tested[c.seat] && !c.keepsClaim(g.Done[c.seat]) {
		return 0, false
	}
	c.spend(2 * len(g.Board.Lines))
	own, opp := p.marks[c.seat], p.marks[1-c.seat]
	taken := own.Or(opp)
	var odd []int
	for _, column := range g.columns {
		filled := 0
		for filled < len(column) && taken.Has(column[filled]) {
			filled++
		}
		rest := column[filled:]
		if slices.ContainsFunc(rest, taken.Has) {
			return 0, false // a mark with nothing below it
		}
		if len(rest)%2 == 1 {
			if odd != nil {
				return 0, false
			}
			odd = rest
			continue
		}
		for k := 0; k < len(rest); k += 2 {
			own, opp = own.With(rest[k+1]), opp.With(rest[k])
		}
	}
	free := g.free(p).Len()
	// All columns are even: the seat gets all squares that following gives it, to the end of the game.
	if odd == nil {
		return free, !g.losesTo(c, opp) && (c.keepsClaim(g.Full) || g.holdsWinningSet(c, own, -1))
	}
	// One column is odd: it is followed up to the square that wins, and what lies above that is not counted on.
	above := p.marks[c.seat] // what a set may hold besides the square that completes it
	for k := 0; k+1 < len(odd); k += 2 {
		above, opp = above.With(odd[k+1]), opp.With(odd[k])
		if g.losesTo(c, opp) {
			return 0, false
		}
		if g.holdsWinningSet(c, above, odd[k+1]) {
			return free - (len(odd) - k - 2), true
		}
	}
	return 0, false
}

// losesTo reports whether the opponent could own a set with these marks, where that refutes the claim.
func (g *columnGame) losesTo(c *levelClaim, marks board.Set) bool {
	return g.Tested[1-c.seat] && !c.keepsClaim(g.Done[1-c.seat]) &&
		slices.ContainsFunc(g.Board.Lines, func(l board.Line) bool { return marks.Holds(l.Need) })
}

// holdsWinningSet reports whether these marks hold a set that wins for the seat, whatever else it
// marks, and that has square sq; any set where sq is -1.
func (g *columnGame) holdsWinningSet(c *levelClaim, marks board.Set, sq int) bool {
	if !g.completionWins(c.seat) {
		return false
	}
	for k := range g.Board.Lines {
		line := &g.Board.Lines[k]
		if line.Bar.Empty() && marks.Holds(line.Need) && (sq < 0 || line.Need.Has(sq)) {
			return true
		}
	}
	return false
}
