package typed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"time"

	"oxo"
	"oxo/board"
	"oxo/lab/internal/game"
	"oxo/lab/internal/opened"
	"oxo/search"
	"oxo/solve"
)

const (
	probes         = 2000
	sequenceGroups = 1 << 20 // largest group whose elements are listed one by one
)

// TakeCensus takes the game's census. It stops when ctx is done or a ply has more
// than maxClassesPerPly classes; symmetries are answered all the same. A limit of 0 is none. Counts that were not
// reached are nil, with Reason saying why; then random probes estimate the size of the tree where play can't go in
// circles.
func (f solving[P]) TakeCensus(ctx context.Context, maxClassesPerPly int) *game.CountResult {
	begin := time.Now()
	r := &game.CountResult{Game: f.b.Spec, Symmetries: f.b.Symmetries}
	// Plies that were complete when the census stopped are told even where the totals are not known.
	c := solve.TakeCensus(ctx, f.b.Game, maxClassesPerPly)
	for i, p := range c.Plies {
		r.ByPly = append(r.ByPly, game.PlyCount{Ply: i, Nodes: p.Nodes, Games: p.Games, Positions: p.Positions,
			Classes: p.Classes, Terminal: game.ByResult(p.Terminal),
			TerminalClasses: game.ByResult(p.TerminalClasses)})
	}
	// A person who interrupts the count is told how far it came, not of a context.
	if r.Reason = c.Why; errors.Is(ctx.Err(), context.Canceled) {
		r.Reason = fmt.Sprintf("stopped at ply %d", len(c.Plies))
	}
	if c.Complete {
		f.fillCensus(r, c)
	} else {
		r.MostPositions, r.MostGames = f.mostPositionsAndGames()
	}
	// The sequences up to symmetry follow from the number of games, and an estimate is for where that is not known.
	if r.Games != nil {
		r.MergedSequences = f.gamesUpToSymmetry(r.Games)
	} else if nodes, games, err := solve.EstimateTreeSize(f.b.Game, probes, 1); err == nil {
		r.Estimate = &game.TreeGuesses{Probes: probes, Nodes: game.Large{Float: nodes.Mean},
			NodesError: game.Large{Float: nodes.Error}, Games: game.Large{Float: games.Mean},
			GamesError: game.Large{Float: games.Error}}
	}
	r.Seconds = time.Since(begin).Seconds()
	return r
}

