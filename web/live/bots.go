package live

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"oxo"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// The kinds of events that a bot is told.
const (
	EventChallenge    = "challenge"     // a game that the bot opened or is challenged to
	EventChallengeEnd = "challenge_end" // it was declined, withdrawn or forgotten
	EventGameStart    = "game_start"
	EventGameEnd      = "game_end"
)

// BotEvent is a line of a bot's stream.
// Session is the game as it was at the event; what has happened since is in the game's own stream.
type BotEvent struct {
	Type    string `json:"type" enum:"challenge,challenge_end,game_start,game_end"`
	Seat    string `json:"seat" enum:"first,second" doc:"the bot's side"`
	Session View   `json:"session"`
}

// BotRequest makes a bot.
// Names that differ by case only are the same name.
type BotRequest struct {
	Name string `json:"name" minLength:"2" maxLength:"40" pattern:"^[A-Za-z0-9][A-Za-z0-9_.-]*$"`
	TokenRequest
}

// TokenRequest says what a token is for.
type TokenRequest struct {
	Scopes []string `json:"scopes,omitempty" maxItems:"4" uniqueItems:"true" doc:"of play, challenge, tokens and jobs; without it all"`
}

// TokenReply is a new token. It is not shown again.
// The server keeps the token's hash alone.
type TokenReply struct {
	Name   string   `json:"name"`
	ID     string   `json:"id" doc:"to revoke it by"`
	Token  string   `json:"token"`
	Scopes []string `json:"scopes"`
}

// BotList lists bots.
type BotList struct {
	Bots []string `json:"bots"`
}

// botOp describes an operation about bots.
func botOp(method, path, id, summary, description string) huma.Operation {
	o := sessionOp(method, "", id, summary, description)
	o.Path, o.Tags = service.Root+"/bots"+path, []string{"bots"}
	return o
}

// bots answers what bots ask beside games.
// A bot is known by the token that it sends; the lobby has a room for each with games or listeners.
type bots struct{ *Lobby }

// registerBots registers what bots need beside games.
// Making a bot is open to anybody, at a limited pace; all else but the list needs a token.
func (s *bots) registerBots() {
	add := botOp(http.MethodPost, "", "add-bot", "Make a bot",
		"Answers with its token, which is shown once and kept as a hash.")
	add.Middlewares = huma.Middlewares{s.LimitCreation}
	service.Register(s.Base, add, func(_ context.Context, in *struct{ Body BotRequest }) (*TokenReply, error) {
		if isReserved(in.Body.Name) {
			return nil, service.FieldProblem("name", in.Body.Name, errors.New("the name is reserved"))
		}
		return s.addToken(in.Body.Name, in.Body.Scopes, func(id string, hash []byte, scopes string) error {
			err := s.Lobby.Store.AddBot(in.Body.Name, id, hash, scopes)
			if errors.Is(err, s.Lobby.Errs.Taken) {
				return service.FieldProblem("name", in.Body.Name, errors.New("the name is taken"))
			}
			return err
		})
	})
	service.Register(s.Base, botOp(http.MethodGet, "", "list-bots", "List the bots that are connected",
		"They can be challenged."),
		func(context.Context, *struct{}) (*BotList, error) {
			names := s.Lobby.ListeningBots()
			slices.Sort(names)
			return &BotList{names}, nil
		})
	s.registerTokens()
	stream := botOp(http.MethodGet, "/stream", "stream-bot", "Follow what concerns a bot",
		"First a line for each of its games and challenges, then one for each that begins or ends. Every 7 s without "+
			"one an empty line. The first lines tell all after a lost connection too; an event may come twice.")
	huma.Register(s.API, service.DescribeStream[BotEvent](s.API, stream), s.streamBot)
	s.registerPolling()
}

