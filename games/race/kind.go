package race

import (
	"oxo/games/kind"
	"oxo/message"
)

// Kind is the game of the jumping tokens.
var Kind = kind.Of[Pos]{
	Kind: kind.Kind{
		Name: "race", Form: "race:N", About: "two tokens that jump, and can go in circles", Example: "race:4",
		Solved: true, Proofs: true,
		Offers: []kind.GameOffer{
			{Shelf: shelf, Spec: "race:4", Name: "Race of 4 squares", Shown: []string{"2"}},
			{Shelf: shelf, Spec: "race:7", Name: "Race of 7 squares", Also: []string{"race"},
				Shown: []string{"2", "6", "3"}},
		},
		Words: words,
	},
	Open: open,
}

const shelf = "Race and trees"

var words = message.Table{
	"title.race": "jumping tokens on {n} squares",
	"race.moves": "X starts on the left, O on the right. A move takes one's own token one step left or right, or " +
		"over the other token to the square behind it.",
	"race.ends": "X wins on reaching the right end, O on reaching the left end.",
}

func title(n int) message.Message { return message.Of("title.race", message.Args{"n": n}) }

// open returns the race on a track of that length.
func open(s kind.Spec) (*kind.Opened[Pos], error) {
	n, err := s.Numbers(1)
	if err != nil {
		return nil, err
	}
	s.Args = ""
	if err := s.RefuseArgsAndOptions(); err != nil {
		return nil, err
	}
	g, err := New(n[0])
	if err != nil {
		return nil, err
	}
	rules := []message.Message{{Key: "race.moves"}, {Key: "race.ends"}}
	return &kind.Opened[Pos]{Game: g, Title: title(n[0]), View: kind.GridView(n[0], 1), Rules: rules}, nil
}
