package puzzles

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"oxo/lab"
	"oxo/web/service"
)

const (
	choices     = 40  // puzzles of about the same rating that one is drawn from, of few an eighth
	firstRating = 950 // of the puzzles for somebody of whom nothing is known

	firstPuzzles = 10  // of a solver are of games that many people know, on flat boards
	aboutAsNear  = 230 // points of a rating farther than the nearest puzzle
	closelyNear  = 60  // the same where a rating is asked for
	lately       = 100 // tries that are looked at for games that wait
)

// PuzzleDraw says which puzzle is to be drawn, and for whom.
type PuzzleDraw struct {
	SolverKey
	PuzzleChoice
	But        string  `query:"but" maxLength:"4000" doc:"puzzles set before, the latest last, with commas: not these, nor of their games, where there are others"`
	Difficulty string  `query:"difficulty" enum:"easier,harder" doc:"easier or harder than that; without it about as hard"`
	Known      bool    `query:"known" doc:"only of games that many people know"`
	Missed     bool    `query:"missed" doc:"only those that the solver has missed, and not solved since"`
	Near       float64 `query:"near" minimum:"0" maximum:"4000" doc:"one that is about as hard; without it as the solver is strong, easy for a new one"`
	Least      float64 `query:"least" minimum:"0" maximum:"4000" doc:"none that is easier"`
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
			return in.Known && lab.OrderOfKnownGame(z.Game) < 0 || in.Missed && !byID[z.ID].missed()
		})
	}
	r := PuzzlesReply{Count: len(list), Games: s.games()}
	if len(list) == 0 {
		return &r, nil
	}
	all := list
	// Where all were set before, those set last are left out.
	for but := in.setBefore(); len(but) > 0; but = but[:len(but)/2] {
		list = excludeUnlessAll(all, func(z lab.Puzzle) bool { return slices.Contains(but, z.ID) })
		if len(list) < len(all) {
			break
		}
	}
	if !in.Missed {
		// Who has tried all is set them again.
		list = excludeUnlessAll(list, func(z lab.Puzzle) bool { return byID[z.ID].ID != "" })
		wish, err := s.wishedRating(ctx, in, &who, tries)
		if err != nil {
			return nil, err
		}
		if r.Hardest, err = s.hardestBelow(ctx, all, wish); err != nil {
			return nil, err
		}
		if list, err = s.suitingPuzzles(ctx, list, in, wish, tries); err != nil {
			return nil, err
		}
	}
	r.Puzzle, err = s.view(ctx, drawPuzzle(list))
	return &r, err
}

// drawPuzzle draws a game of the puzzles by lot, whose are few or many, and one of it.
func drawPuzzle(list []lab.Puzzle) *lab.Puzzle {
	byGame := map[string][]*lab.Puzzle{}
	var games []string
	for i := range list {
		z := &list[i]
		if byGame[z.Game] == nil {
			games = append(games, z.Game)
		}
		byGame[z.Game] = append(byGame[z.Game], z)
	}
	of := byGame[games[rand.IntN(len(games))]]
	return of[rand.IntN(len(of))]
}

// wishedRating is how hard a puzzle is to be: as is asked for or as the solver is strong, in the game and theme where
// they are chosen, or easier or harder than that.
func (s *puzzles) wishedRating(ctx context.Context, in *PuzzleDraw, who *Solver, tries []try) (float64, error) {
	by, err := lab.RatingOffset(in.Difficulty)
	switch {
	case err != nil:
		return 0, service.QueryProblem("difficulty", in.Difficulty, err)
	case in.Near > 0:
		return in.Near + by, nil
	case len(tries) == 0:
		return firstRating + by, nil
	case in.Game == "" && in.Theme == "":
		return who.Rating.Rating + by, nil
	}
	of, err := s.tally(ctx, who, tries, func(z *lab.Puzzle) string {
		if (in.Game == "" || z.Game == in.Game) &&
			(in.Theme == "" || slices.Contains(lab.ThemesOfPuzzle(z), in.Theme)) {
			return "chosen"
		}
		return ""
	})
	if t, ok := of["chosen"]; ok {
		return t.Rating.Rating + by, err
	}
	return who.Rating.Rating + by, err
}

// hardestBelow is the rating of the hardest of the puzzles where that is below the wish, else 0.
func (s *puzzles) hardestBelow(ctx context.Context, list []lab.Puzzle, wish float64) (int, error) {
	hardest := 0.0
	for i := range list {
		r, err := s.ratingOf(ctx, &list[i])
		if hardest = max(hardest, r.Rating); err != nil || hardest >= wish {
			return 0, err
		}
	}
	return int(math.Round(hardest)), nil
}

