package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// The most brains that are kept under names.
const brainsKept = 1000

// brainRecord is what the store keeps of a brain beside itself.
// The owner is who saved it and may delete it; anybody may play against it.
type brainRecord struct {
	Name  string    `json:"name"`
	Owner string    `json:"owner"`
	Made  time.Time `json:"made"`
	lab.BrainFacts
}

// Brain is a brain that was saved under a name.
type Brain struct {
	Brain  string    `json:"brain" doc:"its name: brain: and this is a player"`
	Mine   bool      `json:"mine"`
	Made   time.Time `json:"made"`
	Game   string    `json:"game"`
	Learns string    `json:"learner"`
	Vs     string    `json:"against" doc:"whom it has learned from"`
	Games  int       `json:"games" doc:"how many games it has learned from"`
}

// BrainList lists brains.
type BrainList struct {
	Brains []Brain `json:"brains"`
}

// SaveRequest says which brain of a job to keep, and under what name.
// A name that was given stays given until its brain is deleted.
type SaveRequest struct {
	Brain string `json:"brain" maxLength:"100" doc:"one of the job's brains; RUN alone, such as 1, is that run's as it is now"`
	Name  string `json:"name" minLength:"1" maxLength:"40" pattern:"^[a-z0-9][a-z0-9-]*$" doc:"letters, digits and dashes" example:"boxes-500"`
}

// BrainReply is what a brain is and what it has learned.
type BrainReply struct {
	lab.BrainFacts
	Shown json.RawMessage `json:"shown" doc:"what it has learned: summary, weights, boxes, positions and the last game, as far as its kind has them"`
}

// LookRequest asks what a brain makes of a position.
// What is asked about is the position after the moves; the game is the brain's own.
type LookRequest struct {
	Brain    string   `json:"brain" minLength:"1" maxLength:"100"`
	Position string   `json:"position,omitempty" maxLength:"4000" doc:"without it the start"`
	Moves    []string `json:"moves,omitempty" maxItems:"2000"`
}

// LookReply is what a brain makes of a position: for each move how likely it
// is to make it, and what its kind has beside that.
type LookReply struct {
	State lab.State       `json:"state"`
	Look  json.RawMessage `json:"look" doc:"the moves with odds, and where the brain has them worth and beads"`
}

// brains answers what is asked about brains.
// They are those that were saved under names of their own, and those that jobs have kept on the way.
type brains struct{ *jobsAPI }

// register registers the operations about brains.
func (s *brains) register() {
	op := func(method, path, id, summary, description string) huma.Operation {
		o := jobOp(method, path, id, summary, description)
		o.Tags = []string{"brains"}
		return o
	}
	service.Register(s.Base, op(http.MethodGet, "/learners", "list-learners", "List the kinds of learners",
		"With their options as they are for a game, and opponents that can play it."),
		func(ctx context.Context, in *struct {
			Game string `query:"game" required:"true" minLength:"1" maxLength:"200"`
		}) (*lab.Catalogue, error) {
			g, err := s.OpenGame(ctx, in.Game)
			if err != nil {
				return nil, service.QueryProblem("game", in.Game, err)
			}
			leave, err := s.Heavy.Enter(ctx)
			if err != nil {
				return nil, err
			}
			defer leave()
			return g.Learning().LearnerCatalogue(), nil
		})
	service.Register(s.Base, op(http.MethodPost, "/jobs/{id}/save", "save-brain",
		"Save what a job has learned under a name", "It is then a player that anybody here can play."), s.saveBrain)
	service.Register(s.Base, op(http.MethodGet, "/brains", "list-brains", "List the brains that were saved",
		"The latest first."), s.listBrains)
	huma.Register(s.API, op(http.MethodDelete, "/brains/{name}", "delete-brain", "Delete a brain", ""), s.deleteBrain)
	s.registerInspection(op)
	service.Post(s.Base, "/look", "look-brain", "Ask what a brain makes of a position", "", s.look)
}

