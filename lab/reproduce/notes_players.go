package reproduce

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"oxo/lab"
)

// notesPlayerItems are the claims of the notes on players and boards.
func notesPlayerItems() []Item {
	const code = "section 3.2.3, the module tic-tac-toe"
	const deterministic = "section 3.2.3, the deterministic player"
	const after = "section 3.2.3, after the deterministic player"
	order := func(by string) *Measure {
		return measureExam("winratio:order="+by, exploitabilities(), lossesVsBestReply(), winsVsRandom())
	}
	whole := [][]examMetric{winsVsRandom(), lossesVsRandom(), lossesVsBestReply(), exploitabilities(), mistakeCounts()}
	heuristic := func(slips string) *Measure { return measureExam("heuristic"+slips, whole...) }
	return []Item{
		{"notes-heuristic", code, "the heuristic player, in both seats: “heuristic doesn't seem to recognize e.g. " +
			"forks or opposite corners”", 0.1,
			Figures{textFigure("forks and opposite corners", "not recognized")}, heuristic(":slips=published"),
			heuristic(""),
			nil,
			"as Second it was built with the predicates of First, it takes corners opposite to its own, and blocks a " +
				"fork by taking a square of it"},
		{"notes-heuristic-seat", code, "make-heuristic-O-player is make-heuristic-player X? X O? O", 0.1,
			Figures{textFigure("the player of O", "sees the board as X")}, heuristic(":slips=seat"), heuristic(""), nil,
			"the arguments of O's player are those of X's"},
		{"notes-heuristic-fork", code, "an opponent's fork is blocked by a random square of those that fork", 0.1,
			Figures{textFigure("block a fork", "random-ref opponent-forking-spaces")}, heuristic(":slips=fork"),
			heuristic(""), nil,
			"against two opposite corners that loses by force; a threat whose answer gives no fork does not"},
		{"notes-heuristic-gap", code, "“The solutions here may be non-unique: in which case, we have a convergent " +
			"fork”", 0.1,
			Figures{numberFigure("winning spaces that make a fork", 2)}, heuristic(":slips=gap"), heuristic(""), nil,
			"two lines that lack the same square are blocked by one mark; on 3×3 that does no harm"},
		{"notes-heuristic-corner", code,
			"(opposite-corners player? board): “it doesn't look like opposite corner is working, by the way”", 0.1,
			Figures{textFigure("opposite corner", "not working")}, heuristic(":slips=corner"), heuristic(""), nil,
			"it looks for corners opposite to its own instead of the opponent's; on 3×3 that does no harm"},
		{"notes-strategy-list", "section 3.2.3, wikipedia-strategy",
			"the list of seven rules, which has no rule of empty corners", 0.1,
			Figures{numberFigure("rules", 7)}, heuristic(":slips=edge"), heuristic(""), nil,
			"without that rule an edge answers the centre, which loses by force"},
		{"notes-winning-spaces", "section 3.2.3, tests",
			"winning-spaces of X on X X _ / O O X / O O X is (2 2): one square, two lines", 0.1,
			Figures{textFigure("squares", "2 2")}, nil, nil, measureSolution("ttt", "xx./oox/oox x",
				winningSquareFigures), ""},
		{"notes-empty-spaces", "section 3.2.3, tests", "empty-spaces of X X _ / O O X / O _ X is (7 2)", 0.1,
			Figures{textFigure("squares", "7 2")}, nil, nil, measureGame("ttt", func(_ context.Context,
				g lab.Game) (Figures,
				error) {
				s, err := g.Parse("xx./oox/o.x o")
				return Figures{textFigure("squares", squareNumbers(s.Moves))}, err
			}), ""},
		{"notes-forking-spaces", "section 3.2.3, tests", "forking-spaces of X on X _ _ / _ X O / _ _ O is (6 2 1)", 0.1,
			Figures{textFigure("squares", "6 2 1")}, nil, nil, measureGame("ttt", forkingSpaces), ""},
		{"notes-random-boards", code, "“You may end up with a board where there are more Os than Xs”", 0.1,
			Figures{textFigure("boards with more Os than Xs", "some")}, measureGame("ttt", randomBoards),
			measureGame("ttt",
				legalStarts), nil,
			"marks alternate from a random number down to O, so that an odd number begins with O"},
		{"notes-illegal", deterministic,
			"“The heuristic player has the interesting property that it can continue from illegal positions; the " +
				"deterministic player would be confined to legal positions”", 0.1,
			Figures{textFigure("heuristic from an illegal position", "plays"), textFigure("deterministic from one",
				"does not")},
			nil, nil, measureGame("ttt", illegalStartFigures),
			"who goes by the marks alone plays on: human, random, heuristic and rows, in oxo play --position"},
		{"notes-centre", code, "(center-space board) is (n² − 1) / 2", 0.5,
			Figures{textFigure("centre of 4×4", "7.5")}, measureByArithmetic(func() Figures {
				return Figures{numberFigure("centre of 3×3", (9-1)/2.0), numberFigure("centre of 4×4", (16-1)/2.0)}
			}),
			measureMatch("mnk:4,4,4", "heuristic", "random", 200, 0), nil,
			"an even board has no centre; the heuristic goes without"},
		{"notes-bits", after, "“hash each board as a 17-bit integer: bits 0 through 8 are the X positions; 9 through " +
			"17, O”", 0.1,
			Figures{numberFigure("bits", 17)}, measureByArithmetic(
				func() Figures { return Figures{numberFigure("bits from 0 through 17", 17-0+1)} }),
			measureGame("ttt", func(_ context.Context, g lab.Game) (Figures, error) {
				return Figures{numberFigure("bits", float64(2*len(g.Info().Squares)))}, nil
			}), nil, "0 through 17 are 18"},
		{"notes-rotations", after, "the rotations and reflections of the board, as lists of squares", 0.1,
			Figures{numberFigure("rotations", 3), numberFigure("reflections", 2)},
			measureGame("ttt", func(_ context.Context, g lab.Game) (Figures, error) {
				return symmetryFigures(g, "258147036", "876543210", "631741852", "210543876", "678345012"), nil
			}), measureGame("ttt", func(_ context.Context, g lab.Game) (Figures, error) {
				return symmetryFigures(g, "012345678", "258147036", "876543210", "630741852", "210543876", "678345012",
					"036147258", "852741630"), nil
			}), measureCount("ttt", func(c *lab.CountResult) Figures {
				n, _ := c.Symmetries.Float64()
				return Figures{numberFigure("symmetries of the game", n), numberFigure("classes of positions",
					float64(*c.Classes))}
			}), "one rotation has square 1 twice and 0 never, and the two diagonal reflections are missing"},
		{"notes-rotation-ten", deterministic,
			"“We might be able to use rotation to prune the terminal by a factor of ten”", 0.1,
			Figures{numberFigure("factor", 10)}, nil, nil, measureCount("ttt", func(c *lab.CountResult) Figures {
				return Figures{numberFigure("terminal positions by classes",
					float64(c.Terminal.First+c.Terminal.Second+c.Terminal.Draw)/float64(*c.TerminalClasses)),
					numberFigure("games by games, merging positions",
						bigToFloat(c.Games)/bigToFloat(c.MergedPositions)),
					numberFigure("games by games, merging sequences",
						bigToFloat(c.Games)/bigToFloat(c.MergedSequences))}
			}), ""},
		{"notes-tractable", "section 3.2.3", "“the space-state complexity of tic-tac-toe is utterly tractable”", 0.1,
			Figures{textFigure("states", "utterly tractable")}, nil, nil, measureCount("ttt",
				func(c *lab.CountResult) Figures {
					return Figures{numberFigure("positions", float64(*c.Positions)), numberFigure("classes",
						float64(*c.Classes)),
						numberFigure("games", bigToFloat(c.Games)), numberFigure("nodes of the tree",
							bigToFloat(c.Nodes))}
				}), ""},
		{"notes-o-space", "section 3.2.3", "“the space for O is much more complicated”", 0.1,
			Figures{textFigure("O's space", "much more complicated than X's")}, nil, nil,
			stackMeasures(measureCount("ttt", func(c *lab.CountResult) Figures {
				return Figures{numberFigure("classes in which X chooses", float64(c.Boxes.First)),
					numberFigure("classes in which O chooses", float64(c.Boxes.Second))}
			}), measureExam("optimal", []examMetric{
				{"positions in which X moves, playing optimally", decisions(true)},
				{"positions in which O moves, playing optimally", decisions(false)}})), ""},
		{"notes-deterministic", deterministic, "“deterministic doesn't play well”", 0.2,
			Figures{textFigure("deterministic", "doesn't play well")}, order("losses+last"),
			measureExam("winratio", exploitabilities(), lossesVsBestReply(), winsVsRandom()), nil,
			"the program's last expression is the fewest losses: the win ratio, and wins and draws, are worked out " +
				"and thrown away"},
		{"notes-order", deterministic,
			"“maximize wins; otherwise, maximize draws; otherwise, minimize losses … is wins, draws, losses the " +
				"correct order?”", 0.5,
			Figures{textFigure("order", "wins, draws, losses")}, order("wins+draws+losses"), nil,
			stackRows(row{"wins, losses, draws", order("wins+losses+draws")},
				row{"draws, wins, losses", order("draws+wins+losses")},
				row{"draws, losses, wins", order("draws+losses+wins")},
				row{"losses, wins, draws", order("losses+wins+draws")},
				row{"losses, draws, wins", order("losses+draws+wins")},
				row{"optimal", measureExam("optimal", exploitabilities(), lossesVsBestReply(), winsVsRandom())}),
			"no order is safe in both seats: counting games takes the opponent for a random one"},
		{"notes-ratio", after, "“The win ratio does yield different results than the max analysis; give it a shot?”",
			0.2,
			Figures{textFigure("results", "different")}, order("wins"), nil, order("won+drawn"), ""},
		{"notes-ratio-draws", deterministic, "the alternative ratio, “not taking draws into consideration”", 0.2,
			Figures{textFigure("ratio", "wins to wins and losses")}, order("decided"), nil, order("won+drawn"), ""},
		{"notes-random-opponent", after,
			"“When counting the number of possible winning or losing boards … this will not be very effective if you " +
				"play against a smart player”", 0.1,
			Figures{textFigure("against a smart player", "not very effective")}, nil, nil,
			measureExam("winratio", winsVsRandom(), lossesVsBestReply()),
			"so as Second, which loses every game; as First it never loses"},
		{"notes-first-move", after, "“there is no opening move which guarantees victory … the game will end in a " +
			"draw no matter where it starts”", 0.1,
			Figures{textFigure("every opening move", "draw")}, nil, nil, measureSolution("ttt", "",
				func(r *lab.SolveResult) Figures {
					n := 0
					for _, m := range r.Moves {
						if m.Value == "draw" {
							n++
						}
					}
					return Figures{textFigure("value", r.Value), numberFigure("opening moves", float64(len(r.Moves))),
						numberFigure("that draw", float64(n))}
				}), ""},
		{"notes-naive-minimax", after, "“naïve minimax is worthless for tic-tac-toe; you have to rely on heuristics”",
			1,
			Figures{textFigure("minimax", "worthless")}, nil, nil,
			stackRows(row{"minimax", measureExam("minimax:depth=9", whole...)}, row{"heuristic", heuristic("")}),
			"minimax can't be beaten in either seat; of the draws that it can't tell apart the heuristic makes more " +
				"wins against random"},
		{"notes-decay", after, "values times 0.9 a ply: “higher scores for longer negative paths and smaller scores " +
			"for longer positive paths”", 1,
			Figures{numberFigure("decay", 0.9)}, nil, nil,
			stackRows(row{"without", measureExam("minimax:depth=9", winsVsRandom(), exploitabilities())},
				row{"decay 0.9", measureExam("minimax:depth=9,decay=0.9", winsVsRandom(), exploitabilities())}), ""},
		{"notes-rows", after, "row scores: 1 for an empty row, 10, 100 and 1000 for one, two and three marks, times " +
			"3 for the side to move", 0.2,
			Figures{numberFigure("empty", 1), numberFigure("one", 10), numberFigure("two", 100), numberFigure("three",
				1000), numberFigure("factor", 3)},
			nil, nil, measureExam("rows", whole...), "one move ahead"},
		{"notes-rows-minimax", after, "“This guy successfully applied a heuristic to minimax”: the row scores at the " +
			"limit of the search", 0.5,
			Figures{textFigure("heuristic with minimax", "successful")}, nil, nil, stackRows(
				row{"depth 1", measureExam("minimax:depth=1,eval=rows", exploitabilities(), winsVsRandom())},
				row{"depth 2", measureExam("minimax:depth=2,eval=rows", exploitabilities(), winsVsRandom())},
				row{"depth 3", measureExam("minimax:depth=3,eval=rows", exploitabilities(), winsVsRandom())}), ""},
		{"notes-hybrid", after, "“Maybe we can repurpose our win-fork-center-corner-side heuristics for minimax”", 0.5,
			Figures{textFigure("heuristics for minimax", "maybe")}, nil, nil, stackRows(
				row{"depth 1", measureExam("minimax:depth=1,eval=features", exploitabilities(), winsVsRandom())},
				row{"depth 2", measureExam("minimax:depth=2,eval=features", exploitabilities(), winsVsRandom())}), ""},
		{"notes-constant", "section 3.2.3, perform",
			"the performer with (lambda (board) 1) for V̂ plays the heuristic O: every move is as good", 0.1,
			Figures{textFigure("V̂", "1 for every board")}, measureExam("heuristic:slips=published", lossesVsRandom()),
			measureExam("heuristic", lossesVsRandom()), measureExam("random", againstHeuristic()),
			"a constant plays at random: what the heuristic loses to random is what it wins"},
		{"notes-performer", "section 3.2.3, perform",
			"the move with the first of the scores sorted by < is taken: max-score is the least", 0.2,
			Figures{textFigure("(car (sort scores <))", "called max-score")},
			measureExam("static:features=threats,depth=1,weights="+negateWeights(goodThreats), exploitabilities(),
				winsVsRandom()),
			measureExam("static:features=threats,depth=1,weights="+goodThreats, exploitabilities(), winsVsRandom()),
			nil,
			"sorted upwards the first is the minimum; shown with the weights of a player that can't be beaten"},
	}
}

