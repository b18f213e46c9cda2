package plane

import (
	"errors"
	"fmt"
	"strings"

	"oxo/board"
	"oxo/games/kind"
	"oxo/message"
)

// Kind is tic-tac-toe on finite planes.
var Kind = kind.Positional{
	Kind: kind.Kind{
		Name: "plane", Form: "plane:affine,Q or plane:projective,Q", About: "points and lines of a finite plane",
		Example: "plane:affine,3", Solved: true,
		Options: kind.Options(), Words: words,
		Offers: []kind.GameOffer{
			{Shelf: shelf, Spec: "plane:projective,2", Name: "Fano plane"},
			{Shelf: shelf, Spec: "plane:affine,3", Name: "Affine plane of order 3"},
			{Shelf: shelf, Spec: "plane:affine,4", Name: "Affine plane of order 4"},
		},
	},
	Open: kind.Opener(design),
}

const shelf = "Shapes and planes"

func design(s kind.Spec, o kind.Settings) (kind.Design, error) {
	name, order, _ := strings.Cut(s.Args, ",")
	build := map[string]func(int) (*board.Board, error){"affine": Affine, "projective": Projective}[name]
	if build == nil {
		return kind.Design{}, fmt.Errorf("%q: the plane is affine or projective, as in plane:affine,3", name)
	}
	n, err := kind.Numbers(order, 1)
	if err != nil {
		return kind.Design{}, err
	}
	if err := o.NoExact(); err != nil {
		return kind.Design{}, err
	}
	if o.Gravity {
		return kind.Design{}, errors.New("option gravity: a plane has no lowest row")
	}
	b, err := build(n[0])
	return kind.Design{
		Spec: fmt.Sprintf("plane:%s,%d", name, n[0]), Title: fmt.Sprintf("the %s plane of order %d", name, n[0]),
		Board: b, Aim: message.Message{Key: "aim.line"}, Drawn: kind.Points, Unseen: true,
	}, err
}

var words = message.Table{"aim.line": "all points of a line of the plane"}
