package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"oxo/lab"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// PupilRequest asks for a learner to be taught by hand.
type PupilRequest struct {
	Game    string  `json:"game" minLength:"1" maxLength:"200" doc:"the game's spec" example:"ttt"`
	Learner string  `json:"learner,omitempty" maxLength:"2000" doc:"the learner's spec; not of one that a brain is" example:"menace:as=michie"`
	Seats   string  `json:"seats,omitempty" enum:"alternate,first,second" doc:"which side the learner plays; without it both in turn"`
	Start   string  `json:"start,omitempty" maxLength:"200" doc:"how games begin; without it with the empty board"`
	Seed    *uint64 `json:"seed,omitempty" doc:"what the learner draws from; without it the server draws one"`
	Name    string  `json:"name,omitempty" maxLength:"80" doc:"what to call it"`
	Head    int     `json:"head,omitempty" minimum:"0" maximum:"100000" doc:"a head start: games that it plays against itself first"`
	Brain   string  `json:"brain,omitempty" maxLength:"100" doc:"a brain to go on from"`
}

// Pupil is a learner that a person teaches, with the game under way.
type Pupil struct {
	ID      string    `json:"id" doc:"brain:ID/1 is a player, and the brain that POST /jobs/ID/save saves; DELETE /jobs/ID deletes it"`
	Mine    bool      `json:"mine" doc:"whether who asks may teach it"`
	Name    string    `json:"name,omitempty"`
	Made    time.Time `json:"made"`
	Game    string    `json:"game"`
	Learner string    `json:"learner"`
	Seats   string    `json:"seats"`
	Seed    uint64    `json:"seed"`
	Head    int       `json:"head" doc:"games of its head start"`
	Results string    `json:"results" doc:"of the games taught by hand, a letter each: w where the learner won, t a tie, l lost"`
	lab.Tally

	Lesson *LessonView `json:"lesson,omitempty" doc:"the game under way, or the last one; lists leave it out"`
}

// LessonView is a game in which a learner is taught.
type LessonView struct {
	Seat     string     `json:"seat" enum:"first,second" doc:"the learner's"`
	Start    string     `json:"start" doc:"the position that it began from"`
	Moves    []string   `json:"moves" doc:"all of them, chance's included"`
	Ply      int        `json:"ply" doc:"how many moves there are"`
	State    lab.State  `json:"state"`
	Owned    [][]int    `json:"owned" doc:"complete winning sets, each as squares by their order in the game's squares"`
	Over     bool       `json:"over"`
	Result   string     `json:"result" enum:"first,second,draw,*" doc:"* while it goes on"`
	Resigned bool       `json:"resigned" doc:"whether a side gave up"`
	Steps    []lab.Step `json:"steps" doc:"the moves of both sides, with the box that the learner drew from"`

	Considered *lab.Considered `json:"considered,omitempty" doc:"what the learner makes of the position of its last move: beads, worths, features"`
	Taught     *lab.Taught     `json:"taught,omitempty" doc:"what the game changed, once it is over"`
	Answered   []lab.Term      `json:"answered,omitempty" doc:"why a static player, in the teacher's place, made its last move"`

	Depth    int         `json:"depth,omitempty" doc:"plies that a learner which searches looks ahead"`
	Features []string    `json:"features" doc:"of a learner that is a weighted sum"`
	Weights  [][]float64 `json:"weights" doc:"how its weights were when the game began, after each of its moves, and at the end"`
}

// PupilList lists learners that are taught.
type PupilList struct {
	Pupils []Pupil `json:"pupils"`
}

// WeightRow is a learner's weights at a point of a game.
type WeightRow struct {
	Game    int       `json:"game" doc:"from 1"`
	Weights []float64 `json:"weights"`
}

// WeightRows are a learner's weights over the moves of the games that have ended.
type WeightRows struct {
	Features []string    `json:"features"`
	Rows     []WeightRow `json:"rows"`
}

// TeachRequest is what the teacher does: a move, one that a player makes in the
// teacher's place, or giving up.
// Exactly one of move, player and resign is given.
type TeachRequest struct {
	Ply    int    `json:"ply" minimum:"0" maximum:"100000" doc:"how many moves there were before it, so that one that comes twice does no harm"`
	Move   string `json:"move,omitempty" maxLength:"100"`
	Player string `json:"player,omitempty" maxLength:"400" doc:"a player's spec, in place of a move" example:"static:depth=3"`
	All    bool   `json:"all,omitempty" doc:"the player goes on to the end of the game"`
	Resign bool   `json:"resign,omitempty"`
}

