package cmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"oxo/cluster"
	"oxo/machine"
)

// workerVerb returns the verb that carries out parts of a cluster's jobs.
func workerVerb(a *app) *cobra.Command {
	var n natsFlags
	var o cluster.WorkOptions
	var commands bool
	var beat time.Duration
	c := &cobra.Command{
		Use:   "worker",
		Short: "carry out parts of jobs for a cluster, until Ctrl-C",
		Long: "carry out parts of jobs for a cluster, until Ctrl-C: then parts under way are left to " +
			"others,\nwith what they can go on from. See docs/cluster.md.",
		Example: "  oxo worker\n  oxo worker --nats nats://queue.example:4222 --nats-token token",
		Args:    exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Slots < 0 {
				return fmt.Errorf("worker: --slots %d: it must be at least 1", o.Slots)
			}
			o.Memory = cmp.Or(o.Memory, machine.Memory())
			k, err := n.connect(c.Context(),
				func(o *cluster.Config) {
					o.Lab = a.lab.Bare()
					o.Lab.Commands, o.Lab.Programs = commands, a.lab.Programs
					o.Heartbeat = beat
				})
			if err != nil {
				return fmt.Errorf("worker: %w", err)
			}
			defer k.Close()
			o.Tell = func(line string) { fmt.Fprintln(a.errs, line) }
			slots := cmp.Or(o.Slots, runtime.GOMAXPROCS(0))
			if err := k.MayWork(); err != nil {
				return err
			}
			err = a.answerf(map[string]any{"nats": n.url, "slots": slots, "version": buildVersion()},
				"works for %s with %s; Ctrl-C ends it\n", n.url, countOf(slots, "slot", "slots"))
			if err != nil {
				return err
			}
			if err := k.Work(c.Context(), o); !errors.Is(err, context.Canceled) {
				return err
			}
			return nil
		},
	}
	n.addFlags(c.Flags(), usualNATS)
	f := c.Flags()
	f.IntVar(&o.Slots, "slots", 0, "parts at once (default one a core)")
	bytesVar(f, &o.Memory, "memory", 0,
		"the most that a proof, or a slice of a solution by tiers, may take here; others fail (default what the "+
			"machine has)")
	f.StringVar(&o.Name, "name", "", "how lists call this worker (default the machine's name)")
	f.DurationVar(&o.Checkpoints, "checkpoints", 0, "how often to store what a part can go on from (default 30s)")
	f.DurationVar(&beat, "cluster-heartbeat", 0, "as oxo serve has it, where this worker begins the cluster")
	f.BoolVar(&commands, "commands", false,
		"run players that are commands, as jobs say: only where everybody who can submit may run anything here")
	return c
}
