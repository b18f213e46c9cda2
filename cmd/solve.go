package cmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"oxo/lab"
	"oxo/lab/jobs"
)

func (a *app) solveVerb() *cobra.Command {
	var out, db string
	c, _ := a.carries(jobs.Solve, func(c *cobra.Command, k *carrying) error {
		args := k.args.(*jobs.SolveArgs)
		g, err := a.lab.Game(k.game)
		if err != nil {
			return err
		}
		args.Strong = args.Strong || out != ""
		if out == "" && args.Strong {
			out = fileName(g.Info().Spec)
		}
		switch {
		case c.Flags().Changed("limit") && args.Limit < 1:
			return fmt.Errorf("solve: --limit %d must be at least 1", args.Limit)
		case db != "" && args.Strong:
			return errors.New("solve: --db reads a strong solution and --strong writes one; give one of them")
		case db != "" && args.Tiers:
			return errors.New("solve: --tiers makes a solution and --db reads one; a file of tiers needs only --db")
		case db != "":
			r, err := lookup(g, db, args.Position)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(r)
			}
			a.printSolve(g.Info(), r)
			return nil
		}
		r, seconds, err := k.solve(c, g, args, out)
		if errors.Is(err, lab.ErrTooLarge) {
			return fmt.Errorf("%w; try a later --position, or a higher --limit", err)
		}
		if err != nil {
			return worked(err)
		}
		if a.json {
			more := []any{"seconds", seconds}
			if args.Strong {
				more = append(more, "file", out)
			}
			return a.printResult(r, more...)
		}
		var told jobs.TierResult
		if err := json.Unmarshal(r.JSON, &told); err != nil {
			return err
		}
		told.Seconds = seconds
		a.printSolve(g.Info(), &told.SolveResult)
		if args.Tiers {
			a.printTiers(&told)
		}
		if args.Strong {
			a.printf("  strong solution written to %s\n", out)
		}
		return nil
	})
	c.Flags().StringVar(&out, "out", "", "the file for --strong")
	c.Flags().StringVar(&db, "db", "", "answer from a file that --strong wrote, without searching")
	return c
}

// solve solves, and writes the file of a strong solution. Here, what is done by
// tiers has its tables in a folder beside that file, and goes on where it was
// stopped; a cluster does by tiers what can be, so that all its workers have a
// share.
func (k *carrying) solve(c *cobra.Command, g lab.Game, args *jobs.SolveArgs, out string) (*jobs.Result, float64, error) {
	if k.nats.url != "" {
		if !c.Flags().Changed("tiers") && byTiers(c, k) {
			fmt.Fprintln(k.errs, "oxo: solved by tiers, so that all workers have a share; --tiers=false has one of them do it all")
		}
		r, seconds, err := k.carry(c, jobs.RunOptions{}, jobs.SolutionFile)
		if err == nil {
			err = keep(r, jobs.SolutionFile, out)
		}
		return r, seconds, err
	}
	var o jobs.RunOptions
	if args.Tiers {
		j, err := k.job()
		if err != nil {
			return nil, 0, err
		}
		if _, err := jobs.Open(c.Context(), k.lab, j); err != nil {
			return nil, 0, err
		}
		folder, err := openFolder(strings.TrimSuffix(cmp.Or(out, fileName(g.Info().Spec)), ".oxo")+".tiers", j)
		if err != nil {
			return nil, 0, err
		}
		o.Keep, o.Shelf = folder, folderShelf{folder}
		defer func() {
			if o.Keep == nil {
				folder.remove() // it is of no use any more
			}
		}()
	}
	if !args.Strong {
		r, seconds, err := k.carry(c, o)
		if err == nil {
			o.Keep = nil
		}
		return r, seconds, err
	}
	var r *jobs.Result
	var seconds float64
	err := writeWith(out, func(f *os.File) (err error) {
		o.Create = func(string) (io.WriteCloser, error) { return stayOpen{f}, nil }
		r, seconds, err = k.carry(c, o)
		return err
	})
	if err == nil {
		o.Keep = nil
	}
	return r, seconds, err
}

// byTiers makes a strong solution one by tiers, where that can be.
func byTiers(c *cobra.Command, k *carrying) bool {
	args := k.args.(*jobs.SolveArgs)
	if !args.Strong || args.Position != "" || args.Limit != 0 {
		return false
	}
	args.Tiers = true
	j, err := k.job()
	if err == nil {
		_, err = jobs.Open(c.Context(), &lab.Lab{Kinds: k.lab.Kinds}, j)
	}
	args.Tiers = err == nil // the job without tiers says what is wrong, if anything is
	return args.Tiers
}

// stayOpen is a file that somebody else closes.
type stayOpen struct{ io.Writer }

func (stayOpen) Close() error { return nil }

// printTiers prints how many positions of each tier are worth what.
func (a *app) printTiers(r *jobs.TierResult) {
	a.printf("  %5s  %15s  %15s  %15s  %15s  %6s\n", "marks", "positions", "first wins", "second wins", "draw", "slices")
	for _, t := range r.Tiers {
		a.printf("  %5d  %15s  %15s  %15s  %15s  %6d\n", t.Marks, group(t.Positions), group(t.First), group(t.Second), group(t.Draw), t.Slices)
	}
}

func lookup(g lab.Game, path, position string) (*lab.SolveResult, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := g.Solving().Lookup(f, position)
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
