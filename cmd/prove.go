package cmd

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/prove"
)

// proveVerb returns the verb that looks for a proof.
func proveVerb(a *app) *cobra.Command {
	var out, work string
	var every time.Duration
	c := a.verbCommand(jobs.Prove, func(c *cobra.Command, k *verbRun) error {
		args := k.args.(*jobs.ProveArgs)
		switch {
		case every <= 0:
			return fmt.Errorf("prove: --every %v: it must be more than 0", every)
		case work == "" && c.Flags().Changed("every"):
			return errors.New("prove: --every is of work that is kept: give it a file with --checkpoint")
		case args.Split && work != "":
			return fmt.Errorf("prove: --checkpoint %s: with --split no work is kept; leave one of them out", work)
		}
		if err := checkWritable(out, work); err != nil {
			return err
		}
		if k.nats.url != "" || args.Split {
			return a.proveAsJob(c, k, out)
		}
		return a.proveHere(c, k, out, work, every)
	})
	c.Long = `prove who wins from a position, and write a certificate that oxo verify checks.

Where --time or --nodes ends this run first, the value is unknown, and what was proved by then is said
and written. With --checkpoint the work is kept in a file now and then, on Ctrl-C
and at such an end; the same command goes on from there, also after a kill.`
	c.Example = "  oxo prove mnk:6,6,4 --out 664.proof\n  oxo prove mnk:5,5,4\n  oxo verify 664.proof\n" +
		"  oxo prove mnk:8,7,5 --out 875.proof --checkpoint 875.work\n" +
		"  oxo prove ultimate+open --claim 'first<=43' --out open.proof"
	f := c.Flags()
	f.StringVar(&out, "out", "", "the file for the certificate")
	f.StringVar(&work, "checkpoint", "", "a file to keep the work in, and to go on from")
	annotateFiles(f, fileWritten, "out", "checkpoint")
	f.DurationVar(&every, "every", time.Minute, "how often to keep the work")
	return c
}

// proveAsJob has a cluster prove, or this machine in parts. A cluster proves in parts what has some, where nothing
// else is said.
func (a *app) proveAsJob(c *cobra.Command, k *verbRun, out string) error {
	if args := k.args.(*jobs.ProveArgs); !c.Flags().Changed("split") {
		g, err := a.lab.Game(k.game)
		if err != nil {
			return err
		}
		args.Split = args.Claim == "" && canSplitProof(g)
	}
	r, seconds, err := k.runHereOrOnCluster(c, jobs.RunOptions{}, jobs.ProofFile)
	if err != nil {
		return ignoreDetached(err)
	}
	var told lab.ProveResult
	if err := json.Unmarshal(r.JSON, &told); err != nil {
		return err
	}
	claim := k.args.(*jobs.ProveArgs).Claim
	if r.Files[jobs.ProofFile] == nil {
		out = ""
	}
	out = k.fileOfProof(c, out, claim, &told)
	if err := writeResultFile(r, jobs.ProofFile, out); err != nil {
		return err
	}
	told.Seconds = seconds
	return a.printProof(&told, claim, out, "")
}

// canSplitProof reports whether proofs of a game have parts.
func canSplitProof(g lab.Game) bool {
	proofs, err := g.Proving()
	if err != nil {
		return false
	}
	root, _, err := proofs.ProofRoot(lab.ProveOptions{})
	return err == nil && root.Board != nil
}

// proveHere proves on this machine, by searches side by side in one table. Once a proof is complete the file of
// unfinished work is removed.
func (a *app) proveHere(c *cobra.Command, k *verbRun, out, work string, every time.Duration) error {
	g, err := a.lab.Game(k.game)
	if err != nil {
		return err
	}
	proofs, err := g.Proving()
	if err != nil {
		return err
	}
	args, err := k.args.(*jobs.ProveArgs).ProveOptions()
	if err != nil {
		return fmt.Errorf("prove: %w", err)
	}
	args.Every, args.Workers = every, k.workers
	if work != "" {
		args.Checkpoint = keptFile(work)
	}
	args.Memory = cmp.Or(args.Memory, 256<<20)
	boundMemory(args.Memory)
	show, wipe := a.progressLine()
	args.Progress = func(p prove.Progress) {
		rate := float64(p.Nodes-p.Before) / max(p.Elapsed.Seconds(), 1e-3)
		show("proof %v, disproof %v, %s nodes, %.0f a second, %d MB, %v: %s", p.Proof, p.Disproof,
			groupThousands(p.Nodes), rate, p.Memory>>20, p.Elapsed.Round(time.Second), p.Question)
	}
	r, err := proofs.Prove(c.Context(), args)
	wipe()
	if err != nil {
		return err
	}
	if r.Proof == nil {
		out = ""
	}
	if out = k.fileOfProof(c, out, args.Claim, r); out != "" {
		if err := writeAtomicallyWith(out, func(f *os.File) error {
			_, err := r.Proof.WriteTo(f)
			return err
		}); err != nil {
			return err
		}
	}
	if work != "" && r.Value != "unknown" {
		if err := keptFile(work).Remove(); err != nil {
			return err
		}
	}
	return a.printProof(r, args.Claim, out, work)
}

