package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"oxo/lab"
	"oxo/lab/jobs"
)

// verbTeach is the verb of jobs that are learners taught by hand: the work is their
// owner's, so that no crew has it in hand.
const verbTeach = "teach"

// What is kept of a learner beside its brain.
const (
	blobLesson = "lesson"
	blobRows   = "weights"
)

// mostRows is how many rows of weights are kept; of more the oldest are dropped.
const mostRows = 5000

// teachArgs are what a learner that is taught began with.
type teachArgs struct {
	Learner string `json:"learner"`
	Against string `json:"against"` // human
	Head    int    `json:"head,omitempty"`
}

// play is what a teacher did in the game under way.
type play struct {
	Move     string    `json:"move,omitempty"`
	Resigned bool      `json:"resigned,omitempty"`
	Weights  []float64 `json:"weights,omitempty"`
}

// lessonPaper is what the store keeps of teaching beside the brain after the last
// game that ended. The game under way is what follows from both.
type lessonPaper struct {
	Games   int         `json:"games"` // that the brain has learned from
	Seats   string      `json:"seats,omitempty"`
	Plays   []play      `json:"plays,omitempty"`
	Ended   *LessonView `json:"ended,omitempty"` // the last game, until the next begins
	Results string      `json:"results,omitempty"`

	ply    int    // how many moves the request says there are, -1 for any number
	player string // who moves in the teacher's place
	all    bool
}

func (l *lessonPaper) do(in TeachRequest) error {
	l.ply = in.Ply
	switch {
	case l.Ended != nil:
		return nil
	case in.Resign && in.Move+in.Player == "":
		l.Plays = append(l.Plays, play{Resigned: true})
	case in.Player != "" && in.Move == "" && !in.Resign:
		if err := vet(in.Player); err != nil {
			return wrong("player", in.Player, err)
		}
		l.player, l.all = in.Player, in.All
	case in.Move != "" && in.Player == "" && !in.Resign:
		l.Plays = append(l.Plays, play{Move: in.Move})
	default:
		return wrong("move", in.Move, errors.New("a move, a player or resign is needed, and only one of them"))
	}
	return nil
}

func (l *lessonPaper) adjust(ply int, weights []float64) error {
	if l.Ended != nil {
		return refuse(409, "the game is over: begin the next one first")
	}
	l.ply = ply
	if n := len(l.Plays); n > 0 && l.Plays[n-1].Weights != nil { // of one slider, the last place counts
		l.Plays = l.Plays[:n-1]
	}
	l.Plays = append(l.Plays, play{Weights: weights})
	return nil
}

var pupilSeed = maphash.MakeSeed()

// alone lets one request at a time teach a learner.
func (s *pupils) alone(id string) func() {
	m := &s.taught[maphash.String(pupilSeed, id)%uint64(len(s.taught))]
	m.Lock()
	return m.Unlock
}

func (s *pupils) addPupil(ctx context.Context, v Visitor, in PupilRequest) (*pupilReply, error) {
	owner, err := s.owner(ctx, v)
	if err != nil {
		return nil, err
	}
	seed := rand.Uint64() >> 11 // as large as JavaScript can tell
	if in.Seed != nil {
		seed = *in.Seed
	}
	brain, facts, err := s.newBrain(ctx, in, seed)
	if err != nil {
		return nil, err
	}
	out := &pupilReply{}
	if owner == "" {
		var cookie http.Cookie
		if owner, cookie, err = s.newcomer(ctx); err != nil {
			return nil, err
		}
		out.SetCookie = []http.Cookie{cookie}
	}
	args, err := json.Marshal(teachArgs{facts.Learner, lab.Human, in.Head})
	if err != nil {
		return nil, err
	}
	j := &job{crew: s.crew, watchers: map[chan struct{}]struct{}{}}
	j.jobTitle = jobTitle{ID: newID(), Owner: owner, From: askerOf(ctx).address, Name: strings.TrimSpace(in.Name), Made: time.Now(),
		Job: jobs.Job{Verb: verbTeach, Game: facts.Game, Args: args, Seed: seed}}
	j.State = jobDone
	if err = s.crew.hasPlace(ctx, owner); err == nil {
		err = j.add()
	}
	l := &lessonPaper{Games: facts.Games, Seats: facts.Seats, ply: -1}
	if err == nil {
		err = j.keepTaught(brain, l)
	}
	if err != nil {
		return nil, s.crew.failed(err)
	}
	body, err := s.conducted(ctx, j, owner, l, true)
	if err != nil {
		return nil, err
	}
	out.Body = *body
	return out, nil
}

