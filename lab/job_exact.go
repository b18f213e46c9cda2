package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"oxo/prove"
)

// ProofFile is the name of the certificate that a prove job makes.
const ProofFile = "proof.cert"

// ProveArgs are the arguments of a prove job.
type ProveArgs struct {
	Position string `json:"position"` // empty for the start
	Time     string `json:"time"`     // give up after this long, such as 10m; empty for never
	Memory   int64  `json:"memory"`   // bytes; 0 for 256 megabytes
	Nodes    uint64 `json:"nodes"`    // give up after so many positions; 0 for never
	All      bool   `json:"all"`      // never leave out a move of the side that is to win
	Split    bool   `json:"split"`    // in rounds, as parts: several searches each that share what they find
	Searches int    `json:"searches"` // with split, of a round; 0 for 2
	Round    uint64 `json:"round"`    // with split, positions that one search begins with, twice as many as those of the next round; 0 for 65,536
}

// options reads the arguments.
func (a ProveArgs) options() (ProveOptions, error) {
	// One worker: then the same job gives the same proof.
	o := ProveOptions{Position: a.Position, Memory: a.Memory, Nodes: a.Nodes, All: a.All, Workers: 1}
	if a.Time != "" {
		var err error
		if o.Time, err = time.ParseDuration(a.Time); err != nil || o.Time <= 0 {
			return o, fmt.Errorf("time: %q is no time, such as 10m", a.Time)
		}
	}
	return o, nil
}

// ProveData is how a proof goes.
type ProveData struct {
	Question string  `json:"question"`
	Proof    uint32  `json:"proof"`
	Disproof uint32  `json:"disproof"`
	Nodes    uint64  `json:"nodes"`
	Memory   uint64  `json:"memory"` // bytes in use
	Seconds  float64 `json:"seconds"`
}

// exactOutput is what a proof or a solution puts out: the result and a file.
type exactOutput struct {
	Result json.RawMessage `json:"result"`
	Name   string          `json:"name,omitempty"`
	File   []byte          `json:"file,omitempty"`
}

func (b *bound[P]) proveJob(a ProveArgs) (labour, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	root, err := b.toProve(o.Position)
	if err != nil {
		return nil, err
	}
	if a.Split {
		return b.splitJob(a, root)
	}
	if a.Searches != 0 || a.Round != 0 {
		return nil, errors.New("searches and round: they are of proofs in parts; set split too")
	}
	job := exactly("proof of "+b.Spec, func(ctx context.Context, t Task, r *reporter) (any, string, []byte, error) {
		o := o
		o.Grace = proofGrace
		o.Progress = proofTold(ctx, r, "")
		if t.Checkpoint != nil {
			o.Resume = bytes.NewReader(t.Checkpoint)
		}
		result, err := b.Prove(ctx, o)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || result.Proof == nil {
			return result, "", nil, err
		}
		var file bytes.Buffer
		_, err = result.Proof.WriteTo(&file)
		return result, ProofFile, file.Bytes(), err
	})
	job.result = func(output []byte, create Create) (any, error) {
		var out exactOutput
		if err := json.Unmarshal(output, &out); err != nil {
			return nil, err
		}
		var told ProveResult
		if err := json.Unmarshal(out.Result, &told); err != nil {
			return nil, err
		}
		return b.provedBy(root, told.Nodes, out.File, create)
	}
	return job, nil
}

// provedBy is the result of a prove job whose certificate, if there is one, somebody has
// found elsewhere after so many positions. What it says of itself counts for nothing: the
// result is what the certificate shows.
func (b *bound[P]) provedBy(root prove.Game, nodes uint64, file []byte, create Create) (any, error) {
	p, err := b.Game.Parse(b.board.Format(root.Marks[0], root.Marks[1]))
	if err != nil {
		return nil, err
	}
	r := &ProveResult{Game: b.Spec, Position: b.Format(p), Value: "unknown", Proved: "nothing", Nodes: nodes}
	if len(file) > 0 {
		v, err := b.answers(context.Background(), root, file)
		if err == nil && !v.OK {
			err = fmt.Errorf("a certificate that a worker sent is refused: %s", v.Reason)
		}
		if err != nil {
			return nil, err
		}
		r.shown(v)
		if err := create.write(ProofFile, file); err != nil {
			return nil, err
		}
	}
	return timeless(r)
}

// proofGrace is how long a proof that is stopped may go on to come to where it
// can be gone on with.
const proofGrace = 2 * time.Second

// proofTold returns what reports how a proof goes, with its checkpoints.
func proofTold(ctx context.Context, r *reporter, before string) func(prove.Progress) {
	var own upkeep
	return func(p prove.Progress) {
		if !r.due() && ctx.Err() == nil {
			return
		}
		report := Report{Total: 1, Line: fmt.Sprintf("%s%s: proof %d, disproof %d, %d nodes", before, p.Question, p.Proof, p.Disproof, p.Nodes)}
		data := ProveData{p.Question, p.Proof, p.Disproof, p.Nodes, p.Memory, p.Elapsed.Seconds()}
		var save func(io.Writer) error
		if p.Save != nil {
			save = func(w io.Writer) error { return p.Save(w, mostCheckpoint) }
		}
		own.send(ctx, r, report, data, save)
	}
}

