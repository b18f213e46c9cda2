package cmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"oxo/cluster"
	"oxo/cluster/broker"
	"oxo/cluster/records"
	"oxo/cluster/view"
	"oxo/lab/jobs"
	"oxo/strictjson"
)

// jobsVerb lists, watches and ends the jobs of a cluster.
func jobsVerb(a *app) *cobra.Command {
	var n natsFlags
	var out string
	var terms cluster.SubmitOptions
	c := &cobra.Command{
		Use:     "jobs",
		Short:   "list a cluster's jobs and workers; watch, cancel and more",
		Example: "  oxo jobs\n  oxo jobs watch ID\n  oxo jobs result ID --out folder\n  oxo jobs priority ID high",
		Args:    refuseUnknownVerb,
		RunE: n.readOnly(func(ctx context.Context, k *cluster.Cluster, _ []string) error {
			s, err := k.TakeSnapshot(ctx)
			if err != nil {
				return err
			}
			return a.answer(s, func() { a.printSnapshot(s) })
		}),
	}
	n.addFlags(c.PersistentFlags(), usualNATS)
	add := func(use, short string, args cobra.PositionalArgs, do onCluster) *cobra.Command {
		s := &cobra.Command{Use: use, Short: short, Args: args, RunE: n.readOnly(do)}
		c.AddCommand(s)
		return s
	}
	a.addJobVerbs(add)
	give := &cobra.Command{Use: "add FILE", Args: exactArgs("FILE"), RunE: a.addJobHandler(&n, &terms),
		Short: "give the cluster a job as JSON: verb, game, args, seed; - reads it from standard input"}
	give.Flags().StringVar(&terms.Audit, "audit", "",
		"the share of its parts that another worker repeats, such as 0.1, or all or none (default 0.03)")
	c.AddCommand(give)
	result := add("result ID", "print a job's result and fetch its files", exactArgs("ID"),
		func(ctx context.Context, k *cluster.Cluster, args []string) error {
			r, err := k.Job(ctx, args[0])
			if err != nil {
				return err
			}
			return a.printJobResult(ctx, k, r, out)
		})
	result.Flags().StringVar(&out, "out", "", "the folder for the files")
	return c
}

// onCluster is something done on a cluster with the words of a command. The connection is closed after it.
type onCluster func(ctx context.Context, k *cluster.Cluster, args []string) error

// addJobVerbs adds the verbs that watch a job or change it. Each change prints the job's record as it
// is after it; watch ends with an error where the job failed or was cancelled.
func (a *app) addJobVerbs(add func(use, short string, args cobra.PositionalArgs, do onCluster) *cobra.Command) {
	changed := func(r *records.Record, err error) error {
		if err != nil {
			return err
		}
		return a.answerf(r, "%s %s is %s, priority %s\n", r.ID, r.Job.Verb, r.State, r.Priority)
	}
	add("watch ID", "show how a job goes, until it is over", exactArgs("ID"),
		func(ctx context.Context, k *cluster.Cluster, args []string) error {
			r, err := a.watchJob(ctx, k, args[0])
			if err := changed(r, err); err != nil {
				return err
			}
			return jobError(r)
		})
	change := func(do func(*cluster.Cluster, context.Context, string) (*records.Record, error)) onCluster {
		return func(ctx context.Context, k *cluster.Cluster, args []string) error {
			return changed(do(k, ctx, args[0]))
		}
	}
	add("cancel ID", "end a job; nothing but its record stays", exactArgs("ID"), change((*cluster.Cluster).Cancel))
	add("retry ID", "take up a job again that failed or was cancelled", exactArgs("ID"),
		change((*cluster.Cluster).Retry))
	add("priority ID high|normal|low", "change a job's priority", exactArgs("ID", "PRIORITY"),
		func(ctx context.Context, k *cluster.Cluster, args []string) error {
			return changed(k.SetPriority(ctx, args[0], args[1]))
		})
	add("remove ID", "forget a job that is over, with its result", exactArgs("ID"),
		func(ctx context.Context, k *cluster.Cluster, args []string) error {
			if err := k.Remove(ctx, args[0]); err != nil {
				return err
			}
			return a.answerf(map[string]any{"id": args[0], "removed": true}, "%s is removed\n", args[0])
		})
}

