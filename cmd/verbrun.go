package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"oxo/cluster"
	"oxo/cluster/records"
	"oxo/cluster/view"
	"oxo/lab/jobs"
	"oxo/machine"
)

// verbRun is a verb of lab/jobs on a command line: its flags are those of its arguments, and it is carried out here
// or by a cluster. The flags write straight into the struct that args points to.
type verbRun struct {
	*app
	verb    *jobs.Verb
	args    any // a pointer to the arguments
	game    string
	seed    uint64
	workers int
	nats    natsFlags // the cluster's address; empty to work here
	terms   cluster.SubmitOptions
	detach  bool
}

// verbCommand returns the command of a verb; do carries it out once its flags and words were read. All
// of these commands have --game, --workers, --on and what goes with it; --seed only those that draw.
// The arguments' limits are not checked here but when the job is opened, so that command line, server
// and cluster refuse the same with the same words.
func (a *app) verbCommand(v *jobs.Verb, do func(c *cobra.Command, k *verbRun) error) *cobra.Command {
	k := &verbRun{app: a, verb: v, args: v.DefaultArgs()}
	use := v.Name
	for _, w := range v.Words {
		use += " " + w
	}
	c := &cobra.Command{
		Use: use, Short: v.Short, Long: v.Short, Example: v.Example,
		Args: func(c *cobra.Command, words []string) error { return k.readWords(c, words) },
		RunE: func(c *cobra.Command, _ []string) error {
			if k.workers < 0 {
				return fmt.Errorf("%s: --workers %d: it must be at least 1, or 0 for one a core", v.Name, k.workers)
			}
			if err := k.checkCluster(c); err != nil {
				return err
			}
			if !c.Flags().Changed("game") {
				k.game = cmp.Or(gameOfBrains(a.lab, c.Flags().Args()...), k.game)
			}
			return do(c, k)
		},
	}
	if v.Long != "" {
		c.Long += ".\n\n" + v.Long
	}
	f := c.Flags()
	f.StringVar(&k.game, "game", "ttt", "the game")
	if v.Seeded {
		f.Uint64Var(&k.seed, "seed", 1, "what all draws come from")
	}
	f.IntVar(&k.workers, "workers", 0, "parts at once on this machine (default one a core)")
	for _, arg := range v.Arguments() {
		if arg.Flag != "" {
			k.addFlag(f, arg)
		}
	}
	f.StringVar(&k.nats.url, "on", "", "the address of a cluster's server that carries it out")
	f.StringVar(&k.terms.Priority, "priority", "",
		"with --on: high, normal or low (default low for verbs that can take days, such as solve, else normal)")
	f.StringVar(&k.terms.Audit, "audit", "",
		"with --on: the share of its parts that another worker repeats, or the server where there is none, "+
			"such as 0.1, or all or none (default 0.03)")
	f.BoolVar(&k.detach, "detach", false, "with --on: print the job's name and do not wait")
	k.nats.addFlagsOfOn(f)
	return c
}

// checkCluster refuses flags that only a cluster heeds where none is named by --on, and flags of this machine where one
// is. Nothing that was asked for is left out in silence.
func (k *verbRun) checkCluster(c *cobra.Command) error {
	name, on := k.verb.Name, c.Flags().Changed("on")
	if on && k.nats.url == "" {
		return fmt.Errorf("%s: --on is empty: give the address of a cluster's server, such as 127.0.0.1:4222", name)
	}
	if on {
		return refuseFlags(c.Flags(), name, "is of this machine; it does not go with --on", "workers", "journal",
			"checkpoint", "every")
	}
	return refuseFlags(c.Flags(), name, "is of a cluster; it goes with --on ADDRESS", "priority", "audit", "detach",
		"nats-token", "creds", "nkey", "tls-ca", "tls-cert", "tls-key")
}

// refuseFlags refuses the first of the named flags that was given to a verb.
func refuseFlags(f *pflag.FlagSet, verb, why string, names ...string) error {
	for _, name := range names {
		if f.Changed(name) {
			return fmt.Errorf("%s: --%s %s", verb, name, why)
		}
	}
	return nil
}