// mostCheckpoint is about the most bytes of a checkpoint of exact work.
const mostCheckpoint = 48 << 20

// upkeep offers the checkpoints of work that are large, so that they take
// little of the time.
type upkeep struct {
	last time.Time     // when one was saved
	cost time.Duration // how long that took
}

// upkeepShare is how many times the time of a checkpoint passes before the next.
const upkeepShare = 20

// send reports, with a checkpoint that save writes where it is time for one, or
// where ctx ends the work.
func (u *upkeep) send(ctx context.Context, r *reporter, report Report, data any, save func(io.Writer) error) {
	saved := false
	if save != nil && (ctx.Err() != nil || r.task.Every < 0 || time.Since(u.last) >= upkeepShare*u.cost) {
		report.Checkpoint = func() ([]byte, error) {
			saved = true
			var file bytes.Buffer
			if err := save(&file); err != nil || file.Len() > mostCheckpoint+mostCheckpoint/4 {
				return nil, err
			}
			return file.Bytes(), nil
		}
	}
	begin := time.Now()
	r.send(report, data)
	if saved {
		u.last, u.cost = time.Now(), time.Since(begin)
	}
}

// SolveArgs are the arguments of a solve job.
type SolveArgs struct {
	Position string `json:"position"` // empty for the start
	Strong   bool   `json:"strong"`   // make a file of every position's value
	Limit    int    `json:"limit"`    // most positions to store; 0 for DefaultLimit; not by tiers

	// Tiers solves the whole game by numbers of marks, a slice of them a part,
	// so that its tables may be larger than the memory of any machine. The
	// result then has the counts of each tier besides: see [TierResult].
	Tiers  bool  `json:"tiers"`
	Memory int64 `json:"memory"` // bytes that a part by tiers may take; 0 for 256 megabytes
}

// solutionFile is the file of a strong solution.
const solutionFile = "solution.oxo"

func (b *bound[P]) solveJob(a SolveArgs) (labour, error) {
	if a.Limit < 0 {
		return nil, fmt.Errorf("limit: %d; it must be at least 1, or 0 for %d", a.Limit, DefaultLimit)
	}
	if a.Tiers {
		return b.tierJob(a)
	}
	if a.Memory != 0 {
		return nil, errors.New("memory: it bounds solutions by tiers; set tiers too")
	}
	o := SolveOptions{Position: a.Position, Limit: a.Limit}
	p, err := b.solvable(o, a.Strong)
	if err != nil {
		return nil, err
	}
	if a.Limit == 0 {
		a.Limit = DefaultLimit
	}
	if err := b.plainlyTooLarge(p, a.Limit); err != nil {
		return nil, err
	}
	return exactly("solution of "+b.Spec, func(ctx context.Context, t Task, r *reporter) (any, string, []byte, error) {
		o := o
		var own upkeep
		told := func(n int, save func(io.Writer) error) {
			if r.due() || ctx.Err() != nil {
				own.send(ctx, r, Report{Total: 1, Line: fmt.Sprintf("%d positions", n)}, nil, save)
			}
		}
		if b.Code == nil {
			o.Progress = func(n int) { told(n, nil) }
		}
		o.Keep = func(n int, save func(io.Writer) error) {
			if n > mostSaved {
				save = nil
			}
			told(n, save)
		}
		if t.Checkpoint != nil {
			o.Resume = bytes.NewReader(t.Checkpoint)
		}
		var file bytes.Buffer
		name := ""
		if a.Strong {
			o.Out, name = &file, solutionFile
		}
		result, err := b.Solve(ctx, o)
		return result, name, file.Bytes(), err
	}), nil
}

// mostSaved is how many positions of a solution a checkpoint has at most: later
// ones are worked out again from there.
const mostSaved = 12_000_000

// exactly makes the labour of a job that is one part of what does it: it returns
// the result and a file, with its name.
func exactly(name string, do func(ctx context.Context, t Task, r *reporter) (any, string, []byte, error)) single {
	return single{
		name: name,
		do: func(ctx context.Context, t Task, r *reporter) ([]byte, error) {
			result, name, file, err := do(ctx, t, r)
			if err != nil {
				return nil, err
			}
			out := exactOutput{Name: name, File: file}
			if out.Result, err = timeless(result); err != nil {
				return nil, err
			}
			return json.Marshal(out)
		},
		report: func(output []byte) (Report, error) { return Report{Done: 1, Total: 1, Line: "done"}, nil },
		result: func(output []byte, create Create) (any, error) {
			var out exactOutput
			if err := json.Unmarshal(output, &out); err != nil {
				return nil, err
			}
			if out.Name == "" {
				return out.Result, nil
			}
			return out.Result, create.write(out.Name, out.File)
		},
	}
}

// timeless writes a result without its seconds, which are never the same twice.
func timeless(result any) (json.RawMessage, error) {
	data, err := json.Marshal(result)
	if err != nil {
		return nil, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	delete(fields, "seconds")
	return json.Marshal(fields)
}
