package roam

import (
	"errors"
	"math/rand/v2"

	"oxo"
	"oxo/games/kind"
	"oxo/message"
)

// Kind is the game, and its player.
var Kind = kind.Of[Pos]{
	Kind: kind.Kind{
		Name: "roam", Form: "roam", About: "three marks each, which move when they are placed",
		Example: "roam", Solved: true,
		Offers: []kind.GameOffer{{Shelf: "From elsewhere", Spec: "roam", Name: "Roaming marks"}},
		Words:  words,
	},
	Open: func(s kind.Spec) (*kind.Opened[Pos], error) {
		if err := s.RefuseArgsAndOptions(); err != nil {
			return nil, err
		}
		rules := []message.Message{{Key: "roam.place"}, {Key: "roam.ends"}}
		return &kind.Opened[Pos]{Game: New(), Title: title, View: kind.GridView(3, 3), Rules: rules}, nil
	},
	Players: []kind.PlayerKind[Pos]{{
		GamePlayer: kind.GamePlayer{Name: "centre", Form: "centre",
			About: "wins where it can, else takes the centre, else anything"},
		Open: func(_ *oxo.Game[Pos], options string) (func(*rand.Rand) oxo.Player[Pos], error) {
			if options != "" {
				return nil, errors.New("it has no options")
			}
			return func(r *rand.Rand) oxo.Player[Pos] { return centre{r} }, nil
		},
	}},
}

// words has what the game says, by key.
var words = message.Table{
	"title.roam": "roaming marks",
	"roam.place": "X and O place three marks each, and then move one of their own to any free square.",
	"roam.ends":  "Whoever first has three in a row, across, down or diagonally, wins.",
}

var title = message.Of("title.roam", nil)
