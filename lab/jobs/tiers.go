package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"oxo/lab"
	"oxo/lab/jobs/progress"
	"oxo/message"
	"oxo/solve/tiers"
)

// tierJob is a solution by tiers: a stage a tier, a part a slice. Where what can
// be reached has to be found first, the stages begin with that, from the start
// on; then come the values, from the full board back.
type tierJob struct {
	lab.Solving
	identity string // of the game
	space    *tiers.Space
	strong   bool
	needed   Bytes
	planned  *lab.Plan
}

// openTierJob opens a solution by tiers. The error of a game that has no tiers says why: no board,
// chance, or too many squares.
func openTierJob(g lab.Game, a SolveArgs) (stagedJob, error) {
	if a.Position != "" {
		return nil, refuse("position", "tiers are of whole games, from the start on; leave it out")
	}
	j := &tierJob{Solving: g.Solving(), identity: g.Info().Identity, strong: a.Strong,
		needed: cmp.Or(a.Memory, lab.TierMemory)}
	var err error
	if j.space, err = j.Tiers(int64(j.needed)); err != nil {
		return nil, err
	}
	j.planned, err = j.Plan(lab.SolveOptions{Strong: a.Strong, Memory: int64(j.needed), Method: lab.ByTiers,
		Parts: true})
	return j, err
}

func (j *tierJob) plan() *lab.Plan { return j.planned }

func (j *tierJob) memoryPerPart() int64 { return int64(j.needed) }

// What a stage does: find what can be reached, or what it is worth.
const (
	passReach = "reach"
	passSolve = "tier"
)

// passAndTier returns what a stage does and with which tier; false after the last one.
func (j *tierJob) passAndTier(stage int) (pass string, marks int, ok bool) {
	t, ok := j.space.StageAt(stage)
	if t.Reach {
		return passReach, t.Marks, ok
	}
	return passSolve, t.Marks, ok
}

// stageOf is the stage that does that with a tier: at the other way round.
func (j *tierJob) stageOf(pass string, marks int) int {
	return j.space.StageIndex(tiers.Stage{Reach: pass == passReach, Marks: marks})
}

// loadCheckedTable loads a slice's table into buf, and refuses one that is not what the slice's output
// says: it was put into the store by somebody else, or damaged there.
func (j *tierJob) loadCheckedTable(outputs Outputs, pass string, marks, index int, buf []byte) ([]byte, error) {
	name := tableName(pass, marks, index)
	table, err := outputs.Blobs().Get(name, buf)
	if err != nil {
		return table, err
	}
	out, err := decodeJSONOutput[tierOutput](outputs, j.stageOf(pass, marks), index)
	if err != nil {
		return table, err
	}
	if tiers.Sum(table) != out.Sum {
		return table, fmt.Errorf("table %s is not the one that was made", name)
	}
	return table, nil
}

// tableName is the name of a slice's table in the blob store.
func tableName(pass string, marks, index int) string {
	return fmt.Sprintf("%s/%d/%d", pass, marks, index)
}

// tierInput is the input of a part.
type tierInput struct {
	Pass  string `json:"pass"`
	Marks int    `json:"marks"`
	Slice int    `json:"slice"`
}

// tierOutput is what a part puts out; the table is in the blob store.
type tierOutput struct {
	tiers.Counts
	Sum string `json:"sha256"` // of the table
}

// listParts lists the slices of the stage's tier. How many there are follows from the board and the
// memory alone.
func (j *tierJob) listParts(ctx context.Context, stage int, _ Outputs) ([]Part, error) {
	pass, marks, ok := j.passAndTier(stage)
	if !ok {
		return nil, nil
	}
	slices, err := j.space.Slices(ctx, marks)
	if err != nil {
		return nil, err
	}
	what := map[string]string{passReach: "reach", passSolve: "solve"}[pass]
	parts := make([]Part, len(slices))
	for i := range slices {
		parts[i] = newPart(fmt.Sprintf("%s %d marks, slice %d of %d", what, marks, i+1, len(slices)), 1,
			tierInput{pass, marks, i})
	}
	return parts, nil
}

