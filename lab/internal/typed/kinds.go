package typed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"oxo/board"
	"oxo/games/animal"
	"oxo/games/cube"
	"oxo/games/file"
	"oxo/games/grid"
	"oxo/games/meta"
	"oxo/games/plane"
	"oxo/games/race"
	"oxo/games/tree"
	"oxo/games/ultimate"
	"oxo/games/wide"
)

// kind is one way to name a game. To add a game is to add a line to allKinds.
type kind struct {
	name    string
	form    string // how the spec is written
	about   string
	options string // what may follow after +
	example string // a spec of this kind
	solved  bool   // whether solve answers the example at once
	open    func(l *Lab, s spec) (Game, error)
}

const positionalOptions = "misere maker breaker avoider enforcer wild wild+misere notakto order chaos slip=P"

func allKinds() []kind {
	return []kind{
		{"ttt", "ttt", "tic-tac-toe, the same as mnk:3,3,3", positionalOptions + " gravity exact", "ttt", true, positional(openGrid)},
		{"mnk", "mnk:M,N,K", "M columns, N rows, K in a row", positionalOptions + " gravity exact", "mnk:4,4,4", true, positional(openGrid)},
		{"torus", "torus:M,N,K", "the same with both edges joined", positionalOptions + " exact", "torus:4,4,4", true, positional(openGrid)},
		{"cube", "cube:N,D", "N^D points, every line of N", positionalOptions + " gravity", "cube:3,3", false, positional(openCube)},
		{"qubic", "qubic", "the same as cube:4,3", positionalOptions + " gravity", "qubic", false, positional(openCube)},
		{"animal", "animal:NAME,M,N", "Harary's game: own a copy of a polyomino", positionalOptions + " gravity", "animal:tic,4,4", true, positional(openAnimal)},
		{"plane", "plane:affine,Q or plane:projective,Q", "points and lines of a finite plane", positionalOptions, "plane:affine,3", true, positional(openPlane)},
		{"file", "file:PATH", "squares and winning sets from JSON", positionalOptions + " gravity", "", false, openFile},
		{"meta", "meta", "Weger's meta tic-tac-toe: a point for each board", "", "meta", false, openMeta},
		{"ultimate", "ultimate", "Ultimate tic-tac-toe: three boards in a row", "most open", "ultimate", false, openUltimate},
		{"race", "race:N", "two tokens that jump, and can go in circles", "", "race:4", true, openRace},
		{"tree", "tree:NAME or tree:PATH", "an explicit game tree with chance, from JSON; built in: " + strings.Join(tree.Builtins(), ", "), "", "tree:three-ply", true, openTree},
	}
}

// design is a positional game before its options: a canonical spec, a title
// and a board for the given settings.
type design struct {
	spec, title string
	board       *board.Board
	wide        *grid.Shape // of a board that is too large for board; nil for others
}

// positional returns an opener that reads the options and hands the rest to
// build.
func positional(build func(s spec, o settings) (design, error)) func(*Lab, spec) (Game, error) {
	return func(l *Lab, s spec) (Game, error) {
		o, err := readOptions(s.options)
		if err != nil {
			return nil, err
		}
		d, err := build(s, o)
		if err != nil {
			return nil, err
		}
		if d.wide != nil {
			g, err := wide.New(d.spec+o.suffix(), d.title+o.describe(), *d.wide, o.rules)
			if err != nil {
				return nil, err
			}
			return onWide(l, g), nil
		}
		return bindPositional(l, d.spec+o.suffix(), d.title+o.describe(), "", d.board, o.rules), nil
	}
}

// bindPositional makes a positional game. The identity tells it from others
// where the spec does not; empty, it is the spec.
func bindPositional(l *Lab, spec, title, identity string, b *board.Board, r board.Rules) Game {
	if identity == "" {
		identity = spec
	}
	if b.N <= 64 {
		return onBoard(l, board.Game64(spec, title, b, r), identity)
	}
	return onBoard(l, board.Game256(spec, title, b, r), identity)
}

func openGrid(s spec, o settings) (design, error) {
	args := s.args
	if s.kind == "ttt" {
		if args != "" {
			return design{}, errors.New("ttt takes no arguments")
		}
		args = "3,3,3"
	}
	n, err := numbers(args, 3)
	if err != nil {
		return design{}, err
	}
	torus := s.kind == "torus"
	shape := grid.Shape{Cols: n[0], Rows: n[1], Run: n[2], Torus: torus, Exact: o.exact, Gravity: o.gravity}
	var b *board.Board
	large := max(n[0], n[1]) > board.MaxSquares || n[0]*n[1] > board.MaxSquares
	if !large {
		b, err = grid.New(shape)
	}
	kind, place := "mnk", ""
	if torus {
		kind, place = "torus", " on a torus"
	}
	title := fmt.Sprintf("%d×%d%s, %d in a row", n[0], n[1], place, n[2])
	switch {
	case n[0] == 3 && n[1] == 3 && n[2] == 3 && !torus:
		title = "tic-tac-toe"
	case n[0] == 7 && n[1] == 6 && n[2] == 4 && !torus && o.gravity:
		title = "Connect Four on 7×6"
	}
	d := design{fmt.Sprintf("%s:%d,%d,%d", kind, n[0], n[1], n[2]), title, b, nil}
	if large {
		d.wide = &shape
	}
	return d, err
}

