package live

import (
	"context"
	"time"

	"oxo"
	"oxo/lab"
	"oxo/web/service"
)

// View is a game as it is shown: a line of its stream. Each holds everything,
// so that one line is enough to go on from.
// It has no secrets, and only You depends on who asks.
type View struct {
	ID       string   `json:"id"`
	Version  int      `json:"version" doc:"another after each move and change of state, to compare for equality; 0 once the game is over and put away"`
	State    string   `json:"state" enum:"open,playing,over"`
	Game     string   `json:"game" doc:"the game's spec"`
	Start    string   `json:"start" doc:"the position that play began from"`
	Moves    []string `json:"moves" doc:"all of them, chance's included"`
	Ply      int      `json:"ply" doc:"how many moves there are: the ply to be played next"`
	Position string   `json:"position"`
	Turn     string   `json:"turn" enum:"first,second,chance"`
	Legal    []string `json:"legal" doc:"the moves that may be played now; none unless playing"`
	Owned    [][]int  `json:"owned" doc:"complete winning sets, each as squares by their order in the game's squares"`
	First    SeatView `json:"first"`
	Second   SeatView `json:"second"`
	You      string   `json:"you,omitempty" doc:"your side, where the request says who you are and you have one"`
	Maker    string   `json:"maker" enum:"first,second" doc:"the seat of who opened the game"`
	To       string   `json:"to,omitempty" doc:"the bot that is challenged"`
	Public   bool     `json:"public" doc:"whether anybody may accept"`
	Clock    *Terms   `json:"clock,omitempty"`
	Offer    string   `json:"draw_offer,omitempty" enum:"first,second" doc:"the side that offers a draw, until the other side has moved"`
	Declined string   `json:"draw_declined,omitempty" enum:"first,second" doc:"the side whose offer of a draw was declined, until it has moved"`
	Takeback string   `json:"takeback_offer,omitempty" enum:"first,second" doc:"the side that asks to take its last move back, until anybody has moved"`
	BackTo   *int     `json:"takeback_ply,omitempty" doc:"the ply of the first of the moves that would be taken back"`
	Refused  string   `json:"takeback_declined,omitempty" enum:"first,second" doc:"the side whose wish to take a move back was declined, until anybody has moved"`
	Cut      int      `json:"taken_back,omitempty" doc:"how many times moves were taken back: with it the ply tells which of two lines is the later one"`
	Contest  string   `json:"contest,omitempty" doc:"the job of the tournament that the game is part of; the server plays the maker's side there"`
	FirstMS  *int64   `json:"first_move_ms,omitempty" doc:"after how long without a first move the game is called off, as of now; of an open game, how long each side will have"`
	Watchers int      `json:"watchers" doc:"how many streams without a seat were open when the line was written; no line is written for their sake"`
	Next     string   `json:"next,omitempty" doc:"the game that one side opened after this one; the invitation is the other side's key of this one"`
	Said     *Said    `json:"said,omitempty" doc:"the ready phrase that was said last, for 10 s, where you have a side"`

	Result      string    `json:"result" enum:"first,second,draw,*" doc:"* while there is none"`
	Termination string    `json:"termination,omitempty" enum:"normal,resigned,agreed,abandoned,time,illegal,crashed,adjudicated"`
	Reason      string    `json:"reason,omitempty"`
	Payoff      *float64  `json:"payoff,omitempty" doc:"to first, in games that have payoffs"`
	Made        time.Time `json:"made"`
}

// SeatView is one side of a game.
// LeftMS is nil without clocks, AwayMS while the side is present or the game is not being played.
type SeatView struct {
	Name    string `json:"name"`
	Bot     bool   `json:"bot"`
	Taken   bool   `json:"taken"`
	Present bool   `json:"present" doc:"whether it has a stream open, or waits in a long poll; of a game that is over, whether it did a short while ago"`
	AwayMS  *int64 `json:"away_ms,omitempty" doc:"for how long nothing was seen of it as of now, while it is not present in a game being played"`
	GraceMS int64  `json:"grace_ms" doc:"for how long it may be away before the other side may claim the win"`
	LeftMS  *int64 `json:"left_ms,omitempty" doc:"what its clock shows as of now"`
	Running bool   `json:"running" doc:"whether its clock runs"`
}

// shownState is what a game shows as long as nobody moves.
// It is made once a ply and shared by all views of it, so its lists must not be written into.
type shownState struct {
	play  lab.Session // which it is of, at what ply
	ply   int
	state lab.State
	moves []string
	owned [][]int
}

