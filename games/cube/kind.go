package cube

import (
	"errors"
	"fmt"
	"strings"

	"oxo/games/kind"
	"oxo/message"
)

// Kind is tic-tac-toe in any number of dimensions.
var Kind = kind.Positional{
	Kind: kind.Kind{
		Name: "cube", Form: "cube:N,D", About: "N^D points, every line of N", Example: "cube:3,3",
		Options: kind.PositionalOptions(kind.Gravity), Words: words, Plain: []string{""},
		Offers: []kind.GameOffer{{Shelf: shelf, Spec: "cube:3,3", Name: "3×3×3", Known: true, Also: []string{"3x3x3"},
			Shown: []string{"b2b", "a1a", "c3a", "a1c", "a3c"}}},
	},
	Open: kind.Opener(func(s kind.Spec, o kind.Settings) (kind.Design, error) {
		n, err := s.Numbers(2)
		if err != nil {
			return kind.Design{}, err
		}
		return design(n[0], n[1], o)
	}),
}

// Qubic is the cube of side four.
var Qubic = kind.Positional{
	Kind: kind.Kind{
		Name: "qubic", Form: "qubic", Same: "cube:4,3", About: "the same as cube:4,3", Example: "qubic",
		Options: kind.PositionalOptions(kind.Gravity), Words: words,
		Offers: []kind.GameOffer{{Shelf: shelf, Spec: "qubic", Name: "Qubic 4×4×4", Front: true, Known: true,
			Also:  []string{"3d", "4x4x4", "tic-tac-toe-3d", "3d-tic-tac-toe"},
			Shown: []string{"b2b", "c3c", "a1a", "d4a", "d1a", "b3b", "c2b"}}},
	},
	Open: kind.Opener(func(s kind.Spec, o kind.Settings) (kind.Design, error) {
		if s.Args != "" {
			return kind.Design{}, errors.New("qubic takes no arguments")
		}
		return design(4, 3, o)
	}),
}

// shelf is the heading under which the games are listed.
const shelf = "Space and meta"

// design returns the cube of n squares a side in so many dimensions, and what it is called: Qubic, a row, or by its
// sides. The option exact is refused, as no row is longer than the side.
func design(n, dim int, o kind.Settings) (kind.Design, error) {
	if err := o.RefuseExact(); err != nil {
		return kind.Design{}, err
	}
	b, err := New(n, dim, o.Gravity)
	title := message.Of("title.cube", message.Args{
		"size": strings.TrimSuffix(strings.Repeat(fmt.Sprintf("%d×", n), dim), "×")})
	switch {
	case n == 4 && dim == 3:
		title = message.Message{Key: "title.qubic"}
	case dim == 1:
		title = message.Of("title.row", message.Args{"n": n})
	}
	return kind.Design{
		Spec: fmt.Sprintf("cube:%d,%d", n, dim), Title: title, Board: b,
		Aim: message.Of("aim.straight", message.Args{"n": n}),
	}, err
}

// words has the English of both kinds' messages.
var words = message.Table{
	"aim.straight": "a straight line of {n}, in any direction",
	"title.cube":   "{size} tic-tac-toe",
	"title.qubic":  "Qubic 4×4×4",
	"title.row":    "a row of {n}",
}