// newBrain returns the brain that a learner begins with.
func (s *pupils) newBrain(ctx context.Context, in PupilRequest, seed uint64) (brain []byte, facts lab.BrainFacts, err error) {
	g, err := s.opened.open(in.Game)
	if err != nil {
		return nil, facts, wrong("game", in.Game, err)
	}
	for field, word := range map[string]string{"learner": in.Learner, "start": in.Start} {
		if err := vet(word); err != nil {
			return nil, facts, wrong(field, word, err)
		}
	}
	o := lab.TrainOptions{Learner: in.Learner, Against: lab.Human, Start: in.Start, Seats: in.Seats, Seed: seed}
	if in.Brain != "" {
		if o.Resume, err = s.crew.readBrain(ctx, in.Brain); err != nil {
			return nil, facts, wrong("brain", in.Brain, err)
		}
	}
	err = s.compute(ctx, s.longest, in.Head > 0, func(ctx context.Context) (err error) {
		if brain, err = begun(ctx, g, o, in.Head); err == nil {
			facts, err = lab.ReadBrainFacts(brain)
		}
		return err
	})
	var f *lab.Fault
	switch {
	case errors.As(err, &f):
		err = wrong(f.Field, nil, err)
	case errors.Is(err, context.Canceled) && ctx.Err() == nil:
		err = wrong("head", in.Head, fmt.Errorf("it takes more than %v; fewer games do", s.longest))
	case err != nil:
		err = refused("learner", in.Learner, err)
	}
	return brain, facts, err
}

