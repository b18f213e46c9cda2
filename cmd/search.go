package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"oxo/lab"
)

// searchVerb returns the verb of the textbook's searches.
func searchVerb(a *app) *cobra.Command {
	var o lab.SearchOptions
	var trace string
	var step bool
	c := &cobra.Command{
		Use:   "search GAME",
		Short: "search a position with one of the textbook's algorithms, and count",
		Long: `search a position with one of the textbook's algorithms, and count.

Algorithms: minimax, alphabeta, negamax, pvs, mtdf, expectiminimax, star1, star2, mcts, pns, dfpn.
Values are payoffs to First: 1, 0 and -1 where a game has only wins, draws and losses.
mcts takes options of its own, as in mcts:rave=300: explore, temperature, contempt, rave, proof, dfpn, memory.
On large boards with lines alphabeta is the player of that name, which searches by lines and threats; alphabeta:plain=yes,
or an option that only the textbook knows, has the textbook's.
A node is a call of the algorithm's recursive function, the root's included; for mcts
it is a simulation, for pns a position that entered the tree.
pns and dfpn ask by proof numbers who wins: pns keeps the tree, dfpn a table.`,
		Example: "  oxo search ttt --algorithm minimax\n  oxo search ttt --algorithm minimax --memo level=5 " +
			"--symmetry first --stop best\n" +
			"  oxo search tree:three-ply --step\n  oxo search tree:three-ply --trace -\n" +
			"  oxo search ultimate --algorithm mcts --time 2s " +
			"--multipv 3\n  oxo search mnk:9,9,5 --algorithm mcts:rave=300,explore=0.5 --sims 20000",
		Args: exactArgs("GAME"),
		RunE: a.withGame(func(c *cobra.Command, g lab.Game, _ []string) error {
			o.Trace = trace != "" || step
			if err := checkSearchFlags(c, &o); err != nil {
				return err
			}
			if a.json && (step || trace == "-") {
				return errors.New("search: --step and --trace - tell the search in words and letters, which " +
					"--json does not print; name a file for --trace")
			}
			if trace != "" && trace != "-" {
				if err := checkWritable(trace); err != nil {
					return err
				}
			}
			if a.json && o.MultiPV > 0 {
				o.Progress = func(r *lab.SearchResult) { _ = a.printJSON(r) } // a lost line of progress is no loss
			}
			stop := a.showElapsed("searching")
			r, err := g.Searching().Search(c.Context(), o)
			stop()
			if err != nil {
				return err
			}
			if err := writeTrace(trace, r); err != nil {
				return err
			}
			if a.json {
				return a.printJSON(r)
			}
			switch {
			case (step || trace == "-") && r.Tree == nil:
				return fmt.Errorf("search: %s leaves no tree to show", r.Algorithm)
			case step:
				a.printSteps(r.Tree)
			case trace == "-":
				a.printTree(r.Tree)
			}
			a.printSearch(g.Info(), r)
			return nil
		}),
	}
	addSearchFlags(c.Flags(), &o, &trace, &step)
	return c
}

