package reproduce

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"oxo/lab"
)

// gameInfoFigures reads figures off a game itself and its start.
// The step's With is the game's spec. Its figures are paths into a value of two fields: Info, what is known of the
// game, and Moves, the legal first moves.
func gameInfoFigures(_ context.Context, l *lab.Lab, s *step) (Figures, error) {
	g, err := l.Game(s.With)
	if err != nil {
		return nil, err
	}
	start, err := g.Parse("")
	if err != nil {
		return nil, err
	}
	return s.figuresOf(struct {
		Info  any
		Moves []string
	}{g.Info(), start.Moves})
}

// openingsThatDraw counts the opening moves that draw.
// "value" is who wins under optimal play, or draw.
func openingsThatDraw(ctx context.Context, g lab.Game) (Figures, error) {
	r, err := g.Solving().Solve(ctx, lab.SolveOptions{})
	if err != nil {
		return nil, err
	}
	// A move's value is that of the position it leads to, in the same words as the game's.
	n := 0
	for _, m := range r.Moves {
		if m.Value == "draw" {
			n++
		}
	}
	return Figures{textFigure("value", r.Value), numberFigure("opening moves", float64(len(r.Moves))),
		numberFigure("that draw", float64(n))}, nil
}

// squareNumbers numbers squares as the notes do, from 0 in reading order, the last first.
// Moves are squares of 3×3, such as "a3", the corner that is square 0; c1 is square 8.
// The text has spaces between the numbers, as the notes print a list: "7 3".
func squareNumbers(moves []string) string {
	var list []int
	for _, m := range moves {
		list = append(list, int(m[0]-'a')+3*int('3'-m[1]))
	}
	slices.Sort(list)
	slices.Reverse(list)
	return strings.Trim(fmt.Sprint(list), "[]")
}

// exampleEmptySquares are the squares of X X _ / O O X / O _ X that are empty.
// Text of a position goes by rows from the top, and its last word is who is to move: O here, with a mark less.
func exampleEmptySquares(_ context.Context, g lab.Game) (Figures, error) {
	s, err := g.Parse("xx./oox/o.x o")
	if err != nil {
		return nil, err
	}
	return Figures{textFigure("squares", squareNumbers(s.Moves))}, nil
}

// exampleWinningSquares are the squares of X X _ / O O X / O O X that win the quickest way.
// It is X to move, and the position is won, so that it has a remoteness.
func exampleWinningSquares(ctx context.Context, g lab.Game) (Figures, error) {
	r, err := g.Solving().Solve(ctx, lab.SolveOptions{Position: "xx./oox/oox x"})
	if err != nil {
		return nil, err
	}
	return Figures{textFigure("squares", squareNumbers(r.Best)), numberFigure("plies to the win",
		float64(*r.Remoteness))}, nil
}

// exampleForkingSquares are the squares of X _ _ / _ X O / _ _ O after which X threatens to
// fill two winning sets.
// It counts on the marks alone, without a search: a threat is a winning set with two marks of X and no O.
func exampleForkingSquares(_ context.Context, g lab.Game) (Figures, error) {
	s, err := g.Parse("x../.xo/..o x")
	if err != nil {
		return nil, err
	}
	var forks []string
	for _, m := range s.Moves {
		// Names of squares in the order of a position's text, two letters each.
		at := strings.Index("a3b3c3a2b2c2a1b1c1", m) / 2
		threats := 0
		// The marks are counted as they are after the move, whose square counts as X's.
		for _, line := range g.Info().Lines {
			own, other := 0, 0
			for _, i := range line {
				switch c := "x...xo..o"[i]; {
				case c == 'x' || i == at:
					own++
				case c == 'o':
					other++
				}
			}
			// Only sets through the new mark are threats that the move makes.
			if own == 2 && other == 0 && slices.Contains(line, at) {
				threats++
			}
		}
		if threats > 1 {
			forks = append(forks, m)
		}
	}
	return Figures{textFigure("squares", squareNumbers(forks))}, nil
}