// registerInspection registers what shows a brain.
// Anybody may look into any brain whose name they know.
func (s *brains) registerInspection(op func(method, path, id, summary, description string) huma.Operation) {
	service.Register(s.Base, op(http.MethodGet, "/brain", "show-brain", "Look inside a brain",
		"A name that the list of brains has, or JOB/RUN@GAMES for one that a job kept, or JOB/RUN for a run's brain "+
			"as it is now."),
		func(ctx context.Context, in *struct {
			Brain string `query:"brain" required:"true" minLength:"1" maxLength:"100"`
			Most  int    `query:"most" minimum:"0" maximum:"2000" default:"1000" doc:"how many boxes or positions"`
		}) (*BrainReply, error) {
			g, data, facts, err := s.openBrain(ctx, in.Brain)
			if err != nil {
				return nil, service.QueryProblem("brain", in.Brain, err)
			}
			leave, err := s.Heavy.Enter(ctx)
			if err != nil {
				return nil, err
			}
			defer leave()
			shown, err := g.Learning().ShowBrain(data, in.Most)
			if err != nil {
				return nil, service.QueryProblem("brain", in.Brain, err)
			}
			text, err := json.Marshal(shown)
			return &BrainReply{facts, text}, err
		})
}

// brainName is where a brain of a job's is: JOB/RUN@GAMES, or JOB/RUN for the latest. Runs count from
// 1. Games is how many the learner had played when the brain was kept.
// A brain that was saved has a name without a slash and is none of these.
type brainName struct {
	job        string
	run, games int // games is -1 for the latest
}

// parseBrainName reads such a name, and reports whether it is one.
// That there is such a job or run is not looked at.
func parseBrainName(text string) (brainName, bool) {
	id, at, ok := strings.Cut(text, "/")
	if !ok {
		return brainName{}, false
	}
	run, games, fixed := strings.Cut(at, "@")
	n := brainName{job: id, games: -1}
	var errRun, errGames error
	n.run, errRun = strconv.Atoi(run)
	if fixed {
		n.games, errGames = strconv.Atoi(games)
	}
	return n, errRun == nil && errGames == nil && n.games >= -1
}

// String writes the name as parseBrainName reads it.
func (n brainName) String() string { return fmt.Sprintf("%s/%d@%d", n.job, n.run, n.games) }

// blob is the name under which the job has put the brain down.
func (n brainName) blob() string { return fmt.Sprintf("%s%d/%d", blobBrain, n.run, n.games) }

// ErrNoBrain is the error of a brain that is not there.
// It is told apart from a store that fails.
var ErrNoBrain = errors.New("no brain is called that here")

// ReadBrain reads a brain by its name: the latest of a run from the run itself where that is under
// way, all others from the store. The error is ErrNoBrain where there is none of that name.
// What is read is the brain's file as the command line reads it.
func (c *Scheduler) ReadBrain(ctx context.Context, name string) ([]byte, error) {
	n, ofJob := parseBrainName(name)
	if !ofJob {
		_, data, err := c.Store.Brain(ctx, name)
		return data, c.notFoundAsErrNoBrain(err)
	}
	j, err := c.Find(ctx, n.job)
	if err != nil {
		return nil, c.notFoundAsErrNoBrain(err)
	}
	if n.games < 0 {
		if brain := j.askRunningBrain(ctx, n.run); brain != nil {
			return brain, nil
		}
		n.games = j.gamesOfLastBrain(n.run)
	}
	data, err := c.Store.Blob(ctx, n.job, n.blob())
	return data, c.notFoundAsErrNoBrain(err)
}

// notFoundAsErrNoBrain turns the store's error of what is not there into [ErrNoBrain].
func (c *Scheduler) notFoundAsErrNoBrain(err error) error {
	if errors.Is(err, c.Errs.NotFound) {
		return ErrNoBrain
	}
	return err
}

// gamesOfLastBrain returns after how many games the last brain of a run was kept, -1 where none was.
// Runs count from 1.
func (j *Job) gamesOfLastBrain(run int) (games int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	games = -1
	for _, b := range j.Brains {
		if b.Run == run {
			games = max(games, b.Games)
		}
	}
	return games
}

// liveWait is how long to wait for a run to say how its brain is.
const liveWait = 2 * time.Second

