package web

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"oxo/lab"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// PuzzleView is a puzzle without its answer.
type PuzzleView struct {
	ID       string `json:"id"`
	Game     string `json:"game"`
	Title    string `json:"title" doc:"what the game is called"`
	Position string `json:"position"`
	Theme    string `json:"theme"`
	Rating   int    `json:"rating" doc:"how hard it is"`
	lab.PuzzleText
}

// PuzzleGame is a game that there are puzzles of.
type PuzzleGame struct {
	Game   string         `json:"game"`
	Title  string         `json:"title"`
	Count  int            `json:"count"`
	Themes map[string]int `json:"themes" doc:"how many of each theme"`
}

// PuzzlesReply is what puzzles there are, and one of them.
type PuzzlesReply struct {
	Count  int          `json:"count" doc:"how many suit the question"`
	Games  []PuzzleGame `json:"games"`
	Puzzle *PuzzleView  `json:"puzzle,omitempty" doc:"one that suits; none where none does"`
}

// DailyReply is the puzzle of a day.
type DailyReply struct {
	Day    string     `json:"day" doc:"in UTC" format:"date"`
	Puzzle PuzzleView `json:"puzzle"`
}

// PuzzleAnswer is a move of who solves, or the wish to be told.
type PuzzleAnswer struct {
	Move   string            `json:"move,omitempty" maxLength:"40" doc:"the move; without it the answer is told"`
	First  bool              `json:"first,omitempty" doc:"the first try, without a hint: it counts for the rating"`
	Rating *lab.SolverRating `json:"rating,omitempty" doc:"the solver's rating so far, which is kept by the solver; without it of somebody new"`
}

// AnswerReply is what is to be said of a move.
type AnswerReply struct {
	lab.Tried
	Answer string            `json:"answer,omitempty" doc:"the right move, once it was found or told"`
	Rating *lab.SolverRating `json:"rating,omitempty" doc:"the solver's rating after the first try (Glicko-2)"`
}

// puzzles sets puzzles of the collection.
type puzzles struct {
	*service.Base
	games func() []PuzzleGame
}

func newPuzzles(b *service.Base) *puzzles {
	s := &puzzles{Base: b}
	s.games = sync.OnceValue(s.puzzleGames)
	return s
}

// puzzling registers the puzzles.
func (s *puzzles) puzzling() {
	get := func(id, path, summary string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodGet, Path: service.Root + "/puzzles" + path,
			Summary: summary, Errors: []int{http.StatusNotFound, http.StatusUnprocessableEntity}}
	}
	huma.Register(s.API, get("list-puzzles", "", "Say what puzzles there are, and draw one"),
		func(ctx context.Context, in *struct {
			Game  string  `query:"game" maxLength:"200" doc:"only of this game"`
			Theme string  `query:"theme" maxLength:"20" doc:"only of this theme"`
			Near  float64 `query:"near" minimum:"0" maximum:"4000" doc:"one that is about as hard"`
		}) (*service.Reply[PuzzlesReply], error) {
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
			list := lab.CarriedPuzzles(in.Game, theme)
			r := PuzzlesReply{Count: len(list), Games: s.games()}
			if len(list) > 0 {
				if r.Puzzle, err = s.view(draw(list, in.Near)); err != nil {
					return nil, err
				}
			}
			return &service.Reply[PuzzlesReply]{Body: r}, nil
		})
	s.single(get)
}

// single registers the operations about one puzzle.
func (s *puzzles) single(get func(id, path, summary string) huma.Operation) {
	huma.Register(s.API, get("daily-puzzle", "/daily", "Set the puzzle of the day"),
		func(context.Context, *struct{}) (*service.Reply[DailyReply], error) {
			day := time.Now().UTC().Format(time.DateOnly)
			v, err := s.view(daily(day))
			if err != nil {
				return nil, err
			}
			return &service.Reply[DailyReply]{Body: DailyReply{day, *v}}, nil
		})
	huma.Register(s.API, get("show-puzzle", "/{id}", "Set a puzzle"),
		func(_ context.Context, in *struct {
			ID string `path:"id"`
		}) (*service.Reply[PuzzleView], error) {
			z, ok := lab.CarriedPuzzle(in.ID)
			if !ok {
				return nil, noPuzzle(in.ID)
			}
			v, err := s.view(&z)
			if err != nil {
				return nil, err
			}
			return &service.Reply[PuzzleView]{Body: *v}, nil
		})
	huma.Register(s.API, huma.Operation{OperationID: "answer-puzzle", Method: http.MethodPost,
		Path: service.Root + "/puzzles/{id}/answer", Summary: "Try a move of a puzzle, or be told the answer",
		Description:  "What is said of a wrong move comes from the judge. The server keeps nothing of who solves.",
		MaxBodyBytes: service.BodyLimit, Errors: []int{http.StatusBadRequest, http.StatusNotFound,
			http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusTooManyRequests}},
		func(ctx context.Context, in *struct {
			ID   string `path:"id"`
			Body PuzzleAnswer
		}) (*service.Reply[AnswerReply], error) {
			r, err := s.answer(ctx, in.ID, &in.Body)
			if err != nil {
				return nil, err
			}
			return &service.Reply[AnswerReply]{Body: *r}, nil
		})
}