// goodThreats are weights of the features threats, by hand, that play perfectly on
// 3×3 with a look one move ahead.
const goodThreats = "0/1000/-1000/0/-100/90/-80/0/0/5/2"

// negateWeights turns the signs of weights joined with slashes.
func negateWeights(weights string) string {
	list := strings.Split(weights, "/")
	for i, w := range list {
		if rest, minus := strings.CutPrefix(w, "-"); minus {
			list[i] = rest
		} else if w != "0" {
			list[i] = "-" + w
		}
	}
	return strings.Join(list, "/")
}

// squareNumbers numbers squares as the notes do, from 0 in reading order, the last first.
func squareNumbers(moves []string) string {
	var list []int
	for _, m := range moves {
		list = append(list, int(m[0]-'a')+3*int('3'-m[1]))
	}
	slices.Sort(list)
	slices.Reverse(list)
	return strings.Trim(fmt.Sprint(list), "[]")
}

// winningSquareFigures are the squares that win the quickest way.
func winningSquareFigures(r *lab.SolveResult) Figures {
	return Figures{textFigure("squares", squareNumbers(r.Best)), numberFigure("plies to the win",
		float64(*r.Remoteness))}
}

// forkingSpaces are the squares of X _ _ / _ X O / _ _ O after which X threatens to
// fill two winning sets.
func forkingSpaces(_ context.Context, g lab.Game) (Figures, error) {
	s, err := g.Parse("x../.xo/..o x")
	if err != nil {
		return nil, err
	}
	var forks []string
	for _, m := range s.Moves {
		at := strings.Index("a3b3c3a2b2c2a1b1c1", m) / 2
		threats := 0
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

// randomBoards weighs the boards that make-random-board makes: from 0 to 8 marks
// alternate and end with O, each set of squares as likely as another.
func randomBoards(_ context.Context, g lab.Game) (Figures, error) {
	moreO, illegal := 0.0, 0.0
	for n := range 9 {
		boards, bad := 0.0, 0.0
		for x := range 1 << 9 {
			for o := range 1 << 9 {
				if x&o != 0 || bits.OnesCount(uint(x)) != n/2 || bits.OnesCount(uint(o)) != n-n/2 {
					continue
				}
				boards++
				if _, err := g.Parse(formatBoard(x, o)); err != nil {
					bad++
				}
			}
		}
		illegal += bad / boards / 9
		moreO += float64(n%2) / 9
	}
	return Figures{numberFigure("% with more Os than Xs", 100*moreO), numberFigure("% that no game reaches",
		100*illegal)}, nil
}

// formatBoard writes marks as a position with X to move.
func formatBoard(x, o int) string {
	var text strings.Builder
	for i := range 9 {
		if i > 0 && i%3 == 0 {
			text.WriteByte('/')
		}
		switch {
		case x>>i&1 != 0:
			text.WriteByte('x')
		case o>>i&1 != 0:
			text.WriteByte('o')
		default:
			text.WriteByte('.')
		}
	}
	return text.String() + " x"
}

// legalStarts says what the generator of random starts draws from.
func legalStarts(ctx context.Context, g lab.Game) (Figures, error) {
	c := g.Solving().Count(ctx, 1_000_000)
	return Figures{numberFigure("% with more Os than Xs", 0),
		numberFigure("positions that --start random draws from", float64(*c.Nonterminal))}, nil
}

// illegalStartFigures says who plays on from positions that no game reaches.
func illegalStartFigures(ctx context.Context, g lab.Game) (Figures, error) {
	var figures Figures
	for _, player := range []string{"heuristic", "winratio"} {
		for _, position := range []string{"oo./.../... x", "xx./.x./..o o"} {
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

// symmetryFigures counts the maps of squares that are permutations and take winning sets
// to winning sets, and how many there would be with all that follow from them.
func symmetryFigures(g lab.Game, maps ...string) Figures {
	lines := map[uint]bool{}
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
		whole := set([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, m) == 1<<9-1
		for _, l := range g.Info().Lines {
			whole = whole && lines[set(l, m)]
		}
		if whole {
			good++
		}
	}
	return Figures{numberFigure("maps", float64(len(maps))), numberFigure("that are symmetries", float64(good))}
}
