package cmd

import (
	"encoding/json"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"oxo/lab"
)

// tierFlags are what solutions by tiers take, here and on a cluster.
type tierFlags struct {
	tiers   bool
	memory  string
	workers int
}

func (t *tierFlags) flags(c *cobra.Command) {
	c.Flags().BoolVar(&t.tiers, "tiers", false, "solve the whole game by numbers of marks, with tables on disk, a slice at a time")
	c.Flags().StringVar(&t.memory, "memory", "256MB", "with --tiers, how much memory each worker may use for it")
}

// read fills in the arguments.
func (t *tierFlags) read(c *cobra.Command, args *lab.SolveArgs) (err error) {
	if args.Tiers = t.tiers; t.tiers || c.Flags().Changed("memory") {
		args.Memory, err = parseBytes(t.memory)
	}
	return err
}

// solveTiers solves a game by tiers on this machine, with its tables in a
// folder beside the file that it writes, and goes on where it was stopped.
func (a *app) solveTiers(c *cobra.Command, t *tierFlags, game string, args lab.SolveArgs, out string) (*lab.TierResult, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	j := lab.Job{Verb: "solve", Game: game, Args: data}
	work, err := a.lab.Work(j)
	if err != nil {
		return nil, err
	}
	g, err := a.lab.Game(game)
	if err != nil {
		return nil, err
	}
	name := out
	if name == "" {
		name = fileName(g.Info().Spec)
	}
	folder, err := openFolder(strings.TrimSuffix(name, ".oxo")+".tiers", j)
	if err != nil {
		return nil, err
	}
	show, wipe := a.progress()
	defer wipe()
	o := lab.RunOptions{Workers: t.workers, Keep: folder, Shelf: folderShelf{folder}, Progress: func(r lab.Report) { show("%s", r.Line) }}
	var result *lab.Result
	if args.Strong {
		err = writeWith(out, func(f *os.File) (err error) {
			o.Create = func(string) (io.WriteCloser, error) { return stayOpen{f}, nil }
			result, err = work.RunAll(c.Context(), o)
			return err
		})
	} else {
		result, err = work.RunAll(c.Context(), o)
	}
	if err != nil {
		return nil, err
	}
	var r lab.TierResult
	if err := json.Unmarshal(result.JSON, &r); err != nil {
		return nil, err
	}
	return &r, os.RemoveAll(string(folder))
}

// stayOpen is a file that somebody else closes.
type stayOpen struct{ io.Writer }

func (stayOpen) Close() error { return nil }

// printTiers prints how many positions of each tier are worth what.
func (a *app) printTiers(r *lab.TierResult) {
	a.printf("  %5s  %15s  %15s  %15s  %15s  %6s\n", "marks", "positions", "first wins", "second wins", "draw", "slices")
	for _, t := range r.Tiers {
		a.printf("  %5d  %15s  %15s  %15s  %15s  %6d\n", t.Marks, group(t.Positions), group(t.First), group(t.Second), group(t.Draw), t.Slices)
	}
}
