package web

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"oxo"
	"oxo/lab"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// SheetRequest brings score sheets.
type SheetRequest struct {
	Text string `json:"text" minLength:"1" maxLength:"60000" doc:"one score sheet or several, as oxo match writes them, or moves"`
	Game string `json:"game,omitempty" maxLength:"200" doc:"the game of moves that name none"`
}

// SheetReply has the games of score sheets.
type SheetReply struct {
	Games []oxo.Record `json:"games" doc:"at least one, each played by its rules"`
	Bad   []string     `json:"bad,omitempty" doc:"what is wrong with those that can't be read, of at most 20"`
}

// mostBad is how many sheets that can't be read are named.
const mostBad = 20

// registerSheets registers the operations that write and read score sheets.
// Neither computes at length.
func (s *scenery) registerSheets() {
	op := service.Operation(http.MethodGet, "/sheet", "write-sheet", "A game as a score sheet",
		"With the same parameters as the addresses of the pages.", 422)
	op.Responses = service.SheetResponses
	huma.Register(s.API, op, func(ctx context.Context, in *struct {
		Scene
		First    string `query:"first" maxLength:"200" doc:"what to call the first side"`
		Second   string `query:"second" maxLength:"200" doc:"what to call the second side"`
		Date     string `query:"date" pattern:"^\\d{4}-(\\d\\d|\\?\\?)-(\\d\\d|\\?\\?)$" maxLength:"10" doc:"the day on which it was played, as 2026-01-31"`
		Resigned string `query:"resigned" pattern:"^((first|second)(:(time|abandoned|illegal|crashed|adjudicated))?|both)?$" doc:"the side that gave up at the end of the moves, and how if not by resigning; both agreed on a draw"`
	}) (*huma.StreamResponse, error) {
		return s.sheet(ctx, in.Scene, oxo.Record{First: oxo.ShortenName(in.First), Second: oxo.ShortenName(in.Second),
			Date: in.Date}, in.Resigned)
	})
	service.Post(s.Base, "/sheets", "read-sheets", "Read score sheets",
		"Every game is replayed by its rules. Those that can't be read are refused where none can. Names are cut to "+
			"40 characters, and lose those that are not seen.",
		func(_ context.Context, in *SheetRequest) (*SheetReply, error) { return s.readSheets(in) })
}

// readSheets reads the games of score sheets. Where none is whole, the first fault is the answer.
func (s *scenery) readSheets(in *SheetRequest) (*SheetReply, error) {
	l := s.Games.Lab.Bare()
	l.ReadFile = s.Games.Lab.ReadFile
	r := &SheetReply{}
	var first error
	for sheet, err := range l.EachSheet(strings.NewReader(in.Text), in.Game) {
		switch first = cmp.Or(first, err); {
		case err == nil:
			sheet.First, sheet.Second = oxo.ShortenName(sheet.First), oxo.ShortenName(sheet.Second)
			r.Games = append(r.Games, sheet.Record)
		case len(r.Bad) < mostBad:
			r.Bad = append(r.Bad, err.Error())
		}
	}
	switch {
	case len(r.Games) > 0:
		return r, nil
	case errors.Is(first, lab.ErrNoGame):
		return nil, service.NewProblem(http.StatusUnprocessableEntity, "sheet.no.game")
	case first != nil:
		return nil, service.FieldProblem("text", nil, first)
	}
	return nil, service.NewProblem(http.StatusUnprocessableEntity, "no.sheet")
}

// sheet writes a game down, with what is known of it.
// Sides without a name are people. Giving up counts only where the game goes on.
func (s *scenery) sheet(ctx context.Context, c Scene, known oxo.Record, resigned string) (*huma.StreamResponse, error) {
	g, t, err := s.replayScene(ctx, c)
	if err != nil {
		return nil, err
	}
	sheet := &lab.Sheet{Record: t.Record()}
	if resigned != "" && !t.Over() {
		sheet.Result, sheet.Termination = resultOfGivingUp(resigned)
	}
	sheet.First, sheet.Second, sheet.Date = cmp.Or(known.First, lab.Human), cmp.Or(known.Second, lab.Human), known.Date
	return s.SheetAsTextFile(g, sheet)
}

// resultOfGivingUp is how a game ended in which a side gave up, or both agreed on a draw.
// It is as addresses of pages have it: the side, and after a colon how.
func resultOfGivingUp(resigned string) (result, termination string) {
	side, how, _ := strings.Cut(resigned, ":")
	if side == "both" {
		return oxo.Drawn.String(), oxo.EndAgreed
	}
	return oxo.WinFor(oxo.SeatNamed(side).Other()).String(), cmp.Or(how, oxo.EndResigned)
}
