package cmd

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"oxo/lab"
)

// countLimit is the most classes of positions that a ply of a census may have.
const countLimit = 30_000_000

// countVerb returns the verb that counts a game's positions and games.
func countVerb(a *app) *cobra.Command {
	return countingVerb(a, &cobra.Command{
		Use:     "count GAME",
		Short:   "count a game's positions, games and symmetries, exactly",
		Example: "  oxo count ttt\n  oxo count mnk:4,4,4 --time 1m",
	}, 30*time.Second, "stop counting after this long", func(ctx context.Context, g lab.Game) (any, func(), error) {
		r := g.Solving().TakeCensus(ctx, countLimit)
		return r, func() { a.printCount(g.Info(), r) }, nil
	})
}

// countingVerb completes a verb that counts positions for at most as long as --time says, and answers
// with what count returns. What was counted by then is printed with the reason why the rest is
// not; only Ctrl-C is an error.
func countingVerb(a *app, c *cobra.Command, usual time.Duration, about string,
	count func(context.Context, lab.Game) (answer any, show func(), err error)) *cobra.Command {
	limit := c.Flags().Duration("time", usual, about)
	c.Args = exactArgs("GAME")
	c.RunE = a.withGame(func(c *cobra.Command, g lab.Game, _ []string) error {
		if *limit <= 0 {
			return fmt.Errorf("%s: --time %v: it must be more than 0", c.Name(), *limit)
		}
		ctx, cancel := context.WithTimeout(c.Context(), *limit)
		defer cancel()
		wipe := a.showElapsedAndLeft("counting", *limit)
		r, show, err := count(ctx, g)
		wipe()
		if err != nil {
			return err
		}
		return errors.Join(a.answer(r, show), c.Context().Err())
	})
	return c
}

// printCount prints a census, what was not counted left out. Rows whose value is not known are left
// out rather than printed empty.
func (a *printer) printCount(info lab.Info, r *lab.CountResult) {
	a.printf("%s: %s\n", r.Game, info.Title)
	row := func(label, value string) {
		if value != "" {
			a.printf("  %-44s %s\n", label, value)
		}
	}
	byResult := func(t *lab.ByResult) string {
		if t == nil {
			return ""
		}
		return fmt.Sprintf("%s (first %s, second %s, draw %s)", groupThousands(t.First+t.Second+t.Draw),
			groupThousands(t.First), groupThousands(t.Second), groupThousands(t.Draw))
	}
	games := groupBig(r.Games)
	if r.GamesBy != nil {
		games += fmt.Sprintf(" (first %s, second %s, draw %s)", groupBig(r.GamesBy.First), groupBig(r.GamesBy.Second),
			groupBig(r.GamesBy.Draw))
	}
	row("games", games)
	row("nodes of the game tree, root included", groupBig(r.Nodes))
	row("positions", groupPtr(r.Positions))
	row("positions, at most", groupAtMost(r.MostPositions))
	row("classes of positions up to symmetry", groupPtr(r.Classes))
	row("terminal positions", byResult(r.Terminal))
	row("terminal classes", byResult(r.TerminalBy))
	row("other positions", groupPtr(r.Nonterminal))
	row("other classes", groupPtr(r.NonterminalCl))
	row("games, merging symmetric positions", groupBig(r.MergedPositions))
	row("games, merging symmetric move sequences", groupBig(r.MergedSequences))
	if p := r.Random; p != nil {
		text := fmt.Sprintf("first %.6f, second %.6f, draw %.6f", p.First, p.Second, p.Draw)
		if p.Exact != nil {
			text = fmt.Sprintf("first %s, second %s, draw %s", p.Exact.First, p.Exact.Second, p.Exact.Draw)
		}
		if p.Payoff != nil {
			text += fmt.Sprintf("; mean payoff to first %.12g", *p.Payoff)
		}
		row("random against random", text)
	}
	if b := r.Boxes; b != nil {
		row("matchboxes to move first (and with one move)",
			fmt.Sprintf("%s (%s)", groupThousands(b.First), groupThousands(b.First+b.FirstForced)))
		row("matchboxes to move second (and with one move)",
			fmt.Sprintf("%s (%s)", groupThousands(b.Second), groupThousands(b.Second+b.SecondForced)))
	}
	row("symmetries of the game", groupBig(r.Symmetries))
	if r.Reason != "" {
		row("not counted", r.Reason)
	}
	if e := r.Estimate; e != nil {
		row(fmt.Sprintf("estimate from %d random probes", e.Probes),
			fmt.Sprintf("%.2g ± %.1g nodes, %.2g ± %.1g games (± the standard error)", e.Nodes, e.NodesError, e.Games,
				e.GamesError))
	}
	if len(r.ByPly) > 0 {
		a.printf("\n  %4s %22s %22s %12s %10s %12s\n", "ply", "nodes", "games ending", "positions", "classes",
			"terminal")
		for _, p := range r.ByPly {
			a.printf("  %4d %22s %22s %12s %10s %12s\n", p.Ply, groupBig(p.Nodes), groupBig(p.Games),
				groupThousands(p.Positions),
				groupThousands(p.Classes), groupThousands(p.Terminal.First+p.Terminal.Second+p.Terminal.Draw))
		}
	}
	a.printf("\n  %.3f s\n", r.Seconds)
}

// groupThousands writes a number with commas between groups of three digits.
func groupThousands(n uint64) string { return groupDigits(strconv.FormatUint(n, 10)) }

// groupPtr writes a number in groups of three digits, empty where there is none.
func groupPtr(n *uint64) string {
	if n == nil {
		return ""
	}
	return groupThousands(*n)
}

// groupBig is groupPtr of a large number.
func groupBig(n *big.Int) string {
	if n == nil {
		return ""
	}
	return groupDigits(n.String())
}

// mostDigits is how many digits of a bound are told, as it is nothing that anybody counts by.
const mostDigits = 24

// groupAtMost is groupBig of a bound: a longer one is rounded up to three digits and a power of ten.
func groupAtMost(n *big.Int) string {
	if n == nil || len(n.String()) <= mostDigits {
		return groupBig(n)
	}
	zeros := len(n.String()) - 3
	first, rest := new(big.Int).QuoRem(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(zeros)), nil),
		new(big.Int))
	if rest.Sign() > 0 {
		first.Add(first, big.NewInt(1))
	}
	return fmt.Sprintf("%s·10^%d", first, zeros)
}

// groupDigits puts a comma before every three digits. The text has digits alone, without a sign.
func groupDigits(s string) string {
	for at := len(s) - 3; at > 0; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// perftVerb returns the verb that counts lines of play of an exact depth.
func perftVerb(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "perft GAME DEPTH",
		Short:   "count the sequences of exactly DEPTH moves",
		Example: "  oxo perft ultimate 6",
		Args:    exactArgs("GAME", "DEPTH"),
		RunE: a.withGame(func(c *cobra.Command, g lab.Game, args []string) error {
			depth, err := strconv.Atoi(args[1])
			if err != nil || depth < 0 {
				return fmt.Errorf("perft: DEPTH %q must be a whole number, 0 or more", args[1])
			}
			stop := a.showElapsed("counting")
			r, err := g.Solving().Perft(c.Context(), depth)
			stop()
			if err != nil {
				return err
			}
			rate := ""
			if r.Seconds > 0.001 {
				rate = fmt.Sprintf(", %.0f million leaves a second", float64(r.Leaves)/r.Seconds/1e6)
			}
			return a.answerf(r, "%s to depth %d: %s leaves in %.3f s%s\n", r.Game, r.Depth, groupThousands(r.Leaves),
				r.Seconds, rate)
		}),
	}
}