// illegalSharesOfRandomBoards weighs the boards that make-random-board makes: from 0 to 8 marks
// alternate and end with O, each set of squares as likely as another.
// Each number of marks is as likely as another, so that a share is the mean of nine shares, one for each number.
// All boards are gone through, so that the shares are exact: x and o are sets of squares, square i as bit i.
func illegalSharesOfRandomBoards(_ context.Context, g lab.Game) (Figures, error) {
	moreO, illegal := 0.0, 0.0
	for n := range 9 {
		boards, bad := 0.0, 0.0
		for x := range 1 << 9 {
			for o := range 1 << 9 {
				if x&o != 0 || bits.OnesCount(uint(x)) != n/2 || bits.OnesCount(uint(o)) != n-n/2 {
					continue
				}
				boards++
				// The rules' own reader refuses a position that no play leads to.
				if _, err := g.Parse(formatBoardXToMove(x, o)); err != nil {
					bad++
				}
			}
		}
		illegal += bad / boards / 9
		// An odd number of marks that ends with O has one O more.
		moreO += float64(n%2) / 9
	}
	return Figures{numberFigure("% with more Os than Xs", 100*moreO), numberFigure("% that no game reaches",
		100*illegal)}, nil
}

// formatBoardXToMove writes marks as a position with X to move.
// Square i, counted from 0 in reading order, is bit i of xSquares or oSquares, which have no bit in common.
func formatBoardXToMove(xSquares, oSquares int) string {
	var text strings.Builder
	for i := range 9 {
		if i > 0 && i%3 == 0 {
			text.WriteByte('/')
		}
		text.WriteByte(".xo"[xSquares>>i&1+2*(oSquares>>i&1)])
	}
	return text.String() + " x"
}

// playFromIllegalStarts says who plays on from positions that no game reaches.
// Both seats are taken by the same player. A figure is "refused", or "played, " and the result.
func playFromIllegalStarts(ctx context.Context, g lab.Game) (Figures, error) {
	var figures Figures
	// One board has two marks of O and none of X, the other three of X and one of O.
	for _, player := range []string{"heuristic", "winratio"} {
		for _, position := range []string{"oo./.../... x", "xx./.x./..o o"} {
			// A player that goes by the marks alone takes any board; with others such a session is refused.
			said := "refused"
			s, err := g.NewSession(lab.SessionOptions{First: player, Second: player, Position: position,
				Playable: true})
			if err == nil {
				for !s.Over() {
					if _, err := s.Step(ctx); err != nil {
						return nil, err
					}
				}
				said = "played, " + s.Record().Result
			}
			figures = append(figures, textFigure(player+" from "+position, said))
		}
	}
	return figures, nil
}

// countSymmetriesAmongMaps counts maps of the squares of 3×3, and those of them that are symmetries: permutations that
// take winning sets to winning sets.
// The step's With has the maps, each as nine digits: the i-th is the square that square i goes to.
func countSymmetriesAmongMaps(_ context.Context, l *lab.Lab, s *step) (Figures, error) {
	g, err := l.Game("ttt")
	if err != nil {
		return nil, err
	}
	maps := strings.Fields(s.With)
	lines := map[uint]bool{}
	// set returns squares as bits, each moved by the map to; without a map they stay where they are.
	set := func(squares []int, to string) (s uint) {
		for _, i := range squares {
			if to == "" {
				s |= 1 << i
			} else {
				s |= 1 << (to[i] - '0')
			}
		}
		return s
	}
	for _, l := range g.Info().Lines {
		lines[set(l, "")] = true
	}
	good := 0
	for _, m := range maps {
		// A map is a permutation where its squares are all nine.
		whole := set([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, m) == 1<<9-1
		for _, l := range g.Info().Lines {
			whole = whole && lines[set(l, m)]
		}
		if whole {
			good++
		}
	}
	return Figures{numberFigure("maps", float64(len(maps))), numberFigure("that are symmetries", float64(good))}, nil
}

// raceSearchTreeValues are the values of all nodes of the search of the exercise, as in its drawing.
// A node's figure is called "node" and the moves that lead to it, joined by dashes; the root is "node root". Nodes
// come in preorder, with the value that the search returned, or "?".
func raceSearchTreeValues(ctx context.Context, g lab.Game) (Figures, error) {
	r, err := g.Searching().Search(ctx, lab.SearchOptions{Algorithm: "minimax", Trace: true})
	if err != nil {
		return nil, err
	}
	var list Figures
	var walk func(n *lab.TraceNode, path string)
	walk = func(n *lab.TraceNode, path string) {
		value := numberFigure("node "+path, float64(n.Value)+0)
		if n.Bound == "" { // play goes round from it
			value = textFigure(value.Name, "?")
		}
		list = append(list, value)
		for _, c := range n.Children {
			walk(c, strings.TrimPrefix(path+"–"+c.Move, "root–"))
		}
	}
	// Minimax records a single pass.
	walk(r.Tree.Passes[0], "root")
	return list, nil
}
