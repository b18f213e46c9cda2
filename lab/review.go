package lab

import (
	"context"
	"errors"
	"time"

	"oxo"
	"oxo/arena"
)

// Judgement is what a move was worth, by the truth where it is known.
type Judgement struct {
	Ply    int      `json:"ply"` // from 1
	Move   string   `json:"move"`
	Turn   string   `json:"turn"`
	Before string   `json:"before"` // the value of the position: first, second or draw
	After  string   `json:"after"`
	Gave   bool     `json:"gave"`          // the move gave value away
	Better []string `json:"better"`        // the best moves, where it did
	Exact  bool     `json:"exact"`         // by the truth, not by a search
	Why    string   `json:"why,omitempty"` // what the move let the other side do, in words, where it gave value away
}

// Review judges every move of a game: by the truth where positions are solved
// at once, else by a search of the given time for each position.
func (b *bound[P]) Review(ctx context.Context, s *arena.Sheet, perMove time.Duration) ([]Judgement, error) {
	positions, moves, err := arena.Replay(b.Game, s)
	if err != nil {
		return nil, err
	}
	if b.Odds != nil || b.Payoff != nil {
		return nil, errors.New("review is for games that are won, drawn or lost, without chance")
	}
	var list []Judgement
	for i, m := range moves {
		p := positions[i]
		j := Judgement{Ply: i + 1, Move: b.FormatMove(p, m), Turn: p.Turn().String(), Better: []string{}}
		before, after, err := b.judge(ctx, p, positions[i+1], perMove)
		if err != nil {
			return list, err
		}
		j.Before, j.After, j.Exact = before.value, after.value, before.exact && after.exact
		mover := p.Turn().String()
		if worse(before.value, after.value, mover) {
			j.Gave, j.Better = true, before.best
			j.Why = b.why(positions[i+1], after)
		}
		list = append(list, j)
	}
	return list, nil
}

// judged is a position's value, and its best moves.
type judged struct {
	value string
	best  []string
	exact bool
	plies *int // to the end, where that is known
}

func (b *bound[P]) judge(ctx context.Context, p, next P, perMove time.Duration) (before, after judged, err error) {
	all, err := b.solved()
	if err != nil {
		all, err = b.solution(ctx, p, atOnce, nil)
	}
	if err == nil {
		r, err := b.result(all, p, time.Now())
		if err != nil {
			return before, after, err
		}
		then, err := b.result(all, next, time.Now())
		if err != nil {
			return before, after, err
		}
		return judged{r.Value, r.Best, true, r.Remoteness}, judged{then.Value, then.Best, true, then.Remoteness}, nil
	}
	before, err = b.estimate(ctx, p, perMove)
	if err != nil {
		return before, after, err
	}
	after, err = b.estimate(ctx, next, perMove)
	return before, after, err
}

// estimate values a position by Monte-Carlo tree search.
func (b *bound[P]) estimate(ctx context.Context, p P, perMove time.Duration) (judged, error) {
	if o := p.Outcome(); o != oxo.Ongoing {
		return judged{value: o.String(), exact: true}, nil
	}
	r, err := b.Search(ctx, SearchOptions{Position: b.Format(p), Algorithm: "mcts", Time: perMove, Seed: 1})
	if err != nil {
		return judged{}, err
	}
	return judged{value: leaning(*r.Value), best: []string{r.Move}, exact: r.Exact}, nil
}

// clearly is how far from a draw a searched value must be to count as a win.
const clearly = 0.5

// leaning reads a searched value as a result.
func leaning(v float64) string {
	switch {
	case v > clearly:
		return "first"
	case v < -clearly:
		return "second"
	}
	return "draw"
}

// worse reports whether the value fell for the mover.
func worse(before, after, mover string) bool {
	points := func(value string) int {
		switch value {
		case "draw":
			return 1
		case mover:
			return 2
		}
		return 0
	}
	return points(after) < points(before)
}