// fileOfProof returns the file that r's certificate goes to, empty for none: one that is there and shows the value of
// the position, which r leaves open where no claim was asked, is left as it is.
func (k *verbRun) fileOfProof(c *cobra.Command, path, claim string, r *lab.ProveResult) string {
	if path == "" || claim != "" || r.Value != "unknown" {
		return path
	}
	v, err := k.verifyCertificate(c, path, lab.Question{Game: r.Game, Position: r.Position,
		Limits: lab.Limits{Memory: 1 << 30}}, 0)
	if err != nil || !v.OK || v.Value == "unknown" {
		return path
	}
	fmt.Fprintf(k.errs, "oxo: %s is left as it is: it shows the value, and what was proved now does not\n", path)
	return ""
}

// printProof tells of a proof: its certificate is in a file, and the work in another where it is not
// finished. Where the proof leaves the value open, the judge is asked what else is known of it. A
// claim that was refuted, or that is known to be false, ends with exit status 1.
func (a *app) printProof(r *lab.ProveResult, claim, file, work string) error {
	g, err := a.lab.Game(r.Game)
	if err != nil {
		return err
	}
	var known *lab.Known
	var standing string
	var said lab.Said
	if r.Value == "unknown" {
		known, standing, said = lab.KnownForCertain(context.Background(), g.Judging(), r.Position, r.Nodes)
	}
	if known != nil && !r.Refuted && r.ProofNodes == 0 {
		switch r.Holds, r.Refuted = lab.WeighClaim(claim, known); {
		case r.Holds:
			r.Proved = fmt.Sprintf("nothing: %s: it is so, as is known; this search has not shown it", claim)
		case r.Refuted:
			r.Proved = fmt.Sprintf("nothing: %s: it is not so, as is known", claim)
		}
	}
	refuted := map[bool]error{true: errNo}[r.Refuted]
	if a.json {
		return errors.Join(a.printJSON(provedAnswer{r, file, known, standing, said}), refuted)
	}
	a.printf("%s: %s\n", r.Game, g.Info().Title)
	a.printf("  position     %s\n", r.Position)
	switch {
	case known == nil || known.Value == "" && !r.Refuted:
		a.printf("  value        %s\n", r.Value)
	case !r.Refuted: // else the value was not asked
		a.printf("  value        %s, as is known; this search has not decided it\n", known.Value)
	}
	if known != nil {
		a.printf("  known        %s (%s)\n", standing, known.Source)
	}
	a.printf("  proved       %s\n", r.Proved)
	if r.Refuted && r.ProofNodes > 0 {
		a.printf("  claim        %s: it is not so\n", claim)
	}
	nodes, inProof := countOf(r.Nodes, "node", "nodes"), groupThousands(uint64(r.ProofNodes))
	if r.Before > 0 {
		a.printf("  %s searched, %s of them in this run of %.3f s; %s in the proof\n", nodes,
			groupThousands(r.Nodes-r.Before), r.Seconds, inProof)
	} else {
		a.printf("  %s searched, %s in the proof, %.3f s\n", nodes, inProof, r.Seconds)
	}
	if work != "" && r.Value == "unknown" {
		a.printf("  the work is kept in %s; the same command goes on from there\n", work)
	}
	if file != "" {
		a.printf("  certificate written to %s; check it with: oxo verify %s\n", file, file)
	}
	return refuted
}

// programMemory is about what a proof takes beside what it allocates.
const programMemory = 32 << 20

// boundMemory has garbage collected rather than more memory taken than that; the program itself takes
// some, too. The limit is soft, as the runtime's is: what is needed beyond it is still taken.
func boundMemory(most int64) { debug.SetMemoryLimit(max(most-programMemory, most/2)) }

