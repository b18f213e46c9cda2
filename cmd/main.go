// Package cmd is the command line of oxo. Each verb has a file here; what a verb
// does is done by the room lab. [Main] is the whole program: the one in cmd/oxo,
// and with games, players and learners of their own that of others.
package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"oxo/engine"
	"oxo/lab"
)

// Exit statuses.
const (
	exitDone   = 0 // done
	exitNo     = 1 // done, and the answer is no
	exitRefuse = 2 // the request can't be carried out
)

// errNo ends a verb with exit status 1; what there is to say has been said.
var errNo = errors.New("the answer is no")

// Main carries out the command line of this process, with more kinds of games,
// players and learners than oxo's own, and ends the process.
func Main(more ...lab.Part) {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	os.Exit(runCommandLine(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, more...))
}

// endings are the signals that end the program once it has kept what there is: Ctrl-C, a manager's, and that of a
// terminal that is closed, unless nohup has it go on.
func endings() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// runCommandLine carries out a command line and returns its exit status. Input and output are handed
// in, so that tests call it with buffers. An answer that could not be written is an error even where
// the work was done.
func runCommandLine(ctx context.Context, args []string, in io.Reader, out, errs io.Writer, more ...lab.Part) int {
	told, aside := &wrappingWriter{Writer: out}, &wrappingWriter{Writer: errs}
	a := &app{in: in, printer: printer{out: told, errs: aside},
		lab: &lab.Lab{ReadFile: sealedReader(), WriteFile: writeSealed,
			OpenFile: openCertificate, Scratch: newScratchFile,
			Commands: true, Ending: ctx, Programs: &engine.Keeper{}}}
	defer a.lab.Programs.Close()
	if err := a.lab.Add(more...); err != nil {
		fmt.Fprintf(aside, "oxo: the games, players and learners of this program: %v\n", err)
		return exitRefuse
	}
	// JSON is for programs, so its lines are not broken even on a terminal.
	told.whole = &a.json
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(told)
	root.SetErr(aside)
	err := root.ExecuteContext(ctx)
	if lost := told.firstError(); lost != nil && (err == nil || errors.Is(err, errNo) || errors.Is(err, lost)) {
		err = fmt.Errorf("the answer is not written: %w", lost)
	}
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errNo):
		return exitNo
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(aside, "oxo: stopped")
		return exitRefuse
	default:
		fmt.Fprintf(aside, "oxo: %v\n", err)
		return exitRefuse
	}
}

// app is what the verbs share. One is made for each command line.
type app struct {
	in io.Reader
	printer
	lab *lab.Lab
}

// printer is where the verbs print, and how: answers to out and everything else, as progress, to errs. With json an
// answer is one JSON object, and nothing but answers goes to out.
type printer struct {
	out  io.Writer
	errs io.Writer
	json bool
}

// root returns the command of which all verbs are part. A new verb is a function that returns its
// command, and its name in the list here.
func (a *app) root() *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "oxo",
		Short: "the laboratory for tic-tac-toe and its family",
		Long: "oxo plays, counts, solves, proves and learns the games of the tic-tac-toe family.\nBegin " +
			"with: oxo play",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("unknown verb %q; oxo help lists the verbs", args[0])
			}
			return nil
		},
		PersistentPreRunE: func(c *cobra.Command, words []string) error {
			return cmp.Or(refuseSharedFiles(a.lab, c, words), checkMemory(c))
		},
		RunE: func(c *cobra.Command, _ []string) error {
			if version {
				return answerVersion(a)
			}
			return a.help(c, nil)
		},
	}
	root.Flags().BoolVarP(&version, "version", "v", false, "print what oxo version prints")
	root.PersistentFlags().BoolVar(&a.json, "json", false, "print one JSON object")
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(gamesVerb(a), newVerb(a), countVerb(a), perftVerb(a), solveVerb(a), bookVerb(a), playVerb(a),
		trainVerb(a), examVerb(a), brainVerb(a), matchVerb(a), tournamentVerb(a), proveVerb(a), verifyVerb(a),
		proofsVerb(a), walkVerb(a), replayVerb(a), reviewVerb(a), engineVerb(a), searchVerb(a), ablateVerb(a),
		sizeBoundsVerb(a),
		puzzlesVerb(a), reproduceVerb(a), benchVerb(a), serveVerb(a), workerVerb(a), jobsVerb(a), tuneVerb(a),
		botVerb(a),
		exportVerb(a), importVerb(a), backupVerb(a), adminVerb(a), licencesVerb(a), manVerb(a), versionVerb(a))
	for _, c := range root.Commands() {
		addGameFlag(c)
	}
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			c.RunE = a.help
			c.Use = "help [VERB|TOPIC]"
			c.Short = "tell of a verb, or of a topic: " + strings.Join(topicNames(), ", ")
			c.Long = c.Short
		case "completion":
			c.Args = refuseUnknownVerb
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		}
	}
	a.addCompletions(root)
	return root
}

// exactArgs refuses a number of words other than names has. The names are what usage and errors call the words.
func exactArgs(names ...string) cobra.PositionalArgs { return argsBetween(len(names), names) }

