package ultimate

import (
	"fmt"
	"strings"

	"oxo/games/internal/nine"
	"oxo/games/kind"
	"oxo/message"
)

// Kind is Ultimate tic-tac-toe.
var Kind = kind.Of[Pos]{
	Kind: kind.Kind{
		Name: "ultimate", Form: "ultimate", About: "Ultimate tic-tac-toe: three boards in a row", Example: "ultimate",
		Options: []string{"most", "open"}, Plain: []string{""}, Proofs: true,
		Offers: []kind.GameOffer{{Shelf: nine.Shelf, Spec: "ultimate", Name: "Ultimate tic-tac-toe", Front: true,
			Known: true,
			Also:  []string{"super", "uttt"},
			Shown: strings.Split("a9,b8,d6,a7,c1,h1,d2,c4,h3,e9,d8,a4,a3,a8,b6", ",")}},
		Words: words,
	},
	Open: open,
}

var words = nine.Words.With(message.Table{
	"title.ultimate":      "Ultimate tic-tac-toe",
	"title.ultimate.most": "{title}, most boards decide",
	"title.ultimate.open": "{title}, won boards stay open",
	"option.most":         "whoever has won more boards wins where there are no three in a row",
	"option.open":         "boards that are won can be played in until they are full",
	"ultimate.begins":     "The first move is anywhere.",
	"ultimate.open":       "Three in a row win a board, in which play goes on until it is full.",
	"ultimate.draws":      "Three boards in a row win the game; without them it is a draw.",
	"ultimate.mostwin":    "Three boards in a row win the game; without them, more boards do.",
})

// title says what the game is called under those rules.
func title(rules Rules) message.Message {
	t := message.Message{Key: "title.ultimate"}
	if rules&Most != 0 {
		t = message.Of("title.ultimate.most", message.Args{"title": t})
	}
	if rules&Open != 0 {
		t = message.Of("title.ultimate.open", message.Args{"title": t})
	}
	return t
}

// open returns the game with the options of a spec.
func open(s kind.Spec) (*kind.Opened[Pos], error) {
	var rules Rules
	words := map[string]Rules{"most": Most, "open": Open}
	for _, w := range s.Options {
		r, ok := words[w]
		if !ok || rules&r != 0 {
			return nil, fmt.Errorf("option %q: ultimate takes most and open, each once", w)
		}
		rules |= r
	}
	s.Options = nil
	if err := s.RefuseArgsAndOptions(); err != nil {
		return nil, err
	}
	won, wins := "nine.closes", "ultimate.draws"
	if rules&Open != 0 {
		won = "ultimate.open"
	}
	if rules&Most != 0 {
		wins = "ultimate.mostwin"
	}
	return nine.Opened(New(rules), title(rules), "ultimate.begins", won, wins), nil
}
