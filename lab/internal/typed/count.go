package typed

import (
	"context"
	"errors"
	"math/big"
	"time"

	"oxo"
	"oxo/board"
	"oxo/solve"
)

// CountResult is a census of a game. What could not be counted is null, and
// Reason says why.
type CountResult struct {
	Game            string       `json:"game"`
	Games           *big.Int     `json:"games"`
	Nodes           *big.Int     `json:"nodes"`
	Positions       *uint64      `json:"positions"`
	Classes         *uint64      `json:"classes"`
	Terminal        *ByResult    `json:"terminal"`
	TerminalClasses *uint64      `json:"terminal_classes"`
	TerminalBy      *ByResult    `json:"terminal_classes_by_result"`
	GamesBy         *GamesBy     `json:"games_by_result"`
	Nonterminal     *uint64      `json:"nonterminal"`
	NonterminalCl   *uint64      `json:"nonterminal_classes"`
	MergedPositions *big.Int     `json:"games_merging_positions"` // symmetric positions taken as one at each move
	MergedSequences *big.Int     `json:"games_merging_sequences"` // symmetric sequences of moves taken as one
	Random          *RandomPlay  `json:"random_play"`
	Boxes           *Boxes       `json:"matchboxes"`
	ByPly           []PlyCount   `json:"by_ply"`
	Symmetries      *big.Int     `json:"symmetries"`
	Reason          string       `json:"reason,omitempty"`
	Estimate        *TreeGuesses `json:"estimate,omitempty"`
	Seconds         float64      `json:"seconds"`
}

// ByResult counts things by who won.
type ByResult struct {
	First  uint64 `json:"first"`
	Second uint64 `json:"second"`
	Draw   uint64 `json:"draw"`
}

// GamesBy counts games by who won.
type GamesBy struct {
	First  *big.Int `json:"first"`
	Second *big.Int `json:"second"`
	Draw   *big.Int `json:"draw"`
}

// RandomPlay is how games between two random players end: as probabilities,
// and as fractions where they are known.
type RandomPlay struct {
	First  float64   `json:"first"`
	Second float64   `json:"second"`
	Draw   float64   `json:"draw"`
	Exact  *ExactPer `json:"exact,omitempty"`
}

// ExactPer is a distribution over results in fractions.
type ExactPer struct {
	First  string `json:"first"`
	Second string `json:"second"`
	Draw   string `json:"draw"`
}

// Boxes are the classes of positions in which a seat has a choice: the
// matchboxes a MENACE needs to play it. Forced are the classes with one move.
type Boxes struct {
	First        uint64 `json:"first"`
	Second       uint64 `json:"second"`
	FirstForced  uint64 `json:"first_forced"`
	SecondForced uint64 `json:"second_forced"`
}

// PlyCount is the census of one ply.
type PlyCount struct {
	Ply             int      `json:"ply"`
	Nodes           *big.Int `json:"nodes"`
	Games           *big.Int `json:"games"`
	Positions       uint64   `json:"positions"`
	Classes         uint64   `json:"classes"`
	Terminal        ByResult `json:"terminal"`
	TerminalClasses ByResult `json:"terminal_classes"`
}

// TreeGuesses are estimates of the size of the game tree from random probes.
type TreeGuesses struct {
	Nodes  Large `json:"nodes"`
	Games  Large `json:"games"`
	Probes int   `json:"probes"`
}

// Large is a number that may be too large for a float64. In JSON it is a number
// of six digits.
type Large struct{ *big.Float }

// MarshalJSON writes the number.
func (l Large) MarshalJSON() ([]byte, error) { return l.Append(nil, 'g', 6), nil }

const (
	probes         = 2000
	sequenceGroups = 1 << 20 // largest group whose elements are listed one by one
)