func openCube(s spec, o settings) (design, error) {
	args := s.args
	if s.kind == "qubic" {
		if args != "" {
			return design{}, errors.New("qubic takes no arguments")
		}
		args = "4,3"
	}
	n, err := numbers(args, 2)
	if err != nil {
		return design{}, err
	}
	if err := noExact(o); err != nil {
		return design{}, err
	}
	b, err := cube.New(n[0], n[1], o.gravity)
	title := fmt.Sprintf("%d^%d tic-tac-toe", n[0], n[1])
	if n[0] == 4 && n[1] == 3 {
		title = "Qubic, 4×4×4"
	}
	return design{fmt.Sprintf("cube:%d,%d", n[0], n[1]), title, b, nil}, err
}

func noExact(o settings) error {
	if o.exact {
		return errors.New("option exact: only mnk and torus have rows that can be too long")
	}
	return nil
}

func openAnimal(s spec, o settings) (design, error) {
	name, size, found := strings.Cut(s.args, ",")
	if !found {
		return design{}, fmt.Errorf("%q: a name and two whole numbers are needed, as in animal:tic,4,4", s.args)
	}
	n, err := numbers(size, 2)
	if err != nil {
		return design{}, err
	}
	if err := noExact(o); err != nil {
		return design{}, err
	}
	b, err := animal.New(name, n[0], n[1], o.gravity)
	name = strings.ToLower(name)
	return design{fmt.Sprintf("animal:%s,%d,%d", name, n[0], n[1]), fmt.Sprintf("Harary's %s on %d×%d", name, n[0], n[1]), b, nil}, err
}

func openPlane(s spec, o settings) (design, error) {
	name, order, _ := strings.Cut(s.args, ",")
	build := plane.Affine
	switch name {
	case "affine":
	case "projective":
		build = plane.Projective
	default:
		return design{}, fmt.Errorf("%q: the plane is affine or projective, as in plane:affine,3", name)
	}
	n, err := numbers(order, 1)
	if err != nil {
		return design{}, err
	}
	if err := noExact(o); err != nil {
		return design{}, err
	}
	if o.gravity {
		return design{}, errors.New("option gravity: a plane has no lowest row")
	}
	b, err := build(n[0])
	return design{fmt.Sprintf("plane:%s,%d", name, n[0]), fmt.Sprintf("the %s plane of order %d", name, n[0]), b, nil}, err
}

// plainText returns a text without the mark that some editors begin it with.
func plainText(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\ufeff")) }

func openFile(l *Lab, s spec) (Game, error) {
	data, err := l.readFile(s.args)
	if err != nil {
		return nil, err
	}
	f, err := file.Parse(plainText(data))
	if err != nil {
		return nil, err
	}
	var own []string
	if f.Option != "" {
		own = strings.Split(strings.TrimPrefix(f.Option, "+"), "+")
	}
	o, err := readOptions(append(own, s.options...))
	if err != nil {
		return nil, err
	}
	if err := noExact(o); err != nil {
		return nil, err
	}
	if o.gravity && f.Board.Below == nil {
		return nil, errors.New(`option gravity: the file has no "below"`)
	}
	o.gravity = false // the file says it
	// A file's own option is not repeated in the spec.
	shown, err := readOptions(s.options)
	if err != nil {
		return nil, err
	}
	shown.gravity = false
	sum := sha256.Sum256(data)
	return bindPositional(l, "file:"+s.args+shown.suffix(), f.Name+o.describe(),
		"file:"+hex.EncodeToString(sum[:8])+o.suffix(), f.Board, o.rules), nil
}

func openMeta(l *Lab, s spec) (Game, error) {
	if err := plainSpec(s); err != nil {
		return nil, err
	}
	return onGrid(l, meta.New(), 9, 9), nil
}

func openUltimate(l *Lab, s spec) (Game, error) {
	var rules ultimate.Rules
	words := map[string]ultimate.Rules{"most": ultimate.Most, "open": ultimate.Open}
	for _, w := range s.options {
		r, ok := words[w]
		if !ok || rules&r != 0 {
			return nil, fmt.Errorf("option %q: ultimate takes most and open, each once", w)
		}
		rules |= r
	}
	s.options = nil
	if err := plainSpec(s); err != nil {
		return nil, err
	}
	return onGrid(l, ultimate.New(rules), 9, 9), nil
}

// plainSpec refuses arguments and options.
func plainSpec(s spec) error {
	if s.args != "" {
		return fmt.Errorf("%s takes no arguments", s.kind)
	}
	if len(s.options) > 0 {
		return fmt.Errorf("option %q has no meaning in %s", s.options[0], s.kind)
	}
	return nil
}

func openRace(l *Lab, s spec) (Game, error) {
	n, err := numbers(s.args, 1)
	if err != nil {
		return nil, err
	}
	s.args = ""
	if err := plainSpec(s); err != nil {
		return nil, err
	}
	g, err := race.New(n[0])
	if err != nil {
		return nil, err
	}
	return onGrid(l, g, n[0], 1), nil
}

func openTree(l *Lab, s spec) (Game, error) {
	if len(s.options) > 0 {
		return nil, fmt.Errorf("option %q has no meaning in a tree", s.options[0])
	}
	if g, ok := tree.Builtin(s.args); ok {
		return bind(l, g, g.Spec), nil
	}
	data, err := l.readFile(s.args)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w, and no tree built in has that name: there are %s", err, strings.Join(tree.Builtins(), ", "))
	}
	if err != nil {
		return nil, err
	}
	g, err := tree.Parse(bytes.NewReader(plainText(data)))
	if err != nil {
		return nil, err
	}
	g.Spec = "tree:" + s.args
	sum := sha256.Sum256(data)
	return bind(l, g, "tree:"+hex.EncodeToString(sum[:8])), nil
}
