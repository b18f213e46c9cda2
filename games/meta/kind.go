package meta

import (
	"strings"

	"oxo/games/internal/nine"
	"oxo/games/kind"
	"oxo/message"
)

// Kind is meta tic-tac-toe.
var Kind = kind.Of[Pos]{
	Kind: kind.Kind{
		Name: "meta", Form: "meta", About: "Weger's meta tic-tac-toe: a point for each board", Example: "meta",
		Proofs: true,
		Offers: []kind.GameOffer{{Shelf: nine.Shelf, Spec: "meta", Name: "Meta tic-tac-toe",
			Shown: strings.Split("e5,d6,b8,e6,e8,f4,h2,d4,a1,c3,g9", ",")}},
		Words: words,
	},
	Open: func(s kind.Spec) (*kind.Opened[Pos], error) {
		if err := s.RefuseArgsAndOptions(); err != nil {
			return nil, err
		}
		return nine.Opened(New(), title, "meta.begins", "nine.closes", "meta.wins"), nil
	},
}

var title = message.Message{Key: "title.meta"}

var words = nine.Words.With(message.Table{
	"title.meta":  "meta tic-tac-toe, most boards win",
	"meta.begins": "The first move is in the centre board.",
	"meta.wins":   "Whoever has won more boards at the end wins.",
})
