package reproduce

import (
	"context"
	"errors"
	"fmt"

	"oxo/lab"
)

// textbook are the claims of the exercises.
func textbook() []Item {
	tree := func(name, algorithm string) *Measure {
		return searched("tree:"+name, lab.SearchOptions{Algorithm: algorithm}, leaves)
	}
	race := func(n int) *Measure {
		return solved(fmt.Sprintf("race:%d", n), "",
			func(r *lab.SolveResult) Figures { return Figures{says("wins", r.Value)} })
	}
	var races []row
	for n := 3; n <= 15; n++ {
		races = append(races, row{fmt.Sprintf("n = %d", n), race(n)})
	}
	return []Item{
		{"textbook-5.8b", "exercise 5.8 b",
			"“?” values: min(−1, ?) is −1 and max(+1, ?) is +1; if all successors are “?”, the value is “?”", 0.1,
			Figures{says("start", "A wins")}, searched("race:4", lab.SearchOptions{Algorithm: "minimax"},
				func(r *lab.SearchResult) Figures {
					return append(worthFigures(r), value("nodes", float64(r.Nodes)))
				}), nil, race(4), ""},
		{"textbook-5.8c-loops", "exercise 5.8 c",
			"standard minimax “would go into an infinite loop”; a repeated state returns “?”", 0.1,
			Figures{says("standard minimax", "does not end")},
			measureGame("race:4", func(ctx context.Context, g lab.Game) (Figures, error) {
				if _, err := g.Searching().Search(ctx, lab.SearchOptions{Algorithm: "alphabeta"}); err == nil {
					return nil, errors.New("alpha-beta to the end of a game with loops is not refused")
				}
				return Figures{says("search to the end without “?”", "refused")}, nil
			}), searched("race:4", lab.SearchOptions{Algorithm: "minimax"}, worthFigures), nil,
			"a position that is already on the path is “?”"},
		{"textbook-5.8c-won", "exercise 5.8 c", "“both (1,4) and (2,4) repeat in the tree but they are won positions”",
			0.1,
			Figures{says("(1,4)", "won"), says("(2,4)", "won")}, nil, nil,
			rows(row{"(1,4), A to move", solved("race:4", "x..o x", best)},
				row{"(2,4), B to move", solved("race:4", ".x.o o", best)}), "won for A, who is first"},
		{"textbook-5.8d-base", "exercise 5.8 d",
			"“The base case n=3 is a loss for A and the base case n=4 is a win for A”", 0.1,
			Figures{says("n = 3", "second"), says("n = 4", "first")}, nil, nil,
			rows(row{"n = 3", race(3)}, row{"n = 4", race(4)}), ""},
		{"textbook-5.8d", "exercise 5.8 d", "“Prove that A wins if n is even and loses if n is odd”", 0.5,
			Figures{says("even n", "first"), says("odd n", "second")}, nil, nil, rows(races...), "from n = 3 to 15"},
		{"textbook-5.10a", "exercise 5.10 a",
			"an upper bound on the nodes: Σ i! for i from 1 to N, “not much bigger than N!”", 0.3,
			Figures{says("bound", "Σ i!")}, bounded("ttt", func(b *lab.BoundsResult) Figures {
				return Figures{value("Σ i! for N = 9", float(b.FactorialSum)), value("N!", float(b.GamesBound))}
			}), bounded("ttt", func(b *lab.BoundsResult) Figures {
				return Figures{value("Σ N!/(N−i)! for N = 9", float(b.NodesBound))}
			}), counted("ttt", func(c *lab.CountResult) Figures {
				return Figures{value("nodes in truth",
					float(c.Nodes))}
			}),
			"nodes are sequences of i moves, N!/(N−i)! of them: the printed sum is less than the truth, so no bound"},
		{"textbook-5.10a-early", "exercise 5.10 a",
			"“This is an overestimate because some games will end early when a winning position is filled”", 0.2,
			Figures{value("games at most, N!", 362880)}, nil, nil, counted("ttt", func(c *lab.CountResult) Figures {
				return Figures{value("games", float(c.Games)), value("that fill the board", float(c.ByPly[9].Games))}
			}), ""},
		{"textbook-5.10b", "exercise 5.10 b",
			"W = {}: “no games terminate early, and there are N! different games ending in a draw”", 0.5,
			Figures{says("games", "N!"), says("nodes", "Σ i!")}, bounded("ttt", func(b *lab.BoundsResult) Figures {
				return Figures{value("Σ i! for N = 9", float(b.FactorialSum))}
			}), nil, withoutSets(func(c *lab.CountResult) Figures {
				return Figures{value("games", float(c.Games)), value("nodes", float(c.Nodes)),
					value("drawn", float(c.GamesBy.Draw))}
			}), "the sum of nodes should be Σ N!/(N−i)!"},
		{"textbook-5.10b-states", "exercise 5.10 b",
			"“a good lower bound on the number of distinct states is C(N, ⌈N/2⌉), the number of distinct terminal " +
				"states”", 0.5,
			Figures{says("C(N, ⌈N/2⌉)", "terminal states")},
			bounded("ttt", func(b *lab.BoundsResult) Figures { return Figures{value("C(9, 5)", float(b.FullBoards))} }),
			nil, withoutSets(func(c *lab.CountResult) Figures {
				return Figures{value("terminal positions", float64(c.Terminal.First+c.Terminal.Second+c.Terminal.Draw)),
					value("positions", float64(*c.Positions))}
			}), ""},
		{"textbook-5.10c", "exercise 5.10 c",
			"Eval(s) = X(s) − O(s), the winning positions without Os less those without Xs", 0.5,
			Figures{says("evaluation", "plausible")},
			rows(row{"depth 1", examined("minimax:depth=1,eval=open", exploitabilities(), wonVsRandom())},
				row{"depth 2", examined("minimax:depth=2,eval=open", exploitabilities(), wonVsRandom())}), nil,
			row{"no evaluation, depth 2", examined("minimax:depth=2,eval=none", exploitabilities(),
				wonVsRandom())}.asMeasure(),
			""},
		{"textbook-5.10c-weighted", "exercise 5.10 c",
			"“Alternatively, we might weight potential winning positions by how close they are to completion”", 0.5,
			Figures{says("evaluation", "weighted")}, nil, nil,
			rows(row{"open, depth 2", examined("minimax:depth=2,eval=open", exploitabilities(), wonVsRandom())},
				row{"weighted, depth 2", examined("minimax:depth=2,eval=rows", exploitabilities(), wonVsRandom())}),
			""},
		{"textbook-5.10d", "exercise 5.10 d",
			"100N instructions a node, 2 gigahertz: “For one second we get N = 9, for one minute N = 11, and for one " +
				"hour N = 12”", 0.3,
			Figures{value("a second", 9), value("a minute", 11), value("an hour", 12)}, nil, nil,
			bounded("ttt", func(b *lab.BoundsResult) Figures {
				return Figures{value("a second", float64(b.Textbook.Second)),
					value("a minute", float64(b.Textbook.Minute)), value("an hour", float64(b.Textbook.Hour))}
			}), "with the mended bound; alpha-beta looks at far fewer nodes than that"},
		{"textbook-5.13", "exercise 5.13 and the pseudo code of ALPHA-BETA-SEARCH",
			"pruning does not change the value at the root", 0.3,
			Figures{says("value", "the same")}, nil, nil,
			rows(row{"minimax", searched("ttt", lab.SearchOptions{Algorithm: "minimax"}, valued)},
				row{"alpha-beta", searched("ttt", lab.SearchOptions{Algorithm: "alphabeta"}, valued)}), ""},
		{"textbook-5.16a", "exercise 5.16 a", "the values of the nodes and the best move at the root", 0.1,
			Figures{says("figure", "marked by hand")}, nil, nil,
			searched("tree:chance", lab.SearchOptions{Algorithm: "expectiminimax"}, worthFigures),
			"the figure itself is lost from the copy at hand"},
		{"textbook-5.16b", "exercise 5.16 b",
			"unbounded leaves: after six the seventh is needed; “Given nodes 1 – 7, we do not need to look at 8”", 0.1,
			Figures{says("leaf 7", "needed"), says("leaf 8", "not needed")}, nil, nil,
			tree("chance-unbounded", "star1"), ""},
		{"textbook-5.16c", "exercise 5.16 c",
			"leaves in [−2, 2]: after the first two the left chance node “must lie between 0 and 2”", 0.1,
			Figures{value("least", 0), value("most", 2)}, nil, nil,
			rows(row{"the other two leaves −2", tree("chance-low", "expectiminimax")},
				row{"the other two leaves 2", tree("chance-high", "expectiminimax")}),
			"the left chance node alone, with its other leaves at either end"},
		{"textbook-5.16d", "exercise 5.16 d", "the leaves that need not be evaluated, circled", 0.1,
			Figures{says("figure", "circled by hand")}, nil, nil, tree("chance", "star1"),
			"the figure is lost from the copy at hand"},
		{"textbook-5.20a", "exercise 5.20 a", "max tree, unbounded leaves: “No pruning”", 0.1,
			Figures{says("pruning", "no")}, nil, nil, tree("max", "alphabeta"), ""},
		{"textbook-5.20b", "exercise 5.20 b", "expectimax tree, unbounded leaves: “No pruning”", 0.1,
			Figures{says("pruning", "no")}, nil, nil, tree("expectimax", "star1"), ""},
		{"textbook-5.20c", "exercise 5.20 c", "max tree, leaves in [0, 1]: “No pruning. same as (a)”", 0.1,
			Figures{says("pruning", "no")}, tree("max", "alphabeta"), tree("max-unit", "alphabeta"), nil,
			"the answers c to f are those of another edition: that of e is of this question"},
		{"textbook-5.20d", "exercise 5.20 d",
			"expectimax tree, leaves in [0, 1]: “No pruning. Nonnegative values allow lower bounds”", 0.1,
			Figures{says("pruning", "no")}, tree("expectimax-nonnegative", "star1"), tree("expectimax-unit", "star1"),
			nil, "the answer is that of f; 0.6 at the first action, and an outcome of 0 with probability 0.5"},
		{"textbook-5.20e", "exercise 5.20 e",
			"max tree, nonnegative leaves: “Yes. If the first successor has value 1 …”", 0.1,
			Figures{says("pruning", "yes")}, tree("max-unit", "alphabeta"), tree("max-nonnegative", "alphabeta"), nil,
			"the answer is that of c"},
		{"textbook-5.20f", "exercise 5.20 f",
			"expectimax tree, nonnegative leaves: “Yes. Suppose the first action at the root has value 0.6 …”", 0.1,
			Figures{says("pruning", "yes")}, tree("expectimax-unit", "star1"), tree("expectimax-nonnegative", "star1"),
			nil, "the answer is that of d"},
		{"textbook-5.20g", "exercise 5.20 g",
			"“Highest probability first. This gives the strongest bound on the value of the node”", 0.1,
			Figures{says("order", "highest probability first")}, nil, nil,
			rows(row{"highest first", tree("highest-first", "star1")},
				row{"lowest first", tree("lowest-first", "star1")}), ""},
		{"textbook-5.21a", "exercise 5.21 a",
			"“it does not help the first player to know what strategy the second player is using”: true between " +
				"perfect players", 0.1,
			Figures{says("helps", "no")}, nil, nil, examined("optimal", lostVsBest(), exploitabilities()),
			"the best reply to a perfect player, knowing how it moves, gets no more than the value of the game"},
		{"textbook-5.21c", "exercise 5.21 c", "“A perfectly rational backgammon agent never loses”: false", 0.5,
			Figures{says("never loses", "false")}, nil, nil,
			both(solved("ttt+slip=0.3", "", func(r *lab.SolveResult) Figures {
				return Figures{value("expected of the perfect first player", *r.Expected)}
			}),
				matched("ttt+slip=0.3", "perfect", "random", 1000, 0)), "with marks that slip for dice"},
	}
}

// valued is the value and the nodes.
func valued(r *lab.SearchResult) Figures {
	return Figures{value("value", *r.Value), value("nodes", float64(r.Nodes))}
}

// nine is the game of nine squares without winning sets.
const nine = `{"name": "nine squares", "squares": 9, "winning": []}`

// withoutSets is the census of that game.
func withoutSets(figures func(c *lab.CountResult) Figures) *Measure {
	m := counted("file:nine.json", figures)
	counts := m.run
	m.commands = []string{"echo '" + nine + "' > nine.json", "oxo count file:nine.json"}
	m.run = func(ctx context.Context, l *lab.Lab) (Figures, error) {
		with := *l
		with.ReadFile = func(string) ([]byte, error) { return []byte(nine), nil }
		return counts(ctx, &with)
	}
	return m
}
