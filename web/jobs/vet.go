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

// vetJob refuses a job that makes no sense or takes more than its share.
// The job is opened for its errors alone, in a slot, and let go.
func (s *jobsAPI) vetJob(ctx context.Context, w jobs.Job) error {
	if _, err := s.OpenGame(ctx, w.Game); err != nil {
		return service.FieldProblem("game", w.Game, err)
	}
	if err := vetPlayersInArgs(w.Args, "args"); err != nil {
		return err
	}
	if err := jobs.CheckVisitorJob(w, s.scheduler.limits()); err != nil {
		return jobProblem(w, err)
	}
	if err := s.vetConnectedBots(w); err != nil {
		return err
	}
	leave, err := s.Heavy.Enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if _, err := jobs.OpenJob(ctx, (&Job{scheduler: s.scheduler, Record: Record{Title: Title{Job: w}}}).labWithBots(),
		w); err != nil {
		return jobProblem(w, err)
	}
	return nil
}

// vetPlayersInArgs refuses players and learners, anywhere in the arguments, that would
// reach outside or take more than their share.
// None at all are fine. The place is what errors call them.
func vetPlayersInArgs(data json.RawMessage, place string) error {
	if len(data) == 0 {
		return nil
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return service.FieldProblem(place, nil, err)
	}
	return vetPlayersInValue(v, place)
}

// vetPlayersInValue refuses players in any text of a value that the server must not play.
// It goes down into lists and objects; errors name the place of the text. A text is read as a player or as a pool
// of them, whatever argument it is of.
func vetPlayersInValue(v any, place string) error {
	switch v := v.(type) {
	case string:
		for player := range strings.SplitSeq(strings.TrimPrefix(v, "pool:"), "|") {
			if err := service.VetPlayer(player); err != nil {
				return service.FieldProblem(place, v, err)
			}
		}
	case []any:
		for i, x := range v {
			if err := vetPlayersInValue(x, fmt.Sprintf("%s[%d]", place, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, x := range v {
			if err := vetPlayersInValue(x, place+"."+key); err != nil {
				return err
			}
		}
	}
	return nil
}
