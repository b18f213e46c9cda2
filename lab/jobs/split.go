package jobs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"oxo"
	"oxo/lab"
	"oxo/lab/jobs/progress"
	"oxo/message"
	"oxo/prove"
	"oxo/prove/certificate"
)

// splitProof is a prove job in rounds, each a stage. In the first one a single
// search begins. In every later round several searches go on below different
// open positions, where the proof numbers found so far lead them, and all that
// they find is shared when the round ends: see [prove.Round]. Rounds grow, so
// that sharing takes little of the time.
type splitProof struct {
	lab.Proving
	args ProveArgs
	root certificate.Setup
}

// memoryPerPart is for one search; several on one machine take as often as much.
func (j *splitProof) memoryPerPart() int64 { return int64(cmp.Or(j.args.Memory, lab.TierMemory)) }

const (
	usualSearches = 2
	mostSearches  = 64
	firstRound    = 1 << 16 // positions of the search that begins; those of the next round search half as many each
	longestRound  = 1 << 40
)

// openSplitProofJob opens a proof in rounds. The numbers are checked against what a cluster can bear: 64
// searches a round, and rounds of less than 2⁴⁰ positions.
func openSplitProofJob(proofs lab.Proving, a ProveArgs, root certificate.Setup) (stagedJob, error) {
	if root.Board == nil {
		return nil, refuse("split", "proofs of games of nine boards and of races have no parts")
	}
	if a.Searches > mostSearches {
		return nil, refuse("searches", "%d; it must be from 1 to %d, or 0 for %d", a.Searches, mostSearches,
			usualSearches)
	}
	a.Searches = cmp.Or(a.Searches, usualSearches)
	a.Round = cmp.Or(a.Round, firstRound)
	if a.Round < 2 || a.Round > longestRound {
		return nil, refuse("round", "%d positions; it must be from 2 to %d, or 0 for %d", a.Round, uint64(longestRound),
			firstRound)
	}
	return &splitProof{proofs, a, root}, nil
}

// splitInput is the input of a part.
type splitInput struct {
	Place  int    `json:"place"`  // among the searches of the round
	Nodes  uint64 `json:"nodes"`  // to search
	Before uint64 `json:"before"` // searched in earlier rounds, by all
}

// splitOutput is how a search of a round ended. After it, on the next line of an
// output, come the certificate of what was proved and, where the value is not known, what
// was found.
type splitOutput struct {
	Value  oxo.Outcome `json:"value"` // Ongoing while it is not known
	Before uint64      `json:"before"`
	Nodes  uint64      `json:"nodes"`
	Late   bool        `json:"late,omitempty"` // it ran out of time
	Proof  int         `json:"proof"`          // bytes of the certificate, 0 where nothing was proved
}

// decode takes an output apart.
func (out *splitOutput) decode(data []byte) (proof, found []byte, err error) {
	damaged := errors.New("the output of a search is damaged")
	head, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok {
		return nil, nil, damaged
	}
	if err := json.Unmarshal(head, out); err != nil {
		return nil, nil, err
	}
	if out.Proof < 0 || out.Proof > len(rest) {
		return nil, nil, damaged
	}
	return rest[:out.Proof], rest[out.Proof:], nil
}

// lastRoundOutcome returns how the searches of the last round ended, together: the first
// that knows the value, and all positions.
func (j *splitProof) lastRoundOutcome(outputs Outputs) (sum splitOutput, proof []byte, err error) {
	stage := outputs.Stages() - 1
	for i := range outputs.Parts(stage) {
		data, err := outputs.Output(stage, i)
		if err != nil {
			return sum, nil, err
		}
		var out splitOutput
		file, _, err := out.decode(data)
		if err != nil {
			return sum, nil, err
		}
		nodes, late := sum.Nodes+out.Nodes, sum.Late || out.Late
		if i == 0 || sum.Value == oxo.Ongoing && out.Value != oxo.Ongoing {
			sum, proof = out, file
		}
		sum.Nodes, sum.Late = nodes, late
	}
	return sum, proof, nil
}