// fillCensus sets the totals of a census that came to its end: positions and classes by outcome,
// games, random play and the boxes of MENACE, which are classes in which the mover has a choice. Classes are
// left out where the group is too large to find the representative of one.
func (f solving[P]) fillCensus(r *game.CountResult, c *solve.Census) {
	terminal, terminalClasses := c.Terminal.Total(), c.TerminalClasses.Total()
	rest, restClasses := c.Positions-terminal, c.Classes-terminalClasses
	by, classesBy := game.ByResult(c.Terminal), game.ByResult(c.TerminalClasses)
	r.Positions, r.Terminal, r.Nonterminal = &c.Positions, &by, &rest
	if f.b.Canonical != nil || f.b.Symmetries.Cmp(big.NewInt(1)) == 0 {
		r.Classes, r.TerminalClasses, r.TerminalBy, r.NonterminalCl = &c.Classes, &terminalClasses, &classesBy,
			&restClasses
		r.Boxes = &game.Boxes{First: c.Boxes[oxo.First], Second: c.Boxes[oxo.Second]}
		// First moves at even plies and Second at odd ones, where neither chance nor circles come between.
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
	// Where play can go in circles the number of games is not known, nor anything that weighs games.
	if c.Games == nil {
		return
	}
	// Merging positions has a meaning only where their classes can be told.
	if r.Classes != nil {
		r.MergedPositions = c.MergedGames
	}
	r.GamesBy = &game.GamesBy{First: c.GamesFor[0], Second: c.GamesFor[1], Draw: c.GamesFor[2]}
	r.Random = &game.RandomPlay{First: c.Random[0], Second: c.Random[1], Draw: c.Random[2]}
	if f.b.Payoff != nil {
		r.Random.Payoff = &c.RandomPayoff
	}
	if e := c.RandomExact; e != nil {
		r.Random.Exact = &game.ExactPer{First: e[0].RatString(), Second: e[1].RatString(), Draw: e[2].RatString()}
	}
}

// gamesUpToSymmetry counts the games up to symmetry of whole sequences of moves: by
// Burnside's lemma, the mean over all symmetries of the games that one keeps,
// which are those played on squares that it keeps. It returns nil where that
// is not to be had. That is so for games that are not on squares, and for groups of more than sequenceGroups
// elements. Games is the number of all games, which the identity keeps.
func (f solving[P]) gamesUpToSymmetry(games *big.Int) *big.Int {
	if f.b.Symmetries.Cmp(big.NewInt(1)) == 0 {
		return games
	}
	if f.b.Board == nil {
		return nil
	}
	fixed, ok := f.b.Board.Group().CountByFixedSquares(sequenceGroups)
	if !ok {
		return nil
	}
	sum := new(big.Int)
	// All elements that fix the same squares keep equally many games, so these are counted once for them.
	for squares, elements := range fixed {
		kept := games
		// An element that fixes all squares keeps every game, which spares the count.
		if squares != f.b.Board.Squares() {
			kept = solve.CountAllowedGames(f.b.Game, func(m oxo.Move) bool { return squares.Has(board.Square(m)) })
		}
		sum.Add(sum, new(big.Int).Mul(kept, new(big.Int).SetUint64(elements)))
	}
	return sum.Div(sum, f.b.Symmetries)
}

// Perft counts the sequences of exactly depth moves from the start. The name is that of chess
// programs: performance test. Those that end earlier do not count. The error is of a depth below 0, or that of ctx.
func (f solving[P]) Perft(ctx context.Context, depth int) (*game.PerftResult, error) {
	if depth < 0 {
		return nil, errors.New("the depth of perft must be at least 0")
	}
	begin := time.Now()
	leaves, err := solve.Perft(ctx, f.b.Game, f.b.Start, depth)
	return &game.PerftResult{Game: f.b.Spec, Depth: depth, Leaves: leaves, Seconds: time.Since(begin).Seconds()}, err
}

// ReadTallies reads how games end below each move of a position from a table that the
// player winratio keeps.
func (f solving[P]) ReadTallies(table io.Reader, position string) ([]game.GamesBelow, error) {
	p, err := opened.ParseOrStart(f.b.Game, position)
	if err != nil {
		return nil, err
	}
	t, err := solve.ReadTallies(table, f.b.Game, f.b.Identity)
	if err != nil {
		return nil, err
	}
	list := []game.GamesBelow{}
	if p.Outcome() == oxo.Ongoing {
		for _, m := range p.Moves(nil) {
			e := t.At(p.Play(m))
			list = append(list, game.GamesBelow{Move: f.b.FormatMove(p, m), First: e.First, Second: e.Second,
				Draw: e.Draw})
		}
	}
	return list, nil
}

// SearchTreeBounds works out the bounds, and the true counts as far as ctx allows. It refuses games that are not
// played on squares with winning sets. The textbook's machine carries out 2·10⁹ instructions a second
// and takes 100·N of them for a node. The limit of classes a ply is that of [solving.TakeCensus]; true counts
// that can't be had within it are nil in the result, while the bounds follow from the board's size alone.
func (f solving[P]) SearchTreeBounds(ctx context.Context, maxClassesPerPly int) (*game.BoundsResult, error) {
	begin := time.Now()
	r, placing, err := f.boundSize()
	if err != nil {
		return nil, err
	}
	ns, err := measureNodeNanos(ctx)
	if err != nil {
		return nil, err
	}
	r.NsPerNode = ns
	largest := func(perNode func(n int) float64) game.Largest {
		return game.Largest{Second: search.LargestSearchable(placing, 1, perNode),
			Minute: search.LargestSearchable(placing, 60, perNode),
			Hour:   search.LargestSearchable(placing, 3600, perNode)}
	}
	r.Textbook = largest(func(n int) float64 { return 100 * float64(n) / 2e9 })
	r.Measured = largest(func(int) float64 { return ns / 1e9 })
	// The true counts come last, as they may take all of the time that is left.
	count := f.TakeCensus(ctx, maxClassesPerPly)
	r.Games, r.Nodes, r.Positions, r.Classes = count.Games, count.Nodes, count.Positions, count.Classes
	r.Seconds = time.Since(begin).Seconds()
	return r, nil
}

// waysOnNine is at most how many positions on nine boards have the same marks: the next move is in one of the boards,
// or in any.
const waysOnNine = 10

// mostPositionsAndGames returns numbers that the game's positions and games do not exceed, which follow from the
// number of squares and how marks get onto them. They are nil for games that are not of marks on squares.
func (f solving[P]) mostPositionsAndGames() (positions, games *big.Int) {
	squares, ways, placing := len(f.b.View.Squares), int64(1), search.Placing{}
	if at, ok := any(f.b.Start).(interface{ Rules() board.Rules }); ok {
		placing = f.placingBy(at.Rules())
	} else if t := f.b.Info().Turns; t == nil || t.Nine == nil {
		return nil, nil
	} else if ways = waysOnNine; t.Nine.Open {
		ways <<= 9 // of a board with rows of both sides either may have been the first
	}
	c := search.GameSizeBounds(squares, placing)
	return c.Positions.Mul(c.Positions, big.NewInt(ways)), c.Games
}

// placingBy says how marks get onto the squares by those rules.
func (f solving[P]) placingBy(rules board.Rules) search.Placing {
	return search.Placing{Either: rules.Place == board.Either, Same: rules.Place == board.Cross, Slips: f.b.Odds != nil}
}

// boundSize works out the bounds that follow from the number of squares and from how marks are placed, which it
// returns too. It refuses as [solving.SearchTreeBounds] does.
func (f solving[P]) boundSize() (*game.BoundsResult, search.Placing, error) {
	if f.b.Board == nil {
		return nil, search.Placing{}, f.b.NoBoardError("bounds")
	}
	// Which marks may go on a square, and whether they slip to another, decides how many ways a square can be taken.
	rules := any(f.b.Start).(board.Positional).Rules()
	placing := f.placingBy(rules)
	c := search.GameSizeBounds(f.b.Board.N, placing)
	r := &game.BoundsResult{Game: f.b.Spec, Squares: c.Squares, GamesBound: c.Games, NodesBound: c.Nodes,
		FactorialSum: c.FactorialSum,
		StatesBound:  c.States, StatesByPly: c.ByPly, GamesFormula: c.GamesFormula, NodesFormula: c.NodesFormula,
		StatesFormula: c.StatesFormula}
	// Only where each side places its own mark does the ply tell how many marks each of them has.
	if rules.Place == board.Own {
		r.StatesAlter, r.FullBoards = c.Positions, c.ByPly[len(c.ByPly)-1]
		if !placing.Slips {
			// In the bound all first moves have equally many nodes, so one has an N-th of all but the root.
			below := new(big.Int).Sub(c.Nodes, big.NewInt(1))
			r.BelowFirst = below.Div(below, big.NewInt(int64(c.Squares)))
		}
	}
	return r, placing, nil
}

// measureNodeNanos measures the time that plain minimax takes for a node of 3×3, in
// nanoseconds. The whole tree is searched, of 549,946 nodes, which are enough for the clock.
func measureNodeNanos(ctx context.Context) (nanos float64, err error) {
	g, err := (&game.Lab{Kinds: BuiltInKinds()}).Game("ttt")
	if err != nil {
		return 0, err
	}
	r, err := g.Searching().Search(ctx, game.SearchOptions{Algorithm: string(search.Minimax)})
	if err != nil {
		return 0, err
	}
	return r.Seconds * 1e9 / float64(r.Nodes), nil
}