// addSearchFlags adds what can be said of a search.
func addSearchFlags(f *pflag.FlagSet, o *lab.SearchOptions, trace *string, step *bool) {
	f.StringVar(&o.Position, "position", "", "the position to search; without it the start")
	f.StringVar(&o.Algorithm, "algorithm", "",
		"how to search (default alphabeta; minimax where play can go in circles, expectiminimax with chance)")
	f.IntVar(&o.Depth, "depth", 0, "plies to look ahead, at least 1 (default to the end)")
	f.StringVar(&o.Memo, "memo", "", "positions to remember: none, level=L (those of one ply), or all "+
		"(default none; all where chance moves and a search to the end would not end without)")
	f.StringVar(&o.Symmetry, "symmetry", "none", "search one of symmetric moves: none, first (at the root), or all")
	f.StringVar(&o.Order, "order", "natural", "order of moves: natural, killers, best (the best known first), or by "+
		"exact values perfect (the best first) or worst (the worst first)")
	f.StringVar(&o.Stop, "stop", "none", "best stops where a value can't get better; open starts with no window")
	f.StringVar(&o.Deepen, "deepen", "",
		"yes searches to depth 1, 2, … first, no does not (default yes with a clock, to a --depth with "+
			"memory of all positions and the best move first, or where a search without --depth would hardly end)")
	f.StringVar(&o.Eval, "eval", "",
		"how to judge positions at a limit, or brain:PATH of a net or a weighted sum (default the first that suits "+
			"the game; none counts 0)")
	f.IntVar(&o.Sims, "sims", 0, "simulations of mcts (default 100000, or no limit with --time)")
	f.DurationVar(&o.Time, "time", 0, "stop after this long with the best so far")
	f.IntVar(&o.MultiPV, "multipv", 0,
		"show this many of the best moves, each with its value and line; with --json a line for each improvement")
	f.Uint64Var(&o.MaxNodes, "nodes", 0,
		"stop after this many nodes, at least 1, with the best so far (default without any limit 10,000,000 in "+
			"games too large to end, 1,000,000 where lines are counted)")
	f.Uint64Var(&o.Seed, "seed", 0, "what mcts draws from, and a search by lines (default 1)")
	f.IntVar(&o.Workers, "workers", 0,
		"cores that mcts uses (default all, and one with --trace or --step); the other algorithms use one")
	f.Float64Var(&o.Draw, "draw", 0, "what a draw is worth to First, more than -1 and less than 1")
	f.StringVar(trace, "trace", "",
		"write the search tree, of any algorithm but pns and dfpn: a .svg file as a drawing, any other as JSON; "+
			"- draws it here in letters")
	annotateFiles(f, fileWritten, "trace")
	f.BoolVar(step, "step", false, "tell the search step by step, each node as it is entered, cut and left; of mcts "+
		"each simulation; not of pns and dfpn")
	f.IntVar(&o.TraceNodes, "trace-nodes", 2000, "nodes of the tree to write at most, and simulations with the "+
		"moves compared in them to tell; the others are counted")
}

// checkSearchFlags refuses numbers without meaning, and fills in what the machine gives. A flag that was
// not given keeps 0, which means no limit or the usual value; given as 0 it is a mistake.
func checkSearchFlags(c *cobra.Command, o *lab.SearchOptions) error {
	for _, f := range []struct {
		name  string
		value int
	}{{"depth", o.Depth}, {"sims", o.Sims}, {"multipv", o.MultiPV}, {"workers", o.Workers},
		{"trace-nodes", o.TraceNodes}} {
		if c.Flags().Changed(f.name) && f.value < 1 {
			return fmt.Errorf("search: --%s %d: it must be at least 1", f.name, f.value)
		}
	}
	if c.Flags().Changed("nodes") && o.MaxNodes == 0 {
		return errors.New("search: --nodes 0: it must be at least 1")
	}
	if c.Flags().Changed("time") && o.Time <= 0 {
		return fmt.Errorf("search: --time %v: it must be more than 0", o.Time)
	}
	if o.Trace && o.Workers > 1 {
		return fmt.Errorf("search: --workers %d: with --trace or --step one searches, whose tree is shown", o.Workers)
	}
	if c.Flags().Changed("trace-nodes") && !o.Trace {
		return fmt.Errorf("search: --trace-nodes %d: it goes with --trace or --step", o.TraceNodes)
	}
	if name, _, _ := strings.Cut(o.Algorithm, ":"); name == "mcts" {
		o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
		if !c.Flags().Changed("seed") {
			o.Seed = 1
		}
	}
	return nil
}

// writeTrace writes the tree of a search to the file of that path, if there is one.
func writeTrace(path string, r *lab.SearchResult) error {
	switch {
	case path == "" || path == "-":
		return nil
	case r.TraceJSON == nil:
		return errors.New("search: this algorithm leaves no tree to trace")
	case strings.HasSuffix(path, ".svg"):
		return writeAtomically(path, r.TraceSVG)
	}
	return writeAtomically(path, r.TraceJSON)
}

