package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"strings"

	"oxo/lab"
	"oxo/lab/jobs"
	"oxo/web/service"
)

// verbTeach is the verb of jobs that are learners taught by hand: the work is their
// owner's, so that no scheduler has it in hand.
const verbTeach = "teach"

// What is kept of a learner beside its brain.
const (
	// The lesson is a lessonRecord, the rows are WeightRows; both are JSON.
	blobLesson = "lesson"
	blobRows   = "weights"
)

// mostRows is how many rows of weights are kept; of more the oldest are dropped.
// A row is the weights at one point of a game.
const mostRows = 5000

// teachArgs are what a learner that is taught began with.
// They are the job's arguments, never changed; what the learner is like now is in its lesson.
type teachArgs struct {
	Learner string `json:"learner"`
	Against string `json:"against"` // human
	Head    int    `json:"head,omitempty"`
}

// teacherAction is what a teacher did in the game under way.
// It is a move, giving up, or a change of the weights or of the depth, which is no move.
type teacherAction struct {
	Move     string    `json:"move,omitempty"`
	Resigned bool      `json:"resigned,omitempty"`
	Weights  []float64 `json:"weights,omitempty"`
	Depth    int       `json:"depth,omitempty"`

	Terms []lab.Term `json:"terms,omitempty"` // why a player moved so in the teacher's place; of the last move only
}

// adjusts reports whether it is no move, but a change of the learner.
func (p teacherAction) adjusts() bool { return p.Weights != nil || p.Depth > 0 }

// lessonRecord is what the store keeps of teaching beside the brain after the last
// game that ended. The game under way is what follows from both.
// It is small, as the game is played again from its moves at each request.
// What follows the blank line is of the request under way and is not kept.
type lessonRecord struct {
	Games   int             `json:"games"`             // that the brain has learned from
	Learner string          `json:"learner,omitempty"` // its spec, where it is another one than at first
	Seats   string          `json:"seats,omitempty"`
	Plays   []teacherAction `json:"plays,omitempty"`
	Ended   *LessonView     `json:"ended,omitempty"` // the last game, until the next begins
	Results string          `json:"results,omitempty"`

	ply    int    // how many moves the request says there are, -1 for any number
	player string // who moves in the teacher's place
	all    bool
}

// addRequestedAction adds what the teacher does: a move, a player to move in the teacher's place, or
// giving up.
// It only notes it; whether it is legal shows when the game is played again. After the end of a game it does
// nothing, so that a move that comes twice is answered with the game as it ended.
func (l *lessonRecord) addRequestedAction(in TeachRequest) error {
	l.ply = in.Ply
	switch {
	case l.Ended != nil:
		return nil
	case in.Resign && in.Move+in.Player == "":
		l.Plays = append(l.Plays, teacherAction{Resigned: true})
	case in.Player != "" && in.Move == "" && !in.Resign:
		if err := service.VetPlayer(in.Player); err != nil {
			return service.FieldProblem("player", in.Player, err)
		}
		l.player, l.all = in.Player, in.All
	case in.Move != "" && in.Player == "" && !in.Resign:
		l.Plays = append(l.Plays, teacherAction{Move: in.Move})
	default:
		return service.FieldProblem("move", in.Move,
			errors.New("a move, a player or resign is needed, and only one of them"))
	}
	return nil
}

// addAdjustment adds a change of the learner.
// Several changes between two moves become one, in which the latest of each value counts.
func (l *lessonRecord) addAdjustment(in AdjustRequest) error {
	if l.Ended != nil {
		return service.NewProblem(409, "begin-next")
	}
	if in.Weights == nil && in.Depth == 0 {
		return service.FieldProblem("weights", in.Weights, errors.New("weights or depth are needed"))
	}
	l.ply = in.Ply
	if n := len(l.Plays); n > 0 && l.Plays[n-1].adjusts() { // of one slider, the last place counts
		before := l.Plays[n-1]
		l.Plays, in.Depth = l.Plays[:n-1], cmp.Or(in.Depth, before.Depth)
		if in.Weights == nil {
			in.Weights = before.Weights
		}
	}
	l.Plays = append(l.Plays, teacherAction{Weights: in.Weights, Depth: in.Depth})
	return nil
}