// listParts has one search in the first round and args.Searches in each later one, until the value is
// known, the time is up or the positions are used. From the second round on each search has half of
// the first one's positions, growing by half a round.
func (j *splitProof) listParts(_ context.Context, stage int, before Outputs) ([]Part, error) {
	in, searches := splitInput{Nodes: j.args.Round}, 1
	if stage > 0 {
		sum, _, err := j.lastRoundOutcome(before)
		if err != nil || sum.Value != oxo.Ongoing || sum.Late {
			return nil, err
		}
		in.Before, searches = sum.Before+sum.Nodes, j.args.Searches
		in.Nodes /= 2
		for range stage - 1 {
			in.Nodes = min(in.Nodes+in.Nodes/2+1, longestRound)
		}
	}
	if j.args.Nodes > 0 {
		if in.Before >= j.args.Nodes {
			return nil, nil
		}
		in.Nodes = min(in.Nodes, max(1, (j.args.Nodes-in.Before)/uint64(searches)))
	}
	parts := make([]Part, searches)
	for i := range parts {
		in.Place = i
		parts[i] = newPart(fmt.Sprintf("round %d, search %d of %d", stage+1, i+1, searches), 1, in)
	}
	return parts, nil
}

// runPart searches from what all earlier rounds have found, which it reads in order, and puts out what
// it has found itself. A certificate is checked before it is put out.
func (j *splitProof) runPart(ctx context.Context, task Task, r *reporter) ([]byte, error) {
	var in splitInput
	if err := decodeArgs(task.Part.Input, &in); err != nil {
		return nil, err
	}
	if in.Place < 0 || in.Place >= mostSearches || in.Nodes == 0 || in.Before > math.MaxInt64 {
		return nil, fmt.Errorf("there is no search %d of %d positions after %d", in.Place+1, in.Nodes, in.Before)
	}
	o, err := j.args.ProveOptions()
	if err != nil {
		return nil, err
	}
	var found bytes.Buffer
	round := &prove.Round{Place: in.Place, Nodes: in.Nodes, Found: &found}
	for stage := range task.Part.Stage {
		for i := range task.Outputs.Parts(stage) {
			round.Before = append(round.Before, &foundStateReader{from: task.Outputs, stage: stage, index: i})
		}
	}
	opt := prove.Options{Time: o.Time, Memory: o.Memory, All: o.All, Workers: 1, Round: round,
		Progress: proofReporter(ctx, r, task.Part.Name+": ")}
	if task.Checkpoint != nil {
		opt.Resume = bytes.NewReader(task.Checkpoint)
	}
	result, err := prove.Prove(ctx, j.root, opt)
	var file bytes.Buffer
	if err = cmp.Or(err, ctx.Err()); err == nil && result.Proof != nil {
		if err = j.Checked(ctx, j.root, result.Proof); err == nil {
			_, err = result.Proof.WriteTo(&file)
		}
	}
	if err != nil {
		return nil, err
	}
	out := splitOutput{Value: result.Value, Before: in.Before, Nodes: result.Nodes, Proof: file.Len()}
	out.Late = result.Value == oxo.Ongoing && result.Nodes < in.Nodes
	head, err := json.Marshal(out)
	return slices.Concat(head, []byte("\n"), file.Bytes(), found.Bytes()), err
}

// foundStateReader reads what a search found, once somebody wants to know, and then
// lets go of it.
type foundStateReader struct {
	from         Outputs
	stage, index int
	rest         *bytes.Reader // nil before it is read
}

// Read implements io.Reader. The output is fetched at the first call, as there may be many and each is
// large.
func (f *foundStateReader) Read(p []byte) (int, error) {
	if f.rest == nil {
		data, err := f.from.Output(f.stage, f.index)
		if err != nil {
			return 0, err
		}
		_, found, err := new(splitOutput).decode(data)
		if err != nil {
			return 0, err
		}
		f.rest = bytes.NewReader(found)
	}
	n, err := f.rest.Read(p)
	if err != nil {
		f.rest = &bytes.Reader{}
	}
	return n, err
}

// finalReport says the value, or that it is open, and the positions of all rounds so far.
func (j *splitProof) finalReport(p Part, output []byte) (Report, error) {
	var out splitOutput
	if _, _, err := out.decode(output); err != nil {
		return Report{}, err
	}
	value := out.Value.String()
	if out.Value == oxo.Ongoing {
		value = "open"
	}
	says := progress.Of("value", message.Args{"value": value, "nodes": out.Before + out.Nodes})
	return Report{Done: 1, Total: 1}.withLine(partSays(p, says)), nil
}

func (j *splitProof) combineReports(reports []Report) (line message.Message, data any) {
	return lastReportLine(reports), nil
}

// mergeOutputs takes the first search of the last round that knows the value.
func (j *splitProof) mergeOutputs(outputs Outputs, create Create) (result any, err error) {
	sum, proof, err := j.lastRoundOutcome(outputs)
	if err != nil {
		return nil, err
	}
	return checkedProofResult(j, j.root, "", lab.ProveResult{Nodes: sum.Before + sum.Nodes}, proof, create)
}