// printSearch prints what a search found and what it took. The value is First's payoff. It is exact,
// or an estimate with its score before it was squeezed between the payoffs; where the judge knows
// bounds, the estimate is shown inside them.
func (a *printer) printSearch(info lab.Info, r *lab.SearchResult) {
	a.printf("%s: %s\n", r.Game, info.Title)
	a.printf("  position   %s\n", r.Position)
	a.printf("  value      %s\n", searchValueText(r))
	if r.Estimate() != nil {
		a.printf("  estimated  %s\n", estimateText(info, r))
	}
	if r.Known != nil {
		a.printf("  known      %s (%s)\n", r.Standing, r.Known.Source)
	}
	if r.Deepened {
		a.printf("  deepened   by searches to lesser depths first\n")
	}
	a.printf("  move       %s\n", searchMoveText(r))
	if len(r.PV) > 0 { // a search of a game that can go in circles has none
		a.printf("  line       %s\n", strings.Join(r.PV, " "))
	}
	for i, l := range r.Lines {
		if len(r.Lines) == 1 && l.Visits == 0 {
			break // it says what the lines above say
		}
		a.printf("  %d. %-6s %s  %s\n", i+1, l.Move, searchLineText(&l), strings.Join(l.PV, " "))
	}
	if n := r.Numbers; n != nil {
		a.printf("  numbers    proof %s, disproof %s, of whether %s wins\n", groupThousands(uint64(n.Proof)),
			groupThousands(uint64(n.Disproof)), sideName(info, n.Winner))
	}
	if len(r.Evaluated) > 0 {
		a.printf("  evaluated  %s\n", joinFloats(r.Evaluated))
		a.printf("  pruned     %s\n", joinFloats(r.Pruned))
	}
	a.printf("  nodes      %s", groupThousands(r.Nodes))
	if r.Stored > 0 {
		a.printf(", %s stored", groupThousands(uint64(r.Stored)))
	}
	a.printf("\n  %.6f s", r.Seconds)
	if r.Seconds > 0 && r.Nodes > 1000 {
		a.printf(", %.1f ns a node", r.Seconds*1e9/float64(r.Nodes))
	}
	a.printf("\n")
	switch {
	case r.Complete:
	case r.Eval == "lines" && !r.Exact && math.Abs(*r.Value) == 1: // which leaves moves out
		a.printf("  it saw how the game is won, but did not look at every reply: what it saw is not certain\n")
	case r.Stopped != "":
		a.printf("  stopped at its limit of %s before it was decided\n", r.Stopped)
	case r.Move == "":
		a.printf("  stopped at a limit before it was decided\n")
	default:
		a.printf("  stopped at a limit: this is the best found so far\n")
	}
}

// searchValueText is the value in words, and where that is not all that is known, what else is said of it.
func searchValueText(r *lab.SearchResult) string {
	e := r.Estimate()
	if e == nil {
		switch {
		case r.Certain == nil && r.Complete:
			return "? (play can go in circles)"
		case r.Certain == nil:
			return "not known"
		case !r.Exact:
			return fmt.Sprintf("%.4g (%s), as is known; the search has not decided it", *r.Certain, r.Result)
		case r.Result != "":
			return fmt.Sprintf("%.12g (%s)", *r.Certain, r.Result)
		}
		return fmt.Sprintf("%.12g", *r.Certain)
	}
	estimate := fmt.Sprintf("%.4g", *e) + noiseText(r.Noise)
	said := estimate + ", an estimate"
	if k := r.Known; k != nil && (k.Lo == k.Hi || *e < k.Lo || *e > k.Hi) {
		said = knownBesideText(k, "", estimate)
	}
	if r.Score != nil {
		said += fmt.Sprintf(" from a score of %.12g", *r.Score)
	}
	return said
}

// knownBesideText says where a worth certainly is, and if told when play ends, before what a search alone estimates.
func knownBesideText(k *lab.Known, when, estimate string) string {
	said := fmt.Sprintf("between %.4g and %.4g", k.Lo, k.Hi)
	switch {
	case k.Lo == k.Hi:
		said = fmt.Sprintf("%.4g", k.Lo)
	case k.Hi >= 1:
		said = fmt.Sprintf("at least %.4g", k.Lo)
	case k.Lo <= -1:
		said = fmt.Sprintf("at most %.4g", k.Hi)
	}
	return said + ", as is known" + when + "; the search alone estimates " + estimate
}

