package jobs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"oxo/lab"
	"oxo/lab/jobs/progress"
	"oxo/message"
	"oxo/prove"
	"oxo/prove/certificate"
)

// ProofFile is the name of the certificate that a prove job makes.
const ProofFile = "proof.cert"

// ProveArgs are the arguments of a proof.
type ProveArgs struct {
	Position string   `json:"position" help:"the position to prove (default the start)"`
	Time     Duration `json:"time" help:"give each part up after this long, such as 10m (default never)"`
	Memory   Bytes    `json:"memory" least:"0" help:"about how much memory a part may use, such as 1GB (default 256MB)"`
	Nodes    uint64   `json:"nodes" help:"give up after so many positions of this run (default never)"`
	All      bool     `json:"all" help:"never leave out a move of the side that is to win"`
	Claim    string   `json:"claim" help:"what to prove, such as draw or not-lose:second; of races, nine boards or falling marks also first<=43, and of the latter two first>27 (default the value)"`
	Split    bool     `json:"split" help:"in rounds, as parts: searches below different open positions that share what they find"`
	Searches int      `json:"searches" least:"0" help:"with split, searches of each round after the first (0 for 2)"`
	Round    uint64   `json:"round" help:"with split, positions that one search begins with (0 for 65536); the next round has half as many a search, and each after it more"`
}

// Prove is the verb of that name.
var Prove = newVerb(Verb{
	Name: "prove", Words: []string{"GAME"}, Slow: true,
	Short: "prove who wins, with a certificate that oxo verify checks",
	Gives: "proves a position's value; data: ProveData; file: proof.cert",
}, ProveArgs{}, openProofJob)

// checkVisitorLimits refuses what a visitor of the server may not ask for: more memory than the limits have.
func (a *ProveArgs) checkVisitorLimits(l Limits) error { return a.Memory.checkVisitorLimits(l) }

// ProveOptions reads the arguments.
func (a ProveArgs) ProveOptions() (lab.ProveOptions, error) {
	// One worker: then the same job gives the same proof.
	o := lab.ProveOptions{Position: a.Position, Memory: int64(a.Memory), Nodes: a.Nodes, All: a.All, Workers: 1,
		Claim: a.Claim}
	switch {
	case a.Searches != 0 && !a.Split:
		return o, refuse("searches", "they are of proofs in parts; set split too")
	case a.Round != 0 && !a.Split:
		return o, refuse("round", "it is of proofs in parts; set split too")
	}
	var err error
	if o.Time, err = a.Time.parse(); err != nil || a.Time != "" && o.Time <= 0 {
		return o, refuse("time", "%q is no time, such as 10m", string(a.Time))
	}
	return o, nil
}

// ProveData is how a proof goes.
type ProveData struct {
	Question string       `json:"question"`
	Proof    prove.Number `json:"proof"`
	Disproof prove.Number `json:"disproof"`
	Nodes    uint64       `json:"nodes"`
	Memory   uint64       `json:"memory"` // bytes in use
	Seconds  float64      `json:"seconds"`
}

// openProofJob opens a job that proves, in one part or split. The position and the claim are read here,
// so that wrong ones are refused before there is a part. Split makes it a splitProof.
func openProofJob(_ context.Context, g lab.Game, a ProveArgs, _ uint64) (stagedJob, error) {
	o, err := a.ProveOptions()
	if err != nil {
		return nil, err
	}
	proofs, err := g.Proving()
	if err != nil {
		return nil, &lab.Fault{Field: "game", Err: err}
	}
	root, _, err := proofs.ProofRoot(o)
	if err != nil {
		return nil, err
	}
	switch {
	case a.Split && a.Claim != "":
		return nil, refuse("split", "a claim is not proved in parts; leave one of them out")
	case a.Split:
		return openSplitProofJob(proofs, a, root)
	}
	job := newExactJob("proof of "+g.Info().Spec, int64(cmp.Or(a.Memory, lab.TierMemory)),
		func(ctx context.Context, t Task, r *reporter) (any, string, []byte, error) {
			o := o
			o.Progress = proofReporter(ctx, r, "")
			if t.Checkpoint != nil {
				o.Resume = bytes.NewReader(t.Checkpoint)
			}
			result, err := proofs.Prove(ctx, o)
			if err = cmp.Or(err, ctx.Err()); err != nil || result.Proof == nil {
				return result, "", nil, err
			}
			var file bytes.Buffer
			_, err = result.Proof.WriteTo(&file)
			return result, ProofFile, file.Bytes(), err
		})
	job.result = func(output []byte, create Create) (any, error) {
		out, file, err := readExact(output)
		if err != nil {
			return nil, err
		}
		var told lab.ProveResult
		if err := json.Unmarshal(out.Result, &told); err != nil {
			return nil, err
		}
		return checkedProofResult(proofs, root, a.Claim, told, file, create)
	}
	return job, nil
}