// askRunningBrain asks a run under way for its brain; nil where there is none, or where it does not
// answer soon. The run answers between two games.
func (j *Job) askRunningBrain(ctx context.Context, run int) []byte {
	j.mu.Lock()
	p := j.parts[run-1]
	j.mu.Unlock()
	if p == nil {
		return nil
	}
	// The answer has room, so that the run never waits for who asks.
	ask := make(chan []byte, 1)
	select {
	case p.asks <- ask:
		return <-ask
	case <-p.done:
	case <-time.After(liveWait):
	case <-ctx.Done():
	}
	return nil
}

// storeBrainIfDue keeps the brain of a report, where it is time to. A run has about [brainsOfRun] of
// them, evenly over its games; the last one is kept by its output.
// The index is the part's, from 0; last says that the run is being stopped, when whatever there is is kept. A
// brain that can't be kept is logged, and the run goes on.
func (j *Job) storeBrainIfDue(p *partRun, index int, r jobs.Report, last bool) {
	// How many of brainsOfRun equal stretches of the run are over.
	step := brainsOfRun * r.Done / max(1, r.Total)
	if r.Checkpoint == nil || !last && (index >= runsOfMarks || step <= p.step || r.Done == r.Total) {
		return
	}
	p.step = step
	data, err := r.Checkpoint()
	if err == nil {
		err = j.storeBrain(index+1, data)
	}
	if err != nil {
		j.scheduler.Log.Error("a brain was not kept", "job", j.ID, "reason", err)
	}
}

// storeBrain keeps the brain of a checkpoint or an output. One that was kept before, after the same
// number of games, is listed once.
// The blob is written before the brain is listed, so that a listed one is there. The list is sorted by run and
// games.
func (j *Job) storeBrain(run int, state []byte) error {
	brain, err := jobs.ExtractBrain(state)
	if err != nil {
		return err
	}
	facts, err := lab.ReadBrainFacts(brain)
	if err != nil {
		return err
	}
	n := brainName{j.ID, run, facts.Games}
	if err := j.putBlob(n.blob(), brain); err != nil {
		return err
	}
	return j.Change(func(p *Record) error {
		b := JobBrain{n.String(), run, facts.Games}
		if !slices.Contains(p.Brains, b) {
			// The job's own list is not written into, as the change may yet fail.
			p.Brains = append(slices.Clone(p.Brains), b)
			slices.SortFunc(p.Brains, func(a, b JobBrain) int { return cmp.Or(a.Run-b.Run, a.Games-b.Games) })
		}
		return nil
	})
}

// openBrain reads a brain and opens its game.
// The error is [ErrNoBrain] where there is none of that name.
func (s *brains) openBrain(ctx context.Context, name string) (
	game *service.Opened, brain []byte, facts lab.BrainFacts, err error) {
	data, err := s.scheduler.ReadBrain(ctx, name)
	if err == nil {
		facts, err = lab.ReadBrainFacts(data)
	}
	if err != nil {
		return nil, nil, facts, err
	}
	g, err := s.OpenGame(ctx, facts.Game)
	return g, data, facts, err
}

// look answers what a brain makes of a position. It replays the moves to know the position, and takes
// a slot, as a brain may search.
func (s *brains) look(ctx context.Context, in *LookRequest) (*LookReply, error) {
	_, data, facts, err := s.openBrain(ctx, in.Brain)
	if err != nil {
		return nil, service.FieldProblem("brain", in.Brain, err)
	}
	g, t, _, err := s.ReplayMoves(ctx, service.Place{Game: facts.Game, Position: in.Position, Moves: in.Moves})
	if err != nil {
		return nil, err
	}
	leave, err := s.Heavy.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	r := &LookReply{State: t.State()}
	limited, cancel := context.WithTimeout(ctx, s.Longest)
	defer cancel()
	look, err := g.Learning().LookWithBrain(limited, data, r.State.Position)
	if err != nil {
		return nil, service.FieldProblem("brain", in.Brain, err)
	}
	r.Look, err = json.Marshal(look)
	return r, err
}

