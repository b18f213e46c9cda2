package file_test

import (
	"strings"
	"testing"

	"oxo/board"
	"oxo/games/file"
)

func TestParse(t *testing.T) {
	g, err := file.Parse([]byte(`{"name": "tower", "squares": 4, "winning": [[1, 2], [3, 4]],
		"below": [3, 4, 0, 0], "layout": [[0, 0], [1, 0], [0, 1], [1, 1, 2]], "option": "maker"}`))
	if err != nil {
		t.Fatal(err)
	}
	if g.Name != "tower" || g.Option != "maker" || g.Board.N != 4 || len(g.Board.Lines) != 2 {
		t.Errorf("%+v", g)
	}
	if g.Board.Below[0] != 2 || g.Board.Below[3] != -1 || g.Board.Layout[3] != (board.Point{Col: 1, Row: 1, Level: 2}) {
		t.Errorf("below %v, layout %v", g.Board.Below, g.Board.Layout)
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		``:                 "too early",
		`{`:                "too early",
		`[]`:               "the file at line 1, column 1 holds a list, not an object",
		`{"squares": [3]}`: "holds a list, not a whole number",
		`{"name": "a\tb", "squares": 1, "winning": [[1]]}`:                               `name "a\tb": want characters that can be seen`,
		`{"name": "a\u202eb", "squares": 1, "winning": [[1]]}`:                           `name "a\u202eb": want characters that can be seen`,
		`{"squares": 1, "winning": [[1]], "option": "` + strings.Repeat("é", 101) + `"}`: `"option" has 101 characters`,
		`{"foo": 1}`:                                                      `unknown field "foo"; there are name, squares`,
		`{"squares": 3}`:                                                  `"winning" is missing`,
		`{"winning": [[1]]}`:                                              `"squares" is missing`,
		`{"squares": "3", "winning": [[1]]}`:                              `field "squares"`,
		"{\"squares\": 3,\n oops}":                                        "line 2",
		`{"squares": 3, "winning": [[1]], "size": 3}`:                     "size",
		`{"squares": 3, "winning": [[1]]} {}`:                             "more after",
		`{"squares": 0, "winning": [[1]]}`:                                "0 squares",
		`{"squares": 257, "winning": [[1]]}`:                              "1 to 256",
		`{"squares": 3, "winning": [[1], []]}`:                            "set 2 is empty",
		`{"squares": 3, "winning": [[1, 4]]}`:                             "no square 4",
		`{"squares": 3, "winning": [[0, 1]]}`:                             "no square 0",
		`{"squares": 3, "winning": [[1, 1]]}`:                             "square 1 twice",
		`{"squares": 3, "winning": [[1, 2], [2, 1]]}`:                     "set 2 is the same as set 1",
		`{"squares": 2, "winning": [[1]], "below": [0]}`:                  "1 entries for 2 squares",
		`{"squares": 2, "winning": [[1]], "below": [2, 1]}`:               "rests on itself",
		`{"squares": 2, "winning": [[1]], "below": [3, 0]}`:               "no square 3",
		`{"squares": 2, "winning": [[1]], "layout": [[0, 0]]}`:            "1 places for 2 squares",
		`{"squares": 2, "winning": [[1]], "layout": [[0, 0], [0, 0]]}`:    "same place",
		`{"squares": 2, "winning": [[1]], "layout": [[0], [0, 0]]}`:       "has 1 numbers",
		`{"squares": 2, "winning": [[1]], "layout": [[0, -1], [0, 0]]}`:   "not within",
		`{"squares": 2, "winning": [[1]], "layout": [[0, 1001], [0, 0]]}`: "not within",
		`{"squares": 2, "winning": [[1.5]]}`:                              "holds the number 1.5, not a whole number",
		`{"squares": 99999999999999999999, "winning": [[1]]}`:             "squares",
		`{"squares": 3, "winning": [[1]], "winning": [[2]]}`:              `field "winning" comes twice`,
		`{"SQUARES": 3, "winning": [[1]]}`:                                `unknown field "SQUARES"; there are name`,
	} {
		if _, err := file.Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one that says %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"squares": 3, "winning": [[1, 2], [2, 3]]}`))
	f.Add([]byte(`{"squares": 2, "winning": [[1]], "below": [2, 0], "layout": [[0, 0], [0, 1]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := file.Parse(data)
		if err == nil && (g.Board.N < 1 || g.Board.N > board.MaxSquares || len(g.Board.Lines) == 0) {
			t.Errorf("%d squares and %d lines", g.Board.N, len(g.Board.Lines))
		}
	})
}
