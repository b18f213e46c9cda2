package tree

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"oxo"
)

// Parse reads a tree in the JSON of the package comment and returns its game.
// Unknown and repeated fields are refused, and so is anything after the
// object.
func Parse(from io.Reader) (*oxo.Game[NodePos], error) {
	r := reader{dec: json.NewDecoder(from)}
	t, err := r.readTree()
	if err != nil {
		return nil, fmt.Errorf("tree file, byte %d: %w", r.dec.InputOffset(), err)
	}
	g, err := newGame(t)
	if err != nil {
		return nil, fmt.Errorf("tree file: %w", err)
	}
	return g, nil
}

// nodeError is an error in a node below the root.
type nodeError struct {
	moves []int // to the node, counted from 1, the last first
	err   error
}

// Error names the node as positions are named, by its moves; of a long path only how it begins and ends.
func (e *nodeError) Error() string {
	var moves []string
	for _, m := range slices.Backward(e.moves) {
		moves = append(moves, strconv.Itoa(m))
	}
	if n := len(moves); n > 8 {
		moves = append(append(moves[:3:3], fmt.Sprintf("(%d more)", n-6)), moves[n-3:]...)
	}
	return fmt.Sprintf("node %s: %v", strings.Join(moves, "."), e.err)
}

// inChild says that an error, if any, is in the node that a move leads to, or below it.
func inChild(move int, err error) error {
	if below, ok := err.(*nodeError); ok {
		below.moves = append(below.moves, move)
	} else if err != nil {
		err = &nodeError{[]int{move}, err}
	}
	return err
}

// within says that an error is in a field or an entry; one in a node names its place already.
func within(place string, err error) error {
	if _, ok := err.(*nodeError); ok {
		return err
	}
	return fmt.Errorf("%s: %w", place, err)
}

// reader reads JSON piece by piece, so that size and depth are checked before memory is spent on them. It counts
// the nodes that it has begun.
type reader struct {
	dec   *json.Decoder
	nodes int
}

// readTree reads the object that is the whole file. A bound that is left out is infinite.
func (r *reader) readTree() (t source, err error) {
	if err := r.expectDelim('{', "an object with name and root"); err != nil {
		return t, err
	}
	t.lo, t.hi = math.Inf(-1), math.Inf(1)
	seen, err := r.readFields(map[string]func() error{
		"name": func() (err error) { t.name, err = readScalar[string](r, "a name"); return err },
		"lo":   func() (err error) { t.lo, err = readScalar[float64](r, "a number"); return err },
		"hi":   func() (err error) { t.hi, err = readScalar[float64](r, "a number"); return err },
		"root": func() (err error) { t.root, err = r.readNode(0); return err },
	})
	switch {
	case err != nil:
		return t, err
	case !seen["name"]:
		return t, errors.New(`no "name"`)
	case !seen["root"]:
		return t, errors.New(`no "root"`)
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return t, errors.New("something follows the tree")
	}
	return t, nil
}

