package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// limits is the most that a job may ask for. It is asked when a job comes, and
// again when it begins: the server that took it may have allowed more.
// A part may have half of the memory that the program may come to.
func (c *Scheduler) limits() jobs.Limits { return jobs.Limits{Memory: int64(c.most / 2)} }

// verbName is the name of a kind of job that visitors may ask for.
// All other names are refused by its schema.
type verbName string

// Schema lists the names.
// It implements huma's SchemaProvider.
func (verbName) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, v := range jobs.Verbs() {
		if !v.Private {
			s.Enum = append(s.Enum, v.Name)
		}
	}
	s.PrecomputeMessages()
	return s
}

// isContest reports whether a job of that verb is a match or tournament.
// An unknown verb is none.
func isContest(verb string) bool {
	v, err := jobs.FindVerb(verb)
	return err == nil && v.Plays
}

// jobProblem is the problem of a job whose error says which field it is about.
// It carries the value that the field has in the arguments; any other error is about them as a whole.
func jobProblem(w jobs.Job, err error) error {
	f, ok := errors.AsType[*lab.Fault](err)
	if !ok {
		return service.FieldProblem("args", nil, err)
	}
	var args map[string]any
	_ = json.Unmarshal(w.Args, &args) // no object has no values
	return service.FieldProblem(f.Field, args[strings.TrimPrefix(f.Field, "args.")], err)
}

// vetJob refuses a job that makes no sense or takes more than its share, and returns how many bytes of memory are to
// be reserved for it.
// The job is opened for that alone, in a slot, and let go.
func (s *jobsAPI) vetJob(ctx context.Context, w jobs.Job) (memory int64, err error) {
	if _, err := s.OpenGame(ctx, w.Game); err != nil {
		return 0, service.FieldProblem("game", w.Game, err)
	}
	var args any
	if len(w.Args) > 0 {
		if err := json.Unmarshal(w.Args, &args); err != nil {
			return 0, service.FieldProblem("args", nil, err)
		}
	}
	if err := vetPlayers(args, "args"); err != nil {
		return 0, err
	}
	if err := jobs.CheckVisitorJob(w, s.scheduler.limits()); err != nil {
		return 0, jobProblem(w, err)
	}
	if err := s.vetConnectedBots(w); err != nil {
		return 0, err
	}
	leave, err := s.Heavy.Enter(ctx)
	if err != nil {
		return 0, err
	}
	defer leave()
	j := &Job{scheduler: s.scheduler, Record: Record{Title: Title{Job: w}}}
	work, err := jobs.OpenJob(ctx, j.labWithBots(), w)
	if err != nil {
		return 0, jobProblem(w, err)
	}
	return min(work.MemoryPerPart(), s.scheduler.limits().Memory), nil
}

// vetPlayers refuses players and learners, in any text of a value, that would
// reach outside or take more than their share.
// It goes down into lists and objects; errors name the place of the text. A text is read as a player or as a pool
// of them, whatever argument it is of.
func vetPlayers(v any, place string) error {
	switch v := v.(type) {
	case string:
		for player := range strings.SplitSeq(strings.TrimPrefix(v, "pool:"), "|") {
			if err := service.VetPlayer(player); err != nil {
				return service.FieldProblem(place, v, err)
			}
		}
	case []any:
		for i, x := range v {
			if err := vetPlayers(x, fmt.Sprintf("%s[%d]", place, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, x := range v {
			if err := vetPlayers(x, place+"."+key); err != nil {
				return err
			}
		}
	}
	return nil
}
