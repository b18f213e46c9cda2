package reproduce

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"oxo/lab"
)

// notesPlayers are the claims of the notes on players and boards.
func notesPlayers() []Item {
	const code = "section 3.2.3, the module tic-tac-toe"
	const deterministic = "section 3.2.3, the deterministic player"
	const after = "section 3.2.3, after the deterministic player"
	order := func(by string) *Measure {
		return examined("winratio:order="+by, exploitabilities(), lostVsBest(), wonVsRandom())
	}
	whole := [][]mark{wonVsRandom(), lostVsRandom(), lostVsBest(), exploitabilities(), mistaken()}
	heuristic := func(slips string) *Measure { return examined("heuristic"+slips, whole...) }
	return []Item{
		{"notes-heuristic", code, "the heuristic player, in both seats: “heuristic doesn't seem to recognize e.g. " +
			"forks or opposite corners”", 0.1,
			Figures{says("forks and opposite corners", "not recognized")}, heuristic(":slips=published"), heuristic(""),
			nil,
			"as Second it was built with the predicates of First, it takes corners opposite to its own, and blocks a " +
				"fork by taking a square of it"},
		{"notes-heuristic-seat", code, "make-heuristic-O-player is make-heuristic-player X? X O? O", 0.1,
			Figures{says("the player of O", "sees the board as X")}, heuristic(":slips=seat"), heuristic(""), nil,
			"the arguments of O's player are those of X's"},
		{"notes-heuristic-fork", code, "an opponent's fork is blocked by a random square of those that fork", 0.1,
			Figures{says("block a fork", "random-ref opponent-forking-spaces")}, heuristic(":slips=fork"),
			heuristic(""), nil,
			"against two opposite corners that loses by force; a threat whose answer gives no fork does not"},
		{"notes-heuristic-gap", code, "“The solutions here may be non-unique: in which case, we have a convergent " +
			"fork”", 0.1,
			Figures{value("winning spaces that make a fork", 2)}, heuristic(":slips=gap"), heuristic(""), nil,
			"two lines that lack the same square are blocked by one mark; on 3×3 that does no harm"},
		{"notes-heuristic-corner", code,
			"(opposite-corners player? board): “it doesn't look like opposite corner is working, by the way”", 0.1,
			Figures{says("opposite corner", "not working")}, heuristic(":slips=corner"), heuristic(""), nil,
			"it looks for corners opposite to its own instead of the opponent's; on 3×3 that does no harm"},
		{"notes-strategy-list", "section 3.2.3, wikipedia-strategy",
			"the list of seven rules, which has no rule of empty corners", 0.1,
			Figures{value("rules", 7)}, heuristic(":slips=edge"), heuristic(""), nil,
			"without that rule an edge answers the centre, which loses by force"},
		{"notes-winning-spaces", "section 3.2.3, tests",
			"winning-spaces of X on X X _ / O O X / O O X is (2 2): one square, two lines", 0.1,
			Figures{says("squares", "2 2")}, nil, nil, solved("ttt", "xx./oox/oox x", winners), ""},
		{"notes-empty-spaces", "section 3.2.3, tests", "empty-spaces of X X _ / O O X / O _ X is (7 2)", 0.1,
			Figures{says("squares", "7 2")}, nil, nil, measureGame("ttt", func(_ context.Context, g lab.Game) (Figures,
				error) {
				s, err := g.Parse("xx./oox/o.x o")
				return Figures{says("squares", fields(s.Moves))}, err
			}), ""},
		{"notes-forking-spaces", "section 3.2.3, tests", "forking-spaces of X on X _ _ / _ X O / _ _ O is (6 2 1)", 0.1,
			Figures{says("squares", "6 2 1")}, nil, nil, measureGame("ttt", forkingSpaces), ""},
		{"notes-random-boards", code, "“You may end up with a board where there are more Os than Xs”", 0.1,
			Figures{says("boards with more Os than Xs", "some")}, measureGame("ttt", randomBoards), measureGame("ttt",
				legalStarts), nil,
			"marks alternate from a random number down to O, so that an odd number begins with O"},
		{"notes-illegal", deterministic,
			"“The heuristic player has the interesting property that it can continue from illegal positions; the " +
				"deterministic player would be confined to legal positions”", 0.1,
			Figures{says("heuristic from an illegal position", "plays"), says("deterministic from one", "does not")},
			nil, nil, measureGame("ttt", refusal),
			"not to be seen here: whoever plays, a position that can't be reached is refused"},
		{"notes-centre", code, "(center-space board) is (n² − 1) / 2", 0.5,
			Figures{says("centre of 4×4", "7.5")}, worked(func() Figures {
				return Figures{value("centre of 3×3", (9-1)/2.0), value("centre of 4×4", (16-1)/2.0)}
			}),
			matched("mnk:4,4,4", "heuristic", "random", 200, 0), nil,
			"an even board has no centre; the heuristic goes without"},
		{"notes-bits", after, "“hash each board as a 17-bit integer: bits 0 through 8 are the X positions; 9 through " +
			"17, O”", 0.1,
			Figures{value("bits", 17)}, worked(
				func() Figures { return Figures{value("bits from 0 through 17", 17-0+1)} }),
			measureGame("ttt", func(_ context.Context, g lab.Game) (Figures, error) {
				return Figures{value("bits", float64(2*len(g.Info().Squares)))}, nil
			}), nil, "0 through 17 are 18"},
		{"notes-rotations", after, "the rotations and reflections of the board, as lists of squares", 0.1,
			Figures{value("rotations", 3), value("reflections", 2)},
			measureGame("ttt", func(_ context.Context, g lab.Game) (Figures, error) {
				return symmetric(g, "258147036", "876543210", "631741852", "210543876", "678345012"), nil
			}), measureGame("ttt", func(_ context.Context, g lab.Game) (Figures, error) {
				return symmetric(g, "012345678", "258147036", "876543210", "630741852", "210543876", "678345012",
					"036147258", "852741630"), nil
			}), counted("ttt", func(c *lab.CountResult) Figures {
				n, _ := c.Symmetries.Float64()
				return Figures{value("symmetries of the game", n), value("classes of positions", float64(*c.Classes))}
			}), "one rotation has square 1 twice and 0 never, and the two diagonal reflections are missing"},
		{"notes-rotation-ten", deterministic,
			"“We might be able to use rotation to prune the terminal by a factor of ten”", 0.1,
			Figures{value("factor", 10)}, nil, nil, counted("ttt", func(c *lab.CountResult) Figures {
				return Figures{value("terminal positions by classes",
					float64(c.Terminal.First+c.Terminal.Second+c.Terminal.Draw)/float64(*c.TerminalClasses)),
					value("games by games, merging positions", float(c.Games)/float(c.MergedPositions)),
					value("games by games, merging sequences", float(c.Games)/float(c.MergedSequences))}
			}), ""},
		{"notes-tractable", "section 3.2.3", "“the space-state complexity of tic-tac-toe is utterly tractable”", 0.1,
			Figures{says("states", "utterly tractable")}, nil, nil, counted("ttt", func(c *lab.CountResult) Figures {
				return Figures{value("positions", float64(*c.Positions)), value("classes", float64(*c.Classes)),
					value("games", float(c.Games)), value("nodes of the tree", float(c.Nodes))}
			}), ""},
		{"notes-o-space", "section 3.2.3", "“the space for O is much more complicated”", 0.1,
			Figures{says("O's space", "much more complicated than X's")}, nil, nil,
			both(counted("ttt", func(c *lab.CountResult) Figures {
				return Figures{value("classes in which X chooses", float64(c.Boxes.First)),
					value("classes in which O chooses", float64(c.Boxes.Second))}
			}), examined("optimal", []mark{
				{"positions in which X moves, playing optimally", decisions(true)},
				{"positions in which O moves, playing optimally", decisions(false)}})), ""},
		{"notes-deterministic", deterministic, "“deterministic doesn't play well”", 0.2,
			Figures{says("deterministic", "doesn't play well")}, order("losses+last"),
			examined("winratio", exploitabilities(), lostVsBest(), wonVsRandom()), nil,
			"the program's last expression is the fewest losses: the win ratio, and wins and draws, are worked out " +
				"and thrown away"},
		{"notes-order", deterministic,
			"“maximize wins; otherwise, maximize draws; otherwise, minimize losses … is wins, draws, losses the " +
				"correct order?”", 0.5,
			Figures{says("order", "wins, draws, losses")}, order("wins+draws+losses"), nil,
			rows(row{"wins, losses, draws", order("wins+losses+draws")},
				row{"draws, wins, losses", order("draws+wins+losses")},
				row{"draws, losses, wins", order("draws+losses+wins")},
				row{"losses, wins, draws", order("losses+wins+draws")},
				row{"losses, draws, wins", order("losses+draws+wins")},
				row{"optimal", examined("optimal", exploitabilities(), lostVsBest(), wonVsRandom())}),
			"no order is safe in both seats: counting games takes the opponent for a random one"},
		{"notes-ratio", after, "“The win ratio does yield different results than the max analysis; give it a shot?”",
			0.2,
			Figures{says("results", "different")}, order("wins"), nil, order("won+drawn"), ""},
		{"notes-ratio-draws", deterministic, "the alternative ratio, “not taking draws into consideration”", 0.2,
			Figures{says("ratio", "wins to wins and losses")}, order("decided"), nil, order("won+drawn"), ""},
		{"notes-random-opponent", after,
			"“When counting the number of possible winning or losing boards … this will not be very effective if you " +
				"play against a smart player”", 0.1,
			Figures{says("against a smart player", "not very effective")}, nil, nil,
			examined("winratio", wonVsRandom(), lostVsBest()),
			"so as Second, which loses every game; as First it never loses"},
		{"notes-first-move", after, "“there is no opening move which guarantees victory … the game will end in a " +
			"draw no matter where it starts”", 0.1,
			Figures{says("every opening move", "draw")}, nil, nil, solved("ttt", "", func(r *lab.SolveResult) Figures {
				n := 0
				for _, m := range r.Moves {
					if m.Value == "draw" {
						n++
					}
				}
				return Figures{says("value", r.Value), value("opening moves", float64(len(r.Moves))),
					value("that draw", float64(n))}
			}), ""},
		{"notes-naive-minimax", after, "“naïve minimax is worthless for tic-tac-toe; you have to rely on heuristics”",
			1,
			Figures{says("minimax", "worthless")}, nil, nil,
			rows(row{"minimax", examined("minimax:depth=9", whole...)}, row{"heuristic", heuristic("")}),
			"minimax can't be beaten in either seat; of the draws that it can't tell apart the heuristic makes more " +
				"wins against random"},
		{"notes-decay", after, "values times 0.9 a ply: “higher scores for longer negative paths and smaller scores " +
			"for longer positive paths”", 1,
			Figures{value("decay", 0.9)}, nil, nil,
			rows(row{"without", examined("minimax:depth=9", wonVsRandom(), exploitabilities())},
				row{"decay 0.9", examined("minimax:depth=9,decay=0.9", wonVsRandom(), exploitabilities())}), ""},
		{"notes-rows", after, "row scores: 1 for an empty row, 10, 100 and 1000 for one, two and three marks, times " +
			"3 for the side to move", 0.2,
			Figures{value("empty", 1), value("one", 10), value("two", 100), value("three", 1000), value("factor", 3)},
			nil, nil, examined("rows", whole...), "one move ahead"},
		{"notes-rows-minimax", after, "“This guy successfully applied a heuristic to minimax”: the row scores at the " +
			"limit of the search", 0.5,
			Figures{says("heuristic with minimax", "successful")}, nil, nil, rows(
				row{"depth 1", examined("minimax:depth=1,eval=rows", exploitabilities(), wonVsRandom())},
				row{"depth 2", examined("minimax:depth=2,eval=rows", exploitabilities(), wonVsRandom())},
				row{"depth 3", examined("minimax:depth=3,eval=rows", exploitabilities(), wonVsRandom())}), ""},
		{"notes-hybrid", after, "“Maybe we can repurpose our win-fork-center-corner-side heuristics for minimax”", 0.5,
			Figures{says("heuristics for minimax", "maybe")}, nil, nil, rows(
				row{"depth 1", examined("minimax:depth=1,eval=features", exploitabilities(), wonVsRandom())},
				row{"depth 2", examined("minimax:depth=2,eval=features", exploitabilities(), wonVsRandom())}), ""},
		{"notes-constant", "section 3.2.3, perform",
			"the performer with (lambda (board) 1) for V̂ plays the heuristic O: every move is as good", 0.1,
			Figures{says("V̂", "1 for every board")}, examined("heuristic:slips=published", lostVsRandom()),
			examined("heuristic", lostVsRandom()), examined("random", againstHeuristic()),
			"a constant plays at random: what the heuristic loses to random is what it wins"},
		{"notes-performer", "section 3.2.3, perform",
			"the move with the first of the scores sorted by < is taken: max-score is the least", 0.2,
			Figures{says("(car (sort scores <))", "called max-score")},
			examined("static:features=threats,depth=1,weights="+negated(goodThreats), exploitabilities(),
				wonVsRandom()),
			examined("static:features=threats,depth=1,weights="+goodThreats, exploitabilities(), wonVsRandom()), nil,
			"sorted upwards the first is the minimum; shown with the weights of a player that can't be beaten"},
	}
}

