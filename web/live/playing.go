package live

import (
	"context"
	"net/http"
	"time"

	"oxo"
	"oxo/lab"
	"oxo/web/service"

	"github.com/danielgtaylor/huma/v2"
)

// MoveRequest is a move with the ply that it is meant to be, so that a move
// that comes late or twice does no harm.
type MoveRequest struct {
	Move string `json:"move" minLength:"1" maxLength:"100"`
	Ply  int    `json:"ply" minimum:"0" maximum:"100000" doc:"how many moves there were before it"`
}

// seatActs are what a side can do in a game beside moving.
var seatActs = []struct {
	verb, summary, description string
	do                         func(*Game, oxo.Seat) error
}{
	{"resign", "Resign", "The other side wins.", (*Game).resign},
	{"draw", "Offer a draw, or accept one",
		"Possible once both sides have moved. The offer stands until the other side moves; where the other side " +
			"offers one, the game is drawn.",
		func(t *Game, side oxo.Seat) error { return draws{t}.offerOrAccept(side) }},
	{"decline-draw", "Decline a draw", "Possible whoever is to move; a move declines it too.",
		func(t *Game, side oxo.Seat) error { return draws{t}.declineOffer(side) }},
	{"takeback", "Ask to take the last move back",
		"Between people. The last move of the side that asks and all after it are taken back once the other side " +
			"grants it; the wish stands until anybody moves. Clocks get no time back, and increments go.",
		func(t *Game, side oxo.Seat) error { return takebacks{t}.ask(side) }},
	{"grant-takeback", "Grant the other side its wish to take a move back", "409 where it has none, or none any more.",
		func(t *Game, side oxo.Seat) error { return takebacks{t}.grant(side) }},
	{"decline-takeback", "Refuse to take a move back, or withdraw one's own wish", "A move refuses it too.",
		func(t *Game, side oxo.Seat) error { return takebacks{t}.decline(side) }},
	{"abort", "Call a game off", "Possible until both sides have moved. An open game is withdrawn.", (*Game).abort},
	{"claim", "Claim a game that the other side has left",
		"Possible when it has had no stream open for 30 s, or for a tenth of the time on its clock at first where " +
			"that is more; a person without clocks for a day.",
		(*Game).claimAbandoned},
}

// registerPlaying registers what can be done with a game that is under way.
// All but looking needs a seat in the game.
func (s *sessions) registerPlaying() {
	service.Register(s.Base, sessionOp(http.MethodPost, "/{id}/move", "play-move", "Play a move",
		"The move is in the store when it is answered. 400: it is not legal, with the reason. 409: the ply is not "+
			"the next, "+
			"it is not your turn, or the game is over. The same move for the same ply again is answered as if it "+
			"were the first."),
		func(ctx context.Context, in *struct {
			SessionPath
			Body MoveRequest
		}) (*View, error) {
			return s.actInSeat(ctx, in.SessionPath,
				func(t *Game, side oxo.Seat) error { return t.move(side, in.Body.Move, in.Body.Ply) })
		})
	for _, a := range seatActs {
		op := sessionOp(http.MethodPost, "/{id}/"+a.verb, a.verb+"-session", a.summary, a.description)
		service.Register(s.Base, op,
			func(ctx context.Context, in *struct {
				SessionPath
				Body *struct{}
			}) (*View, error) {
				return s.actInSeat(ctx, in.SessionPath, a.do)
			})
	}
	service.Register(s.Base, sessionOp(http.MethodPost, "/{id}/say", "say-session", "Say a ready phrase",
		"Between people, also after the game. Both sides are shown it for 10 s. 409: within 3 s of the last one."),
		func(ctx context.Context, in *struct {
			SessionPath
			Body SayRequest
		}) (*View, error) {
			return s.actInSeat(ctx, in.SessionPath,
				func(t *Game, side oxo.Seat) error { return s.Lobby.say(t, side, in.Body.Phrase) })
		})
	service.Register(s.Base, sessionOp(http.MethodGet, "/{id}", "show-session", "Show a game",
		"With after and wait it is a long poll: answered when the version is another, or when the wait is over. Who "+
			"waits is present meanwhile; a person who only looks, without a wait, is not."),
		s.pollGame)
	service.Register(s.Base, sessionOp(http.MethodGet, "/{id}/record", "session-record", "Show the record of a game",
		"With the seed of chance once the game is over."),
		func(ctx context.Context, in *SessionPath) (*oxo.Record, error) {
			var r oxo.Record
			_, err := s.actInGame(ctx, in.ID, service.Identity{}, func(t *Game) error {
				r = t.record()
				return nil
			})
			return &r, err
		})
	sheet := sessionOp(http.MethodGet, "/{id}/sheet", "session-sheet", "Show a game as a score sheet", "As it stands.")
	sheet.Responses = service.SheetResponses
	huma.Register(s.API, sheet, s.scoreSheet)
	s.registerStream()
}

