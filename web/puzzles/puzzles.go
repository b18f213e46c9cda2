// Package puzzles sets puzzles over HTTP, rates those who solve them, and prints sheets.
package puzzles

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"oxo/lab"
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
	Rating   int    `json:"rating" doc:"how hard it is: it begins with an estimate and changes with those who try"`
	Right    int    `json:"right,omitempty" doc:"how many moves are right, where they are several, as in puzzles of mistakes"`
	lab.PuzzleText
}

// PuzzleGame is a game that there are puzzles of.
type PuzzleGame struct {
	Game   string         `json:"game"`
	Title  string         `json:"title"`
	Count  int            `json:"count"`
	Themes map[string]int `json:"themes" doc:"how many of each theme, and of the wins in so many moves, as win-2"`
	Known  bool           `json:"known,omitempty" doc:"whether many people know it"`
	Said   lab.Said       `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// PuzzlesReply is what puzzles there are, and one of them.
type PuzzlesReply struct {
	Count  int          `json:"count" doc:"how many suit the question"`
	Games  []PuzzleGame `json:"games"`
	Puzzle *PuzzleView  `json:"puzzle,omitempty" doc:"one that suits; none where none does"`
	// Hardest is of all that suit, tried or not.
	Hardest int `json:"hardest,omitempty" doc:"the highest rating, where more is asked for"`
}

// PuzzleChoice says which puzzles suit.
type PuzzleChoice struct {
	Game  string `query:"game" maxLength:"200" doc:"only of this game"`
	Theme string `query:"theme" maxLength:"20" doc:"only of this theme, or of the wins in so many moves: win-1 to win-3, and win-4 with longer ones"`
}

// DailyReply is the puzzle of a day.
type DailyReply struct {
	Day    string     `json:"day" doc:"in UTC" format:"date"`
	Puzzle PuzzleView `json:"puzzle"`
}

// PuzzleAnswer is a move of who solves, or the wish to be told.
type PuzzleAnswer struct {
	Move  string   `json:"move,omitempty" maxLength:"40" doc:"the move; without it the answer is told, and a puzzle that was not tried before counts as missed"`
	Line  []string `json:"line,omitempty" maxItems:"40" doc:"the right moves and replies before it, of a puzzle that goes on"`
	First bool     `json:"first,omitempty" doc:"the first try, without a hint: it counts, once for each puzzle and solver; a win that is slower than asked for counts only after another wrong move"`
	Again bool     `json:"again,omitempty" doc:"the first try of another sitting, without a hint: where it is right, the puzzle is no more among those that were missed"`
	// Refused bounds what a hint has to leave out.
	Refused []string `json:"refused,omitempty" maxItems:"400" doc:"moves that were wrong before, which no hint names again"`
}

// AnswerReply is what is to be said of a move.
// The solver is nil where nothing is kept, or where the puzzle is of somebody's own mistake.
type AnswerReply struct {
	lab.Tried
	Hints  []string `json:"hints,omitempty" doc:"after a wrong move: each says more than the one before, and none names a move that was wrong"`
	Among  []string `json:"among,omitempty" doc:"the moves that the last of these hints names"`
	Marks  []string `json:"marks,omitempty" doc:"the squares that the second of them names"`
	Solver *Solver  `json:"solver,omitempty" doc:"who solves, after this; none where nothing is kept"`
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

// Register registers the operations of puzzles. Ratings and solvers are kept where there is a store.
// It returns how to find a puzzle by its id.
func Register(b *service.Base) (find func(id string) (z lab.Puzzle, found bool)) {
	s := &puzzles{Base: b, solvers: solvers{Base: b, votes: service.NewLimiter(votePace)}}
	s.own.Most, s.own.Bytes = ownPuzzles, ownBytes
	s.games = sync.OnceValue(s.puzzleGames)
	get := func(id, path, summary string) huma.Operation {
		return service.Operation(http.MethodGet, "/puzzles"+path, id, summary, "", 404, 422)
	}
	service.Register(s.Base, get("list-puzzles", "", "Say what puzzles there are, and draw one"), s.countAndDraw)
	s.registerSinglePuzzle(get)
	s.registerSolvers(get)
	service.Post(s.Base, "/puzzles/mistakes", "puzzle-mistakes", "Make puzzles of the mistakes in a game",
		"Of positions in which some moves kept what it was worth and the one that was made did not.",
		s.puzzlesOfMistakes)
	s.registerPrinting()
	return func(id string) (lab.Puzzle, bool) {
		z, _, found := s.findPuzzle(id)
		return z, found
	}
}

// chosenPuzzles are the carried puzzles that suit, and names the game by its own spec.
// A theme or a game that there is not is a problem of the query.
// What is empty suits all. The list may be shared and must not be written into.
func (s *puzzles) chosenPuzzles(ctx context.Context, in *PuzzleChoice) ([]lab.Puzzle, error) {
	if in.Game != "" {
		g, err := s.OpenGame(ctx, in.Game)
		if err != nil {
			return nil, service.QueryProblem("game", in.Game, err)
		}
		in.Game = g.Info().Spec
	}
	list, err := lab.ChoosePuzzles(in.Game, in.Theme)
	return list, service.QueryProblem("theme", in.Theme, err)
}

// registerSinglePuzzle registers the operations about one puzzle.
func (s *puzzles) registerSinglePuzzle(get func(id, path, summary string) huma.Operation) {
	service.Register(s.Base, get("daily-puzzle", "/daily", "Set the puzzle of the day"),
		func(ctx context.Context, in *struct {
			Day string `query:"day" maxLength:"10" doc:"a day before, as 2026-01-31; without it today"`
		}) (*DailyReply, error) {
			day := time.Now().UTC()
			if in.Day != "" {
				asked, err := lab.ParsePastDay(in.Day, day)
				if err != nil {
					return nil, service.QueryProblem("day", in.Day, err)
				}
				day = asked
			}
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
	service.Register(s.Base, service.Operation(http.MethodPost, "/puzzles/{id}/answer", "answer-puzzle",
		"Try a move of a puzzle, or be told the answer",
		"A first try changes the rating of its solver, by Glicko-2, and that of the puzzle, once a day from an "+
			"address, where the solver's deviation is 110 at most.", 400, 404, 413, 422, 429),
		func(ctx context.Context, in *struct {
			SolverKey
			ID   string `path:"id"`
			Body PuzzleAnswer
		}) (*AnswerReply, error) {
			return s.judgeAnswer(ctx, in.ID, in.Key, &in.Body)
		})
}

// noPuzzle is the problem of a puzzle that there is not.
// It has status 404 and names what was asked for.
func noPuzzle(id string) error {
	return service.NewProblem(http.StatusNotFound, "no.puzzle", "id", id)
}

// judgeAnswer judges a move of a puzzle.
// A move that can't be played is a problem of the field; one that is wrong is answered with hints. Only puzzles
// of the collection count.
func (s *puzzles) judgeAnswer(ctx context.Context, id, key string, a *PuzzleAnswer) (*AnswerReply, error) {
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
		t, err := lab.TryPuzzleMove(ctx, g, &z, a.Line, a.Move)
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
		text, err := lab.DescribePuzzle(g, r.At, append(a.Refused, a.Move)...)
		if err != nil {
			return nil, err
		}
		r.Hints, r.Among, r.Marks, r.Said["hints"] = text.Hints, text.Among, text.Marks, text.Said["hints"]
	}
	// A slower win is a miss at the second time only.
	if carried && r.Next == nil && (!r.Slower || len(a.Refused) > 0) {
		// Of two moves each wrong one tells the other, which is for the first try to count.
		told := a.Move == "" || len(r.Among) == 1 && len(a.Refused) > 0
		r.Solver, err = s.recordAnswer(ctx, key, &z, a, r.Right, told)
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
	text, err := lab.DescribePuzzle(g, z)
	if err != nil {
		return nil, err
	}
	info := g.Info()
	maps.Copy(text.Said, info.Messages("title"))
	v := &PuzzleView{ID: z.ID, Game: z.Game, Title: info.Title, Position: z.Position, Theme: string(z.Theme),
		Rating: int(math.Round(rating.Rating)), PuzzleText: text}
	if len(z.Also) > 0 {
		v.Right = 1 + len(z.Also)
	}
	return v, nil
}

// findPuzzle returns a puzzle of the collection, which is carried, or of a mistake.
func (s *puzzles) findPuzzle(id string) (z lab.Puzzle, carried, ok bool) {
	if z, ok = lab.CarriedPuzzle(id); ok {
		return z, true, true
	}
	own, ok := s.own.Find(id)
	return own.Puzzle, false, ok
}

// puzzleGames lists the games of the collection.
// Those that many people know are first, then they are in the order in which the collection has them. It is worked out
// once, at the first question.
func (s *puzzles) puzzleGames() []PuzzleGame {
	var games []PuzzleGame
	for _, z := range lab.CarriedPuzzles("", "") {
		i := slices.IndexFunc(games, func(g PuzzleGame) bool { return g.Game == z.Game })
		if i < 0 {
			of := PuzzleGame{Game: z.Game, Title: z.Game, Themes: map[string]int{},
				Known: lab.OrderOfKnownGame(z.Game) >= 0}
			if g, err := s.Games.Lab.Game(z.Game); err == nil {
				info := g.Info()
				of.Title, of.Said = info.Title, info.Messages("title")
			}
			i = len(games)
			games = append(games, of)
		}
		games[i].Count++
		for _, theme := range lab.ThemesOfPuzzle(&z) {
			games[i].Themes[theme]++
		}
	}
	slices.SortStableFunc(games, func(a, b PuzzleGame) int {
		return cmp.Compare(uint(lab.OrderOfKnownGame(a.Game)), uint(lab.OrderOfKnownGame(b.Game))) // -1 comes last
	})
	return games
}