// goodThreats are weights of the features threats, by hand, that play perfectly on
// 3×3 with a look one move ahead.
const goodThreats = "0/1000/-1000/0/-100/90/-80/0/0/5/2"

// negated turns the signs of weights joined with slashes.
func negated(weights string) string {
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

// fields numbers squares as the notes do, from 0 in reading order, the last first.
func fields(moves []string) string {
	var list []int
	for _, m := range moves {
		list = append(list, int(m[0]-'a')+3*int('3'-m[1]))
	}
	slices.Sort(list)
	slices.Reverse(list)
	return strings.Trim(fmt.Sprint(list), "[]")
}

// winners are the squares that win the quickest way.
func winners(r *lab.SolveResult) Figures {
	return Figures{says("squares", fields(r.Best)), value("plies to the win", float64(*r.Remoteness))}
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
	return Figures{says("squares", fields(forks))}, nil
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
				if _, err := g.Parse(board(x, o)); err != nil {
					bad++
				}
			}
		}
		illegal += bad / boards / 9
		moreO += float64(n%2) / 9
	}
	return Figures{value("% with more Os than Xs", 100*moreO), value("% that no game reaches", 100*illegal)}, nil
}

// board writes marks as a position with X to move.
func board(x, o int) string {
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
	return Figures{value("% with more Os than Xs", 0),
		value("positions that --start random draws from", float64(*c.Nonterminal))}, nil
}

// refusal says what becomes of a position that no game reaches.
func refusal(_ context.Context, g lab.Game) (Figures, error) {
	_, err := g.NewSession(lab.SessionOptions{First: "heuristic", Second: "random", Position: "oo./.../... x"})
	if err == nil {
		return Figures{says("oo./.../... x", "played")}, nil
	}
	return Figures{says("oo./.../... x", "refused")}, nil
}

// symmetric counts the maps of squares that are permutations and take winning sets
// to winning sets, and how many there would be with all that follow from them.
func symmetric(g lab.Game, maps ...string) Figures {
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
	return Figures{value("maps", float64(len(maps))), value("that are symmetries", float64(good))}
}
