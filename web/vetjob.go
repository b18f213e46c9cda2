package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"oxo/lab"
)

// The most that a job may ask for.
const (
	pointsOfJob = 400_000
	runsOfJob   = 1000
	gamesOfJob  = 200_000 // of a match or tournament, whose results are kept in memory
	partsOfJob  = 20_000
	pliesOfJob  = 400 // that openings are long
)

// jobLimits are what is looked at of a job's arguments before anything is done
// with them.
type jobLimits struct {
	Games     int      `json:"games"`
	Runs      int      `json:"runs"`
	ExamEvery int      `json:"exam_every"`
	Memory    int64    `json:"memory"`
	Tiers     bool     `json:"tiers"`
	Players   []string `json:"players"`
	Chunk     int      `json:"chunk"`
	Openings  int      `json:"openings"`
}

// excess is an argument that asks for more than its share.
type excess struct {
	field string
	value any
	why   error
}

// contest finds a match or tournament of too many games or parts, or with
// openings that take too long to be drawn.
func (l *jobLimits) contest() *excess {
	n := len(l.Players)
	pairs := max(1, n*(n-1)/2)
	switch {
	case l.Games > gamesOfJob/pairs:
		return &excess{"args.games", l.Games, fmt.Errorf("at most %d games in all, which are %d between each two", gamesOfJob, gamesOfJob/pairs/2*2)}
	case l.Openings > pliesOfJob:
		return &excess{"args.openings", l.Openings, fmt.Errorf("at most %d moves", pliesOfJob)}
	case l.Chunk > 0 && l.Games*pairs/l.Chunk > partsOfJob:
		return &excess{"args.chunk", l.Chunk, fmt.Errorf("the games would come in more than %d parts; play more of them in each", partsOfJob)}
	}
	return nil
}

// excess finds what is too much in a job's arguments; nil where nothing is. It
// is asked when a job comes, and again when it begins: the server that took it
// may have allowed more.
func (c *crew) excess(w lab.Job) *excess {
	var l jobLimits
	if len(w.Args) > 0 {
		_ = json.Unmarshal(w.Args, &l) // what is of another type, lab refuses
	}
	if w.Verb == "match" || w.Verb == "tournament" {
		if e := l.contest(); e != nil {
			return e
		}
	}
	half := int64(c.most / 2)
	switch {
	case l.Runs > runsOfJob:
		return &excess{"args.runs", l.Runs, fmt.Errorf("at most %d runs", runsOfJob)}
	case l.ExamEvery > 0 && l.Games/l.ExamEvery > pointsOfJob/max(1, l.Runs):
		return &excess{"args.exam_every", l.ExamEvery, fmt.Errorf("the runs would have more than %d exams in all; examine less often", pointsOfJob)}
	case l.Tiers:
		return &excess{"args.tiers", l.Tiers, errors.New("tables of tiers can fill the disk, so they are not made for visitors; on a cluster: oxo submit solve GAME --strong, on one machine: oxo solve GAME --strong --tiers")}
	case l.Memory > half:
		return &excess{"args.memory", l.Memory, fmt.Errorf("at most %d bytes here", half)}
	}
	return nil
}

// vetJob refuses a job that makes no sense or takes more than its share.
func (s *Server) vetJob(ctx context.Context, w lab.Job) error {
	if _, err := s.opened.open(w.Game); err != nil {
		return wrong("game", w.Game, err)
	}
	if err := vetArgs(w.Args, "args"); err != nil {
		return err
	}
	if e := s.crew.excess(w); e != nil {
		return wrong(e.field, e.value, e.why)
	}
	if err := s.vetBots(w); err != nil {
		return err
	}
	leave, err := s.heavy.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if _, err := (&job{crew: s.crew, jobPaper: jobPaper{jobTitle: jobTitle{Job: w}}}).lab().Work(w); err != nil {
		return wrong(argOf(w, err), nil, err)
	}
	return nil
}

// vetArgs refuses players and learners, anywhere in the arguments, that would
// reach outside or take more than their share.
func vetArgs(data json.RawMessage, place string) error {
	if len(data) == 0 {
		return nil
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return wrong(place, nil, err)
	}
	return vetValue(v, place)
}

func vetValue(v any, place string) error {
	switch v := v.(type) {
	case string:
		for _, player := range strings.Split(strings.TrimPrefix(v, "pool:"), "|") {
			if err := vet(player); err != nil {
				return wrong(place, v, err)
			}
		}
	case []any:
		for i, x := range v {
			if err := vetValue(x, fmt.Sprintf("%s[%d]", place, i)); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, x := range v {
			if err := vetValue(x, place+"."+key); err != nil {
				return err
			}
		}
	}
	return nil
}

// argOf returns the field that an error is about, as far as it says so: it
// begins with the argument's name, or quotes it or its value.
func argOf(w lab.Job, err error) string {
	text := strings.TrimPrefix(err.Error(), w.Verb+": ")
	if strings.HasPrefix(text, "game ") {
		return "game"
	}
	var args map[string]json.RawMessage
	_ = json.Unmarshal(w.Args, &args) // no object has no fields
	names := []string{"learner", "against"}
	for name := range args {
		names = append(names, name)
	}
	slices.Sort(names)
	word := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), `argument "`), `"`)
	if i := strings.IndexAny(word, `: "`); i >= 0 {
		word = word[:i]
	}
	if slices.Contains(names, word) {
		return "args." + word
	}
	for _, name := range names {
		var one string
		var list []string
		_ = json.Unmarshal(args[name], &one)
		_ = json.Unmarshal(args[name], &list)
		for i, s := range append(list, one) {
			if s == "" || !strings.Contains(text, fmt.Sprintf("%q", s)) {
				continue
			}
			if i < len(list) {
				return fmt.Sprintf("args.%s[%d]", name, i)
			}
			return "args." + name
		}
	}
	return "args"
}

// isProblem reports whether an error is a problem that can be answered as it
// is.
func isProblem(err error) bool {
	var known huma.StatusError
	return errors.As(err, &known)
}
