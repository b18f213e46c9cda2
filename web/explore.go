package web

import (
	"context"
	"net/http"

	"oxo/lab"
	"oxo/message"
	"oxo/web/service"
)

// GameRequest names a game.
type GameRequest struct {
	Game string `json:"game" minLength:"1" maxLength:"200" doc:"the game's spec" example:"ttt"`
}

// GamesReply lists what can be played and by whom.
type GamesReply struct {
	Games   []lab.Kind   `json:"games"`
	Players []PlayerForm `json:"players"`
	Cluster bool         `json:"cluster,omitempty" doc:"whether the server shows a cluster of workers"`
}

// PlayerForm is how a player is named.
type PlayerForm struct {
	Form  string `json:"form" example:"mcts:sims=N"`
	About string `json:"about"`
	Own   bool   `json:"own,omitempty" doc:"whether it is this program's, beside oxo's players"`

	Said lab.Said `json:"said,omitempty" doc:"the messages of the texts here, by field: keys, for other languages"`
}

// PlayersReply lists the players that are offered for a game.
type PlayersReply struct {
	Players []lab.OfferedPlayer `json:"players"`
}

// PositionReply is a position and how it was reached.
// Info leaves out the winning sets, which show-game has.
type PositionReply struct {
	Info  lab.Info  `json:"info"`
	State lab.State `json:"state"`
	Trail []string  `json:"trail" doc:"every position on the way, the first and the last included"`
	Owned [][]int   `json:"owned" doc:"complete winning sets, each as squares by their order in info.squares"`
	Last  string    `json:"last" doc:"the last move; empty before the first"`
}

// explorer shows games and positions.
// It computes nothing and keeps nothing.
type explorer struct{ *service.Base }

// registerGamesAndPositions registers the operations that look without computing. They take no slot, but for
// opening a game from a file.
func (s *explorer) registerGamesAndPositions(hasCluster bool) {
	service.Register(s.Base, service.Operation(http.MethodGet, "/games", "list-games",
		"List the kinds of games and of players", ""),
		func(context.Context, *struct{}) (*GamesReply, error) {
			r := GamesReply{Games: s.Games.Lab.ListKinds(), Players: []PlayerForm{}, Cluster: hasCluster}
			for _, p := range s.Games.Lab.PlayerKinds() {
				r.Players = append(r.Players,
					PlayerForm{p.Form, p.About, p.Outside, message.Keyed("about", "player."+p.Name)})
			}
			return &r, nil
		})
	service.Register(s.Base, service.Operation(http.MethodGet, "/players", "list-players",
		"List the players that are offered for a game",
		"And why one doesn't play it, where it doesn't. Any other player's spec can be given."),
		func(ctx context.Context, in *struct {
			Game string `query:"game" required:"true" minLength:"1" maxLength:"200"`
		}) (*PlayersReply, error) {
			g, err := s.OpenGame(ctx, in.Game)
			if err != nil {
				return nil, service.QueryProblem("game", in.Game, err)
			}
			return &PlayersReply{g.Contesting().Offered()}, nil
		})
	service.Post(s.Base, "/game", "show-game", "Show a game", "With its winning sets, where it has any.",
		func(ctx context.Context, in *GameRequest) (*lab.Info, error) {
			g, err := s.OpenGame(ctx, in.Game)
			if err != nil {
				return nil, service.FieldProblem("game", in.Game, err)
			}
			return new(g.Info()), nil
		})
	service.Post(s.Base, "/position", "show-position", "Replay moves and show the position",
		"Answers with the game, the position's state and legal moves, and every position on the way.",
		func(ctx context.Context, in *service.Place) (*PositionReply, error) {
			g, t, trail, err := s.ReplayMoves(ctx, *in)
			if err != nil {
				return nil, err
			}
			info := g.Info()
			info.Lines, info.Bars = nil, nil // large, and always the same: see show-game
			r := &PositionReply{Info: info, State: t.State(), Trail: trail, Owned: t.CompletedSetSquares()}
			if moves := t.Record().Moves; len(moves) > 0 {
				r.Last = moves[len(moves)-1]
			}
			return r, nil
		})
}