// checkedProofResult is the result of a proof of which parts tell how many positions it took, and perhaps
// gave a certificate. The result is what the checker says of the certificate, so that a part can't
// make anybody believe what is not so: whether a claim, empty for none, is false too, where the value that was shown
// says so. That nothing is proved of a claim needs no certificate, and is taken as told.
func checkedProofResult(proofs lab.Proving, root certificate.Setup, claim string, told lab.ProveResult, file []byte,
	create Create) (any, error) {
	r, err := proofs.CheckForeignProof(context.Background(), root, &told, claim, file)
	if err != nil {
		return nil, err
	}
	if len(file) == 0 && strings.HasPrefix(told.Proved, r.Proved) {
		r.Proved = told.Proved
	}
	if len(file) > 0 {
		if err := create.writeFile(ProofFile, file); err != nil {
			return nil, err
		}
	}
	return marshalWithoutSeconds(r)
}

// proofReporter returns what reports how a proof goes, with its checkpoints. The proof and disproof
// numbers are those of the question that is searched at the time.
func proofReporter(ctx context.Context, r *reporter, linePrefix string) func(prove.Progress) {
	var own checkpointPacer
	return func(p prove.Progress) {
		if !r.due() && ctx.Err() == nil {
			return
		}
		report := Report{Total: 1}.withLine(progress.Of("proof", message.Args{"question": linePrefix + p.Question,
			"proof": fmt.Sprint(p.Proof), "disproof": fmt.Sprint(p.Disproof), "nodes": p.Nodes}))
		report = report.withData(ProveData{p.Question, p.Proof, p.Disproof, p.Nodes, p.Memory, p.Elapsed.Seconds()})
		var save func(io.Writer) error
		if p.Save != nil {
			save = func(w io.Writer) error { return p.Save(w, mostCheckpoint) }
		}
		own.reportWithCheckpoint(ctx, r, report, save)
	}
}

// mostCheckpoint is about the most bytes of a checkpoint of exact work.
const mostCheckpoint = 48 << 20

// checkpointPacer offers large checkpoints so seldom that they take little of the time. Saving a large
// table takes seconds, during which nothing is searched.
type checkpointPacer struct {
	last time.Time     // when one was saved
	cost time.Duration // how long that took
}

// upkeepShare is how many times the time of a checkpoint passes before the next.
const upkeepShare = 20

// reportWithCheckpoint reports, with a checkpoint that save writes where it is time for one, or where ctx ends the
// work. The report's receiver may leave the checkpoint alone; then nothing is counted as saved.
func (u *checkpointPacer) reportWithCheckpoint(ctx context.Context, r *reporter, now Report,
	save func(io.Writer) error) {
	saved := false
	if save != nil && (ctx.Err() != nil || r.task.Every < 0 || time.Since(u.last) >= upkeepShare*u.cost) {
		now.Checkpoint = func() ([]byte, error) {
			saved = true
			file := stoppableBuffer{ctx: ctx}
			switch err := save(&file); {
			case errors.Is(err, errStopped) || file.Len() > mostCheckpoint+mostCheckpoint/4:
				return nil, nil // there is the one before
			case err != nil:
				return nil, err
			}
			return file.Bytes(), nil
		}
	}
	begin := time.Now()
	r.send(now)
	if saved {
		u.last, u.cost = time.Now(), time.Since(begin)
	}
}

