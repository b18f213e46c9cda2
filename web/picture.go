package web

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"oxo"
	"oxo/lab"
	"oxo/lab/picture"
	webjobs "oxo/web/jobs"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// Scene is a point in a game and how it is drawn, as addresses have it: those of pages,
// of pictures and of frames alike.
type Scene struct {
	Game  string `query:"game" maxLength:"200" default:"ttt" doc:"the game's spec"`
	From  string `query:"from" maxLength:"4000" doc:"the position to begin from; without it the start"`
	Moves string `query:"moves" maxLength:"20000" doc:"moves to play from there, with commas between; a comma in a move is escaped as %2C once more"`
	Ply   string `query:"ply" pattern:"^\\d*$" maxLength:"5" doc:"how many of the moves to play; without it all"`
	Theme string `query:"theme" enum:"light,dark," doc:"light or dark"`
	Plies bool   `query:"plies" doc:"write on the marks by which move they were made"`
	Card  bool   `query:"card" doc:"1200 by 630, as other sites show it beside a link"`
	Map   string `query:"map" enum:"first,second," doc:"instead of the position, the map of optimal play of that seat from there, of a small game"`
}

// sceneOf reads the scene of an address.
func sceneOf(q url.Values) Scene {
	return Scene{Game: q.Get("game"), From: q.Get("from"), Moves: q.Get("moves"), Ply: q.Get("ply"),
		Theme: q.Get("theme"), Plies: q.Get("plies") == "true"}
}

// place is the point in the game, and how many moves the address has. A ply that makes
// no sense is the last, as on the pages.
// Without a game it is tic-tac-toe. Whether the moves are legal is not looked at.
func (c Scene) place() (shown service.Place, allMoves int) {
	shown = service.Place{Game: c.Game, Position: c.From}
	shown.Game = cmp.Or(shown.Game, "ttt")
	if c.Moves != "" {
		for m := range strings.SplitSeq(c.Moves, ",") {
			if plain, err := url.PathUnescape(m); err == nil {
				m = plain
			}
			shown.Moves = append(shown.Moves, m)
		}
	}
	allMoves = len(shown.Moves)
	if ply, err := strconv.Atoi(c.Ply); err == nil && ply >= 0 && ply < allMoves {
		shown.Moves = shown.Moves[:ply]
	}
	return shown, allMoves
}

// query is the scene in an address, with what is usual left out.
// It begins without a question mark; the card and the map are never part of it.
func (c Scene) query() string {
	var parts []string
	for _, p := range [][2]string{{"game", c.Game}, {"from", c.From}, {"moves", c.Moves}, {"ply", c.Ply},
		{"theme", c.Theme}} {
		if p[1] != "" {
			parts = append(parts, p[0]+"="+url.QueryEscape(p[1]))
		}
	}
	if c.Plies {
		parts = append(parts, "plies=true")
	}
	return strings.Join(parts, "&")
}

// scenery draws positions.
// It also writes score sheets and serves the studio's pages, whose addresses are scenes.
type scenery struct {
	*service.Base
	proofs *proofs
	jobs   *webjobs.Scheduler                 // nil without a store
	puzzle func(id string) (lab.Puzzle, bool) // of the collection, or of a mistake
}

// replayScene plays the moves of a scene. The error is a problem of the parameter at fault.
func (s *scenery) replayScene(ctx context.Context, c Scene) (lab.Game, lab.Session, error) {
	p, _ := c.place()
	g, t, _, err := s.ReplayMovesFrom(ctx, p, func(field string, value any, err error) error {
		field, _, _ = strings.Cut(field, "[") // a move is one of a parameter's
		if field == "position" {
			field = "from"
		}
		return service.QueryProblem(field, value, err)
	})
	return g, t, err
}

// replay replays a scene, and shows where it ends.
// The error is a problem of the parameter at fault.
func (s *scenery) replay(ctx context.Context, c Scene) (game lab.Game, board *picture.Board, err error) {
	g, t, err := s.replayScene(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	b := picture.BoardOfSession(g, t)
	return g, &b, nil
}

// drawPicture draws a scene as an svg or png, squares of which may be links.
// It is computed in a slot, and may be drawn twice: the buffer is emptied first.
func (s *scenery) drawPicture(ctx context.Context, c Scene, format string, links ...picture.Link) ([]byte, error) {
	g, b, err := s.replay(ctx, c)
	if err != nil {
		return nil, err
	}
	var to bytes.Buffer
	err = s.Compute(ctx, s.Longest, false, func(ctx context.Context) error {
		to.Reset()
		if c.Map != "" {
			m, err := g.Solving().ReplyMap(ctx, b.State.Position, oxo.SeatNamed(c.Map))
			if err != nil {
				return service.QueryProblem("map", c.Map, err)
			}
			return picture.DrawReplyMap(&to, format, g.Info(), m, c.Theme == "dark")
		}
		style := picture.Style{Dark: c.Theme == "dark", Plies: c.Plies, Card: c.Card, Links: links}
		return picture.Draw(&to, format, *b, style)
	})
	return to.Bytes(), err
}

// onPaper is the style of a picture that stands alone: no wider than the paper that it is printed on.
const onPaper = `<style>@media print{svg{max-width:100%;height:auto}}</style>`

// registerPictures registers the pictures of positions. Other sites may show them.
func (s *scenery) registerPictures() {
	for format, kind := range map[string]string{"svg": "image/svg+xml", "png": "image/png"} {
		op := service.Operation(http.MethodGet, "/picture."+format, "draw-"+format,
			"A position as "+strings.ToUpper(format),
			"Of any game, with the same parameters as the addresses of the pages. Other sites may show it.", 422, 429)
		op.Responses = service.Answer("The picture", kind, &huma.Schema{Type: huma.TypeString, Format: "binary"})
		huma.Register(s.API, op, func(ctx context.Context, in *Scene) (*huma.StreamResponse, error) {
			data, err := s.drawPicture(ctx, *in, format)
			if err != nil {
				return nil, err
			}
			if format == "svg" {
				data = bytes.Replace(data, []byte(">"), []byte(">"+onPaper), 1)
			}
			return service.RespondWithData(data, "Content-Type", kind, "Cache-Control", "public, max-age=3600",
				"Cross-Origin-Resource-Policy", "cross-origin", "Content-Security-Policy", service.StylePolicy), nil
		})
	}
}
