package service

import (
	"bytes"
	"context"
	"fmt"

	"oxo/lab"

	"github.com/danielgtaylor/huma/v2"
)

// Place is a position of a game: a given one or the start, and moves from it.
type Place struct {
	Game     string   `json:"game" minLength:"1" maxLength:"200" doc:"the game's spec" example:"ttt"`
	Position string   `json:"position,omitempty" maxLength:"4000" doc:"the position to begin from; without it the start"`
	Moves    []string `json:"moves,omitempty" maxItems:"2000" doc:"moves to play from there, chance's included"`
}

// ReplayMoves replays a place that a body holds. Both sides of the session are people.
// The texts are the positions on the way, the first and the last included. The error is a problem of the field.
func (s *Base) ReplayMoves(ctx context.Context, p Place) (
	game *Opened, session lab.Session, trail []string, err error) {
	return s.ReplayMovesFrom(ctx, p, FieldProblem)
}

// ReplayMovesFrom is [Base.ReplayMoves] of a place that comes from elsewhere in the request: problem makes the problem
// of what holds a field of the place there.
func (s *Base) ReplayMovesFrom(ctx context.Context, p Place, problem func(field string, value any, err error) error) (
	game *Opened, session lab.Session, trail []string, err error) {
	g, err := s.OpenGame(ctx, p.Game)
	if err != nil {
		return nil, nil, nil, problem("game", p.Game, err)
	}
	if _, err := g.Parse(p.Position); err != nil {
		return nil, nil, nil, problem("position", p.Position, err)
	}
	t, err := g.NewSession(lab.SessionOptions{First: lab.Human, Second: lab.Human, Position: p.Position})
	if err != nil {
		return nil, nil, nil, problem("player", "", err)
	}
	trail = []string{t.State().Position}
	for i, m := range p.Moves {
		if err := t.Move(m); err != nil {
			return nil, nil, nil, problem(fmt.Sprintf("moves[%d]", i), m, err)
		}
		trail = append(trail, t.State().Position)
	}
	return g, t, trail, nil
}

// SheetResponses is what an operation answers that writes a score sheet.
var SheetResponses = Answer("The score sheet", "text/plain", &huma.Schema{Type: huma.TypeString})

// SheetAsTextFile answers with a game as a score sheet, as a file.
func (s *Base) SheetAsTextFile(g lab.Game, sheet *lab.Sheet) (*huma.StreamResponse, error) {
	sheet.Title = g.Info().Title // as oxo match and oxo play write it
	return s.SheetsAsTextFile("game.txt", sheet)
}

// SheetsAsTextFile answers with score sheets, as a file of that name.
func (s *Base) SheetsAsTextFile(name string, sheets ...*lab.Sheet) (*huma.StreamResponse, error) {
	s.Games.Lab.EmbedGameFiles(sheets...)
	var to bytes.Buffer
	for _, sheet := range sheets {
		if err := lab.WriteSheet(&to, sheet); err != nil {
			return nil, err
		}
	}
	return RespondWithData(to.Bytes(), "Content-Type", "text/plain; charset=utf-8", "Content-Disposition",
		`attachment; filename="`+name+`"`), nil
}
