package cmd

import (
	"github.com/spf13/cobra"

	"oxo/lab/jobs"
)

// tuneVerb returns the verb that tunes a player's constants.
func tuneVerb(a *app) *cobra.Command {
	var path string
	c := a.verbCommand(jobs.Tune, func(c *cobra.Command, k *verbRun) error {
		if err := checkWritable(path); err != nil {
			return err
		}
		r, _, err := k.runHereOrOnCluster(c, jobs.RunOptions{}, "path.csv")
		if err != nil {
			return ignoreDetached(err)
		}
		if err := writeResultFile(r, "path.csv", path); err != nil {
			return err
		}
		if a.json {
			return a.printJSON(r.JSON)
		}
		return printers[jobs.Tune](&a.printer, r.JSON)
	})
	c.Flags().StringVar(&path, "path", "", "a CSV file for the constants after each iteration")
	annotateFiles(c.Flags(), fileWritten, "path")
	return c
}

// printTuned prints the constants that were found, and the match against the first ones.
func (a *printer) printTuned(s *jobs.TuneSummary) {
	a.printf("%s, %d games on %s\n", s.Player, s.Games, s.Game)
	for i, name := range s.Names {
		a.printf("  %-12s %10.5g   from %g\n", name, s.Values[i], s.Start[i])
	}
	if m := s.Check; m != nil {
		a.printf("  against the start: %d won, %d drawn, %d lost, Elo %+.0f ± %.0f\n", m.Wins, m.Draws, m.Losses,
			rounded(m.Elo.Elo, 0), m.Error)
	}
}
