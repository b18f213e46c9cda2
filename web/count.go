package web

import (
	"context"
	"math"
	"math/big"

	"oxo/lab"
	"oxo/web/service"
)

// CountReply tells how large a game is. Numbers beyond 2^53 are rounded.
type CountReply struct {
	Whole     bool         `json:"whole" doc:"whether all was counted; else the numbers are those of the plies in by_ply"`
	Positions float64      `json:"positions" doc:"positions that can be reached"`
	Classes   *float64     `json:"classes,omitempty" doc:"the same up to symmetry, where that can be told"`
	Nodes     *float64     `json:"nodes,omitempty" doc:"nodes of the game tree; left out where play can go in circles"`
	Games     *float64     `json:"games,omitempty" doc:"sequences of moves to an end; left out where play can go in circles"`
	ByPly     []CountedPly `json:"by_ply" doc:"the counts after each number of plies; none where play can go in circles"`

	MostPositions *float64 `json:"most_positions,omitempty" doc:"where not all was counted, a number that positions do not exceed"`
	MostGames     *float64 `json:"most_games,omitempty" doc:"the same of games"`
}

// CountedPly is what was counted after a number of plies.
type CountedPly struct {
	Ply       int      `json:"ply"`
	Positions float64  `json:"positions"`
	Classes   float64  `json:"classes" doc:"the same up to symmetry; as many where that can't be told"`
	Games     *float64 `json:"games,omitempty" doc:"games that end here"`
}

// countedClasses is the most classes of positions that a ply may have: some tens of megabytes of them.
const countedClasses = 100_000

// count answers how many positions and games a game has, as far as they can be counted in the time of a request.
func (s *searcher) count(ctx context.Context, in *GameRequest) (*CountReply, error) {
	g, err := s.OpenGame(ctx, in.Game)
	if err != nil {
		return nil, service.FieldProblem("game", in.Game, err)
	}
	c, err := service.Computed(ctx, s.Base, s.Longest, false, func(ctx context.Context) (*lab.CountResult, error) {
		return g.Solving().TakeCensus(ctx, countedClasses), nil
	})
	if err != nil {
		return nil, service.FieldProblem("game", in.Game, err)
	}
	r := &CountReply{Whole: c.Positions != nil, Nodes: rounded(c.Nodes), Games: rounded(c.Games), ByPly: []CountedPly{}}
	if c.Classes != nil {
		r.Classes = new(float64(*c.Classes))
	}
	for _, p := range c.ByPly {
		r.Positions += float64(p.Positions)
		r.ByPly = append(r.ByPly, CountedPly{p.Ply, float64(p.Positions), float64(p.Classes), rounded(p.Games)})
	}
	if r.Whole {
		r.Positions = float64(*c.Positions) // which plies do not add up to where play can go in circles
	} else {
		r.MostPositions, r.MostGames = roundedUp(c.MostPositions), roundedUp(c.MostGames)
	}
	return r, nil
}

// roundedUp returns the least float64 that is no less; nil of nil, and of what is too large for one.
func roundedUp(n *big.Int) *float64 {
	f := rounded(n)
	if f == nil {
		return nil
	}
	if near, _ := new(big.Float).SetFloat64(*f).Int(nil); near.Cmp(n) < 0 {
		*f = math.Nextafter(*f, math.Inf(1))
	}
	return f
}

// rounded returns the nearest float64; nil of nil, and of what is too large for one.
func rounded(n *big.Int) *float64 {
	if n == nil {
		return nil
	}
	f, _ := new(big.Float).SetInt(n).Float64()
	if f > 1e300 {
		return nil
	}
	return &f
}