// addJobHandler returns what gives the cluster a job as it is written in a file or on standard input. The job is
// read before the cluster is looked for, and what is wrong with it is told before what is wrong there.
func (a *app) addJobHandler(n *natsFlags, terms *cluster.SubmitOptions) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, words []string) error {
		j, err := readJob(words[0], a.in)
		if err != nil {
			return fmt.Errorf("jobs: %w", err)
		}
		err = n.readOnly(func(ctx context.Context, _ *cluster.Cluster, _ []string) error {
			k, err := n.connect(ctx, a.setSubmitOptions)
			if err != nil {
				return err
			}
			defer k.Close()
			r, err := k.Submit(ctx, j, *terms)
			if err != nil {
				return err
			}
			return a.printJobID(r)
		})(c, words)
		return jobFaultElse(c.Context(), a, j, err)
	}
}

// jobFaultElse returns what is wrong with a job where the cluster gave another error, and else that error: whoever
// mistyped a file's name need not start a server to be told so.
func jobFaultElse(ctx context.Context, a *app, j jobs.Job, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	var o cluster.Config
	a.setSubmitOptions(&o)
	if _, fault := jobs.OpenJob(ctx, &o.Lab, j); fault != nil {
		return fault
	}
	return err
}

// readJob reads a job as JSON from the file of that path, or from standard input.
func readJob(path string, standard io.Reader) (j jobs.Job, err error) {
	in, err := openInput(path, standard)
	if err != nil {
		return j, err
	}
	defer in.Close() // it was only read
	data, err := io.ReadAll(in)
	if err != nil {
		return j, err
	}
	if err = strictjson.CheckNames(data, "verb", "game", "args", "seed"); err == nil {
		err = json.Unmarshal(data, &j)
	}
	if err != nil {
		return j, fmt.Errorf("%s: %w", path, err)
	}
	return j, nil
}

// setSubmitOptions are the options of who gives a cluster jobs: files are read here, and
// commands are run elsewhere.
func (a *app) setSubmitOptions(o *cluster.Config) {
	o.Lab = a.lab.Bare()
	o.Lab.ReadFile, o.Lab.Commands, o.Lab.Elsewhere = a.lab.ReadFile, true, true
}

// readOnly returns what runs a verb on a cluster that is there; it begins none. A server without a
// cluster of oxo's is an error, where other verbs would begin one.
func (n *natsFlags) readOnly(do onCluster) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, words []string) error {
		k, err := n.connect(c.Context(), func(o *cluster.Config) { o.Look = true })
		if err != nil {
			return fmt.Errorf("jobs: %w", err)
		}
		defer k.Close()
		return cluster.ExplainTimeout(k, do(c.Context(), k, words))
	}
}

// countOf returns a number of things in words: one is what a single thing is called, more what several are.
func countOf[N int | uint64](n N, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return groupThousands(uint64(n)) + " " + more
}

// printSnapshot prints who works for a cluster, and its jobs.
func (a *printer) printSnapshot(s *view.Snapshot) {
	slots := 0
	for _, w := range s.Workers {
		slots += w.Slots
	}
	a.printf("version %s; %s with %s\n", s.Version, countOf(len(s.Workers), "process", "processes"),
		countOf(slots, "slot", "slots"))
	for _, w := range s.Workers {
		what := "leads jobs"
		if w.Slots > 0 {
			what = fmt.Sprintf("%s, %s done, %d failed", countOf(w.Slots, "slot", "slots"),
				countOf(int(w.Parts), "part", "parts"), w.Failed)
		}
		a.printf("  %-20s %s", w.Title(), what)
		if w.Trouble != "" {
			a.printf("; %s", w.Trouble)
		}
		a.printf("\n")
	}
	for _, p := range broker.Priorities() {
		a.printf("queue %-6s %d parts waiting, %d under way\n", p, s.Queue.Waiting[p], s.Queue.Underway[p])
	}
	if s.Full {
		a.printf("%s\n", broker.ErrFull)
	}
	if len(s.Jobs) == 0 {
		a.printf("no jobs\n")
	}
	for _, j := range s.Jobs {
		a.printf("%s  %-10s %-9s %-6s %s  %s", j.ID, j.Job.Verb, j.State, j.Priority,
			j.Created.Local().Format("2006-01-02 15:04"), j.Job.Game)
		if j.Status != nil {
			a.printf("  %s", statusLine(j.Status))
		}
		if j.Error != "" {
			a.printf("  %s", j.Error)
		}
		a.printf("\n")
	}
}