// searchLineText says what one of several moves is worth, and what is behind that.
func searchLineText(l *lab.SearchLine) string {
	said := fmt.Sprintf("%8.4f", rounded(l.Value, 4)) + noiseText(l.Noise)
	if k := l.Known; k != nil && (k.Lo != k.Hi || l.Noise > 0 || math.Abs(l.Value-k.Lo) > 1e-9) {
		when := ""
		switch {
		case k.Plies != nil:
			when = ", in " + countOf(*k.Plies+1, "move", "moves")
		case k.Within > 0:
			when = ", within " + countOf(k.Within+1, "move", "moves")
		}
		if said = " " + knownBesideText(k, when, strings.TrimSpace(said)); said[1] != '-' {
			said = " " + said // numbers stand below each other
		}
	}
	if l.Score != nil {
		said += fmt.Sprintf("  score %.12g", *l.Score)
	}
	if l.Visits > 0 {
		said += "  " + countOf(l.Visits, "visit", "visits")
	}
	return said
}

// searchMoveText is the move in words, or why there is none.
func searchMoveText(r *lab.SearchResult) string {
	switch {
	case r.GivesAway:
		return r.Move + ", though " + cmp.Or(append(r.Better, "another")...) + " is certainly better"
	case r.Move != "":
		return r.Move
	case r.Over && r.Result == "draw":
		return "none: the game is over there: a draw"
	case r.Over && r.Result != "":
		return fmt.Sprintf("none: the game is over there: %s has won", r.Result)
	case r.Over:
		return "none: the game is over there"
	case !r.Complete && r.Value == nil && (r.Algorithm == "pns" || r.Algorithm == "dfpn"):
		return "none: proof numbers have none before they have decided who wins"
	case !r.Complete:
		return "none: the search stopped before it knew one"
	}
	return "none"
}

// estimateText says by what a search has estimated, and on which scale where that is not the payoffs of a tree.
func estimateText(info lab.Info, r *lab.SearchResult) string {
	by, scale := "by the evaluation "+r.Eval, ""
	switch {
	case r.Eval == "" && r.Algorithm == "mcts":
		by = "by games that are played out at random"
	case r.Eval == "" && r.Depth == 0:
		by = "by the moves that it searched to the end before it stopped, 0 without any"
	case r.Eval == "":
		by = "without an evaluation: what is not searched on counts 0"
	}
	if len(info.Squares) > 0 {
		scale = "; from -1, second wins, to 1, first wins"
	}
	if r.Noise > 0 {
		scale += "; ± its standard error, as of so many independent simulations"
	}
	return by + scale
}

// noiseText is a standard error beside its value, of which two digits are worth telling; empty where there is none.
func noiseText(noise float64) string {
	if noise == 0 {
		return ""
	}
	return fmt.Sprintf(" ± %.2g", noise)
}

// joinFloats writes numbers with blanks between them.
func joinFloats(list []float64) string {
	var words []string
	for _, x := range list {
		words = append(words, fmt.Sprintf("%.12g", x))
	}
	return strings.Join(words, " ")
}

// sizeBoundsVerb returns the verb that compares bounds on a game's size with the truth.
func sizeBoundsVerb(a *app) *cobra.Command {
	return countingVerb(a, &cobra.Command{
		Use:     "bounds GAME",
		Short:   "compare bounds on a game's size with the truth",
		Example: "  oxo bounds ttt\n  oxo bounds mnk:4,3,3 --json",
	}, 10*time.Second, "stop counting the truth after this long", func(ctx context.Context, g lab.Game) (any, func(),
		error) {
		r, err := g.Solving().SearchTreeBounds(ctx, countLimit)
		return r, func() { a.printSizeBounds(r) }, err
	})
}