func noPuzzle(id string) error {
	return service.NewProblem(http.StatusNotFound, fmt.Sprintf("there is no puzzle %q", id))
}

// answer judges a move of a puzzle.
func (s *puzzles) answer(ctx context.Context, id string, a *PuzzleAnswer) (*AnswerReply, error) {
	z, ok := lab.CarriedPuzzle(id)
	if !ok {
		return nil, noPuzzle(id)
	}
	g, err := s.Games.Open(z.Game)
	if err != nil {
		return nil, err
	}
	r := &AnswerReply{}
	if a.Move == "" {
		r.Says = fmt.Sprintf("It is %s. %s", z.Answer, z.Others())
	} else {
		err := s.Compute(ctx, s.Longest, false, func(ctx context.Context) error {
			t, err := lab.TryPuzzle(ctx, g, &z, a.Move)
			if t != nil {
				r.Tried = *t
			}
			return err
		})
		var wrong *lab.Fault
		switch {
		case errors.As(err, &wrong):
			return nil, service.FieldProblem("move", a.Move, err)
		case err != nil:
			return nil, err
		}
	}
	if r.Right || a.Move == "" {
		r.Answer = z.Answer
	}
	if a.First {
		var before lab.SolverRating
		if a.Rating != nil {
			before = *a.Rating
		}
		after := lab.AfterPuzzle(before, &z, r.Right)
		r.Rating = &after
	}
	return r, nil
}

// view is a puzzle without its answer.
func (s *puzzles) view(z *lab.Puzzle) (*PuzzleView, error) {
	g, err := s.Games.Open(z.Game)
	if err != nil {
		return nil, err
	}
	text, err := lab.TellPuzzle(g, z)
	if err != nil {
		return nil, err
	}
	return &PuzzleView{z.ID, z.Game, g.Info().Title, z.Position, string(z.Theme), z.Rating, text}, nil
}

// choices is how many puzzles of about the same rating one is drawn from.
const choices = 40

// draw draws a puzzle, of those whose rating is nearest where one is given.
func draw(list []lab.Puzzle, near float64) *lab.Puzzle {
	if near > 0 && len(list) > choices {
		away := func(z lab.Puzzle) float64 { return math.Abs(float64(z.Rating) - near) }
		slices.SortStableFunc(list, func(a, b lab.Puzzle) int { return int(away(a) - away(b)) })
		list = list[:choices]
	}
	return &list[rand.IntN(len(list))]
}

// daily is the puzzle of a day, the same for all.
func daily(day string) *lab.Puzzle {
	list := lab.CarriedPuzzles("", "")
	h := fnv.New64a()
	h.Write([]byte(day)) // never fails
	return &list[h.Sum64()%uint64(len(list))]
}

// puzzleGames lists the games of the collection.
func (s *puzzles) puzzleGames() []PuzzleGame {
	var games []PuzzleGame
	for _, z := range lab.CarriedPuzzles("", "") {
		i := slices.IndexFunc(games, func(g PuzzleGame) bool { return g.Game == z.Game })
		if i < 0 {
			title := z.Game
			if g, err := s.Games.Lab.Game(z.Game); err == nil {
				title = g.Info().Title
			}
			i = len(games)
			games = append(games, PuzzleGame{Game: z.Game, Title: title, Themes: map[string]int{}})
		}
		games[i].Count++
		games[i].Themes[string(z.Theme)]++
	}
	return games
}
