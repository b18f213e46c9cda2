package web

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"oxo/web/live"
	"oxo/web/service"
)

// TestStatusesOfMoves: docs/bots.md has each status that a move is refused with.
func TestStatusesOfMoves(t *testing.T) {
	page, err := os.ReadFile("../docs/bots.md")
	if err != nil {
		t.Fatal(err)
	}
	p := newPair(t, newMemory(), "ttt", nil)
	move := object{"move": "a1", "ply": 0}
	for _, c := range []struct {
		x      *tester
		status int
		body   object
	}{
		{p.sides[0], 400, object{"move": "z9", "ply": 0}}, {p.as(service.TokenPrefix + "wrong"), 401, move},
		{p.tester, 403, move}, {p.sides[0], 409, object{"move": "a1", "ply": 1}},
		{p.sides[0], 422, object{"move": "", "ply": 0}},
	} {
		if c.x.fault(c.status, "POST", p.path("move"), c.body); !strings.Contains(string(page),
			fmt.Sprintf("\n| %d | ", c.status)) {
			t.Errorf("docs/bots.md does not have status %d of a move", c.status)
		}
	}
}

// TestNamesOfPeople refuses names that can't be seen and those of connected bots, of who opens a game and of who
// accepts one.
func TestNamesOfPeople(t *testing.T) {
	x := newTester(t, hosted(newMemory()))
	var bot live.TokenReply
	x.answered(200, "POST", api+"bots", object{"name": "deep"}, &bot)
	x.as(bot.Token).answered(200, "GET", api+"bots/events", nil, nil) // which makes it count as connected
	seek := func(name string) object { return object{"game": "ttt", "public": true, "name": name} }
	var open live.OpenReply
	x.answered(200, "POST", api+"sessions", seek(" Ann B. "), &open)
	if name := open.Session.First.Name + open.Session.Second.Name; name != "Ann B." {
		t.Errorf("called %q", name)
	}
	accept := api + "sessions/" + open.Session.ID + "/accept"
	for name, want := range map[string]string{
		"   ": "more than blanks", "\u200b": "can be seen", "\u202eAnn": "can be seen", "tab\tnew\nline": "can be seen",
		"\x00": "can be seen", "deep": "a bot of that name", " Deep ": "a bot of that name",
		"dеep": "a bot of that name", "ｄｅｅｐ": "a bot of that name", "d e e p": "a bot of that name",
		"𝐝𝐞𝐞𝐩": "a bot of that name", "ⓓⓔⓔⓟ.": "a bot of that name", "admin": "reserved",
		"0XO": "reserved", "Sеrver": "reserved", "operator!": "reserved",
		"tournament": "reserved", "human": "reserved", "Random": "reserved",
	} {
		for path, body := range map[string]object{api + "sessions": seek(name), accept: {"name": name}} {
			if at, message := x.fault(422, "POST", path, body); at != "body.name" || !strings.Contains(message, want) {
				t.Errorf("%s: %q: %s: %s", path, name, at, message)
			}
		}
	}
	if at, message := x.fault(422, "POST", accept, object{"name": strings.Repeat("n", 41)}); at != "body.name" ||
		message != "at most 40 characters are accepted" {
		t.Errorf("a long name: %s: %s", at, message)
	}
	x.answered(200, "POST", accept, object{"name": ""}, &open)
	if names := open.Session.First.Name + open.Session.Second.Name; !strings.Contains(names, "Guest") {
		t.Errorf("without a name: %s", names)
	}
}