// suitingPuzzles are the puzzles whose rating is near to the wish: of those that are about as near as the nearest ones,
// such of games that were not set lately, not a few plies on in one that was, and of another theme than the one before,
// where there is such a choice. A newcomer's, who does not say how hard, are of games that many people know, on flat
// boards, the first of the one that everybody knows.
func (s *puzzles) suitingPuzzles(ctx context.Context, list []lab.Puzzle, in *PuzzleDraw, wish float64,
	tries []try) ([]lab.Puzzle, error) {
	easily := false // for a newcomer who does not say how hard
	if len(tries) < firstPuzzles && in.Near == 0 {
		easily = in.Difficulty == ""
		first := len(tries) == 0 && in.But == "" && easily && in.PuzzleChoice == PuzzleChoice{}
		list = excludeUnlessAll(list, func(z lab.Puzzle) bool {
			order := lab.OrderOfKnownGame(z.Game)
			return order < 0 || first && order > 0 || easily && !strings.HasPrefix(z.Game, "mnk:")
		})
	}
	count, near := min(choices, max(1, len(list)/8)), float64(aboutAsNear)
	draw := rand.New(rand.NewPCG(rand.Uint64(), 0))
	list, away, err := s.byNearness(ctx, list, draw, wish, in.Least)
	if err != nil {
		return nil, err
	}
	if in.Near > 0 && away[list[0].ID] <= aboutAsNear {
		near = closelyNear
	}
	last := 0
	for ; last < len(list) && (last < count || away[list[last].ID] <= away[list[0].ID]+near); last++ {
	}
	list = list[:last]
	games := map[string]bool{}
	for _, z := range list {
		games[z.Game] = true
	}
	// The games set last wait, half of all at most, so that it stays open which one comes next.
	waiting, before := map[string]bool{}, in.setBefore()
	for i := range min(len(tries), lately) {
		before = append(before, tries[len(tries)-1-i].ID)
	}
	for _, id := range before {
		if z, _ := lab.CarriedPuzzle(id); games[z.Game] && len(waiting) < len(games)/2 {
			waiting[z.Game] = true
		}
	}
	list = excludeUnlessAll(list, func(z lab.Puzzle) bool { return waiting[z.Game] })
	list = excludeUnlessAll(list, func(z lab.Puzzle) bool { return isAkinToAny(&z, before) })
	if len(before) > 0 {
		last, _ := lab.CarriedPuzzle(before[0])
		list = excludeUnlessAll(list, func(z lab.Puzzle) bool { return z.Theme == last.Theme })
	}
	if easily || away[list[0].ID] > aboutAsNear {
		interleaveGames(list) // also where none is as hard as is wished: then the hardest of each game
	}
	return list[:min(count, len(list))], nil
}

// isAkinToAny reports whether a puzzle is a few plies on in the game of one of those.
func isAkinToAny(z *lab.Puzzle, ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		of, ok := lab.CarriedPuzzle(id)
		return ok && of.IsAkin(z)
	})
}

// setBefore are the puzzles that were set before, the latest first.
func (in *PuzzleDraw) setBefore() []string {
	if in.But == "" {
		return nil
	}
	list := strings.Split(in.But, ",")
	slices.Reverse(list)
	return list
}

// byNearness are the puzzles in the order of how far their ratings are from that one, without those that are easier
// than the least, where there are others. The order of those that are as near is drawn by lot.
func (s *puzzles) byNearness(ctx context.Context, list []lab.Puzzle, draw *rand.Rand, rating,
	least float64) (sorted []lab.Puzzle, away map[string]float64, err error) {
	list = shuffled(list, draw)
	away, easier := map[string]float64{}, map[string]bool{}
	for i := range list {
		r, err := s.ratingOf(ctx, &list[i])
		if err != nil {
			return nil, nil, err
		}
		away[list[i].ID], easier[list[i].ID] = math.Abs(r.Rating-rating), math.Round(r.Rating) < least
	}
	list = excludeUnlessAll(list, func(z lab.Puzzle) bool { return easier[z.ID] })
	slices.SortStableFunc(list, func(a, b lab.Puzzle) int { return cmp.Compare(away[a.ID], away[b.ID]) })
	return list, away, nil
}

// shuffled are the puzzles in an order drawn by lot. The list itself is not written into.
func shuffled(list []lab.Puzzle, draw *rand.Rand) []lab.Puzzle {
	some := slices.Clone(list)
	draw.Shuffle(len(some), func(i, k int) { some[i], some[k] = some[k], some[i] })
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