// Count takes the game's census. It stops when ctx is done or a ply has more
// than limit classes; symmetries are answered all the same.
func (f solving[P]) Count(ctx context.Context, limit int) *CountResult {
	begin := time.Now()
	r := &CountResult{Game: f.b.Spec, Symmetries: f.b.Symmetries}
	c := solve.Count(ctx, f.b.Game, limit)
	for i, p := range c.Plies {
		r.ByPly = append(r.ByPly, PlyCount{i, p.Nodes, p.Games, p.Positions, p.Classes, ByResult(p.Terminal),
			ByResult(p.TerminalClasses)})
	}
	r.Reason = c.Why
	if c.Complete {
		f.fillCensus(r, c)
	}
	if r.Games != nil {
		r.MergedSequences = f.gamesUpToSymmetry(r.Games)
	} else if nodes, games, err := solve.Estimate(f.b.Game, probes, 1); err == nil {
		r.Estimate = &TreeGuesses{Large{nodes}, Large{games}, probes}
	}
	r.Seconds = time.Since(begin).Seconds()
	return r
}

func (f solving[P]) fillCensus(r *CountResult, c *solve.Census) {
	terminal, terminalClasses := c.Terminal.Total(), c.TerminalClasses.Total()
	rest, restClasses := c.Positions-terminal, c.Classes-terminalClasses
	by, classesBy := ByResult(c.Terminal), ByResult(c.TerminalClasses)
	r.Positions, r.Terminal, r.Nonterminal = &c.Positions, &by, &rest
	if f.b.Canonical != nil || f.b.Symmetries.Cmp(big.NewInt(1)) == 0 {
		r.Classes, r.TerminalClasses, r.TerminalBy, r.NonterminalCl = &c.Classes, &terminalClasses, &classesBy,
			&restClasses
		r.Boxes = &Boxes{First: c.Boxes[oxo.First], Second: c.Boxes[oxo.Second]}
		for i, p := range c.Plies {
			if i%2 == 0 {
				r.Boxes.FirstForced += p.Forced
			} else {
				r.Boxes.SecondForced += p.Forced
			}
		}
		if f.b.Odds != nil || f.b.Loopy() {
			r.Boxes = nil // a ply does not tell whose turn it is
		}
	} else {
		r.Reason = "the group of symmetries is too large to tell classes"
	}
	r.Games, r.Nodes = c.Games, c.Nodes
	if c.Games == nil {
		return
	}
	if r.Classes != nil {
		r.MergedPositions = c.MergedGames
	}
	r.GamesBy = &GamesBy{c.GamesFor[0], c.GamesFor[1], c.GamesFor[2]}
	r.Random = &RandomPlay{First: c.Random[0], Second: c.Random[1], Draw: c.Random[2]}
	if e := c.RandomExact; e != nil {
		r.Random.Exact = &ExactPer{e[0].RatString(), e[1].RatString(), e[2].RatString()}
	}
}

// gamesUpToSymmetry counts the games up to symmetry of whole sequences of moves: by
// Burnside's lemma, the mean over all symmetries of the games that one keeps,
// which are those played on squares that it keeps. It returns nil where that
// is not to be had.
func (f solving[P]) gamesUpToSymmetry(games *big.Int) *big.Int {
	if f.b.Symmetries.Cmp(big.NewInt(1)) == 0 {
		return games
	}
	if f.b.board == nil {
		return nil
	}
	fixed, ok := f.b.board.Group().CountByFixedSquares(sequenceGroups)
	if !ok {
		return nil
	}
	sum := new(big.Int)
	for squares, elements := range fixed {
		kept := games
		if squares != f.b.board.Squares() {
			kept = solve.GamesWithin(f.b.Game, func(m oxo.Move) bool { return squares.Has(board.Square(m)) })
		}
		sum.Add(sum, new(big.Int).Mul(kept, new(big.Int).SetUint64(elements)))
	}
	return sum.Div(sum, f.b.Symmetries)
}

// PerftResult counts the leaves of the game tree at a depth.
type PerftResult struct {
	Game    string  `json:"game"`
	Depth   int     `json:"depth"`
	Leaves  uint64  `json:"leaves"`
	Seconds float64 `json:"seconds"`
}

// Perft counts the sequences of exactly depth moves from the start.
func (f solving[P]) Perft(ctx context.Context, depth int) (*PerftResult, error) {
	if depth < 0 {
		return nil, errors.New("the depth of perft must be at least 0")
	}
	begin := time.Now()
	leaves, err := solve.Perft(ctx, f.b.Game, f.b.Start, depth)
	if err != nil {
		return nil, err
	}
	return &PerftResult{f.b.Spec, depth, leaves, time.Since(begin).Seconds()}, nil
}
