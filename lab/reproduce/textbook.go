package reproduce

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"oxo/lab"
	"oxo/search"
)

// textbookItems are the claims of the exercises.
func textbookItems() []Item {
	tree := func(name, algorithm string) *Measure {
		return measureSearch("tree:"+name, lab.SearchOptions{Algorithm: algorithm}, leafFigures)
	}
	race := func(n int) *Measure {
		return measureSolution(fmt.Sprintf("race:%d", n), "",
			func(r *lab.SolveResult) Figures { return Figures{textFigure("wins", r.Value)} })
	}
	var races []row
	for n := 3; n <= 15; n++ {
		races = append(races, row{fmt.Sprintf("n = %d", n), race(n)})
	}
	return []Item{
		{"textbook-5.8b", "exercise 5.8 b",
			"“?” values: min(−1, ?) is −1 and max(+1, ?) is +1; if all successors are “?”, the value is “?”", 0.1,
			Figures{textFigure("start", "A wins")}, stackMeasures(
				measureSearch("race:4", lab.SearchOptions{Algorithm: "minimax"},
					func(r *lab.SearchResult) Figures {
						return append(worthFigures(r), numberFigure("nodes", float64(r.Nodes)))
					}), measureGame("race:4", raceNodes)), nil, race(4), "each node by the moves that lead to it"},
		{"textbook-5.8c-loops", "exercise 5.8 c",
			"standard minimax “would go into an infinite loop”; a repeated state returns “?”", 0.1,
			Figures{textFigure("standard minimax", "does not end")},
			measureGame("race:4", func(ctx context.Context, g lab.Game) (Figures, error) {
				if _, err := g.Searching().Search(ctx, lab.SearchOptions{Algorithm: "alphabeta"}); err == nil {
					return nil, errors.New("alpha-beta to the end of a game with loops is not refused")
				}
				return Figures{textFigure("search to the end without “?”", "refused")}, nil
			}), measureSearch("race:4", lab.SearchOptions{Algorithm: "minimax"}, worthFigures), nil,
			"a position that is already on the path is “?”"},
		{"textbook-5.8c-won", "exercise 5.8 c", "“both (1,4) and (2,4) repeat in the tree but they are won positions”",
			0.1,
			Figures{textFigure("(1,4)", "won"), textFigure("(2,4)", "won")}, nil, nil,
			stackRows(row{"(1,4), A to move", measureSolution("race:4", "x..o x", bestMoveFigures)},
				row{"(2,4), B to move", measureSolution("race:4", ".x.o o", bestMoveFigures)}),
			"won for A, who is first"},
		{"textbook-5.8d-base", "exercise 5.8 d",
			"“The base case n=3 is a loss for A and the base case n=4 is a win for A”", 0.1,
			Figures{textFigure("n = 3", "second"), textFigure("n = 4", "first")}, nil, nil,
			stackRows(row{"n = 3", race(3)}, row{"n = 4", race(4)}), ""},
		{"textbook-5.8d", "exercise 5.8 d", "“Prove that A wins if n is even and loses if n is odd”", 0.5,
			Figures{textFigure("even n", "first"), textFigure("odd n", "second")}, nil, nil, stackRows(races...),
			"from n = 3 to 15"},
		{"textbook-5.10a", "exercise 5.10 a",
			"an upper bound on the nodes: Σ i! for i from 1 to N, “not much bigger than N!”", 0.3,
			Figures{textFigure("bound", "Σ i!")}, measureBounds("ttt", func(b *lab.BoundsResult) Figures {
				return Figures{numberFigure("Σ i! for N = 9", bigToFloat(b.FactorialSum)), numberFigure("N!",
					bigToFloat(b.GamesBound))}
			}), measureBounds("ttt", func(b *lab.BoundsResult) Figures {
				return Figures{numberFigure("Σ N!/(N−i)! for N = 9", bigToFloat(b.NodesBound))}
			}), measureCount("ttt", func(c *lab.CountResult) Figures {
				return Figures{numberFigure("nodes in truth",
					bigToFloat(c.Nodes))}
			}),
			"nodes are sequences of i moves, N!/(N−i)! of them: the printed sum is less than the truth, so no bound"},
		{"textbook-5.10a-early", "exercise 5.10 a",
			"“This is an overestimate because some games will end early when a winning position is filled”", 0.2,
			Figures{numberFigure("games at most, N!", 362880)}, nil, nil, measureCount("ttt",
				func(c *lab.CountResult) Figures {
					return Figures{numberFigure("games", bigToFloat(c.Games)), numberFigure("that fill the board",
						bigToFloat(c.ByPly[9].Games))}
				}), ""},
		{"textbook-5.10b", "exercise 5.10 b",
			"W = {}: “no games terminate early, and there are N! different games ending in a draw”", 0.5,
			Figures{textFigure("games", "N!"), textFigure("nodes", "Σ i!")}, measureBounds("ttt",
				func(b *lab.BoundsResult) Figures {
					return Figures{numberFigure("Σ i! for N = 9", bigToFloat(b.FactorialSum))}
				}), nil, measureCountWithoutSets(func(c *lab.CountResult) Figures {
				return Figures{numberFigure("games", bigToFloat(c.Games)), numberFigure("nodes", bigToFloat(c.Nodes)),
					numberFigure("drawn", bigToFloat(c.GamesBy.Draw))}
			}), "the sum of nodes should be Σ N!/(N−i)!"},
		{"textbook-5.10b-states", "exercise 5.10 b",
			"“a good lower bound on the number of distinct states is C(N, ⌈N/2⌉), the number of distinct terminal " +
				"states”", 0.5,
			Figures{textFigure("C(N, ⌈N/2⌉)", "terminal states")},
			measureBounds("ttt", func(b *lab.BoundsResult) Figures {
				return Figures{numberFigure("C(9, 5)",
					bigToFloat(b.FullBoards))}
			}),
			nil, measureCountWithoutSets(func(c *lab.CountResult) Figures {
				return Figures{numberFigure("terminal positions",
					float64(c.Terminal.First+c.Terminal.Second+c.Terminal.Draw)),
					numberFigure("positions", float64(*c.Positions))}
			}), ""},
		{"textbook-5.10c", "exercise 5.10 c",
			"Eval(s) = X(s) − O(s), the winning positions without Os less those without Xs", 0.5,
			Figures{textFigure("evaluation", "plausible")},
			stackRows(row{"depth 1", measureExam("minimax:depth=1,eval=open", exploitabilities(), winsVsRandom())},
				row{"depth 2", measureExam("minimax:depth=2,eval=open", exploitabilities(), winsVsRandom())}), nil,
			row{"no evaluation, depth 2", measureExam("minimax:depth=2,eval=none", exploitabilities(),
				winsVsRandom())}.asMeasure(),
			""},
		{"textbook-5.10c-weighted", "exercise 5.10 c",
			"“Alternatively, we might weight potential winning positions by how close they are to completion”", 0.5,
			Figures{textFigure("evaluation", "weighted")}, nil, nil,
			stackRows(row{"open, depth 2", measureExam("minimax:depth=2,eval=open", exploitabilities(),
				winsVsRandom())},
				row{"weighted, depth 2", measureExam("minimax:depth=2,eval=rows", exploitabilities(), winsVsRandom())}),
			""},
		{"textbook-5.10d", "exercise 5.10 d",
			"100N instructions a node, 2 gigahertz: “For one second we get N = 9, for one minute N = 11, and for one " +
				"hour N = 12”", 0.3,
			Figures{numberFigure("a second", 9), numberFigure("a minute", 11), numberFigure("an hour", 12)}, nil, nil,
			measureBounds("ttt", func(b *lab.BoundsResult) Figures {
				return Figures{numberFigure("a second", float64(b.Textbook.Second)),
					numberFigure("a minute", float64(b.Textbook.Minute)), numberFigure("an hour",
						float64(b.Textbook.Hour))}
			}), "with the mended bound; alpha-beta looks at far fewer nodes than that"},
		{"textbook-5.13", "exercise 5.13 and the pseudo code of ALPHA-BETA-SEARCH",
			"pruning does not change the value at the root", 0.3,
			Figures{textFigure("value", "the same")}, nil, nil,
			stackRows(row{"minimax", measureSearch("ttt", lab.SearchOptions{Algorithm: "minimax"}, valueAndNodes)},
				row{"alpha-beta", measureSearch("ttt", lab.SearchOptions{Algorithm: "alphabeta"}, valueAndNodes)}), ""},
		{"textbook-5.16a", "exercise 5.16 a", "the values of the nodes and the best move at the root", 0.1,
			Figures{textFigure("figure", "marked by hand")}, nil, nil,
			measureSearch("tree:chance", lab.SearchOptions{Algorithm: "expectiminimax"}, worthFigures),
			"the figure itself is lost from the copy at hand"},
		{"textbook-5.16b", "exercise 5.16 b",
			"unbounded leaves: after six the seventh is needed; “Given nodes 1 – 7, we do not need to look at 8”", 0.1,
			Figures{textFigure("leaf 7", "needed"), textFigure("leaf 8", "not needed")}, nil, nil,
			tree("chance-unbounded", "star1"), ""},
		{"textbook-5.16c", "exercise 5.16 c",
			"leaves in [−2, 2]: after the first two the left chance node “must lie between 0 and 2”", 0.1,
			Figures{numberFigure("least", 0), numberFigure("most", 2)}, nil, nil,
			stackRows(row{"the other two leaves −2", tree("chance-low", "expectiminimax")},
				row{"the other two leaves 2", tree("chance-high", "expectiminimax")}),
			"the left chance node alone, with its other leaves at either end"},
		{"textbook-5.16d", "exercise 5.16 d", "the leaves that need not be evaluated, circled", 0.1,
			Figures{textFigure("figure", "circled by hand")}, nil, nil, tree("chance", "star1"),
			"the figure is lost from the copy at hand"},
		{"textbook-5.20a", "exercise 5.20 a", "max tree, unbounded leaves: “No pruning”", 0.1,
			Figures{textFigure("pruning", "no")}, nil, nil, tree("max", "alphabeta"), ""},
		{"textbook-5.20b", "exercise 5.20 b", "expectimax tree, unbounded leaves: “No pruning”", 0.1,
			Figures{textFigure("pruning", "no")}, nil, nil, tree("expectimax", "star1"), ""},
		{"textbook-5.20c", "exercise 5.20 c", "max tree, leaves in [0, 1]: “No pruning. same as (a)”", 0.1,
			Figures{textFigure("pruning", "no")}, tree("max", "alphabeta"), tree("max-unit", "alphabeta"), nil,
			"the answers c to f are those of another edition: that of e is of this question"},
		{"textbook-5.20d", "exercise 5.20 d",
			"expectimax tree, leaves in [0, 1]: “No pruning. Nonnegative values allow lower bounds”", 0.1,
			Figures{textFigure("pruning", "no")}, tree("expectimax-nonnegative", "star1"), tree("expectimax-unit",
				"star1"),
			nil, "the answer is that of f; 0.6 at the first action, and an outcome of 0 with probability 0.5"},
		{"textbook-5.20e", "exercise 5.20 e",
			"max tree, nonnegative leaves: “Yes. If the first successor has value 1 …”", 0.1,
			Figures{textFigure("pruning", "yes")}, tree("max-unit", "alphabeta"), tree("max-nonnegative", "alphabeta"),
			nil,
			"the answer is that of c"},
		{"textbook-5.20f", "exercise 5.20 f",
			"expectimax tree, nonnegative leaves: “Yes. Suppose the first action at the root has value 0.6 …”", 0.1,
			Figures{textFigure("pruning", "yes")}, tree("expectimax-unit", "star1"), tree("expectimax-nonnegative",
				"star1"),
			nil, "the answer is that of d"},
		{"textbook-5.20g", "exercise 5.20 g",
			"“Highest probability first. This gives the strongest bound on the value of the node”", 0.1,
			Figures{textFigure("order", "highest probability first")}, nil, nil,
			stackRows(row{"highest first", tree("highest-first", "star1")},
				row{"lowest first", tree("lowest-first", "star1")}), ""},
		{"textbook-5.21a", "exercise 5.21 a",
			"“it does not help the first player to know what strategy the second player is using”: true between " +
				"perfect players", 0.1,
			Figures{textFigure("helps", "no")}, nil, nil, measureExam("optimal", lossesVsBestReply(),
				exploitabilities()),
			"the best reply to a perfect player, knowing how it moves, gets no more than the value of the game"},
		{"textbook-5.21c", "exercise 5.21 c", "“A perfectly rational backgammon agent never loses”: false", 0.5,
			Figures{textFigure("never loses", "false")}, nil, nil,
			stackMeasures(measureSolution("ttt+slip=0.3", "", func(r *lab.SolveResult) Figures {
				return Figures{numberFigure("expected of the perfect first player", *r.Expected)}
			}),
				measureMatch("ttt+slip=0.3", "perfect", "random", 1000, 0)), "with marks that slip for dice"},
	}
}