// addFlag makes a flag of an argument. The field's type chooses the kind of flag: text that reads
// itself (settable), a file whose bytes are the argument, or one of Go's plain types. Anything else is
// a fault of the verb's author, and panics when the program starts.
func (k *verbRun) addFlag(f *pflag.FlagSet, arg jobs.Argument) {
	field := reflect.ValueOf(k.args).Elem().Field(arg.Field)
	if arg.File {
		f.Var(&fileFlag{field: field}, arg.Flag, arg.Help)
		return
	}
	if field.Kind() == reflect.Pointer || field.Addr().Type().Implements(reflect.TypeFor[settable]()) {
		f.Var(&textFlag{field}, arg.Flag, arg.Help)
		return
	}
	switch to := field.Addr().Interface().(type) {
	case *string:
		f.StringVar(to, arg.Flag, *to, arg.Help)
	case *bool:
		f.BoolVar(to, arg.Flag, *to, arg.Help)
	case *int:
		f.IntVar(to, arg.Flag, *to, arg.Help)
	case *uint64:
		f.Uint64Var(to, arg.Flag, *to, arg.Help)
	case *float64:
		f.Float64Var(to, arg.Flag, *to, arg.Help)
	default:
		panic(fmt.Sprintf("%s: no flag can be a %T", arg.Name, to))
	}
}

// settable is an argument that reads itself from text. A pointer field is nil until its flag is given,
// which tells "not given" from the zero value.
type settable interface{ Set(text string) error }

// Kinds of flags that say themselves what they take.
const (
	kindText = "text"
	kindFile = "file"
)

// textFlag is a flag of such an argument; to is the field of the verb's arguments that it sets.
type textFlag struct{ to reflect.Value }

// Set implements pflag.Value.
func (t *textFlag) Set(text string) error {
	if t.to.Kind() != reflect.Pointer {
		return t.to.Addr().Interface().(settable).Set(text)
	}
	to := reflect.New(t.to.Type().Elem())
	err := to.Interface().(settable).Set(text)
	if err == nil {
		t.to.Set(to)
	}
	return err
}

// String is what the help shows as the usual value; pflag also calls it on a zero textFlag, which has
// no field.
func (t *textFlag) String() string {
	if !t.to.IsValid() || t.to.IsZero() {
		return ""
	}
	return fmt.Sprint(t.to.Interface())
}

// Type is the kind by which flagError knows that Set's own error says what the flag takes.
func (t *textFlag) Type() string { return kindText }

// bytesVar has a flag take a size such as 256MB, 1GB or a number of bytes; it is the usual one where none is given.
func bytesVar(f *pflag.FlagSet, to *int64, name string, usual int64, help string) {
	*to = usual
	f.Var(&textFlag{reflect.ValueOf((*jobs.Bytes)(to)).Elem()}, name, help)
}

// checkMemory refuses more memory than this machine has for what a verb does on it.
func checkMemory(c *cobra.Command) error {
	f := c.Flags().Lookup("memory")
	if f == nil || !f.Changed || c.Flags().Changed("on") {
		return nil
	}
	if err := machine.CheckMemory(f.Value.(*textFlag).to.Int()); err != nil {
		return fmt.Errorf("%s: --memory %q: %w", verbPath(c), f.Value, err)
	}
	return nil
}

// fileFlag names a file whose content is an argument. The file is read when the flag is, so that the job carries
// its bytes and not a path that means nothing on another machine. The field is a string or bytes.
type fileFlag struct {
	path  string
	field reflect.Value
}

// Set implements pflag.Value. A seal at the file's end is checked and taken off.
func (t *fileFlag) Set(path string) error {
	data, err := readSealed(path)
	if closed := (*os.PathError)(nil); errors.As(err, &closed) {
		return fmt.Errorf("%s: %w", path, closed.Err)
	}
	if err != nil {
		return err
	}
	if len(data) == 0 {
		return fmt.Errorf("%s: the file is empty", path)
	}
	t.path = path
	if t.field.Kind() == reflect.String {
		t.field.SetString(string(data))
	} else {
		t.field.SetBytes(data)
	}
	return nil
}

// String is the path of the file, empty until one is given.
func (t *fileFlag) String() string { return t.path }
func (t *fileFlag) Type() string   { return kindFile }