// printSizeBounds prints bounds on the numbers of games, nodes and states beside the true numbers. Each
// bound stands above the true number, with the formula that gives it in N squares.
func (a *printer) printSizeBounds(r *lab.BoundsResult) {
	unknown := func(s string) string { return cmp.Or(s, "not counted in time") }
	a.printf("%s, %s\n", r.Game, countOf(r.Squares, "square", "squares"))
	width := max(34, utf8.RuneCountInString("nodes: at most "+r.NodesFormula))
	a.printf("  %-*s %s\n", width, "games: at most "+r.GamesFormula, groupBig(r.GamesBound))
	a.printf("  %-*s %s\n", width, "  in truth", unknown(groupBig(r.Games)))
	a.printf("  %-*s %s\n", width, "nodes: at most "+r.NodesFormula, groupBig(r.NodesBound))
	a.printf("  %-*s %s\n", width, "  in truth", unknown(groupBig(r.Nodes)))
	a.printf("  %-*s %s (no bound, though often printed)\n", width, "  Σ i!", groupBig(r.FactorialSum))
	if r.BelowFirst != nil {
		a.printf("  %-*s %s (on average of the N first moves)\n", width,
			"  below one first move", groupBig(r.BelowFirst))
	}
	a.printf("  %-*s %s\n", width, "states: at most "+r.StatesFormula, groupBig(r.StatesBound))
	if r.StatesAlter != nil {
		a.printf("  %-*s %s\n", width, "  with alternating marks", groupBig(r.StatesAlter))
	}
	if r.FullBoards != nil {
		a.printf("  %-*s %s\n", width, "  of full boards, C(N, ⌈N/2⌉)", groupBig(r.FullBoards))
	}
	a.printf("  %-*s %s\n", width, "  in truth", unknown(groupPtr(r.Positions)))
	a.printf("  %-*s %s\n", width, "  up to symmetry", unknown(groupPtr(r.Classes)))
	a.printf("  most squares searched to the end in a second, a minute, an hour\n")
	a.printf("  %-*s %d, %d, %d\n", width, "  at 100·N instructions a node", r.Textbook.Second,
		r.Textbook.Minute, r.Textbook.Hour)
	a.printf("  %-*s %d, %d, %d\n", width, fmt.Sprintf("  at %.1f ns a node, as measured", r.NsPerNode),
		r.Measured.Second, r.Measured.Minute, r.Measured.Hour)
}

// ablateVerb returns the verb that measures what each part of a search is worth.
func ablateVerb(a *app) *cobra.Command {
	var o lab.AblateOptions
	var plot string
	c := &cobra.Command{
		Use:   "ablate GAME",
		Short: "measure what pruning, memory, symmetry and move order are worth",
		Long: "measure what pruning, memory, symmetry and move order are worth.\n\n" +
			"Rows are searched without iterative deepening, as by search with --deepen no.",
		Example: "  oxo ablate ttt\n  oxo ablate ultimate --depth 5 --plot ultimate.svg",
		Args:    exactArgs("GAME"),
		RunE: a.withGame(func(c *cobra.Command, g lab.Game, _ []string) error {
			if c.Flags().Changed("depth") && o.Depth < 1 {
				return fmt.Errorf("ablate: --depth %d: it must be at least 1", o.Depth)
			}
			if err := checkWritable(plot); err != nil {
				return err
			}
			if plot != "" && filepath.Ext(plot) != ".svg" {
				return fmt.Errorf("--plot %s: it must end in .svg", plot)
			}
			r, err := measureRows(c.Context(), &a.printer, g, o)
			if err != nil {
				return err
			}
			if err := writeAtomically(plot, ablationSVG(r)); err != nil {
				return err
			}
			return errors.Join(a.answer(r, func() { printAblation(&a.printer, g.Info(), r) }), c.Context().Err())
		}),
	}
	f := c.Flags()
	f.StringVar(&o.Position, "position", "", "the position to search; without it the start")
	f.IntVar(&o.Depth, "depth", 0, "plies to look ahead (default to the end)")
	f.StringVar(&o.Eval, "eval", "", "how to judge positions at the depth limit")
	f.StringVar(&o.Stop, "stop", "none", "best stops at a node whose value can't get better")
	f.Uint64Var(&o.MaxNodes, "nodes", lab.DefaultAblateNodes, "give a row up after this many nodes")
	f.StringVar(&plot, "plot", "", "draw the table as an SVG file")
	annotateFiles(f, fileWritten, "plot")
	return c
}