// raceNodes are the values of all nodes of the search of the exercise, as in its drawing.
func raceNodes(ctx context.Context, g lab.Game) (Figures, error) {
	r, err := g.Searching().Search(ctx, lab.SearchOptions{Algorithm: "minimax", Trace: true})
	if err != nil {
		return nil, err
	}
	var trace struct{ Passes []*search.TraceNode }
	if err := json.Unmarshal(r.TraceJSON, &trace); err != nil {
		return nil, err
	}
	var list Figures
	var walk func(n *search.TraceNode, path string)
	walk = func(n *search.TraceNode, path string) {
		value := numberFigure("node "+path, float64(n.Value))
		if n.Bound == "" { // play goes round from it
			value = textFigure(value.Name, "?")
		}
		list = append(list, value)
		for _, c := range n.Children {
			walk(c, strings.TrimPrefix(path+"–"+c.Move, "root–"))
		}
	}
	walk(trace.Passes[0], "root")
	return list, nil
}

// valueAndNodes is the value and the nodes.
func valueAndNodes(r *lab.SearchResult) Figures {
	return Figures{numberFigure("value", *r.Value), numberFigure("nodes", float64(r.Nodes))}
}

// nine is the game of nine squares without winning sets.
const nine = `{"name": "nine squares", "squares": 9, "winning": []}`

// measureCountWithoutSets is the census of that game.
func measureCountWithoutSets(figures func(c *lab.CountResult) Figures) *Measure {
	m := measureCount("file:nine.json", figures)
	counts := m.run
	m.commands = []string{"echo '" + nine + "' > nine.json", "oxo count file:nine.json"}
	m.run = func(ctx context.Context, l *lab.Lab) (Figures, error) {
		with := *l
		with.ReadFile = func(string) ([]byte, error) { return []byte(nine), nil }
		return counts(ctx, &with)
	}
	return m
}