// scoreSheet writes a game down as it stands, with the names of its sides, the time that moves took by the clocks, and
// how it ended.
func (s *sessions) scoreSheet(ctx context.Context, in *SessionPath) (*huma.StreamResponse, error) {
	var sheet lab.Sheet
	if _, err := s.actInGame(ctx, in.ID, service.Identity{}, func(t *Game) error {
		sheet.Record = t.record()
		if t.State == StateOver && t.Termination != oxo.EndNormal {
			sheet.Reason = t.Reason
		}
		if t.Terms == nil {
			return nil
		}
		_, _, clocks, err := s.Lobby.Store.Game(ctx, in.ID)
		if err != nil {
			return s.Lobby.StoreProblem(err, "no.game")
		}
		sheet.TimeControl, sheet.Notes = t.Terms.control().String(), t.Terms.timesOfMoves(t.seats, clocks)
		return nil
	}); err != nil {
		return nil, err
	}
	g, err := s.OpenGame(ctx, sheet.Game)
	if err != nil {
		return nil, err
	}
	return s.SheetAsTextFile(g, &sheet)
}

// actInSeat does something in a game for who has a seat there.
// Who has none is a problem of status 403. The game's lock is held while do runs.
func (s *sessions) actInSeat(ctx context.Context, in SessionPath,
	do func(*Game, oxo.Seat) error) (*View, error) {
	v, err := s.Admit(ctx, in.Auth, service.ScopePlay)
	if err != nil {
		return nil, err
	}
	return s.actInGame(ctx, in.ID, v, func(t *Game) error {
		side, ok := t.seatOf(v)
		if !ok {
			return service.NewProblem(403, "seat.none")
		}
		return do(t, side)
	})
}

// pollGame waits for a version other than the known one.
// While it waits, whoever has a seat counts as present, as with a stream. A person who does not wait may look from
// another page, which is no presence; a bot may have no other way to be there.
func (s *sessions) pollGame(ctx context.Context, in *struct {
	SessionPath
	After int `query:"after" default:"-1" doc:"the version that is known already"`
	Wait  int `query:"wait" minimum:"0" maximum:"30" doc:"seconds to wait for another"`
}) (*View, error) {
	v, err := s.Identify(ctx, in.Auth)
	if err != nil {
		return nil, err
	}
	t, err := s.Lobby.Find(ctx, in.ID)
	if err != nil {
		return nil, s.Lobby.StoreProblem(err, "no.game")
	}
	var changes chan struct{}
	if in.Wait > 0 || v.Bot != "" {
		var leave func()
		changes, leave = t.watchAsPresent(v)
		defer leave()
		t.mu.Lock()
		if side, ok := t.seatOf(v); ok && t.State == StateOver {
			s.Lobby.stay(in.ID, side)
		}
		t.mu.Unlock()
	}
	timeout := time.After(time.Duration(in.Wait) * time.Second)
	for last := in.Wait == 0; ; last = waitTimedOut(ctx, changes, timeout, s.Lobby.Closing) {
		if _, err := s.Identify(ctx, in.Auth); err != nil { // it was turned away while it waited
			return nil, err
		}
		t.mu.Lock()
		shown := t.viewFor(v, time.Now())
		t.mu.Unlock()
		if shown.Version != in.After || last {
			return &shown, nil
		}
	}
}

// waitTimedOut waits for a change, and reports whether there is no more time to wait
// for one: the timeout has come, the channel is closed, the client has gone or the server closes.
func waitTimedOut[T any](ctx context.Context, changes <-chan T, timeout <-chan time.Time,
	closing <-chan struct{}) bool {
	select {
	case _, open := <-changes:
		return !open
	case <-timeout:
	case <-ctx.Done():
	case <-closing:
	}
	return true
}
