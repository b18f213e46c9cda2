package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"oxo/prove"
)

// ProveArgs are the arguments of a prove job.
type ProveArgs struct {
	Position string `json:"position"` // empty for the start
	Time     string `json:"time"`     // give up after this long, such as 10m; empty for never
	Memory   int64  `json:"memory"`   // bytes; 0 for 256 megabytes
	Nodes    uint64 `json:"nodes"`    // give up after so many positions; 0 for never
	All      bool   `json:"all"`      // never leave out a move of the side that is to win
	Split    bool   `json:"split"`    // search the positions after each move as parts, and join their proofs
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
	root, err := b.provable(o)
	if err != nil {
		return nil, err
	}
	if a.Split {
		return b.splitJob(a, root)
	}
	return exactly("proof of "+b.Spec, func(ctx context.Context, r *reporter) (any, string, []byte, error) {
		o := o
		o.Progress = func(p prove.Progress) {
			if r.due() {
				sendProof(r, "", p)
			}
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
		return result, "proof.cert", file.Bytes(), err
	}), nil
}

// sendProof reports how a proof goes.
func sendProof(r *reporter, before string, p prove.Progress) {
	r.send(Report{Total: 1, Line: fmt.Sprintf("%s%s: proof %d, disproof %d, %d nodes", before, p.Question, p.Proof, p.Disproof, p.Nodes)},
		ProveData{p.Question, p.Proof, p.Disproof, p.Nodes, p.Memory, p.Elapsed.Seconds()})
}

// SolveArgs are the arguments of a solve job.
type SolveArgs struct {
	Position string `json:"position"` // empty for the start
	Strong   bool   `json:"strong"`   // make a file of every position's value
	Limit    int    `json:"limit"`    // most positions to store; 0 for DefaultLimit
}

func (b *bound[P]) solveJob(a SolveArgs) (labour, error) {
	if a.Limit < 0 {
		return nil, fmt.Errorf("limit: %d; it must be at least 1, or 0 for %d", a.Limit, DefaultLimit)
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
	return exactly("solution of "+b.Spec, func(ctx context.Context, r *reporter) (any, string, []byte, error) {
		o := o
		o.Progress = func(n int) {
			if r.due() {
				r.send(Report{Total: 1, Line: fmt.Sprintf("%d positions", n)}, nil)
			}
		}
		var file bytes.Buffer
		name := ""
		if a.Strong {
			o.Out, name = &file, "solution.oxo"
		}
		result, err := b.Solve(ctx, o)
		return result, name, file.Bytes(), err
	}), nil
}

// exactly makes the labour of a job that is one part, without a checkpoint, of
// what does it: it returns the result and a file, with its name.
func exactly(name string, do func(ctx context.Context, r *reporter) (any, string, []byte, error)) single {
	return single{
		name: name,
		do: func(ctx context.Context, _ Task, r *reporter) ([]byte, error) {
			result, name, file, err := do(ctx, r)
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