// stoppableBuffer is a checkpoint that is being written. It takes no more once somebody waits for the work to stop.
type stoppableBuffer struct {
	bytes.Buffer
	ctx     context.Context
	stopped time.Time // when it was first seen
}

// stopWithin is how long it may take to stop.
const stopWithin = 100 * time.Millisecond

var errStopped = errors.New("stopped")

// Write fails with errStopped once stopWithin has passed since ctx was seen to be done.
func (b *stoppableBuffer) Write(p []byte) (int, error) {
	if b.ctx.Err() != nil {
		if b.stopped.IsZero() {
			b.stopped = time.Now()
		}
		if time.Since(b.stopped) > stopWithin {
			return 0, errStopped
		}
	}
	return b.Buffer.Write(p)
}

// SolveArgs are the arguments of a solution.
type SolveArgs struct {
	Position string `json:"position" help:"the position to solve (default the start)"`
	Strong   bool   `json:"strong" help:"make a file of every position's value"`
	Limit    int    `json:"limit" flag:"-" least:"0" help:"of jobs of earlier versions: it means nothing any more, as memory bounds the work"`

	// Tiers solves the whole game by numbers of marks, a slice of them a part, so that its tables may be larger than
	// the memory of any machine. The result then has the counts of each tier besides: see [TierResult].
	Tiers  bool  `json:"tiers" help:"by numbers of marks, with tables on disk, a slice at a time, whatever else there is"`
	Memory Bytes `json:"memory" least:"0" help:"about how much memory a part may use, such as 4GB (default 1GB; 256MB for a slice of tiers)"`
}

// Solve is the verb of that name.
var Solve = newVerb(Verb{
	Name: "solve", Words: []string{"GAME"}, Slow: true,
	Short: "find a position's exact value, how long it lasts, and all best moves",
	Long: `It chooses its way by what is known before it starts, and says what that will take: a
table of all positions in memory, or where play can go in circles retrograde analysis;
tiers, a number of marks after the other; a search where marks fall; a search for a near
win, deeper and deeper; or a proof, of the value, with bounds of the distance where that
is not found. What no way is known for is refused before it starts. Long work is kept beside --out,
or here, in a folder GAME.solve or GAME.tiers; Ctrl-C leaves it, and the same command goes on.`,
	Example: `  oxo solve ttt
  oxo solve ttt --position 'x.o/.x./..o x'
  oxo solve mnk:4,4,4 --strong --out 444.oxo
  oxo solve mnk:4,4,4 --db 444.oxo --position 'x.../.o../..../.... x'
  oxo solve mnk:5,4,4 --tiers --strong --memory 16MB --out 544.oxo
  oxo solve mnk:7,7,5`,
	Gives: "finds a position's exact value; file: solution.oxo where strong",
}, SolveArgs{}, openSolutionJob)

// checkVisitorLimits refuses visitors what can fill the server's disk or memory.
func (a *SolveArgs) checkVisitorLimits(l Limits) error {
	if a.Tiers {
		return refuse("tiers", "tables of tiers can fill the disk, so they are not made for visitors; use the "+
			"command line: oxo solve GAME --strong --tiers, with --on ADDRESS on a cluster")
	}
	return a.Memory.checkVisitorLimits(l)
}

// SolutionFile is the file of a strong solution.
const SolutionFile = "solution.oxo"

