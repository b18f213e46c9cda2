package reproduce

import (
	"context"
	"fmt"
	"math"

	"oxo/lab"
)

// courseItems are the claims of the course's slides.
func courseItems() []Item {
	search := func(memo, symmetry, stop string) *Measure {
		return measureSearch("ttt", lab.SearchOptions{Algorithm: "minimax", Memo: memo, Symmetry: symmetry, Stop: stop},
			callFigures)
	}
	first := func(spec string) *Measure {
		return measureGame("ttt", func(ctx context.Context, g lab.Game) (Figures, error) {
			r, err := g.Searching().Search(ctx, lab.SearchOptions{Algorithm: "minimax", Position: spec})
			if err != nil {
				return nil, err
			}
			return Figures{numberFigure("nodes", float64(r.Nodes))}, nil
		})
	}
	var levels []row
	for l := 1; l <= 8; l++ {
		levels = append(levels, row{fmt.Sprintf("level %d", l), search(fmt.Sprintf("level=%d", l), "", "")})
	}
	return []Item{
		{"course-nodes", "slide 46", "“Using minimax with no optimizations, how many nodes in game tree? 1 + 8 + 8·7 " +
			"+ … + 8! = approx. 109,000”", 0.2,
			Figures{numberFigure("nodes", 109_000)},
			measureBounds("ttt", func(b *lab.BoundsResult) Figures {
				return Figures{numberFigure("nodes",
					bigToFloat(b.BelowFirst))}
			}),
			search("", "", ""),
			stackRows(row{"below a corner", first("x../.../... o")}, row{"below an edge", first(".x./.../... o")},
				row{"below the centre", first(".../.x./... o")}),
			"the sum is of the tree below one first mark in which no game ends early; the whole tree has nine of " +
				"them, and games do end"},
		{"course-branching", "slide 46", "“maximum 8 moves at any time, maximum tree depth = 9”", 0.1,
			Figures{numberFigure("moves at most", 8), numberFigure("depth", 9)}, nil, nil,
			measureGame("ttt", func(_ context.Context, g lab.Game) (Figures, error) {
				s, err := g.Parse("")
				return Figures{numberFigure("moves at most", float64(len(s.Moves))),
					numberFigure("depth", float64(g.Info().MaxPlies))}, err
			}), "the empty board has nine"},
		{"course-chess", "slide 47", "chess: 1 + 15 + … + 15^50 = approx 7·10^58 nodes, 7·10^52 seconds, approx. " +
			"1·10^45 years", 0.1,
			Figures{numberFigure("nodes", 7e58), numberFigure("seconds", 7e52), numberFigure("years", 1e45)},
			measureByArithmetic(chessEstimate), nil, nil,
			"at a microsecond a node; the years are twice as many as printed"},
		{"course-minimax", "slides 34 to 40", "“Problem with initial version: slow, ran out of stack space”", 0.1,
			Figures{textFigure("initial version", "slow")}, search("", "", ""), nil, nil,
			"every call of minimax is counted; this search keeps nine of them on its stack"},
		{"course-repeats", "slide 41", "“Search will encounter same intermediate states many times”", 0.1,
			Figures{textFigure("the same states", "many times")}, nil, nil, measureCount("ttt",
				func(c *lab.CountResult) Figures {
					return Figures{numberFigure("nodes", bigToFloat(c.Nodes)), numberFigure("positions",
						float64(*c.Positions)),
						numberFigure("times on average", bigToFloat(c.Nodes)/float64(*c.Positions))}
				}), ""},
		{"course-level-5", "slides 41 to 43",
			"“Store facts from level 5 of the tree: 5 squares already taken. Don't include terminal states”", 0.1,
			Figures{numberFigure("level", 5)}, search("level=5", "", ""), nil, nil, ""},
		{"course-which-level", "slide 41", "“Store facts from one \"level\" of the tree only”: 5 is chosen", 0.5,
			Figures{numberFigure("level", 5)}, nil, nil, stackRows(levels...), ""},
		{"course-memory-all", "slide 41",
			"“If we store too many facts, clogs up memory and database searches will be slow”", 0.1,
			Figures{textFigure("all levels", "too many facts")}, row{"level 5", search("level=5", "", "")}.asMeasure(),
			nil,
			row{"all", search("all", "", "")}.asMeasure(), "all non-terminal positions are 4,520"},
		{"course-three-first", "slides 44 and 45",
			"“From an empty tic tac toe board, there are only three different first moves: corner, side and middle”",
			0.1,
			Figures{numberFigure("first moves", 3)}, search("level=5", "first", ""), nil,
			stackMeasures(measureCount("ttt", func(c *lab.CountResult) Figures {
				return Figures{numberFigure("classes after one move", float64(c.ByPly[1].Classes))}
			}), row{"without memory", search("", "first", "")}.asMeasure()), ""},
		{"course-stop-early", "slide 46", "“stopping early: detecting win or draw situations”", 0.1,
			Figures{textFigure("optimization", "possible")}, search("level=5", "first", "best"), nil,
			row{"with nothing else", search("", "", "best")}.asMeasure(),
			"a node stops where a move has the best value there is"},
		{"course-haskell", "slides 54 and 55", "Haskell: “Not possible to use/modify a central database”", 0.1,
			Figures{numberFigure("positions stored", 0)}, search("", "first", "best"), nil,
			row{"without stopping", search("", "first", "")}.asMeasure(), ""},
		{"course-symmetry", "slides 61 and 62", "“Experiment to see if time spent comparing for symmetry is worth it”",
			0.2,
			Figures{textFigure("worth it", "to be seen")}, nil, nil,
			stackRows(row{"none", search("", "", "")}, row{"first moves", search("", "first", "")},
				row{"all moves", search("", "all", "")}, row{"all moves and memory", search("all", "all", "")}),
			"in nodes it is; a comparison costs as much as two to four nodes"},
		{"course-pruning", "slide 46", "“more sophisticated algorithms to \"prune\" game tree”", 0.1,
			Figures{textFigure("optimization", "possible")}, nil, nil, stackRows(row{"minimax", search("", "", "")},
				row{"alpha-beta", measureSearch("ttt", lab.SearchOptions{Algorithm: "alphabeta"}, callFigures)},
				row{"alpha-beta, all of it", measureSearch("ttt",
					lab.SearchOptions{Algorithm: "alphabeta", Memo: "all", Symmetry: "all", Order: "best"},
					callFigures)}),
			""},
		{"course-combinations", "slide 17", "“Only 8 winning combinations. Use facts to enumerate them”", 0.1,
			Figures{numberFigure("winning combinations", 8)}, nil, nil,
			measureGame("ttt", func(_ context.Context, g lab.Game) (Figures, error) {
				return Figures{numberFigure("winning sets", float64(len(g.Info().Lines)))}, nil
			}), ""},
		{"course-ratings", "slides 23 to 25", "ratings 2, 1, 0: X wins, draw, O wins; the first board is worth", 0.1,
			Figures{numberFigure("X wins", 2), numberFigure("draw", 1), numberFigure("O wins", 0)}, nil, nil,
			measureSearch("ttt", lab.SearchOptions{Algorithm: "minimax"}, func(r *lab.SearchResult) Figures {
				return Figures{numberFigure("rating of the empty board", *r.Value+1), textFigure("move", r.Move)}
			}), ""},
	}
}

// chessEstimate is the estimate of the slides, carried out.
func chessEstimate() Figures {
	nodes := (math.Pow(15, 51) - 1) / 14
	const year = 365.25 * 24 * 3600
	return Figures{numberFigure("nodes", nodes), numberFigure("seconds", nodes/1e6), numberFigure("years",
		nodes/1e6/year)}
}
