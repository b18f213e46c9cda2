package web

import (
	"context"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"oxo/lab"
)

// Place is a position of a game: a given one or the start, and moves from it.
type Place struct {
	Game     string   `json:"game" minLength:"1" maxLength:"200" doc:"the game's spec" example:"ttt"`
	Position string   `json:"position,omitempty" maxLength:"4000" doc:"the position to begin from; without it the start"`
	Moves    []string `json:"moves,omitempty" maxItems:"2000" doc:"moves to play from there, chance's included"`
}

// at replays a place. The session's sides are people unless named.
func (s *base) at(p Place, o lab.SessionOptions) (*opened, lab.Session, []string, error) {
	g, err := s.opened.open(p.Game)
	if err != nil {
		return nil, nil, nil, wrong("game", p.Game, err)
	}
	for _, side := range []*string{&o.First, &o.Second} {
		if *side == "" {
			*side = "human"
		}
	}
	if _, err := g.Parse(p.Position); err != nil {
		return nil, nil, nil, wrong("position", p.Position, err)
	}
	o.Position = p.Position
	t, err := g.NewSession(o)
	if err != nil {
		return nil, nil, nil, wrong("player", "", err)
	}
	trail := []string{t.State().Position}
	for i, m := range p.Moves {
		if err := t.Move(m); err != nil {
			return nil, nil, nil, wrong(fmt.Sprintf("moves[%d]", i), m, err)
		}
		trail = append(trail, t.State().Position)
	}
	return g, t, trail, nil
}

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
}

// PositionReply is a position and how it was reached.
type PositionReply struct {
	Info  lab.Info  `json:"info"`
	State lab.State `json:"state"`
	Trail []string  `json:"trail" doc:"every position on the way, the first and the last included"`
	Owned []int     `json:"owned" doc:"squares of complete winning sets, by their order in info.squares"`
	Last  string    `json:"last" doc:"the last move; empty before the first"`
}

// explorer shows games and positions.
type explorer struct{ *base }

// exploring registers the operations that look without computing.
func (s *explorer) exploring(cluster bool) {
	huma.Register(s.api, huma.Operation{OperationID: "list-games", Method: http.MethodGet, Path: root + "/games",
		Summary: "List the kinds of games and of players"},
		func(context.Context, *struct{}) (*reply[GamesReply], error) {
			r := GamesReply{Games: s.opened.lab.Games(), Players: []PlayerForm{}, Cluster: cluster}
			for _, p := range lab.PlayerForms() {
				r.Players = append(r.Players, PlayerForm{p[0], p[1]})
			}
			return &reply[GamesReply]{r}, nil
		})
	post(s.base, "/game", "show-game", "Show a game", "With its winning sets, where it has any.",
		func(_ context.Context, in *GameRequest) (*lab.Info, error) {
			g, err := s.opened.open(in.Game)
			if err != nil {
				return nil, wrong("game", in.Game, err)
			}
			info := g.Info()
			return &info, nil
		})
	post(s.base, "/position", "show-position", "Replay moves and show the position",
		"Answers with the game, the position's state and legal moves, and every position on the way.",
		func(_ context.Context, in *Place) (*PositionReply, error) {
			g, t, trail, err := s.at(*in, lab.SessionOptions{})
			if err != nil {
				return nil, err
			}
			info := g.Info()
			info.Lines = nil // large, and always the same: see show-game
			r := &PositionReply{Info: info, State: t.State(), Trail: trail, Owned: t.Owned()}
			if r.Owned == nil {
				r.Owned = []int{}
			}
			if moves := t.Record().Moves; len(moves) > 0 {
				r.Last = moves[len(moves)-1]
			}
			return r, nil
		})
}