// setUpGroupCommand makes c, which has no work of its own, tell of the verbs under it.
func setUpGroupCommand(a *app, c *cobra.Command) {
	c.Args = refuseUnknownVerb
	c.RunE = func(c *cobra.Command, _ []string) error {
		if a.json {
			return fmt.Errorf("%s: the verb is missing; oxo help %[1]s lists them", c.Name())
		}
		return c.Help()
	}
}

// refuseUnknownVerb refuses what is no verb under that of c.
func refuseUnknownVerb(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s: unexpected %q; there are %s", c.Name(), args[0], strings.Join(verbNames(c), ", "))
}

// atMostArgs refuses more arguments than names has.
func atMostArgs(names ...string) cobra.PositionalArgs { return argsBetween(0, names) }

// argsBetween wants at least so many of the named words and no more than all of them. Its errors name the first
// word that is missing, or the first one too many.
func argsBetween(least int, names []string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s: %s is missing; usage: %s%s%s", verbPath(c), names[len(args)], c.UseLine(),
				gameUsage(c), firstExample(c))
		case len(args) > len(names):
			return fmt.Errorf("%s: unexpected %q; usage: %s%s", verbPath(c), args[len(names)], c.UseLine(),
				gameUsage(c))
		}
		return nil
	}
}

// verbPath is the verb with those that it is under, as in new game.
func verbPath(c *cobra.Command) string {
	return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
}

// firstExample returns the first line among the examples of a verb that is one of its own, or "".
func firstExample(c *cobra.Command) string {
	for line := range strings.Lines(c.Example) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "  #")
		if strings.HasPrefix(line, c.CommandPath()+" ") {
			return "; for example: " + line
		}
	}
	return ""
}

// printJSON prints v as one line.
func (a *printer) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// printf prints to standard output. Errors in writing are noted by the writer and end the program with
// status 2.
func (a *printer) printf(format string, args ...any) { fmt.Fprintf(a.out, format, args...) }

// answer prints v where JSON is asked for; elsewhere say prints the same for people. The error is of writing JSON;
// what say fails to write is noted by the writer.
func (a *printer) answer(v any, say func()) error {
	if a.json {
		return a.printJSON(v)
	}
	say()
	return nil
}

// answerf prints v where JSON is asked for, and elsewhere a text for people.
func (a *printer) answerf(v any, format string, args ...any) error {
	return a.answer(v, func() { a.printf(format, args...) })
}

// withGame returns what runs a verb on the game whose spec is its first word.
func (a *app) withGame(do func(c *cobra.Command, g lab.Game, words []string) error) func(*cobra.Command,
	[]string) error {
	return func(c *cobra.Command, words []string) error {
		g, err := a.lab.Game(words[0])
		if err != nil {
			return err
		}
		return do(c, g, words)
	}
}

// progressLine returns a function that keeps one line of progress on a terminal, and one that wipes it. Where there is
// no terminal that knows escapes, both do nothing.
func (a *printer) progressLine() (show func(format string, args ...any), wipe func()) {
	if !supportsEscapes(a.errs) {
		return func(string, ...any) {}, func() {}
	}
	const rest = "\x1b[K" // wipes the rest of the line, what was typed there too
	show = func(format string, args ...any) {
		text := clip(fmt.Sprintf(format, args...), terminalColumns(a.errs)-1) // what wraps can't be wiped
		fmt.Fprintf(a.errs, "\r%s%s", text, rest)
	}
	return show, func() { fmt.Fprintf(a.errs, "\r%s", rest) }
}

// showElapsed shows on a terminal how long work has taken that tells nothing else of
// itself, until the function that it returns is called.
func (a *printer) showElapsed(work string) (stop func()) { return a.showElapsedAndLeft(work, 0) }

// showElapsedAndLeft is showElapsed of work that takes no longer than the limit, where that is not 0. A line a second
// shows the time taken and, with a limit, how much of it is left.
func (a *printer) showElapsedAndLeft(work string, limit time.Duration) (stop func()) {
	return a.showEachSecond(func(took time.Duration) string {
		left := ""
		if limit > 0 {
			left = fmt.Sprintf(", at most %v left", max(0, limit-took).Round(time.Second))
		}
		return fmt.Sprintf("%s, %v%s", work, took, left)
	})
}

// showEachSecond shows on a terminal each second what line says of the time taken, until the function that it returns
// is called, which waits until nothing more is printed. Without a terminal, and with --json, nothing is shown.
func (a *printer) showEachSecond(line func(took time.Duration) string) (stop func()) {
	if a.json || !supportsEscapes(a.errs) {
		return func() {}
	}
	show, wipe := a.progressLine()
	begin, done := time.Now(), make(chan struct{})
	var over sync.WaitGroup
	over.Go(func() {
		// Work that is done within a second shows nothing.
		second := time.Tick(time.Second)
		for {
			select {
			case <-done:
				return
			case <-second:
				show("%s", line(time.Since(begin).Round(time.Second)))
			}
		}
	})
	return func() {
		close(done)
		over.Wait()
		wipe()
	}
}

// fileOf returns the file that w writes to or reads from; nil where it is none, such as a buffer.
func fileOf(w any) *os.File {
	if o, ok := w.(*wrappingWriter); ok {
		w = o.Writer
	}
	f, _ := w.(*os.File)
	return f
}

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(w any) bool {
	f := fileOf(w)
	if f == nil {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