// registerTokens registers what makes a bot's tokens and revokes them.
// Both need a token with the scope for that.
func (s *bots) registerTokens() {
	token := botOp(http.MethodPost, "/tokens", "add-token", "Make another token",
		"For the bot whose token is sent, with no more scopes than that has.")
	token.Middlewares = huma.Middlewares{s.LimitCreation}
	service.Register(s.Base, token, func(ctx context.Context, in *struct {
		service.Auth
		Body TokenRequest
	}) (*TokenReply, error) {
		v, err := s.RequireBot(ctx, in.Auth, service.ScopeTokens)
		if err != nil {
			return nil, err
		}
		if len(in.Body.Scopes) == 0 {
			in.Body.Scopes = v.Scopes
		}
		for _, scope := range in.Body.Scopes {
			if err := v.CheckScope(scope); err != nil {
				return nil, err
			}
		}
		return s.addToken(v.Bot, in.Body.Scopes, func(id string, hash []byte, scopes string) error {
			return s.Lobby.Store.AddToken(v.Bot, id, hash, scopes)
		})
	})
	huma.Register(s.API, botOp(http.MethodDelete, "/tokens/{id}", "revoke-token", "Revoke a token",
		"At once and for good."),
		func(ctx context.Context, in *SessionPath) (*struct{}, error) {
			v, err := s.RequireBot(ctx, in.Auth, service.ScopeTokens)
			if err != nil {
				return nil, err
			}
			err = s.Lobby.Store.Revoke(v.Bot, in.ID)
			// Whatever the store says: what is remembered of tokens is looked up anew.
			s.Lobby.Tokens.ForgetAll()
			return nil, s.Lobby.StoreProblem(err, "no.token")
		})
}

// addToken makes a token and has it kept.
// No scopes are all of them; an unknown one is a problem of the field. The error of keep is answered as it is
// where it is a problem, else as the store's.
func (s *bots) addToken(bot string, scopes []string,
	keep func(id string, hash []byte, scopes string) error) (*TokenReply, error) {
	if len(scopes) == 0 {
		scopes = service.AllScopes
	}
	for _, scope := range scopes {
		if !slices.Contains(service.AllScopes, scope) {
			return nil, service.FieldProblem("scopes", scopes,
				errors.New("a scope is one of "+strings.Join(service.AllScopes, ", ")))
		}
	}
	secret, hash := service.NewSecret(service.TokenPrefix)
	out := TokenReply{Name: bot, ID: service.NewID(), Token: secret, Scopes: scopes}
	err := keep(out.ID, hash, strings.Join(scopes, " "))
	return &out, s.Lobby.StoreProblem(err, "")
}

// streamBot tells a bot of challenges and games as they come.
func (s *bots) streamBot(ctx context.Context, in *struct {
	service.Auth
	service.StreamQuery
}) (*huma.StreamResponse, error) {
	v, err := s.RequireBot(ctx, in.WithKey(in.Auth), service.ScopePlay)
	if err != nil {
		return nil, err
	}
	return s.RespondWithStream(ctx, in.Format, func(ctx context.Context, x *service.Stream) {
		s.streamEvents(ctx, x, v, func() bool { return s.IsStill(ctx, v, in.WithKey(in.Auth)) })
	})
}

// streamEvents tells a bot what concerns it until it goes, falls behind, or its token
// is revoked.
// The token is looked at anew with valid before each later line, so that a revoked one ends the stream within
// service.KeepAlive. A listener that is hung up on has its channel closed, and looks whether it may listen at all.
func (s *bots) streamEvents(ctx context.Context, x *service.Stream, v service.Identity, valid func() bool) {
	// It listens before it tells how things stand, so that nothing is missed; an event may come twice.
	events, ids, leave := s.Lobby.listen(v.Bot)
	defer leave()
	if !valid() { // turned away before it was there to be hung up on
		return
	}
	for n, e := range s.currentEvents(ctx, v, ids) {
		if x.Send(e.Type, n, e) != nil {
			return
		}
	}
	if x.SendKeepAlive() != nil { // says that all has been told
		return
	}
	for n := len(ids); ; n++ {
		e, ok := service.AwaitChange(ctx, s.Base, x, events, valid)
		if !ok || !valid() || x.Send(e.Type, n, e) != nil {
			return
		}
	}
}

// eventFor is the event that tells how a game stands for a bot.
// It reports false where the game does not concern the bot, or is over. A bot that is challenged has no seat yet:
// its side is the one that the maker has left.
func (t *Game) eventFor(v service.Identity) (event BotEvent, concerned bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	side, ok := t.seatOf(v)
	if !ok {
		side = t.Maker.Other()
	}
	e := BotEvent{EventChallenge, side.String(), t.viewFor(v, time.Now())}
	if t.State == StatePlaying {
		e.Type = EventGameStart
	}
	return e, t.State != StateOver && (ok || t.To == v.Bot && t.State == StateOpen) && side != oxo.Chance
}