// runPart makes the table of one slice: of what can be reached from the tier with a mark less, or of
// values from the tier with a mark more. The input comes from elsewhere and is checked against the
// space.
func (j *tierJob) runPart(ctx context.Context, t Task, r *reporter) ([]byte, error) {
	var in tierInput
	if err := decodeArgs(t.Part.Input, &in); err != nil {
		return nil, err
	}
	if in.Marks < 0 || in.Marks > j.space.MaxMarks() {
		return nil, fmt.Errorf("there is no tier of %d marks", in.Marks)
	}
	if list, err := j.space.Slices(ctx, in.Marks); err != nil {
		return nil, err
	} else if in.Slice < 0 || in.Slice >= len(list) {
		return nil, fmt.Errorf("there is no slice %d of %d marks", in.Slice, in.Marks)
	}
	task := tiers.Task{Marks: in.Marks, Index: in.Slice, Tell: func(done, total int) {
		if r.due() {
			says := progress.Of("share", message.Args{"percent": 100 * done / total})
			r.send(Report{Total: 1}.withLine(partSays(t.Part, says)))
		}
	}}
	beside := func(pass string, marks int) tiers.SliceSource {
		return func(index int, buf []byte) ([]byte, error) {
			return j.loadCheckedTable(t.Outputs, pass, marks, index, buf)
		}
	}
	var table []byte
	var out tierOutput
	var err error
	if in.Pass == passReach {
		task.AdjacentTier = beside(passReach, in.Marks-1)
		table, err = j.space.FindReachable(ctx, task)
	} else {
		task.AdjacentTier = beside(passSolve, in.Marks+1)
		task.Reached = func(buf []byte) ([]byte, error) {
			return j.loadCheckedTable(t.Outputs, passReach, in.Marks, in.Slice, buf)
		}
		table, out.Counts, err = j.space.SolveSlice(ctx, task)
	}
	if err != nil {
		return nil, err
	}
	if err := t.Outputs.Blobs().Put(tableName(in.Pass, in.Marks, in.Slice), table); err != nil {
		return nil, err
	}
	out.Sum = tiers.Sum(table)
	return json.Marshal(out)
}

// dropUnneededBlobs drops the tables of a tier once the tier that needed it is finished: what
// could be reached always, values where no file is made of them. Those of the
// start and its moves stay for the result.
func (j *tierJob) dropUnneededBlobs(stage int, blobs BlobStore) error {
	pass, marks, ok := j.passAndTier(stage)
	drop := func(pass string, marks int) error {
		list, err := j.space.Slices(context.Background(), marks)
		for i := range list {
			err = errors.Join(err, blobs.Drop(tableName(pass, marks, i)))
		}
		return err
	}
	if !ok || pass != passSolve || marks == j.space.MaxMarks() {
		return nil
	}
	var err error
	if j.space.NeedsReachable() {
		err = drop(passReach, marks+1)
	}
	if over := marks + 2; over <= j.space.MaxMarks() && !j.strong {
		err = errors.Join(err, drop(passSolve, over))
	}
	return err
}

// finalReport counts the slice's positions.
func (j *tierJob) finalReport(p Part, output []byte) (Report, error) {
	var out tierOutput
	if err := json.Unmarshal(output, &out); err != nil {
		return Report{}, err
	}
	says := progress.Of("positions", message.Args{"n": out.Positions})
	return Report{Done: 1, Total: 1}.withLine(partSays(p, says)), nil
}

func (j *tierJob) combineReports(reports []Report) (line message.Message, data any) {
	return lastReportLine(reports), nil
}

// TierResult is the result of a solution by tiers: what the start is worth, and
// how many positions with so many marks are worth what. Classes is the number
// of values stored.
type TierResult struct {
	lab.SolveResult
	Tiers []TierCounts `json:"tiers" doc:"by marks on the board, where it was solved so"`
}

// TierCounts is how many positions with so many marks there are, and how many
// of them are worth what.
type TierCounts struct {
	Marks int `json:"marks" doc:"marks on the board"`
	tiers.Counts
	Slices int `json:"slices" doc:"parts of the file"`
}

// mergeOutputs puts the tiers' counts together and makes the file. The file is written slice by slice from
// the blob store, with each table's checksum compared, so that memory holds one table at a time.
func (j *tierJob) mergeOutputs(outputs Outputs, create Create) (result any, err error) {
	h := tiers.Header{Game: j.identity, Tiers: make([]tiers.Tier, j.space.MaxMarks()+1)}
	r := TierResult{Tiers: make([]TierCounts, len(h.Tiers))}
	var all tiers.Counts
	for stage := range outputs.Stages() {
		pass, marks, ok := j.passAndTier(stage)
		if !ok || pass != passSolve {
			continue
		}
		list, err := j.space.Slices(context.Background(), marks)
		if err != nil {
			return nil, err
		}
		t := &h.Tiers[marks]
		t.Marks = marks
		for i, slice := range list {
			out, err := decodeJSONOutput[tierOutput](outputs, stage, i)
			if err != nil {
				return nil, err
			}
			t.Add(out.Counts)
			t.Slices = append(t.Slices, tiers.Stored{Slice: slice, Sum: out.Sum})
		}
		r.Tiers[marks] = TierCounts{marks, t.Counts, len(list)}
		all.Add(t.Counts)
	}
	var buf []byte
	load := func(marks, index int) (_ []byte, err error) { // each in the place of the one before
		buf, err = j.loadCheckedTable(outputs, passSolve, marks, index, buf)
		return buf, err
	}
	told, err := j.FromTiers(j.space.Values(load))
	if err != nil {
		return nil, err
	}
	r.SolveResult = *told
	r.Method, r.Estimate = j.planned.Method, &j.planned.Estimate
	r.Positions, r.Classes = all.Positions, int(all.Stored)
	if j.strong {
		f, err := create(SolutionFile)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(tiers.WriteTables(f, h, load), f.Close()); err != nil {
			return nil, err
		}
	}
	return marshalWithoutSeconds(r)
}