// statusLine says how a job goes.
func statusLine(s *view.Status) string {
	line := fmt.Sprintf("%d of %d parts", s.Done, s.Parts)
	if s.Stage > 0 {
		line = fmt.Sprintf("stage %d: %s", s.Stage+1, line)
	}
	if s.Failed > 0 {
		line += fmt.Sprintf(", %d set aside", s.Failed)
	}
	if s.Full {
		line += ", waits, as the server's store is full"
	} else if s.Left != nil {
		line += fmt.Sprintf(", %.3g a second, %v left", s.Rate,
			time.Duration(*s.Left*float64(time.Second)).Round(time.Second))
	}
	if s.Report.Line != "" {
		line += "; " + s.Report.Line
	}
	return line
}

// watchJob shows how a job goes until it is over.
func (a *printer) watchJob(ctx context.Context, k *cluster.Cluster, id string) (*records.Record, error) {
	show, wipe := a.progressLine()
	defer wipe()
	var last string
	return k.Watch(ctx, id, func(r *records.Record, s *view.Status) {
		line := string(r.State)
		if s != nil && !r.State.Over() {
			line = statusLine(s)
		}
		if line != last {
			show("%s", line)
			last = line
		}
	})
}

// jobError is the error of a job that came to nothing.
func jobError(r *records.Record) error {
	switch r.State {
	case records.Failed:
		return fmt.Errorf("job %s failed: %s", r.ID, r.Error)
	case records.Cancelled:
		return fmt.Errorf("job %s was cancelled", r.ID)
	}
	return nil
}

// printJobResult prints a job's result and writes its files into a folder. Names of files come from
// the job, so that only their last element is used.
func (a *printer) printJobResult(ctx context.Context, k *cluster.Cluster, r *records.Record, out string) error {
	text, err := k.Result(ctx, r.ID)
	if err != nil {
		return err
	}
	files := []string{}
	if out != "" {
		if err := os.MkdirAll(out, 0o755); err != nil {
			return err
		}
		for _, f := range r.Files {
			path := filepath.Join(out, filepath.Base(f.Name))
			err := writeAtomicallyWith(path,
				func(to *os.File) error { return copyResultFile(ctx, k, r.ID, f.Name, to) })
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			files = append(files, path)
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"id": r.ID, "verb": r.Job.Verb, "game": r.Job.Game, "result": text,
			"files": files, "audit": r.Audit})
	}
	a.printAudit(r)
	if err := a.printResultText(r.Job, text); err != nil {
		return err
	}
	for _, f := range files {
		a.printf("written: %s\n", f)
	}
	if out == "" && len(r.Files) > 1 {
		a.printf("%s more; fetch with: oxo jobs result %s --out FOLDER\n", countOf(len(r.Files)-1, "file", "files"),
			r.ID)
	}
	return nil
}

// printers print results of verbs for people.
var printers = map[*jobs.Verb]func(a *printer, result json.RawMessage) error{
	jobs.Match:      decoded((*printer).printMatch),
	jobs.Tournament: decoded((*printer).printTournament),
	jobs.Tune:       decoded((*printer).printTuned),
}

// decoded returns what decodes a result and shows it.
func decoded[R any](show func(*printer, *R)) func(*printer, json.RawMessage) error {
	return func(a *printer, result json.RawMessage) error {
		told := new(R)
		err := json.Unmarshal(result, told)
		if err == nil {
			show(a, told)
		}
		return err
	}
}

// printResultText prints a result for people: as the verb itself does, where that
// needs nothing else, or as it is, line by line.
func (a *printer) printResultText(j jobs.Job, text json.RawMessage) error {
	if v, err := jobs.FindVerb(j.Verb); err == nil && printers[v] != nil {
		return printers[v](a, text)
	}
	e := json.NewEncoder(a.out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(text)
}

// copyResultFile copies a file of a job's result.
func copyResultFile(ctx context.Context, k *cluster.Cluster, id, name string, to io.Writer) error {
	in, err := k.OpenResultFile(ctx, id, name)
	if err != nil {
		return err
	}
	defer in.Close()
	_, err = io.Copy(to, in)
	return errors.Join(err, ctx.Err())
}