// openSolutionJob opens a job that solves, by the method that the plan has chosen. Tiers come in stages of many parts;
// every other method is one part. The plan is made once, here, so that its choice is the same for all parts.
func openSolutionJob(_ context.Context, g lab.Game, a SolveArgs, _ uint64) (stagedJob, error) {
	if at, err := g.Parse(a.Position); err == nil && at.Position == g.Info().Start {
		a.Position = "" // the whole game
	}
	if a.Tiers {
		return openTierJob(g, a)
	}
	solver := g.Solving()
	o := lab.SolveOptions{Position: a.Position, Strong: a.Strong, Memory: int64(a.Memory), Parts: true}
	plan, err := solver.Plan(o)
	if err != nil {
		return nil, err
	}
	if plan.Method == lab.ByTiers {
		return openTierJob(g, a)
	}
	do := func(ctx context.Context, t Task, r *reporter) (any, string, []byte, error) {
		o := o
		o.Workers = t.Workers
		var own checkpointPacer
		o.Keep = func(going lab.Going, save func(io.Writer) error) {
			if going.Positions > mostSaved && going.Method == lab.ByTable {
				save = nil
			}
			if r.due() || ctx.Err() != nil {
				own.reportWithCheckpoint(ctx, r, Report{Total: 1}.withLine(progress.SolutionProgress(going)), save)
			}
		}
		if t.Checkpoint != nil {
			o.Resume = bytes.NewReader(t.Checkpoint)
		}
		var file bytes.Buffer
		name := ""
		if a.Strong {
			o.Out, name = &file, SolutionFile
		}
		result, err := solver.Solve(ctx, o)
		return result, name, file.Bytes(), err
	}
	return solution{newExactJob("solution of "+g.Info().Spec, plan.Estimate.Bytes, do), plan}, nil
}

// solution is the staged job of a solution in one part.
type solution struct {
	onePartJob
	planned *lab.Plan
}

func (s solution) plan() *lab.Plan { return s.planned }

// planned is a staged job that says before how it goes about its work.
type planned interface{ plan() *lab.Plan }

// SolvePlan returns how a solution is gone about; nil for other work.
func (w *Work) SolvePlan() *lab.Plan {
	if p, ok := w.staged.(planned); ok {
		return p.plan()
	}
	return nil
}

// mostSaved is how many positions of a solution a checkpoint has at most: later ones are worked out again from there.
const mostSaved = 12_000_000

// exactOutput is what a proof or a solution puts out: the result on a line, and the file after it.
type exactOutput struct {
	Result json.RawMessage `json:"result"`
	Name   string          `json:"name,omitempty"` // of the file; empty for none
}

// readExact takes an output apart.
func readExact(output []byte) (out exactOutput, file []byte, err error) {
	head, file, _ := bytes.Cut(output, []byte("\n"))
	return out, file, json.Unmarshal(head, &out)
}

// newExactJob makes the staged job of one part of what does it, in so much memory: it returns the
// result and a file, with its name. The seconds are left out of an output, so that two workers'
// outputs of the same part are the same bytes.
func newExactJob(name string, memory int64, do func(ctx context.Context, t Task, r *reporter) (any, string, []byte,
	error)) onePartJob {
	return onePartJob{
		name:   name,
		needed: memory,
		do: func(ctx context.Context, t Task, r *reporter) ([]byte, error) {
			result, name, file, err := do(ctx, t, r)
			if err != nil {
				return nil, err
			}
			out := exactOutput{Name: name}
			if out.Result, err = marshalWithoutSeconds(result); err != nil {
				return nil, err
			}
			head, err := json.Marshal(out)
			return slices.Concat(head, []byte("\n"), file), err
		},
		report: func(output []byte) (Report, error) {
			return Report{Done: 1, Total: 1}.withLine(progress.Of("done", nil)), nil
		},
		result: func(output []byte, create Create) (any, error) {
			out, file, err := readExact(output)
			if err != nil {
				return nil, err
			}
			if out.Name == "" {
				return out.Result, nil
			}
			return out.Result, create.writeFile(out.Name, file)
		},
	}
}

// marshalWithoutSeconds writes a result without its seconds, which are never the same twice. Only the
// field of the outermost object is left out; the order of the others stays.
func marshalWithoutSeconds(result any) (json.RawMessage, error) {
	data, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil { // the brace
		return nil, err
	}
	text := []byte("{")
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if name == "seconds" {
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, strconv.Quote(name.(string))...), ':'), value...)
	}
	return append(text, '}'), nil
}
