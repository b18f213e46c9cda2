package certificate

// Race is a position of the race of two tokens on a row of squares, numbered from 0 on the left. First goes to the
// right end, Second to the left one.
type Race struct {
	Squares int      // of the row, below 256
	Tokens  [2]uint8 // where First's stands and Second's
}

// race codes a race and a position of it. Whether play leads to the position is not asked.
func (c *coder) race(g *Setup) {
	c.text(&g.Spec)
	if c.reads() {
		g.Race = &Race{}
	}
	number(c, &g.Race.Squares, 256)
	for seat := range g.Race.Tokens {
		number(c, &g.Race.Tokens[seat], g.Race.Squares)
	}
	number(c, &g.Turn, 2)
}

// rankedMoves codes the rest of a claim about a race of n squares: of a win within how many plies, and each move with
// its rank. There are fewer than n² positions in which the seat is to move, and no rank is above 2n².
func (c *coder) rankedMoves(claim *Claim, n int) {
	if claim.Wins {
		number(c, &claim.Plies, 2*n*n)
	}
	at := 0
	list(c, &claim.Moves, n*n, func(move *uint8) {
		if number(c, move, n); !claim.Wins {
			return
		}
		if c.reads() {
			claim.Ranks = append(claim.Ranks, 0)
		}
		number(c, &claim.Ranks[at], 2*n*n)
		at++
	})
}
