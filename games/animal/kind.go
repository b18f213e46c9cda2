package animal

import (
	"cmp"
	"fmt"
	"strings"

	"oxo/games/kind"
	"oxo/message"
)

// Kind is Harary's game.
var Kind = kind.Positional{
	Kind: kind.Kind{
		Name: "animal", Form: "animal:NAME,M,N", About: "Harary's game: own a copy of a polyomino",
		Example: "animal:tic,4,4", Solved: true,
		Options: kind.PositionalOptions(kind.Gravity), Words: words,
		Offers: []kind.GameOffer{
			{Shelf: shelf, Spec: "animal:tic,4,4", Name: "Tic, a polyomino, on 4×4",
				Shown: []string{"b3", "c3", "b2", "a3", "b1"}},
			{Shelf: shelf, Spec: "animal:knobby,5,5", Name: "Knobby, a polyomino, on 5×5", Front: true,
				Also:  []string{"harary", "polyomino"},
				Shown: []string{"c3", "c4", "d3", "b3", "e3", "c2", "d2"}},
		},
	},
	Open: kind.Opener(design),
}

// shelf is the heading under which the games are listed.
const shelf = "Shapes and planes"

// design reads a spec, of an animal and the board's columns and rows, and says which animal has to be made on which
// board. The option exact is refused: it is about rows.
func design(s kind.Spec, o kind.Settings) (kind.Design, error) {
	name, size, found := strings.Cut(s.Args, ",")
	if !found {
		return kind.Design{}, fmt.Errorf("%q: a name and two whole numbers are needed, as in animal:tic,4,4", s.Args)
	}
	n, err := kind.ParseNumbers(size, 2)
	if err = cmp.Or(err, o.RefuseExact()); err != nil {
		return kind.Design{}, err
	}
	// Where New fails there is no board, and the error tells the opener to drop the rest.
	b, err := New(name, n[0], n[1], o.Gravity)
	name = strings.ToLower(name)
	cells := cellsOf(name)
	return kind.Design{
		Spec:  fmt.Sprintf("animal:%s,%d,%d", name, n[0], n[1]),
		Title: message.Of("title.animal", message.Args{"name": name, "m": n[0], "n": n[1]}),
		// A board does not show which shape wins, so its shape is given to those who draw it.
		Board: b, Aim: aim(cells), Look: kind.Look{Unseen: true, Shape: cells},
	}, err
}

// aim says what the shape of those cells is that wins. A shape of one row is a bar, of which nothing need be said
// about turning or mirroring.
func aim(cells string) message.Message {
	if strings.Contains(cells, "/") {
		return message.Of("aim.shape", message.Args{"cells": strings.ReplaceAll(cells, "/", " / ")})
	}
	return message.Of("aim.bar", message.Args{"cells": cells})
}

// words has the English of the kind's messages.
var words = message.Table{
	"title.animal": "Harary's {name} on {m}×{n}",
	"aim.shape":    "the shape {cells} (its rows from the top), turned or mirrored",
	"aim.bar":      "the shape {cells}, in any direction",
}
