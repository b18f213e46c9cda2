package web

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"oxo/lab"
	"oxo/lab/sheet"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// PuzzleView is a puzzle without its answer.
// The rating is rounded to a whole number.
type PuzzleView struct {
	ID       string `json:"id"`
	Game     string `json:"game"`
	Title    string `json:"title" doc:"what the game is called"`
	Position string `json:"position"`
	Theme    string `json:"theme"`
	Rating   int    `json:"rating" doc:"how hard it is: it begins with what was measured and changes with those who try"`
	lab.PuzzleText
}

// PuzzleGame is a game that there are puzzles of.
type PuzzleGame struct {
	Game   string         `json:"game"`
	Title  string         `json:"title"`
	Count  int            `json:"count"`
	Themes map[string]int `json:"themes" doc:"how many of each theme"`
	Said   lab.Said       `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// PuzzlesReply is what puzzles there are, and one of them.
type PuzzlesReply struct {
	Count  int          `json:"count" doc:"how many suit the question"`
	Games  []PuzzleGame `json:"games"`
	Puzzle *PuzzleView  `json:"puzzle,omitempty" doc:"one that suits; none where none does"`
}

// PuzzleChoice says which puzzles suit.
type PuzzleChoice struct {
	Game  string `query:"game" maxLength:"200" doc:"only of this game"`
	Theme string `query:"theme" maxLength:"20" doc:"only of this theme"`
}

// DailyReply is the puzzle of a day.
type DailyReply struct {
	Day    string     `json:"day" doc:"in UTC" format:"date"`
	Puzzle PuzzleView `json:"puzzle"`
}

// PuzzleAnswer is a move of who solves, or the wish to be told.
type PuzzleAnswer struct {
	Move  string   `json:"move,omitempty" maxLength:"40" doc:"the move; without it the answer is told"`
	Line  []string `json:"line,omitempty" maxItems:"40" doc:"the right moves and replies before it, of a puzzle that goes on"`
	First bool     `json:"first,omitempty" doc:"the first try, without a hint: it counts, once for each puzzle and solver"`
	// Refused bounds what a hint has to leave out.
	Refused []string `json:"refused,omitempty" maxItems:"400" doc:"moves that were wrong before, which no hint names again"`
}

// AnswerReply is what is to be said of a move.
// The solver is nil where nothing is kept, or where the puzzle is of somebody's own mistake.
type AnswerReply struct {
	lab.Tried
	Hints  []string `json:"hints,omitempty" doc:"after a wrong move: each says more than the one before, and none names a move that was wrong"`
	Among  []string `json:"among,omitempty" doc:"the moves that the last of these hints names"`
	Solver *Solver  `json:"solver,omitempty" doc:"who solves, after this; none where nothing is kept"`
}

// MistakesRequest is a game in which somebody may have gone wrong.
type MistakesRequest struct {
	service.Place
	Seat string `json:"seat,omitempty" enum:"first,second" doc:"whose mistakes; without it those of both"`
}

// MistakesReply has a game's mistakes as puzzles.
type MistakesReply struct {
	Puzzles []PuzzleView `json:"puzzles" doc:"positions in which one move was right, and another was made; they can be answered for a while"`
}

// puzzles sets puzzles of the collection.
// Those of the collection are carried by the program; those of mistakes are in memory until others take their
// place.
type puzzles struct {
	*service.Base
	solvers
	games func() []PuzzleGame
	own   service.RecentCache[ownPuzzle] // of mistakes, by identity
}

// ownPuzzle is a puzzle of somebody's own mistake.
type ownPuzzle struct{ lab.Puzzle }

// Held is how many bytes it takes, about.
func (p ownPuzzle) Held() int64 { return int64(len(p.Game) + 2*len(p.Position) + ownPuzzleBytes) }

// Limits of what is kept of mistakes.
const (
	ownPuzzleBytes = 300
	ownPuzzles     = 5000
	ownBytes       = 4 << 20
	mostMistakes   = 5 // of a game
)

// newPuzzles returns what sets puzzles.
func newPuzzles(b *service.Base) *puzzles {
	s := &puzzles{Base: b, solvers: solvers{Base: b}}
	s.own.Most, s.own.Bytes = ownPuzzles, ownBytes
	s.games = sync.OnceValue(s.puzzleGames)
	return s
}

// registerPuzzles registers the puzzles.
// Ratings and solvers are kept where there is a store.
func (s *puzzles) registerPuzzles() {
	get := func(id, path, summary string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodGet, Path: service.Root + "/puzzles" + path,
			Summary: summary, Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity}}
	}
	service.Register(s.Base, get("list-puzzles", "", "Say what puzzles there are, and draw one"),
		func(ctx context.Context, in *struct {
			SolverKey
			PuzzleChoice
			But        string  `query:"but" maxLength:"20" doc:"not this puzzle, where there is another"`
			Difficulty string  `query:"difficulty" enum:"easier,harder" doc:"easier or harder than that; without it about as hard"`
			Known      bool    `query:"known" doc:"only of games that everybody knows, as puzzles of the day are"`
			Near       float64 `query:"near" minimum:"0" maximum:"4000" doc:"one that is about as hard; without it as the solver is strong, easy for a new one"`
		}) (*PuzzlesReply, error) {
			list, err := s.chosen(ctx, &in.PuzzleChoice)
			if err != nil {
				return nil, err
			}
			if in.Known {
				list = slices.DeleteFunc(slices.Clone(list), func(z lab.Puzzle) bool { return !lab.WellKnown(z.Game) })
			}
			r := PuzzlesReply{Count: len(list), Games: s.games()}
			if len(list) > 0 {
				if in.But != "" {
					list = others(list, func(z lab.Puzzle) bool { return z.ID == in.But })
				}
				z, err := s.draw(ctx, list, in.Key, in.Near, in.Difficulty)
				if err != nil {
					return nil, err
				}
				if r.Puzzle, err = s.view(ctx, z); err != nil {
					return nil, err
				}
			}
			return &r, nil
		})
	s.registerMistakes(get)
	s.single(get)
	s.printing()
}

// stylePolicy lets a sheet or a picture have its styles and nothing else.
const stylePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'"

// printing registers the sheets of puzzles.
func (s *puzzles) printing() {
	op := huma.Operation{OperationID: "print-puzzles", Method: http.MethodGet, Path: service.Root + "/puzzles/sheet",
		Summary: "A sheet of puzzles to print",
		Description: "Drawn by lot, of as many games as there are, the easy ones first; the answers are on a page of " +
			"their own.",
		Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity},
		Responses: map[string]*huma.Response{"200": {Description: "The sheet",
			Content: map[string]*huma.MediaType{"text/html": {Schema: &huma.Schema{Type: huma.TypeString}}}}}}
	huma.Register(s.API, op, func(ctx context.Context, in *struct {
		PuzzleChoice
		Count int `query:"count" minimum:"1" maximum:"24" doc:"how many, where there are so many; without it as many as fill a page, six, or four of large boards or of many games"`
	}) (*huma.StreamResponse, error) {
		list, err := s.chosen(ctx, &in.PuzzleChoice)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			return nil, noPuzzle(cmp.Or(in.Game, in.Theme))
		}
		// The list may be the collection's own, which stays in its order.
		some := slices.Clone(list)
		rand.Shuffle(len(some), func(i, k int) { some[i], some[k] = some[k], some[i] })
		spread(some)
		write := sheet.Of
		if in.Count == 0 {
			write = sheet.One
		}
		some = some[:min(cmp.Or(in.Count, sheet.MostOnPage), len(some))]
		slices.SortStableFunc(some, func(a, b lab.Puzzle) int { return cmp.Compare(a.Rating, b.Rating) })
		page, err := write(s.Games.Lab, func(spec string) (lab.Game, error) { return s.Games.Open(spec) }, some)
		if err != nil {
			return nil, err
		}
		return service.Whole(page, "Content-Type", "text/html; charset=utf-8",
			"Content-Security-Policy", stylePolicy), nil
	})
}

// spread puts the first puzzles of all games before the second ones, and so on.
func spread(list []lab.Puzzle) {
	before, of := map[string]int{}, map[string]int{}
	for _, z := range list {
		before[z.ID] = of[z.Game]
		of[z.Game]++
	}
	slices.SortStableFunc(list, func(a, b lab.Puzzle) int { return cmp.Compare(before[a.ID], before[b.ID]) })
}

// chosen are the carried puzzles that suit, and names the game by its own spec.
// A theme or a game that there is not is a problem of the query.
// What is empty suits all. The list may be shared and must not be written into.
func (s *puzzles) chosen(ctx context.Context, in *PuzzleChoice) ([]lab.Puzzle, error) {
	theme, err := lab.ThemeOf(in.Theme)
	if err != nil {
		return nil, service.QueryProblem("theme", in.Theme, err)
	}
	if in.Game != "" {
		g, err := s.OpenGame(ctx, in.Game)
		if err != nil {
			return nil, service.QueryProblem("game", in.Game, err)
		}
		in.Game = g.Info().Spec
	}
	return lab.CarriedPuzzles(in.Game, theme), nil
}

// single registers the operations about one puzzle.
func (s *puzzles) single(get func(id, path, summary string) huma.Operation) {
	service.Register(s.Base, get("daily-puzzle", "/daily", "Set the puzzle of the day"),
		func(ctx context.Context, _ *struct{}) (*DailyReply, error) {
			day := time.Now().UTC()
			v, err := s.view(ctx, lab.DailyPuzzle(day))
			if err != nil {
				return nil, err
			}
			return &DailyReply{day.Format(time.DateOnly), *v}, nil
		})
	service.Register(s.Base, get("show-puzzle", "/{id}", "Set a puzzle"),
		func(ctx context.Context, in *struct {
			ID string `path:"id"`
		}) (*PuzzleView, error) {
			z, _, ok := s.findPuzzle(in.ID)
			if !ok {
				return nil, noPuzzle(in.ID)
			}
			return s.view(ctx, &z)
		})
	service.Register(s.Base, huma.Operation{OperationID: "answer-puzzle", Method: http.MethodPost,
		Path: service.Root + "/puzzles/{id}/answer", Summary: "Try a move of a puzzle, or be told the answer",
		Description: "What is said of a wrong move comes from the judge. A first try changes the ratings of the " +
			"puzzle and of its solver, by Glicko-2.",
		MaxBodyBytes: service.BodyLimit, Errors: []int{http.StatusBadRequest, http.StatusNotFound,
			http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusTooManyRequests}},
		func(ctx context.Context, in *struct {
			SolverKey
			ID   string `path:"id"`
			Body PuzzleAnswer
		}) (*AnswerReply, error) {
			return s.answer(ctx, in.ID, in.Key, &in.Body)
		})
}

// noPuzzle is the problem of a puzzle that there is not.
// It has status 404 and names what was asked for.
func noPuzzle(id string) error {
	return service.NewProblem(http.StatusNotFound, "no.puzzle", "id", id)
}

// answer judges a move of a puzzle.
// A move that can't be played is a problem of the field; one that is wrong is answered with hints. Only puzzles
// of the collection count.
func (s *puzzles) answer(ctx context.Context, id, key string, a *PuzzleAnswer) (*AnswerReply, error) {
	z, carried, ok := s.findPuzzle(id)
	if !ok {
		return nil, noPuzzle(id)
	}
	g, err := s.Games.Open(z.Game)
	if err != nil {
		return nil, err
	}
	r := &AnswerReply{}
	err = s.Compute(ctx, s.Longest, false, func(ctx context.Context) error {
		t, err := lab.TryPuzzle(ctx, g, &z, a.Line, a.Move)
		if err == nil {
			r.Tried = *t
		}
		return err
	})
	if wrong := (*lab.Fault)(nil); errors.As(err, &wrong) {
		return nil, service.FieldProblem(wrong.Field, cmp.Or(a.Move, strings.Join(a.Line, ", ")), err)
	}
	if err != nil {
		return nil, err
	}
	if r.Answer == "" {
		text, err := lab.TellPuzzle(g, r.At, append(a.Refused, a.Move)...)
		if err != nil {
			return nil, err
		}
		r.Hints, r.Among, r.Said["hints"] = text.Hints, text.Among, text.Said["hints"]
	}
	if carried && r.Next == nil {
		r.Solver, err = s.count(ctx, key, &z, r.Right, a.First, a.Move == "")
	}
	return r, err
}

// view is a puzzle without its answer.
// The rating is the one of now, rounded.
func (s *puzzles) view(ctx context.Context, z *lab.Puzzle) (*PuzzleView, error) {
	g, err := s.Games.Open(z.Game)
	if err != nil {
		return nil, err
	}
	rating, err := s.ratingOf(ctx, z)
	if err != nil {
		return nil, err
	}
	text, err := lab.TellPuzzle(g, z)
	if err != nil {
		return nil, err
	}
	info := g.Info()
	maps.Copy(text.Said, info.Titled())
	return &PuzzleView{z.ID, z.Game, info.Title, z.Position, string(z.Theme), int(math.Round(rating.Rating)), text}, nil
}

const (
	choices     = 40  // puzzles of about the same rating that one is drawn from, of few an eighth
	firstRating = 950 // of the puzzles for somebody of whom nothing is known
)

// draw draws a puzzle that the solver has not tried, if there is one left, of those whose
// rating is nearest to what is asked for or to the solver's, or is easier or harder than that, and of another game and
// theme than the one before where there is such a choice.
func (s *puzzles) draw(ctx context.Context, list []lab.Puzzle, key string, near float64,
	difficulty string) (*lab.Puzzle, error) {
	by, err := lab.DifficultyOf(difficulty)
	if err != nil {
		return nil, service.QueryProblem("difficulty", difficulty, err)
	}
	who, tried, err := s.find(ctx, key)
	if err != nil {
		return nil, err
	}
	switch {
	case near == 0 && len(tried) == 0:
		near = firstRating
	case near == 0:
		near = who.Rating.Rating
	}
	near += by
	known := map[string]bool{}
	for _, id := range tried {
		known[id] = true
	}
	// Who has tried all is set them again.
	left := slices.DeleteFunc(slices.Clone(list), func(z lab.Puzzle) bool { return known[z.ID] })
	if len(left) == 0 {
		left = slices.Clone(list)
	}
	rand.Shuffle(len(left), func(i, k int) { left[i], left[k] = left[k], left[i] }) // many are rated alike
	if most := min(choices, max(1, len(left)/8)); len(left) > most {
		away := map[string]float64{}
		for i := range left {
			r, err := s.ratingOf(ctx, &left[i])
			if err != nil {
				return nil, err
			}
			away[left[i].ID] = math.Abs(r.Rating - near)
		}
		slices.SortStableFunc(left, func(a, b lab.Puzzle) int { return cmp.Compare(away[a.ID], away[b.ID]) })
		left = left[:most]
	}
	if len(tried) > 0 {
		if last, ok := lab.CarriedPuzzle(tried[len(tried)-1]); ok {
			left = others(left, func(z lab.Puzzle) bool { return z.Game == last.Game })
			left = others(left, func(z lab.Puzzle) bool { return z.Theme == last.Theme })
		}
	}
	return &left[rand.IntN(len(left))], nil
}

// others are the puzzles that are not like one, or all where all are.
// The list itself is not written into.
func others(list []lab.Puzzle, like func(lab.Puzzle) bool) []lab.Puzzle {
	if rest := slices.DeleteFunc(slices.Clone(list), like); len(rest) > 0 {
		return rest
	}
	return list
}

// findPuzzle returns a puzzle of the collection, which is carried, or of a mistake.
func (s *puzzles) findPuzzle(id string) (z lab.Puzzle, carried, ok bool) {
	if z, ok = lab.CarriedPuzzle(id); ok {
		return z, true, true
	}
	own, ok := s.own.Find(id)
	return own.Puzzle, false, ok
}

// registerMistakes registers the operations about those who solve.
func (s *puzzles) registerMistakes(get func(id, path, summary string) huma.Operation) {
	service.Register(s.Base, get("show-solver", "/solver", "Say what is kept of a solver"),
		func(ctx context.Context, in *SolverKey) (*Solver, error) {
			who, _, err := s.find(ctx, in.Key)
			return &who, err
		})
	service.Post(s.Base, "/puzzles/mistakes", "puzzle-mistakes", "Make puzzles of the mistakes in a game",
		"Of the positions in which exactly one move was right, and another one was made.", s.mistakes)
}

// mistakes makes puzzles of the mistakes in a game.
// They are mostMistakes at most, of which those of the seat that was not asked for are left out.
func (s *puzzles) mistakes(ctx context.Context, in *MistakesRequest) (*MistakesReply, error) {
	r := &MistakesReply{Puzzles: []PuzzleView{}}
	g, t, _, err := s.ReplayMoves(ctx, in.Place, lab.SessionOptions{})
	if err != nil {
		return nil, err
	}
	sheet := &lab.Sheet{Record: t.Record()}
	t.Close()
	var list []lab.Puzzle
	err = s.Compute(ctx, s.Longest, false, func(ctx context.Context) error {
		_, err := g.Judging().MineMistakes(ctx, sheet, lab.PuzzleOptions{Count: mostMistakes},
			func(z lab.Puzzle) { list = append(list, z) })
		return err
	})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, service.FieldProblem("game", in.Game, err)
	}
	for i := range list {
		state, err := g.Parse(list[i].Position)
		if err != nil {
			return nil, err
		}
		if in.Seat != "" && in.Seat != state.Turn {
			continue
		}
		s.own.Keep(list[i].ID, ownPuzzle{list[i]})
		v, err := s.view(ctx, &list[i])
		if err != nil {
			return nil, err
		}
		r.Puzzles = append(r.Puzzles, *v)
	}
	return r, nil
}

// puzzleGames lists the games of the collection.
// They are in the order in which the collection has them. It is worked out once, at the first question.
func (s *puzzles) puzzleGames() []PuzzleGame {
	var games []PuzzleGame
	for _, z := range lab.CarriedPuzzles("", "") {
		i := slices.IndexFunc(games, func(g PuzzleGame) bool { return g.Game == z.Game })
		if i < 0 {
			of := PuzzleGame{Game: z.Game, Title: z.Game, Themes: map[string]int{}}
			if g, err := s.Games.Lab.Game(z.Game); err == nil {
				info := g.Info()
				of.Title, of.Said = info.Title, info.Titled()
			}
			i = len(games)
			games = append(games, of)
		}
		games[i].Count++
		games[i].Themes[string(z.Theme)]++
	}
	return games
}