// saveBrain keeps a brain of a job's under a name. Only the owner of the job may, and a name is given
// once.
func (s *brains) saveBrain(ctx context.Context, in *struct {
	JobPath
	Body SaveRequest
}) (*Brain, error) {
	body := in.Body
	j, owner, err := s.findJob(ctx, in.JobPath)
	if err != nil {
		return nil, err
	}
	if j.Owner != owner {
		return nil, service.NewProblem(403, "job.theirs")
	}
	name := body.Brain
	if !strings.Contains(name, "/") {
		name = j.ID + "/" + name
	}
	n, ok := parseBrainName(name)
	if !ok || n.job != j.ID {
		return nil, service.FieldProblem("brain", body.Brain, errors.New("it is not one of the job's"))
	}
	data, err := s.scheduler.ReadBrain(ctx, name)
	if err != nil {
		return nil, service.FieldProblem("brain", body.Brain, err)
	}
	facts, err := lab.ReadBrainFacts(data)
	if err != nil {
		return nil, service.FieldProblem("brain", body.Brain, err)
	}
	all, err := s.Store.Brains(ctx, brainsKept)
	if err != nil {
		return nil, s.StoreProblem(err, "")
	}
	// Two that are saved at the same moment may make it one more, which does no harm.
	if len(all) >= brainsKept {
		return nil, service.BusyProblem("brains.many", 60)
	}
	paper := brainRecord{body.Name, owner, time.Now(), facts}
	doc, err := json.Marshal(paper)
	if err != nil {
		return nil, err
	}
	err = s.Store.AddBrain(body.Name, doc, data)
	if errors.Is(err, s.Errs.Taken) {
		err = service.FieldProblem("name", body.Name,
			errors.New("a brain of that name is there already; choose another"))
	}
	return new(paper.view(owner)), s.StoreProblem(err, "")
}

// view shows a brain to a visitor.
// The owner is that of who asks, empty for nobody.
func (p brainRecord) view(owner string) Brain {
	return Brain{Brain: p.Name, Mine: p.Owner == owner, Made: p.Made, Game: p.Game, Learns: p.Learner, Vs: p.Against,
		Games: p.Games}
}

// listBrains lists the brains that were saved, of all games or of one.
// They are everybody's, the latest first.
func (s *brains) listBrains(ctx context.Context, in *struct {
	service.Visitor
	Game string `query:"game" maxLength:"200" doc:"only those of this game"`
}) (*BrainList, error) {
	owner, err := s.OwnerOf(ctx, in.Visitor)
	if err != nil {
		return nil, err
	}
	game, err := s.canonicalSpec(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	docs, err := s.Store.Brains(ctx, brainsKept)
	kept, err := service.ReadDocs[brainRecord](s.Base, docs, err)
	if err != nil {
		return nil, err
	}
	list := BrainList{Brains: []Brain{}}
	for _, p := range kept {
		if game == "" || p.Game == game {
			list.Brains = append(list.Brains, p.view(owner))
		}
	}
	return &list, nil
}

// canonicalSpec returns the usual form of the spec that a list is asked for; empty for all games.
// Brains and jobs hold specs in that form, so that the two are compared as text.
func (s *jobsAPI) canonicalSpec(ctx context.Context, game string) (string, error) {
	if game == "" {
		return "", nil
	}
	g, err := s.OpenGame(ctx, game)
	if err != nil {
		return "", service.QueryProblem("game", game, err)
	}
	return g.Info().Spec, nil
}

// deleteBrain forgets a brain of the visitor's.
// Somebody else's is a problem of status 403.
func (s *brains) deleteBrain(ctx context.Context, in *struct {
	service.Visitor
	Name string `path:"name" maxLength:"40"`
}) (*struct{}, error) {
	owner, err := s.OwnerOf(ctx, in.Visitor)
	if err != nil {
		return nil, err
	}
	var p brainRecord
	doc, _, err := s.Store.Brain(ctx, in.Name)
	if err == nil {
		err = json.Unmarshal(doc, &p)
	}
	if err != nil {
		return nil, s.StoreProblem(err, "no.brain")
	}
	if p.Owner != owner {
		return nil, service.NewProblem(403, "brain.theirs")
	}
	return nil, s.StoreProblem(s.Store.DropBrain(in.Name), "no.brain")
}