// readWords takes what follows the verb: an argument, or else the game. A verb has at most one
// argument that is given as words; of others the first word is the game, which --game may name
// instead, and the two must agree.
func (k *verbRun) readWords(c *cobra.Command, words []string) error {
	all := k.verb.Arguments()
	i := slices.IndexFunc(all, func(a jobs.Argument) bool { return a.Word })
	if i < 0 {
		if len(words) == 0 && c.Flags().Changed("game") {
			return nil
		}
		if err := exactArgs(k.verb.Words...)(c, words); err != nil {
			return err
		}
		if c.Flags().Changed("game") && k.game != words[0] {
			return fmt.Errorf("%s: %s and --game %s: give one game", k.verb.Name, words[0], k.game)
		}
		k.game = words[0]
		return nil
	}
	field := reflect.ValueOf(k.args).Elem().Field(all[i].Field)
	// A list takes all words, at least one; only a list whose words have names of their own has to have as many.
	if field.Kind() == reflect.Slice {
		if len(k.verb.Words) > 1 || len(words) == 0 {
			if err := exactArgs(k.verb.Words...)(c, words); err != nil {
				return err
			}
		}
		field.Set(reflect.ValueOf(words))
		return nil
	}
	// What goes on with earlier work finds the word in what that has left.
	if len(words) == 0 && c.Flags().Lookup("resume") != nil && c.Flags().Changed("resume") {
		return nil
	}
	if err := exactArgs(k.verb.Words...)(c, words); err != nil {
		return err
	}
	field.SetString(words[0])
	return nil
}

// job returns the job that was asked for, which is not checked yet. Its arguments are the JSON of the flags'
// struct, the same that the API takes.
func (k *verbRun) job() (jobs.Job, error) {
	data, err := json.Marshal(k.args)
	return jobs.Job{Verb: k.verb.Name, Game: k.game, Args: data, Seed: k.seed}, err
}

// openJob opens the job that the flags ask for.
func (k *verbRun) openJob(ctx context.Context) (*jobs.Work, error) {
	j, err := k.job()
	if err != nil {
		return nil, err
	}
	return jobs.OpenJob(ctx, k.lab, j)
}

// errDetached ends a verb whose job goes on without it. It is no failure: see ignoreDetached.
var errDetached = errors.New("the job goes on")

// runHereOrOnCluster has the job carried out here or by a cluster, and returns its result and how many
// seconds it took. Of the files of a cluster's result those that are wanted are fetched. The error is
// errDetached where --detach only submitted the job. A result may come with an error: what a stopped
// run had done, where o.Salvage asks for it.
func (k *verbRun) runHereOrOnCluster(c *cobra.Command, o jobs.RunOptions, wanted ...string) (*jobs.JobResult, float64,
	error) {
	j, err := k.job()
	if err != nil {
		return nil, 0, err
	}
	begin := time.Now()
	if k.nats.url != "" {
		r, err := k.submitAndWait(c, j, wanted)
		return r, time.Since(begin).Seconds(), err
	}
	w, err := jobs.OpenJob(c.Context(), k.lab, j)
	if err != nil {
		return nil, 0, err
	}
	r, err := k.runHere(c, w, o)
	return r, time.Since(begin).Seconds(), err
}

// runHere carries out work here. Progress is a line on the terminal with the time that is left, by the
// mean rate since the first report: what came before it, as measuring what has not learned yet, tells no rate.
func (k *verbRun) runHere(c *cobra.Command, w *jobs.Work, o jobs.RunOptions) (*jobs.JobResult, error) {
	show, wipe := k.progressLine()
	defer wipe()
	var begin time.Time
	before := 0
	o.Workers = k.workers
	o.Progress = func(r jobs.Report) {
		line := r.Line
		if begin.IsZero() {
			begin, before = time.Now(), r.Done
		}
		if r.Done > before && r.Done < r.Total {
			left := timeLeft(r.Done-before, r.Total-before, time.Since(begin).Seconds())
			line += fmt.Sprintf(", %v left", left.Round(time.Second))
		}
		show("%s", line)
	}
	return w.RunAllParts(c.Context(), o)
}

// timeLeft returns the time that is left after some of what there is to do, as if the rest went on at the same rate.
// Without any time or work it returns a number, not infinity.
func timeLeft(done, of int, seconds float64) time.Duration {
	rate := float64(done) / max(seconds, 1e-3)
	return time.Duration(float64(max(0, of-done)) / max(rate, 1e-3) * float64(time.Second))
}

