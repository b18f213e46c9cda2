package typed

import (
	"context"
	"fmt"
	"slices"
	"time"

	"oxo"
	"oxo/arena"
	"oxo/search"
	"oxo/solve"
)

// Judgement is what a move was worth, by the truth where it is known.
type Judgement struct {
	Ply    int      `json:"ply"` // from 1
	Move   string   `json:"move"`
	Turn   string   `json:"turn"`
	Before string   `json:"before"` // the value of the position: first, second or draw, or what it is worth to First where chance or payoffs make that a number
	After  string   `json:"after"`
	Gave   bool     `json:"gave"`          // the move gave value away
	Better []string `json:"better"`        // the best moves, where it did
	Exact  bool     `json:"exact"`         // by the truth, not by a search
	Why    string   `json:"why,omitempty"` // what the move let the other side do, in words, where it gave value away
}

// Review judges every move of a game: by the truth where positions are solved
// at once, won by threats or settled by proof numbers, else by a search of the
// given time for each position.
// Chance's moves give nothing away.
func (f records[P]) Review(ctx context.Context, s *arena.Sheet, perMove time.Duration) ([]Judgement, error) {
	positions, moves, err := arena.Replay(f.b.Game, s)
	if err != nil {
		return nil, err
	}
	var list []Judgement
	for i, m := range moves {
		p := positions[i]
		j := Judgement{Ply: i + 1, Move: f.b.FormatMove(p, m), Turn: p.Turn().String(), Better: []string{}}
		before, after, err := f.judge(ctx, p, positions[i+1], perMove)
		if err == nil {
			err = ctx.Err() // a search that was cut off says little
		}
		if err != nil {
			return list, err
		}
		j.Before, j.After, j.Exact = before.value, after.value, before.exact && after.exact
		if f.gave(p.Turn(), before, after) && !slices.Contains(before.best, j.Move) {
			j.Gave, j.Better = true, before.best
			j.Why = f.why(positions[i+1], after)
		}
		list = append(list, j)
	}
	return list, nil
}

// judged is what a position is worth.
type judged struct {
	value string   // in words
	worth float64  // to First
	best  []string // moves
	exact bool
	plies *int     // to the end, where that is known
	force []string // the moves of a win by threats, or the first of them
}

// judge values a position and the one after it.
func (f records[P]) judge(ctx context.Context, p, next P, perMove time.Duration) (before, after judged, err error) {
	all, err := f.b.solveWhole(ctx)
	if err != nil {
		all, err = f.b.solution(ctx, p, solve.Options{Limit: atOnce})
	}
	if err == nil {
		if before, err = f.known(all, p); err == nil {
			after, err = f.known(all, next)
		}
		return before, after, err
	}
	if before, err = f.estimate(ctx, p, perMove); err == nil {
		after, err = f.estimate(ctx, next, perMove)
	}
	return before, after, err
}

// known values a position by a solution.
func (f records[P]) known(all *solve.Solution[P], p P) (judged, error) {
	r, err := f.b.result(all, p, time.Now())
	if err != nil {
		return judged{}, err
	}
	v, _ := all.At(p)
	j := judged{value: r.Value, worth: v.Expected, best: r.Best, exact: true, plies: r.Remoteness}
	if r.Expected == nil {
		j.worth = float64(v.Outcome.Value(oxo.First))
	} else {
		j.value = inNumbers(*r.Expected)
	}
	return j, nil
}

// proofNodes is how many nodes dfpn may take to settle a position of a game under
// review: near the end few of them do.
const proofNodes = 100_000

// byProof values a position by proof numbers, or reports false where they are not
// for the game or don't settle within some nodes, and half the time, who wins.
func (f records[P]) byProof(ctx context.Context, p P, perMove time.Duration) (judged, bool) {
	ctx, cancel := context.WithTimeout(ctx, perMove/2)
	defer cancel()
	r, err := search.Search(ctx, f.b.Game, p, search.DFPN, search.Options[P]{MaxNodes: proofNodes, TableBytes: 16 << 20})
	if err != nil || !r.Exact() || p.Outcome() != oxo.Ongoing {
		return judged{}, false
	}
	return judged{value: leaning(r.Value), worth: r.Value, best: []string{f.b.FormatMove(p, r.Move)}, exact: true}, true
}

// estimate values a position by threats, which are the truth where they win, by
// proof numbers, which are where they settle it, else by Monte-Carlo tree search.
func (f records[P]) estimate(ctx context.Context, p P, perMove time.Duration) (judged, error) {
	j := judged{exact: true}
	if line := f.b.threatLine(p, true); line != nil {
		return f.byThreats(p, line), nil
	}
	if known, ok := f.byProof(ctx, p, perMove); ok {
		return known, nil
	}
	if p.Outcome() != oxo.Ongoing {
		j.worth = f.b.Worth(p)
	} else {
		r, err := searching[P](f).Search(ctx, SearchOptions{Position: f.b.Format(p), Algorithm: "mcts", Time: perMove, Seed: 1})
		if err != nil {
			return judged{}, err
		}
		j.worth, j.exact = *r.Value, r.Exact
		if r.Move != "" {
			j.best = []string{r.Move}
		}
	}
	if f.b.inNumbers() {
		j.value = inNumbers(j.worth)
	} else {
		j.value = leaning(j.worth)
	}
	return j, nil
}

// byThreats values a position that the side to move wins by threats.
func (f records[P]) byThreats(p P, line []int) judged {
	outcome := oxo.WinFor(p.Turn())
	j := judged{value: outcome.String(), worth: float64(outcome.Value(oxo.First)), exact: true}
	for _, sq := range line {
		j.force = append(j.force, f.b.board.Names[sq])
	}
	j.best = j.force[:1]
	return j
}

// inNumbers reports whether positions are worth numbers, not results.
func (b *bound[P]) inNumbers() bool { return b.Odds != nil || b.Payoff != nil }

func inNumbers(worth float64) string { return fmt.Sprintf("%.4g", worth) }

// clearly is how far from a draw a searched value must be to count as a win.
const clearly = 0.5

// leaning reads a searched value as a result.
func leaning(v float64) string {
	switch {
	case v > clearly:
		return oxo.FirstWins.String()
	case v < -clearly:
		return oxo.SecondWins.String()
	}
	return oxo.Drawn.String()
}

// gave reports whether the mover gave value away: any that is known, and what
// is plain where one is an estimate, a quarter of all there is to win.
func (f records[P]) gave(mover oxo.Seat, before, after judged) bool {
	if mover == oxo.Chance {
		return false
	}
	fall := before.worth - after.worth
	if mover == oxo.Second {
		fall = -fall
	}
	if before.exact && after.exact {
		return fall > rounding
	}
	lo, hi := f.b.Game.Bounds()
	return fall > (hi-lo)/4 && before.value != after.value
}

// rounding is what sums of products of chances may be wrong by.
const rounding = 1e-9