// pupilSeed spreads learners over the locks.
var pupilSeed = maphash.MakeSeed()

// lockLearner lets one request at a time teach a learner.
// The caller calls what it returns. Learners that share a lock wait for one another, which costs
// time alone.
func (s *pupils) lockLearner(id string) (unlock func()) {
	m := &s.taught[maphash.String(pupilSeed, id)%uint64(len(s.taught))]
	m.Lock()
	return m.Unlock
}

// addPupil begins to keep a learner that is taught by hand, and its first game.
// It counts as one of the owner's jobs, and is refused where there are too many.
// Its job is done from the start, as there is nothing for the scheduler to run.
func (s *pupils) addPupil(ctx context.Context, asked *struct {
	service.Visitor
	Body PupilRequest
}) (*reply[Pupil], error) {
	in := asked.Body
	owner, err := s.OwnerOf(ctx, asked.Visitor)
	if err != nil {
		return nil, err
	}
	seed := seedOrDrawn(in.Seed)
	brain, facts, err := s.newBrain(ctx, in, seed)
	if err != nil {
		return nil, err
	}
	out := &reply[Pupil]{}
	if owner, out.SetCookie, err = s.EnsureOwner(ctx, owner); err != nil {
		return nil, err
	}
	args, err := json.Marshal(teachArgs{facts.Learner, lab.Human, in.Head})
	if err != nil {
		return nil, err
	}
	j := s.newJob(ctx, owner, in.Name, jobs.Job{Verb: verbTeach, Game: facts.Game, Args: args, Seed: seed})
	j.State = Done
	if err = s.scheduler.checkStoredJobQuota(ctx, owner); err == nil {
		err = j.addToStore()
	}
	l := &lessonRecord{Games: facts.Games, Seats: facts.Seats, ply: -1}
	if err == nil {
		err = j.storeTaughtBrainAndLesson(brain, l)
	}
	if err != nil {
		return nil, s.StoreProblem(err, "no.job.more")
	}
	out.Body, err = s.replayAndShow(ctx, j, owner, l, true)
	return out, err
}

// newBrain returns the brain that a learner begins with.
// The head start is part of the request, and bounded in time as any other computing. The error
// names the field at fault.
func (s *pupils) newBrain(ctx context.Context, in PupilRequest,
	seed uint64) (brain []byte, facts lab.BrainFacts, err error) {
	g, err := s.OpenGame(ctx, in.Game)
	if err != nil {
		return nil, facts, service.FieldProblem("game", in.Game, err)
	}
	for field, word := range map[string]string{"learner": in.Learner, "start": in.Start} {
		if err := service.VetPlayer(word); err != nil {
			return nil, facts, service.FieldProblem(field, word, err)
		}
	}
	o := lab.TrainOptions{Learner: in.Learner, Against: lab.Human, Start: in.Start, Seats: in.Seats, Seed: seed}
	if in.Brain != "" {
		if o.Resume, err = s.scheduler.ReadBrain(ctx, in.Brain); err != nil {
			return nil, facts, service.FieldProblem("brain", in.Brain, err)
		}
	}
	err = s.Compute(ctx, s.Longest, in.Head > 0, func(ctx context.Context) (err error) {
		if brain, err = brainWithHeadStart(ctx, g, o, in.Head); err == nil {
			facts, err = lab.ReadBrainFacts(brain)
		}
		return err
	})
	var f *lab.Fault
	switch {
	case errors.As(err, &f):
		err = service.FieldProblem(f.Field, nil, err)
	case errors.Is(err, context.Canceled) && ctx.Err() == nil:
		err = service.FieldProblem("head", in.Head, fmt.Errorf("it takes more than %v; fewer games do", s.Longest))
	case err != nil:
		err = service.FieldProblem("learner", in.Learner, err)
	}
	return brain, facts, err
}

// brainWithHeadStart returns the brain of a learner that has had its head start.
// It plays those games against itself, and is then turned over to the teacher that o names.
func brainWithHeadStart(ctx context.Context, g *service.Opened, o lab.TrainOptions, head int) ([]byte, error) {
	if head > 0 {
		alone := o
		alone.Against = lab.Itself
		data, err := brainAfterGames(ctx, g, alone, head)
		if err != nil {
			return nil, err
		}
		o.Resume = data
	}
	return brainAfterGames(ctx, g, o, 0)
}