// measureRows searches the rows of an ablation, and shows on a terminal each second which it is at.
func measureRows(ctx context.Context, a *printer, g lab.Game, o lab.AblateOptions) (*lab.AblateResult, error) {
	var at atomic.Pointer[string]
	o.Begin = func(r lab.AblateRow, n, of int) {
		text := fmt.Sprintf("row %d of %d: %s, memory %s, symmetry %s, order %s", n, of, r.Algorithm, r.Memory,
			r.Symmetry, r.Order)
		at.Store(&text)
	}
	stop := a.showEachSecond(func(took time.Duration) string {
		if text := at.Load(); text != nil {
			return fmt.Sprintf("%s, %v", *text, took)
		}
		return fmt.Sprintf("searching, %v", took)
	})
	defer stop()
	return g.Searching().Ablate(ctx, o)
}

// printAblation prints the rows of an ablation, and how many there are where it was stopped.
func printAblation(a *printer, info lab.Info, r *lab.AblateResult) {
	a.printf("%s: %s\n%s\n", r.Game, info.Title, ablationWindow(r))
	a.printf("  %-15s %-6s %-8s %-8s %13s %11s %10s %10s\n", "algorithm", "memory", "symmetry", "order",
		"nodes", "stored", "ms", "ratio")
	for _, row := range r.Rows {
		ratio := "-"
		if row.Ratio != nil {
			ratio = fmt.Sprintf("%.5f", *row.Ratio)
		}
		more := " "
		if !row.Complete {
			more = ">"
		}
		a.printf("  %-15s %-6s %-8s %-8s %s%12s %11s %10.3f %10s\n", row.Algorithm, row.Memory, row.Symmetry,
			row.Order, more, groupThousands(row.Nodes), groupThousands(uint64(row.Stored)), row.Seconds*1000, ratio)
	}
	if n := len(r.Rows); n < r.Of {
		a.printf("  stopped in row %d of %d; those after it were not searched\n", n, r.Of)
	}
}

// ablationWindow says which window the rows of an ablation were searched with, that they were not deepened, as a
// search with memory and the best move first is by itself, and whether they stopped early.
func ablationWindow(r *lab.AblateResult) string {
	said := "  first window " + windowText(r.Alpha, r.Beta) + ", without iterative deepening (as search --deepen no)"
	if r.Stop == "best" {
		return said + ", stopped where a value can't get better"
	}
	return said
}

// ablationSVG draws the nodes of each row as bars on a logarithmic scale. A grey bar is a row that was
// given up at its limit of nodes.
func ablationSVG(r *lab.AblateResult) []byte {
	const left, width, height, top = 330, 520, 18, 40
	most := 1.0
	for _, row := range r.Rows {
		most = max(most, float64(row.Nodes))
	}
	var b strings.Builder
	total := top + height*len(r.Rows) + 20
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`, left+width+120, total)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="10" y="22" font-size="15">%s: nodes, logarithmic,%s</text>`,
		html.EscapeString(r.Game), html.EscapeString(ablationWindow(r)))
	for i, row := range r.Rows {
		y := top + i*height
		length := math.Log10(float64(row.Nodes)+1) / math.Log10(most+1) * width
		colour := "#4878a8"
		if !row.Complete {
			colour = "#bbbbbb"
		}
		fmt.Fprintf(&b, `<text x="10" y="%d">%s, memory %s, symmetry %s, order %s</text>`, y+13, row.Algorithm,
			row.Memory, row.Symmetry, row.Order)
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`, left, y+2, length, height-4, colour)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d">%s</text>`, left+length+5, y+13, groupThousands(row.Nodes))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// benchVerb returns the verb of the fixed workload by whose nodes a search is known.
func benchVerb(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "bench",
		Short:   "run a fixed workload: its nodes are a fingerprint of the search",
		Example: "  oxo bench --json",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := lab.RunBench(c.Context())
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(r)
			}
			for _, p := range r.Parts {
				fmt.Fprintf(a.out, "  %-16s %-20s %12s nodes %9.3f s\n", p.Game, p.Algorithm, groupThousands(p.Nodes),
					p.Seconds)
			}
			a.printf("%d nodes %.0f nps\n", r.Nodes, r.NPS)
			return nil
		},
	}
}
