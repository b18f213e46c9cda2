package puzzles

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"oxo/lab"
	"oxo/web/service"
)

// Solver is what is kept of somebody who solves puzzles. Only the first try of a puzzle
// counts, without a hint.
type Solver struct {
	Rating lab.SolverRating `json:"rating" doc:"by Glicko-2"`
	Tried  int              `json:"tried"`
	Solved int              `json:"solved" doc:"at the first try"`
	Streak int              `json:"streak" doc:"puzzles in a row that were solved at the first try"`
	Best   int              `json:"best" doc:"the longest streak"`
	Missed int              `json:"missed,omitempty" doc:"puzzles that were missed at the first try, and not solved since"`
	Day    string           `json:"day,omitempty" doc:"the last day whose puzzle was solved"`
	Days   int              `json:"days" doc:"how many days in a row the puzzle of the day was solved"`
}

// SolverKey is the part of a request that says who solves.
// The key itself is not kept, only its hash.
type SolverKey struct {
	Key string `header:"Oxo-Solver" minLength:"20" maxLength:"64" doc:"a secret of the solver, under which the server keeps a rating and what was tried; without it nothing"`
}

// What the store calls the ratings of puzzles and those who solve them.
const (
	kindPuzzle = "puzzle"
	kindSolver = "solver"
)

// puzzleRating is what is kept of a puzzle that somebody has tried.
// A puzzle that nobody has tried has the rating that was measured when it was made.
type puzzleRating struct {
	ID string `json:"id"`
	lab.SolverRating
}

// solvers keeps the ratings of puzzles and of those who solve them. Without a store it
// keeps nothing.
// The mutex guards ratings, and is held while a try is counted, so that none is lost.
type solvers struct {
	*service.Base
	votes   *service.Limiter // on a puzzle's rating, by its identity and an address
	mu      sync.Mutex
	ratings map[string]lab.SolverRating // of puzzles that were tried, once they are read
}

// solverName is what the store calls the solver with a key.
func solverName(key string) string { return hex.EncodeToString(service.HashOf(key)) }

// try is a first try of a puzzle.
type try struct {
	ID     string  `json:"id"`
	Right  bool    `json:"right"`
	Redone bool    `json:"redone,omitempty"` // missed, and solved since
	Rating float64 `json:"rating"`           // the solver's after it; 0 in lists that kept no more than the identity
	On     string  `json:"on,omitempty"`     // the day, in UTC; none of old
}

// UnmarshalJSON reads a try, or the identity of the puzzle alone, as which tries were kept once.
func (t *try) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &t.ID) == nil {
		return nil
	}
	type plain try
	return json.Unmarshal(data, (*plain)(t))
}

// missed reports whether the puzzle was missed, and not solved since.
func (t try) missed() bool { return t.Rating > 0 && !t.Right && !t.Redone }

// findSolver returns a solver and the first tries in their order; of one who is not known, a newcomer without any.
func (s *solvers) findSolver(ctx context.Context, key string) (who Solver, tries []try, err error) {
	who.Rating = lab.Newcomer()
	if key == "" || s.Store == nil {
		return who, nil, nil
	}
	doc, data, err := s.Store.File(ctx, kindSolver, solverName(key))
	if errors.Is(err, s.Errs.NotFound) {
		return who, nil, nil
	}
	if err == nil {
		err = errors.Join(json.Unmarshal(doc, &who), json.Unmarshal(data, &tries))
		who.endDayStreakIfMissed(time.Now().UTC())
	}
	return who, tries, s.StoreProblem(err, "")
}

// ratingOf returns the rating of a puzzle of the collection as it is now.
func (s *solvers) ratingOf(ctx context.Context, z *lab.Puzzle) (lab.SolverRating, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ratingOfLocked(ctx, z)
}

// ratingOfLocked is ratingOf for who holds s.mu.
func (s *solvers) ratingOfLocked(ctx context.Context, z *lab.Puzzle) (lab.SolverRating, error) {
	// They are all read at the first question, and written through from then on.
	if s.ratings == nil && s.Store != nil {
		docs, err := s.Store.Files(ctx, kindPuzzle, len(lab.CarriedPuzzles("", "")))
		kept, err := service.ReadDocs[puzzleRating](s.Base, docs, err)
		if err != nil {
			return lab.SolverRating{}, err
		}
		s.ratings = map[string]lab.SolverRating{}
		for _, r := range kept {
			s.ratings[r.ID] = r.SolverRating
		}
	}
	if r, ok := s.ratings[z.ID]; ok {
		return r, nil
	}
	return lab.FirstRating(z), nil
}

