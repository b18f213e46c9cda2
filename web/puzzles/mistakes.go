package puzzles

import (
	"context"
	"errors"

	"oxo/lab"
	"oxo/web/service"
)

// MistakesRequest is a game in which somebody may have gone wrong.
type MistakesRequest struct {
	service.Place
	Seat string `json:"seat,omitempty" enum:"first,second" doc:"whose mistakes; without it those of both"`
}

// MistakeView is a puzzle of a mistake.
type MistakeView struct {
	PuzzleView
	Played string `json:"played" doc:"the move that was made"`
	Ply    int    `json:"ply" doc:"how many of the game's moves were made before it"`
}

// MistakesReply has a game's mistakes as puzzles.
type MistakesReply struct {
	Puzzles []MistakeView `json:"puzzles" doc:"positions in which one move was right, or several were, and another was made; they can be answered for a while"`
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

// puzzlesOfMistakes makes puzzles of the mistakes in a game.
// They are mostMistakes at most, of which those of the seat that was not asked for are left out.
func (s *puzzles) puzzlesOfMistakes(ctx context.Context, in *MistakesRequest) (*MistakesReply, error) {
	r := &MistakesReply{Puzzles: []MistakeView{}}
	g, t, _, err := s.ReplayMoves(ctx, in.Place)
	if err != nil {
		return nil, err
	}
	sheet := &lab.Sheet{Record: t.Record()}
	t.Close()
	var list []lab.Mistake
	err = s.Compute(ctx, s.Longest, false, func(ctx context.Context) error {
		list = nil
		_, err := g.Judging().MineMistakes(ctx, sheet, lab.PuzzleOptions{Count: mostMistakes},
			func(z lab.Mistake) { list = append(list, z) })
		return err
	})
	// What was found until the time was over is a part of the answer.
	late := errors.Is(err, context.DeadlineExceeded) || len(list) > 0 && errors.Is(err, service.ErrSpent)
	if err != nil && !late {
		return nil, service.FieldProblem("game", in.Game, err)
	}
	for _, z := range list {
		state, err := g.Parse(z.Position)
		if err != nil {
			return nil, err
		}
		if in.Seat != "" && in.Seat != state.Turn {
			continue
		}
		s.own.Keep(z.ID, ownPuzzle{z.Puzzle})
		v, err := s.view(ctx, &z.Puzzle)
		if err != nil {
			return nil, err
		}
		r.Puzzles = append(r.Puzzles, MistakeView{*v, z.Played, z.Ply})
	}
	return r, nil
}
