package cmd

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxo/lab"
	"oxo/solve"
)

func (a *app) solveVerb() *cobra.Command {
	var position, out, db string
	var strong bool
	var limit int
	var t tierFlags
	c := &cobra.Command{
		Use:     "solve GAME",
		Short:   "find a position's exact value, how long it lasts, and all best moves",
		Example: "  oxo solve ttt\n  oxo solve ttt --position 'x.o/.x./..o x'\n  oxo solve mnk:4,4,4 --strong --out 444.oxo\n  oxo solve mnk:4,4,4 --db 444.oxo --position 'x.../.o../..../.... x'\n  oxo solve mnk:5,4,4 --tiers --strong --memory 16MB --out 544.oxo",
		Args:    exactly("GAME"),
		RunE: func(c *cobra.Command, words []string) error {
			g, err := a.lab.Game(words[0])
			if err != nil {
				return err
			}
			if limit < 1 {
				return fmt.Errorf("solve: --limit %d must be at least 1", limit)
			}
			if out != "" {
				strong = true
			} else if strong {
				out = fileName(g.Info().Spec)
			}
			var r *lab.SolveResult
			var tiers *lab.TierResult
			if t.workers < 0 {
				return fmt.Errorf("solve: --workers %d: it must be at least 1", t.workers)
			}
			args := lab.SolveArgs{Position: position, Strong: strong}
			if err := t.read(c, &args); err != nil {
				return fmt.Errorf("solve: --memory %w", err)
			}
			switch {
			case db != "" && strong:
				return errors.New("solve: --db reads a strong solution and --strong writes one; give one of them")
			case !t.tiers && (args.Memory != 0 || t.workers != 0):
				return errors.New("solve: --memory and --workers go with --tiers")
			case t.tiers && db != "":
				return errors.New("solve: --tiers makes a solution and --db reads one; a file of tiers needs only --db")
			case t.tiers:
				if c.Flags().Changed("limit") {
					return errors.New("solve: --limit does not go with --tiers, which --memory bounds")
				}
				began := time.Now()
				if tiers, err = a.solveTiers(c, &t, words[0], args, out); err == nil {
					r = &tiers.SolveResult
					r.Seconds = time.Since(began).Seconds()
				}
			case db != "":
				r, err = lookup(g, db, position)
			case strong:
				err = writeWith(out, func(f *os.File) error {
					show, wipe := a.progress()
					defer wipe()
					r, err = g.Solve(c.Context(), lab.SolveOptions{Position: position, Out: f, Limit: limit, Progress: report(show)})
					return err
				})
			default:
				show, wipe := a.progress()
				r, err = g.Solve(c.Context(), lab.SolveOptions{Position: position, Limit: limit, Progress: report(show)})
				wipe()
			}
			if errors.Is(err, solve.ErrTooLarge) {
				return fmt.Errorf("%w; try a later --position, or a higher --limit", err)
			}
			if err != nil {
				return err
			}
			if a.json {
				told := struct {
					*lab.SolveResult
					Tiers []lab.TierCounts `json:"tiers,omitempty"`
					File  string           `json:"file,omitempty"`
				}{r, nil, out}
				if tiers != nil {
					told.Tiers = tiers.Tiers
				}
				return a.printJSON(told)
			}
			a.printSolve(g.Info(), r)
			if tiers != nil {
				a.printTiers(tiers)
			}
			if out != "" {
				a.printf("  strong solution written to %s\n", out)
			}
			return nil
		},
	}
	c.Flags().StringVar(&position, "position", "", "the position to solve; without it the start")
	c.Flags().BoolVar(&strong, "strong", false, "write the value of every position to a file")
	c.Flags().StringVar(&out, "out", "", "the file for --strong")
	c.Flags().StringVar(&db, "db", "", "answer from a file that --strong wrote, without searching")
	t.flags(c)
	c.Flags().IntVar(&t.workers, "workers", 0, "with --tiers, slices at once (default one a core)")
	c.Flags().IntVar(&limit, "limit", lab.DefaultLimit, "give up beyond this many positions")
	return c
}

func report(show func(string, ...any)) func(int) {
	return func(n int) { show("solving: %s positions", group(uint64(n))) }
}

func lookup(g lab.Game, path, position string) (*lab.SolveResult, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := g.Lookup(f, position)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// fileName makes a file name of a spec.
func fileName(spec string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:,+/\=`, r) {
			return '-'
		}
		return r
	}, spec) + ".oxo"
}

func (a *app) printSolve(info lab.Info, r *lab.SolveResult) {
	a.printf("%s: %s\n", r.Game, info.Title)
	a.printf("  position    %s\n", r.Position)
	a.printf("  value       %s\n", worthText(r.Value, r.Expected, r.Remoteness))
	a.printf("  best        %s\n", strings.Join(r.Best, " "))
	if len(r.Moves) > 0 {
		a.printf("  moves\n")
		for _, m := range r.Moves {
			mark := " "
			if m.Best {
				mark = "*"
			}
			a.printf("    %s %-6s  %s\n", mark, m.Move, worthText(m.Value, m.Expected, m.Remoteness))
		}
	}
	a.printf("  %s positions, %s stored, %.3f s\n", group(r.Positions), group(uint64(r.Classes)), r.Seconds)
}

// worthText says a value in words.
func worthText(value string, expected *float64, remoteness *int) string {
	switch {
	case expected != nil:
		return fmt.Sprintf("%.12g expected for first", *expected)
	case remoteness == nil:
		return value + " (play need never end)"
	case value == "draw":
		return "draw, " + many(*remoteness, "ply", "plies") + " to the end"
	}
	return value + " wins in " + many(*remoteness, "ply", "plies")
}
