package puzzles

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"oxo/lab"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// SolverReport is how somebody solves over time, and by game and theme.
type SolverReport struct {
	Ratings []int         `json:"ratings" doc:"the rating after each first try of which it was kept, the latest last"`
	Begins  int           `json:"begins,omitempty" doc:"the rating before the first of them, where that is known"`
	Games   []PuzzleTally `json:"games" doc:"the most tried first"`
	Themes  []PuzzleTally `json:"themes" doc:"likewise"`
	Undated int           `json:"undated,omitempty" doc:"of a period: how many tries were kept without their day, which are not in it"`
}

// PuzzleTally is how somebody solves the puzzles of a game or a theme.
type PuzzleTally struct {
	Of     string           `json:"of" doc:"the game or the theme"`
	Tried  int              `json:"tried"`
	Solved int              `json:"solved" doc:"at the first try"`
	Rating lab.SolverRating `json:"rating" doc:"by Glicko-2: it begins where the solver stands in all puzzles, and follows the tries of these"`
}

// registerSolvers registers the operations about those who solve.
func (s *puzzles) registerSolvers(get func(id, path, summary string) huma.Operation) {
	service.Register(s.Base, get("show-solver", "/solver", "Say what is kept of a solver"),
		func(ctx context.Context, in *SolverKey) (*Solver, error) {
			who, _, err := s.findSolver(ctx, in.Key)
			return &who, err
		})
	service.Register(s.Base, get("report-solver", "/solver/report", "Say how a solver solves over time, and by game"),
		func(ctx context.Context, in *struct {
			SolverKey
			Days int `query:"days" minimum:"0" maximum:"3650" doc:"only what was tried in so many days, today counted; without it all"`
		}) (*SolverReport, error) {
			who, tries, err := s.findSolver(ctx, in.Key)
			if err != nil {
				return nil, err
			}
			since := ""
			if in.Days > 0 {
				since = time.Now().UTC().AddDate(0, 0, 1-in.Days).Format(time.DateOnly)
			}
			return s.report(ctx, &who, tries, since)
		})
}

// report is how a solver solves, by those of these tries that are of a day or later; all where it is empty.
func (s *solvers) report(ctx context.Context, who *Solver, tries []try, since string) (*SolverReport, error) {
	r := &SolverReport{Ratings: []int{}}
	begins := lab.Newcomer().Rating
	for len(tries) > 0 && tries[0].On < since {
		if begins = tries[0].Rating; tries[0].On == "" {
			r.Undated++
		}
		tries = tries[1:]
	}
	if len(tries) > 0 && tries[0].Rating > 0 { // else the first ones were kept without
		r.Begins = int(math.Round(begins))
	}
	for _, t := range tries {
		if t.Rating > 0 {
			r.Ratings = append(r.Ratings, int(math.Round(t.Rating)))
		}
	}
	games, err := s.tally(ctx, who, tries, func(z *lab.Puzzle) string { return z.Game })
	if err != nil {
		return nil, err
	}
	themes, err := s.tally(ctx, who, tries, func(z *lab.Puzzle) string { return string(z.Theme) })
	r.Games, r.Themes = mostTriedFirst(games), mostTriedFirst(themes)
	return r, err
}

// mostTriedFirst lists tallies by name, the most tried first.
func mostTriedFirst(tallies map[string]PuzzleTally) []PuzzleTally {
	list := make([]PuzzleTally, 0, len(tallies))
	for name, t := range tallies {
		t.Of = name
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b PuzzleTally) int {
		return cmp.Or(cmp.Compare(b.Tried, a.Tried), cmp.Compare(a.Of, b.Of))
	})
	return list
}

// tallyDeviation is how uncertain it is how somebody solves puzzles of one game or theme, of whom only is known how
// they solve others.
const tallyDeviation = 150

// tally is how a solver solves the puzzles of each group; those of the group "" are left out. Tries of which only the
// identity was kept tell nothing.
func (s *solvers) tally(ctx context.Context, who *Solver, tries []try,
	groupOf func(*lab.Puzzle) string) (map[string]PuzzleTally, error) {
	tallies := map[string]PuzzleTally{}
	for _, one := range tries {
		z, ok := lab.CarriedPuzzle(one.ID)
		if !ok || one.Rating == 0 || groupOf(&z) == "" {
			continue
		}
		rating, err := s.ratingOf(ctx, &z)
		if err != nil {
			return nil, err
		}
		t, known := tallies[groupOf(&z)]
		if !known {
			t.Rating = who.Rating
			t.Rating.Deviation = tallyDeviation
		}
		t.Tried++
		if one.Right {
			t.Solved++
		}
		t.Rating, _ = lab.RatePuzzle(t.Rating, rating, one.Right)
		tallies[groupOf(&z)] = t
	}
	return tallies, nil
}