// submitAndWait gives the job to the cluster and waits for it. A Ctrl-C ends only the waiting: the job
// goes on, and the error output says how to watch it.
func (k *verbRun) submitAndWait(c *cobra.Command, j jobs.Job, wanted []string) (*jobs.JobResult, error) {
	if k.detach && c.Flags().Changed("out") {
		return nil, fmt.Errorf("%s: --out: with --detach nothing comes back; fetch it later with: oxo jobs result NAME",
			j.Verb)
	}
	ctx := c.Context()
	on, err := k.nats.connect(ctx, k.setSubmitOptions)
	if err != nil {
		return nil, jobFaultElse(ctx, k.app, j, fmt.Errorf("%s: %w", j.Verb, err))
	}
	defer on.Close()
	r, err := on.Submit(ctx, j, k.terms)
	if err != nil {
		return nil, err
	}
	if k.detach {
		return nil, errors.Join(k.printJobID(r), errDetached)
	}
	if list, err := on.Workers(ctx); err == nil &&
		!slices.ContainsFunc(list, func(w view.Worker) bool { return w.Slots > 0 }) {
		fmt.Fprintf(k.errs, "oxo: no worker is there; the job waits for one: %s\n", k.nats.workerCommand())
	}
	over, err := k.watchJob(ctx, on, r.ID)
	if err != nil {
		if ctx.Err() != nil {
			fmt.Fprintf(k.errs, "oxo: the job goes on; watch it with: oxo jobs watch %s\n", r.ID)
		}
		return nil, err
	}
	if err := jobError(over); err != nil {
		return nil, err
	}
	k.printAudit(over)
	result := &jobs.JobResult{Files: map[string][]byte{}}
	if result.JSON, err = on.Result(ctx, r.ID); err != nil {
		return nil, err
	}
	for _, f := range over.Files {
		if !slices.Contains(wanted, f.Name) {
			continue
		}
		var data bytes.Buffer
		if err := copyResultFile(ctx, on, r.ID, f.Name, &data); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		result.Files[f.Name] = data.Bytes()
	}
	if len(over.Files) > len(result.Files)+1 { // the result is one
		fmt.Fprintf(k.errs, "oxo: fetch all of its files with: oxo jobs result %s --out FOLDER\n", r.ID)
	}
	return result, nil
}

// printJobID prints the name of a job that was given to a cluster, or with --json its record.
func (a *printer) printJobID(r *records.Record) error {
	return a.answerf(r, "%s\n", r.ID)
}

// printAudit says how far the result of a cluster can be believed. The share of parts that another
// worker repeats bounds the chance that a wrong one was not noticed; see docs/cluster.md.
func (a *printer) printAudit(r *records.Record) {
	if r.Audit == nil {
		return
	}
	fmt.Fprintf(a.errs, "oxo: of %s repeated: %d; that leaves possible: %s\n",
		countOf(r.Audit.Parts, "part", "parts"), r.Audit.Repeated, r.Audit.Leaves)
	for _, w := range r.Audit.Wrong {
		fmt.Fprintf(a.errs, "oxo: worker %s %s was wrong (%s); it gets nothing more, and what it had done was "+
			"repeated\n", w.Host, w.Worker, w.Part)
	}
}

// writeResultFile writes a file of a result to a path, if both are there. Brains are sealed with a
// checksum, as their JSON has none; solutions, proofs and journals have their own.
func writeResultFile(r *jobs.JobResult, name, path string) error {
	data, made := r.Files[name]
	if path == "" || !made {
		return nil
	}
	write := writeAtomically
	if strings.HasSuffix(name, ".brain") { // which has no checksum of its own
		write = writeSealed
	}
	if err := write(path, data); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return nil
}

// printResultJSON prints a result as JSON, with more fields at its end. It is spliced as text and not
// decoded, so that numbers of any size and the order of fields stay as the verb wrote them.
func (a *printer) printResultJSON(r *jobs.JobResult, extraFields ...any) error {
	text := bytes.TrimSuffix(bytes.TrimSpace(r.JSON), []byte("}"))
	// Fields come in pairs, a name and a value.
	for i := 0; i < len(extraFields); i += 2 {
		value, err := json.Marshal(extraFields[i+1])
		if err != nil {
			return err
		}
		text = append(bytes.Clone(text), ","+strconv.Quote(extraFields[i].(string))+":"+string(value)...)
	}
	return a.printJSON(json.RawMessage(append(text, '}')))
}

// ignoreDetached returns the error of a verb, nil where its job goes on elsewhere.
func ignoreDetached(err error) error {
	if errors.Is(err, errDetached) {
		return nil
	}
	return err
}
