package learn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"oxo"
	"oxo/learn/space"
)

// sampled is the result of a match: what there is instead of an exam where a
// game is too large to enumerate. Each opening is played twice, with sides
// exchanged.
type sampled struct {
	Games  int     `json:"games"`
	Wins   int     `json:"wins"`
	Draws  int     `json:"draws"`
	Losses int     `json:"losses"`
	Score  float64 `json:"score"` // mean of wins and half the draws
	Error  float64 `json:"error"` // standard error of Score, from the scores of the pairs
}

// match plays pairs of games between two players from openings of random
// moves, plies long. The same seed gives the same result.
func match[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], a, b func(r *rand.Rand) oxo.Player[P], pairs,
	plies int, seed uint64) (sampled, error) {
	r := rand.New(rand.NewPCG(seed, 4))
	graph := space.NewLazyGraph(g)
	var s sampled
	sum, squares := 0.0, 0.0
	for range pairs {
		graph.Space.Forget()
		line := randomWalk(graph.Space, graph.Start, plies, r)
		opening := graph.Position(line[len(line)-1])
		pair := 0.0
		for seat := range oxo.Chance {
			players := [2]oxo.Player[P]{a(r), b(r)}
			if seat == oxo.Second {
				players[0], players[1] = players[1], players[0]
			}
			o, err := duel(ctx, g, opening, players, r)
			if err != nil {
				return s, err
			}
			s.Games++
			switch v := o.Value(seat); v {
			case oxo.Win:
				s.Wins++
				pair++
			case oxo.Loss:
				s.Losses++
			default:
				s.Draws++
				pair += 0.5
			}
		}
		sum += pair / 2
		squares += pair * pair / 4
	}
	if n := float64(pairs); n > 0 {
		s.Score = sum / n
		s.Error = math.Sqrt(max(0, squares/n-s.Score*s.Score) / n)
	}
	return s, nil
}

// duel plays a game from p.
func duel[P oxo.Position[P]](ctx context.Context, g *oxo.Game[P], p P, players [2]oxo.Player[P],
	r *rand.Rand) (oxo.Outcome, error) {
	for range longest {
		if o := p.Outcome(); o != oxo.Ongoing {
			return o, nil
		}
		if err := ctx.Err(); err != nil {
			return oxo.Ongoing, err
		}
		turn := p.Turn()
		if turn == oxo.Chance {
			moves := p.Moves(nil)
			x, m := r.Float64(), moves[len(moves)-1]
			for _, c := range moves {
				if x -= g.Odds(p, c); x < 0 {
					m = c
					break
				}
			}
			p = p.Play(m)
			continue
		}
		c, err := players[turn].Choose(ctx, p)
		if err != nil {
			return oxo.Ongoing, fmt.Errorf("the %s player: %w", turn, err)
		}
		if c.Resign {
			return oxo.WinFor(turn.Other()), nil
		}
		p = p.Play(c.Move)
	}
	return oxo.Drawn, nil
}