// recordAnswer keeps how an answer to a puzzle went, whether it was right, or what is right was told, and returns the
// solver after it, nil where nothing is kept.
// A puzzle is missed where what is right is told before the first try, so that no try after it counts.
// A later try changes nothing but the row of days, where the puzzle of the day is solved by it; the row ends where the
// answer was told. A puzzle that was missed is missed no more once the first try of another sitting is right.
func (s *solvers) recordAnswer(ctx context.Context, key string, z *lab.Puzzle, a *PuzzleAnswer,
	right, told bool) (*Solver, error) {
	if key == "" || s.Store == nil {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	who, tries, err := s.findSolver(ctx, key)
	if err != nil {
		return nil, err
	}
	before := who
	at := slices.IndexFunc(tries, func(t try) bool { return t.ID == z.ID })
	switch {
	case at < 0 && (a.First || told):
		if who.Tried == 0 {
			if err := s.CheckStoreSpace(ctx); err != nil {
				return nil, err
			}
		}
		if err := s.rateSolverAndPuzzle(ctx, &who, z, right); err != nil {
			return nil, err
		}
		tries = append(tries, try{ID: z.ID, Right: right, Rating: who.Rating.Rating,
			On: time.Now().UTC().Format(time.DateOnly)})
		who.countFirstTry(right)
	case at >= 0 && a.Again && right && tries[at].missed():
		tries[at].Redone = true
		who.Missed--
	}
	if day, ok := dayOfDailyPuzzle(z, time.Now().UTC()); ok && right {
		who.extendDayStreak(day)
	} else if ok && a.Move == "" {
		who.endDayStreakAsTold(day)
	}
	if who == before {
		return &who, nil
	}
	doc, err := json.Marshal(who)
	data, wrong := json.Marshal(tries)
	if err := errors.Join(err, wrong); err != nil {
		return nil, err
	}
	return &who, s.StoreProblem(s.Store.AddOrReplaceFile(kindSolver, solverName(key), doc, data), "")
}

// settled is the deviation up to which a solver's rating is known well enough to say something about puzzles; the
// studio calls other ratings provisional.
const settled = 110

// votePace is how often the tries from one address change the rating of one puzzle.
var votePace = service.Pace{PerSecond: 1. / (24 * 3600), AtOnce: 1}

// rateSolverAndPuzzle changes the rating of a solver by a first try, and that of the puzzle where the solver's is
// settled and votePace allows it: keys cost nothing, and ratings are for all to see.
// The puzzle's rating is written here, the solver's by the caller, who holds s.mu.
func (s *solvers) rateSolverAndPuzzle(ctx context.Context, who *Solver, z *lab.Puzzle, right bool) error {
	r, err := s.ratingOfLocked(ctx, z)
	if err != nil {
		return err
	}
	known := who.Rating.Deviation <= settled
	solver, r := lab.RatePuzzle(who.Rating, r, right)
	who.Rating = solver
	if !known || !s.votes.Allow(z.ID+" "+service.AskerOf(ctx).Address) {
		return nil
	}
	doc, err := json.Marshal(puzzleRating{z.ID, r})
	if err != nil {
		return err
	}
	if err := s.Store.AddOrReplaceFile(kindPuzzle, z.ID, doc, []byte{}); err != nil {
		return s.StoreProblem(err, "")
	}
	s.ratings[z.ID] = r
	return nil
}

// countFirstTry counts a first try.
// A wrong one ends the streak.
func (w *Solver) countFirstTry(right bool) {
	w.Tried++
	if !right {
		w.Missed++
		w.Streak = 0
		return
	}
	w.Solved++
	w.Streak++
	w.Best = max(w.Best, w.Streak)
}

// extendDayStreak counts the puzzle of a day.
// A day counts once, and one before the last that counted not at all. Days are compared as text.
func (w *Solver) extendDayStreak(day time.Time) {
	today, before := day.Format(time.DateOnly), day.AddDate(0, 0, -1).Format(time.DateOnly)
	switch {
	case w.Day >= today:
		return
	case w.Day == before:
		w.Days++
	default:
		w.Days = 1
	}
	w.Day = today
}

// endDayStreakAsTold ends a row of days where the answer of that day's puzzle was told before it was solved.
func (w *Solver) endDayStreakAsTold(day time.Time) {
	if today := day.Format(time.DateOnly); w.Day < today {
		w.Day, w.Days = today, 0
	}
}

// endDayStreakIfMissed ends a row of days once a day has gone by without its puzzle.
func (w *Solver) endDayStreakIfMissed(now time.Time) {
	if w.Day < now.AddDate(0, 0, -1).Format(time.DateOnly) {
		w.Days = 0
	}
}

// overtime is how long after a day its puzzle still counts, for who began before midnight.
const overtime = time.Hour

// dayOfDailyPuzzle returns the day whose puzzle z is now.
// It reports false where it is the puzzle of no day that still counts.
func dayOfDailyPuzzle(z *lab.Puzzle, now time.Time) (day time.Time, counts bool) {
	for _, day := range []time.Time{now, now.Add(-overtime)} {
		if lab.DailyPuzzle(day).ID == z.ID {
			return day, true
		}
	}
	return now, false
}
