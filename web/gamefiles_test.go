package web

import (
	"fmt"
	"strings"
	"testing"

	"oxo/web/live"
)

// TestGamesOfOnesOwn brings games, plays them, and finds them again after a
// restart.
func TestGamesOfOnesOwn(t *testing.T) {
	m := newMemory()
	x := newTester(t, hosted(m))
	const pairs = `{"name": "Two pairs!", "squares": 3, "winning": [[1, 2], [2, 3]], "layout": [[0, 0], [1, 1], [2, 0]]}`
	var f, again GameFile
	x.answered(200, "POST", api+"games/files", object{"file": pairs}, &f)
	x.answered(200, "POST", api+"games/files", object{"file": pairs}, &again)
	if f != again || f.Title != "Two pairs!" || !strings.HasPrefix(f.Spec, "file:two-pairs-") || len(m.files) != 1 {
		t.Errorf("brought: %+v, then %+v; %d files", f, again, len(m.files))
	}
	var p PositionReply
	x.answered(200, "POST", api+"position", object{"game": f.Spec, "moves": []string{"2", "1", "3"}}, &p)
	if p.State.Result != "first" || p.Info.Squares[1].Row != 1 || p.Info.Title != "Two pairs!" {
		t.Errorf("played: %+v", p)
	}
	var open live.OpenReply
	x.answered(200, "POST", api+"sessions", object{"game": f.Spec, "seat": "first"}, &open)
	y := newTester(t, hosted(m)) // after a restart
	y.answered(200, "POST", api+"sessions/"+open.Session.ID+"/accept", object{"invite": open.Invite}, nil)
	var list GameFileList
	y.answered(200, "GET", api+"games/files", nil, &list)
	if len(list.Files) != 1 || list.Files[0] != f {
		t.Errorf("listed: %+v", list)
	}
	for _, c := range []struct{ file, says string }{
		{`{"squares": 3}`, `"winning" is missing`},
		{`{"squares": 2, "winning": [[1, 5]]}`, "5"},
		{`{"squares": 2, "winning": [[]]}`, "set"},
		{`hello`, "JSON"},
		{`{}`, ""},
		{`{"name": "` + strings.Repeat("a", 101) + `", "squares": 1, "winning": [[1]]}`,
			`field "name" has 101 characters: want 100 at most`},
	} {
		if location, message := x.fault(422, "POST", api+"games/files",
			object{"file": c.file}); location != "body.file" || !strings.Contains(message, c.says) ||
			strings.Contains(message, "brought") {
			t.Errorf("%s: %s: %s", c.file, location, message)
		}
	}
	var tree GameFile
	const small = `{"name": "My tree", "root": {"kind": "max", "children": [1, 2]}}`
	x.answered(200, "POST", api+"games/files", object{"file": small}, &tree)
	if tree.Title != "game tree My tree" || !strings.HasPrefix(tree.Spec, "tree:game-tree-my-tree-") {
		t.Errorf("a tree is listed as %+v", tree)
	}
	_, message := x.fault(422, "POST", api+"position", object{"game": "file:other.json"})
	if !strings.Contains(message, `nobody has brought a file "other.json"`) {
		t.Errorf("a file that is not there: %s", message)
	}
	_, message = x.fault(422, "POST", api+"position", object{"game": "tree:nope"})
	if !strings.Contains(message, `"nope" on this server, and no tree built in has that name: there are chance`) {
		t.Errorf("a tree that is not there: %s", message)
	}
	x.fault(422, "POST", api+"position", object{"game": "file:/etc/passwd"})
	_, message = x.fault(422, "POST", api+"sheets", object{"text": `[Game "file:/etc/passwd"] 1. a1 *`})
	if !strings.Contains(message, `neither a game nor a brain "/etc/passwd" on this server`) {
		t.Errorf("a sheet that names a file: %s", message)
	}
}

// TestListOfGameFiles has the latest games, and not all that are kept.
func TestListOfGameFiles(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	var f GameFile
	for i := range 202 {
		file := fmt.Sprintf(`{"name": "game %d", "squares": 1, "winning": [[1]]}`, i)
		x.answered(200, "POST", api+"games/files", object{"file": file}, &f)
	}
	var list GameFileList
	if x.answered(200, "GET", api+"games/files", nil, &list); len(list.Files) != 200 || list.Files[0] != f {
		t.Errorf("%d are listed, first %+v", len(list.Files), list.Files[0])
	}
}

// TestReadSheets lists the games of score sheets that are whole, and names those that are not.
func TestReadSheets(t *testing.T) {
	x := newTester(t)
	const good, bad = "[Game \"ttt\"] 1. a1 b2 *\n", "[Game \"ttt\"] 1. a1 a1 *\n"
	var r SheetReply
	x.answered(200, "POST", api+"sheets", object{"text": good + bad + good}, &r)
	if len(r.Games) != 2 || len(r.Bad) != 1 || !strings.HasPrefix(r.Bad[0], "game 2: move 2 by second: ") {
		t.Errorf("read: %+v", r)
	}
	r = SheetReply{}
	x.answered(200, "POST", api+"sheets", object{"text": "[First \"" + strings.Repeat("W", 50_000) +
		"\"] [Second \"a\u202eb\u200b\"] " + good}, &r)
	if g := r.Games[0]; g.First != strings.Repeat("W", 39)+"…" || g.Second != "ab" {
		t.Errorf("names that are no names of seats stay: %.60q, %q", g.First, g.Second)
	}
	if at, message := x.fault(422, "POST", api+"sheets", object{"text": bad}); at != "body.text" ||
		!strings.HasPrefix(message, "game 1: ") {
		t.Errorf("none is whole: %s: %s", at, message)
	}
}
