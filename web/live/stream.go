package live

import (
	"context"
	"net/http"
	"time"

	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// registerStream registers the stream of a game.
// Anybody who knows the id may follow; who has a seat is present while a stream is open.
func (s *sessions) registerStream() {
	o := sessionOp(http.MethodGet, "/{id}/stream", "stream-session", "Follow a game",
		"A line now and after every change, each with all moves, the legal ones, both clocks and the ply. "+
			"Every 7 s without one an empty line, or an event alive. The stream ends after the line that says the "+
			"game is over.")
	huma.Register(s.API, service.DescribeStream[View](s.API, o), func(ctx context.Context, in *struct {
		SessionPath
		service.StreamQuery
	}) (*huma.StreamResponse, error) {
		v, err := s.Identify(ctx, in.WithKey(in.Auth))
		if err != nil {
			return nil, err
		}
		t, err := s.Lobby.Find(ctx, in.ID)
		if err != nil {
			return nil, s.Lobby.StoreProblem(err, "no.game")
		}
		return s.RespondWithStream(ctx, in.Format, func(ctx context.Context, x *service.Stream) {
			s.streamGame(ctx, x, t, v, func() bool { return s.IsStill(ctx, v, in.WithKey(in.Auth)) })
		})
	})
}

// streamGame writes a game's lines until the game is over, the reader has gone or is not valid any more, or
// the server closes.
// Changes that come while a line is written are told in one line after it.
func (s *sessions) streamGame(ctx context.Context, x *service.Stream, t *Game, v service.Identity,
	valid func() bool) {
	changes, leave := t.watchAsPresent(v)
	defer leave()
	defer countSpectator(t, v)()
	for valid() {
		t.mu.Lock()
		line := t.viewFor(v, time.Now())
		t.mu.Unlock()
		if x.Send("session", line.Version, line) != nil || line.State == StateOver {
			return
		}
		if _, ok := service.AwaitChange(ctx, s.Base, x, changes, valid); !ok {
			return
		}
	}
}