// AdjustRequest changes a learner while it plays.
type AdjustRequest struct {
	Ply     int       `json:"ply" minimum:"0" maximum:"100000" doc:"how many moves there are"`
	Weights []float64 `json:"weights,omitempty" minItems:"1" maxItems:"1000" doc:"of a weighted sum of features"`
	Depth   int       `json:"depth,omitempty" minimum:"1" maximum:"20" doc:"plies that it looks ahead, where it searches"`
}

// pupilOp describes an operation about learners that are taught.
func pupilOp(method, path, id, summary, description string) huma.Operation {
	o := jobOp(method, "/pupils"+path, id, summary, description)
	o.Tags = []string{"pupils"}
	return o
}

// pupils answers what is asked about learners that people teach.
// A learner is a job without work to do: it has an owner, a name and a place in the store as others
// have.
// Its learners are in the store alone, so each request reads one, plays its game again and writes back what
// changed.
type pupils struct {
	*jobsAPI
	taught [64]sync.Mutex // of learners, by their ids
}

// register registers the operations about learners that people teach.
// What teaches is for the owner; who knows a learner's id may look at it and fetch its brain.
func (s *pupils) register() {
	op := pupilOp
	add := op(http.MethodPost, "", "add-pupil", "Teach a learner by hand",
		"It plays against who teaches it and learns after each game what the same moves teach it in a training. "+
			"It is kept like a job, and its first game begins.")
	add.Middlewares = huma.Middlewares{s.LimitCreation}
	huma.Register(s.API, add, s.addPupil)
	service.Register(s.Base, op(http.MethodGet, "", "list-pupils", "List the learners that one teaches",
		"The latest first."), s.listPupils)
	huma.Register(s.API, op(http.MethodGet, "/{id}", "show-pupil", "Show a learner that is taught", "With its game."),
		func(ctx context.Context, in *JobPath) (*reply[Pupil], error) {
			return s.changeOrShowLesson(ctx, *in, nil)
		})
	s.registerTeaching()
	service.Register(s.Base, op(http.MethodGet, "/{id}/weights", "pupil-weights",
		"Show a learner's weights over the moves",
		"Of the games that have ended; the game under way has its own."),
		func(ctx context.Context, in *JobPath) (*WeightRows, error) {
			data, err := s.jobBlob(ctx, *in, blobRows, "job.no-games")
			if err != nil {
				return nil, err
			}
			var rows WeightRows
			return &rows, json.Unmarshal(data, &rows)
		})
	file := op(http.MethodGet, "/{id}/brain", "pupil-brain", "Fetch a learner's brain",
		"As a file for the command line: oxo train --resume goes on with it.")
	file.Responses = service.Answer("The file", "application/json", &huma.Schema{Type: huma.TypeObject})
	huma.Register(s.API, file, func(ctx context.Context, in *JobPath) (*fileReply, error) {
		data, err := s.scheduler.ReadBrain(ctx, in.ID+"/1")
		if errors.Is(err, ErrNoBrain) {
			return nil, service.NewProblem(404, "no.learner")
		}
		return &fileReply{"application/json", `attachment; filename="taught.brain"`, data}, s.StoreProblem(err, "")
	})
}

// registerTeaching registers what a teacher does.
// Each answers with the learner and its game as they are then.
func (s *pupils) registerTeaching() {
	op := pupilOp
	huma.Register(s.API, op(http.MethodPost, "/{id}/move", "teach-move", "Move in a lesson",
		"The learner answers at once. Where that ends the game it has learned from it, and what it learned is in the "+
			"store."),
		func(ctx context.Context, in *struct {
			JobPath
			Body TeachRequest
		}) (*reply[Pupil], error) {
			return s.changeOrShowLesson(ctx, in.JobPath,
				func(l *lessonRecord) error { return l.addRequestedAction(in.Body) })
		})
	huma.Register(s.API, op(http.MethodPost, "/{id}/again", "teach-again", "Begin the next lesson",
		"A game that has not ended is given up: nothing is learned from it."),
		func(ctx context.Context, in *struct {
			JobPath
			Body *struct {
				Seats string `json:"seats,omitempty" enum:"alternate,first,second" doc:"which side the learner plays from now on"`
			}
		}) (*reply[Pupil], error) {
			return s.changeOrShowLesson(ctx, in.JobPath, func(l *lessonRecord) error {
				l.Ended, l.Plays = nil, nil
				if in.Body != nil && in.Body.Seats != "" {
					l.Seats = in.Body.Seats
				}
				return nil
			})
		})
	huma.Register(s.API, op(http.MethodPost, "/{id}/weights", "teach-weights", "Change a learner's weights or depth",
		"They act on its next move. For learners that are a weighted sum of features, and that search."),
		func(ctx context.Context, in *struct {
			JobPath
			Body AdjustRequest
		}) (*reply[Pupil], error) {
			return s.changeOrShowLesson(ctx, in.JobPath,
				func(l *lessonRecord) error { return l.addAdjustment(in.Body) })
		})
}
