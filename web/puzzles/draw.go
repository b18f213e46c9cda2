package puzzles

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"oxo/lab"
	"oxo/web/service"
)

const (
	choices     = 40  // puzzles of about the same rating that one is drawn from, of few an eighth
	firstRating = 950 // of the puzzles for somebody of whom nothing is known
)

// PuzzleDraw says which puzzle is to be drawn, and for whom.
type PuzzleDraw struct {
	SolverKey
	PuzzleChoice
	But        string  `query:"but" maxLength:"20" doc:"not this puzzle, where there is another"`
	Difficulty string  `query:"difficulty" enum:"easier,harder" doc:"easier or harder than that; without it about as hard"`
	Known      bool    `query:"known" doc:"only of games that everybody knows, as puzzles of the day are"`
	Missed     bool    `query:"missed" doc:"only those that the solver has missed, and not solved since"`
	Near       float64 `query:"near" minimum:"0" maximum:"4000" doc:"one that is about as hard; without it as the solver is strong, easy for a new one"`
}

// countAndDraw says what puzzles there are, and draws one.
func (s *puzzles) countAndDraw(ctx context.Context, in *PuzzleDraw) (*PuzzlesReply, error) {
	list, err := s.chosenPuzzles(ctx, &in.PuzzleChoice)
	if err != nil {
		return nil, err
	}
	who, tries, err := s.findSolver(ctx, in.Key)
	if err != nil {
		return nil, err
	}
	byID := map[string]try{}
	for _, t := range tries {
		byID[t.ID] = t
	}
	if in.Known || in.Missed {
		list = slices.DeleteFunc(slices.Clone(list), func(z lab.Puzzle) bool {
			return in.Known && !lab.IsDailyGame(z.Game) || in.Missed && !byID[z.ID].missed()
		})
	}
	r := PuzzlesReply{Count: len(list), Games: s.games()}
	if len(list) == 0 {
		return &r, nil
	}
	if !in.Missed {
		// Who has tried all is set them again.
		list = excludeUnlessAll(list, func(z lab.Puzzle) bool { return byID[z.ID].ID != "" })
	}
	if in.But != "" {
		list = excludeUnlessAll(list, func(z lab.Puzzle) bool { return z.ID == in.But })
	}
	if !in.Missed {
		if list, err = s.suitingPuzzles(ctx, list, in, &who, tries); err != nil {
			return nil, err
		}
	}
	r.Puzzle, err = s.view(ctx, &list[rand.IntN(len(list))])
	return &r, err
}

// suitingPuzzles are the puzzles whose rating is nearest to what is asked for or to the solver's, in the game and
// theme where they are chosen, or is easier or harder than that, and of another game and theme than the one before
// where there is such a choice.
func (s *puzzles) suitingPuzzles(ctx context.Context, list []lab.Puzzle, in *PuzzleDraw, who *Solver,
	tries []try) ([]lab.Puzzle, error) {
	by, err := lab.RatingOffset(in.Difficulty)
	if err != nil {
		return nil, service.QueryProblem("difficulty", in.Difficulty, err)
	}
	near := in.Near
	switch {
	case near == 0 && len(tries) == 0:
		near = firstRating
	case near == 0:
		if near = who.Rating.Rating; in.Game == "" && in.Theme == "" {
			break
		}
		of, err := s.tally(ctx, who, tries, func(z *lab.Puzzle) string {
			if (in.Game == "" || z.Game == in.Game) && (in.Theme == "" || string(z.Theme) == in.Theme) {
				return "chosen"
			}
			return ""
		})
		if err != nil {
			return nil, err
		}
		if t, ok := of["chosen"]; ok {
			near = t.Rating.Rating
		}
	}
	list, err = s.nearestByRating(ctx, list, near+by, min(choices, max(1, len(list)/8)))
	if err != nil || len(tries) == 0 {
		return list, err
	}
	if last, ok := lab.CarriedPuzzle(tries[len(tries)-1].ID); ok {
		list = excludeUnlessAll(list, func(z lab.Puzzle) bool { return z.Game == last.Game })
		list = excludeUnlessAll(list, func(z lab.Puzzle) bool { return z.Theme == last.Theme })
	}
	return list, nil
}

// nearestByRating are so many puzzles, or all where there are no more, whose rating is nearest. Which of those that
// are rated alike is drawn by lot.
func (s *puzzles) nearestByRating(ctx context.Context, list []lab.Puzzle, rating float64,
	count int) ([]lab.Puzzle, error) {
	list = shuffled(list)
	if len(list) <= count {
		return list, nil
	}
	away := map[string]float64{}
	for i := range list {
		r, err := s.ratingOf(ctx, &list[i])
		if err != nil {
			return nil, err
		}
		away[list[i].ID] = math.Abs(r.Rating - rating)
	}
	slices.SortStableFunc(list, func(a, b lab.Puzzle) int { return cmp.Compare(away[a.ID], away[b.ID]) })
	return list[:count], nil
}

// shuffled are the puzzles in an order drawn by lot. The list itself is not written into.
func shuffled(list []lab.Puzzle) []lab.Puzzle {
	some := slices.Clone(list)
	rand.Shuffle(len(some), func(i, k int) { some[i], some[k] = some[k], some[i] })
	return some
}

// excludeUnlessAll are the puzzles that are not excluded, or all where all are.
// The list itself is not written into.
func excludeUnlessAll(list []lab.Puzzle, excluded func(lab.Puzzle) bool) []lab.Puzzle {
	if rest := slices.DeleteFunc(slices.Clone(list), excluded); len(rest) > 0 {
		return rest
	}
	return list
}
