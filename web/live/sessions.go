package live

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"time"

	"oxo"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// errOver is why no game can begin from a position.
var errOver = errors.New("the game is over there")

// OpenRequest opens a game between two. Without to and public, the one who is
// given the invitation plays.
// With to it is a challenge, with public a seek, and with after the next game of the same two.
type OpenRequest struct {
	Game     string `json:"game" minLength:"1" maxLength:"200" doc:"the game's spec" example:"ttt"`
	Position string `json:"position,omitempty" maxLength:"4000" doc:"the position to begin from; without it the start"`
	Seat     string `json:"seat,omitempty" enum:"first,second,random" doc:"which side to take; without it a random one"`
	Clock    *Terms `json:"clock,omitempty" doc:"without it there are no clocks"`
	Name     string `json:"name,omitempty" maxLength:"40" doc:"how to be called, in characters that can be seen, and not as a connected bot is; bots have their own name"`
	To       string `json:"to,omitempty" maxLength:"40" doc:"the bot to challenge"`
	Public   bool   `json:"public,omitempty" doc:"seek: anybody may accept, and the game is listed"`
	After    string `json:"after,omitempty" maxLength:"40" doc:"a game that is over, in which you have a seat: this one is for its other side"`
}

// OpenReply holds the secrets of a new game. They are not shown again.
// A key or an invitation is empty where none is needed.
type OpenReply struct {
	Seat    string `json:"seat" enum:"first,second"`
	Key     string `json:"key,omitempty" doc:"of the seat, for people; bots use their token"`
	Invite  string `json:"invite,omitempty" doc:"lets the other side in"`
	Session View   `json:"session"`
}

// AcceptRequest takes the other side of an open game.
// The name is of people; a bot has its own.
type AcceptRequest struct {
	Invite string `json:"invite,omitempty" maxLength:"100" doc:"where the game was not offered to all or to this bot"`
	Name   string `json:"name,omitempty" maxLength:"40"`
}

// DeclineRequest declines an open game.
type DeclineRequest struct {
	Invite string `json:"invite,omitempty" maxLength:"100" doc:"the invitation, of who is no bot; for the next game of the same two it is the key of the last one"`
}

// SessionList is a list of games.
type SessionList struct {
	Sessions []View `json:"sessions"`
}

// SessionPath is a request about one game.
// Anybody may look at a game whose id they know; what they may do there follows from the key or token.
type SessionPath struct {
	service.Auth
	ID string `path:"id" maxLength:"40"`
}

// sessionErrors are the statuses that an operation about games may answer with, for the document of the API.
var sessionErrors = []int{400, 401, 403, 404, 409, 422, 429, 503}

// sessionOp describes an operation about games between visitors.
func sessionOp(method, path, id, summary, description string) huma.Operation {
	return huma.Operation{OperationID: id, Method: method, Path: service.Root + "/sessions" + path, Summary: summary,
		Description: description, MaxBodyBytes: service.BodyLimit, Errors: sessionErrors, Tags: []string{"sessions"}}
}

// sessions answers what is asked about games between visitors.
type sessions struct{ *Lobby }