// brainAfterGames returns the brain of a learner after so many games more.
// With 0 games it is the brain that it begins with.
func brainAfterGames(ctx context.Context, g *service.Opened, o lab.TrainOptions, games int) ([]byte, error) {
	t, err := g.Learning().NewOrResumedTrainer(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := t.Run(ctx, games, nil); err != nil {
		return nil, err
	}
	brain, err := g.Learning().Brain(t)
	if err != nil {
		return nil, err
	}
	return brain.Bytes()
}

// putJSON puts a blob down that is a value in JSON.
func (j *Job) putJSON(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return j.putBlob(name, data)
}

// listPupils lists the learners that a visitor teaches, of all games or of one.
// The latest come first. A visitor without a cookie teaches none.
func (s *pupils) listPupils(ctx context.Context, in *struct {
	service.Visitor
	Game string `query:"game" maxLength:"200" doc:"only those of this game"`
}) (*PupilList, error) {
	owner, err := s.OwnerOf(ctx, in.Visitor)
	list := PupilList{Pupils: []Pupil{}}
	if err != nil || owner == "" {
		return &list, err
	}
	docs, err := s.Store.Jobs(ctx, owner, JobsKept)
	if err != nil {
		return nil, s.StoreProblem(err, "")
	}
	game, err := s.canonicalSpec(ctx, in.Game)
	if err != nil {
		return nil, err
	}
	for _, doc := range docs {
		j, err := s.scheduler.decodeJob(ctx, doc)
		if err != nil {
			return nil, s.StoreProblem(err, "")
		}
		if j.Verb != verbTeach || game != "" && j.Game != game {
			continue
		}
		l, err := s.loadLesson(ctx, j)
		if err != nil {
			return nil, err
		}
		list.Pupils = append(list.Pupils, j.viewOfPupil(owner, l))
	}
	return &list, nil
}

// loadLesson reads the record of a learner's lesson. No request has said a ply yet, so that any fits. That there
// is no lesson is a problem of status 404.
func (s *pupils) loadLesson(ctx context.Context, j *Job) (*lessonRecord, error) {
	l := &lessonRecord{ply: -1}
	data, err := s.Store.Blob(ctx, j.ID, blobLesson)
	if err == nil {
		err = json.Unmarshal(data, l)
	}
	return l, s.StoreProblem(err, "no.learner")
}

// viewOfPupil shows a learner without its game.
// Games are all that the brain has learned from; wins, draws and losses are of those taught by hand.
func (j *Job) viewOfPupil(owner string, l *lessonRecord) Pupil {
	var a teachArgs
	_ = json.Unmarshal(j.Args, &a) // written by us
	p := Pupil{ID: j.ID, Mine: j.Owner == owner, Name: j.Name, Made: j.Made, Game: j.Game,
		Learner: cmp.Or(l.Learner, a.Learner), Seats: l.Seats, Seed: j.Seed, Head: a.Head, Results: l.Results}
	p.Games, p.Wins, p.Draws, p.Losses = l.Games, strings.Count(l.Results, "w"), strings.Count(l.Results, "t"),
		strings.Count(l.Results, "l")
	return p
}

// changeOrShowLesson does something in the lessons of a learner of the visitor's, and shows
// what came of it; without anything to do it shows the lesson to anybody.
// Requests about one learner come one after the other.
func (s *pupils) changeOrShowLesson(ctx context.Context, in JobPath,
	do func(*lessonRecord) error) (*reply[Pupil], error) {
	defer s.lockLearner(in.ID)()
	j, owner, err := s.findJob(ctx, in)
	switch {
	case err != nil:
		return nil, err
	case j.Verb != verbTeach:
		return nil, service.NewProblem(404, "no.learner")
	case do != nil && j.Owner != owner:
		return nil, service.NewProblem(403, "learner.theirs")
	}
	l, err := s.loadLesson(ctx, j)
	if err != nil {
		return nil, err
	}
	if do != nil {
		if err := do(l); err != nil {
			return nil, err
		}
	}
	body, err := s.replayAndShow(ctx, j, owner, l, do != nil)
	return &reply[Pupil]{Body: body}, err
}

// replayAndShow plays the game under way again, with what has come to it, keeps that,
// and shows the learner with it.
// A game that has ended is shown as it was kept, and nothing is played.
func (s *pupils) replayAndShow(ctx context.Context, j *Job, owner string, l *lessonRecord,
	keep bool) (shown Pupil, err error) {
	shown = j.viewOfPupil(owner, l)
	if shown.Lesson = l.Ended; shown.Lesson != nil {
		return shown, nil
	}
	data, err := s.Store.Blob(ctx, j.ID, brainName{j.ID, 1, l.Games}.blob())
	if err != nil {
		return shown, s.StoreProblem(err, "no.learner")
	}
	g, err := s.OpenGame(ctx, j.Game)
	if err != nil {
		return shown, service.FieldProblem("game", j.Game, err)
	}
	r, err := service.Computed(ctx, s.Base, s.Longest, l.all, func(ctx context.Context) (*replay, error) {
		return s.replayLesson(ctx, g, data, *l, service.PlySeed(j.Seed, l.Games))
	})
	if errors.Is(err, context.Canceled) && ctx.Err() == nil {
		err = fmt.Errorf("the learner or player thinks for more than %v; a smaller depth is quicker", s.Longest)
	}
	if err != nil {
		return shown, service.FieldProblem("move", nil, err)
	}
	if keep {
		err = s.storeReplay(j, l, r)
	}
	shown = j.viewOfPupil(owner, l)
	shown.Lesson = r.view
	return shown, s.StoreProblem(err, "no.job.more")
}

// storeReplay keeps what came of a game: what the teacher did in it or, where it has
// ended, what the learner learned.
// The brain before is dropped last: where the server ends before that, both are there and the
// record says which counts.
func (s *pupils) storeReplay(j *Job, l *lessonRecord, r *replay) error {
	before := brainName{j.ID, 1, l.Games}.blob()
	l.Plays, l.Learner = r.plays, r.trainer.Spec().String()
	if r.brain == nil {
		return j.putJSON(blobLesson, l)
	}
	facts, err := lab.ReadBrainFacts(r.brain)
	if err != nil {
		return err
	}
	// The record begins anew from the new brain, with the game that led to it for show.
	l.Games, l.Plays, l.Ended = facts.Games, nil, r.view
	switch r.view.Result {
	case "draw":
		l.Results += "t"
	case r.view.Seat:
		l.Results += "w"
	default:
		l.Results += "l"
	}
	if err := j.storeTaughtBrainAndLesson(r.brain, l); err != nil {
		return err
	}
	if err := s.appendToStoredWeights(j, len(l.Results), r.view); err != nil {
		return err
	}
	return j.scheduler.Store.DropBlobs(j.ID, before)
}

// storeTaughtBrainAndLesson keeps a brain, and then the lesson that goes on from it: where the
// server ends in between, the game is played again.
func (j *Job) storeTaughtBrainAndLesson(brain []byte, l *lessonRecord) error {
	n := brainName{j.ID, 1, l.Games}
	if err := j.putBlob(n.blob(), brain); err != nil {
		return err
	}
	if err := j.putJSON(blobLesson, l); err != nil {
		return err
	}
	return j.Change(func(p *Record) error {
		p.Brains = []JobBrain{{n.String(), n.run, n.games}}
		return nil
	})
}

// appendToStoredWeights adds the weights of a game to those kept.
// They are read, added to and written as a whole, which mostRows bounds.
// The game's number counts those taught by hand, from 1. Learners without weights have no rows.
func (s *pupils) appendToStoredWeights(j *Job, game int, v *LessonView) error {
	if len(v.Features) == 0 {
		return nil
	}
	rows := WeightRows{Features: v.Features}
	data, err := s.Store.Blob(context.Background(), j.ID, blobRows)
	if err == nil {
		err = json.Unmarshal(data, &rows)
	}
	if err != nil && !errors.Is(err, s.Errs.NotFound) {
		return err
	}
	for _, w := range v.Weights {
		rows.Rows = append(rows.Rows, WeightRow{game, w})
	}
	rows.Rows = rows.Rows[max(0, len(rows.Rows)-mostRows):]
	return j.putJSON(blobRows, rows)
}
