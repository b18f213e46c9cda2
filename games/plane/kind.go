package plane

import (
	"cmp"
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
		Options: kind.PositionalOptions(), Words: words,
		Offers: []kind.GameOffer{
			{Shelf: shelf, Spec: "plane:projective,2", Name: "Fano plane", Front: true, Also: []string{"fano"},
				Shown: []string{"4", "1", "7", "2", "6"}},
			{Shelf: shelf, Spec: "plane:affine,3", Name: "Affine plane of order 3", Shown: []string{"5", "1", "3"}},
			{Shelf: shelf, Spec: "plane:affine,4", Name: "Affine plane of order 4",
				Shown: []string{"6", "11", "4", "13"}},
		},
	},
	Open: kind.Opener(design),
}

// shelf is the heading under which the games are listed.
const shelf = "Shapes and planes"

// design reads a spec, builds the plane of that name and order, and says how it is drawn. It refuses names and
// orders of no plane, and the options exact and gravity, which need rows.
func design(s kind.Spec, o kind.Settings) (kind.Design, error) {
	name, order, _ := strings.Cut(s.Args, ",")
	// A name of no plane has no builder.
	build := map[string]func(int) (*board.Board, error){"affine": Affine, "projective": Projective}[name]
	if build == nil {
		return kind.Design{}, fmt.Errorf("%q: the plane is affine or projective, as in plane:affine,3", name)
	}
	n, err := kind.ParseNumbers(order, 1)
	if err = cmp.Or(err, o.RefuseExact()); err != nil {
		return kind.Design{}, err
	}
	if o.Gravity {
		return kind.Design{}, errors.New("option gravity: a plane has no lowest row")
	}
	// Where the order is none of a field there is no board, and the error tells the opener to drop the rest.
	b, err := build(n[0])
	return kind.Design{
		Spec: fmt.Sprintf("plane:%s,%d", name, n[0]), Board: b,
		Title: message.Of("title.plane."+name, message.Args{"q": n[0]}),
		Aim:   message.Message{Key: "aim.line"},
		Look:  kind.Look{Drawn: kind.Points, Unseen: true, Places: pointPlaces(name, n[0])},
	}, err
}

// pointPlaces returns where the points lie, from the left and from the top in numbers from 0 to 1, in the order of
// the plane's squares. It draws the smallest projective plane as Fano did, three of its points at the corners of a
// triangle and their third points on its sides. It is nil for other planes, which lie as their coordinates say.
func pointPlaces(name string, q int) [][2]float64 {
	if name != "projective" || q != 2 {
		return nil
	}
	return [][2]float64{{.5, 0}, {0, .866}, {1, .866}, {.5, .577}, {.25, .433}, {.5, .866}, {.75, .433}}
}

// words has the English of the kind's messages.
var words = message.Table{
	"aim.line":               "all points of a line of the plane (drawn straight or curved)",
	"title.plane.affine":     "the affine plane of order {q}",
	"title.plane.projective": "the projective plane of order {q}",
}