// register registers how games between visitors begin.
func (s *sessions) register() {
	open := sessionOp(http.MethodPost, "", "open-session", "Open a game",
		"Invite somebody by a link, challenge a bot, or seek anybody. The game begins when the other side accepts.")
	open.Middlewares = huma.Middlewares{s.LimitCreation}
	service.Register(s.Base, open, s.openSession)
	service.Register(s.Base, sessionOp(http.MethodGet, "", "list-sessions", "List games",
		"Without authorization the games that anybody may accept, with a bot's token its own."),
		func(ctx context.Context, in *struct {
			service.Auth
			Public bool     `query:"public" doc:"the games that anybody may accept, whoever asks"`
			Played bool     `query:"played" doc:"instead of them those of their kind that are being played, to watch"`
			IDs    []string `query:"ids" maxItems:"10" doc:"only games of these ids, joined by commas, and the next one of each"`
		}) (*SessionList, error) {
			v, err := s.Identify(ctx, in.Auth)
			if err != nil {
				return nil, err
			}
			if len(in.IDs) > 0 {
				return &SessionList{s.knownGames(ctx, in.IDs)}, nil
			}
			if in.Public || in.Played {
				v = service.Identity{}
			}
			return &SessionList{s.listedGames(v, in.Played)}, nil
		})
	service.Register(s.Base, sessionOp(http.MethodPost, "/{id}/accept", "accept-session", "Accept an open game",
		"The game begins. A challenged bot needs no invitation, and nobody does where the game is public."),
		s.acceptSession)
	service.Register(s.Base, sessionOp(http.MethodPost, "/{id}/decline", "decline-session", "Decline a challenge",
		"For the challenged bot, and for who was invited. Who opened a game withdraws it by abort."), s.declineSession)
}

// declineSession ends an open game for the challenged bot, or for who was invited.
// Without an invitation nobody but a bot is heard.
func (s *sessions) declineSession(ctx context.Context, in *struct {
	SessionPath
	Body *DeclineRequest
}) (*View, error) {
	ask, invite := s.RequireBot, ""
	if in.Body != nil && in.Body.Invite != "" {
		ask, invite = s.Admit, in.Body.Invite
	}
	v, err := ask(ctx, in.Auth, service.ScopeChallenge)
	if err != nil {
		return nil, err
	}
	return s.actInGame(ctx, in.ID, v, func(t *Game) error {
		by := v.Bot
		if invite != "" {
			by = t.Maker.Other().String()
		}
		switch {
		case t.State != StateOpen:
			return service.NewProblem(409, "challenge.closed")
		case invite == "" && t.To != v.Bot, invite != "" && !t.isInvitation(invite):
			return service.NewProblem(403, "challenge.theirs")
		}
		return t.end("*", oxo.EndAbandoned, by+" declined")
	})
}

// isInvitation reports whether a secret is the invitation to the game.
func (t *Game) isInvitation(secret string) bool {
	return seatHolder{Key: t.Invite}.isHeldBy(service.Identity{Key: service.HashOf(secret)})
}