// verifyVerb returns the verb that checks a certificate.
func verifyVerb(a *app) *cobra.Command {
	var q lab.Question
	var limit time.Duration
	var part string
	c := &cobra.Command{
		Use:   "verify FILE",
		Short: "check a certificate: exit 0 if it shows what is asked, 1 if it does not, 2 where that can't be told",
		Long: `check a certificate against every legal reply. The checker searches nothing and shares
no code with the prover but the description of boards.

With --game the file must be about that game, which is built from its spec, and about its start or
the --position; with --claim it must show that claim. Without --game it is checked what the
file says of itself, and it is refused where the game that it names can't have its position.

With --part several machines check one file: each follows all edges and looks at its share of the
positions. Exit 0 then says that this part holds; nothing is shown until all parts of the same file do.`,
		Example: "  oxo prove mnk:5,5,4 --out 554.proof\n  oxo verify 554.proof --game mnk:5,5,4 --claim draw\n" +
			"  oxo verify 554.proof --part 1/2 && oxo verify 554.proof --part 2/2",
		Args: exactArgs("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("part") {
				var err error
				if q.Part, q.Parts, err = parsePart(part); err != nil {
					return err
				}
			}
			v, err := a.verifyCertificate(c, args[0], q, limit)
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(v)
			} else if !v.Unreadable && !v.Limited { // else the error says it
				a.printVerdict(args[0], v)
			}
			switch {
			case err != nil:
			case v.Unreadable:
				err = fmt.Errorf("%s: %s", args[0], v.Reason)
			case v.Limited:
				err = fmt.Errorf("%s was not checked to its end, which is no verdict: %s", args[0], v.Reason)
			case !v.OK:
				err = errNo
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&q.Game, "game", "", "the game that it must be about (default the one it describes)")
	f.StringVar(&q.Position, "position", "", "with --game, the position that it must be about (default the start)")
	f.StringVar(&q.Claim, "claim", "",
		"what it must show: first, second, draw, not-lose:first, not-lose:second, a win within plies such as "+
			"first<=43, or none within them such as first>27")
	f.DurationVar(&limit, "time", 0, "give up after this long (default never)")
	bytesVar(f, &q.Limits.Memory, "memory", 1<<30, "about how much memory to use at most; positions beyond it go to "+
		"disk, into the folder that TMPDIR names")
	f.IntVar(&q.Limits.Nodes, "nodes", 0, "give up a certificate of more positions (default none)")
	f.IntVar(&q.Limits.Workers, "workers", 0, "cores to check on (default one a core)")
	f.StringVar(&part, "part", "", "look at one part of the positions only, such as 1/3 for the first of three")
	return c
}

// parsePart reads which part of how many is meant.
func parsePart(text string) (part, parts int, err error) {
	k, n, _ := strings.Cut(text, "/")
	part, bad := strconv.Atoi(k)
	parts, worse := strconv.Atoi(n)
	if bad != nil || worse != nil || part < 1 || part > parts {
		err = fmt.Errorf("verify: --part %q: write K/N for part K of N, K from 1 to N, such as 1/3", text)
	}
	return part, parts, err
}

// verifyCertificate asks a question about the certificate at path.
func (a *app) verifyCertificate(c *cobra.Command, path string, q lab.Question,
	limit time.Duration) (*lab.Verdict, error) {
	switch {
	case c.Flags().Changed("time") && limit <= 0:
		return nil, fmt.Errorf("verify: --time %v: it must be more than 0", limit)
	case q.Limits.Nodes < 0:
		return nil, fmt.Errorf("verify: --nodes %d: it must be at least 1, or 0 for none", q.Limits.Nodes)
	case q.Limits.Workers < 0:
		return nil, fmt.Errorf("verify: --workers %d: it must be at least 1, or 0 for one a core", q.Limits.Workers)
	}
	q.Limits.Workers = cmp.Or(q.Limits.Workers, runtime.GOMAXPROCS(0))
	boundMemory(q.Limits.Memory)
	q.Limits.Memory, q.Limits.Disk = q.Limits.Memory/2, newScratchFile // as much again is garbage
	file, size, err := openCertificate(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	ctx := c.Context()
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, fmt.Errorf("verify: not checked within %v", limit))
		defer cancel()
	}
	v, err := a.lab.Verify(ctx, file, size, q)
	if err != nil && context.Cause(ctx) != nil {
		err = context.Cause(ctx)
	}
	return v, err
}

// openCertificate opens the file at path. One that can't be read at any place, such as a
// pipe, is read whole.
func openCertificate(path string) (file lab.File, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	switch {
	case err == nil && info.IsDir():
		err = fmt.Errorf("verify: %s is a folder; name a certificate", path)
	case err == nil && !info.Mode().IsRegular():
		data, err := io.ReadAll(io.LimitReader(f, mostPiped))
		return struct {
			io.ReaderAt
			io.Closer
		}{bytes.NewReader(data), f}, int64(len(data)), err
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// mostPiped is how many bytes of a certificate are read from what is no file.
const mostPiped = 1 << 28

// printVerdict prints what the checker says of a file.
func (a *printer) printVerdict(path string, v *lab.Verdict) {
	if !v.OK {
		a.printf("%s is refused: %s\n", path, v.Reason)
		return
	}
	game := v.Game
	if !v.Named {
		game = fmt.Sprintf("a game that calls itself %q", v.Game)
	}
	if !v.Start {
		game += " from " + v.Position
	}
	if v.Parts > 1 {
		a.printf("part %d of %d of %s holds; nothing is shown until all parts of the same file do\n", v.Part, v.Parts,
			path)
		a.printf("  it claims %s, %s\n", game, v.Claim)
	} else {
		a.printf("%s holds: %s, %s\n", path, game, v.Claim)
	}
	a.printf("  it describes %s\n", v.Described)
	positions := countOf(v.Nodes, "position", "positions")
	if v.Parts > 1 {
		positions = fmt.Sprintf("one in %d of %s", v.Parts, positions)
	}
	a.printf("  %s, %s checked in %.3f s\n", positions, countOf(v.Replies, "reply", "replies"), v.Seconds)
}
