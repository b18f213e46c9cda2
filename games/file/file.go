// Package file reads a positional game from JSON:
//
//	{
//	  "name": "two crossing pairs",
//	  "squares": 3,                      squares are numbered from 1
//	  "winning": [[1, 2], [2, 3]],       the winning sets
//	  "below": [0, 1, 0],                optional, gravity: the square that must
//	                                     be filled first, 0 for none
//	  "layout": [[0, 0], [1, 0], [0, 1]] optional, where to draw each square:
//	                                     [column, row] or [column, row, level]
//	  "option": "misere"                 optional, as after + in a spec
//	}
package file

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"oxo"
	"oxo/board"
	"oxo/strictjson"
)

// Definition is what a file holds, checked but for its Option: the rules that the game is to be played by, as after
// + in a spec.
type Definition struct {
	Name   string
	Option string // not checked
	Board  *board.Board
}

// document is a file as JSON has it: what is nil was left out.
type document struct {
	Name    *string  `json:"name"`
	Squares *int     `json:"squares"`
	Winning *[][]int `json:"winning"`
	Below   []int    `json:"below"`
	Layout  [][]int  `json:"layout"`
	Option  string   `json:"option"`
}

// fieldNames are the fields of a document.
var fieldNames = []string{"name", "squares", "winning", "below", "layout", "option"}

// layoutLimit is the highest column, row or level in which a file may place a square.
const layoutLimit = 1000

// Parse reads a game. It refuses unknown fields, missing ones, and everything that [board.New] and
// [board.Board.SetBelow] refuse. Squares count from 1 in a file and from 0 on the board. Where the file gives no
// name the game is called a positional game. Errors of the JSON itself say in which line they are.
func Parse(data []byte) (*Definition, error) {
	if err := strictjson.CheckNames(data, fieldNames...); err != nil {
		return nil, err
	}
	var d document
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(&d); err != nil {
		return nil, locateJSONError(err, data)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more after the game's JSON object")
	}
	if err := oxo.CheckLength("option", d.Option); err != nil {
		return nil, err
	}
	switch {
	case d.Squares == nil:
		return nil, errors.New(`field "squares" is missing: the number of squares`)
	case d.Winning == nil:
		return nil, errors.New(`field "winning" is missing: a list of lists of squares`)
	}
	// Squares 0 and below become numbers that the board refuses.
	sets := make([][]int, len(*d.Winning))
	for k, set := range *d.Winning {
		for _, square := range set {
			sets[k] = append(sets[k], square-1)
		}
	}
	b, err := board.New(*d.Squares, sets)
	if err != nil {
		return nil, err
	}
	if d.Below != nil {
		below := make([]int, len(d.Below))
		for i, square := range d.Below {
			// The file's 0, for no square, becomes the board's -1.
			below[i] = square - 1
		}
		if err := b.SetBelow(below); err != nil {
			return nil, err
		}
	}
	if d.Layout != nil {
		if err := setSquarePositions(b, d.Layout); err != nil {
			return nil, err
		}
	}
	g := &Definition{Name: "a positional game", Option: d.Option, Board: b}
	if d.Name != nil && *d.Name != "" {
		if err := oxo.CheckLength("name", *d.Name); err != nil {
			return nil, err
		}
		if !oxo.IsPrintable(*d.Name) {
			return nil, fmt.Errorf("name %q: want characters that can be seen", *d.Name)
		}
		g.Name = *d.Name
	}
	return g, nil
}

// setSquarePositions takes over where the squares are drawn: for each square its column and row and, if it has one,
// its level, each from 0 to layoutLimit. No two squares may be in the same place.
func setSquarePositions(b *board.Board, points [][]int) error {
	if len(points) != b.N {
		return fmt.Errorf("layout has %d places for %d squares", len(points), b.N)
	}
	taken := map[board.Point]int{}
	for i, at := range points {
		if len(at) != 2 && len(at) != 3 {
			return fmt.Errorf("layout of square %d has %d numbers: give [column, row] or [column, row, level]", i+1,
				len(at))
		}
		for _, c := range at {
			if c < 0 || c > layoutLimit {
				return fmt.Errorf("layout of square %d: %d is not within 0 to %d", i+1, c, layoutLimit)
			}
		}
		point := board.Point{Col: at[0], Row: at[1]}
		if len(at) == 3 {
			point.Level = at[2]
		}
		if j, ok := taken[point]; ok {
			return fmt.Errorf("layout puts squares %d and %d in the same place", j+1, i+1)
		}
		taken[point] = i
		b.Layout[i] = point
	}
	return nil
}

// locateJSONError says where in the text a JSON error lies, and what was wanted there, in words for people who may
// not know what JSON's own mean.
func locateJSONError(err error, data []byte) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not JSON at %s: %w", lineAndColumn(data, syntax.Offset), err)
	case errors.As(err, &kind):
		field := "the file"
		if kind.Field != "" {
			field = fmt.Sprintf("field %q", kind.Field)
		}
		return fmt.Errorf("%s at %s holds %s, not %s", field, lineAndColumn(data, kind.Offset),
			cmp.Or(held[kind.Value], "the "+kind.Value), wanted[kind.Type.Kind()])
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the JSON ends too early")
	}
	return err
}

// What a field holds, in JSON's words, and what it should.
var (
	held = map[string]string{"array": "a list", "object": "an object", "string": "a text", "number": "a number",
		"bool": "true or false"}
	wanted = map[reflect.Kind]string{reflect.Struct: "an object with squares and winning",
		reflect.Slice: "a list of numbers", reflect.Int: "a whole number", reflect.String: "a text"}
)

// lineAndColumn says where in the file an offset is, in bytes from the start of the text. Lines count from 1.
func lineAndColumn(data []byte, offset int64) string {
	before := data[:min(int(offset), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	return fmt.Sprintf("line %d, column %d", line, len(before)-bytes.LastIndexByte(before, '\n')-1)
}