// readNode reads a node at the given depth, 0 for the root, and all that is below it. It sees to it that the right
// fields are there; what is in them is checked by compile.
func (r *reader) readNode(depth int) (*Node, error) {
	if r.nodes++; r.nodes > maxNodes {
		return nil, fmt.Errorf("more than %d nodes", maxNodes)
	}
	if depth > MaxDepth {
		return nil, fmt.Errorf("deeper than %d plies", MaxDepth)
	}
	token, err := r.nextToken()
	if err != nil {
		return nil, err
	}
	if value, ok := token.(float64); ok {
		return &Node{Value: value}, nil
	}
	if token != json.Delim('{') {
		return nil, fmt.Errorf("%v: want a node, which is a number or an object", token)
	}
	n := new(Node)
	seen, err := r.readFields(map[string]func() error{
		"kind":  func() error { return r.readKind(&n.Kind) },
		"label": func() (err error) { n.Label, err = readScalar[string](r, "a label"); return err },
		"value": func() (err error) { n.Value, err = readScalar[float64](r, "a number"); return err },
		"odds": func() error {
			return r.readList("a list of numbers", func() error {
				odds, err := readScalar[float64](r, "a number")
				n.Odds = append(n.Odds, odds)
				return err
			})
		},
		"children": func() error {
			return r.readList("a list of nodes", func() error {
				child, err := r.readNode(depth + 1)
				n.Children = append(n.Children, child)
				return inChild(len(n.Children), err)
			})
		},
	})
	switch {
	case err != nil:
		return nil, err
	case !seen["kind"] && !seen["value"]:
		return nil, errors.New(`a node with neither "kind" nor "value"`)
	case n.Kind == Leaf && !seen["value"]:
		return nil, errors.New(`a leaf without "value"`)
	case n.Kind == Leaf && (seen["odds"] || seen["children"]):
		return nil, errors.New(`a leaf has neither "odds" nor "children"`)
	case n.Kind != Leaf && seen["value"]:
		return nil, fmt.Errorf(`a %v node has no "value"`, n.Kind)
	}
	return n, nil
}

// readKind reads what kind a node is of, by one of kindNames.
func (r *reader) readKind(k *NodeKind) error {
	name, err := readScalar[string](r, "a kind")
	if err != nil {
		return err
	}
	i := slices.Index(kindNames[:], name)
	if i < 0 {
		return fmt.Errorf("kind %q: want %s", name, strings.Join(kindNames[:], ", "))
	}
	*k = NodeKind(i)
	return nil
}

// nextToken returns the next token; a text may not end where one is wanted.
func (r *reader) nextToken() (json.Token, error) {
	token, err := r.dec.Token()
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = fmt.Errorf("%s is too large", wrong.Value)
	} else if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the JSON ends too early")
	}
	return token, err
}

// expectDelim reads a brace or a bracket; want says what was to begin or end there.
func (r *reader) expectDelim(delim json.Delim, want string) error {
	switch token, err := r.nextToken(); {
	case err != nil:
		return err
	case token != delim:
		return fmt.Errorf("%v: want %s", token, want)
	}
	return nil
}

// readScalar reads a string or a number; want says in the error what was to be there.
func readScalar[T string | float64](r *reader, want string) (T, error) {
	token, err := r.nextToken()
	value, ok := token.(T)
	if err == nil && !ok {
		err = fmt.Errorf("%v: want %s", token, want)
	}
	return value, err
}

// readFields reads the fields of an object whose brace is open, each by the function of its name, and its closing
// brace. It returns which fields there were, and refuses unknown ones and those that come twice.
func (r *reader) readFields(read map[string]func() error) (seen map[string]bool, err error) {
	seen = map[string]bool{}
	for r.dec.More() {
		name, err := readScalar[string](r, "a field")
		switch {
		case err != nil:
			return nil, err
		case read[name] == nil:
			return nil, fmt.Errorf("unknown field %q; there are %s", name,
				strings.Join(slices.Sorted(maps.Keys(read)), ", "))
		case seen[name]:
			return nil, fmt.Errorf("field %q twice", name)
		}
		seen[name] = true
		if err := read[name](); err != nil {
			return nil, within(name, err)
		}
	}
	_, err = r.nextToken()
	return seen, err
}

// readList reads a list, each entry by the given function, which is called with the reader at the entry. An error says
// which entry is at fault, from 1.
func (r *reader) readList(want string, read func() error) error {
	if err := r.expectDelim('[', want); err != nil {
		return err
	}
	for i := 0; r.dec.More(); i++ {
		if i == MaxChildren {
			return fmt.Errorf("more than %d entries", MaxChildren)
		}
		if err := read(); err != nil {
			return within(strconv.Itoa(i+1), err)
		}
	}
	_, err := r.nextToken()
	return err
}