// currentShownState returns the game's face. The caller holds its lock.
// It is made anew once a move has been played, or taken back.
func (t *Game) currentShownState() *shownState {
	if f := t.face; f != nil && f.play == t.play && f.ply == len(t.seats) {
		return f
	}
	t.face = &shownState{t.play, len(t.seats), t.play.State(), t.play.Record().Moves, t.play.CompletedSetSquares()}
	return t.face
}

// view shows the game. The caller holds its lock.
// The clocks are as of now. Legal moves are shown while the game is played only.
func (t *Game) view(now time.Time) View {
	f := t.currentShownState()
	v := View{
		ID: t.id, Version: t.version, State: t.State, Game: t.Game, Start: t.from, Moves: f.moves, Ply: f.ply,
		Position: f.state.Position, Turn: f.state.Turn, Legal: []string{}, Owned: f.owned, Maker: t.Maker.String(),
		To: t.To, Public: t.Public, Clock: t.Terms, FirstMS: firstMoves{t}.left(now),
		Contest: t.Contest, Watchers: t.spectators, Next: t.Next, Result: "*",
		Termination: t.Termination,
		Reason:      t.Reason, Payoff: f.state.Payoff, Made: t.Made, Cut: t.TakenBack,
	}
	if t.State == StatePlaying {
		v.Legal = f.state.Moves
	}
	if t.State == StateOver {
		v.Result = t.Result
	}
	switch standing, declined := (draws{t}).offered(); {
	case standing != oxo.Chance:
		v.Offer = standing.String()
	case declined != oxo.Chance:
		v.Declined = declined.String()
	}
	switch standing, declined := (takebacks{t}).requested(); {
	case standing != oxo.Chance:
		v.Takeback, v.BackTo = standing.String(), new(takebacks{t}.lastMoveOf(standing))
	case declined != oxo.Chance:
		v.Refused = declined.String()
	}
	v.First, v.Second = t.seatView(oxo.First, now), t.seatView(oxo.Second, now)
	return v
}

// viewFor shows the game to a visitor. The caller holds its lock.
// A spectator's view is the plain one.
func (t *Game) viewFor(v service.Identity, now time.Time) View {
	shown := t.view(now)
	if side, ok := t.seatOf(v); ok {
		shown.You, shown.Said = side.String(), t.lobby.lastSaid(t.id)
	}
	return shown
}

// seatView shows one side of the game.
// The server's own side in a tournament's game counts as taken. The caller holds the lock.
func (t *Game) seatView(side oxo.Seat, now time.Time) SeatView {
	h := t.Seats[side]
	v := SeatView{Name: h.Name, Bot: h.Bot != "", Taken: h.Bot != "" || h.Key != nil || t.Contest != "" &&
		side == t.Maker, Present: t.present[side] > 0, GraceMS: t.gracePeriod(side).Milliseconds()}
	if t.State == StateOver {
		v.Present = v.Present || t.lobby.stays(t.id, side)
	} else if t.State == StatePlaying && t.present[side] == 0 {
		v.AwayMS = new(max(0, now.Sub(t.seen[side]).Milliseconds()))
	}
	if t.clock != nil {
		left := t.clock.remaining(side, now).Milliseconds()
		v.LeftMS, v.Running = &left, t.clock.running && t.clock.side == side
	}
	return v
}

// record writes the game down as it was played.
// While the game goes on the seed stays secret, as chance's next draws follow from it. The caller holds the lock.
func (t *Game) record() oxo.Record {
	r := t.play.Record()
	r.First, r.Second, r.Seed = t.Seats[0].Name, t.Seats[1].Name, 0
	r.Date = t.Made.UTC().Format(time.DateOnly)
	r.Result, r.Termination = "*", ""
	if t.State == StateOver {
		r.Result, r.Termination, r.Seed = t.Result, t.Termination, t.Seed
	}
	return r
}

// canonicalSpec returns the game's spec in its usual form, and refuses what can't
// be played in a game.
// The error is a problem of the field game or position.
func (s *sessions) canonicalSpec(ctx context.Context, game, position string) (string, error) {
	_, t, _, err := s.ReplayMoves(ctx, service.Place{Game: game, Position: position})
	if err != nil {
		return "", err
	}
	if t.Over() {
		return "", service.FieldProblem("position", position, errOver)
	}
	return t.Record().Game, nil
}