// actInGame does something in a game and shows a visitor what came of it.
// The game's lock is held from before do until the view is made, so that it shows what do has done and nothing
// else. The error of do is answered as it is.
func (s *sessions) actInGame(ctx context.Context, id string, v service.Identity,
	do func(t *Game) error) (*View, error) {
	t, err := s.Lobby.Find(ctx, id)
	if err != nil {
		return nil, s.Lobby.StoreProblem(err, "no.game")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	err = do(t)
	return new(t.viewFor(v, time.Now())), err
}

// listedGames returns what a visitor may see in a list, the latest first.
// For a bot these are its games and challenges, for anybody else the public games that are open, or being played; 200
// at most.
func (s *sessions) listedGames(v service.Identity, played bool) []View {
	list, state := []View{}, StateOpen
	if played {
		state = StatePlaying
	}
	for _, t := range s.Lobby.All() {
		t.mu.Lock()
		if v.Bot != "" && slices.Contains(t.participatingBots(), v.Bot) ||
			v.Bot == "" && t.Public && t.State == state {
			list = append(list, t.viewFor(v, time.Now()))
		}
		t.mu.Unlock()
	}
	slices.SortFunc(list, func(a, b View) int { return b.Made.Compare(a.Made) })
	return list[:min(len(list), 200)]
}

// knownGames returns games by their ids, as anybody may see them, each before the one that follows it. Those that can't
// be found are left out.
func (s *sessions) knownGames(ctx context.Context, ids []string) []View {
	list := []View{}
	show := func(id string) (next string) {
		t, err := s.Lobby.Find(ctx, id)
		if err != nil {
			return ""
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		list = append(list, t.view(time.Now()))
		return t.Next
	}
	for _, id := range ids {
		if next := show(id); next != "" {
			show(next)
		}
	}
	return list
}

// openSession opens a game for a visitor, who is seated in it.
// A game that follows another has no invitation of its own: the other side comes with the key that it had there.
func (s *sessions) openSession(ctx context.Context, asked *struct {
	service.Auth
	Body OpenRequest
}) (*OpenReply, error) {
	in := asked.Body
	v, err := s.Admit(ctx, asked.Auth, service.ScopeChallenge)
	if err != nil {
		return nil, err
	}
	spec, err := s.canonicalSpec(ctx, in.Game, in.Position)
	if err != nil {
		return nil, err
	}
	switch {
	case in.To != "" && in.Public:
		return nil, service.FieldProblem("public", true, errors.New("a challenge to a bot is for nobody else"))
	case in.After != "" && (in.To != "" || in.Public):
		return nil, service.FieldProblem("after", in.After, errors.New("it is for the other side of that game"))
	case in.To != "" && !s.Lobby.Listens(in.To):
		return nil, service.FieldProblem("to", in.To, errors.New("no bot of that name is connected"))
	case in.To != "" && in.To == v.Bot:
		return nil, service.FieldProblem("to", in.To, errors.New("a bot can't challenge itself"))
	case s.Lobby.Count() >= s.Lobby.mostGames:
		return nil, service.BusyProblem("games.full", 60, "n", s.Lobby.mostGames)
	}
	t := &Game{id: service.NewID(), lobby: s.Lobby, version: firstVersion}
	service.AskerOf(ctx).Noted.Note("", t.id)
	t.gameRecord = gameRecord{Game: spec, Position: in.Position, Seed: rand.Uint64() >> 11, Terms: in.Clock,
		Maker: oxo.SeatNamed(in.Seat), To: in.To, Public: in.Public, State: StateOpen, Made: time.Now()}
	if t.Maker == oxo.Chance { // whichever
		t.Maker = oxo.Seat(rand.IntN(2))
	}
	if t.Terms != nil {
		t.clock = newClock(*t.Terms)
	}
	out := OpenReply{Seat: t.Maker.String()}
	if t.Seats[t.Maker], out.Key, err = s.newHolder(ctx, v, in.Name); err != nil {
		return nil, err
	}
	invite, unlock, err := s.offerGame(ctx, in, v, t)
	defer unlock()
	if err != nil {
		return nil, err
	}
	out.Invite = invite
	if err := t.replayMoves(nil); err != nil {
		return nil, service.FieldProblem("game", in.Game, err)
	}
	if err := s.Lobby.storeAndAnnounce(t); err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	out.Session = t.view(time.Now())
	out.Session.You = out.Seat
	return &out, nil
}

// offerGame gives a new game an invitation, or finds whether it may be offered without one: to the other side of the
// game before it, to a bot, or to everybody. The caller unlocks when the game is in the lobby or is not to be, so that
// whoever asks at the same time finds it there.
func (s *sessions) offerGame(ctx context.Context, in OpenRequest, v service.Identity, t *Game) (invite string,
	unlock func(), err error) {
	if in.After == "" && in.To == "" && !in.Public {
		invite, t.Invite = service.NewSecret(service.InvitePrefix)
		return invite, func() {}, nil
	}
	s.Lobby.next.Lock()
	if in.After != "" {
		err = s.linkAsNextGame(ctx, in.After, v, t)
	} else {
		err = s.Lobby.checkOpenOffers(t)
	}
	return "", s.Lobby.next.Unlock, err
}

// linkAsNextGame makes a new game the next of one that is over. The key of its other side is the invitation. The
// visitor must have had a seat in the one before; where its next game is open already, that is a problem of status 409.
// The caller holds the lock next, so that one goroutine at a time takes the locks of several games.
func (s *sessions) linkAsNextGame(ctx context.Context, id string, v service.Identity, t *Game) error {
	last, err := s.Lobby.Find(ctx, id)
	if err != nil {
		return s.Lobby.StoreProblem(err, "no.game")
	}
	last.mu.Lock()
	defer last.mu.Unlock()
	side, ok := last.seatOf(v)
	switch {
	case !ok:
		return service.NewProblem(403, "seat.none")
	case last.State != StateOver:
		return service.NewProblem(409, "next.early")
	case last.Seats[side.Other()].Key == nil:
		return service.FieldProblem("after", id, errors.New("nobody with a key had its other side"))
	}
	if before, err := s.Lobby.Find(ctx, last.Next); err == nil {
		before.mu.Lock()
		defer before.mu.Unlock()
		if before.State == StateOpen {
			return service.NewProblem(409, "next.open")
		}
		if before.Seats[before.Maker.Other()].Key == nil { // nobody accepted it: who has followed to it is led on
			before.Next = t.id
			if err := before.save(); err != nil {
				return s.Lobby.StoreProblem(err, "")
			}
		}
	}
	t.Invite, last.Next = last.Seats[side.Other()].Key, t.id
	return last.save()
}

// newHolder seats a visitor: a bot by its name, somebody else by a new key.
// The key is told once and kept as a hash; a bot has none, and people without a name are called Guest. A name that
// can't be seen, is reserved, or looks like that of a connected bot, is a problem of the field name.
func (s *sessions) newHolder(ctx context.Context, v service.Identity, name string) (h seatHolder, key string,
	err error) {
	h.From = service.AskerOf(ctx).Address
	if v.Bot != "" {
		return seatHolder{Name: v.Bot, Bot: v.Bot, Since: v.Made, From: h.From}, "", nil
	}
	h.Name = strings.TrimSpace(name)
	switch {
	case !oxo.IsPrintable(h.Name):
		err = errors.New("want characters that can be seen")
	case name != "" && h.Name == "":
		err = errors.New("want more than blanks, or no name")
	case isReserved(h.Name) && h.Name != guestName:
		err = errors.New("the name is reserved")
	case s.Lobby.looksLikeBot(h.Name):
		err = errors.New("a bot of that name is connected: take another")
	}
	if err != nil {
		return h, "", service.FieldProblem("name", name, err)
	}
	h.Name = cmp.Or(h.Name, guestName)
	key, h.Key = service.NewSecret(service.KeyPrefix)
	return h, key, nil
}

// acceptSession seats a visitor at the other side of an open game, which begins. A name that the maker has gets a 2.
// Of several who come at once the first is seated, the others are refused.
func (s *sessions) acceptSession(ctx context.Context, in *struct {
	SessionPath
	Body AcceptRequest
}) (*OpenReply, error) {
	v, err := s.Admit(ctx, in.Auth, service.ScopeChallenge)
	if err != nil {
		return nil, err
	}
	h, key, err := s.newHolder(ctx, v, in.Body.Name)
	if err != nil {
		return nil, err
	}
	var out OpenReply
	shown, err := s.actInGame(ctx, in.ID, v, func(t *Game) error {
		if t.State != StateOpen {
			return service.NewProblem(409, "game.closed")
		}
		if _, mine := t.seatOf(v); mine {
			return service.NewProblem(409, "seat.yours")
		}
		if !t.Public && (v.Bot == "" || t.To != v.Bot) && !t.isInvitation(in.Body.Invite) {
			return service.NewProblem(403, "game.not-offered")
		}
		if h.Bot == "" && h.Name == t.Seats[t.Maker].Name {
			h.Name += " 2" // so that the two can be told apart
		}
		out.Seat, out.Key = t.Maker.Other().String(), key
		return t.begin(h)
	})
	if err != nil {
		return nil, err
	}
	out.Session = *shown
	out.Session.You = out.Seat
	return &out, nil
}