// begun returns the brain of a learner that has had its head start.
func begun(ctx context.Context, g *opened, o lab.TrainOptions, head int) ([]byte, error) {
	if head > 0 {
		o.Against = lab.Itself
	}
	t, err := g.Learning().Trainer(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := t.Run(ctx, head, nil); err != nil {
		return nil, err
	}
	brain, err := g.Learning().Brain(t)
	if err != nil {
		return nil, err
	}
	return brain.Bytes()
}

func (j *job) keepLesson(l *lessonPaper) error {
	data, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return j.put(blobLesson, data)
}

func (s *pupils) listPupils(ctx context.Context, v Visitor, game string) (*reply[PupilList], error) {
	owner, err := s.owner(ctx, v)
	list := PupilList{Pupils: []Pupil{}}
	if err != nil || owner == "" {
		return &reply[PupilList]{list}, err
	}
	docs, err := s.crew.store.Jobs(ctx, owner, jobsKept)
	if err != nil {
		return nil, s.failed(err, "")
	}
	if game != "" {
		g, err := s.opened.open(game)
		if err != nil {
			return nil, wrongQuery("game", game, err)
		}
		game = g.Info().Spec
	}
	for _, doc := range docs {
		j, err := s.crew.read(ctx, doc)
		if err != nil {
			return nil, s.failed(err, "")
		}
		if j.Verb != verbTeach || game != "" && j.Game != game {
			continue
		}
		l, err := s.lessonOf(ctx, j)
		if err != nil {
			return nil, err
		}
		list.Pupils = append(list.Pupils, j.pupil(owner, l))
	}
	return &reply[PupilList]{list}, nil
}

func (s *pupils) lessonOf(ctx context.Context, j *job) (*lessonPaper, error) {
	l := &lessonPaper{ply: -1}
	data, err := s.crew.store.Blob(ctx, j.ID, blobLesson)
	if err == nil {
		err = json.Unmarshal(data, l)
	}
	if err != nil {
		return nil, s.failed(err, "there is no such learner")
	}
	return l, nil
}

// pupil shows a learner without its game.
func (j *job) pupil(owner string, l *lessonPaper) Pupil {
	var a teachArgs
	_ = json.Unmarshal(j.Args, &a) // written by us
	p := Pupil{ID: j.ID, Mine: j.Owner == owner, Name: j.Name, Made: j.Made, Game: j.Game, Learner: a.Learner, Seats: l.Seats, Seed: j.Seed, Head: a.Head, Results: l.Results}
	p.Games, p.Wins, p.Draws, p.Losses = l.Games, strings.Count(l.Results, "w"), strings.Count(l.Results, "t"), strings.Count(l.Results, "l")
	return p
}

// teach does something in the lessons of a learner of the visitor's, and shows
// what came of it; without anything to do it shows the lesson to anybody.
func (s *pupils) teach(ctx context.Context, in JobPath, do func(*lessonPaper) error) (*pupilReply, error) {
	defer s.alone(in.ID)()
	j, owner, err := s.findJob(ctx, in)
	switch {
	case err != nil:
		return nil, err
	case j.Verb != verbTeach:
		return nil, refuse(404, "there is no such learner")
	case do != nil && j.Owner != owner:
		return nil, refuse(403, "the learner is somebody else's: only who began may teach it")
	}
	l, err := s.lessonOf(ctx, j)
	if err != nil {
		return nil, err
	}
	if do != nil {
		if err := do(l); err != nil {
			return nil, err
		}
	}
	body, err := s.conducted(ctx, j, owner, l, do != nil)
	if err != nil {
		return nil, err
	}
	return &pupilReply{Body: *body}, nil
}

// conducted plays the game under way again, with what has come to it, keeps that,
// and shows the learner with it.
func (s *pupils) conducted(ctx context.Context, j *job, owner string, l *lessonPaper, keep bool) (*Pupil, error) {
	shown := j.pupil(owner, l)
	if shown.Lesson = l.Ended; shown.Lesson != nil {
		return &shown, nil
	}
	data, err := s.crew.store.Blob(ctx, j.ID, brainName{j.ID, 1, l.Games}.blob())
	if err != nil {
		return nil, s.failed(err, "there is no such learner")
	}
	g, err := s.opened.open(j.Game)
	if err != nil {
		return nil, wrong("game", j.Game, err)
	}
	var r *recital
	err = s.compute(ctx, s.longest, l.all, func(ctx context.Context) (err error) {
		r, err = s.recite(ctx, g, data, *l, mix(j.Seed, l.Games))
		return err
	})
	if errors.Is(err, context.Canceled) && ctx.Err() == nil {
		err = fmt.Errorf("the learner or player thinks for more than %v; a smaller depth is quicker", s.longest)
	}
	if err != nil {
		return nil, refused("move", nil, err)
	}
	if keep {
		if err := s.keepRecital(j, l, r); err != nil {
			return nil, s.crew.failed(err)
		}
	}
	shown = j.pupil(owner, l)
	shown.Lesson = r.view
	return &shown, nil
}

// keepRecital keeps what came of a game: what the teacher did in it or, where it has
// ended, what the learner learned.
func (s *pupils) keepRecital(j *job, l *lessonPaper, r *recital) error {
	before := brainName{j.ID, 1, l.Games}.blob()
	l.Plays = r.plays
	if r.brain == nil {
		return j.keepLesson(l)
	}
	facts, err := lab.ReadBrainFacts(r.brain)
	if err != nil {
		return err
	}
	l.Games, l.Plays, l.Ended = facts.Games, nil, r.view
	switch r.view.Result {
	case "draw":
		l.Results += "t"
	case r.view.Seat:
		l.Results += "w"
	default:
		l.Results += "l"
	}
	if err := j.keepTaught(r.brain, l); err != nil {
		return err
	}
	if err := s.keepRows(j, len(l.Results), r.view); err != nil {
		return err
	}
	return j.crew.store.DropBlobs(j.ID, before)
}

// keepTaught keeps a brain, and then the lesson that goes on from it: where the
// server ends in between, the game is played again.
func (j *job) keepTaught(brain []byte, l *lessonPaper) error {
	n := brainName{j.ID, 1, l.Games}
	if err := j.put(n.blob(), brain); err != nil {
		return err
	}
	if err := j.keepLesson(l); err != nil {
		return err
	}
	return j.change(func(p *jobPaper) error {
		p.Brains = []JobBrain{{n.String(), n.run, n.games}}
		return nil
	})
}

// keepRows adds the weights of a game to those kept.
func (s *pupils) keepRows(j *job, game int, v *LessonView) error {
	if len(v.Features) == 0 {
		return nil
	}
	rows := WeightRows{Features: v.Features}
	data, err := s.crew.store.Blob(context.Background(), j.ID, blobRows)
	if err == nil {
		err = json.Unmarshal(data, &rows)
	}
	if err != nil && !errors.Is(err, s.crew.errs.notFound) {
		return err
	}
	for _, w := range v.Weights {
		rows.Rows = append(rows.Rows, WeightRow{game, w})
	}
	rows.Rows = rows.Rows[max(0, len(rows.Rows)-mostRows):]
	if data, err = json.Marshal(rows); err != nil {
		return err
	}
	return j.put(blobRows, data)
}
