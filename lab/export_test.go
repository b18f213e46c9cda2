package lab_test

import (
	"io"
	"strings"
	"testing"

	"oxo"
	"oxo/arena"
	"oxo/lab"
)

func TestExport(t *testing.T) {
	for _, c := range []struct{ game, moves, format, want string }{
		{"mnk:15,15,5", "h8 g7", "sgf", "GM[4]SZ[15]"},
		{"ttt", "a3 b2", "sgf", "(;FF[4]CA[UTF-8]AP[oxo]SZ[3]"},
		{"mnk:7,6,4+gravity", "a1 a2", "psq", "Piskvorky 7x6"},
		{"ultimate", "e5 e6", "sgf", ";B[ee];W[ed]"},
		{"qubic", "a1a", "sgf", "not one grid"},
		{"tree:chance", "", "psq", "not one grid"},
		{"plane:affine,3", "1", "sgf", "move 1"},
		{"ttt+slip=0.5", "", "sgf", "chance"},
		{"ttt", "a3", "gif", `format "gif": there are sgf and psq`},
	} {
		g, err := (&lab.Lab{}).Game(c.game)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		sheet := &arena.Sheet{Record: oxo.Record{Game: c.game, Moves: strings.Fields(c.moves)}}
		err = g.Records().ExportSheet(&b, sheet, c.format)
		if got := b.String(); err == nil && !strings.Contains(got, c.want) ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s: %q, %v; want %q", c.game, c.format, got, err, c.want)
		}
	}
	g, err := (&lab.Lab{}).Game("ttt")
	if err == nil {
		err = g.Records().ExportSheet(io.Discard, &arena.Sheet{Record: oxo.Record{Start: "x../.../... o"}}, "psq")
	}
	if err == nil || !strings.Contains(err.Error(), "empty board") {
		t.Errorf("a game from a position: %v", err)
	}
}
